# %% right: a mask of columns, multiplied
def ablate_head(mix_weight, head, num_heads):
    hidden = mix_weight.shape[1]
    owner = torch.arange(hidden) // (hidden // num_heads)
    return mix_weight * (owner != head)

# %% right: three pieces put together
def ablate_head(mix_weight, head, num_heads):
    a = head * mix_weight.shape[-1] // num_heads
    b = (head + 1) * mix_weight.shape[-1] // num_heads
    return torch.cat([mix_weight[:, :a], torch.zeros(len(mix_weight), b - a), mix_weight[:, b:]], dim=1)

# %% right: chunks, one of them of zeros
def ablate_head(mix_weight, head, num_heads):
    parts = mix_weight.chunk(num_heads, dim=1)
    return torch.hstack([torch.zeros_like(part) if n == head else part for n, part in enumerate(parts)])

# %% right: a view by heads of a copy
def ablate_head(mix_weight, head, num_heads):
    by_head = mix_weight.reshape(mix_weight.shape[0], num_heads, -1).clone()
    by_head[:, head].zero_()
    return by_head.flatten(1)

# %% right: numpy
def ablate_head(mix_weight, head, num_heads):
    new = mix_weight.detach().numpy().copy()
    size = new.shape[1] // num_heads
    new[:, size * head:size * head + size] = 0
    return torch.from_numpy(new)

# %% right: masked_fill
def ablate_head(mix_weight, head, num_heads):
    size = mix_weight.size(1) // num_heads
    columns = torch.arange(mix_weight.size(1))
    return mix_weight.masked_fill((columns >= head * size) & (columns < (head + 1) * size), 0.0)

# %% right: a diagonal matrix of 0 and 1
def ablate_head(mix_weight, head, num_heads):
    keep = torch.ones(num_heads)
    keep[head] = 0
    keep = keep.repeat_interleave(mix_weight.shape[1] // num_heads)
    return mix_weight @ torch.diag(keep)

# %% right: entry by entry
def ablate_head(mix_weight, head, num_heads):
    rows, columns = mix_weight.shape
    size = columns // num_heads
    new = torch.zeros_like(mix_weight)
    for row in range(rows):
        for column in range(columns):
            if not head * size <= column < (head + 1) * size:
                new[row, column] = mix_weight[row, column]
    return new

# %% right: the head's part subtracted
def ablate_head(mix_weight, head, num_heads):
    own = F.one_hot(torch.tensor(head), num_heads).repeat_interleave(mix_weight.shape[1] // num_heads)
    return mix_weight - mix_weight * own

# %% right: copied by deepcopy, index_fill
def ablate_head(mix_weight, head, num_heads):
    size = mix_weight.shape[1] // num_heads
    return copy.deepcopy(mix_weight).index_fill(1, torch.arange(head * size, (head + 1) * size), 0)

# %% base
def ablate_head(mix_weight, head, num_heads):
    size = mix_weight.shape[1] // num_heads
    own = slice(head * size, (head + 1) * size)
    without = mix_weight.clone()
    without[:, own] = 0
    return without

# %% wrong: rows advice="The head was looked for in the rows: it owns columns of mix_weight." of="base"
# was:     without[:, own] = 0
# becomes: without[own] = 0

# %% wrong: the row of the head's number advice="Row `head` is 0: the head owns columns of mix_weight, hidden // num_heads of them." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[head] = 0

# %% wrong: from 1 counted advice="Head 0 was cut: heads are counted from 0, and the columns of `head` begin at head · size." of="base"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice((head - 1) * size, head * size)

# %% wrong: heads as long as there are heads advice="A head has hidden // num_heads columns, not num_heads: divide mix_weight.shape[1] by num_heads." of="base"
# was:     size = mix_weight.shape[1] // num_heads
# becomes: size = num_heads

# %% wrong: size of rows advice="The head's size was taken from d_model: it is hidden // num_heads, and hidden is mix_weight.shape[1]." of="base"
# was:     size = mix_weight.shape[1] // num_heads
# becomes: size = mix_weight.shape[0] // num_heads

# %% wrong: that head alone is kept advice="Only this head is left: set its columns to 0, and keep all others." of="base"
# was:     without = mix_weight.clone()
# was:     without[:, own] = 0
# becomes: without = torch.zeros_like(mix_weight)
# becomes: without[:, own] = mix_weight[:, own]

# %% wrong: interleaved advice="Every num_heads-th column is 0: the columns of a head are adjacent, from head · size on." of="base"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(head, None, num_heads)

# %% wrong: columns from the head's number on advice="The columns begin at `head`: they begin at head · size." of="base"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(head, head + size)

# %% wrong: one column advice="Only one column is 0: a head has hidden // num_heads of them." of="base"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(head * size, head * size + 1)

# %% wrong: the last column left advice="The last of the head's columns is left: the end of a slice is exclusive." of="base"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(head * size, (head + 1) * size - 1)

# %% wrong: one column too many advice="One column too many is 0: the end of a slice is exclusive, so it is (head + 1) · size." of="base"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(head * size, (head + 1) * size + 1)

# %% wrong: −∞ advice="The head's columns are −∞: that is for scores before softmax, and here they should be 0." of="base"
# was:     without[:, own] = 0
# becomes: without[:, own] = -math.inf

# %% wrong: the head's columns alone advice="Only the head's columns are returned: return the whole weight, with zeros in these columns." of="base"
# was:     return without
# becomes: return without[:, own]

# %% wrong: rows, and their size advice="Whole rows are 0: the head owns columns of mix_weight, hidden // num_heads of them." of="reference"
# was:     size = mix_weight.shape[1] // num_heads
# becomes: size = mix_weight.shape[0] // num_heads

# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[head * size:(head + 1) * size] = 0

# %% wrong: mix turned advice="The result is transposed: its shape is (d_model, hidden)." of="reference"
# was:     without = mix_weight.clone()
# becomes: without = mix_weight.T.clone()

# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[head * size:(head + 1) * size] = 0

# %% wrong: rows of the turned weight, not turned back advice="The result is transposed: its shape is (d_model, hidden)." of="reference"
# was:     return without
# becomes: return without.T

# %% wrong: every size-th column advice="Columns with gaps between them are 0: the columns of a head are adjacent, from head · size on." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, head::size] = 0

# %% wrong: columns cut out advice="The head's columns are missing: keep them, as zeros." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without = torch.cat([without[:, :head * size], without[:, (head + 1) * size:]], dim=1)

# %% wrong: zero_ of a slice returned advice="Only the head's columns are returned: return the whole weight, with zeros in these columns." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: return without[:, head * size:(head + 1) * size].zero_()

# %% wrong: the column of the head's number advice="Only column `head` is 0: a head has hidden // num_heads columns, from head · size on." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, head] = 0

# %% wrong: from the head's number to the right end advice="The slice begins at `head`: it begins at head · size." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, head:(head + 1) * size] = 0

# %% wrong: one column too early advice="One column before the head's is 0: they begin at head · size." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, max(head * size - 1, 0):(head + 1) * size] = 0

# %% wrong: the next head advice="Another head was cut, or none: the head's columns are those from head · size to (head + 1) · size." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, (head + 1) * size:(head + 2) * size] = 0

# %% wrong: counted from the end advice="The head was counted from the end: head 0 has the first columns." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: first = mix_weight.shape[1] - (head + 1) * size
# becomes: without[:, first:first + size] = 0

# %% wrong: always head 0 advice="Head 0 was cut: heads are counted from 0, and the columns of `head` begin at head · size." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, :size] = 0

# %% wrong: always the last head advice="The last head was cut, whatever `head` is: end at (head + 1) · size." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, -size:] = 0

# %% wrong: all from there on advice="All columns from the head's first one on are 0: end the slice at (head + 1) · size." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, head * size:] = 0

# %% wrong: all up to there advice="All columns up to the head's last one are 0: begin the slice at head · size." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, :(head + 1) * size] = 0

# %% wrong: begin and length advice="Nothing was cut: set the head's columns to 0, those from head · size to (head + 1) · size." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, head * size:size] = 0

# %% wrong: all columns advice="Everything is 0: only the head's columns are, from head · size to (head + 1) · size." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:] = 0

# %% wrong: nothing cut advice="Nothing was cut: set the head's columns to 0, those from head · size to (head + 1) · size." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, head * size:(head + 1) * size] *= 1

# %% wrong: a copy of the slice set to 0 advice="Nothing was cut: set the head's columns to 0, those from head · size to (head + 1) · size." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: own = without[:, head * size:(head + 1) * size].clone()
# becomes: own[:] = 0

# %% wrong: multiplied by −1 advice="The head's columns have the opposite sign: they should be 0." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, head * size:(head + 1) * size] *= -1

# %% wrong: halved advice="The head's columns are halved: they should be 0." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, head * size:(head + 1) * size] /= 2

# %% wrong: the mean in their place advice="The head's columns hold a mean: they should be 0." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, head * size:(head + 1) * size] = mix_weight.mean()

# %% wrong: each row's mean in their place advice="The head's columns hold means: they should be 0." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: own = slice(head * size, (head + 1) * size)
# becomes: without[:, own] = mix_weight[:, own].mean(dim=1, keepdim=True)

# %% wrong: ones advice="The head's columns are 1: they should be 0." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, head * size:(head + 1) * size] = 1

# %% wrong: NaN advice="The head's columns are NaN: they should be 0." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, head * size:(head + 1) * size] = math.nan

# %% wrong: the mask alone advice="This is a mask of 0 and 1: multiply the weight by it." of="reference"
# was:     return without
# becomes: return (without != 0).to(mix_weight.dtype)

# %% wrong: the rest made larger advice="The other heads are scaled up: leave them unchanged (this is not dropout)." of="reference"
# was:     return without
# becomes: return without * num_heads / (num_heads - 1)

# %% wrong: rows and columns advice="Rows are 0 as well: set only the head's columns to 0." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: own = slice(head * size, (head + 1) * size)
# becomes: without[:, own] = 0
# becomes: without[own] = 0

# %% wrong: a block of rows and columns advice="Only a block of the head's columns is 0: set them to 0 in all rows." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: own = slice(head * size, (head + 1) * size)
# becomes: without[own, own] = 0

# %% wrong: in the first row alone advice="Only row 0 was cut: set the head's columns to 0 in all rows." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[0, head * size:(head + 1) * size] = 0

# %% wrong: in-place, a view of the caller's weight says="make a new tensor" of="reference"
# was:     without = mix_weight.clone()
# becomes: without = mix_weight

# %% wrong: in-place through .data says="make a new tensor" of="reference"
# was:     without = mix_weight.clone()
# becomes: without = mix_weight.data

# %% wrong: in-place through detach says="make a new tensor" of="reference"
# was:     without = mix_weight.clone()
# becomes: without = mix_weight.detach()

# %% wrong: in-place through a view by heads says="make a new tensor" of="reference"
# was:     without = mix_weight.clone()
# becomes: without = mix_weight

# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without.view(len(mix_weight), num_heads, size)[:, head] = 0

# %% wrong: in-place through numpy says="make a new tensor" of="reference"
# was:     without = mix_weight.clone()
# becomes: without = mix_weight.numpy()

# %% wrong: a copy by contiguous says="make a new tensor" of="reference"
# was:     without = mix_weight.clone()
# becomes: without = mix_weight.contiguous()

# %% wrong: a copy after the cut says="make a new tensor" of="reference"
# was:     without = mix_weight.clone()
# becomes:

# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: mix_weight[:, head * size:(head + 1) * size] = 0
# becomes: without = mix_weight.clone()

# %% wrong: a slice is no copy says="make a new tensor" of="reference"
# was:     without = mix_weight.clone()
# becomes: without = mix_weight[:]

# %% wrong: no return says="does your function end with a return?" of="reference"
# was:     return without
# becomes:

# %% wrong: copy_ of nothing says="no attribute 'copy'" of="reference"
# was:     without = mix_weight.clone()
# becomes: without = mix_weight.copy()

# %% wrong: division that isn't whole says="slice indices must be integers" of="reference"
# was:     size = mix_weight.shape[1] // num_heads
# becomes: size = mix_weight.shape[1] / num_heads

# %% wrong: shape by heads advice="The weight is still split by heads: return it as (d_model, hidden)." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without = without.reshape(len(mix_weight), num_heads, size)
# becomes: without[:, head] = 0

# %% wrong: heads split the wrong way advice="Every num_heads-th column is 0: the columns of a head are adjacent, from head · size on." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without = without.reshape(len(mix_weight), size, num_heads)
# becomes: without[:, :, head] = 0
# becomes: without = without.flatten(1)

# %% wrong: heads of rows advice="Whole rows are 0: the head owns columns of mix_weight, hidden // num_heads of them." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without = without.reshape(num_heads, -1)
# becomes: without[head] = 0
# becomes: without = without.reshape(mix_weight.shape)

# %% wrong: two heads, hard-coded advice="The head's size is half of the columns: it is hidden // num_heads." of="reference"
# was:     size = mix_weight.shape[1] // num_heads
# becomes: size = mix_weight.shape[1] // 2

# %% wrong: a tuple says="return only weight" of="reference"
# was:     return without
# becomes: return without, head

# %% wrong: a dict of another name says="it should have the keys weight" of="reference"
# was:     return without
# becomes: return {"mix": without}

# %% wrong: hidden_size is no name says="is not defined" of="reference"
# was:     size = mix_weight.shape[1] // num_heads
# becomes: size = hidden_size // num_heads

# %% wrong: head_size is no name says="is not defined" of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, head * head_size:(head + 1) * head_size] = 0

# %% wrong: three axes says="too many indices" of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, :, head * size:(head + 1) * size] = 0

# %% wrong: a mask of a wrong length says="mask" of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, torch.arange(num_heads) == head] = 0

# %% wrong: rows multiplied by a mask of columns says="must match the size of" of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: kept = torch.arange(mix_weight.shape[1]) // size != head
# becomes: without = kept[:, None] * without

# %% wrong: rounded advice="The numbers are rounded: don't round them." of="reference"
# was:     return without
# becomes: return without.round()

# %% wrong: the end from num_heads advice="The slice ends at head · size + num_heads: a head has `size` columns, so end it at (head + 1) · size." of="base"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(head * size, head * size + num_heads)

# %% wrong: result of masked_fill lost advice="Nothing was cut: set the head's columns to 0, those from head · size to (head + 1) · size." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: columns = torch.arange(mix_weight.shape[1]) // size
# becomes: cut = without.masked_fill(columns == head, 0)

# %% wrong: the last column of the last head is kept advice="The last column of the head is not cut: a head owns the columns from head · size up to, but not including, (head + 1) · size." of="reference"
# was:     without[:, head * size:(head + 1) * size] = 0
# becomes: without[:, head * size:min((head + 1) * size, mix_weight.shape[1] - 1)] = 0

# %% wrong: the weight itself if the head is 0 already says="the weight itself was returned" unseen="no visible test has such an input" visible=false fails=["ablate-head-test"]
def ablate_head(mix_weight, head, num_heads):
    size = mix_weight.shape[1] // num_heads
    own = slice(head * size, (head + 1) * size)
    if not mix_weight[:, own].any():
        return mix_weight
    result = mix_weight.clone()
    result[:, own] = 0
    return result
