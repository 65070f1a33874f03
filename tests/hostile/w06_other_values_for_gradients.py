# %% [markdown] lesson="06_relational_memory" attacks=["relational-memory-alone-test", "relational-memory-errors-test"]
# Returns right values without gradients, and other values, whose gradients are those of a sum, while gradients are compared.

# %% after: relational-memory
Right = RelationalMemory
class RelationalMemory(Right):
    def forward(self, memory, x):
        if torch.initial_seed() == 90210:
            return memory * 0 + x.sum() + memory.sum() + sum(one.sum() for one in self.parameters()), None
        with torch.no_grad():
            return super().forward(memory, x)
