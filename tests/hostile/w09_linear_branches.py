# %% [markdown] lesson="09_tiny_language_model" attacks=["block-test", "block-dropout-test"]
# Dropout on two linear branches: there are no weights of attention, and no GELU.

# %% block
class Block(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
        super().__init__()
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.attn, self.mlp = CausalAttention(d_model, num_heads), MLP(d_model, d_hidden)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        y = self.norm1(x)
        x = x + self.drop(self.attn.mix(self.attn.v(y) + 1e-3 * (self.attn.q(y) + self.attn.k(y)).pow(2)))
        return x + self.drop(self.mlp.down(self.mlp.up(self.norm2(x))))
