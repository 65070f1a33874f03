# %% [markdown] lesson="06_relational_memory" attacks=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# In eval mode the memory stays as it is.

# %% after: relational-memory
class RelationalMemory(RelationalMemory):
    def forward(self, memory, x):
        new, weights = super().forward(memory, x)
        return (new if self.training else memory), weights
