# %% right: compared with 3.3
def check_attention(candidate):
    rng = np.random.default_rng(1)
    try:
        for batch, seq_q, seq_k, d_k, d_v in [(2, 3, 5, 5, 6), (3, 5, 2, 4, 7), (2, 4, 4, 3, 5)]:
            for level in (1, 3000):
                Q, K, V = rng.normal(size=(batch, seq_q, d_k)), rng.normal(size=(batch, seq_k, d_k)), rng.normal(size=(batch, seq_k, d_v))
                Q[:, 1:] *= level
                mask = np.where(rng.random((batch, seq_q, seq_k)) < 0.5, -np.inf, 0.0)
                mask[:, :, 0] = 0
                for m in (None, mask[0], mask):
                    with np.errstate(all="ignore"):
                        found = candidate(Q, K, V, m)
                    for mine, theirs in zip(scaled_dot_product_attention(Q, K, V, m), found):
                        if np.shape(mine) != np.shape(theirs) or not np.allclose(mine, theirs, atol=1e-7):
                            return False
        return True
    except Exception:
        return False

# %% right: loops
def check_attention(candidate):
    rng = np.random.default_rng(2)
    verdict = True
    for boxed, q, k in [(None, 2, 5), (False, 5, 2), (True, 2, 5), (None, 3, 3)]:
        for size in (1.0, 5000.0):
            Q, K, V = size * rng.normal(size=(3, q, 7)), rng.normal(size=(3, k, 7)), rng.normal(size=(3, k, 4))
            Q[1] /= size
            mask = None
            if boxed is not None:
                mask = np.where(rng.random((3, q, k) if boxed else (q, k)) < 0.5, -math.inf, 0.0)
                mask[..., k - 1] = 0
            weights = np.zeros((3, q, k))
            for b in range(3):
                for i in range(q):
                    blocks = [0] * k if mask is None else mask[b][i] if boxed else mask[i]
                    weights[b, i] = shares_of([Q[b, i] @ K[b, j] / 7**0.5 + blocks[j] for j in range(k)])
            with np.errstate(all="ignore"):
                try:
                    output, table = candidate(Q, K, V, mask=mask)
                    verdict &= np.asarray(table).shape == (3, q, k) and np.allclose(table, weights)
                    verdict &= bool(np.allclose(output, weights @ V))
                except Exception:
                    verdict = False
    return bool(verdict)

# %% right: numbers from paper and properties
def check_attention(candidate):
    def holds(Q, K, V, mask=None):
        scores = np.stack([q @ k.T for q, k in zip(Q, K)]) / np.sqrt(Q.shape[2])
        scores = scores if mask is None else scores + mask
        output, weights = (np.asarray(a, dtype=float) for a in candidate(Q, K, V, mask))
        if not np.allclose(weights.sum(axis=2), 1):
            return False
        top = scores.max(axis=2, keepdims=True)
        best = np.take_along_axis(weights, scores.argmax(axis=2)[..., None], 2)
        return bool(np.allclose(weights, best * np.exp(scores - top), atol=1e-8)
                    and np.allclose(output, np.stack([w @ v for w, v in zip(weights, V)])))
    rng = np.random.default_rng(5)
    Q, K, V = rng.normal(size=(4, 3, 2)), rng.normal(size=(4, 5, 2)), rng.normal(size=(4, 5, 3))
    loud = Q * np.array([1e4, 1, 1])[:, None]
    flat = np.where(np.arange(5) > np.arange(1, 4)[:, None], -np.inf, 0)
    box = np.where(np.arange(5) >= np.array([2, 5, 1, 4])[:, None], -np.inf, 0)[:, None] + flat
    with np.errstate(all="ignore"):
        try:
            more = rng.normal(size=(4, 7, 2))
            return all([holds(Q, K, V), holds(loud, K, V), holds(Q, K, V, flat), holds(Q, K, V, box),
                        holds(more, K, V), holds(more[:, :5], K, V)])
        except Exception:
            return False

# %% right: asks for the errors, too
def check_attention(candidate):
    rng = np.random.default_rng(6)
    Q, K, V = rng.normal(size=(3, 2, 4)), rng.normal(size=(3, 5, 4)), rng.normal(size=(3, 5, 6))
    boxed = np.where(np.arange(5) >= np.array([2, 4, 3])[:, None, None] + np.arange(2)[:, None], -np.inf, 0)
    shut = boxed.copy()
    shut[2, 1] = -np.inf
    for illegal in [(Q[0], K[0], V[0]), (Q, K[:, :, :3], V), (Q, K, V[:, :4]), (Q, K, V, boxed.swapaxes(1, 2)), (Q, K, V, shut)]:
        try:
            with np.errstate(all="ignore"):
                candidate(*illegal)
            return False
        except ValueError:
            pass
        except Exception:
            return False
    asked = [(Q * [[size], [1]], K, V, mask) for size in (1, 1e4) for mask in (None, boxed[0], boxed)]
    asked += [(rng.normal(size=(3, n, 4)), K, V, None) for n in (5, 8)]
    for Q, K, V, mask in asked:
        scores = np.einsum("bqd,bkd->bqk", Q, K) / 2 + (0 if mask is None else mask)
        powers = np.exp(scores - scores.max(axis=2, keepdims=True))
        weights = powers / powers.sum(axis=2, keepdims=True)
        try:
            with np.errstate(all="ignore"):
                output, found = candidate(Q, K, V, mask)
            if np.shape(found) != weights.shape or np.shape(output) != (3, Q.shape[1], 6):
                return False
            if not (np.allclose(found, weights) and np.allclose(output, weights @ V)):
                return False
        except Exception:
            return False
    return True

# %% base
def check_attention(candidate):
    rng = np.random.default_rng(0)
    Q, K, V = rng.normal(size=(3, 3, 4)), rng.normal(size=(3, 5, 4)), rng.normal(size=(3, 5, 6))
    boxed = np.where(np.arange(5) >= np.array([2, 4, 3])[:, None, None], -np.inf, np.zeros((3, 1)))
    for Q, K, V, masks in [(Q, K, V, (None, boxed[0], boxed)), (np.array([[[1e5], [-1.0]]]), np.array([[[1.0], [0.5]]]), np.ones((1, 2, 3)), (None,)), (K, Q, Q, (None,))]:
        for mask in masks:
            scores = Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2]) + (0 if mask is None else mask)
            powers = np.exp(scores - scores.max(axis=2, keepdims=True))
            weights = powers / powers.sum(axis=2, keepdims=True)
            try:
                with np.errstate(all="ignore"):
                    output, found = candidate(Q, K, V, mask)
            except Exception:
                return False
            if np.shape(found) != weights.shape or np.shape(output) != (weights @ V).shape:
                return False
            if not (np.allclose(found, weights) and np.allclose(output, weights @ V)):
                return False
    return True

# %% wrong: always True says="returns only zeros" fails=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"]
def check_attention(candidate):
    return True

# %% wrong: always False says="your test refuses your function of 3.3" fails=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"]
def check_attention(candidate):
    return False

# %% wrong: gives None says="your test returned None" fails=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"]
def check_attention(candidate):
    rng = np.random.default_rng(0)
    Q, K, V = rng.normal(size=(3, 3, 4)), rng.normal(size=(3, 5, 4)), rng.normal(size=(3, 5, 6))
    boxed = np.where(np.arange(5) >= np.array([2, 4, 3])[:, None, None], -np.inf, np.zeros((3, 1)))
    for Q, K, V, masks in [(Q, K, V, (None, boxed[0], boxed)), (np.array([[[1e5], [-1.0]]]), np.array([[[1.0], [0.5]]]), np.ones((1, 2, 3)), (None,)), (K, Q, Q, (None,))]:
        for mask in masks:
            scores = Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2]) + (0 if mask is None else mask)
            powers = np.exp(scores - scores.max(axis=2, keepdims=True))
            weights = powers / powers.sum(axis=2, keepdims=True)
            try:
                with np.errstate(all="ignore"):
                    output, found = candidate(Q, K, V, mask)
            except Exception:
                return print('wrong')
            if np.shape(found) != weights.shape or np.shape(output) != (weights @ V).shape:
                return print('wrong')
            if not (np.allclose(found, weights) and np.allclose(output, weights @ V)):
                return print('wrong')
    print('right')

# %% wrong: no mask tried says="of the wrong implementations" fails=["check-attention-last-quarter-test"] visible=false of="base"
# was:     for Q, K, V, masks in [(Q, K, V, (None, boxed[0], boxed)), (np.array([[[1e5], [-1.0]]]), np.array([[[1.0], [0.5]]]), np.ones((1, 2, 3)), (None,)), (K, Q, Q, (None,))]:
# becomes: for Q, K, V, masks in [(Q, K, V, (None,)), (np.array([[[1e5], [-1.0]]]), np.array([[[1.0], [0.5]]]), np.ones((1, 2, 3)), (None,)), (K, Q, Q, (None,))]:

# %% wrong: one sequence only says="of the wrong implementations" fails=["check-attention-last-quarter-test"] visible=false of="base"
# was:     Q, K, V = rng.normal(size=(3, 3, 4)), rng.normal(size=(3, 5, 4)), rng.normal(size=(3, 5, 6))
# was:     boxed = np.where(np.arange(5) >= np.array([2, 4, 3])[:, None, None], -np.inf, np.zeros((3, 1)))
# becomes: Q, K, V = rng.normal(size=(1, 3, 4)), rng.normal(size=(1, 5, 4)), rng.normal(size=(1, 5, 6))
# becomes: boxed = np.where(np.arange(5) >= np.array([2])[:, None, None], -np.inf, np.zeros((3, 1)))

# %% wrong: no large scores says="of the wrong implementations" fails=["check-attention-last-quarter-test"] visible=false of="base"
# was:     for Q, K, V, masks in [(Q, K, V, (None, boxed[0], boxed)), (np.array([[[1e5], [-1.0]]]), np.array([[[1.0], [0.5]]]), np.ones((1, 2, 3)), (None,)), (K, Q, Q, (None,))]:
# becomes: for Q, K, V, masks in [(Q, K, V, (None, boxed[0], boxed)), (np.array([[[1.0], [-1.0]]]), np.array([[[1.0], [0.5]]]), np.ones((1, 2, 3)), (None,)), (K, Q, Q, (None,))]:

# %% wrong: all sizes equal, one sequence, no mask says="of the wrong implementations" fails=["check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"] visible=false of="base"
# was:     Q, K, V = rng.normal(size=(3, 3, 4)), rng.normal(size=(3, 5, 4)), rng.normal(size=(3, 5, 6))
# becomes: Q, K, V = rng.normal(size=(1, 3, 3)), rng.normal(size=(1, 3, 3)), rng.normal(size=(1, 3, 3))

# was:     for Q, K, V, masks in [(Q, K, V, (None, boxed[0], boxed)), (np.array([[[1e5], [-1.0]]]), np.array([[[1.0], [0.5]]]), np.ones((1, 2, 3)), (None,)), (K, Q, Q, (None,))]:
# becomes: for Q, K, V, masks in [(Q, K, V, (None,)), (np.array([[[1.0], [-1.0]]]), np.array([[[1.0], [0.5]]]), np.ones((1, 2, 3)), (None,)), (K, Q, Q, (None,))]:

# %% wrong: only the shapes says="returns only zeros" fails=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"] of="base"
# was:     if not (np.allclose(found, weights) and np.allclose(output, weights @ V)):
# was:         return False
# becomes:

# %% wrong: only the sums of the rows says="with all scores doubled" fails=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"] of="base"
# was:     if not (np.allclose(found, weights) and np.allclose(output, weights @ V)):
# becomes: if not (np.allclose(np.sum(found, axis=2), 1)):

# %% wrong: only the output says="of the wrong implementations" fails=["check-attention-last-quarter-test"] visible=false of="base"
# was:     if not (np.allclose(found, weights) and np.allclose(output, weights @ V)):
# becomes: if not (np.allclose(output, weights @ V)):

# %% wrong: exact comparison says="compare to about 1e-6" fails=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"] of="base"
# was:     if not (np.allclose(found, weights) and np.allclose(output, weights @ V)):
# becomes: if not (np.array_equal(found, powers / powers.sum(axis=2, keepdims=True)) and np.array_equal(output, np.einsum('bqk,bkv->bqv', weights, V))):

# %% wrong: asks for arrays says="A right candidate may give lists" fails=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"] of="base"
# was:     if np.shape(found) != weights.shape or np.shape(output) != (weights @ V).shape:
# becomes: if not isinstance(found, np.ndarray):
# becomes:     return False
# becomes: if np.shape(found) != weights.shape or np.shape(output) != (weights @ V).shape:

# %% wrong: asks for a blocked row says="If this input is meant to be valid, fix it" fails=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"] of="base"
# was:     boxed = np.where(np.arange(5) >= np.array([2, 4, 3])[:, None, None], -np.inf, np.zeros((3, 1)))
# becomes: boxed = np.where(np.arange(5) >= np.array([2, 4, 3])[:, None, None], -np.inf, np.zeros((3, 1)))
# becomes: boxed[0, 0] = -np.inf

# %% wrong: stops at the first error says="of the wrong implementations" fails=["check-attention-last-quarter-test"] visible=false of="base"
# was:     except Exception:
# becomes: except ZeroDivisionError:

# %% wrong: return True forgotten says="your test returned None" fails=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"] of="base"
# was:     return True
# becomes: pass

# %% wrong: words for a verdict says="neither True nor False" fails=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"] of="base"
# was:     if not (np.allclose(found, weights) and np.allclose(output, weights @ V)):
# was:         return False
# becomes: if not (np.allclose(found, weights) and np.allclose(output, weights @ V)):
# becomes:     return "wrong"

# was:     return True
# becomes: return "right"

# %% wrong: its own numbers without a scale says="check your own numbers" fails=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2]) + (0 if mask is None else mask)
# becomes: scores = Q @ K.swapaxes(1, 2) + (0 if mask is None else mask)

# %% wrong: the mask forgotten in its own numbers says="check your own numbers" fails=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2]) + (0 if mask is None else mask)
# becomes: scores = Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2])

# %% wrong: an input with two axes says="If this input is meant to be valid, fix it" fails=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"] of="base"
# was:     Q, K, V = rng.normal(size=(3, 3, 4)), rng.normal(size=(3, 5, 4)), rng.normal(size=(3, 5, 6))
# becomes: Q, K, V = rng.normal(size=(3, 3, 4)), rng.normal(size=(3, 5, 4)), rng.normal(size=(3, 5, 6))
# becomes: try:
# becomes:     candidate(Q[0], K[0], V[0])
# becomes: except Exception:
# becomes:     return False

# %% wrong: a mistake in its own numbers says="A test decides and never stops" fails=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"] of="base"
# was:     scores = Q @ K.swapaxes(1, 2) / np.sqrt(Q.shape[2]) + (0 if mask is None else mask)
# becomes: scores = Q @ K / np.sqrt(Q.shape[2]) + (0 if mask is None else mask)

# %% wrong: output and weights mixed up says="take the output as the first of the two" fails=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"] of="base"
# was:     output, found = candidate(Q, K, V, mask)
# becomes: found, output = candidate(Q, K, V, mask)

# %% wrong: lists have no shape says="A right candidate may give lists" fails=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"] of="base"
# was:     if np.shape(found) != weights.shape or np.shape(output) != (weights @ V).shape:
# becomes: try:
# becomes:     same = found.shape == weights.shape and output.shape == (weights @ V).shape
# becomes: except AttributeError:
# becomes:     same = False
# becomes: if not same:

# %% wrong: to the last digit says="Another order of sums rounds differently" fails=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"] of="base"
# was:     if not (np.allclose(found, weights) and np.allclose(output, weights @ V)):
# becomes: if not (np.allclose(found, weights, rtol=1e-14, atol=1e-14) and np.allclose(output, weights @ V, rtol=1e-14, atol=1e-14)):

# %% wrong: the other way round says="your test accepts a function that returns only zeros" fails=["check-attention-first-quarter-test", "check-attention-second-quarter-test", "check-attention-third-quarter-test", "check-attention-last-quarter-test"] of="base"
# was:     if not (np.allclose(found, weights) and np.allclose(output, weights @ V)):
# was:         return False
# becomes: if not (np.allclose(found, weights) and np.allclose(output, weights @ V)):
# becomes:     return True

# was:     return True
# becomes: return False

# %% wrong: no mask for each sequence says="of the wrong implementations" fails=["check-attention-last-quarter-test"] visible=false of="base"
# was:     for Q, K, V, masks in [(Q, K, V, (None, boxed[0], boxed)), (np.array([[[1e5], [-1.0]]]), np.array([[[1.0], [0.5]]]), np.ones((1, 2, 3)), (None,)), (K, Q, Q, (None,))]:
# becomes: for Q, K, V, masks in [(Q, K, V, (None, boxed[0])), (np.array([[[1e5], [-1.0]]]), np.array([[[1.0], [0.5]]]), np.ones((1, 2, 3)), (None,)), (K, Q, Q, (None,))]:
