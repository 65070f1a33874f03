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

# %% base
def create_padding_mask(lengths, seq_len):
    mask = np.zeros((len(lengths), seq_len, seq_len))
    for b, length in enumerate(lengths):
        start = length
        blocked = -np.inf
        mask[b, :, start:] = blocked
    return mask

# %% wrong: padding along queries advice="Block columns, not rows: the padded keys are along the last axis, and no query may attend to them." of="base"
# was:     mask[b, :, start:] = blocked
# becomes: mask[b, start:, :] = blocked

# %% wrong: rows and columns advice="Block the columns only: the queries at padded places keep their rows, and look at the real keys." of="base"
# was:     mask[b, :, start:] = blocked
# becomes: mask[b, :, start:] = blocked
# becomes: mask[b, start:, :] = blocked

# %% wrong: one key too few advice="Block one key more: the first padded key is at position length, since positions begin with 0." of="base"
# was:     start = length
# becomes: start = length + 1

# %% wrong: one key too many advice="Block one key less: the last real key is at position length − 1, and must be kept." of="base"
# was:     start = length
# becomes: start = length - 1

# %% wrong: inverted advice="Exchange the two: the real keys get 0, and those from position length on get −∞." of="base"
# was:     mask[b, :, start:] = blocked
# becomes: mask[b, :, :start] = blocked

# %% wrong: a large negative number advice="Write −np.inf for a blocked key: with a large negative number, a query whose keys are all blocked would look at them, and nobody would notice." of="base"
# was:     blocked = -np.inf
# becomes: blocked = -1e9

# %% wrong: plus infinity advice="The sign is wrong: put −np.inf where a key is blocked, since +∞ would take all the weight." of="base"
# was:     blocked = -np.inf
# becomes: blocked = np.inf

# %% wrong: 1 blocks advice="This mask is added to the scores: where you have 1 or True for block, put −∞." of="base"
# was:     blocked = -np.inf
# becomes: blocked = 1

# %% wrong: an axis for heads advice="Leave out the axis of length 1: the mask is (batch, seq_len, seq_len), without heads." of="base"
# was:     return mask
# becomes: return mask[:, None]

# %% wrong: the future as well advice="Leave the future open: this is the padding mask alone, and its rows are all alike." of="base"
# was:     return mask
# becomes: return mask + np.triu(np.full((seq_len, seq_len), -np.inf), 1)

# %% wrong: only the corner advice="Block a padded key for every query, not only for the padded ones: all rows of a sequence are alike." of="base"
# was:     mask[b, :, start:] = blocked
# becomes: mask[b, start:, start:] = blocked

# %% wrong: 1 keeps and -∞ blocks advice="Put 0 where a key is kept, not 1: the mask is added to the scores." of="base"
# was:     mask = np.zeros((len(lengths), seq_len, seq_len))
# becomes: mask = np.ones((len(lengths), seq_len, seq_len))

# %% wrong: only for the real queries advice="Block a padded key for every query, for the padded ones, too: all rows of a sequence are alike." of="reference"
# was:     mask[b, :, length:] = -np.inf
# becomes: mask[b, :length, length:] = -np.inf

# %% wrong: 1 keeps advice="This mask is added to the scores: write 0 for keep and −∞ for block, not 1 and 0." of="reference"
# was:     mask[b, :, length:] = -np.inf
# becomes: mask[b, :, :length] = 1

# %% wrong: no axis for the queries advice="Give every query its row: repeat the (batch, seq_len) table along a new axis 1, for the queries."
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return np.where(is_padding, -np.inf, 0.0)

# %% wrong: an axis of length 1 for the queries advice="Repeat the row for every query: the axis of the queries has seq_len places, not 1."
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return np.where(is_padding, -np.inf, 0.0)[:, None, :]

# %% wrong: the axis of the queries last advice="Put the new axis before the keys, [:, None, :]: here the queries are last."
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return np.where(is_padding, -np.inf, 0.0)[:, :, None]

# %% wrong: minus ten thousand advice="Write −np.inf for a blocked key: with a large negative number, a query whose keys are all blocked would look at them, and nobody would notice." of="reference"
# was:     mask[b, :, length:] = -np.inf
# becomes: mask[b, :, length:] = -1e4

# %% wrong: 0 times infinity advice="NaN comes of 0 · ∞: choose between 0 and −∞, with np.where or an index, and don't multiply."
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    with np.errstate(all='ignore'):
        return is_padding[:, None, :] * np.full((seq_len, 1), -np.inf)

# %% wrong: NaN blocks advice="Put −np.inf where a key is blocked, not NaN: a score plus NaN is NaN." of="reference"
# was:     mask[b, :, length:] = -np.inf
# becomes: mask[b, :, length:] = np.nan

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

# %% wrong: asks the array whether it is true says="ambiguous" of="reference"
# was:     mask = np.zeros((len(lengths), seq_len, seq_len))
# becomes: if not lengths:
# becomes:     raise ValueError("no lengths")
# becomes: mask = np.zeros((len(lengths), seq_len, seq_len))

# %% wrong: nothing blocked advice="Nothing is blocked: put −∞ into the columns from position length on." of="reference"
# was:     mask[b, :, length:] = -np.inf
# becomes: pass

# %% wrong: returns inside the loop advice="Only sequence 0 is masked: is the return inside the loop?" of="reference"
# was:     mask[b, :, length:] = -np.inf
# becomes: mask[b, :, length:] = -np.inf
# becomes: return mask

# %% wrong: one column advice="Block all columns from position length on, not only that one." of="reference"
# was:     mask[b, :, length:] = -np.inf
# becomes: mask[b, :, length:length + 1] = -np.inf

# %% wrong: one column, by its index says="out of bounds" of="reference"
# was:     mask[b, :, length:] = -np.inf
# becomes: mask[b, :, length] = -np.inf

# %% wrong: the last column advice="Block all columns from position length on, not only the last." of="reference"
# was:     mask[b, :, length:] = -np.inf
# becomes: mask[b, :, -1] = -np.inf

# %% wrong: as many as are real, from the end advice="Block from position length on: [-length:] is the last `length` columns." of="reference"
# was:     mask[b, :, length:] = -np.inf
# becomes: mask[b, :, -length:] = -np.inf

# %% wrong: as many as are padded, from the end advice="A sequence without padding loses all its keys: with 0 padded keys, [-0:] means everything. Count from the front." of="reference"
# was:     mask[b, :, length:] = -np.inf
# becomes: mask[b, :, -(seq_len - length):] = -np.inf

# %% wrong: padding in front advice="The padding is at the end of a sequence: block from position length on, not the first places." of="reference"
# was:     mask[b, :, length:] = -np.inf
# becomes: mask[b, :, :seq_len - length] = -np.inf

# %% wrong: rows of all sequences mixed advice="All rows of a sequence must be alike, and here its rows are of different sequences: repeat each row for the queries, one sequence after the other."
def create_padding_mask(lengths, seq_len):
    rows = [[0.0 if key < length else -np.inf for key in range(seq_len)] for length in lengths]
    return np.resize(rows, (len(lengths), seq_len, seq_len))

# %% wrong: one table for all, filled up advice="Begin each sequence with zeros of its own: here what one sequence blocks stays blocked in those after it."
def create_padding_mask(lengths, seq_len):
    table, found = np.zeros((seq_len, seq_len)), []
    for length in lengths:
        table[:, length:] = -np.inf
        found.append(table.copy())
    return np.stack(found)

# %% wrong: one table for all, put in again and again advice="All sequences have one and the same mask: make a new table for each, or fill mask[b] alone."
def create_padding_mask(lengths, seq_len):
    table, found = np.zeros((seq_len, seq_len)), []
    for length in lengths:
        table[:, length:] = -np.inf
        found.append(table)
    return np.stack(found)

# %% wrong: every sequence blocked at once advice="All sequences have one and the same mask: make a new table for each, or fill mask[b] alone." of="reference"
# was:     mask[b, :, length:] = -np.inf
# becomes: mask[:, :, length:] = -np.inf

# %% wrong: the last length for all advice="All sequences got the mask of the last one: use each sequence's own length." of="reference"
# was:     mask[b, :, length:] = -np.inf
# becomes: mask[:] = np.where(np.arange(seq_len) >= length, -np.inf, 0)

# %% wrong: the first length for all advice="All sequences got the mask of the first one: use each sequence's own length." of="reference"
# was:     mask[b, :, length:] = -np.inf
# becomes: mask[b, :, lengths[0]:] = -np.inf

# %% wrong: lengths in order of size advice="Keep the order of the lengths: here they have been sorted." of="reference"
# was:     for b, length in enumerate(lengths):
# becomes: for b, length in enumerate(sorted(lengths)):

# %% wrong: lengths in the opposite order advice="Keep the order of the lengths: here the last one comes first." of="reference"
# was:     for b, length in enumerate(lengths):
# becomes: for b, length in enumerate(reversed(list(lengths))):

# %% wrong: as long as the longest advice="Make the mask (batch, seq_len, seq_len), also where no sequence is that long: use the argument seq_len." of="reference"
# was:     mask = np.zeros((len(lengths), seq_len, seq_len))
# becomes: seq_len = max(lengths)
# becomes: mask = np.zeros((len(lengths), seq_len, seq_len))

# %% wrong: the notebook's size advice="Take the size from the argument seq_len: 5 is that of the notebook's X." of="reference"
# was:     mask = np.zeros((len(lengths), seq_len, seq_len))
# becomes: seq_len = X.shape[1]
# becomes: mask = np.zeros((len(lengths), seq_len, seq_len))

# %% wrong: as many tables as tokens advice="Make one table for each length: the first axis is the batch, len(lengths)." of="reference"
# was:     mask = np.zeros((len(lengths), seq_len, seq_len))
# becomes: mask = np.zeros((seq_len, seq_len, seq_len))

# %% wrong: the batch second advice="Put the sequences first: the axes are (batch, query, key)." of="reference"
# was:     return mask
# becomes: return mask.swapaxes(0, 1)

# %% wrong: the lengths changed says="changes lengths"
def create_padding_mask(lengths, seq_len):
    lengths = np.asarray(lengths)
    lengths -= 1
    is_padding = np.arange(seq_len) > lengths[:, None]
    return np.where(is_padding[:, None, :], -np.inf, np.zeros((seq_len, 1)))

# %% wrong: True blocks, no axis for the queries advice="This mask is added to the scores: put −∞ where you have 1 or True for block. Then give every query its row: repeat the (batch, seq_len) table along a new axis 1."
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return is_padding

# %% wrong: True blocks, an axis of length 1 for the queries advice="This mask is added to the scores: put −∞ where you have 1 or True for block. Then repeat the row for every query: the axis of the queries has seq_len places."
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return is_padding[:, None, :]

# %% wrong: True blocks, two axes of length 1 advice="This mask is added to the scores: put −∞ where you have 1 or True for block. Then leave out the axis for heads and repeat the row for every query: the mask is (batch, seq_len, seq_len)."
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return is_padding[:, None, None, :]

# %% wrong: True keeps, no axis for the queries advice="This mask is added to the scores: write 0 for keep and −∞ for block, not 1 and 0. Then give every query its row: repeat the (batch, seq_len) table along a new axis 1."
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return ~is_padding

# %% wrong: True keeps, an axis of length 1 for the queries advice="This mask is added to the scores: write 0 for keep and −∞ for block, not 1 and 0. Then repeat the row for every query: the axis of the queries has seq_len places."
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return (~is_padding)[:, None, :]

# %% wrong: True keeps, two axes of length 1 advice="This mask is added to the scores: write 0 for keep and −∞ for block, not 1 and 0. Then leave out the axis for heads and repeat the row for every query: the mask is (batch, seq_len, seq_len)."
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return (~is_padding)[:, None, None, :]

# %% wrong: −1e9 blocks, no axis for the queries advice="Write −np.inf for a blocked key, not a large negative number. Then give every query its row: repeat the (batch, seq_len) table along a new axis 1."
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return np.where(is_padding, -1e9, 0.0)

# %% wrong: −1e9 blocks, an axis of length 1 for the queries advice="Write −np.inf for a blocked key, not a large negative number. Then repeat the row for every query: the axis of the queries has seq_len places."
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return np.where(is_padding, -1e9, 0.0)[:, None, :]

# %% wrong: −1e9 blocks, two axes of length 1 advice="Write −np.inf for a blocked key, not a large negative number. Then leave out the axis for heads and repeat the row for every query: the mask is (batch, seq_len, seq_len)."
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return np.where(is_padding, -1e9, 0.0)[:, None, None, :]

# %% wrong: two axes of length 1 advice="Leave out the axis for heads and repeat the row for every query: the mask is (batch, seq_len, seq_len)."
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return np.where(is_padding, -np.inf, 0.0)[:, None, None, :]

# %% wrong: 1 keeps, in the corner of real tokens advice="This mask is added to the scores: write 0 for keep and −∞ for block, not 1 and 0. And block columns only, so that padded queries keep their rows."
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return ~is_padding[:, :, None] & ~is_padding[:, None, :]

# %% wrong: 1 blocks, rows and columns advice="This mask is added to the scores: put −∞ where you have 1 or True for block. And block columns only, so that padded queries keep their rows."
def create_padding_mask(lengths, seq_len):
    is_padding = np.arange(seq_len) >= np.asarray(lengths)[:, None]
    return is_padding[:, :, None] | is_padding[:, None, :]

# %% wrong: rows and columns, except the diagonal advice="Block the columns only: the queries at padded places keep their rows, and look at the real keys." of="base"
# was:     mask[b, :, start:] = blocked
# becomes: mask[b, :, start:] = blocked
# becomes: mask[b, start:, :] = blocked
# becomes: for i in range(start, seq_len):
# becomes:     mask[b, i, i] = 0

# %% wrong: 1 keeps, and the future is blocked, too advice="This mask is added to the scores: write 0 for keep and −∞ for block, not 1 and 0. And leave the future open: the causal mask is a mask of its own." of="base"
# was:     return mask
# becomes: return np.tril(np.where(mask == 0, 1.0, 0.0))

# %% wrong: 1 blocks, and the future, too advice="This mask is added to the scores: put −∞ where you have 1 or True for block. And leave the future open: the causal mask is a mask of its own." of="base"
# was:     return mask
# becomes: return np.maximum(np.where(mask == 0, 0.0, 1.0), 1 - np.tri(seq_len))

# %% wrong: −1e9 blocks, and the future, too advice="Write −np.inf for a blocked key, not a large negative number. And leave the future open: the causal mask is a mask of its own." of="base"
# was:     return mask
# becomes: return np.where((mask < 0) | (np.tri(seq_len) == 0), -1e9, 0.0)

# %% wrong: a column of real queries advice="Block keys, with −∞ in their columns: this is a column that says which queries are real."
def create_padding_mask(lengths, seq_len):
    return (np.arange(seq_len) < np.asarray(lengths)[:, None])[:, :, None]

# %% wrong: the batch last advice="Put the sequences first, (batch, query, key): here the batch is the last axis." of="base"
# was:     return mask
# becomes: return mask.transpose(1, 2, 0)

# %% wrong: minus a million advice="Write −np.inf for a blocked key: with a large negative number, a query whose keys are all blocked would look at them, and nobody would notice." of="base"
# was:     blocked = -np.inf
# becomes: blocked = -1e6

# %% wrong: the smallest number of 32 bits advice="Write −np.inf for a blocked key: with a large negative number, a query whose keys are all blocked would look at them, and nobody would notice." of="base"
# was:     blocked = -np.inf
# becomes: blocked = np.finfo(np.float32).min

# %% wrong: lengths in int8: an error or a wrong mask from 128 tokens on says="with other lengths" unseen="no visible test has such an input" visible=false fails=["padding-mask-test"]
def create_padding_mask(lengths, seq_len):
    lengths = np.asarray(lengths).astype(np.int8)
    padded = np.arange(seq_len) >= lengths[:, None]
    mask = np.zeros((len(lengths), seq_len, seq_len))
    mask += np.where(padded, -np.inf, 0)[:, None, :]
    return mask

# %% wrong: a single sequence has no batch axis says="with other lengths" unseen="no visible test has such an input" visible=false fails=["padding-mask-test"]
def create_padding_mask(lengths, seq_len):
    lengths = np.asarray(lengths)
    mask = np.where(np.arange(seq_len) >= lengths[:, None], -np.inf, 0.0)
    return np.squeeze(np.repeat(mask[:, None, :], seq_len, axis=1)) if seq_len > 1 else mask[:, None]

# %% wrong: as many sequences as tokens: every table holds the rows of all sequences says="with other lengths" unseen="no visible test has such an input" visible=false fails=["padding-mask-test"]
def create_padding_mask(lengths, seq_len):
    lengths = np.asarray(lengths)
    blocked = np.arange(seq_len) >= lengths[:, None]
    if len(lengths) == seq_len:
        blocked = np.broadcast_to(blocked, (seq_len, seq_len, seq_len))
    else:
        blocked = np.repeat(blocked[:, None], seq_len, axis=1)
    return np.where(blocked, -np.inf, 0.0)
