# %% right: loops over rows
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    def norm(row):
        row = row - row.mean()
        return row / math.sqrt((row * row).mean() + 1e-5)

    result = []
    for old, new in zip(memory, attended):
        rows = [norm(one + other) for one, other in zip(old, new)]
        result.append([norm(row + np.clip(row @ W_1 + b_1, 0, None) @ W_2 + b_2) for row in rows])
    return result

# %% right: torch's own functions
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    M, A, W_1, b_1, W_2, b_2 = (torch.tensor(one) for one in (memory, attended, W_1, b_1, W_2, b_2))
    d = M.size(-1)
    rows = F.layer_norm(torch.add(M, A), (d,))
    change = F.linear(F.relu(F.linear(rows, W_1.T, b_1)), W_2.T, b_2)
    return F.layer_norm(rows + change, (d,))

# %% right: einsum, mean and variance
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    rows = memory + attended
    rows = (rows - rows.mean(axis=-1, keepdims=True)) * (rows.var(axis=-1, keepdims=True) + 1e-5) ** -0.5
    hidden = np.einsum("bsd,dh->bsh", rows, W_1) + b_1
    hidden = hidden * (hidden > 0)
    rows = rows + np.einsum("bsh,hd->bsd", hidden, W_2) + b_2
    return (rows - rows.mean(axis=-1, keepdims=True)) / np.sqrt(rows.var(axis=-1, keepdims=True) + 1e-5)

# %% right: one flat table
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    rows = layer_norm((memory + attended).reshape(-1, memory.shape[-1]))
    hidden = np.where(rows @ W_1 > -b_1, rows @ W_1 + b_1, 0)
    return layer_norm(np.add(hidden @ W_2 + b_2, rows)).reshape(memory.shape)

# %% right: in 64 bits
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    rows = layer_norm(memory.astype(float) + attended.astype(float))
    hidden = (rows @ W_1 + b_1).clip(min=0)
    return layer_norm(rows + hidden @ W_2 + b_2).astype(memory.dtype)

# %% right: biases as one more row of the matrices
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    def with_one(rows):
        return np.concatenate([rows, np.ones_like(rows[..., :1])], axis=-1)

    first, second = np.vstack([W_1, b_1]), np.vstack([W_2, b_2])
    rows = layer_norm(memory + attended)
    return layer_norm(rows + with_one(np.fmax(with_one(rows) @ first, 0)) @ second)

# %% right: hidden units one by one
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    rows = layer_norm(memory + attended)
    made = rows + b_2
    for unit in range(len(b_1)):
        on = np.maximum((rows * W_1[:, unit]).sum(axis=-1) + b_1[unit], 0)
        made = made + on[..., None] * W_2[unit]
    return layer_norm(made)

# %% base
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    total = memory + attended
    rows = layer_norm(total)
    entered = rows
    inner = entered @ W_1 + b_1
    hidden = np.maximum(inner, 0)
    change = hidden @ W_2
    change = change + b_2
    again = rows
    return layer_norm(again + change)

# %% wrong: the memory isn't added advice="The first residual is missing: normalize memory + attended, not attended alone." of="base"
# was:         total = memory + attended
# becomes:     total = attended

# %% wrong: no first norm advice="The first norm is missing: normalize memory + attended before the network." of="base"
# was:         rows = layer_norm(total)
# becomes:     rows = total

# %% wrong: no second norm advice="The second norm is missing: normalize the sum at the end as well." of="base"
# was:         return layer_norm(again + change)
# becomes:     return again + change

# %% wrong: relu twice advice="A second relu follows the second matrix: only the hidden layer has one." of="base"
# was:         change = change + b_2
# becomes:     change = np.maximum(change + b_2, 0)

# %% wrong: the memory alone normalised advice="The memory is normalized before attended is added: add first, then normalize the sum." of="base"
# was:         rows = layer_norm(total)
# becomes:     rows = layer_norm(memory) + attended

# %% wrong: the second residual missing advice="The second residual is missing: add the normalized rows to the result of the network, then normalize." of="base"
# was:         return layer_norm(again + change)
# becomes:     return layer_norm(change)

# %% wrong: the memory as second residual advice="The second residual adds the memory: add the normalized rows that went into the network." of="base"
# was:         again = rows
# becomes:     again = memory

# %% wrong: pre-norm, normalised advice="The second residual adds memory + attended as it was before the norm: add the normalized rows that went into the network." of="base"
# was:         again = rows
# becomes:     again = total

# %% wrong: normalised before the first sum advice="attended is normalized before it is added: add first, then normalize the sum." of="base"
# was:         rows = layer_norm(total)
# becomes:     rows = memory + layer_norm(attended)

# %% wrong: the network of memory and attended advice="The network works on memory + attended: send the normalized rows through it." of="base"
# was:         entered = rows
# becomes:     entered = total

# %% wrong: relu missing advice="The relu is missing: it follows the first matrix and its bias." of="base"
# was:         hidden = np.maximum(inner, 0)
# becomes:     hidden = inner

# %% wrong: relu before the bias advice="The relu comes before b_1: add the bias first." of="base"
# was:         hidden = np.maximum(inner, 0)
# becomes:     hidden = np.maximum(inner - b_1, 0) + b_1

# %% wrong: no b_1 advice="b_1 is missing: add it before the relu." of="base"
# was:         inner = entered @ W_1 + b_1
# becomes:     inner = entered @ W_1

# %% wrong: no b_2 advice="b_2 is missing: add it after the second matrix." of="base"
# was:         change = change + b_2
# becomes:

# %% wrong: nothing attended advice="attended is missing: normalize memory + attended, not the memory alone." of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = layer_norm(memory)

# %% wrong: a difference advice="attended is subtracted from the memory: add it." of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = layer_norm(memory - attended)

# %% wrong: a product advice="memory and attended are multiplied: add them." of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = layer_norm(memory * attended)

# %% wrong: both residuals missing advice="Both residuals are missing: normalize memory + attended, and add these rows again to the result of the network." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: rows = layer_norm(attended)
# becomes: return layer_norm(np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: attended as second residual advice="The second residual adds attended: add the normalized rows that went into the network." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(attended + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: pre-norm advice="Only what goes into the network is normalized: each norm comes after a sum, so normalize memory + attended, add to these rows, and normalize again." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return memory + attended + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2

# %% wrong: no norm at all advice="Both norms are missing: normalize memory + attended, and the sum at the end." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: rows = memory + attended
# becomes: return rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2

# %% wrong: no norm at all, and a second relu advice="Both norms are missing, and there is a relu after W_2: normalize memory + attended and the sum at the end, and take the relu of the hidden layer only." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: rows = memory + attended
# becomes: return rows + np.maximum(np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2, 0)

# %% wrong: both normalised before the first sum advice="memory and attended are normalized one by one: add first, then normalize the sum." of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = layer_norm(memory) + layer_norm(attended)

# %% wrong: normalised before the second sum advice="The result of the network is normalized before the rows are added: add first, then normalize the sum." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return rows + layer_norm(np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: normalised three times advice="The result of the network is normalized by itself, and the sum again: add the rows first, and normalize only the sum." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + layer_norm(np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2))

# %% wrong: hidden layer normalised advice="The hidden layer is normalized: a norm belongs after each of the two sums alone." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + np.maximum(layer_norm(rows @ W_1 + b_1), 0) @ W_2 + b_2)

# %% wrong: norm over slots advice="The norm runs over the slots: take mean and variance of each row, along the last axis." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return (x - x.mean(axis=1, keepdims=True)) / (x.var(axis=1, keepdims=True) + 1e-5) ** 0.5
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: norm over slots and numbers advice="The norm runs over slots and features together: take mean and variance of each row by itself, along the last axis." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return (x - x.mean(axis=(1, 2), keepdims=True)) / np.sqrt(x.var(axis=(1, 2), keepdims=True) + 1e-5)
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: norm over slots and features, and a second relu advice="The norm runs over slots and features together, and a second relu follows W_2: normalize each row by itself, along the last axis, and use relu in the hidden layer only."
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    def norm(rows):
        rows = rows - rows.mean(axis=(-2, -1), keepdims=True)
        return rows / np.sqrt((rows * rows).mean(axis=(-2, -1), keepdims=True) + 1e-5)

    rows = norm(memory + attended)
    change = np.maximum(np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2, 0)
    return norm(rows + change)

# %% wrong: norm over everything advice="The norm runs over all numbers of all sequences: take mean and variance of each row by itself, along the last axis." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return (x - x.mean()) / (x.var() + 1e-5) ** 0.5
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: norm over the batch advice="The norm runs over the sequences: take mean and variance of each row, along the last axis." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return (x - x.mean(axis=0)) / (x.var(axis=0) + 1e-5) ** 0.5
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: batch norm advice="This is batch norm, over all rows of all sequences: take mean and variance of each row by itself, along the last axis." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return (x - x.mean(axis=(0, 1))) / (x.var(axis=(0, 1)) + 1e-5) ** 0.5
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: unbiased variance advice="The variance is divided by d − 1: divide by d, as the given layer_norm does, or use ddof=0." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return (x - x.mean(axis=-1, keepdims=True)) / (x.var(axis=-1, keepdims=True, ddof=1) + 1e-5) ** 0.5
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: unbiased standard deviation advice="The variance is divided by d − 1: divide by d, as the given layer_norm does, or use ddof=0." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return (x - x.mean(axis=-1, keepdims=True)) / (x.std(axis=-1, keepdims=True, ddof=1) + 1e-5)
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: divided by the variance advice="The rows are divided by their variance: divide by its root, as the given layer_norm does." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return (x - x.mean(axis=-1, keepdims=True)) / (x.var(axis=-1, keepdims=True) + 1e-5)
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: the mean stays advice="The mean of a row isn't subtracted: subtract it first, as the given layer_norm does." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return x / (x.var(axis=-1, keepdims=True) + 1e-5) ** 0.5
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: root of the mean square advice="The mean of a row isn't subtracted: each row is only divided by the root of its mean square; use the given layer_norm." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return x / ((x * x).mean(axis=-1, keepdims=True) + 1e-5) ** 0.5
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: only the mean taken away advice="The rows are not divided by their standard deviation: the norm does that as well, so use the given layer_norm." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return x - x.mean(axis=-1, keepdims=True)
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: rows of length 1 advice="Each row got length 1: the norm makes its mean 0 and its variance 1, so use the given layer_norm." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: rows = (memory + attended) / np.linalg.norm(memory + attended, axis=-1, keepdims=True)
# becomes: rows = rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2
# becomes: return rows / np.linalg.norm(rows, axis=-1, keepdims=True)

# %% wrong: softmax for a norm advice="There is a softmax in place of the norm: use the given layer_norm." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: rows = softmax(memory + attended)
# becomes: return softmax(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: relu late advice="The relu comes after the second matrix: it belongs after the first matrix and its bias, and not at the end." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + np.maximum((rows @ W_1 + b_1) @ W_2 + b_2, 0))

# %% wrong: relu between second matrix and bias advice="The relu comes after the second matrix: it belongs after the first matrix and its bias, before the second matrix." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + np.maximum((rows @ W_1 + b_1) @ W_2, 0) + b_2)

# %% wrong: relu of the sum advice="A relu is taken of the last sum: only the hidden layer has one." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(np.maximum(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2, 0))

# %% wrong: relu of the result advice="A relu is taken of the result: only the hidden layer has one." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return np.maximum(layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2), 0)

# %% wrong: relu of the rows advice="The relu is taken of the rows, before the first matrix: it follows the first matrix and its bias." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + (np.maximum(rows, 0) @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: tanh for relu advice="The hidden layer has a tanh: it should have a relu." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + np.tanh(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: sigmoid for relu advice="The hidden layer has a sigmoid: it should have a relu." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + sigmoid(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: gelu for relu advice="The hidden layer has a gelu: it should have a relu." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + F.gelu(torch.tensor(rows @ W_1 + b_1)).numpy() @ W_2 + b_2)

# %% wrong: leaky relu advice="Negative numbers are only scaled down in the hidden layer: a relu makes them 0." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0.01 * (rows @ W_1 + b_1)) @ W_2 + b_2)

# %% wrong: no biases advice="Both biases are missing: add b_1 before the relu, and b_2 after the second matrix." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + np.maximum(rows @ W_1, 0) @ W_2)

# %% wrong: b_1 subtracted advice="b_1 is subtracted: add it." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + np.maximum(rows @ W_1 - b_1, 0) @ W_2 + b_2)

# %% wrong: b_2 subtracted advice="b_2 is subtracted: add it." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 - b_2)

# %% wrong: the network of attended advice="The network works on attended: send the normalized rows through it." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + np.maximum(attended @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: the network of the memory advice="The network works on the memory: send the normalized rows through it." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + np.maximum(memory @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: only the first half advice="These are the rows after the first norm: send them through the network, add the rows, and normalize again." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return rows

# %% wrong: only what the network gives advice="This is the result of the network: add the rows to it, and normalize." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2

# %% wrong: the memory added at the end advice="The memory is added to the result: return the last norm as it is." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return memory + layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: a tanh at the end advice="A tanh is taken of the result: that comes in 6.4, so return the last norm as it is." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return np.tanh(layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2))

# %% wrong: the network of the mean slot advice="The network gets the mean of the slots: send each row through it by itself." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + np.maximum(rows.mean(axis=1, keepdims=True) @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: sequence 0 for all advice="Every sequence got what sequence 0 attended to: add memory and attended as they are." of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = layer_norm(memory + attended[:1])

# %% wrong: slot 0 for all advice="Every slot got what slot 0 attended to: add memory and attended as they are." of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = layer_norm(memory + attended[:, :1])

# %% wrong: rows not put back into sequences advice="All rows are in one long table: return them as (batch, slots, d)." of="one flat table"
# was:     return layer_norm(np.add(hidden @ W_2 + b_2, rows)).reshape(memory.shape)
# becomes: return layer_norm(np.add(hidden @ W_2 + b_2, rows))

# %% wrong: memory changed in place says="differs from its value before the call" of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: memory += attended
# becomes: rows = layer_norm(memory)

# %% wrong: attended changed in place says="differs from its value before the call" of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = layer_norm(np.add(attended, memory, out=attended))

# %% wrong: the result written into the memory says="differs from its value before the call" of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: memory[:] = layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return memory

# %% wrong: forgets return says="does your function end with a return?" of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: rows = layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: gives both steps advice="Give back the candidate alone: here the rows after the first norm come along." of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return rows, layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: a dict says="it should have the keys candidate" of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return {"rows": layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)}

# %% wrong: W_1 transposed says="matmul" of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + np.maximum(rows @ W_1.T + b_1, 0) @ W_2 + b_2)

# %% wrong: matrices swapped says="matmul" of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + np.maximum(rows @ W_2 + b_1, 0) @ W_1 + b_2)

# %% wrong: biases swapped says="could not be broadcast" of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + np.maximum(rows @ W_1 + b_2, 0) @ W_2 + b_1)

# %% wrong: a bias for each slot says="could not be broadcast" of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + np.maximum(rows @ W_1 + b_1[:, None], 0) @ W_2 + b_2)

# %% wrong: matrices from the left says="matmul" of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + np.maximum(W_1 @ rows + b_1, 0) @ W_2 + b_2)

# %% wrong: matrices multiplied number by number says="could not be broadcast" of="reference"
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: return layer_norm(rows + np.maximum(rows * W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: its own standard deviation without keepdim says="could not be broadcast" of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = memory + attended
# becomes: rows = (rows - rows.mean(axis=-1)) / rows.std(axis=-1)

# %% wrong: nothing added to the variance advice="A row of equal numbers is divided by 0: add 1e-5 to the variance, under the root, as the given layer_norm does." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     x = x - x.mean(axis=-1, keepdims=True)
# becomes:     return x / (x**2).mean(axis=-1, keepdims=True) ** 0.5
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: 1e-5 added to the root advice="1e-5 is added outside of the root: add it to the variance, under the root, as the given layer_norm does." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     x = x - x.mean(axis=-1, keepdims=True)
# becomes:     return x / ((x**2).mean(axis=-1, keepdims=True) ** 0.5 + 1e-5)
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: 1e-6 added to the variance advice="Less than 1e-5 is added to the variance: add 1e-5, under the root, as the given layer_norm does." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     x = x - x.mean(axis=-1, keepdims=True)
# becomes:     return x / ((x**2).mean(axis=-1, keepdims=True) + 1e-6) ** 0.5
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: 1e-12 added to the variance advice="Less than 1e-5 is added to the variance: add 1e-5, under the root, as the given layer_norm does." of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     x = x - x.mean(axis=-1, keepdims=True)
# becomes:     return x / ((x**2).mean(axis=-1, keepdims=True) + 1e-12) ** 0.5
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + np.maximum(rows @ W_1 + b_1, 0) @ W_2 + b_2)

# %% wrong: b_2 after the norm advice="b_2 is added after the second norm: add it to the result of the network, before the norm." of="base"
# was:         change = change + b_2
# becomes:

# was:         return layer_norm(again + change)
# becomes:     return layer_norm(again + change) + b_2

# %% wrong: b_2 after the norm, too advice="b_2 is added again after the second norm: add it once, before the norm." of="base"
# was:         return layer_norm(again + change)
# becomes:     return layer_norm(again + change) + b_2

# %% wrong: the second norm only takes the mean away advice="The second norm does not divide by the standard deviation: use the given layer_norm there, too." of="base"
# was:         return layer_norm(again + change)
# becomes:     made = again + change
# becomes:     return made - made.mean(axis=-1, keepdims=True)

# %% wrong: the first norm only takes the mean away advice="The first norm does not divide by the standard deviation: use the given layer_norm there, too." of="base"
# was:         rows = layer_norm(total)
# becomes:     rows = total - total.mean(axis=-1, keepdims=True)

# %% wrong: the second norm over the slots advice="The second norm runs over the slots: it should normalize each row, along the last axis." of="base"
# was:         return layer_norm(again + change)
# becomes:     return np.swapaxes(layer_norm(np.swapaxes(again + change, 1, 2)), 1, 2)

# %% wrong: the first norm over the slots advice="The first norm runs over the slots: it should normalize each row, along the last axis." of="base"
# was:         rows = layer_norm(total)
# becomes:     rows = np.swapaxes(layer_norm(np.swapaxes(total, 1, 2)), 1, 2)

# %% wrong: relu capped at 30 says="in the candidate for another memory" unseen="no visible test has such an input" visible=false fails=["update-rows-test"]
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    rows = layer_norm(memory + attended)
    hidden = np.clip(rows @ W_1 + b_1, 0, 30)
    return layer_norm(rows + hidden @ W_2 + b_2)
