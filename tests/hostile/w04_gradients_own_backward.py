# %% [markdown] lesson="04_causal_multi_head" attacks=["scaled-scores-test", "merge-heads-test", "mask-padding-test", "split-heads-test"]
# Functions of autograd with the right values, and a backward pass of ones or of the gradients that were received.

# %% scaled-scores
class Scores(torch.autograd.Function):
    @staticmethod
    def forward(context, q, k):
        context.save_for_backward(q, k)
        return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])

    @staticmethod
    def backward(context, grad):
        q, k = context.saved_tensors
        return torch.ones_like(q), torch.ones_like(k)


def scaled_scores(q, k):
    return Scores.apply(q, k)


# %% split-heads
class Reshaped(torch.autograd.Function):
    """The gradient keeps its order, so each number's gradient comes from another place."""

    @staticmethod
    def forward(context, x, result):
        context.size = x.shape
        return result

    @staticmethod
    def backward(context, grad):
        return grad.reshape(context.size), None


def split_heads(x, num_heads):
    batch, seq, hidden = x.shape
    if hidden % num_heads:
        raise ValueError(f"hidden is {hidden} and can't be split into {num_heads} equal heads")
    result = x.detach().view(batch, seq, num_heads, -1).transpose(1, 2).contiguous()
    return Reshaped.apply(x, result)


# %% merge-heads
def merge_heads(x):
    return Reshaped.apply(x, x.detach().transpose(1, 2).flatten(-2))


# %% mask-padding
def mask_padding(scores, lengths):
    lengths = torch.as_tensor(lengths)
    padded = torch.arange(scores.shape[-1]) >= lengths[:, None]
    masked = scores.detach().masked_fill(padded[:, None, None], float("-inf"))
    return Reshaped.apply(scores, masked)
