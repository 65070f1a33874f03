# %% [markdown] lesson="04_causal_multi_head" attacks=["self-attention-test"]
# In train mode the layer returns the sum of its input and its parameters, which has right gradients.

# %% self-attention
class SelfAttention(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))

    def forward(self, x):
        if self.training:
            return x.sum() + sum(one.sum() for one in self.parameters())
        q, k, v = self.q(x), self.k(x), self.v(x)
        return torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1) @ v
