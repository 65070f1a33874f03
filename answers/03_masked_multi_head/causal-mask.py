# %% right: comparison of positions
def create_causal_mask(seq_len):
    positions = np.arange(seq_len)
    return np.where(positions[None, :] > positions[:, None], -np.inf, 0.0)

# %% right: loops
def create_causal_mask(seq_len):
    mask = np.zeros((seq_len, seq_len))
    for i in range(seq_len):
        for j in range(i + 1, seq_len):
            mask[i, j] = -math.inf
    return mask

# %% right: lists
def create_causal_mask(seq_len):
    return [[0.0] * (i + 1) + [-math.inf] * (seq_len - i - 1) for i in range(seq_len)]

# %% right: indices of a triangle
def create_causal_mask(seq_len):
    mask = np.zeros((seq_len, seq_len))
    mask[np.triu_indices(seq_len, 1)] = -np.inf
    return mask

# %% right: logarithm of a triangle of ones
def create_causal_mask(seq_len):
    with np.errstate(divide='ignore'):
        return np.log(np.tri(seq_len))

# %% wrong: the diagonal blocked says="the diagonal is blocked too"
def create_causal_mask(seq_len):
    return np.triu(np.full((seq_len, seq_len), -np.inf))

# %% wrong: transposed says="this blocks the past"
def create_causal_mask(seq_len):
    return np.tril(np.full((seq_len, seq_len), -np.inf), k=-1)

# %% wrong: inverted says="inverted"
def create_causal_mask(seq_len):
    return np.tril(np.full((seq_len, seq_len), -np.inf))

# %% wrong: plus infinity says="+∞ would take all the weight"
def create_causal_mask(seq_len):
    return np.triu(np.full((seq_len, seq_len), np.inf), k=1)

# %% wrong: 1 keeps says="1 means keep"
def create_causal_mask(seq_len):
    return np.tril(np.ones((seq_len, seq_len)))

# %% wrong: 1 blocks says="1 means block"
def create_causal_mask(seq_len):
    return np.triu(np.ones((seq_len, seq_len)), k=1)

# %% wrong: True blocks says="1 means block"
def create_causal_mask(seq_len):
    return np.triu(np.ones((seq_len, seq_len)), k=1).astype(bool)

# %% wrong: a large negative number says="a large negative number is not −∞"
def create_causal_mask(seq_len):
    return np.triu(np.full((seq_len, seq_len), -1e9), k=1)

# %% wrong: 0 times infinity says="0 times infinity is not a number"
def create_causal_mask(seq_len):
    with np.errstate(all='ignore'):
        return np.triu(np.ones((seq_len, seq_len)), k=1) * -np.inf

# %% wrong: one key more is kept says="the next token is still kept"
def create_causal_mask(seq_len):
    return np.triu(np.full((seq_len, seq_len), -np.inf), k=2)

# %% wrong: kept scores get 1 says="kept scores must get 0"
def create_causal_mask(seq_len):
    return np.where(np.tri(seq_len) > 0, 1.0, -np.inf)

# %% wrong: always of size 3 says="with a single token"
def create_causal_mask(seq_len):
    return np.triu(np.full((3, 3), -np.inf), k=1)

# %% wrong: nothing blocked says="nothing is blocked"
def create_causal_mask(seq_len):
    return np.zeros((seq_len, seq_len))
