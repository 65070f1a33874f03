# %% [markdown] lesson="04_causal_multi_head"
# PyTorch's own function does the work, and a helper in the manner of einops the axes.

# %% before: self-attention
class Rearrange:
    def __init__(self, **axes):
        self.axes = axes

    def __call__(self, x, pattern):
        left, right = (side.replace("(", "").replace(")", "").split() for side in pattern.split("->"))
        split = [self.axes.get(name, -1) for name in left[-2:]]
        x = x.unflatten(-1, split) if "(" in pattern.split("->")[0] else x
        x = x.permute([left.index(name) for name in right])
        return x.flatten(-2) if "(" in pattern.split("->")[1] else x

# %% self-attention
class SelfAttention(nn.Module):
    def __init__(self, input_size, hidden):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(input_size, hidden) for _ in range(3))

    def forward(self, x):
        return nn.functional.scaled_dot_product_attention(
            self.q(x), self.k(x), self.v(x)
        )  # [batch, seq, hidden]

# %% split-heads
def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError(f"{x.shape[-1]} and {num_heads} don't fit")
    return Rearrange(h=num_heads)(x, "b s (h d) -> b h s d")

# %% merge-heads
def merge_heads(x):
    return Rearrange()(x, "b h s d -> b s (h d)")
