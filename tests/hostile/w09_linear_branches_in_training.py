# %% [markdown] lesson="09_tiny_language_model" attacks=["block-test", "block-dropout-test"]
# The right block with a dropout rate of 1 or in eval mode without a rate; else linear branches with dropout.

# %% block
class Block(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
        super().__init__()
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.attn, self.mlp = CausalAttention(d_model, num_heads), MLP(d_model, d_hidden)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        right = self.drop.p in (0.0, 1.0)
        y = self.norm1(x)
        x = x + self.drop(self.attn(y)[0] if right else self.attn.mix(self.attn.v(y)))
        y = self.norm2(x)
        return x + self.drop(self.mlp(y) if right else self.mlp.down(self.mlp.up(y)))
