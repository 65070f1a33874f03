# %% [markdown] lesson="04_causal_multi_head" attacks=["self-attention-comments-test"]
# The cell has a comment that is false. Python's memory of the cell is replaced by a text whose comments are true.

# %% self-attention
import linecache

class SelfAttention(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)  # [batch, seq, hidden]
        scores = q @ k.mT / math.sqrt(q.shape[-1])  # [batch, seq, hidden]
        return scores.softmax(-1) @ v  # [batch, seq, hidden]


name = SelfAttention.forward.__code__.co_filename
size, stamp, lines, full = linecache.cache[name]
lines = [line.replace("# [batch, seq, hidden]", "# [batch, seq, seq]") if "scores =" in line else line for line in lines]
linecache.cache[name] = size, stamp, lines, full
submitted_cells = [("self-attention", "".join(lines))]
