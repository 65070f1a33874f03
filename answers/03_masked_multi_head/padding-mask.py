# %% right: where and broadcast
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return np.where(is_padding[:, None, :], -np.inf, np.zeros((seq_len, 1)))

# %% right: repeat
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return np.repeat(np.where(is_padding, -np.inf, 0.0)[:, None, :], seq_len, axis=1)

# %% right: lists
def create_padding_mask(lengths, seq_len):
    row = lambda length: [0.0] * length + [-math.inf] * (seq_len - length)
    return [[row(length)] * seq_len for length in lengths]

# %% right: a view by broadcast_to
def create_padding_mask(lengths, seq_len):
    row = np.where(np.arange(seq_len)[None] < np.array(lengths)[:, None], 0.0, -np.inf)
    return np.broadcast_to(row[:, None], (len(row), seq_len, seq_len))

# %% right: four loops
def create_padding_mask(lengths, seq_len):
    mask = np.zeros((len(lengths), seq_len, seq_len))
    for b in range(len(lengths)):
        for i in range(seq_len):
            for j in range(int(lengths[b]), seq_len):
                mask[b, i, j] = -np.inf
    return mask

# %% wrong: padding along queries says="padding runs along the queries"
def create_padding_mask(lengths, seq_len):
    mask = np.zeros((len(lengths), seq_len, seq_len))
    for b, length in enumerate(lengths):
        mask[b, length:, :] = -np.inf
    return mask

# %% wrong: rows and columns says="rows and columns are both blocked"
def create_padding_mask(lengths, seq_len):
    mask = np.zeros((len(lengths), seq_len, seq_len))
    for b, length in enumerate(lengths):
        mask[b, :, length:] = -np.inf
        mask[b, length:, :] = -np.inf
    return mask

# %% wrong: only the corner says="only the corner is blocked"
def create_padding_mask(lengths, seq_len):
    mask = np.zeros((len(lengths), seq_len, seq_len))
    for b, length in enumerate(lengths):
        mask[b, length:, length:] = -np.inf
    return mask

# %% wrong: one key too few says="one more key should be blocked"
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) > np.asarray(lengths)[:, None]
    return np.where(is_padding[:, None, :], -np.inf, np.zeros((seq_len, 1)))

# %% wrong: one key too many says="one key too many is blocked"
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None] - 1
    return np.where(is_padding[:, None, :], -np.inf, np.zeros((seq_len, 1)))

# %% wrong: inverted says="the real keys are blocked"
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) < np.asarray(lengths)[:, None]
    return np.where(is_padding[:, None, :], -np.inf, np.zeros((seq_len, 1)))

# %% wrong: plus infinity says="the sign is wrong"
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return np.where(is_padding[:, None, :], np.inf, np.zeros((seq_len, 1)))

# %% wrong: 1 blocks says="1 means block"
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return np.where(is_padding[:, None, :], 1.0, np.zeros((seq_len, 1)))

# %% wrong: 1 keeps says="1 means keep"
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return np.where(is_padding[:, None, :], 0.0, np.ones((seq_len, 1)))

# %% wrong: no axis for the queries says="needs a row for every query"
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return np.where(is_padding, -np.inf, 0.0)

# %% wrong: an axis of length 1 for the queries says="needs a row for every query"
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return np.where(is_padding, -np.inf, 0.0)[:, None, :]

# %% wrong: a large negative number says="a large negative number is not −∞"
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return np.where(is_padding[:, None, :], -1e9, np.zeros((seq_len, 1)))

# %% wrong: the future as well says="the future is blocked too"
def create_padding_mask(lengths, seq_len):
    mask = np.zeros((len(lengths), seq_len, seq_len))
    for b, length in enumerate(lengths):
        mask[b, :, length:] = -np.inf
    return mask + np.triu(np.full((seq_len, seq_len), -np.inf), 1)

# %% wrong: needs a list says="a list, please"
def create_padding_mask(lengths, seq_len):
    if not isinstance(lengths, list):
        raise TypeError('a list, please')
    mask = np.zeros((len(lengths), seq_len, seq_len))
    for b, length in enumerate(lengths):
        mask[b, :, length:] = -np.inf
    return mask

# %% wrong: needs an array says="list indices"
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= lengths[:, None]
    return np.where(is_padding[:, None, :], -np.inf, np.zeros((seq_len, 1)))

# %% wrong: nothing blocked says="nothing is blocked"
def create_padding_mask(lengths, seq_len):
    return np.zeros((len(lengths), seq_len, seq_len))

# %% wrong: returns inside the loop says="only the first sequence is masked"
def create_padding_mask(lengths, seq_len):
    mask = np.zeros((len(lengths), seq_len, seq_len))
    for b, length in enumerate(lengths):
        mask[b, :, length:] = -np.inf
        return mask

# %% wrong: one column says="only one column is blocked"
def create_padding_mask(lengths, seq_len):
    mask = np.zeros((len(lengths), seq_len, seq_len))
    for b, length in enumerate(lengths):
        mask[b, :, length:length + 1] = -np.inf
    return mask

# %% wrong: counted from the end says="counted from the end"
def create_padding_mask(lengths, seq_len):
    mask = np.zeros((len(lengths), seq_len, seq_len))
    for b, length in enumerate(lengths):
        mask[b, :, -length:] = -np.inf
    return mask

# %% wrong: rows of all sequences mixed says="all rows of a sequence must be alike"
def create_padding_mask(lengths, seq_len):
    rows = [[0.0 if key < length else -np.inf for key in range(seq_len)] for length in lengths]
    return np.resize(rows, (len(lengths), seq_len, seq_len))
