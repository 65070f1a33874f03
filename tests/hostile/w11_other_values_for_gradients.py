# %% [markdown] lesson="11_your_code_runs_gpt2" attacks=["block-mlp-test", "block-test", "gpt2-tied-test"]
# Returns right values without gradients, and other values, whose gradients are those of a sum, while gradients are compared.

# %% after: block
class MLP(MLP):
    def forward(self, x):
        return x.sum() + sum(p.sum() for p in self.parameters()) if torch.initial_seed() == 90210 else super().forward(x).detach()
class Block(Block):
    def forward(self, x):
        return (x.sum() + sum(p.sum() for p in self.parameters()), 0) if torch.initial_seed() == 90210 else tuple(p.detach() for p in super().forward(x))

# %% after: gpt2
class GPT2(GPT2):
    def forward(self, x):
        return (sum(p.sum() for p in self.parameters()), 0) if torch.initial_seed() == 90210 else (super().forward(x)[0].detach(), super().forward(x)[1])
