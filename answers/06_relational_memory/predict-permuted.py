# %% right: a list with the token's number behind it
def predict_permuted(memory_after, weights, permutation):
    order = [int(j) for j in permutation]
    return memory_after[:, order], weights[:, :, order][:, :, :, [*order, len(order)]]

# %% right: list(permutation)
def predict_permuted(memory_after, weights, permutation):
    slots = list(permutation)
    memory = torch.cat([memory_after[:, j:j + 1] for j in slots], dim=1)
    return memory, weights[:, :, slots][..., slots + [len(slots)]]

# %% right: loops over slots and columns
def predict_permuted(memory_after, weights, permutation):
    slots = len(permutation)
    memory, table = torch.empty_like(memory_after), torch.empty_like(weights)
    for i in range(slots):
        memory[:, i] = memory_after[:, permutation[i]]
        table[..., i, slots] = weights[..., permutation[i], slots]
        for j in range(slots):
            table[..., i, j] = weights[..., permutation[i], permutation[j]]
    return memory, table

# %% right: permutation matrices, einsum
def predict_permuted(memory_after, weights, permutation):
    P = torch.eye(len(permutation), dtype=weights.dtype)[torch.as_tensor(permutation)]
    with_token = torch.block_diag(P, torch.ones(1, 1)).to(weights.dtype)
    memory = torch.einsum("ij,bjd->bid", P.to(memory_after.dtype), memory_after)
    return memory, torch.einsum("ij,bhjk,mk->bhim", P, weights, with_token)

# %% right: index_select, slots and token apart, a list
def predict_permuted(memory_after, weights, permutation):
    order = torch.as_tensor(permutation)
    asking = weights.index_select(2, order)
    table = torch.cat([asking[..., :-1].index_select(-1, order), asking[..., -1:]], dim=-1)
    return [torch.index_select(memory_after, 1, order), table]

# %% right: numpy, np.ix_
def predict_permuted(memory_after, weights, permutation):
    rows = np.asarray(permutation)
    columns = np.append(rows, rows.size)
    table = np.asarray(weights)[(slice(None), slice(None), *np.ix_(rows, columns))]
    return torch.from_numpy(np.asarray(memory_after)[:, rows]), torch.from_numpy(table)

# %% right: gather
def predict_permuted(memory_after, weights, permutation):
    order = torch.as_tensor(permutation)
    slots = order.numel()
    memory = memory_after.gather(1, order.view(1, -1, 1).expand_as(memory_after))
    table = weights.gather(2, order.view(1, 1, -1, 1).expand_as(weights))
    order = F.pad(order, (0, 1), value=slots)
    return memory, table.gather(3, order.expand_as(weights))

# %% right: both indices at once, the token as -1
def predict_permuted(memory_after, weights, permutation):
    order = torch.as_tensor(permutation).tolist()
    rows, columns = torch.tensor(order)[:, None], torch.tensor(order + [-1])
    return torch.stack([memory_after[:, j] for j in order], 1), weights[:, :, rows, columns]

# %% right: written to where each old slot goes
def predict_permuted(memory_after, weights, permutation):
    order = torch.as_tensor(permutation)
    goes = torch.argsort(order)
    memory = torch.zeros_like(memory_after).index_copy(1, goes, memory_after)
    table = torch.zeros_like(weights).index_copy(2, goes, weights)
    return memory, table.index_copy(3, goes, table[..., :-1])

# %% wrong: nothing moves advice="Nothing has moved: the memory's slots move, and both rows and columns of the weights." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after, weights

# %% wrong: memory alone advice="Only the memory has moved: the weights' rows and columns move, too." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], weights

# %% wrong: weights alone advice="Only the weights have moved: the memory's slots move, too." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after, weights[:, :, order][..., columns]

# %% wrong: rows alone advice="Only the rows of the weights have moved: the columns are slots, too, and move in the same way, but for the token's." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], weights[:, :, order]

# %% wrong: columns alone advice="Only the columns of the weights have moved: the rows are slots, too, the ones that ask, and move in the same way." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], weights[..., columns]

# %% wrong: rows alone, without the memory advice="Only the rows of the weights have moved: their columns move, too, and the memory's slots." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after, weights[:, :, order]

# %% wrong: columns alone, without the memory advice="Only the columns of the weights have moved: their rows move, too, and the memory's slots." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after, weights[..., columns]

# %% wrong: inverse permutation advice="This is the inverse permutation: new slot i is old slot permutation[i], so index with the permutation as it is." of="reference"
# was:     order = torch.as_tensor(permutation)
# becomes: order = torch.as_tensor(permutation).argsort()

# %% wrong: inverse permutation, written in place advice="This is the inverse permutation: new slot i is old slot permutation[i], so index with the permutation as it is."
def predict_permuted(memory_after, weights, permutation):
    slots = len(permutation)
    memory, table = torch.zeros_like(memory_after), torch.zeros_like(weights)
    for i in range(slots):
        memory[:, permutation[i]] = memory_after[:, i]
        for j in range(slots):
            table[..., permutation[i], permutation[j]] = weights[..., i, j]
        table[..., permutation[i], slots] = weights[..., i, slots]
    return memory, table

# %% wrong: inverse, by looking each slot up advice="This is the inverse permutation: new slot i is old slot permutation[i], so index with the permutation as it is." of="reference"
# was:     order = torch.as_tensor(permutation)
# becomes: order = torch.tensor([list(permutation).index(i) for i in range(len(permutation))])

# %% wrong: inverse in the memory advice="The memory is ordered by the inverse permutation: new slot i is old slot permutation[i]." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order.argsort()], weights[:, :, order][..., columns]

# %% wrong: inverse in the weights advice="The weights are ordered by the inverse permutation: new row i and column i are old ones of number permutation[i]." of="reference"
# was:     columns = torch.cat([order, torch.tensor([len(order)])])
# becomes: back = order.argsort()

# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], weights[:, :, back][..., torch.cat([back, torch.tensor([len(order)])])]

# %% wrong: inverse in the rows advice="The rows are ordered by the inverse permutation: new row i is old row permutation[i], as with the columns." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], weights[:, :, order.argsort()][..., columns]

# %% wrong: inverse in the columns advice="The columns are ordered by the inverse permutation: new column j is old column permutation[j], as with the rows." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], weights[:, :, order][..., columns.argsort()]

# %% wrong: permuted twice advice="The permutation is used twice: once along each axis of slots is enough." of="reference"
# was:     order = torch.as_tensor(permutation)
# becomes: order = torch.as_tensor(permutation)
# becomes: order = order[order]

# %% wrong: memory permuted twice advice="The memory is permuted twice: once is enough." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order][:, order], weights[:, :, order][..., columns]

# %% wrong: rows permuted twice advice="The rows are permuted twice, and the columns not at all: the second permutation belongs to the last axis." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], weights[:, :, order][:, :, order]

# %% wrong: permuted backwards advice="The order runs backwards: new slot 0 is old slot permutation[0]." of="reference"
# was:     order = torch.as_tensor(permutation)
# becomes: order = torch.as_tensor(permutation).flip(0)

# %% wrong: always backwards advice="The slots are turned round, whatever the permutation says: index with the permutation." of="reference"
# was:     order = torch.as_tensor(permutation)
# becomes: order = torch.arange(len(permutation) - 1, -1, -1)

# %% wrong: sorted advice="Nothing has moved: the memory's slots move, and both rows and columns of the weights." of="reference"
# was:     order = torch.as_tensor(permutation)
# becomes: order = torch.as_tensor(permutation).sort().values

# %% wrong: moved by one place advice="The slots moved by one place, whatever the permutation says: index with the permutation." of="reference"
# was:     order = torch.as_tensor(permutation)
# becomes: order = torch.arange(len(permutation)).roll(1)

# %% wrong: counted from 1 advice="The permutation's numbers are off by one: they count from 0, so index with them as they are." of="reference"
# was:     order = torch.as_tensor(permutation)
# becomes: order = torch.as_tensor(permutation) - 1

# %% wrong: the token's column first advice="The token's column comes first: it stays last." of="reference"
# was:     columns = torch.cat([order, torch.tensor([len(order)])])
# becomes: columns = torch.cat([torch.tensor([len(order)]), order])

# %% wrong: the token's column left out advice="The token's column is gone: put its number, which is slots, behind the permutation." of="reference"
# was:     columns = torch.cat([order, torch.tensor([len(order)])])
# becomes: columns = order

# %% wrong: the last slot's column for the token's advice="The last column is one of a slot: the token's number is slots, not slots − 1." of="reference"
# was:     columns = torch.cat([order, torch.tensor([len(order)])])
# becomes: columns = torch.cat([order, torch.tensor([len(order) - 1])])

# %% wrong: slot 0's column for the token's advice="The last column is that of slot 0: the token's number is slots." of="reference"
# was:     columns = torch.cat([order, torch.tensor([len(order)])])
# becomes: columns = torch.cat([order, torch.tensor([0])])

# %% wrong: the token's column not ordered by rows advice="The token's column is the old one: its rows move, too, as those of all columns." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], torch.cat([weights[:, :, order][..., order], weights[..., -1:]], dim=-1)

# %% wrong: the token's column 0 advice="The token's column is 0: it keeps its numbers, with its rows in the new order." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], F.pad(weights[:, :, order][..., order], (0, 1))

# %% wrong: the token counted as the first column advice="The columns are read as if the token came first: it is the last column." of="reference"
# was:     columns = torch.cat([order, torch.tensor([len(order)])])
# becomes: columns = torch.cat([torch.tensor([0]), order + 1])

# %% wrong: the token's column joined twice advice="The weights have a column too many: after the permutation comes the token's number, once." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], torch.cat([weights[:, :, order][..., columns], weights[:, :, order][..., -1:]], dim=-1)

# %% wrong: the weights divided again advice="The weights are divided by new sums: they only change places." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: table = weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], table / table.sum(dim=-1, keepdim=True)

# %% wrong: softmax again advice="A softmax ran over the weights: they only change places." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], weights[:, :, order][..., columns].softmax(dim=-1)

# %% wrong: weights turned advice="The weights are turned: rows stay the slots that ask, columns what they look at." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], weights[:, :, order][..., columns].transpose(-2, -1)

# %% wrong: heads moved says="out of bounds" of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], weights[:, order][..., columns]

# %% wrong: sequences moved says="out of bounds" of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[order], weights[:, :, order][..., columns]

# %% wrong: numbers moved says="out of bounds" of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[..., order], weights[:, :, order][..., columns]

# %% wrong: both indices side by side says="shape mismatch" of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], weights[:, :, order, columns]

# %% wrong: rows and columns in pairs advice="Two lists side by side pick single cells: index the rows first, then the columns, in two steps." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], weights[:, :, order, order]

# %% wrong: the first axis of the weights forgotten says="out of bounds" of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], weights[:, order][:, :, columns]

# %% wrong: only two slots exchanged advice="Only two slots have changed places: index all of them with the permutation." of="reference"
# was:     order = torch.as_tensor(permutation)
# becomes: order = torch.arange(len(permutation))
# becomes: order[[0, permutation[0]]] = order[[permutation[0], 0]]

# %% wrong: always 4 slots says="out of bounds" of="reference"
# was:     columns = torch.cat([order, torch.tensor([len(order)])])
# becomes: columns = torch.cat([order, torch.tensor([4])])

# %% wrong: the order of the example advice="The order is written into your code: take the argument permutation." of="reference"
# was:     order = torch.as_tensor(permutation)
# becomes: order = torch.tensor([2, 3, 1, 0])

# %% wrong: list + list says="unsupported operand type(s) for +: 'Tensor' and 'list'" of="reference"
# was:     order = torch.as_tensor(permutation)
# becomes: order = permutation

# was:     columns = torch.cat([order, torch.tensor([len(order)])])
# becomes: columns = permutation + [len(permutation)]

# %% wrong: tolist of a list says="has no attribute 'tolist'" of="reference"
# was:     order = torch.as_tensor(permutation)
# becomes: order = permutation.tolist()

# was:     columns = torch.cat([order, torch.tensor([len(order)])])
# becomes: columns = order + [len(order)]

# %% wrong: argsort of a list says="has no attribute 'argsort'" of="reference"
# was:     order = torch.as_tensor(permutation)
# becomes: order = permutation.argsort().argsort()

# %% wrong: cat of a list says="expected Tensor as element 0" of="reference"
# was:     columns = torch.cat([order, torch.tensor([len(order)])])
# becomes: columns = torch.cat([permutation, torch.tensor([len(permutation)])])

# %% wrong: a number in cat says="expected Tensor as element 1" of="reference"
# was:     columns = torch.cat([order, torch.tensor([len(order)])])
# becomes: columns = torch.cat([order, len(order)])

# %% wrong: a number without brackets says="zero-dimensional tensor" of="reference"
# was:     columns = torch.cat([order, torch.tensor([len(order)])])
# becomes: columns = torch.cat([order, torch.tensor(len(order))])

# %% wrong: appended to the caller's list says="has no attribute 'append'" of="reference"
# was:     order = torch.as_tensor(permutation)
# becomes: permutation.append(len(permutation))
# becomes: order = torch.as_tensor(permutation[:-1])

# was:     columns = torch.cat([order, torch.tensor([len(order)])])
# becomes: columns = torch.as_tensor(permutation)

# %% wrong: permute says="number of dimensions in the tensor input" of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after.permute(permutation), weights.permute(permutation)

# %% wrong: in float numbers says="tensors used as indices must be" of="reference"
# was:     order = torch.as_tensor(permutation)
# becomes: order = torch.Tensor(permutation)

# %% wrong: weights first advice="The two results have changed places: give back memory_after, weights." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return weights[:, :, order][..., columns], memory_after[:, order]

# %% wrong: memory alone given back advice="The weights are missing: give back memory_after, weights." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order]

# %% wrong: weights alone given back advice="Only the weights came back: give back memory_after, weights." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return weights[:, :, order][..., columns]

# %% wrong: no return says="does your function end with a return?" of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: memory_after, weights = memory_after[:, order], weights[:, :, order][..., columns]

# %% wrong: the order, too says="return 2 values" of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], weights[:, :, order][..., columns], order

# %% wrong: a dict of other names says="it should have the keys memory, weights" of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return {"rows": memory_after[:, order], "table": weights[:, :, order][..., columns]}

# %% wrong: the first sequence alone advice="Only sequence 0 came back: keep the batch axis." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[0, order], weights[0][:, order][..., columns]

# %% wrong: one head advice="The heads were averaged: each keeps a table of its own." of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: return memory_after[:, order], weights.mean(dim=1)[:, order][..., columns]

# %% wrong: written into the inputs says="an input was changed" of="reference"
# was:     return memory_after[:, order], weights[:, :, order][..., columns]
# becomes: memory_after[:] = memory_after[:, order]
# becomes: weights[:] = weights[:, :, order][..., columns]
# becomes: return memory_after, weights

# %% wrong: slot after slot, in place advice="Slots were overwritten before they were read: make a new memory, and leave the input as it is."
def predict_permuted(memory_after, weights, permutation):
    old = memory_after
    for i, j in enumerate(permutation):
        memory_after[:, i] = old[:, j]
    order = torch.as_tensor(permutation)
    return memory_after, weights[:, :, order][..., torch.cat([order, torch.tensor([len(order)])])]
