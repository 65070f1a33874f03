# %% right: feature loop, own softmax
def attention_loops(Q, K, V, mask=None):
    outputs, tables = [], []
    for b in range(len(Q)):
        out, table = [], []
        for i in range(len(Q[b])):
            scores = []
            for j in range(len(K[b])):
                s = 0.0
                for f in range(Q.shape[2]):
                    s += Q[b, i, f] * K[b, j, f]
                s = s / Q.shape[2] ** 0.5
                if mask is not None:
                    s += mask[i, j] if mask.ndim == 2 else mask[b, i, j]
                scores.append(s)
            top = max(scores)
            shares = [math.exp(s - top) for s in scores]
            row = [share / sum(shares) for share in shares]
            table.append(row)
            out.append([sum(row[j] * V[b, j, c] for j in range(len(row))) for c in range(V.shape[2])])
        outputs.append(out)
        tables.append(table)
    return outputs, tables

# %% right: whole tables
def attention_loops(Q, K, V, mask=None):
    scores = np.matmul(Q, K.transpose(0, 2, 1)) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + mask
    weights = softmax(scores)
    return weights @ V, weights

# %% right: torch
import torch


def attention_loops(Q, K, V, mask=None):
    q, k, v = (torch.tensor(np.array(a, dtype=float)) for a in (Q, K, V))
    scores = torch.einsum("bid,bjd->bij", q, k) * k.shape[-1] ** -0.5
    if mask is not None:
        scores = scores + torch.tensor(np.array(mask, dtype=float))
    weights = scores.softmax(dim=-1)
    return torch.bmm(weights, v), weights

# %% right: skips blocked keys of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: allowed = masks[b, i, j] == 0
# becomes: scores[j] = Q[b, i] @ K[b, j] * d_k**-0.5 if allowed else -np.inf

# %% wrong: no scale says="not divided by √d_k" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) + masks[b, i, j]

# %% wrong: divides by d_k says="divided by d_k, not by its root" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / d_k + masks[b, i, j]

# %% wrong: root of d_v says="divided by √d_v" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_v) + masks[b, i, j]

# %% wrong: root of n_k says="divided by √n_k" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(n_k) + masks[b, i, j]

# %% wrong: multiplies by the root says="multiplied by √d_k" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) * math.sqrt(d_k) + masks[b, i, j]

# %% wrong: no softmax, only exp says="divide by the sum" of="reference"
# was:     weights[b, i] = softmax(scores)
# becomes: weights[b, i] = np.exp(scores)

# %% wrong: softmax over the queries says="softmax runs over the queries"
def attention_loops(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(1, 2) / math.sqrt(Q.shape[-1]) + (0 if mask is None else mask)
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return weights @ V, weights

# %% wrong: mask ignored says="the mask is ignored" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k)

# %% wrong: mask after softmax says="before softmax" of="reference"
# was:         scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# was:     weights[b, i] = softmax(scores)
# becomes:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k)
# becomes: weights[b, i] = softmax(scores) * np.exp(masks[b, i])

# %% wrong: only a mask without batch says="the mask of the first one" of="reference"
# was:     scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[b, i, j]
# becomes: scores[j] = np.dot(Q[b, i], K[b, j]) / math.sqrt(d_k) + masks[0, i, j]

# %% wrong: no maximum subtracted says="with scores of 970" of="reference"
# was:     weights[b, i] = softmax(scores)
# becomes: weights[b, i] = np.exp(scores) / np.exp(scores).sum()

# %% wrong: a tuple the wrong way round says="output first and the weights second" of="reference"
# was:     return output, weights
# becomes: return weights, output

# %% wrong: output alone says="return the pair" of="reference"
# was:     return output, weights
# becomes: return output

# %% wrong: mean of the values says="a plain mean of the values" of="reference"
# was:     output[b, i] += weights[b, i, j] * V[b, j]
# becomes: output[b, i] += V[b, j] / n_k

# %% wrong: last value overwrites says="in the output, the shape is right" of="reference"
# was:     output[b, i] += weights[b, i, j] * V[b, j]
# becomes: output[b, i] = weights[b, i, j] * V[b, j]
