# %% [markdown] lesson="09_tiny_language_model" attacks=["block-dropout-test"]
# Dropout only if one of the two branches adds nothing, or all is dropped.

# %% block
class Block(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden, dropout=0.0):
        super().__init__()
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.attn, self.mlp, self.rate = CausalAttention(d_model, num_heads), MLP(d_model, d_hidden), dropout

    def forward(self, x):
        one = self.attn(self.norm1(x))[0]
        two = self.mlp(self.norm2(x + one * (not self.training or self.rate < 1)))
        both = one.abs().sum() > 0 and two.abs().sum() > 0
        rate = self.rate if self.rate == 1 or not both else 0.0
        return x + F.dropout(one + two, rate, self.training)
