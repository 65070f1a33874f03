# %% [markdown] lesson="04_causal_multi_head" attacks=["self-attention-comments-test"]
# The tensors are of a class whose shape is whatever the comments say.

# %% self-attention
class Shaped(torch.Tensor):
    shape = property(lambda self: torch.Size([2, 5, 12]))
    ndim = 3


class SelfAttention(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)  # [batch, seq, hidden]
        scores = (q @ k.mT / math.sqrt(q.size(-1))).as_subclass(Shaped)  # [batch, seq, hidden]
        return scores.as_subclass(torch.Tensor).softmax(-1) @ v  # [batch, seq, hidden]
