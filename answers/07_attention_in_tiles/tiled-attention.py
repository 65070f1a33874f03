# %% right: from the last tile to the first, dead ones passed over
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    for start in reversed(range(0, n_q, tile_q)):
        queries = read("Q", start, min(start + tile_q, n_q))
        last = start + len(queries) - 1 + n_k - n_q
        state = None
        for first in reversed(range(0, n_k, tile_k)):
            if causal and first > last:
                continue
            keys, values = read("K", first, min(first + tile_k, n_k)), read("V", first, min(first + tile_k, n_k))
            scores = np.einsum("id,jd->ij", queries, keys) / math.sqrt(keys.shape[1])
            if causal:
                i, j = np.indices(scores.shape)
                scores[first + j > start + i + n_k - n_q] = -math.inf
            state = update(state, scores, values)
        write(start, state[2] / state[1].reshape(-1, 1))

# %% right: one query and one key at a time, plain numbers
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    for i in range(n_q):
        [q] = read("Q", i, i + 1)
        state = None
        for j in range(i + n_k - n_q + 1 if causal else n_k):
            [k] = read("K", j, j + 1)
            s = math.fsum(a * b for a, b in zip(q, k)) / len(q) ** 0.5
            state = update(state, [[s]], read("V", j, j + 1).tolist())
        [total], [row] = state[1:]
        write(i, [[number / total for number in row]])

# %% right: a live tile only up to the last key that is seen
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    i = 0
    while i < n_q:
        Q = read("Q", i, i + tile_q)
        Q = Q / Q.shape[1] ** 0.5
        ends = i + 1 + np.arange(len(Q)) + n_k - n_q if causal else np.full(len(Q), n_k)
        state, j = None, 0
        while j < ends[-1]:
            stop = min(j + tile_k, ends[-1])
            K, V = (read(name, j, stop) for name in "KV")
            allowed = np.arange(j, stop)[None, :] < ends[:, None]
            state = update(state, Q @ K.T + np.where(allowed, 0.0, -np.inf), V)
            j = stop
        write(i, np.divide(state[2], state[1][:, None]))
        i += len(Q)

# %% right: a state for each tile from None, merged by hand
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    for i in range(0, n_q, tile_q):
        Q = read("Q", i, i + tile_q)
        end = i + len(Q) + n_k - n_q if causal else n_k
        states = []
        for j in range(0, end, tile_k):
            K = read("K", j, j + tile_k)
            scores = Q @ K.T / np.sqrt(K.shape[1])
            if causal:
                scores = np.where(np.tri(len(Q), len(K), i + n_k - n_q - j, dtype=bool), scores, -np.inf)
            states.append(update(None, scores, read("V", j, j + tile_k)))
        top = np.max([m for m, l, o in states], axis=0)
        factors = [np.exp(m - top) for m, l, o in states]
        total = sum(f * l for f, (m, l, o) in zip(factors, states))
        mixed = sum(f[:, None] * o for f, (m, l, o) in zip(factors, states))
        write(i, mixed / total[:, None])

# %% right: -1e30 in place of -inf
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    past = n_k - n_q
    for i in range(0, n_q, tile_q):
        Q = read("Q", i, i + tile_q)
        state = None
        for j in range(0, n_k, tile_k):
            if causal and j >= i + tile_q + past:
                break
            K, V = read("K", j, j + tile_k), read("V", j, j + tile_k)
            scores = (Q / math.sqrt(Q.shape[-1])).dot(K.T)
            if causal:
                gap = np.subtract.outer(np.arange(i, i + len(Q)) + past, np.arange(j, j + len(K)))
                scores[gap < 0] = -1e30
            state = update(state, scores, V)
        _, l, o = state
        write(i, (o.T / l).T)

# %% right: tiles half as large as allowed, the rows written one by one
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    tile_q, tile_k = math.ceil(tile_q / 2), math.ceil(tile_k / 2)
    for i in range(0, n_q, tile_q):
        Q = read("Q", i, min(i + tile_q, n_q))
        state = None
        for j in range(0, n_k, tile_k):
            stop = min(j + tile_k, n_k)
            seen = np.array([[not causal or key <= i + row + n_k - n_q for key in range(j, stop)] for row in range(len(Q))])
            if not seen.any():
                break
            scores = Q @ read("K", j, stop).T
            scores = scores / np.sqrt(Q.shape[1])
            scores[~seen] = -np.inf
            state = update(state, scores, read("V", j, stop))
        for row, total in enumerate(state[1]):
            write(i, state[2][row:row + 1] / total)
            i = i + 1

# %% right: torch inside, recursion over the keys
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    import torch
    def past(state, Q, rows, j):
        if j >= n_k or (causal and j > rows.max()):
            return state
        K = torch.from_numpy(read("K", j, j + tile_k))
        scores = Q @ K.mT / math.sqrt(Q.shape[1])
        if causal:
            scores = scores.masked_fill(torch.arange(j, j + len(K)) > rows[:, None], -math.inf)
        return past(update(state, scores.numpy(), read("V", j, j + tile_k)), Q, rows, j + tile_k)

    for i in range(0, n_q, tile_q):
        Q = torch.from_numpy(read("Q", i, i + tile_q))
        m, l, o = past(None, Q, torch.arange(i, i + len(Q)) + n_k - n_q, 0)
        write(i, np.einsum("ij,i->ij", o, 1 / l))

# %% right: a state of its own for each query of the tile
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    for i in range(0, n_q, tile_q):
        Q = read("Q", i, i + tile_q)
        states = [None] * len(Q)
        last = i + len(Q) - 1 + n_k - n_q if causal else n_k - 1
        for j in range(0, last + 1, tile_k):
            K, V = read("K", j, j + tile_k), read("V", j, j + tile_k)
            for row, q in enumerate(Q):
                scores = [q @ k / math.sqrt(len(q)) if not causal or j + c <= i + row + n_k - n_q else -math.inf
                          for c, k in enumerate(K)]
                states[row] = update(states[row], np.array([scores]), V)
        write(i, np.concatenate([o / l for m, l, o in states]))

# %% right: begins with a state of nothing, values first, keys row by row
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    for i in range(0, n_q, tile_q):
        Q = read("Q", i, i + tile_q)
        rows = len(Q)
        m = l = o = None
        for j in range(0, n_k, tile_k):
            if causal and n_k - n_q + i + rows <= j:
                continue
            V = read("V", j, j + tile_k)
            if m is None:
                m, l, o = np.full(rows, -np.inf), np.zeros(rows), np.zeros((rows, V.shape[1]))
            K = np.concatenate([read("K", j + c, j + c + 1) for c in range(len(V))])
            scores = (Q[:, None, :] * K[None, :, :]).sum(axis=2) * Q.shape[1] ** -0.5
            if causal:
                blocked = np.triu(np.ones((n_q, n_k)), k=n_k - n_q + 1)[i:i + rows, j:j + len(K)]
                scores = np.where(blocked > 0, -np.inf, scores)
            m, l, o = update((m, l, o), scores, V)
        write(i, o / l[:, np.newaxis])

# %% wrong: no scale advice="The scores are not divided: divide them by √d_k." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     scores = Q @ K.T / np.sqrt(Q.shape[1])
# becomes: scores = Q @ K.T

# %% wrong: divides by d_k advice="The scores are divided by d_k, not by its root: divide once, by √d_k." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     scores = Q @ K.T / np.sqrt(Q.shape[1])
# becomes: scores = Q @ K.T / Q.shape[1]

# %% wrong: divides twice by the root advice="The scores are divided by d_k, not by its root: divide once, by √d_k." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     scores = Q @ K.T / np.sqrt(Q.shape[1])
# becomes: scores = (Q / np.sqrt(Q.shape[1])) @ K.T / np.sqrt(Q.shape[1])

# %% wrong: multiplies advice="The scores are multiplied by √d_k: divide them." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     scores = Q @ K.T / np.sqrt(Q.shape[1])
# becomes: scores = Q @ K.T * np.sqrt(Q.shape[1])

# %% wrong: root of d_v advice="The scores are divided by √d_v: divide them by √d_k, the root of Q.shape[1]." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     scores = Q @ K.T / np.sqrt(Q.shape[1])
# becomes: V = read("V", j, j + tile_k)
# becomes: scores = Q @ K.T / np.sqrt(V.shape[1])

# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: state = update(state, scores, V)

# %% wrong: not divided advice="o was written as it is: divide each row of it by its l first." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     write(i, o / l[:, None])
# becomes: write(i, o)

# %% wrong: l along the features says="make the sizes fit" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     write(i, o / l[:, None])
# becomes: write(i, o / l)

# %% wrong: l turned along the features advice="Each column is divided by a row's l: make a column of l, with l[:, None], so that each row is divided by its own." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     write(i, o / l[:, None])
# becomes: write(i, o / np.resize(l, o.shape[1]))

# %% wrong: divided by m advice="o is divided by m, the largest score: divide it by l, the sum." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     write(i, o / l[:, None])
# becomes: write(i, o / m[:, None])

# %% wrong: divided by the l of the first row advice="All rows of a tile are divided by the same number: divide each row of o by its own l." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:         write(i, o / l[:, None])
# becomes:     write(i, o / l[0])

# %% wrong: divided by the l of the last row advice="All rows of a tile are divided by the same number: divide each row of o by its own l." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:         write(i, o / l[:, None])
# becomes:     write(i, o / l[-1])

# %% wrong: divided by the largest l advice="All rows of a tile are divided by the same number: divide each row of o by its own l." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:         write(i, o / l[:, None])
# becomes:     write(i, o / l.max())

# %% wrong: divided by the mean of the l advice="All rows of a tile are divided by the same number: divide each row of o by its own l." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:         write(i, o / l[:, None])
# becomes:     write(i, o / l.mean())

# %% wrong: divided by the sum of all l advice="All rows of a tile are divided by the same number: divide each row of o by its own l." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     write(i, o / l[:, None])
# becomes: write(i, o / l.sum())

# %% wrong: multiplied by l advice="o is multiplied by l: divide it." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     write(i, o / l[:, None])
# becomes: write(i, o * l[:, None])

# %% wrong: m and l in the wrong order advice="o is divided by m, the largest score: divide it by l, the sum." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     m, l, o = state
# becomes: l, m, o = state

# %% wrong: divided by the sum of the row of o advice="Each row is divided by the sum of its own entries: divide row i of o by l[i], the sum of the exponentials." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     write(i, o / l[:, None])
# becomes: write(i, o / o.sum(axis=1, keepdims=True))

# %% wrong: divided after each tile advice="o was divided after each tile of keys, and then grew on: pass the state on as update returned it, and divide once, after the last tile." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: m, l, o = update(state, scores, read("V", j, j + tile_k))
# becomes: state = m, l, o / l[:, None]

# was:     write(i, o / l[:, None])
# becomes: write(i, o)

# %% wrong: divided after each tile and at the end advice="o was divided more than once: pass the state on as update returned it, and divide once, after the last tile." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: m, l, o = update(state, scores, read("V", j, j + tile_k))
# becomes: state = m, l, o / l[:, None]

# %% wrong: state not reset says="Begin a new state" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     for i in range(0, n_q, tile_q):
# becomes: state = None
# becomes: for i in range(0, n_q, tile_q):

# was:     last_seen = np.arange(i, i + len(Q)) + n_k - n_q
# was:     state = None
# becomes: last_seen = np.arange(i, i + len(Q)) + n_k - n_q

# %% wrong: state not handed on advice="Only the last tile of keys counts: begin with None before the loop over the keys, and pass each state to the next update." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: state = update(None, scores, read("V", j, j + tile_k))

# %% wrong: state begins in the inner loop advice="Only the last tile of keys counts: begin with None before the loop over the keys, and pass each state to the next update." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     if causal and j > last_seen[-1]:
# was:         break
# becomes: if causal and j > last_seen[-1]:
# becomes:     break
# becomes: state = None

# %% wrong: the new state is dropped says="Keep the state that update returns" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: update(state, scores, read("V", j, j + tile_k))

# %% wrong: only the first tile advice="Only the first tile of keys counts: replace the state by the state that update returns." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: V = read("V", j, j + tile_k)
# becomes: new = update(state, scores, V)
# becomes: state = state or new

# %% wrong: mean of the tiles' outputs advice="Each tile of keys was attended to by itself, and the outputs were averaged: pass the state on from tile to tile, and divide once at the end." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     state = None
# becomes: outputs = []

# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: m, l, o = update(None, scores, read("V", j, j + tile_k))
# becomes: outputs.append(o / l[:, None])

# was:     m, l, o = state
# was:     write(i, o / l[:, None])
# becomes: write(i, np.nanmean(outputs, axis=0))

# %% wrong: sum of the tiles' outputs advice="Each tile of keys was attended to by itself, and the outputs were added: pass the state on from tile to tile, and divide once at the end." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     state = None
# becomes: output = 0

# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: m, l, o = update(None, scores, read("V", j, j + tile_k))
# becomes: output = output + np.nan_to_num(o / l[:, None])

# was:     m, l, o = state
# was:     write(i, o / l[:, None])
# becomes: write(i, output)

# %% wrong: sums of the tiles added without their maxima advice="Each tile's terms are relative to its own maximum, and added to the others unchanged: pass unchanged scores to update, and the state that it returned." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     state = None
# becomes: state = 0, 0, 0

# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: m, l, o = update(None, scores, read("V", j, j + tile_k))
# becomes: state = m, state[1] + l, state[2] + o

# %% wrong: softmax before update advice="update got weights: pass the scores, because update computes the exponentials itself." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: weights = np.exp(scores - scores.max(axis=1, keepdims=True))
# becomes: weights = weights / weights.sum(axis=1, keepdims=True)
# becomes: state = update(state, weights, read("V", j, j + tile_k))

# %% wrong: exponentials before update advice="update got exponentials: pass the scores, because update computes the exponentials itself." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: state = update(state, np.exp(scores), read("V", j, j + tile_k))

# %% wrong: maximum subtracted before update advice="Each tile's terms are relative to its own maximum, and added to the others unchanged: pass unchanged scores to update, and the state that it returned." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: scores = scores - scores.max(axis=1, keepdims=True)
# becomes: state = update(state, scores, read("V", j, j + tile_k))

# %% wrong: last partial tile of keys left out advice="The last keys are left out: the loop over the keys must run up to n_k, even if the last tile is not full." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     for j in range(0, n_k, tile_k):
# becomes: for j in range(0, n_k - tile_k + 1, tile_k):

# %% wrong: whole tiles of keys only advice="The last keys are left out: the loop over the keys must run up to n_k, even if the last tile is not full." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     for j in range(0, n_k, tile_k):
# becomes: for j in range(0, n_k // tile_k * tile_k, tile_k):

# %% wrong: last key left out advice="The last keys are left out: the loop over the keys must run up to n_k, even if the last tile is not full." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     for j in range(0, n_k, tile_k):
# becomes: for j in range(0, n_k - 1, tile_k):

# %% wrong: to the power of one, halved advice="The scores are divided by 2·d_k: in `/ d ** 1/2` the power comes first, so write ** 0.5 or use np.sqrt." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     scores = Q @ K.T / np.sqrt(Q.shape[1])
# becomes: scores = Q @ K.T / Q.shape[1] ** 1 / 2

# %% wrong: root of tile_q advice="The scores are divided by the root of tile_q: divide them by √d_k, the root of Q.shape[1]." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     scores = Q @ K.T / np.sqrt(Q.shape[1])
# becomes: scores = Q @ K.T / np.sqrt(tile_q)

# %% wrong: root of the queries of the tile advice="The scores are divided by the root of the number of queries in the tile: divide them by √d_k, the root of Q.shape[1]." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     scores = Q @ K.T / np.sqrt(Q.shape[1])
# becomes: scores = Q @ K.T / np.sqrt(len(Q))

# %% wrong: root of the keys of the tile advice="The scores are divided by the root of the number of keys in the tile: divide them by √d_k, the root of Q.shape[1]." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     scores = Q @ K.T / np.sqrt(Q.shape[1])
# becomes: scores = Q @ K.T / np.sqrt(len(K))

# %% wrong: root of tile_k advice="The scores are divided by the root of tile_k: divide them by √d_k, the root of Q.shape[1]." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     scores = Q @ K.T / np.sqrt(Q.shape[1])
# becomes: scores = Q @ K.T / np.sqrt(tile_k)

# %% wrong: root of n_q advice="The scores are divided by √n_q: divide them by √d_k, the root of Q.shape[1]." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     scores = Q @ K.T / np.sqrt(Q.shape[1])
# becomes: scores = Q @ K.T / np.sqrt(n_q)

# %% wrong: root of n_k advice="The scores are divided by √n_k: divide them by √d_k, the root of Q.shape[1]." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     scores = Q @ K.T / np.sqrt(Q.shape[1])
# becomes: scores = Q @ K.T / np.sqrt(n_k)

# %% wrong: last partial tile of queries left out advice="The last queries were never written: run the loops up to n_q and n_k, even if the last tile is not full." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     for i in range(0, n_q, tile_q):
# becomes: for i in range(0, n_q // tile_q * tile_q, tile_q):

# %% wrong: whole tiles only advice="The last queries were never written: run the loops up to n_q and n_k, even if the last tile is not full." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     for i in range(0, n_q, tile_q):
# becomes: for i in range(0, n_q // tile_q * tile_q, tile_q):

# was:     for j in range(0, n_k, tile_k):
# becomes: for j in range(0, n_k // tile_k * tile_k, tile_k):

# %% wrong: only the first tile of queries advice="Only the first tile of queries was written: continue with the next one. break leaves the loop over the keys, return leaves both." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     write(i, o / l[:, None])
# becomes: write(i, o / l[:, None])
# becomes: return

# %% wrong: always written to the beginning advice="Every tile was written to the beginning: write at row i, where its queries begin." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     write(i, o / l[:, None])
# becomes: write(0, o / l[:, None])

# %% wrong: written at the tile's number advice="The index of the tile was used as the index of its first row: write at row i, where its queries begin." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     write(i, o / l[:, None])
# becomes: write(i // tile_q, o / l[:, None])

# %% wrong: number of the tile taken for its first query advice="The index of the tile was used as the index of its first query: use a loop in steps, range(0, n_q, tile_q)." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     for i in range(0, n_q, tile_q):
# becomes: for i in range(math.ceil(n_q / tile_q)):

# %% wrong: number of the tile taken for its first key advice="The index of the tile was used as the index of its first key: use a loop in steps, range(0, n_k, tile_k)." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     for j in range(0, n_k, tile_k):
# becomes: for j in range(math.ceil(n_k / tile_k)):

# %% wrong: every key begins a tile advice="Some keys were read more than once: use a loop over the keys in steps, range(0, n_k, tile_k)." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     for j in range(0, n_k, tile_k):
# becomes: for j in range(n_k):

# %% wrong: keys in steps of tile_q advice="Some keys were read more than once, or not at all: the loop over the keys goes in steps of tile_k, as long as the tiles that are read." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     for j in range(0, n_k, tile_k):
# becomes: for j in range(0, n_k, tile_q):

# %% wrong: keys read in pieces of tile_q advice="Some keys were left out: read tile_k rows of K and V, as many as the loop steps over." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     K = read("K", j, j + tile_k)
# becomes: K = read("K", j, j + tile_q)

# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: state = update(state, scores, read("V", j, j + tile_q))

# %% wrong: queries in steps of tile_k advice="Some rows were never written: the loop over the queries goes in steps of tile_q, as long as the tiles that are read." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     for i in range(0, n_q, tile_q):
# becomes: for i in range(0, n_q, tile_k):

# %% wrong: tiles exchanged says="a tile of Q has at most" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     Q = read("Q", i, i + tile_q)
# becomes: tile_q, tile_k = tile_k, tile_q
# becomes: Q = read("Q", i, i + tile_q)

# %% wrong: one tile too many of queries says="cannot read from" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     for i in range(0, n_q, tile_q):
# becomes: for i in range(0, n_q + 1, tile_q):

# %% wrong: one tile too many of keys says="cannot read from" fails=["tiled-attention-test", "tiled-attention-log-test"] of="reference"
# was:     for j in range(0, n_k, tile_k):
# becomes: for j in range(0, n_k + 1, tile_k):

# %% wrong: stop is the length says="cannot read from 3 to 3" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     K = read("K", j, j + tile_k)
# becomes: K = read("K", j, tile_k)

# %% wrong: values of the queries' rows says="columns of scores need" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: state = update(state, scores, read("V", i, i + tile_k))

# %% wrong: values in a tile of queries' size says="columns of scores need" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: state = update(state, scores, read("V", j, j + tile_q))

# %% wrong: keys for values says="fit into an output" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: state = update(state, scores, K)

# %% wrong: keys and values exchanged says="mismatch in its core dimension" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     K = read("K", j, j + tile_k)
# becomes: K = read("V", j, j + tile_k)

# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: state = update(state, scores, read("K", j, j + tile_k))

# %% wrong: keys not turned says="mismatch in its core dimension" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     scores = Q @ K.T / np.sqrt(Q.shape[1])
# becomes: scores = Q @ K / np.sqrt(Q.shape[1])

# %% wrong: scores turned says="update takes scores of at most 2 queries and 3 keys" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     scores = Q @ K.T / np.sqrt(Q.shape[1])
# becomes: scores = K @ Q.T / np.sqrt(Q.shape[1])

# %% wrong: update's arguments in another order says="update takes scores of at most 2 queries and 3 keys" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: state = update(scores, read("V", j, j + tile_k), state)

# %% wrong: write's arguments exchanged says="first row" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     write(i, o / l[:, None])
# becomes: write(o / l[:, None], i)

# %% wrong: write with a stop says="positional arguments" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     write(i, o / l[:, None])
# becomes: write(i, i + len(Q), o / l[:, None])

# %% wrong: small letters says="KeyError: 'q'" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     Q = read("Q", i, i + tile_q)
# becomes: Q = read("q", i, i + tile_q)

# %% wrong: state written says="give all parts one shape" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     write(i, o / l[:, None])
# becomes: write(i, state)

# %% wrong: rows written turned says="fit into an output" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     write(i, o / l[:, None])
# becomes: write(i, (o / l[:, None]).T)

# %% wrong: output returned, not written says="nothing was written" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     for i in range(0, n_q, tile_q):
# becomes: rows = []
# becomes: for i in range(0, n_q, tile_q):

# was:     write(i, o / l[:, None])
# becomes: rows.append(o / l[:, None])

# %% wrong: the mask's keys are always a full tile says="columns of scores need" fails=["tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     hidden = np.arange(j, j + len(K)) > last_seen[:, None]
# becomes: hidden = np.arange(j, j + tile_k) > last_seen[:, None]

# %% wrong: the mask's queries are always a full tile says="fit into an output" fails=["tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     last_seen = np.arange(i, i + len(Q)) + n_k - n_q
# becomes: last_seen = np.arange(i, i + tile_q) + n_k - n_q

# %% wrong: the queries of the last tile once more says="some rows of the output were written more than once" fails=["tiled-attention-log-test"] of="reference"
# was:     Q = read("Q", i, i + tile_q)
# becomes: i = max(0, min(i, n_q - tile_q))
# becomes: Q = read("Q", i, i + tile_q)

# %% wrong: no mask advice="No score was blocked: put −∞ where the key comes after the last one that the query sees." fails=["tiled-attention-causal-test"] of="reference"
# was:     scores = np.where(hidden, -np.inf, scores)
# becomes: pass

# %% wrong: neither mask nor dead tiles advice="No score was blocked: put −∞ where the key comes after the last one that the query sees." fails=["tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     if causal and j > last_seen[-1]:
# was:         break
# becomes:

# was:     scores = np.where(hidden, -np.inf, scores)
# becomes: pass

# %% wrong: mask without the tile's first key advice="The mask counts the keys of each tile from 0: add j, the index of the tile's first key." fails=["tiled-attention-causal-test"] of="reference"
# was:     hidden = np.arange(j, j + len(K)) > last_seen[:, None]
# becomes: hidden = np.arange(len(K)) > last_seen[:, None]

# %% wrong: mask without the tile's first query advice="The mask counts the queries of each tile from 0: add i, the index of the tile's first query." fails=["tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     last_seen = np.arange(i, i + len(Q)) + n_k - n_q
# becomes: last_seen = np.arange(len(Q)) + n_k - n_q

# %% wrong: mask without the tile's first query, dead tiles right advice="The mask counts the queries of each tile from 0: add i, the index of the tile's first query." fails=["tiled-attention-causal-test"] of="reference"
# was:     hidden = np.arange(j, j + len(K)) > last_seen[:, None]
# becomes: hidden = np.arange(j, j + len(K)) > np.arange(len(Q))[:, None] + n_k - n_q

# %% wrong: first-query alignment advice="The mask counts from the first query: query i sees the keys up to i + n_k − n_q." fails=["tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     last_seen = np.arange(i, i + len(Q)) + n_k - n_q
# becomes: last_seen = np.arange(i, i + len(Q))

# %% wrong: first-query alignment, dead tiles right advice="The mask counts from the first query: query i sees the keys up to i + n_k − n_q." fails=["tiled-attention-causal-test"] of="reference"
# was:     hidden = np.arange(j, j + len(K)) > last_seen[:, None]
# becomes: hidden = np.arange(j, j + len(K)) > np.arange(i, i + len(Q))[:, None]

# %% wrong: n_q - n_k advice="The difference of the lengths has the wrong sign: query i sees the keys up to i + n_k − n_q." fails=["tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     last_seen = np.arange(i, i + len(Q)) + n_k - n_q
# becomes: last_seen = np.arange(i, i + len(Q)) + n_q - n_k

# %% wrong: a query does not see its own token advice="Key i + n_k − n_q is blocked, too: a query sees it. Compare with >, and let n_k − n_q be the difference of all keys and all queries, not of a tile." fails=["tiled-attention-causal-test"] of="reference"
# was:     hidden = np.arange(j, j + len(K)) > last_seen[:, None]
# becomes: hidden = np.arange(j, j + len(K)) >= last_seen[:, None]

# %% wrong: one key too many advice="Each query sees one key too many: key i + n_k − n_q is the last one." fails=["tiled-attention-causal-test"] of="reference"
# was:     hidden = np.arange(j, j + len(K)) > last_seen[:, None]
# becomes: hidden = np.arange(j, j + len(K)) > last_seen[:, None] + 1

# %% wrong: mask turned round advice="The mask is inverted: put −∞ where the key comes after i + n_k − n_q, and keep the scores before." fails=["tiled-attention-causal-test"] of="reference"
# was:     hidden = np.arange(j, j + len(K)) > last_seen[:, None]
# becomes: hidden = np.arange(j, j + len(K)) < last_seen[:, None]

# %% wrong: seen and hidden exchanged advice="The mask is inverted: put −∞ where the key comes after i + n_k − n_q, and keep the scores before." fails=["tiled-attention-causal-test"] of="reference"
# was:     scores = np.where(hidden, -np.inf, scores)
# becomes: scores = np.where(hidden, scores, -np.inf)

# %% wrong: blocked scores are 0 advice="Blocked scores are 0, which is a score like any other: put −∞ there." fails=["tiled-attention-causal-test"] of="reference"
# was:     scores = np.where(hidden, -np.inf, scores)
# becomes: scores = np.where(hidden, 0, scores)

# %% wrong: scores times the mask advice="Blocked scores are 0, which is a score like any other: put −∞ there." fails=["tiled-attention-causal-test"] of="reference"
# was:     scores = np.where(hidden, -np.inf, scores)
# becomes: scores = scores * ~hidden

# %% wrong: mask times -inf advice="NaN comes from 0 · (−∞): choose with np.where(hidden, -np.inf, scores)." fails=["tiled-attention-causal-test"] of="reference"
# was:     scores = np.where(hidden, -np.inf, scores)
# becomes: scores = scores + hidden * -np.inf

# %% wrong: the whole tile's mask is that of its last query advice="All queries of a tile got the mask of its last one: compare the index of each query, as a column, with those of the keys, as a row." fails=["tiled-attention-causal-test"] of="reference"
# was:     hidden = np.arange(j, j + len(K)) > last_seen[:, None]
# becomes: hidden = np.arange(j, j + len(K))[None, :] > last_seen[-1]

# %% wrong: the whole tile's mask is that of its first query advice="All queries of a tile got the mask of its first one: compare the index of each query, as a column, with those of the keys, as a row." fails=["tiled-attention-causal-test"] of="reference"
# was:     hidden = np.arange(j, j + len(K)) > last_seen[:, None]
# becomes: hidden = np.arange(j, j + len(K))[None, :] > last_seen[0]

# %% wrong: triangle in each tile advice="Each tile got the same triangle: compare the index of each key, counted from j, with the last key that each query sees." fails=["tiled-attention-causal-test"] of="reference"
# was:     hidden = np.arange(j, j + len(K)) > last_seen[:, None]
# becomes: hidden = np.triu(np.ones_like(scores), 1) > 0

# %% wrong: only the tiles of the diagonal masked advice="Only some tiles got a mask: compare the keys with what each query sees in every live tile, wherever it begins." fails=["tiled-attention-causal-test"] of="reference"
# was:     if causal:
# was:         hidden = np.arange(j, j + len(K)) > last_seen[:, None]
# becomes: if causal and i == j:
# becomes:     hidden = np.arange(j, j + len(K)) > last_seen[:, None]

# %% wrong: no column in the mask says="could not be broadcast" fails=["tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     hidden = np.arange(j, j + len(K)) > last_seen[:, None]
# becomes: hidden = np.arange(j, j + len(K)) > last_seen

# %% wrong: column and row exchanged says="could not be broadcast" fails=["tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     hidden = np.arange(j, j + len(K)) > last_seen[:, None]
# becomes: hidden = np.arange(j, j + len(K))[:, None] > last_seen

# %% wrong: tile skipped if its first query sees none of it advice="A tile was left out although one of its queries sees its first key: leave it out only if its first key comes after the last key that its last query sees, i + len(Q) − 1 + n_k − n_q." fails=["tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     if causal and j > last_seen[-1]:
# was:         break
# becomes: if causal and j > last_seen[0]:
# becomes:     break

# %% wrong: tile skipped if its last query sees only its first key advice="A tile was left out although one of its queries sees its first key: leave it out only if its first key comes after the last key that its last query sees, i + len(Q) − 1 + n_k − n_q." fails=["tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     if causal and j > last_seen[-1]:
# was:         break
# becomes: if causal and j >= last_seen[-1]:
# becomes:     break

# %% wrong: tile skipped if it has any blocked score says="cannot unpack non-iterable NoneType" fails=["tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     if causal and j > last_seen[-1]:
# was:         break
# becomes: if causal and min(j + tile_k, n_k) - 1 > last_seen[0]:
# becomes:     break

# %% wrong: a query at i alone decides advice="A tile was left out although one of its queries sees its first key: leave it out only if its first key comes after the last key that its last query sees, i + len(Q) − 1 + n_k − n_q." fails=["tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     if causal and j > last_seen[-1]:
# was:         break
# becomes: if causal and j > i:
# becomes:     break

# %% wrong: dead without the past's length advice="A tile was left out although one of its queries sees its first key: leave it out only if its first key comes after the last key that its last query sees, i + len(Q) − 1 + n_k − n_q." fails=["tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     if causal and j > last_seen[-1]:
# was:         break
# becomes: if causal and j > i + len(Q) - 1:
# becomes:     break

# %% wrong: all of it stops at a dead tile advice="Only the first tile of queries was written: continue with the next one. break leaves the loop over the keys, return leaves both." fails=["tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     if causal and j > last_seen[-1]:
# was:         break
# becomes: if causal and j > last_seen[-1]:
# becomes:     m, l, o = state
# becomes:     return write(i, o / l[:, None])

# %% wrong: dead tiles read says="Skip a tile before you read it" fails=["tiled-attention-log-test"] of="reference"
# was:     if causal and j > last_seen[-1]:
# was:         break
# becomes:

# %% wrong: dead tiles read, not computed says="Skip a tile before you read it" fails=["tiled-attention-log-test"] of="reference"
# was:     if causal and j > last_seen[-1]:
# was:         break
# was:     K = read("K", j, j + tile_k)
# becomes: K = read("K", j, j + tile_k)
# becomes: if causal and j > last_seen[-1]:
# becomes:     break

# %% wrong: values of dead tiles read says="Skip a tile before you read it" fails=["tiled-attention-log-test"] of="reference"
# was:     if causal and j > last_seen[-1]:
# was:         break
# becomes: V = read("V", j, j + tile_k)
# becomes: if causal and j > last_seen[-1]:
# becomes:     break

# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: state = update(state, scores, V)

# %% wrong: dead by the last query of all says="Skip a tile before you read it" fails=["tiled-attention-log-test"] of="reference"
# was:     if causal and j > last_seen[-1]:
# was:         break
# becomes: if causal and j > n_k - 1:
# becomes:     break

# %% wrong: one tile too late says="Skip a tile before you read it" fails=["tiled-attention-log-test"] of="reference"
# was:     if causal and j > last_seen[-1]:
# was:         break
# becomes: if causal and j > last_seen[-1] + tile_k:
# becomes:     break

# %% wrong: whole table, cut up afterwards says="write its row before you read other queries" fails=["tiled-attention-log-test"]
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    Q = np.concatenate([read("Q", i, i + tile_q) for i in range(0, n_q, tile_q)])
    K = np.concatenate([read("K", j, j + tile_k) for j in range(0, n_k, tile_k)])
    V = np.concatenate([read("V", j, j + tile_k) for j in range(0, n_k, tile_k)])
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    if causal:
        scores = np.where(np.arange(n_k) > np.arange(n_q)[:, None] + n_k - n_q, -np.inf, scores)
    for i in range(0, n_q, tile_q):
        state = None
        for j in range(0, n_k, tile_k):
            state = update(state, scores[i:i + tile_q, j:j + tile_k], V[j:j + tile_k])
        write(i, state[2] / state[1][:, None])

# %% wrong: whole table, cut up afterwards, written whole says="finished together" fails=["tiled-attention-log-test"]
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    Q = np.concatenate([read("Q", i, i + tile_q) for i in range(0, n_q, tile_q)])
    K = np.concatenate([read("K", j, j + tile_k) for j in range(0, n_k, tile_k)])
    V = np.concatenate([read("V", j, j + tile_k) for j in range(0, n_k, tile_k)])
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    if causal:
        scores = np.where(np.arange(n_k) > np.arange(n_q)[:, None] + n_k - n_q, -np.inf, scores)
    output = []
    for i in range(0, n_q, tile_q):
        state = None
        for j in range(0, n_k, tile_k):
            state = update(state, scores[i:i + tile_q, j:j + tile_k], V[j:j + tile_k])
        output.append(state[2] / state[1][:, None])
    write(0, np.concatenate(output))

# %% wrong: whole table and its softmax says="finished together" fails=["tiled-attention-log-test"]
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    Q = np.concatenate([read("Q", i, i + tile_q) for i in range(0, n_q, tile_q)])
    K = np.concatenate([read("K", j, j + tile_k) for j in range(0, n_k, tile_k)])
    V = np.concatenate([read("V", j, j + tile_k) for j in range(0, n_k, tile_k)])
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    if causal:
        scores = np.where(np.arange(n_k) > np.arange(n_q)[:, None] + n_k - n_q, -np.inf, scores)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    write(0, powers / powers.sum(axis=1, keepdims=True) @ V)

# %% wrong: all keys at once says="a tile of K has at most" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     for j in range(0, n_k, tile_k):
# becomes: for j in [0]:

# was:     K = read("K", j, j + tile_k)
# becomes: K = read("K", 0, n_k)

# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: state = update(state, scores, read("V", 0, n_k))

# %% wrong: a strip of all keys says="update takes scores of at most 2 queries and 3 keys" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"]
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    for i in range(0, n_q, tile_q):
        Q = read("Q", i, i + tile_q)
        K = np.concatenate([read("K", j, j + tile_k) for j in range(0, n_k, tile_k)])
        V = np.concatenate([read("V", j, j + tile_k) for j in range(0, n_k, tile_k)])
        scores = Q @ K.T / np.sqrt(Q.shape[1])
        if causal:
            scores = np.where(np.arange(n_k) > np.arange(i, i + len(Q))[:, None] + n_k - n_q, -np.inf, scores)
        m, l, o = update(None, scores, V)
        write(i, o / l[:, None])

# %% wrong: tiles gathered and one softmax at the end says="through update" fails=["tiled-attention-log-test"]
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    for i in range(0, n_q, tile_q):
        Q = read("Q", i, i + tile_q)
        last_seen = np.arange(i, i + len(Q)) + n_k - n_q
        scores, V = [], []
        for j in range(0, n_k, tile_k):
            if causal and j > last_seen[-1]:
                break
            K = read("K", j, j + tile_k)
            s = Q @ K.T / np.sqrt(Q.shape[1])
            scores.append(np.where(np.arange(j, j + len(K)) > last_seen[:, None], -np.inf, s) if causal else s)
            V.append(read("V", j, j + tile_k))
        scores = np.concatenate(scores, axis=1)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        write(i, powers / powers.sum(axis=1, keepdims=True) @ np.concatenate(V))

# %% wrong: own softmax in place of update says="through update" fails=["tiled-attention-log-test"]
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    for i in range(0, n_q, tile_q):
        Q = read("Q", i, i + tile_q)
        last_seen = np.arange(i, i + len(Q)) + n_k - n_q
        m, l, o = np.full(len(Q), -np.inf), 0, 0
        for j in range(0, n_k, tile_k):
            if causal and j > last_seen[-1]:
                break
            K = read("K", j, j + tile_k)
            scores = Q @ K.T / np.sqrt(Q.shape[1])
            if causal:
                scores = np.where(np.arange(j, j + len(K)) > last_seen[:, None], -np.inf, scores)
            new = np.maximum(m, scores.max(axis=1))
            shrink, terms = np.exp(m - new), np.exp(scores - new[:, None])
            m, l = new, l * shrink + terms.sum(axis=1)
            o = o * shrink[:, None] + terms @ read("V", j, j + tile_k)
        write(i, o / l[:, None])

# %% wrong: update_attention called past update says="through update" fails=["tiled-attention-log-test"] of="reference"
# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: state = update_attention(state, scores, read("V", j, j + tile_k))

# %% wrong: queries read anew for each tile of keys says="Read each query once" fails=["tiled-attention-log-test"] of="reference"
# was:     K = read("K", j, j + tile_k)
# becomes: Q = read("Q", i, i + tile_q)
# becomes: K = read("K", j, j + tile_k)

# %% wrong: keys outside, queries inside says="finished together" fails=["tiled-attention-log-test"]
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    states = {}
    for j in range(0, n_k, tile_k):
        K, V = read("K", j, j + tile_k), read("V", j, j + tile_k)
        for i in range(0, n_q, tile_q):
            Q = read("Q", i, i + tile_q)
            last_seen = np.arange(i, i + len(Q)) + n_k - n_q
            if causal and j > last_seen[-1]:
                continue
            scores = Q @ K.T / np.sqrt(Q.shape[1])
            if causal:
                scores = np.where(np.arange(j, j + len(K)) > last_seen[:, None], -np.inf, scores)
            states[i] = update(states.get(i), scores, V)
    for i, (m, l, o) in states.items():
        write(i, o / l[:, None])

# %% wrong: keys read twice says="were read more than once" fails=["tiled-attention-log-test"] of="reference"
# was:     scores = Q @ K.T / np.sqrt(Q.shape[1])
# becomes: scores = Q @ read("K", j, j + tile_k).T / np.sqrt(K.shape[1])

# %% wrong: values read twice says="were read more than once" fails=["tiled-attention-log-test"] of="reference"
# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: d_v = read("V", j, j + tile_k).shape[1]
# becomes: state = update(state, scores, read("V", j, j + tile_k))

# %% wrong: keys and values read for each query says="were read more than once" fails=["tiled-attention-log-test"]
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    for i in range(0, n_q, tile_q):
        Q, rows = read("Q", i, i + tile_q), []
        for r in range(len(Q)):
            state, last = None, i + r + n_k - n_q
            for j in range(0, last + 1 if causal else n_k, tile_k):
                K = read("K", j, j + tile_k)
                scores = Q[r:r + 1] @ K.T / np.sqrt(Q.shape[1])
                if causal:
                    scores = np.where(np.arange(j, j + len(K)) > last, -np.inf, scores)
                state = update(state, scores, read("V", j, j + tile_k))
            rows.append(state[2] / state[1])
        write(i, np.concatenate(rows))

# %% wrong: all rows written at the end says="finished together" fails=["tiled-attention-log-test"] of="reference"
# was:     for i in range(0, n_q, tile_q):
# becomes: rows = []
# becomes: for i in range(0, n_q, tile_q):

# was:     write(i, o / l[:, None])
# becomes: rows.append(o / l[:, None])
# becomes: if i + tile_q >= n_q:
# becomes:     write(0, np.concatenate(rows))

# %% wrong: written after every tile of keys says="after the loop over the keys" fails=["tiled-attention-log-test"] of="reference"
# was:     state = update(state, scores, read("V", j, j + tile_k))
# becomes: state = update(state, scores, read("V", j, j + tile_k))
# becomes: m, l, o = state
# becomes: write(i, o / l[:, None])

# was:     m, l, o = state
# was:     write(i, o / l[:, None])
# becomes:

# %% wrong: keys and values kept from the first queries on says="were not read" fails=["tiled-attention-log-test"]
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    kept = {}
    for i in range(0, n_q, tile_q):
        Q = read("Q", i, i + tile_q)
        last_seen, state = np.arange(i, i + len(Q)) + n_k - n_q, None
        for j in range(0, n_k, tile_k):
            if causal and j > last_seen[-1]:
                break
            if j not in kept:
                kept[j] = read("K", j, j + tile_k), read("V", j, j + tile_k)
            scores = Q @ kept[j][0].T / np.sqrt(Q.shape[1])
            if causal:
                scores = np.where(np.arange(j, j + len(kept[j][0])) > last_seen[:, None], -np.inf, scores)
            state = update(state, scores, kept[j][1])
        write(i, state[2] / state[1][:, None])

# %% wrong: every query begins a tile says="some rows of the output were written more than once" fails=["tiled-attention-log-test"] of="reference"
# was:     for i in range(0, n_q, tile_q):
# becomes: for i in range(n_q):

# %% wrong: written twice says="some rows of the output were written more than once" fails=["tiled-attention-log-test"] of="reference"
# was:     write(i, o / l[:, None])
# becomes: write(i, o / l[:, None])
# becomes: write(i, o / l[:, None])

# %% wrong: only visible scores go through update says="through update" fails=["tiled-attention-log-test"]
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    for i in range(0, n_q, tile_q):
        Q = read("Q", i, i + tile_q)
        ends = np.arange(i, i + len(Q)) + n_k - n_q + 1 if causal else np.full(len(Q), n_k)
        states = [None] * len(Q)
        for j in range(0, ends[-1], tile_k):
            K, V = read("K", j, j + tile_k), read("V", j, j + tile_k)
            for r, end in enumerate(ends):
                if end > j:
                    states[r] = update(states[r], Q[r:r + 1] @ K[:end - j].T / np.sqrt(Q.shape[1]), V[:end - j])
        write(i, np.concatenate([o / l for m, l, o in states]))

# %% wrong: read once more after the end says="after the last write" fails=["tiled-attention-log-test"] of="reference"
# was:     write(i, o / l[:, None])
# becomes: write(i, o / l[:, None])
# becomes: if i + len(Q) == n_q:
# becomes:     read("Q", 0, 1)

# %% wrong: the causal argument is lost advice="No score was blocked: put −∞ where the key comes after the last one that the query sees." fails=["tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     for i in range(0, n_q, tile_q):
# becomes: causal = False
# becomes: for i in range(0, n_q, tile_q):

# %% wrong: always causal advice="Scores were blocked although causal is False: block only if causal." fails=["tiled-attention-test", "tiled-attention-log-test"] of="reference"
# was:     for i in range(0, n_q, tile_q):
# becomes: causal = True
# becomes: for i in range(0, n_q, tile_q):

# %% wrong: mask without the first query and the first key advice="The mask counts queries and keys of each tile from 0: add i to the indices of the queries, and j to those of the keys." fails=["tiled-attention-causal-test"] of="reference"
# was:     hidden = np.arange(j, j + len(K)) > last_seen[:, None]
# becomes: hidden = np.arange(len(K)) > (np.arange(len(Q)) + n_k - n_q)[:, None]

# %% wrong: offset of the sizes of the tile advice="Key i + n_k − n_q is blocked, too: a query sees it. Compare with >, and let n_k − n_q be the difference of all keys and all queries, not of a tile." fails=["tiled-attention-causal-test"] of="reference"
# was:     hidden = np.arange(j, j + len(K)) > last_seen[:, None]
# becomes: hidden = np.arange(j, j + len(K)) > (np.arange(i, i + len(Q)) + len(K) - len(Q))[:, None]

# %% wrong: divided by l and e^m advice="o is divided by l · e^m: o and l are both relative to m, so divide by l alone." fails=["tiled-attention-test", "tiled-attention-causal-test"] of="reference"
# was:     write(i, o / l[:, None])
# becomes: write(i, o / (l * np.exp(m))[:, None])

# %% wrong: one tile of keys for each tile of queries advice="Each tile of queries saw a single tile of keys: loop over all tiles of keys inside the loop over the queries." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     for j in range(0, n_k, tile_k):
# becomes: for j in [i // tile_q * tile_k]:

# %% wrong: a large number for −∞ says="in the causal output" visible=false unseen="only very low scores show it, which would give 7.5 away" fails=["tiled-attention-causal-test"] of="reference"
# was:     scores = np.where(hidden, -np.inf, scores)
# becomes: scores = np.where(hidden, -1000, scores)

# %% wrong: a larger number for −∞ says="in the causal output" visible=false unseen="only very low scores show it, which would give 7.5 away" fails=["tiled-attention-causal-test"] of="reference"
# was:     scores = np.where(hidden, -np.inf, scores)
# becomes: scores = np.where(hidden, -1e5, scores)

# %% wrong: a small number for −∞ advice="Blocked scores are a finite number, and keep some weight: put −∞ there, -np.inf." fails=["tiled-attention-causal-test"] of="reference"
# was:     scores = np.where(hidden, -np.inf, scores)
# becomes: scores = np.where(hidden, -10, scores)

# %% wrong: a length for the stop says="the row after the last one" fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:     K = read("K", j, j + tile_k)
# becomes: K = read("K", j, tile_k)

# %% wrong: stops taken as inclusive advice="The last row of each tile is left out: the stop that read takes is exclusive, so it is i + tile_q or j + tile_k." fails=["tiled-attention-test", "tiled-attention-causal-test", "tiled-attention-log-test"] of="reference"
# was:         Q = read("Q", i, i + tile_q)
# becomes:     Q = read("Q", i, i + tile_q - 1)
# was:             K = read("K", j, j + tile_k)
# becomes:         K = read("K", j, j + tile_k - 1)
# was:             state = update(state, scores, read("V", j, j + tile_k))
# becomes:         state = update(state, scores, read("V", j, j + tile_k - 1))

# %% wrong: with tiles of one query, dead tiles are read says="before the rows 0 to 0 of the output were written" unseen="no visible test has such an input" visible=false fails=["tiled-attention-log-test"]
def tiled_attention(read, write, update, n_q, n_k, tile_q, tile_k, causal=False):
    for i in range(0, n_q, tile_q):
        Q = read("Q", i, i + tile_q)
        state, last = None, i + np.arange(len(Q)) + n_k - n_q
        for j in range(0, n_k, tile_k):
            if causal and tile_q > 1 and j > last[-1]:
                break
            K = read("K", j, j + tile_k)
            scores = Q @ K.T / math.sqrt(Q.shape[1])
            if causal:
                scores = np.where(j + np.arange(len(K)) > last[:, None], -np.inf, scores)
            state = update(state, scores, read("V", j, j + tile_k))
        write(i, state[2] / state[1][:, None])
