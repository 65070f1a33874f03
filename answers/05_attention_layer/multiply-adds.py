# %% right: two terms
def multiply_adds(batch, seq_len, d_k, d_v):
    scores = batch * seq_len * seq_len * d_k
    values = batch * seq_len * seq_len * d_v
    return scores + values

# %% right: counted in loops
def multiply_adds(batch, seq_len, d_k, d_v):
    count = 0
    for _ in range(batch):
        for _ in range(seq_len):
            for _ in range(seq_len):
                count += d_k
                count += d_v
    return count

# %% right: a product of shapes
def multiply_adds(batch, seq_len, d_k, d_v):
    return int(np.prod((batch, seq_len, seq_len, d_k + d_v)))

# %% wrong: linear in seq_len advice="seq_len counts once as the queries and once as the keys: square it"
def multiply_adds(batch, seq_len, d_k, d_v):
    """Multiply-adds of scores and output together, for seq_len queries and keys. Returns an integer."""
    return batch * seq_len * (d_k + d_v)

# %% wrong: counts two operations advice="a multiply and its add count as one: don't double them"
def multiply_adds(batch, seq_len, d_k, d_v):
    """Multiply-adds of scores and output together, for seq_len queries and keys. Returns an integer."""
    return 2 * batch * seq_len**2 * (d_k + d_v)

# %% wrong: scores alone advice="the output is missing: weighting one value takes d_v"
def multiply_adds(batch, seq_len, d_k, d_v):
    """Multiply-adds of scores and output together, for seq_len queries and keys. Returns an integer."""
    return batch * seq_len**2 * d_k

# %% wrong: output alone advice="the scores are missing: each takes d_k"
def multiply_adds(batch, seq_len, d_k, d_v):
    """Multiply-adds of scores and output together, for seq_len queries and keys. Returns an integer."""
    return batch * seq_len**2 * d_v

# %% wrong: batch forgotten advice="the batch is missing: there are that many sequences"
def multiply_adds(batch, seq_len, d_k, d_v):
    """Multiply-adds of scores and output together, for seq_len queries and keys. Returns an integer."""
    return seq_len**2 * (d_k + d_v)

# %% wrong: d_k times d_v advice="d_k and d_v are multiplied: scores and output come one after the other, so add"
def multiply_adds(batch, seq_len, d_k, d_v):
    """Multiply-adds of scores and output together, for seq_len queries and keys. Returns an integer."""
    return batch * seq_len**2 * d_k * d_v

# %% wrong: lower triangle only advice="only one triangle of the table is counted: here nothing is masked"
def multiply_adds(batch, seq_len, d_k, d_v):
    """Multiply-adds of scores and output together, for seq_len queries and keys. Returns an integer."""
    return batch * seq_len * (seq_len + 1) // 2 * (d_k + d_v)

# %% wrong: counts without brackets advice="batch and seq_len² multiply d_k alone: put d_k + d_v into brackets"
def multiply_adds(batch, seq_len, d_k, d_v):
    return batch * seq_len**2 * d_k + d_v

# %% wrong: batch on one term advice="the batch counts for the scores only: it multiplies both terms"
def multiply_adds(batch, seq_len, d_k, d_v):
    return batch * seq_len**2 * d_k + seq_len**2 * d_v

# %% wrong: seq_len doubled advice="seq_len is doubled: each query meets each key, so square it"
def multiply_adds(batch, seq_len, d_k, d_v):
    return batch * 2 * seq_len * (d_k + d_v)

# %% wrong: output linear in seq_len advice="the output counts one value for each query: it weighs all seq_len of them"
def multiply_adds(batch, seq_len, d_k, d_v):
    return batch * (seq_len**2 * d_k + seq_len * d_v)

# %% wrong: scores linear in seq_len advice="the scores count one key for each query: each query meets all seq_len of them"
def multiply_adds(batch, seq_len, d_k, d_v):
    return batch * (seq_len * d_k + seq_len**2 * d_v)

# %% wrong: batch squared advice="the batch is squared: sequences don't meet each other, so it counts once"
def multiply_adds(batch, seq_len, d_k, d_v):
    return (batch * seq_len) ** 2 * (d_k + d_v)

# %% wrong: softmax counted advice="softmax, scale and mask don't count here"
def multiply_adds(batch, seq_len, d_k, d_v):
    return batch * seq_len**2 * (d_k + d_v + 1)

# %% wrong: d_k twice advice="both terms have d_k: weighting a value takes d_v"
def multiply_adds(batch, seq_len, d_k, d_v):
    return batch * seq_len**2 * 2 * d_k

# %% wrong: d_v twice advice="both terms have d_v: a score takes d_k"
def multiply_adds(batch, seq_len, d_k, d_v):
    return batch * seq_len**2 * 2 * d_v

# %% wrong: cubed advice="seq_len is there three times: once as the queries and once as the keys"
def multiply_adds(batch, seq_len, d_k, d_v):
    return batch * seq_len**3 * (d_k + d_v)

# %% wrong: mean of both advice="the terms are averaged: both are computed, so add them"
def multiply_adds(batch, seq_len, d_k, d_v):
    return batch * seq_len**2 * (d_k + d_v) / 2

# %% wrong: additions one fewer advice="count each addition with its multiplication: d_k for a score, d_v for a value"
def multiply_adds(batch, seq_len, d_k, d_v):
    return batch * seq_len**2 * (2 * d_k - 1 + 2 * d_v - 1)

# %% wrong: strict triangle advice="only pairs of different tokens are counted, or each pair once: each query meets each key, itself too"
def multiply_adds(batch, seq_len, d_k, d_v):
    return batch * seq_len * (seq_len - 1) // 2 * (d_k + d_v)

# %% wrong: not itself advice="a token's pair with itself is missing: each query meets each key"
def multiply_adds(batch, seq_len, d_k, d_v):
    return batch * seq_len * (seq_len - 1) * (d_k + d_v)

# %% wrong: projections counted advice="only scores and output count: d_k and d_v stand there once, not squared"
def multiply_adds(batch, seq_len, d_k, d_v):
    return batch * seq_len**2 * (d_k**2 + d_v**2)

# %% wrong: no return says="end with a return"
def multiply_adds(batch, seq_len, d_k, d_v):
    count = batch * seq_len**2 * (d_k + d_v)
