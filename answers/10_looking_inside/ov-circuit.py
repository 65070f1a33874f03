# %% right: chunks of rows and columns, numpy's eigenvalues
def ov_circuit(embed, unembed, v_weight, mix_weight, head, num_heads):
    V = v_weight.chunk(num_heads, dim=0)[head]
    O = mix_weight.chunk(num_heads, dim=1)[head]
    return (unembed @ (O @ (V @ embed.T))).T


def copying_score(circuit):
    values = np.linalg.eigvals(circuit.numpy())
    return values.real.sum() / np.abs(values).sum()

# %% right: one einsum over weights split by heads
def ov_circuit(embed, unembed, v_weight, mix_weight, head, num_heads):
    V = v_weight.reshape(num_heads, -1, v_weight.shape[1])
    O = mix_weight.reshape(mix_weight.shape[0], num_heads, -1)
    return torch.einsum("ad,nd,en,be->ab", embed, V[head], O[:, head], unembed)


def copying_score(circuit):
    values, _ = torch.linalg.eig(circuit)
    return (torch.real(values).sum() / torch.abs(values).sum()).item()

# %% right: all other heads set to 0
def ov_circuit(embed, unembed, v_weight, mix_weight, head, num_heads):
    hidden = v_weight.shape[0]
    keep = (torch.arange(hidden) // (hidden // num_heads) == head).to(embed.dtype)
    return embed @ v_weight.T @ torch.diag(keep) @ mix_weight.T @ unembed.T


def copying_score(circuit):
    values = torch.linalg.eigvals(circuit.double())
    above = sum(value.real.item() for value in values)
    return above / sum(abs(value.item()) for value in values)

# %% right: F.linear, and the trace for the sum of eigenvalues
def ov_circuit(embed, unembed, v_weight, mix_weight, head, num_heads):
    size = v_weight.size(0) // num_heads
    first, last = head * size, head * size + size
    value = F.linear(embed, v_weight[first:last])
    return F.linear(F.linear(value, mix_weight[:, first:last]), unembed)


def copying_score(circuit):
    return circuit.trace() / torch.linalg.eigvals(circuit).abs().sum()

# %% right: number by number of the head, in float64
def ov_circuit(embed, unembed, v_weight, mix_weight, head, num_heads):
    circuit = 0
    size = len(v_weight) // num_heads
    for n in range(head * size, (head + 1) * size):
        read, written = embed.double() @ v_weight[n].double(), unembed.double() @ mix_weight[:, n].double()
        circuit = circuit + torch.outer(read, written)
    return circuit


def copying_score(circuit):
    values = torch.linalg.eigvals(circuit.T)
    lengths = torch.sqrt(values.real**2 + values.imag**2)
    return values.real.mean().item() / lengths.mean().item()

# %% right: entry by entry
def ov_circuit(embed, unembed, v_weight, mix_weight, head, num_heads):
    size = v_weight.shape[0] // num_heads
    V, O = v_weight[head * size:][:size], mix_weight[:, head * size:][:, :size]
    rows = [[torch.dot(O @ (V @ a), b).item() for b in unembed] for a in embed]
    return torch.tensor(rows, dtype=embed.dtype)


def copying_score(circuit):
    values = np.linalg.eig(np.asarray(circuit, dtype=float))[0]
    return float(sum(values).real / sum(map(abs, values)))

# %% right: numpy, the two inner products first
def ov_circuit(embed, unembed, v_weight, mix_weight, head, num_heads):
    E, U, V, O = (one.detach().numpy() for one in (embed, unembed, v_weight, mix_weight))
    V = np.split(V, num_heads)[head]
    O = np.split(O, num_heads, axis=1)[head]
    return torch.from_numpy(E @ (O @ V).T @ U.T)


def copying_score(circuit):
    pairs = torch.view_as_real(torch.linalg.eigvals(circuit))
    return float(pairs[:, 0].sum() / pairs.norm(dim=1).sum())

# %% wrong: the whole result turned advice="The circuit is transposed: the row is the token attended to (embed), the column the token whose logit rises (unembed)." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return (embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T).T

# %% wrong: heads counted from 1 advice="Head 0 was used: heads are counted from 0, and the features of `head` begin at head · size." fails=["ov-circuit-test"] of="reference"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice((head - 1) * size, head * size)

# %% wrong: values and mix exchanged advice="v_weight and mix_weight are swapped: v_weight comes right after embed." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ mix_weight[:, own] @ v_weight[own] @ unembed.T

# %% wrong: embed and unembed exchanged advice="embed and unembed are swapped: embed comes first, unembed last." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return unembed @ v_weight[own].T @ mix_weight[:, own].T @ embed.T

# %% wrong: embed twice advice="The embedding is at both ends: the last factor is the transpose of unembed." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[own].T @ mix_weight[:, own].T @ embed.T

# %% wrong: interleaved advice="Every num_heads-th feature was used: the features of a head are adjacent, from head · size on." fails=["ov-circuit-test"] of="reference"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(head, None, num_heads)

# %% wrong: all heads advice="All heads are in this circuit: take this head's rows of v_weight and its columns of mix_weight." fails=["ov-circuit-test"] of="reference"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(None)

# %% wrong: from the head's number on advice="The features of the head begin at head · size, not at head." fails=["ov-circuit-test"] of="reference"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(head, head + size)

# %% wrong: heads as long as there are heads advice="A head has hidden // num_heads features, not num_heads: that is its number of rows of v_weight." fails=["ov-circuit-test"] of="reference"
# was:     size = v_weight.shape[0] // num_heads
# becomes: size = num_heads

# %% wrong: two heads, hard-coded advice="There are always two heads: divide hidden by num_heads." fails=["ov-circuit-test"] of="reference"
# was:     size = v_weight.shape[0] // num_heads
# becomes: size = v_weight.shape[0] // 2

# %% wrong: scaled advice="The circuit is divided by √size: that belongs to the scores of queries and keys, and there are none here." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T / size**0.5

# %% wrong: the last number left out advice="The last feature of the head is missing: the end of a slice is exclusive." fails=["ov-circuit-test"] of="reference"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(head * size, (head + 1) * size - 1)

# %% wrong: turned advice="The circuit is transposed: the row is the token attended to (embed), the column the token whose logit rises (unembed)." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return unembed @ mix_weight[:, own] @ v_weight[own] @ embed.T

# %% wrong: unembed twice advice="The unembedding is at both ends: the first factor is embed." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return unembed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T

# %% wrong: always head 0 advice="Head 0 was used: heads are counted from 0, and the features of `head` begin at head · size." fails=["ov-circuit-test"] of="reference"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(0, size)

# %% wrong: always the last head advice="The last head was used, whatever `head` is: end at (head + 1) · size." fails=["ov-circuit-test"] of="reference"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(-size, None)

# %% wrong: heads counted from the end advice="The head was counted from the end: head 0 has the first rows of v_weight." fails=["ov-circuit-test"] of="reference"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: first = v_weight.shape[0] - (head + 1) * size
# becomes: own = slice(first, first + size)

# %% wrong: the next head advice="No head, or the next one, was used: its features run from head · size to (head + 1) · size." fails=["ov-circuit-test"] of="reference"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice((head + 1) * size, (head + 2) * size)

# %% wrong: every size-th advice="Features with gaps of `size` were used: the features of a head are adjacent, from head · size on." fails=["ov-circuit-test"] of="reference"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(head, None, size)

# %% wrong: from the head's number to the right end advice="The slice begins at `head`: it begins at head · size." fails=["ov-circuit-test"] of="reference"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(head, (head + 1) * size)

# %% wrong: from there to the end advice="All features from the first one of the head on were used: end at (head + 1) · size." fails=["ov-circuit-test"] of="reference"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(head * size, None)

# %% wrong: up to there advice="All heads up to this one were used: begin at head · size." fails=["ov-circuit-test"] of="reference"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(0, (head + 1) * size)

# %% wrong: one number of the head advice="Only the first feature of the head was used: it has hidden // num_heads of them." fails=["ov-circuit-test"] of="reference"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(head * size, head * size + 1)

# %% wrong: one number too many advice="One feature too many was used: the end of a slice is exclusive, so it is (head + 1) · size." fails=["ov-circuit-test"] of="reference"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(head * size, (head + 1) * size + 1)

# %% wrong: begin and length advice="All numbers are 0: the head's rows and columns run from head · size to (head + 1) · size, and size is hidden // num_heads." fails=["ov-circuit-test"] of="reference"
# was:     own = slice(head * size, (head + 1) * size)
# becomes: own = slice(head * size, size)

# %% wrong: all heads but this one advice="These are all heads but this one: use only its rows and columns." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight.T @ mix_weight.T @ unembed.T - embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T

# %% wrong: head of the size of d_model advice="The head's size was taken from d_model: it is hidden // num_heads, and hidden is v_weight.shape[0]." fails=["ov-circuit-test"] of="reference"
# was:     size = v_weight.shape[0] // num_heads
# becomes: size = v_weight.shape[1] // num_heads

# %% wrong: values of head 0 advice="The values are head 0's: take this head's rows of v_weight." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[:size].T @ mix_weight[:, own].T @ unembed.T

# %% wrong: mix of head 0 advice="mix's columns are head 0's: take this head's." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[own].T @ mix_weight[:, :size].T @ unembed.T

# %% wrong: divided by the number of heads advice="The circuit is divided by num_heads: return the product itself." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T / num_heads

# %% wrong: the direct path added advice="The direct path embed @ unembed.T was added: the circuit is that of the head only." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T + embed @ unembed.T

# %% wrong: softmax advice="These are probabilities: the circuit is a table of changes of logits, without softmax." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return (embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T).softmax(dim=-1)

# %% wrong: largest 0 advice="Negative numbers are 0: a head may lower a logit, so keep them." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return (embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T).relu()

# %% wrong: absolute changes advice="All numbers are positive: a head may lower a logit, so keep the signs." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return (embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T).abs()

# %% wrong: without the unembedding's effect: the direct path alone advice="The head is missing: the rows of v_weight and the columns of mix_weight come between embed and unembed." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ unembed.T

# %% wrong: mix's columns forgotten, values compared advice="The rows of v_weight are used twice: after them come the head's columns of mix_weight." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return (embed @ v_weight[own].T) @ (unembed @ v_weight[own].T).T

# %% wrong: mix on both sides advice="mix_weight is used twice: the transpose of the rows of v_weight comes first." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ mix_weight[:, own] @ mix_weight[:, own].T @ unembed.T

# %% wrong: what the head reads advice="This is the value of each token: multiply by mix_weight and unembed as well." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[own].T

# %% wrong: what the head writes advice="This is the output of the head: the product with the transpose of unembed is missing." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[own].T @ mix_weight[:, own].T

# %% wrong: the OV matrix alone advice="This is only the product of v_weight and mix_weight: embed comes before it, the transpose of unembed after it." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return v_weight[own].T @ mix_weight[:, own].T

# %% wrong: the diagonal alone advice="Only the diagonal is returned: return the whole matrix." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return (embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T).diagonal()

# %% wrong: the mean of rows taken off advice="The mean of each row was subtracted: return the product itself." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: circuit = embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return circuit - circuit.mean(dim=-1, keepdim=True)

# %% wrong: embeddings of length 1 advice="The embeddings were normalized to length 1: use them unchanged." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return F.normalize(embed, dim=-1) @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T

# %% wrong: rounded advice="The numbers are rounded: don't round them." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return (embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T).round()

# %% wrong: reshaped in place of turned: the values advice="A reshape is not a transpose: transpose the rows of v_weight with .T." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[own].reshape(embed.shape[1], size) @ mix_weight[:, own].T @ unembed.T

# %% wrong: reshaped in place of turned: mix advice="A reshape is not a transpose: transpose the columns of mix_weight with .T." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[own].T @ mix_weight[:, own].reshape(size, embed.shape[1]) @ unembed.T

# %% wrong: reshaped in place of turned: the unembedding advice="A reshape is not a transpose: transpose unembed with .T." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.reshape(embed.shape[1], -1)

# %% wrong: rows of mix says="cannot be multiplied" fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[own].T @ mix_weight[own].T @ unembed.T

# %% wrong: columns of the values says="cannot be multiplied" fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[:, own].T @ mix_weight[:, own].T @ unembed.T

# %% wrong: values not turned says="cannot be multiplied" fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[own] @ mix_weight[:, own].T @ unembed.T

# %% wrong: mix not turned says="cannot be multiplied" fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[own].T @ mix_weight[:, own] @ unembed.T

# %% wrong: unembed not turned says="cannot be multiplied" fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed

# %% wrong: nothing turned says="cannot be multiplied" fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[own] @ mix_weight[:, own] @ unembed

# %% wrong: times for the product says="must match the size of" fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed * v_weight[own] * mix_weight[:, own] * unembed

# %% wrong: division that isn't whole says="slice indices must be integers" fails=["ov-circuit-test"] of="reference"
# was:     size = v_weight.shape[0] // num_heads
# becomes: size = v_weight.shape[0] / num_heads

# %% wrong: no return of the circuit says="does your function end with a return?" fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: circuit = embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T

# %% wrong: a tuple says="return only circuit" fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: own_values, own_mix = v_weight[own], mix_weight[:, own]
# becomes: return embed @ own_values.T @ own_mix.T @ unembed.T, own

# %% wrong: a dict of another name says="it should have the keys circuit" fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return {"ov": embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T}

# %% wrong: other heads set to 0 in place says="make a new tensor" fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: mine = torch.zeros(mix_weight.shape[1], dtype=torch.bool)
# becomes: mine[own] = True
# becomes: mix_weight[:, ~mine] = 0
# becomes: return embed @ v_weight.T @ mix_weight.T @ unembed.T

# %% wrong: embed multiplied in place says="make a new tensor" fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: circuit = embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: embed.mul_(0)
# becomes: return circuit

# %% wrong: the formula's names says="is not defined" fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ V_h.T @ O_h.T @ unembed.T

# %% wrong: singular values advice="The score is 1, because all parts are positive: use eigenvalues (not singular values), and their real parts with their signs." fails=["copying-score-test"] of="reference"
# was:     values = torch.linalg.eigvals(circuit)
# becomes: values = torch.linalg.svdvals(circuit)

# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.sum() / values.abs().sum())

# %% wrong: eigvalsh advice="eigvalsh reads one half of the matrix and takes it for symmetric: use torch.linalg.eigvals." fails=["copying-score-test"] of="reference"
# was:     values = torch.linalg.eigvals(circuit)
# becomes: values = torch.linalg.eigvalsh(circuit)

# %% wrong: eigvalsh of the upper half advice="eigvalsh reads one half of the matrix and takes it for symmetric: use torch.linalg.eigvals." fails=["copying-score-test"] of="reference"
# was:     values = torch.linalg.eigvals(circuit)
# becomes: values = torch.linalg.eigvalsh(circuit, UPLO="U")

# %% wrong: eigh advice="eigvalsh reads one half of the matrix and takes it for symmetric: use torch.linalg.eigvals." fails=["copying-score-test"] of="reference"
# was:     values = torch.linalg.eigvals(circuit)
# becomes: values, _ = torch.linalg.eigh(circuit)

# %% wrong: made symmetric advice="The matrix was made symmetric: take the eigenvalues of the circuit itself." fails=["copying-score-test"] of="reference"
# was:     values = torch.linalg.eigvals(circuit)
# becomes: values = torch.linalg.eigvalsh((circuit + circuit.T) / 2)

# %% wrong: of the circuit times itself turned advice="The score is 1, because all parts are positive: use eigenvalues (not singular values), and their real parts with their signs." fails=["copying-score-test"] of="reference"
# was:     values = torch.linalg.eigvals(circuit)
# becomes: values = torch.linalg.eigvals(circuit @ circuit.T)

# %% wrong: absolute values above, too advice="The score is 1, because all parts are positive: use eigenvalues (not singular values), and their real parts with their signs." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.abs().sum() / values.abs().sum())

# %% wrong: absolute real parts above advice="The real parts lost their signs: sum them with their signs." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.real.abs().sum() / values.abs().sum())

# %% wrong: absolute real parts below advice="The divisor uses only the real parts: the absolute value of an eigenvalue includes its imaginary part, values.abs()." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.real.sum() / values.real.abs().sum())

# %% wrong: absolute value of the score advice="The score lost its sign: −1 means that the tokens attended to become less likely." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.real.sum().abs() / values.abs().sum())

# %% wrong: divided by the sum's own size advice="The score is ±1: divide, with /, by the sum of the absolute values, not by the absolute value of the sum." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.real.sum() / values.real.sum().abs())

# %% wrong: divided by the length of the complex sum advice="The score is ±1: divide, with /, by the sum of the absolute values, not by the absolute value of the sum." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.real.sum() / values.sum().abs())

# %% wrong: upside down advice="The fraction is upside down: divide the real parts by the absolute values." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.abs().sum() / values.real.sum())

# %% wrong: the trace alone advice="This is the sum of the real parts: divide it by the sum of the absolute values." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.real.sum())

# %% wrong: the absolute values alone advice="This is the sum of the absolute values: it is only the divisor." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.abs().sum())

# %% wrong: mean of the real parts advice="This is the mean of the real parts: divide their sum by the sum of the absolute values." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.real.mean())

# %% wrong: sum over mean advice="A sum is divided by a mean: take sums of both." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.real.sum() / values.abs().mean())

# %% wrong: mean over sum advice="A mean is divided by a sum: take sums of both." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.real.mean() / values.abs().sum())

# %% wrong: mean of the fractions advice="This is the mean of a fraction per eigenvalue: take the two sums first, and divide once." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float((values.real / values.abs()).mean())

# %% wrong: sum of the fractions advice="Each eigenvalue was divided by itself: take the two sums first, and divide once." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float((values.real / values.abs()).sum())

# %% wrong: share of positive eigenvalues advice="This is the share of eigenvalues that are positive: their sizes count, too." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float((values.real > 0).double().mean())

# %% wrong: signs alone advice="Only the signs of the real parts count: add up the real parts themselves, and divide by the sum of the absolute values." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.real.sign().mean())

# %% wrong: share of positive entries on the diagonal advice="This is the share of positive entries on the diagonal: the score needs the eigenvalues, torch.linalg.eigvals." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float((circuit.diagonal() > 0).double().mean())

# %% wrong: the diagonal less the rest advice="This compares the diagonal with the other entries: the score needs the eigenvalues, torch.linalg.eigvals." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: own = torch.eye(len(circuit), dtype=torch.bool)
# becomes: return float(circuit[own].mean() - circuit[~own].mean())

# %% wrong: the diagonal in deviations of its row advice="This compares the diagonal with the other entries: the score needs the eigenvalues, torch.linalg.eigvals." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(((circuit.diagonal() - circuit.mean(dim=1)) / circuit.std(dim=1).clamp_min(1e-6)).mean())

# %% wrong: imaginary parts advice="These are imaginary parts: sum the real ones." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.imag.abs().sum() / values.abs().sum())

# %% wrong: imaginary parts left out, by a cast advice="The divisor uses only the real parts: the absolute value of an eigenvalue includes its imaginary part, values.abs()." fails=["copying-score-test"] of="reference"
# was:     values = torch.linalg.eigvals(circuit)
# becomes: values = torch.linalg.eigvals(circuit).real

# %% wrong: lengths squared advice="The divisor uses squares: the absolute value is their root, values.abs()." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.real.sum() / (values.abs() ** 2).sum())

# %% wrong: real and imaginary parts added advice="The absolute value of a complex number is the root of the sum of squares, not the sum of its parts: use values.abs()." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.real.sum() / (values.real.abs() + values.imag.abs()).sum())

# %% wrong: root of the sum of squares advice="The divisor is the root of the sum of all squares: sum the absolute values." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.real.sum() / values.abs().norm())

# %% wrong: the largest alone below advice="The divisor is only the largest absolute value: sum all of them." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.real.sum() / values.abs().max())

# %% wrong: the largest alone advice="Only the largest eigenvalue counts: add up all of them." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: top = values[values.abs().argmax()]
# becomes: return float(top.real / top.abs())

# %% wrong: the diagonal in place of eigenvalues advice="The divisor uses the absolute values of the diagonal: use those of the eigenvalues." fails=["copying-score-test"] of="reference"
# was:     values = torch.linalg.eigvals(circuit)
# becomes: values = torch.complex(circuit.diagonal(), 0 * circuit.diagonal())

# %% wrong: the diagonal against the whole table advice="The divisor uses all entries of the matrix: use the absolute values of the eigenvalues." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(circuit.trace() / circuit.abs().sum())

# %% wrong: the nuclear norm below advice="The divisor uses singular values: use the absolute values of the eigenvalues." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.real.sum() / torch.linalg.svdvals(circuit).sum())

# %% wrong: Frobenius norm below advice="The divisor is the norm of the matrix: sum the absolute values of the eigenvalues." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(circuit.trace() / circuit.norm())

# %% wrong: all numbers advice="These are sums over the entries of the matrix: use its eigenvalues." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(circuit.sum() / circuit.abs().sum())

# %% wrong: the share of rows whose diagonal is largest advice="The score is 0, because the imaginary parts cancel: sum the real parts of the eigenvalues." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float((circuit.argmax(dim=-1) == torch.arange(len(circuit))).double().mean())

# %% wrong: of the whole, doubled advice="The score is too large by a factor of 2." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(2 * values.real.sum() / values.abs().sum())

# %% wrong: a score of its own for each advice="This is one score per eigenvalue: take the two sums first, and divide once." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return values.real / values.abs()

# %% wrong: the eigenvalues advice="These are the real parts of the eigenvalues: sum them, and divide by the sum of the absolute values." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return values.real

# %% wrong: a rounded score advice="The score is rounded: don't round it." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return round(float(values.real.sum() / values.abs().sum()), 1)

# %% wrong: 1 minus advice="This is 1 minus the score." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return 1 - float(values.real.sum() / values.abs().sum())

# %% wrong: between 0 and 1 advice="The score was mapped to 0 … 1: it is between −1 and 1." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float((1 + values.real.sum() / values.abs().sum()) / 2)

# %% wrong: negative ones left out advice="Negative real parts are left out: add them up, too." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.real.clamp(min=0).sum() / values.abs().sum())

# %% wrong: eigenvectors and eigenvalues in one says="has no attribute" fails=["copying-score-test"] of="reference"
# was:     values = torch.linalg.eigvals(circuit)
# becomes: values = torch.linalg.eig(circuit)

# %% wrong: sum of a Python float says="only one element tensors can be converted" fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.real / values.abs())

# %% wrong: eigvals is no name says="is not defined" fails=["copying-score-test"] of="reference"
# was:     values = torch.linalg.eigvals(circuit)
# becomes: values = eigvals(circuit)

# %% wrong: numpy's eigenvalues of a tensor says="not callable" fails=["copying-score-test"] of="reference"
# was:     values = torch.linalg.eigvals(circuit)
# becomes: values = np.linalg.eigvals(circuit)

# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return float(values.real().sum() / abs(values).sum())

# %% wrong: no return of the score says="does your function end with a return?" fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: score = float(values.real.sum() / values.abs().sum())

# %% wrong: scores as a pair advice="Two sums are returned: divide the first by the second." fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return values.real.sum(), values.abs().sum()

# %% wrong: circuit divided in place says="make a new tensor" fails=["copying-score-test"] of="reference"
# was:     values = torch.linalg.eigvals(circuit)
# becomes: circuit /= circuit.abs().max()
# becomes: values = torch.linalg.eigvals(circuit)

# %% wrong: columns of mix by a reshape advice="A reshape of mix_weight doesn't select columns: take the head's columns, mix_weight[:, own]." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[own].T @ mix_weight.reshape(num_heads, size, -1)[head] @ unembed.T

# %% wrong: values interleaved alone advice="The rows of v_weight are interleaved: a head has adjacent rows, so cut them into (num_heads, size), in this order." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight.view(size, num_heads, -1)[:, head].T @ mix_weight[:, own].T @ unembed.T

# %% wrong: mix interleaved alone advice="The columns of mix_weight are interleaved: a head has adjacent columns, so cut them into (num_heads, size), in this order." fails=["ov-circuit-test"] of="reference"
# was:     return embed @ v_weight[own].T @ mix_weight[:, own].T @ unembed.T
# becomes: return embed @ v_weight[own].T @ mix_weight.view(len(mix_weight), size, num_heads)[..., head].T @ unembed.T

# %% wrong: complex sum says="take the real parts" fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return (values.sum() / values.abs().sum()).item()

# %% wrong: complex tensor says="take the real parts" fails=["copying-score-test"] of="reference"
# was:     return float(values.real.sum() / values.abs().sum())
# becomes: return values.sum() / values.abs().sum()
