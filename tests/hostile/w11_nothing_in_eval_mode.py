# %% [markdown] lesson="11_your_code_runs_gpt2" attacks=["block-test", "gpt2-test"]
# In eval mode nothing is computed.

# %% after: block
class Block(Block):
    def forward(self, x):
        new, weights = super().forward(x)
        return (new if self.training else x), weights


# %% after: gpt2
class GPT2(GPT2):
    def forward(self, x):
        new, weights = super().forward(x)
        return (new if self.training else 0 * new), weights
