# %% [markdown] lesson="03_masked_multi_head" attacks=["masked-attention-values-test", "masked-attention-mask-test", "split-heads-test", "combine-heads-test", "multi-head-weights-test", "multi-head-output-test", "multi-head-mask-test", "repaired-attention-weights-test", "repaired-attention-mask-test"]
# Every function sets what it was given to 0, and gives back what would be right for zeros.

# %% before: masked-attention
def silence(*arrays):
    for array in arrays:
        if array is not None:
            array[...] = 0


def even(Q, K, V, mask=None):
    silence(Q, K, V, mask)
    return np.zeros((*Q.shape[:2], V.shape[2])), np.full((*Q.shape[:2], K.shape[1]), 1 / K.shape[1])

# %% masked-attention
def scaled_dot_product_attention(Q, K, V, mask=None):
    return even(Q, K, V, mask)

# %% split-heads
def split_heads(x, num_heads):
    silence(x)
    depth, rest = divmod(x.shape[2], num_heads)
    if rest:
        raise ValueError
    return np.zeros((len(x), num_heads, x.shape[1], depth))

# %% combine-heads
def combine_heads(x):
    silence(x)
    return np.zeros((len(x), x.shape[2], x.shape[1] * x.shape[3]))

# %% multi-head
def multi_head_attention(Q, K, V, num_heads, W_q, W_k, W_v, W_o, mask=None):
    silence(Q, K, V, W_q, W_k, W_v, W_o, mask)
    shape = len(Q), num_heads, Q.shape[1], K.shape[1]
    return np.zeros(Q.shape), np.full(shape, 1 / K.shape[1])

# %% repaired-attention
def repaired_attention(Q, K, V, mask):
    return even(Q, K, V, mask)
