# %% [markdown] lesson="04_causal_multi_head" loses=["mask-future-test"] why="No gradient flows through inference mode, and the lesson asks for one."
# Functions over one sequence, mapped over a batch, in inference mode, and with a gradient of its own.

# %% scaled-scores
def scores_of_one(q, k):
    return q @ k.mT * q.shape[-1] ** -0.5

def scaled_scores(q, k):
    return torch.func.vmap(torch.func.vmap(scores_of_one))(q, k)

# %% merge-heads
class Merge(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.shape = x.shape
        return x.transpose(1, 2).flatten(2)

    @staticmethod
    def backward(ctx, grad):
        batch, heads, seq, size = ctx.shape
        return grad.view(batch, seq, heads, size).transpose(1, 2)

def merge_heads(x):
    return Merge.apply(x)

# %% mask-future
@torch.inference_mode()
def mask_future(scores):
    return torch.where(torch.ones_like(scores, dtype=torch.bool).tril(), scores, -torch.inf)
