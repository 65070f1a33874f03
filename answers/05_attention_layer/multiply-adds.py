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

# %% wrong: linear in seq_len says="seq_len counts once"
def multiply_adds(batch, seq_len, d_k, d_v):
    """Multiply-adds of scores and output together, for seq_len queries and keys. Returns an integer."""
    return batch * seq_len * (d_k + d_v)

# %% wrong: counts two operations says="count as one"
def multiply_adds(batch, seq_len, d_k, d_v):
    """Multiply-adds of scores and output together, for seq_len queries and keys. Returns an integer."""
    return 2 * batch * seq_len**2 * (d_k + d_v)

# %% wrong: scores alone says="the output is missing"
def multiply_adds(batch, seq_len, d_k, d_v):
    """Multiply-adds of scores and output together, for seq_len queries and keys. Returns an integer."""
    return batch * seq_len**2 * d_k

# %% wrong: output alone says="the scores are missing"
def multiply_adds(batch, seq_len, d_k, d_v):
    """Multiply-adds of scores and output together, for seq_len queries and keys. Returns an integer."""
    return batch * seq_len**2 * d_v

# %% wrong: batch forgotten says="the batch is missing"
def multiply_adds(batch, seq_len, d_k, d_v):
    """Multiply-adds of scores and output together, for seq_len queries and keys. Returns an integer."""
    return seq_len**2 * (d_k + d_v)

# %% wrong: d_k times d_v says="d_k and d_v are multiplied"
def multiply_adds(batch, seq_len, d_k, d_v):
    """Multiply-adds of scores and output together, for seq_len queries and keys. Returns an integer."""
    return batch * seq_len**2 * d_k * d_v

# %% wrong: lower triangle only says="only one triangle"
def multiply_adds(batch, seq_len, d_k, d_v):
    """Multiply-adds of scores and output together, for seq_len queries and keys. Returns an integer."""
    return batch * seq_len * (seq_len + 1) // 2 * (d_k + d_v)
