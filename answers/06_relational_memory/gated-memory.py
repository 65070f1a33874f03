# %% right: loops over features
def gated_memory(memory, candidate, token, W, U, b, forget_bias=1.0):
    batch, slots, d = memory.shape
    seen, new = np.tanh(memory), np.zeros((batch, slots, d))
    for s in range(batch):
        for t in range(slots):
            for n in range(d):
                i = token[s] @ W[:, n] + seen[s, t] @ U[:, n] + b[n]
                f = token[s] @ W[:, d + n] + seen[s, t] @ U[:, d + n] + b[d + n] + forget_bias
                new[s, t, n] = math.tanh(candidate[s, t, n]) / (1 + math.exp(-i)) + memory[s, t, n] / (1 + math.exp(-f))
    return new

# %% right: einsum, halves by slices
def gated_memory(memory, candidate, token, W, U, b, forget_bias=1.0):
    d = memory.shape[-1]
    sums = np.einsum("bd,de->be", token, W)[:, np.newaxis] + np.einsum("bsd,de->bse", np.tanh(memory), U) + b
    write, keep = sigmoid(sums[..., :d]), sigmoid(sums[..., d:] + forget_bias)
    return write * np.tanh(candidate) + keep * memory

# %% right: one matrix for token, memory and bias
def gated_memory(memory, candidate, token, W, U, b, forget_bias=1.0):
    tokens = np.broadcast_to(token[:, None], memory.shape)
    seen = np.concatenate([tokens, np.tanh(memory), np.ones_like(memory[..., :1])], axis=-1)
    write, keep = np.split(seen @ np.vstack([W, U, b]), [memory.shape[-1]], axis=-1)
    return np.tanh(candidate) * sigmoid(write) + memory * sigmoid(keep + forget_bias)

# %% right: each gate by itself
def gated_memory(memory, candidate, token, W, U, b, forget_bias=1.0):
    d = token.shape[1]

    def gate(columns, more):
        word = np.dot(token, W[:, columns]) + b[columns] + more
        return sigmoid(word.reshape(len(token), 1, d) + np.tensordot(np.tanh(memory), U[:, columns], axes=1))

    return gate(slice(0, d), 0) * np.tanh(candidate) + gate(slice(d, None), forget_bias) * memory

# %% right: in 64 bits, sigmoid and tanh by exp
def gated_memory(memory, candidate, token, W, U, b, forget_bias=1.0):
    M, C, x, W, U, b = (one.astype(float) for one in (memory, candidate, token, W, U, b))

    def squash(s):
        return 1 / (1 + np.exp(-s))

    sums = np.matmul(2 * squash(2 * M) - 1, U) + np.matmul(x, W)[:, None, :] + b
    made = squash(sums[:, :, : M.shape[2]]) * (2 * squash(2 * C) - 1) + squash(sums[:, :, M.shape[2]:] + forget_bias) * M
    return made.astype(memory.dtype)

# %% right: forget bias as a row, all gates at once
def gated_memory(memory, candidate, token, W, U, b, forget_bias=1.0):
    batch, slots, d = memory.shape
    bias = b + forget_bias * (np.arange(2 * d) >= d)
    gates = sigmoid((token @ W + bias)[:, None] + np.tanh(memory) @ U).reshape(batch, slots, 2, d)
    return (gates * np.stack([np.tanh(candidate), memory], axis=2)).sum(axis=2)

# %% right: sequence by sequence, a list
def gated_memory(memory, candidate, token, W, U, b, forget_bias=1.0):
    def one(M, C, x):
        i, f = np.array_split(x @ W + np.tanh(M) @ U + b, 2, axis=1)
        return sigmoid(i) * np.tanh(C) + sigmoid(f + forget_bias) * M

    return [one(*parts) for parts in zip(memory, candidate, token)]

# %% right: torch
def gated_memory(memory, candidate, token, W, U, b, forget_bias=1.0):
    M, C, x, W, U, b = (torch.tensor(one) for one in (memory, candidate, token, W, U, b))
    i, f = torch.addmm(b, x, W)[:, None].add(torch.tanh(M) @ U).chunk(2, dim=-1)
    return torch.addcmul((f + forget_bias).sigmoid() * M, i.sigmoid(), C.tanh())

# %% base
def gated_memory(memory, candidate, token, W, U, b, forget_bias=1.0):
    from_token = (token @ W)[:, None]
    seen = np.tanh(memory)
    gates = from_token + seen @ U + b
    i, f = np.split(gates, 2, axis=-1)
    input_gate = sigmoid(i)
    forget_gate = sigmoid(f + forget_bias)
    written = np.tanh(candidate)
    kept = memory
    return input_gate * written + forget_gate * kept

# %% wrong: gates swapped advice="The gates have changed places: the first half of the columns is the input gate, the second the forget gate." of="base"
# was:         i, f = np.split(gates, 2, axis=-1)
# becomes:     f, i = np.split(gates, 2, axis=-1)

# %% wrong: forget bias always 1 advice="The forget bias is 1 whatever was asked for: add the argument forget_bias." of="base"
# was:         forget_gate = sigmoid(f + forget_bias)
# becomes:     forget_gate = sigmoid(f + 1)

# %% wrong: forget bias on both gates advice="The forget bias is added to both gates: add it to f alone." of="base"
# was:         input_gate = sigmoid(i)
# becomes:     input_gate = sigmoid(i + forget_bias)

# %% wrong: forget bias after the sigmoid advice="The forget bias is added after the sigmoid: add it to f before." of="base"
# was:         forget_gate = sigmoid(f + forget_bias)
# becomes:     forget_gate = sigmoid(f) + forget_bias

# %% wrong: columns in turn advice="The gates take every other column: columns 0 to d−1 are the input gate, columns d to 2d−1 the forget gate." of="base"
# was:         i, f = np.split(gates, 2, axis=-1)
# becomes:     i, f = gates[..., ::2], gates[..., 1::2]

# %% wrong: no forget bias advice="The forget bias is missing: add it to f before the sigmoid." of="base"
# was:         forget_gate = sigmoid(f + forget_bias)
# becomes:     forget_gate = sigmoid(f)

# %% wrong: candidate without tanh advice="The candidate goes in without tanh: multiply the input gate with tanh(candidate)." of="base"
# was:         written = np.tanh(candidate)
# becomes:     written = candidate

# %% wrong: memory without tanh in the gates advice="The gates read the memory without tanh: multiply tanh(memory) with U." of="base"
# was:         seen = np.tanh(memory)
# becomes:     seen = memory

# %% wrong: gates read the candidate advice="The gates read the candidate: they should read the old memory, through tanh." of="base"
# was:         seen = np.tanh(memory)
# becomes:     seen = np.tanh(candidate)

# %% wrong: the kept memory through tanh advice="The memory that is kept went through tanh: multiply the forget gate with the memory itself." of="base"
# was:         kept = memory
# becomes:     kept = np.tanh(memory)

# %% wrong: b forgotten advice="The bias b is missing in both gates: add it to their sums." of="base"
# was:         gates = from_token + seen @ U + b
# becomes:     gates = from_token + seen @ U

# %% wrong: no axis for the slots advice="Slot 1 got the token of sequence 1: give the token's part an axis for the slots, (token @ W)[:, None]." of="base"
# was:         from_token = (token @ W)[:, None]
# becomes:     from_token = token @ W

# %% wrong: the forget gate forgets advice="The memory is multiplied by 1 minus the forget gate: the gate says what stays, so multiply by it." of="base"
# was:         forget_gate = sigmoid(f + forget_bias)
# becomes:     forget_gate = 1 - sigmoid(f + forget_bias)

# %% wrong: columns unflattened the other way advice="The gates take every other column: columns 0 to d−1 are the input gate, columns d to 2d−1 the forget gate." of="reference"
# was:     i, f = np.split(gates, 2, axis=-1)
# becomes: i, f = np.moveaxis(gates.reshape(*gates.shape[:-1], -1, 2), -1, 0)

# %% wrong: forget bias on both, and again advice="The forget bias is added to both gates, and to f twice: add it to f alone, once." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ W)[:, None] + np.tanh(memory) @ U + b + forget_bias

# %% wrong: forget bias overwritten advice="The forget bias is 1 whatever was asked for: add the argument forget_bias." of="reference"
# was:     i, f = np.split(gates, 2, axis=-1)
# becomes: i, f = np.split(gates, 2, axis=-1)
# becomes: forget_bias = 1.0

# %% wrong: a default of 0 advice="Without a forget bias in the call it should be 1: leave its default at 1.0."
def gated_memory(memory, candidate, token, W, U, b, forget_bias=0.0):
    gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
    i, f = np.split(gates, 2, axis=-1)
    return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory

# %% wrong: forget bias on the input gate advice="The forget bias is added to the input gate: add it to f." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return sigmoid(i + forget_bias) * np.tanh(candidate) + sigmoid(f) * memory

# %% wrong: forget bias subtracted advice="The forget bias is subtracted: add it to f." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return sigmoid(i) * np.tanh(candidate) + sigmoid(f - forget_bias) * memory

# %% wrong: forget bias as a factor advice="f is multiplied by the forget bias: add it to f before the sigmoid." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return sigmoid(i) * np.tanh(candidate) + sigmoid(f * forget_bias) * memory

# %% wrong: forget bias twice advice="The forget bias is added twice: add it to f once." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias + forget_bias) * memory

# %% wrong: sigmoid of the candidate advice="The candidate goes through a sigmoid: it should be a tanh." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return sigmoid(i) * sigmoid(candidate) + sigmoid(f + forget_bias) * memory

# %% wrong: no tanh at all advice="Both tanh are missing: multiply tanh(memory) with U, and the input gate with tanh(candidate)." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# was:     i, f = np.split(gates, 2, axis=-1)
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: gates = (token @ W)[:, None] + memory @ U + b
# becomes: i, f = np.split(gates, 2, axis=-1)
# becomes: return sigmoid(i) * candidate + sigmoid(f + forget_bias) * memory

# %% wrong: tanh after the product advice="The tanh is taken of memory @ U: take it of the memory, before the product." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ W)[:, None] + np.tanh(memory @ U) + b

# %% wrong: tanh of the whole sum advice="The tanh is taken of the gates' sum: take it of the memory alone, before it is multiplied with U." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = np.tanh((token @ W)[:, None] + memory @ U + b)

# %% wrong: tanh of the token, too advice="The token goes through tanh, too: only the memory does." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (np.tanh(token) @ W)[:, None] + np.tanh(memory) @ U + b

# %% wrong: sigmoid of the memory in the gates advice="The gates read the sigmoid of the memory: it should be its tanh." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ W)[:, None] + sigmoid(memory) @ U + b

# %% wrong: gates read the candidate as it is advice="The gates read the candidate: they should read the old memory, through tanh." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ W)[:, None] + candidate @ U + b

# %% wrong: gates read both advice="The gates read memory and candidate: they should read the old memory alone." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ W)[:, None] + (np.tanh(memory) + np.tanh(candidate)) @ U + b

# %% wrong: coupled by the forget gate advice="The candidate is multiplied by 1 minus the forget gate: it has a gate of its own, the sigmoid of i." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: keep = sigmoid(f + forget_bias)
# becomes: return (1 - keep) * np.tanh(candidate) + keep * memory

# %% wrong: coupled by the input gate advice="The memory is multiplied by 1 minus the input gate: it has a gate of its own, the sigmoid of f + forget_bias." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return sigmoid(i) * np.tanh(candidate) + (1 - sigmoid(i)) * memory

# %% wrong: b subtracted advice="The bias b is subtracted: add it." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ W)[:, None] + np.tanh(memory) @ U - b

# %% wrong: b in the input gate alone advice="The bias b is missing in the forget gate: its second half belongs there." of="einsum, halves by slices"
# was:     sums = np.einsum("bd,de->be", token, W)[:, np.newaxis] + np.einsum("bsd,de->bse", np.tanh(memory), U) + b
# was:     write, keep = sigmoid(sums[..., :d]), sigmoid(sums[..., d:] + forget_bias)
# becomes: sums = np.einsum("bd,de->be", token, W)[:, np.newaxis] + np.einsum("bsd,de->bse", np.tanh(memory), U)
# becomes: write, keep = sigmoid(sums[..., :d] + b[:d]), sigmoid(sums[..., d:] + forget_bias)

# %% wrong: b in the forget gate alone advice="The bias b is missing in the input gate: its first half belongs there." of="einsum, halves by slices"
# was:     sums = np.einsum("bd,de->be", token, W)[:, np.newaxis] + np.einsum("bsd,de->bse", np.tanh(memory), U) + b
# was:     write, keep = sigmoid(sums[..., :d]), sigmoid(sums[..., d:] + forget_bias)
# becomes: sums = np.einsum("bd,de->be", token, W)[:, np.newaxis] + np.einsum("bsd,de->bse", np.tanh(memory), U)
# becomes: write, keep = sigmoid(sums[..., :d]), sigmoid(sums[..., d:] + b[d:] + forget_bias)

# %% wrong: the first half of b in both advice="Both gates have the first half of b: the forget gate has the second." of="einsum, halves by slices"
# was:     sums = np.einsum("bd,de->be", token, W)[:, np.newaxis] + np.einsum("bsd,de->bse", np.tanh(memory), U) + b
# becomes: sums = np.einsum("bd,de->be", token, W)[:, np.newaxis] + np.einsum("bsd,de->bse", np.tanh(memory), U) + np.tile(b[:d], 2)

# %% wrong: token not read advice="The token is missing in the gates: add token @ W, with an axis of length 1 for the slots." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = np.tanh(memory) @ U + b

# %% wrong: memory not read advice="The gates don't read the memory: add tanh(memory) @ U." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ W)[:, None] + b + 0 * np.tile(memory, 2)

# %% wrong: the mean slot in the gates advice="All slots share the gates of their mean: each slot has gates of its own, so multiply tanh(memory) with U as it is." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ W)[:, None] + np.tanh(memory).mean(axis=1, keepdims=True) @ U + b

# %% wrong: the mean slot, then tanh advice="All slots share the gates of their mean: each slot has gates of its own, so multiply tanh(memory) with U as it is." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ W)[:, None] + np.tanh(memory.mean(axis=1, keepdims=True)) @ U + b

# %% wrong: the sum of all slots in the gates advice="All slots share gates that read the sum of the slots: each slot has gates of its own, so multiply tanh(memory) with U as it is." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ W)[:, None] + np.tanh(memory).sum(axis=1, keepdims=True) @ U + b

# %% wrong: slot 0 in the gates advice="All slots share the gates of slot 0: each slot has gates of its own, so multiply tanh(memory) with U as it is." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ W)[:, None] + np.tanh(memory[:, :1]) @ U + b

# %% wrong: sequence 0's memory in the gates advice="Every sequence has gates that read the memory of sequence 0: multiply tanh(memory) with U as it is." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ W)[:, None] + np.tanh(memory[:1]) @ U + b

# %% wrong: sequence 0's token for all advice="Every sequence got the token of sequence 0: each has its own, so multiply token with W as it is." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = token[0] @ W + np.tanh(memory) @ U + b

# %% wrong: the mean token for all advice="Every sequence got the mean of all tokens: each has its own, so multiply token with W as it is." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = token.mean(axis=0) @ W + np.tanh(memory) @ U + b

# %% wrong: the axis in front advice="Slot 1 got the token of sequence 1: give the token's part an axis for the slots, (token @ W)[:, None]." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ W)[None] + np.tanh(memory) @ U + b

# %% wrong: the axis behind says="could not be broadcast" of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ W)[..., None] + np.tanh(memory) @ U + b

# %% wrong: W and U swapped advice="W and U have changed places: the token is multiplied with W, the memory with U." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ U)[:, None] + np.tanh(memory) @ W + b

# %% wrong: W for both advice="Token and memory are both multiplied with W: the memory's matrix is U." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ W)[:, None] + np.tanh(memory) @ W + b

# %% wrong: U for both advice="Token and memory are both multiplied with U: the token's matrix is W." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ U)[:, None] + np.tanh(memory) @ U + b

# %% wrong: a product of token and memory parts advice="The token's part and the memory's are multiplied: add them." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ W)[:, None] * (np.tanh(memory) @ U) + b

# %% wrong: no sigmoid advice="The gates are sums without a sigmoid: take it of i, and of f + forget_bias." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return i * np.tanh(candidate) + (f + forget_bias) * memory

# %% wrong: no sigmoid at the input gate advice="The input gate has no sigmoid: take it of i." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return i * np.tanh(candidate) + sigmoid(f + forget_bias) * memory

# %% wrong: no sigmoid at the forget gate advice="The forget gate has no sigmoid: take it of f + forget_bias." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return sigmoid(i) * np.tanh(candidate) + (f + forget_bias) * memory

# %% wrong: tanh for sigmoid advice="The gates are made by tanh: take the sigmoid, which lies between 0 and 1." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return np.tanh(i) * np.tanh(candidate) + np.tanh(f + forget_bias) * memory

# %% wrong: softmax for sigmoid advice="The gates are made by a softmax: take the sigmoid of each number by itself." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return softmax(i) * np.tanh(candidate) + softmax(f + forget_bias) * memory

# %% wrong: relu for sigmoid advice="The gates are made by a relu: take the sigmoid, which lies between 0 and 1." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return np.maximum(i, 0) * np.tanh(candidate) + np.maximum(f + forget_bias, 0) * memory

# %% wrong: tanh of the result advice="A tanh is taken of the sum: take it of the candidate alone." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return np.tanh(sigmoid(i) * candidate + sigmoid(f + forget_bias) * memory)

# %% wrong: one more tanh of the result advice="A tanh is taken of the result: return the sum itself, without another tanh." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return np.tanh(sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory)

# %% wrong: tanh of what is written advice="The tanh is taken of the product with the input gate: take it of the candidate alone, before the product." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return np.tanh(sigmoid(i) * candidate) + sigmoid(f + forget_bias) * memory

# %% wrong: all of the memory stays advice="All of the memory stays: multiply it with the forget gate." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return sigmoid(i) * np.tanh(candidate) + memory

# %% wrong: all of the candidate is written advice="All of tanh(candidate) is written: multiply it with the input gate." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return np.tanh(candidate) + sigmoid(f + forget_bias) * memory

# %% wrong: only what is written advice="Only the written part was returned: add the forget gate times the memory." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return sigmoid(i) * np.tanh(candidate)

# %% wrong: only what is kept advice="Only the kept part was returned: add the input gate times tanh(candidate)." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return sigmoid(f + forget_bias) * memory

# %% wrong: the gates on the wrong things advice="The gates are at the wrong places: the input gate multiplies tanh(candidate), the forget gate the memory, and the forget bias belongs to the second half." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return sigmoid(f + forget_bias) * np.tanh(candidate) + sigmoid(i) * memory

# %% wrong: memory and candidate swapped advice="Memory and candidate have changed places: the memory is the first argument." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: memory, candidate = candidate, memory
# becomes: gates = (token @ W)[:, None] + np.tanh(memory) @ U + b

# %% wrong: a difference advice="What is kept is subtracted: add it to what is written." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return sigmoid(i) * np.tanh(candidate) - sigmoid(f + forget_bias) * memory

# %% wrong: an output gate, too advice="The result is multiplied with the input gate, as if by an output gate: there is none here." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return sigmoid(i) * np.tanh(sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory)

# %% wrong: the result normalised advice="The result is normalized: the norms were in 6.3, so return the sum." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return layer_norm(sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory)

# %% wrong: the gates come along says="return only memory" of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory, gates

# %% wrong: only the gates advice="These are the gates: multiply tanh(candidate) with the first, the memory with the second, and add the two." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return sigmoid(i), sigmoid(f + forget_bias)

# %% wrong: a dict says="it should have the keys memory" of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return {"new": sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory}

# %% wrong: forgets return says="does your function end with a return?" of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: memory = sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory

# %% wrong: memory overwritten says="differs from its value before the call" of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: memory[:] = sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return memory

# %% wrong: memory multiplied in place says="differs from its value before the call" of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: memory *= sigmoid(f + forget_bias)
# becomes: return memory + sigmoid(i) * np.tanh(candidate)

# %% wrong: candidate changed in place says="differs from its value before the call" of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return sigmoid(i) * np.tanh(candidate, out=candidate) + sigmoid(f + forget_bias) * memory

# %% wrong: tanh in place advice="The memory that is kept went through tanh: multiply the forget gate with the memory itself." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ W)[:, None] + np.tanh(memory, out=memory) @ U + b

# %% wrong: forget bias added to b in place says="differs from its value before the call" of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# was:     i, f = np.split(gates, 2, axis=-1)
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: b[memory.shape[-1]:] += forget_bias
# becomes: gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: i, f = np.split(gates, 2, axis=-1)
# becomes: return sigmoid(i) * np.tanh(candidate) + sigmoid(f) * memory

# %% wrong: slots cut in two says="equal division" of="reference"
# was:     i, f = np.split(gates, 2, axis=-1)
# becomes: i, f = np.split(gates, 2, axis=1)

# %% wrong: sequences cut in two says="equal division" of="reference"
# was:     i, f = np.split(gates, 2, axis=-1)
# becomes: i, f = np.split(gates, 2)

# %% wrong: pieces of size 2 says="values to unpack" of="reference"
# was:     i, f = np.split(gates, 2, axis=-1)
# becomes: i, f = np.split(gates, [2, 2], axis=-1)

# %% wrong: halves of the size of the first call says="could not be broadcast" of="reference"
# was:     i, f = np.split(gates, 2, axis=-1)
# becomes: i, f = gates[..., :2], gates[..., 2:]

# %% wrong: matrices turned says="matmul" of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (token @ W.T)[:, None] + np.tanh(memory) @ U.T + b

# %% wrong: matrices from the left says="matmul" of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (W @ token)[:, None] + np.tanh(memory) @ U + b

# %% wrong: token joined below the slots says="shape" of="one matrix for token, memory and bias"
# was:     tokens = np.broadcast_to(token[:, None], memory.shape)
# was:     seen = np.concatenate([tokens, np.tanh(memory), np.ones_like(memory[..., :1])], axis=-1)
# becomes: tokens = token[:, None]
# becomes: seen = np.concatenate([tokens, np.tanh(memory), np.ones_like(memory[:, :1])], axis=1)

# %% wrong: math.tanh of an array says="converted" of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return sigmoid(i) * math.tanh(candidate) + sigmoid(f + forget_bias) * memory

# %% wrong: 1 − input gate, too advice="What is kept is multiplied by 1 − input gate as well: multiply the memory by the forget gate alone." of="base"
# was:         kept = memory
# becomes:     kept = (1 - input_gate) * memory

# %% wrong: tokens beyond 3 cut off advice="Large numbers of the token are cut off: use the token as it is." of="reference"
# was:     gates = (token @ W)[:, None] + np.tanh(memory) @ U + b
# becomes: gates = (np.clip(token, -3, 3) @ W)[:, None] + np.tanh(memory) @ U + b

# %% wrong: forget_bias or 1.0: a forget bias of 0 becomes 1 says="in the new memory" unseen="no visible test has such an input" visible=false fails=["gated-memory-test"]
def gated_memory(memory, candidate, token, W, U, b, forget_bias=1.0):
    forget_bias = forget_bias or 1.0
    i, f = np.split((token @ W)[:, None] + np.tanh(memory) @ U + b, 2, axis=-1)
    return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory

# %% wrong: tanh of the memory kept, and the bias after the sigmoid advice="Keep the memory itself, not its tanh, and add forget_bias to the sums before the sigmoid: sigmoid(f + forget_bias) * memory." of="reference"
# was:     return sigmoid(i) * np.tanh(candidate) + sigmoid(f + forget_bias) * memory
# becomes: return sigmoid(i) * np.tanh(candidate) + (sigmoid(f) + forget_bias) * np.tanh(memory)
