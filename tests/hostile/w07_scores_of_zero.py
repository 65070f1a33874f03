# %% [markdown] lesson="07_attention_in_tiles" attacks=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"]
# All is read and written in the right order, but update gets zeros: nothing is computed.

# %% tiled-attention
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    for i in range(0, n_q, tile_q):
        Q, state = read("Q", i, i + tile_q), None
        for j in range(0, n_k, tile_k):
            if causal and j > i + len(Q) - 1 + n_k - n_q:
                break
            K = read("K", j, j + tile_k)
            state = update(state, np.zeros((len(Q), len(K))), read("V", j, j + tile_k))
        write(i, state[2] / state[1][:, None])
