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

# %% base
def create_causal_mask(seq_len):
    mask = np.zeros((seq_len, seq_len))
    for i in range(seq_len):
        for j in range(seq_len):
            if j > i:
                mask[i, j] = -np.inf
    return mask

# %% wrong: the diagonal blocked advice="Keep the diagonal: a query may look at itself, so block only keys that come after it." of="base"
# was:     if j > i:
# becomes: if j >= i:

# %% wrong: transposed advice="This blocks the past: the query is the row and the key the column, so block above the diagonal." of="base"
# was:     if j > i:
# becomes: if j < i:

# %% wrong: inverted advice="Exchange the two: keys after the query get −∞, and all others, the query's own too, get 0." of="base"
# was:     if j > i:
# becomes: if j <= i:

# %% wrong: a large negative number advice="Write −np.inf for a blocked key: with a large negative number, a query whose keys are all blocked would look at them, and nobody would notice." of="base"
# was:     mask[i, j] = -np.inf
# becomes: mask[i, j] = -1e9

# %% wrong: plus infinity advice="The sign is wrong: put −np.inf where a key is blocked, since +∞ would take all the weight." of="base"
# was:     mask[i, j] = -np.inf
# becomes: mask[i, j] = np.inf

# %% wrong: 1 blocks advice="This mask is added to the scores: where you have 1 or True for block, put −∞." of="base"
# was:     mask[i, j] = -np.inf
# becomes: mask[i, j] = 1

# %% wrong: inverted and off by one advice="This blocks the past, the query itself and the next key: block only keys after the query, from one place right of the diagonal on." of="base"
# was:     if j > i:
# becomes: if j <= i + 1:

# %% wrong: one key more is kept advice="The next key is still kept: block from one place right of the diagonal on." of="base"
# was:     if j > i:
# becomes: if j > i + 1:

# %% wrong: 1 keeps and -∞ blocks advice="Put 0 where a key is kept, not 1: the mask is added to the scores." of="base"
# was:     mask = np.zeros((seq_len, seq_len))
# becomes: mask = np.ones((seq_len, seq_len))

# %% wrong: -1 blocks advice="Put −∞ where you have −1: a score that is 1 smaller still gets some weight." of="base"
# was:     mask[i, j] = -np.inf
# becomes: mask[i, j] = -1

# %% wrong: the diagonal and the past beside it blocked advice="Count the diagonals again: k=0 is the diagonal itself, and above it is k=1." of="base"
# was:     if j > i:
# becomes: if j >= i - 1:

# %% wrong: NaN blocks advice="Put −np.inf where a key is blocked, not NaN: a score plus NaN is NaN." of="base"
# was:     mask[i, j] = -np.inf
# becomes: mask[i, j] = np.nan

# %% wrong: 1 keeps advice="This mask is added to the scores: write 0 for keep and −∞ for block, not 1 and 0."
def create_causal_mask(seq_len):
    return np.tril(np.ones((seq_len, seq_len)))

# %% wrong: True blocks advice="This mask is added to the scores: where you have 1 or True for block, put −∞."
def create_causal_mask(seq_len):
    return np.triu(np.ones((seq_len, seq_len)), k=1).astype(bool)

# %% wrong: a larger negative number advice="Write −np.inf for a blocked key: with a large negative number, a query whose keys are all blocked would look at them, and nobody would notice."
def create_causal_mask(seq_len):
    return np.triu(np.full((seq_len, seq_len), -1e10), k=1)

# %% wrong: minus ten thousand advice="Write −np.inf for a blocked key: with a large negative number, a query whose keys are all blocked would look at them, and nobody would notice."
def create_causal_mask(seq_len):
    return np.triu(np.full((seq_len, seq_len), -1e4), k=1)

# %% wrong: 0 times infinity advice="NaN comes of 0 · ∞ or of ∞ − ∞: choose between 0 and −∞, with np.where or an index, and don't calculate with ∞."
def create_causal_mask(seq_len):
    with np.errstate(all='ignore'):
        return np.triu(np.ones((seq_len, seq_len)), k=1) * -np.inf

# %% wrong: infinity minus infinity advice="NaN comes of 0 · ∞ or of ∞ − ∞: choose between 0 and −∞, with np.where or an index, and don't calculate with ∞."
def create_causal_mask(seq_len):
    with np.errstate(all='ignore'):
        blocked = np.full((seq_len, seq_len), -np.inf)
        return blocked - np.tril(blocked)

# %% wrong: only the next key advice="Block all keys after the query, not only the next one."
def create_causal_mask(seq_len):
    mask = np.zeros((seq_len, seq_len))
    for i in range(seq_len - 1):
        mask[i, i + 1] = -np.inf
    return mask

# %% wrong: the last key never blocked advice="The last key is never blocked: let the loop over the keys run up to seq_len."
def create_causal_mask(seq_len):
    mask = np.zeros((seq_len, seq_len))
    for i in range(seq_len):
        mask[i, i + 1:-1] = -np.inf
    return mask

# %% wrong: always of size 3 advice="Take the size of the table from seq_len: it is (seq_len, seq_len)."
def create_causal_mask(seq_len):
    return np.triu(np.full((3, 3), -np.inf), k=1)

# %% wrong: nothing blocked advice="Nothing is blocked: put −∞ where the key comes after its query."
def create_causal_mask(seq_len):
    return np.zeros((seq_len, seq_len))

# %% wrong: an axis too many advice="Leave out the axis of length 1: the mask is one table, (seq_len, seq_len)."
def create_causal_mask(seq_len):
    return np.triu(np.full((1, seq_len, seq_len), -np.inf), k=1)

# %% wrong: one row only advice="Make a row for each query: compare the keys' numbers along a row with the queries' down a column."
def create_causal_mask(seq_len):
    positions = np.arange(seq_len)
    return np.where(positions > positions, -np.inf, 0.0)

# %% wrong: for a batch of sequences advice="Make one table of the number seq_len: there is no batch here, so its shape is (seq_len, seq_len)."
def create_causal_mask(seq_len):
    return np.array([np.triu(np.full((seq_len, seq_len), -np.inf), k=1)] * seq_len)

# %% wrong: gives back nothing says="does your function end with a return"
def create_causal_mask(seq_len):
    mask = np.triu(np.full((seq_len, seq_len), -np.inf), k=1)

# %% wrong: a table of whole numbers says="cannot convert float infinity to integer"
def create_causal_mask(seq_len):
    mask = np.zeros((seq_len, seq_len), dtype=int)
    mask[np.triu_indices(seq_len, 1)] = -np.inf
    return mask

# %% wrong: True keeps, an axis in front advice="This mask is added to the scores: write 0 for keep and −∞ for block, not 1 and 0. And leave out the axis of length 1."
def create_causal_mask(seq_len):
    return np.tril(np.ones((1, seq_len, seq_len))) == 1

# %% wrong: 1 keeps, two axes in front advice="This mask is added to the scores: write 0 for keep and −∞ for block, not 1 and 0. And leave out both axes of length 1: there is no batch here and there are no heads."
def create_causal_mask(seq_len):
    return np.tril(np.ones((1, 1, seq_len, seq_len)))

# %% wrong: True blocks, an axis in front advice="This mask is added to the scores: where you have 1 or True for block, put −∞. And leave out the axis of length 1."
def create_causal_mask(seq_len):
    return np.triu(np.ones((1, seq_len, seq_len)), k=1) == 1

# %% wrong: two axes in front advice="Leave out both axes of length 1: the mask is one table, (seq_len, seq_len), without batch and heads."
def create_causal_mask(seq_len):
    return np.triu(np.full((1, 1, seq_len, seq_len), -np.inf), k=1)

# %% wrong: −1e9 blocks, two axes in front advice="Write −np.inf for a blocked key, not a large negative number. And leave out both axes of length 1: the mask is one table."
def create_causal_mask(seq_len):
    return np.triu(np.full((1, 1, seq_len, seq_len), -1e9), k=1)

# %% wrong: ones on the diagonal and above advice="This mask is added to the scores: put −∞ above the diagonal, and 0 on it and below, where a key is kept. Here ones are on the diagonal, too."
def create_causal_mask(seq_len):
    return np.triu(np.ones((seq_len, seq_len)))

# %% wrong: the smallest number of 32 bits advice="Write −np.inf for a blocked key: with a large negative number, a query whose keys are all blocked would look at them, and nobody would notice."
def create_causal_mask(seq_len):
    return np.triu(np.full((seq_len, seq_len), np.finfo(np.float32).min), k=1)

# %% wrong: minus a million advice="Write −np.inf for a blocked key: with a large negative number, a query whose keys are all blocked would look at them, and nobody would notice."
def create_causal_mask(seq_len):
    return np.triu(np.full((seq_len, seq_len), -1e6), k=1)

# %% wrong: cache: gives back the same array twice says="after a change of the first mask" unseen="no visible test has such an input" visible=false fails=["causal-mask-test"]
made = {}
def create_causal_mask(seq_len):
    if seq_len not in made:
        places = np.arange(seq_len)
        made[seq_len] = np.where(places > places[:, None], -np.inf, 0)
    return made[seq_len]
