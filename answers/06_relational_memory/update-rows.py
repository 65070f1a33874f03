# %% right: loops over rows
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    def norm(row):
        row = row - row.mean()
        return row / torch.sqrt((row * row).mean() + 1e-5)

    result = []
    for old, new in zip(memory, attended):
        rows = [norm(one + other) for one, other in zip(old, new)]
        result.append(torch.stack([norm(row + torch.clamp(row @ W_1 + b_1, min=0) @ W_2 + b_2) for row in rows]))
    return torch.stack(result)

# %% right: torch's own functions
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    d = memory.size(-1)
    rows = F.layer_norm(torch.add(memory, attended), (d,))
    change = F.linear(F.relu(F.linear(rows, W_1.T, b_1)), W_2.T, b_2)
    return F.layer_norm(rows + change, (d,))

# %% right: einsum, mean and variance
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    rows = memory + attended
    variance, mean = torch.var_mean(rows, dim=-1, correction=0, keepdim=True)
    rows = (rows - mean) * torch.rsqrt(variance + 1e-5)
    hidden = torch.einsum("bsd,dh->bsh", rows, W_1) + b_1
    hidden = hidden * (hidden > 0)
    rows = rows + torch.einsum("bsh,hd->bsd", hidden, W_2) + b_2
    return (rows - rows.mean(dim=-1, keepdim=True)) / (rows.var(dim=-1, unbiased=False, keepdim=True) + 1e-5).sqrt()

# %% right: one flat table, addmm
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    rows = layer_norm((memory + attended).flatten(0, 1))
    hidden = torch.addmm(b_1, rows, W_1).relu()
    return layer_norm(torch.addmm(b_2, hidden, W_2).add(rows)).unflatten(0, memory.shape[:2])

# %% right: in 64 bits, nn.LayerNorm
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    norm = nn.LayerNorm(memory.shape[-1], elementwise_affine=False)
    rows = norm(memory.double() + attended.double())
    made = norm(rows + (rows @ W_1.double() + b_1).relu() @ W_2.double() + b_2)
    return made.to(memory.dtype)

# %% right: biases as one more row of the matrices
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    def with_one(rows):
        return torch.cat([rows, torch.ones_like(rows[..., :1])], dim=-1)

    first, second = torch.cat([W_1, b_1[None]]), torch.cat([W_2, b_2[None]])
    rows = layer_norm(memory + attended)
    return layer_norm(rows + with_one((with_one(rows) @ first).relu()) @ second)

# %% right: hidden units one by one
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    rows = layer_norm(memory + attended)
    made = rows + b_2
    for unit in range(len(b_1)):
        on = F.relu((rows * W_1[:, unit]).sum(dim=-1) + b_1[unit])
        made = made + on[..., None] * W_2[unit]
    return layer_norm(made)

# %% right: bmm, slots as one axis
def update_rows(memory, attended, W_1, b_1, W_2, b_2):
    batch = len(memory)
    rows = layer_norm(memory + attended)
    hidden = torch.maximum(torch.bmm(rows, W_1.expand(batch, *W_1.shape)) + b_1, torch.zeros_like(b_1))
    return layer_norm(rows + torch.baddbmm(b_2, hidden, W_2.expand(batch, *W_2.shape)))

# %% wrong: the memory isn't added advice="The first residual is missing: normalise memory + attended, not attended alone." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = layer_norm(attended)

# %% wrong: nothing attended advice="What was attended to is missing: normalise memory + attended, not the memory alone." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = layer_norm(memory)

# %% wrong: a difference advice="attended is subtracted from the memory: add it." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = layer_norm(memory - attended)

# %% wrong: a product advice="memory and attended are multiplied: add them." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = layer_norm(memory * attended)

# %% wrong: the second residual missing advice="The second residual is missing: add the normalised rows to what the network gives, then normalise." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: both residuals missing advice="Both residuals are missing: normalise memory + attended, and add these rows again to what the network gives." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: rows = layer_norm(attended)
# becomes: return layer_norm(torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: the memory as second residual advice="The second residual adds the memory: add the normalised rows that went into the network." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(memory + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: attended as second residual advice="The second residual adds attended: add the normalised rows that went into the network." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(attended + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: pre-norm, normalised advice="The second residual adds memory + attended as it was before the norm: add the normalised rows that went into the network." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(memory + attended + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: pre-norm advice="Only what goes into the network is normalised: each norm comes after a sum, so normalise memory + attended, add to these rows, and normalise again." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return memory + attended + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2

# %% wrong: no first norm advice="The first norm is missing: normalise memory + attended before the network." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = memory + attended

# %% wrong: no second norm advice="The second norm is missing: normalise the sum at the end, too." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2

# %% wrong: no norm at all advice="Both norms are missing: normalise memory + attended, and the sum at the end." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: rows = memory + attended
# becomes: return rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2

# %% wrong: normalised before the first sum advice="attended is normalised before it is added: add first, then normalise the sum." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = memory + layer_norm(attended)

# %% wrong: memory normalised before the first sum advice="The memory is normalised before attended is added: add first, then normalise the sum." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = layer_norm(memory) + attended

# %% wrong: both normalised before the first sum advice="memory and attended are normalised one by one: add first, then normalise the sum." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = layer_norm(memory) + layer_norm(attended)

# %% wrong: normalised before the second sum advice="What the network gives is normalised before the rows are added: add first, then normalise the sum." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return rows + layer_norm(torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: normalised three times advice="What the network gives is normalised by itself, and the sum again: add the rows first, and normalise only the sum." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + layer_norm(torch.relu(rows @ W_1 + b_1) @ W_2 + b_2))

# %% wrong: hidden layer normalised advice="The hidden layer is normalised: a norm belongs after each of the two sums alone." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu(layer_norm(rows @ W_1 + b_1)) @ W_2 + b_2)

# %% wrong: norm over slots advice="The norm runs over the slots: take mean and variance of each row, along the last axis." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return (x - x.mean(dim=1, keepdim=True)) / (x.var(dim=1, keepdim=True, unbiased=False) + 1e-5).sqrt()
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: norm over slots and numbers advice="The norm runs over slots and numbers together: take mean and variance of each row by itself, along the last axis." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return F.layer_norm(x, x.shape[1:])
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: norm over everything advice="The norm runs over all numbers of all sequences: take mean and variance of each row by itself, along the last axis." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return (x - x.mean()) / (x.var(unbiased=False) + 1e-5).sqrt()
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: norm over the batch advice="The norm runs over the sequences: take mean and variance of each row, along the last axis." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return (x - x.mean(dim=0)) / (x.var(dim=0, unbiased=False) + 1e-5).sqrt()
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: batch norm advice="This is batch norm, over all rows of all sequences: take mean and variance of each row by itself, along the last axis." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return (x - x.mean(dim=(0, 1))) / (x.var(dim=(0, 1), unbiased=False) + 1e-5).sqrt()
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: unbiased variance advice="The variance is divided by d − 1: divide by d, as the given layer_norm does, or use unbiased=False." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return (x - x.mean(dim=-1, keepdim=True)) / (x.var(dim=-1, keepdim=True) + 1e-5).sqrt()
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: unbiased standard deviation advice="The variance is divided by d − 1: divide by d, as the given layer_norm does, or use unbiased=False." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return (x - x.mean(dim=-1, keepdim=True)) / (x.std(dim=-1, keepdim=True) + 1e-5)
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: divided by the variance advice="The rows are divided by their variance: divide by its root, as the given layer_norm does." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return (x - x.mean(dim=-1, keepdim=True)) / (x.var(dim=-1, keepdim=True, unbiased=False) + 1e-5)
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: the mean stays advice="The mean of a row isn't subtracted: the norm takes it away first, as the given layer_norm does." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return x / (x.var(dim=-1, keepdim=True, unbiased=False) + 1e-5).sqrt()
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: root of the mean square advice="The mean of a row isn't subtracted: each row is only divided by the root of its mean square; use the given layer_norm." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return x / ((x * x).mean(dim=-1, keepdim=True) + 1e-5).sqrt()
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: only the mean taken away advice="The rows are not divided by their standard deviation: the norm does that, too, so use the given layer_norm." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     return x - x.mean(dim=-1, keepdim=True)
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: rows of length 1 advice="Each row got length 1: the norm makes its mean 0 and its variance 1, so use the given layer_norm." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: rows = F.normalize(memory + attended, dim=-1)
# becomes: return F.normalize(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2, dim=-1)

# %% wrong: softmax for a norm advice="Softmax stands in the place of the norm: use the given layer_norm." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: rows = F.softmax(memory + attended, dim=-1)
# becomes: return F.softmax(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2, dim=-1)

# %% wrong: relu missing advice="The relu is missing: it follows the first matrix and its bias." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + (rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: relu late advice="The relu comes after the second matrix: it belongs after the first matrix and its bias, and not at the end." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu((rows @ W_1 + b_1) @ W_2 + b_2))

# %% wrong: relu between second matrix and bias advice="The relu comes after the second matrix: it belongs after the first matrix and its bias, before the second matrix." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu((rows @ W_1 + b_1) @ W_2) + b_2)

# %% wrong: relu twice advice="A second relu follows the second matrix: only the hidden layer has one." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu(torch.relu(rows @ W_1 + b_1) @ W_2 + b_2))

# %% wrong: relu of the sum advice="A relu is taken of the last sum: only the hidden layer has one." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(torch.relu(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2))

# %% wrong: relu of the result advice="A relu is taken of the result: only the hidden layer has one." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return torch.relu(layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2))

# %% wrong: relu of the rows advice="The relu is taken of the rows, before the first matrix: it follows the first matrix and its bias." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + (torch.relu(rows) @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: relu before the bias advice="The relu comes before b_1: add the bias first." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + (torch.relu(rows @ W_1) + b_1) @ W_2 + b_2)

# %% wrong: tanh for relu advice="The hidden layer has a tanh: it should have a relu." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.tanh(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: sigmoid for relu advice="The hidden layer has a sigmoid: it should have a relu." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.sigmoid(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: gelu for relu advice="The hidden layer has a gelu: it should have a relu." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + F.gelu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: leaky relu advice="Negative numbers are made small in the hidden layer: a relu makes them 0." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + F.leaky_relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: no b_1 advice="b_1 is missing: add it before the relu." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu(rows @ W_1) @ W_2 + b_2)

# %% wrong: no b_2 advice="b_2 is missing: add it after the second matrix." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2)

# %% wrong: no biases advice="Both biases are missing: add b_1 before the relu, and b_2 after the second matrix." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu(rows @ W_1) @ W_2)

# %% wrong: b_1 subtracted advice="b_1 is subtracted: add it." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu(rows @ W_1 - b_1) @ W_2 + b_2)

# %% wrong: b_2 subtracted advice="b_2 is subtracted: add it." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 - b_2)

# %% wrong: the network of memory and attended advice="The network works on memory + attended: send the normalised rows through it." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu((memory + attended) @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: the network of attended advice="The network works on attended: send the normalised rows through it." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu(attended @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: the network of the memory advice="The network works on the memory: send the normalised rows through it." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu(memory @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: only the first half advice="These are the rows after the first norm: send them through the network, add the rows, and normalise again." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return rows

# %% wrong: only what the network gives advice="This is what the network gives: add the rows to it, and normalise." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return torch.relu(rows @ W_1 + b_1) @ W_2 + b_2

# %% wrong: the memory added at the end advice="The memory is added to the result: give back the last norm as it is." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return memory + layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: a tanh at the end advice="A tanh is taken of the result: that comes in 6.4, so give back the last norm as it is." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return torch.tanh(layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2))

# %% wrong: the network of the mean slot advice="The network gets the mean of the slots: send each row through it by itself." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu(rows.mean(dim=1, keepdim=True) @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: sequence 0 for all advice="Every sequence got what sequence 0 attended to: add memory and attended as they are." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = layer_norm(memory + attended[:1])

# %% wrong: slot 0 for all advice="Every slot got what slot 0 attended to: add memory and attended as they are." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = layer_norm(memory + attended[:, :1])

# %% wrong: rows not put back into sequences advice="All rows stand in one long table: give them back as (batch, slots, d)." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="one flat table, addmm"
# was:     return layer_norm(torch.addmm(b_2, hidden, W_2).add(rows)).unflatten(0, memory.shape[:2])
# becomes: return layer_norm(torch.addmm(b_2, hidden, W_2).add(rows))

# %% wrong: memory changed in place says="an input was changed" fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: memory += attended
# becomes: rows = layer_norm(memory)

# %% wrong: attended changed in place says="an input was changed" of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = layer_norm(attended.add_(memory))

# %% wrong: the result written into the memory says="an input was changed" fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: memory[:] = layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return memory

# %% wrong: forgets return says="does your function end with a return?" fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: rows = layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: gives both steps advice="Give back the candidate alone: here the rows after the first norm come along." fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return rows, layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: a dict says="it should have the keys candidate" fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return {"rows": layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)}

# %% wrong: W_1 transposed says="mat1 and mat2 shapes cannot be multiplied" fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu(rows @ W_1.T + b_1) @ W_2 + b_2)

# %% wrong: matrices not turned for F.linear says="mat1 and mat2 shapes cannot be multiplied" fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="torch's own functions"
# was:     change = F.linear(F.relu(F.linear(rows, W_1.T, b_1)), W_2.T, b_2)
# becomes: change = F.linear(F.relu(F.linear(rows, W_1, b_1)), W_2, b_2)

# %% wrong: matrices swapped says="mat1 and mat2 shapes cannot be multiplied" fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu(rows @ W_2 + b_1) @ W_1 + b_2)

# %% wrong: biases swapped says="The size of tensor a (4) must match the size of tensor b (5)" fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu(rows @ W_1 + b_2) @ W_2 + b_1)

# %% wrong: a bias for each slot says="must match the size of tensor b" fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu(rows @ W_1 + b_1[:, None]) @ W_2 + b_2)

# %% wrong: matrices from the left says="Expected size for first two dimensions" fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu(W_1 @ rows + b_1) @ W_2 + b_2)

# %% wrong: the d of the first call says="normalized_shape" fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="torch's own functions"
# was:     d = memory.size(-1)
# becomes: d = 5

# %% wrong: matrices multiplied number by number says="must match the size of tensor b" fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: return layer_norm(rows + torch.relu(rows * W_1 + b_1) @ W_2 + b_2)

# %% wrong: its own standard deviation without keepdim says="must match the size of tensor b" fails=["update-rows-test", "relational-memory-linked-test", "relational-memory-alone-test", "relational-memory-errors-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# becomes: rows = memory + attended
# becomes: rows = (rows - rows.mean(dim=-1)) / rows.std(dim=-1)

# %% wrong: nothing added to the variance advice="A row of equal numbers is divided by 0: add 1e-5 to the variance, under the root, as the given layer_norm does." fails=["update-rows-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     x = x - x.mean(dim=-1, keepdim=True)
# becomes:     return x / x.pow(2).mean(dim=-1, keepdim=True).sqrt()
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: 1e-5 added to the root advice="1e-5 is added outside of the root: add it to the variance, under the root, as the given layer_norm does." fails=["update-rows-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     x = x - x.mean(dim=-1, keepdim=True)
# becomes:     return x / (x.pow(2).mean(dim=-1, keepdim=True).sqrt() + 1e-5)
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: 1e-6 added to the variance advice="Less than 1e-5 is added to the variance: add 1e-5, under the root, as the given layer_norm does." fails=["update-rows-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     x = x - x.mean(dim=-1, keepdim=True)
# becomes:     return x / (x.pow(2).mean(dim=-1, keepdim=True) + 1e-6).sqrt()
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)

# %% wrong: 1e-12 added to the variance advice="Less than 1e-5 is added to the variance: add 1e-5, under the root, as the given layer_norm does." fails=["update-rows-test"] of="reference"
# was:     rows = layer_norm(memory + attended)
# was:     return layer_norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
# becomes: def norm(x):
# becomes:     x = x - x.mean(dim=-1, keepdim=True)
# becomes:     return x / (x.pow(2).mean(dim=-1, keepdim=True) + 1e-12).sqrt()
# becomes: rows = norm(memory + attended)
# becomes: return norm(rows + torch.relu(rows @ W_1 + b_1) @ W_2 + b_2)
