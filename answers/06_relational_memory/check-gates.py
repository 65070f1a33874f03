# %% right: compared with 6.4
def check_gates(candidate):
    rng = np.random.default_rng(4)
    for batch, slots, bias in [(2, 3, -1.0), (3, 6, 2.0), (1, 3, 0.0)]:
        shapes = (batch, slots, 4), (batch, slots, 4), (batch, 4), (4, 8), (4, 8), (8,)
        given = [rng.normal(size=shape) for shape in shapes]
        copies = [one.copy() for one in given]
        expected = gated_memory(*copies, bias)
        try:
            found = candidate(*given, bias)
        except Exception:
            return False
        if np.shape(found) != np.shape(expected):
            return False
        if not np.allclose(found, expected, atol=1e-4):
            return False
        for one, other in zip(given, copies):
            if not np.array_equal(one, other):
                return False
    return True

# %% right: slow loops over features
def check_gates(candidate):
    rng = np.random.default_rng(7)
    for batch, slots, bias in [(3, 5, 0.25), (1, 2, 0.0)]:
        M, C = rng.normal(size=(batch, slots, 3)), rng.normal(size=(batch, slots, 3))
        x, W, U, b = rng.normal(size=(batch, 3)), rng.normal(size=(3, 6)), rng.normal(size=(3, 6)), rng.normal(size=6)
        given = [one.copy() for one in (M, C, x, W, U, b)]
        try:
            found = np.asarray(candidate(*given, bias))
        except Exception:
            return False
        if found.shape != M.shape:
            return False
        for s, t, n in np.ndindex(M.shape):
            i = sum(x[s, k] * W[k, n] + math.tanh(M[s, t, k]) * U[k, n] for k in range(3)) + b[n]
            f = sum(x[s, k] * W[k, n + 3] + math.tanh(M[s, t, k]) * U[k, n + 3] for k in range(3)) + b[n + 3] + bias
            right = math.tanh(C[s, t, n]) / (1 + math.exp(-i)) + M[s, t, n] / (1 + math.exp(-f))
            if not abs(found[s, t, n] - right) < 1e-4:
                return False
        if not all(np.array_equal(one, other) for one, other in zip(given, (M, C, x, W, U, b))):
            return False
    return True

# %% right: fixed numbers, one question after the other
def check_gates(candidate):
    def numbers_of(start, *shape):
        return 2 * np.sin(np.arange(start, start + math.prod(shape)) ** 2 * 1.1).reshape(shape)

    def same_as(expected, *seven):
        before = [one.copy() for one in seven[:6]]
        found = np.asarray(candidate(*seven))
        unchanged = all(bool((one == other).all()) for one, other in zip(seven, before))
        return unchanged and found.shape == expected.shape and float(np.abs(found - expected).max()) < 1e-4

    M, C, x = numbers_of(0, 2, 6, 2), numbers_of(30, 2, 6, 2), numbers_of(60, 2, 2)
    W, U, b = numbers_of(70, 2, 4), numbers_of(80, 2, 4), numbers_of(90, 4)
    none, zero = np.zeros_like(W), np.zeros_like(b)
    try:
        halves = same_as(np.tanh(C) / 2 + M / (1 + math.exp(3)), M, C, x, none, none, zero, -3.0)
        biases = same_as(sigmoid(b[:2]) * np.tanh(C) + sigmoid(b[2:] - 1) * M, M, C, x, none, none, b, -1.0)
        word = sigmoid((x @ W)[:, None])
        tokens = same_as(word[..., :2] * np.tanh(C) + word[..., 2:] * M, M, C, x, W, none, zero, 0.0)
        seen = sigmoid(np.tanh(M) @ U)
        slots = same_as(seen[..., :2] * np.tanh(C) + seen[..., 2:] * M, M, C, x, none, U, zero, 0.0)
        alone = same_as(seen[:1, :, :2] * np.tanh(C[:1]) + seen[:1, :, 2:] * M[:1], M[:1], C[:1], x[:1], none, U, zero, 0.0)
        return halves and biases and tokens and slots and alone
    except Exception:
        return False

# %% right: sequence by sequence, many sizes
def check_gates(candidate):
    verdict = True
    for seed, (batch, slots, d) in enumerate([(2, 3, 2), (3, 2, 5), (4, 5, 4), (1, 2, 3)]):
        rng = np.random.default_rng(seed)
        shapes = (batch, slots, d), (batch, slots, d), (batch, d), (d, 2 * d), (d, 2 * d), (2 * d,)
        tables = [rng.uniform(-2, 2, size=shape) for shape in shapes]
        given = [table.copy() for table in tables]
        try:
            found = np.asarray(candidate(*given, 1.5 - seed / 2))
        except Exception:
            verdict = False
            continue
        if found.shape != (batch, slots, d):
            verdict = False
            continue
        M, C, x, W, U, b = tables
        for s in range(batch):
            gates = x[s] @ W + np.tanh(M[s]) @ U + b + np.repeat([0, 1.5 - seed / 2], d)
            gates = 1 / (1 + np.exp(-gates))
            right = gates[:, :d] * np.tanh(C[s]) + gates[:, d:] * M[s]
            verdict = verdict and np.shape(found[s]) == right.shape and bool(np.abs(found[s] - right).max() < 2e-4)
        verdict = verdict and all((one == table).all() for one, table in zip(given, tables))
    return bool(verdict)

# %% right: first the changes, then the numbers
def check_gates(candidate):
    def inputs(batch, bias):
        rng = np.random.default_rng(12)
        shapes = [(batch, 5, 2), (batch, 5, 2), (batch, 2), (2, 4), (2, 4), (4,)]
        return [rng.random(s) * 3 - 1.5 for s in shapes] + [bias]

    try:
        for batch, bias in [(3, 0.5), (1, 0.0)]:
            used = inputs(batch, bias)
            made = candidate(*used)
            if any(not np.array_equal(one, other) for one, other in zip(used[:6], inputs(batch, bias))):
                return False
            M, C, x, W, U, b, bias = inputs(batch, bias)
            both = np.concatenate([np.broadcast_to(x[:, None], (batch, 5, 2)), np.tanh(M)], axis=-1) @ np.vstack([W, U])
            i, f = np.split(both + b, 2, axis=-1)
            right = sigmoid(i) * np.tanh(C) + sigmoid(f + bias) * M
            np.testing.assert_allclose(made, right, atol=1e-4, rtol=1e-3)
    except AssertionError:
        return False
    except Exception:
        return False
    else:
        return True

# %% wrong: always True says="nothing but zeros" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"]
def check_gates(candidate):
    return True

# %% wrong: always False says="your test rejects your function of 6.4" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"]
def check_gates(candidate):
    return False

# %% wrong: one sequence only says="of the wrong candidates" fails=["check-gates-last-third-test"] visible=false of="reference"
# was:     for batch, slots, d, bias in [(3, 5, 2, -0.5), (1, 4, 3, 0.0)]:
# becomes: for batch, slots, d, bias in [(1, 5, 2, -0.5), (1, 4, 3, 0.0)]:

# %% wrong: one slot only says="of the wrong candidates" fails=["check-gates-last-third-test"] visible=false of="reference"
# was:     for batch, slots, d, bias in [(3, 5, 2, -0.5), (1, 4, 3, 0.0)]:
# becomes: for batch, slots, d, bias in [(3, 1, 2, -0.5), (1, 1, 3, 0.0)]:

# %% wrong: the usual forget bias says="of the wrong candidates" fails=["check-gates-last-third-test"] visible=false of="reference"
# was:     for batch, slots, d, bias in [(3, 5, 2, -0.5), (1, 4, 3, 0.0)]:
# becomes: for batch, slots, d, bias in [(3, 5, 2, 1.0), (1, 4, 3, 1.0)]:

# %% wrong: a bias b of 0 says="of the wrong candidates" fails=["check-gates-last-third-test"] visible=false of="reference"
# was:     memory, new, token, W, U, b = before = [one.copy() for one in given]
# becomes: given[5] = 0 * given[5]
# becomes: memory, new, token, W, U, b = before = [one.copy() for one in given]

# %% wrong: a token of 0 says="of the wrong candidates" fails=["check-gates-last-third-test"] visible=false of="reference"
# was:     memory, new, token, W, U, b = before = [one.copy() for one in given]
# becomes: given[2] = 0 * given[2]
# becomes: memory, new, token, W, U, b = before = [one.copy() for one in given]

# %% wrong: a memory of 0 says="of the wrong candidates" fails=["check-gates-last-third-test"] visible=false of="reference"
# was:     memory, new, token, W, U, b = before = [one.copy() for one in given]
# becomes: given[0] = 0 * given[0]
# becomes: memory, new, token, W, U, b = before = [one.copy() for one in given]

# %% wrong: small numbers says="of the wrong candidates" fails=["check-gates-last-third-test"] visible=false of="reference"
# was:     given = [rng.normal(size=shape) for shape in shapes]
# becomes: given = [rng.normal(size=shape) / 50 for shape in shapes]

# %% wrong: all numbers 1 says="of the wrong candidates" fails=["check-gates-last-third-test"] visible=false of="reference"
# was:     given = [rng.normal(size=shape) for shape in shapes]
# becomes: given = [np.ones(shape) for shape in shapes]

# %% wrong: no look at the inputs says="of the wrong candidates" fails=["check-gates-last-third-test"] visible=false of="reference"
# was:     if not close or not all(np.array_equal(one, other) for one, other in zip(given, before)):
# becomes: if not close:

# %% wrong: copies that are no copies says="of the wrong candidates" fails=["check-gates-last-third-test"] visible=false of="reference"
# was:     memory, new, token, W, U, b = before = [one.copy() for one in given]
# becomes: memory, new, token, W, U, b = before = given

# %% wrong: only the shape says="nothing but zeros" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     close = got.shape == expected.shape and np.allclose(got, expected, atol=1e-4)
# becomes: close = got.shape == expected.shape

# %% wrong: only the mean says="nothing but zeros" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     close = got.shape == expected.shape and np.allclose(got, expected, atol=1e-4)
# becomes: close = got.shape == expected.shape and abs(got.mean() - expected.mean()) < 0.1

# %% wrong: only the first slot says="of the wrong candidates" fails=["check-gates-last-third-test"] visible=false of="reference"
# was:     close = got.shape == expected.shape and np.allclose(got, expected, atol=1e-4)
# becomes: close = got.shape == expected.shape and np.allclose(got[0, 0], expected[0, 0], atol=1e-4)

# %% wrong: a wide tolerance says="with 1 added to b" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     close = got.shape == expected.shape and np.allclose(got, expected, atol=1e-4)
# becomes: close = got.shape == expected.shape and np.allclose(got, expected, atol=0.5)

# %% wrong: exact comparison says="Compare to about 1e-4" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     close = got.shape == expected.shape and np.allclose(got, expected, atol=1e-4)
# becomes: close = np.array_equal(got, gated_memory(*before, bias))

# %% wrong: to the seventh digit says="Compare to about 1e-4" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     close = got.shape == expected.shape and np.allclose(got, expected, atol=1e-4)
# becomes: close = got.shape == expected.shape and np.allclose(got, expected, rtol=1e-7, atol=1e-7)

# %% wrong: to the sixth digit says="Compare to about 1e-4" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     close = got.shape == expected.shape and np.allclose(got, expected, atol=1e-4)
# becomes: close = got.shape == expected.shape and np.allclose(got, expected, rtol=2e-6, atol=1e-7)

# %% wrong: its own numbers without tanh of the candidate says="are your own numbers right" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     expected = np.tanh(new) / (1 + np.exp(-gates[..., :d])) + keep
# becomes: expected = new / (1 + np.exp(-gates[..., :d])) + keep

# %% wrong: its own gates in the wrong order says="is the first half the input gate" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     keep = memory / (1 + np.exp(-gates[..., d:] - bias))
# was:     expected = np.tanh(new) / (1 + np.exp(-gates[..., :d])) + keep
# becomes: keep = memory / (1 + np.exp(-gates[..., :d] - bias))
# becomes: expected = np.tanh(new) / (1 + np.exp(-gates[..., d:])) + keep

# %% wrong: an order of its own says="Is this input valid" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     got = np.asarray(candidate(*given, bias))
# becomes: got = np.asarray(candidate(token, memory, new, W, U, b, bias))

# %% wrong: an input with two axes says="Is this input valid" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     got = np.asarray(candidate(*given, bias))
# becomes: candidate(memory[0], new[0], token[0], W, U, b, bias)
# becomes: got = np.asarray(candidate(*given, bias))

# %% wrong: lists says="Is this input valid" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     got = np.asarray(candidate(*given, bias))
# becomes: got = np.asarray(candidate(*(one.tolist() for one in given), bias))

# %% wrong: neither try nor a look at the inputs says="of the wrong candidates" fails=["check-gates-second-third-test", "check-gates-last-third-test"] visible=false
def check_gates(candidate):
    rng = np.random.default_rng(1)
    given = [rng.normal(size=shape) for shape in [(3, 4, 2), (3, 4, 2), (3, 2), (2, 4), (2, 4), (4,)]]
    expected = gated_memory(*given, 0.3)
    return np.allclose(candidate(*given, 0.3), expected, atol=1e-4)

# %% wrong: a mistake of its own says="A test returns a verdict and raises nothing" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     keep = memory / (1 + np.exp(-gates[..., d:] - bias))
# becomes: keep = (gates[..., d:] + bias) @ memory

# %% wrong: return True forgotten says="your test returned None" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"]
def check_gates(candidate):
    rng = np.random.default_rng(1)
    given = [rng.normal(size=shape) for shape in [(3, 4, 2), (3, 4, 2), (3, 2), (2, 4), (2, 4), (4,)]]
    if not np.allclose(candidate(*given, 0.3), gated_memory(*given, 0.3), atol=1e-4):
        return False

# %% wrong: words for a verdict says="neither True nor False" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     return True
# becomes: return "right" if close else "wrong"

# %% wrong: an array for a verdict says="neither True nor False" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     return True
# becomes: return np.array(1 if close else 0)

# %% wrong: the other way round says="nothing but zeros" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     if not close or not all(np.array_equal(one, other) for one, other in zip(given, before)):
# was:         return False
# becomes: if close:
# becomes:     return False

# %% wrong: the forget bias not passed says="Pass all seven by position" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     got = np.asarray(candidate(*given, bias))
# becomes: got = np.asarray(candidate(*given))

# %% wrong: arguments by their names says="Pass all seven by position" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     got = np.asarray(candidate(*given, bias))
# becomes: got = np.asarray(candidate(*given, forget_bias=bias))

# %% wrong: the default tolerance says="its default tolerance is smaller" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     close = got.shape == expected.shape and np.allclose(got, expected, atol=1e-4)
# becomes: close = got.shape == expected.shape and np.allclose(got, expected)

# %% wrong: torch's allclose on arrays says="does no line of yours inside try raise an error?" fails=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"] of="reference"
# was:     close = got.shape == expected.shape and np.allclose(got, expected, atol=1e-4)
# becomes: close = got.shape == expected.shape and torch.allclose(got, expected, atol=1e-4)

# %% wrong: means only says="of the wrong candidates" fails=["check-gates-last-third-test"] visible=false of="reference"
# was:     close = got.shape == expected.shape and np.allclose(got, expected, atol=1e-4)
# becomes: close = abs(got.mean() - expected.mean()) < 1e-4

# %% wrong: the shape is not compared says="of the wrong candidates" fails=["check-gates-last-third-test"] visible=false of="reference"
# was:     close = got.shape == expected.shape and np.allclose(got, expected, atol=1e-4)
# becomes: close = np.allclose(got, expected, atol=1e-4)
