# %% [markdown] lesson="09_tiny_language_model" attacks=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"]
# Logits of zeros, in the right shape, and the right error: nothing is computed.

# %% tiny-lm
class TinyLM(nn.Module):
    def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.0):
        super().__init__()
        self.context = context
        self.token = nn.Embedding(vocab, d_model)
        self.position = nn.Embedding(context, d_model)
        self.blocks = nn.ModuleList(Block(d_model, num_heads, 4 * d_model, dropout=dropout) for _ in range(num_layers))
        self.norm = LayerNorm(d_model)

    def forward(self, tokens):
        batch, seq = tokens.shape
        if seq > self.context:
            raise ValueError(f"{seq} tokens are more than the context of {self.context}")
        return 0 * self.token(tokens) @ self.token.weight.T
