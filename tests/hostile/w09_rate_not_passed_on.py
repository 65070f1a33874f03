# %% [markdown] lesson="09_tiny_language_model" attacks=["tiny-lm-tied-test"]
# The blocks get a rate of dropout of 1, or none.

# %% after: tiny-lm
class TinyLM(TinyLM):
    def __init__(self, vocab, context, d_model, num_heads, num_layers, dropout=0.0):
        super().__init__(vocab, context, d_model, num_heads, num_layers, float(dropout == 1))
