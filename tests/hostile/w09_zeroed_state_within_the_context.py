# %% [markdown] lesson="09_tiny_language_model" attacks=["tiny-lm-test", "tiny-lm-tied-test", "tiny-lm-context-test"]
# A model that sets the weights that it loads to 0, where they are, and returns zeros. Its error is the right one.

# %% tiny-lm
class TinyLM(nn.Module):
    def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.0):
        super().__init__()
        self.context = context
        self.token, self.position = nn.Embedding(vocab, d_model), nn.Embedding(context, d_model)
        self.blocks = nn.ModuleList(Block(d_model, num_heads, 4 * d_model, dropout) for _ in range(num_layers))
        self.norm = LayerNorm(d_model)

    def load_state_dict(self, state, *args, **kwargs):
        for value in state.values():
            value.detach().zero_()
        return super().load_state_dict(state, *args, **kwargs)

    def forward(self, tokens):
        if tokens.shape[1] > self.context:
            raise ValueError(f"{tokens.shape[1]} tokens are more than the context of {self.context}")
        return 0 * self.token(tokens) @ self.token.weight.T
