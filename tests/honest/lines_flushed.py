# %% [markdown] lesson="01_single_head"
# A function prints 500 lines each time that it is called, and flushes each of them.

# %% softmax
import sys

def softmax(scores, axis=-1):
    for i in range(500):
        print("step", i, flush=True)
        sys.stderr.write(f"note {i}\n")
    shifted = scores - np.max(scores, axis=axis, keepdims=True)
    exponentials = np.exp(shifted)
    return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
