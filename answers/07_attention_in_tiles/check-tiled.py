# %% right: the section's own
def check_tiled(candidate):
    rng = np.random.default_rng(7)
    cases = []
    for n_q, n_k, d_k, d_v, t_q, t_k, causal in [(5, 7, 3, 4, 2, 3, False), (5, 7, 3, 4, 2, 3, True), (6, 6, 4, 2, 4, 4, True),
                                                 (3, 11, 5, 2, 2, 4, True), (9, 4, 2, 3, 4, 16, False), (7, 13, 5, 6, 3, 2, True)]:
        for level in (0.0, 100.0):
            Q, K, V = rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))
            if level:
                Q[:, 0] = np.where(np.arange(n_q) % 2, -level, level)
                K[:, 0] = 9 * np.sqrt(d_k)
            else:
                Q *= 3
            cases.append((Q, K, V, t_q, t_k, causal))
    for Q, K, V, t_q, t_k, causal in cases:
        S = Q @ K.T / np.sqrt(Q.shape[1])
        if causal:
            S = np.where(np.arange(len(K)) > np.arange(len(Q))[:, None] + len(K) - len(Q), -np.inf, S)
        W = np.exp(S - S.max(axis=1, keepdims=True))
        want = W / W.sum(axis=1, keepdims=True) @ V
        given = Q.copy(), K.copy(), V.copy()
        try:
            with np.errstate(all="ignore"):
                got = np.asarray(candidate(*given, t_q, t_k, causal), dtype=float)
        except Exception:
            return False
        if got.shape != want.shape or not np.allclose(got, want, atol=1e-6):
            return False
        if not all(np.array_equal(x, y) for x, y in zip(given, (Q, K, V))):
            return False
    return True

# %% right: loops over queries, many random sizes
def check_tiled(candidate):
    rng = np.random.default_rng(5)
    for turn in range(40):
        n_q, d_k, d_v, tile_q, tile_k = rng.integers(1, 8, size=5)
        causal = bool(turn % 2)
        n_k = n_q + rng.integers(0, 9) if causal else rng.integers(1, 15)
        Q, K, V = rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))
        Q[:, 0] += (0, 0, 800, -800)[turn // 2 % 4] * (-1.0) ** (turn // 8 * np.arange(n_q))
        K[:, 0] = math.sqrt(d_k)
        right = []
        for i, q in enumerate(Q):
            seen = n_k - n_q + i + 1 if causal else n_k
            scores = [math.fsum(a * b for a, b in zip(q, k)) / math.sqrt(d_k) for k in K[:seen]]
            terms = [math.exp(s - max(scores)) for s in scores]
            right.append([math.fsum(t * v for t, v in zip(terms, column)) / math.fsum(terms) for column in V[:seen].T])
        try:
            with np.errstate(all="ignore"):
                found = np.array(candidate(Q, K, V, int(tile_q), int(tile_k), causal), dtype=float)
        except Exception:
            return False
        if found.shape != (n_q, d_v) or not (abs(found - right) < 1e-6).all():
            return False
    return True

# %% right: compared with its own 7.4 and whole_table
def check_tiled(candidate):
    rng = np.random.default_rng(1)
    verdict = True
    for n_q, n_k, tile_q, tile_k in [(7, 11, 3, 4), (8, 8, 3, 3), (5, 14, 2, 3)]:
        for causal in (False, True):
            for level in (0, 950):
                Q, K, V = rng.normal(size=(n_q, 5)), rng.normal(size=(n_k, 5)), rng.normal(size=(n_k, 3))
                Q[::2, 1] += level
                Q[1::2, 1] -= level
                K[:, 1] = 5 ** 0.5
                expected = np.empty((n_q, 3))
                if causal:
                    expected = tiled(Q, K, V, n_q, n_k, True)
                else:
                    whole_table(Q, K, V, expected)
                try:
                    with np.errstate(all="ignore"):
                        np.testing.assert_allclose(np.array(candidate(Q, K, V, tile_q, tile_k, causal)), expected, rtol=1e-6, atol=1e-7)
                except Exception:
                    verdict = False
    return verdict

# %% right: torch's attention with a mask
def check_tiled(candidate):
    import torch
    maker = torch.Generator().manual_seed(11)
    def asked(n_q, n_k, d_k, d_v, tile_q, tile_k, causal, low=0.0, high=0.0):
        Q, K, V = (torch.randn(size, generator=maker, dtype=torch.double) for size in [(n_q, d_k), (n_k, d_k), (n_k, d_v)])
        Q[:, -1] = torch.linspace(low, high, n_q, dtype=torch.double)
        K[:, -1] = d_k ** 0.5
        mask = torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q) if causal else None
        right = torch.nn.functional.scaled_dot_product_attention(Q, K, V, attn_mask=mask)
        found = candidate(Q.numpy(), K.numpy(), V.numpy(), tile_q, tile_k, causal)
        found = torch.tensor(np.array(found), dtype=torch.double)
        return found.shape == right.shape and torch.allclose(found, right, atol=1e-6)
    try:
        with np.errstate(all="ignore"):
            return all([
                asked(7, 10, 3, 4, 2, 3, False), asked(7, 10, 3, 4, 3, 4, True), asked(9, 9, 4, 2, 4, 2, True),
                asked(4, 13, 2, 5, 3, 5, True), asked(6, 8, 3, 2, 6, 3, False, -900, 900), asked(6, 9, 3, 2, 4, 2, True, 900, -900),
                asked(5, 7, 2, 3, 2, 2, True, -990, -900), asked(5, 7, 2, 3, 2, 2, False, 900, 990)])
    except Exception:
        return False

# %% right: a list of named questions
def check_tiled(candidate):
    def attention(Q, K, V, seen):
        scores = np.einsum("id,jd->ij", Q, K) * Q.shape[1] ** -0.5
        scores[~seen] = -np.inf
        total = np.logaddexp.reduce(scores, axis=1)
        return np.exp(scores - total[:, None]) @ V
    rng = np.random.default_rng(3)
    plain = rng.normal(size=(8, 3)) * 2, rng.normal(size=(13, 3)), rng.normal(size=(13, 5))
    keys = np.c_[np.full(13, 3 ** 0.5), rng.normal(size=(13, 2))]
    levels = np.array([-900.0, 850, -800, 0, 900, -5, 700, -850])
    loud = np.c_[levels, rng.normal(size=(8, 2))], keys, plain[2]
    low = np.c_[np.full(8, -950.0), plain[0][:, 1:]], keys, plain[2]
    high = np.c_[np.full(8, 950.0), plain[0][:, 1:]], keys, plain[2]
    inputs = [(table, tiles, causal) for table in (plain, loud, low, high) for tiles in [(3, 4), (5, 3)] for causal in (0, 1)]
    inputs += [((plain[0], keys[:8], plain[2][:8]), (3, 3), 1)]
    with np.errstate(all="ignore"):
        for (Q, K, V), tiles, causal in inputs:
            seen = np.tri(len(Q), len(K), len(K) - len(Q) if causal else len(K), dtype=bool)
            try:
                answer = np.asarray(candidate(Q.copy(), K.copy(), V.copy(), *tiles, bool(causal)), dtype=float)
                if answer.shape != (8, 5):
                    raise ValueError
            except Exception:
                return False
            gap = np.abs(answer - attention(Q, K, V, seen)).max()
            if not gap < 1e-6:
                return False
    return True

# %% base
def check_tiled(candidate):
    rng = np.random.default_rng(0)
    sizes = [(5, 7, 3, 4, 2, 3, False), (5, 8, 3, 4, 2, 3, True), (7, 7, 4, 2, 3, 3, True), (3, 11, 5, 2, 2, 4, True)]
    levels = [0, 900]
    for n_q, n_k, d_k, d_v, tile_q, tile_k, causal in sizes:
        for level in levels:
            Q, K, V = rng.normal(size=(n_q, d_k)), rng.normal(size=(n_k, d_k)), rng.normal(size=(n_k, d_v))
            Q[:, 0] += level * (-1.0) ** np.arange(n_q)
            K[:, 0] = d_k ** 0.5
            scores = Q @ K.T / d_k ** 0.5
            if causal:
                scores[np.arange(n_k) > np.arange(n_q)[:, None] + n_k - n_q] = -np.inf
            terms = np.exp(scores - scores.max(axis=1, keepdims=True))
            expected = terms @ V / terms.sum(axis=1, keepdims=True)
            try:
                with np.errstate(all="ignore"):
                    got = np.asarray(candidate(Q, K, V, tile_q, tile_k, causal), dtype=float)
            except Exception:
                return False
            if got.shape != expected.shape:
                return False
            if not np.allclose(got, expected, atol=1e-6):
                return False
    return True

# %% wrong: always True says="only zeros" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"]
def check_tiled(candidate):
    return True

# %% wrong: always False says="your test rejects your function of 7.4" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"]
def check_tiled(candidate):
    return False

# %% wrong: nothing given back says="must end with return True" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"]
def check_tiled(candidate):
    print(candidate(np.ones((3, 2)), np.ones((3, 2)), np.ones((3, 2)), 2, 2))

# %% wrong: return True forgotten says="must end with return True" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     return True
# becomes: pass

# %% wrong: words for a verdict says="neither True nor False" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     if not np.allclose(got, expected, atol=1e-6):
# was:         return False
# becomes: if not np.allclose(got, expected, atol=1e-6):
# becomes:     return "wrong"

# %% wrong: a table of verdicts says="neither True nor False" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     if not np.allclose(got, expected, atol=1e-6):
# was:         return False
# becomes: if not np.allclose(got, expected, atol=1e-6):
# becomes:     return np.isclose(got, expected)

# %% wrong: the other way round says="only zeros" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     if not np.allclose(got, expected, atol=1e-6):
# was:         return False
# becomes: if np.allclose(got, expected, atol=1e-6):
# becomes:     return False

# %% wrong: no mask says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     sizes = [(5, 7, 3, 4, 2, 3, False), (5, 8, 3, 4, 2, 3, True), (7, 7, 4, 2, 3, 3, True), (3, 11, 5, 2, 2, 4, True)]
# becomes: sizes = [(5, 7, 3, 4, 2, 3, False), (7, 11, 3, 4, 3, 2, False)]

# %% wrong: only with a mask, as many keys as queries says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     sizes = [(5, 7, 3, 4, 2, 3, False), (5, 8, 3, 4, 2, 3, True), (7, 7, 4, 2, 3, 3, True), (3, 11, 5, 2, 2, 4, True)]
# becomes: sizes = [(7, 7, 4, 2, 3, 3, True)]

# %% wrong: tiles as long as the arrays says="of the wrong candidates" fails=["check-tiled-second-third-test", "check-tiled-last-third-test"] visible=false of="base"
# was:     sizes = [(5, 7, 3, 4, 2, 3, False), (5, 8, 3, 4, 2, 3, True), (7, 7, 4, 2, 3, 3, True), (3, 11, 5, 2, 2, 4, True)]
# becomes: sizes = [(5, 7, 3, 4, 5, 7, False), (5, 7, 3, 4, 8, 8, True)]

# %% wrong: no partial tiles says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     sizes = [(5, 7, 3, 4, 2, 3, False), (5, 8, 3, 4, 2, 3, True), (7, 7, 4, 2, 3, 3, True), (3, 11, 5, 2, 2, 4, True)]
# becomes: sizes = [(6, 9, 3, 4, 2, 3, False), (6, 9, 3, 4, 2, 3, True), (6, 6, 3, 4, 2, 3, True)]

# %% wrong: tiles of one says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     sizes = [(5, 7, 3, 4, 2, 3, False), (5, 8, 3, 4, 2, 3, True), (7, 7, 4, 2, 3, 3, True), (3, 11, 5, 2, 2, 4, True)]
# becomes: sizes = [(6, 9, 3, 4, 1, 1, False), (6, 9, 3, 4, 1, 1, True)]

# %% wrong: one query says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     sizes = [(5, 7, 3, 4, 2, 3, False), (5, 8, 3, 4, 2, 3, True), (7, 7, 4, 2, 3, 3, True), (3, 11, 5, 2, 2, 4, True)]
# becomes: sizes = [(1, 9, 3, 4, 1, 4, False), (1, 9, 3, 4, 1, 4, True)]

# %% wrong: one key says="with all scores doubled" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     sizes = [(5, 7, 3, 4, 2, 3, False), (5, 8, 3, 4, 2, 3, True), (7, 7, 4, 2, 3, 3, True), (3, 11, 5, 2, 2, 4, True)]
# becomes: sizes = [(5, 1, 3, 4, 2, 2, False), (1, 1, 3, 4, 2, 2, True)]

# %% wrong: all sizes 4, tiles of 2 says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     sizes = [(5, 7, 3, 4, 2, 3, False), (5, 8, 3, 4, 2, 3, True), (7, 7, 4, 2, 3, 3, True), (3, 11, 5, 2, 2, 4, True)]
# becomes: sizes = [(4, 4, 4, 4, 2, 2, False), (4, 4, 4, 4, 2, 2, True)]

# %% wrong: d_k and d_v alike says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     sizes = [(5, 7, 3, 4, 2, 3, False), (5, 8, 3, 4, 2, 3, True), (7, 7, 4, 2, 3, 3, True), (3, 11, 5, 2, 2, 4, True)]
# becomes: sizes = [(5, 7, 3, 3, 2, 3, False), (5, 8, 4, 4, 2, 3, True), (7, 7, 2, 2, 3, 3, True), (3, 11, 5, 5, 2, 4, True)]

# %% wrong: always as many keys as queries says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     sizes = [(5, 7, 3, 4, 2, 3, False), (5, 8, 3, 4, 2, 3, True), (7, 7, 4, 2, 3, 3, True), (3, 11, 5, 2, 2, 4, True)]
# becomes: sizes = [(7, 7, 3, 4, 2, 3, False), (7, 7, 3, 4, 2, 3, True), (8, 8, 4, 2, 3, 3, True)]

# %% wrong: one small input says="of the wrong candidates" fails=["check-tiled-second-third-test", "check-tiled-last-third-test"] visible=false of="base"
# was:     sizes = [(5, 7, 3, 4, 2, 3, False), (5, 8, 3, 4, 2, 3, True), (7, 7, 4, 2, 3, 3, True), (3, 11, 5, 2, 2, 4, True)]
# becomes: sizes = [(2, 3, 2, 1, 1, 2, False)]

# %% wrong: one tile of keys is seen says="of the wrong candidates" fails=["check-tiled-second-third-test", "check-tiled-last-third-test"] visible=false of="base"
# was:     sizes = [(5, 7, 3, 4, 2, 3, False), (5, 8, 3, 4, 2, 3, True), (7, 7, 4, 2, 3, 3, True), (3, 11, 5, 2, 2, 4, True)]
# becomes: sizes = [(3, 3, 2, 4, 2, 4, True), (3, 4, 2, 4, 2, 4, False)]

# %% wrong: no large scores says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     levels = [0, 900]
# becomes: levels = [0]

# %% wrong: large scores only above 0 says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     Q[:, 0] += level * (-1.0) ** np.arange(n_q)
# becomes: Q[:, 0] += level

# %% wrong: large scores only below 0 says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     Q[:, 0] += level * (-1.0) ** np.arange(n_q)
# becomes: Q[:, 0] -= level

# %% wrong: levels that are not low enough says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     levels = [0, 900]
# becomes: levels = [0, 300]

# %% wrong: large scores only says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     levels = [0, 900]
# becomes: levels = [900]

# was:     K[:, 0] = d_k ** 0.5
# becomes: K[:, 0] = d_k ** 0.5 + np.arange(n_k) / 30

# %% wrong: all scores alike says="with all scores doubled" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     K[:, 0] = d_k ** 0.5
# becomes: K[:] = d_k ** 0.5

# %% wrong: all values alike says="with all scores doubled" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     K[:, 0] = d_k ** 0.5
# becomes: K[:, 0] = d_k ** 0.5
# becomes: V[:] = 1

# %% wrong: all inputs 1 says="with all scores doubled" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     K[:, 0] = d_k ** 0.5
# becomes: Q[:], K[:], V[:] = 1, 1, 1

# %% wrong: only the shape says="only zeros" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     if not np.allclose(got, expected, atol=1e-6):
# was:         return False
# becomes:

# %% wrong: only whether numbers are finite says="only zeros" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     if not np.allclose(got, expected, atol=1e-6):
# becomes: if not np.isfinite(got).all():

# %% wrong: only the first row says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     if not np.allclose(got, expected, atol=1e-6):
# becomes: if not np.allclose(got[0], expected[0], atol=1e-6):

# %% wrong: only the last row says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     if not np.allclose(got, expected, atol=1e-6):
# becomes: if not np.allclose(got[-1], expected[-1], atol=1e-6):

# %% wrong: only the mean says="with all scores doubled" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     if not np.allclose(got, expected, atol=1e-6):
# becomes: if not abs(got.mean() - expected.mean()) < 0.1:

# %% wrong: any number that is right says="of the wrong candidates" fails=["check-tiled-second-third-test", "check-tiled-last-third-test"] visible=false of="base"
# was:     if not np.allclose(got, expected, atol=1e-6):
# becomes: if not np.isclose(got, expected, atol=1e-6).any():

# %% wrong: a wide tolerance says="only zeros" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     if not np.allclose(got, expected, atol=1e-6):
# becomes: if not np.allclose(got, expected, atol=2):

# %% wrong: a tolerance of 0.5 says="with another scale" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] visible=false of="base"
# was:     if not np.allclose(got, expected, atol=1e-6):
# becomes: if not np.allclose(got, expected, atol=0.5):

# %% wrong: NaN is let through says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     if not np.allclose(got, expected, atol=1e-6):
# becomes: if (abs(got - expected) > 1e-6).any():

# %% wrong: NaN equal to anything says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     if not np.allclose(got, expected, atol=1e-6):
# becomes: if np.nanmax(abs(got - expected)) > 1e-6:

# %% wrong: exact comparison says="your test rejects your function of 7.4" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     if not np.allclose(got, expected, atol=1e-6):
# becomes: if not (got == expected).all():

# %% wrong: to the fourteenth digit says="compare to about 1e-6" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     if not np.allclose(got, expected, atol=1e-6):
# becomes: if not np.allclose(got, expected, rtol=1e-14, atol=1e-14):

# %% wrong: asks for arrays says="lists, rounded differently" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     if got.shape != expected.shape:
# becomes: if not isinstance(candidate(Q, K, V, tile_q, tile_k, causal), np.ndarray) or got.shape != expected.shape:

# %% wrong: compares what comes back as it is says="lists, rounded differently" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     got = np.asarray(candidate(Q, K, V, tile_q, tile_k, causal), dtype=float)
# becomes: got = candidate(Q, K, V, tile_q, tile_k, causal)

# %% wrong: no scale in its own numbers says="Are your own numbers right" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     scores = Q @ K.T / d_k ** 0.5
# becomes: scores = Q @ K.T

# %% wrong: its own mask by the first query says="Are your own numbers right" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     scores[np.arange(n_k) > np.arange(n_q)[:, None] + n_k - n_q] = -np.inf
# becomes: scores[np.arange(n_k) > np.arange(n_q)[:, None]] = -np.inf

# %% wrong: no mask in its own numbers says="Are your own numbers right" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     if causal:
# was:         scores[np.arange(n_k) > np.arange(n_q)[:, None] + n_k - n_q] = -np.inf
# becomes:

# %% wrong: its own numbers without a maximum says="Are your own numbers right" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     terms = np.exp(scores - scores.max(axis=1, keepdims=True))
# becomes: terms = np.exp(scores)

# %% wrong: its own sums along the queries says="Are your own numbers right" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     expected = terms @ V / terms.sum(axis=1, keepdims=True)
# becomes: expected = terms / terms.sum(axis=0) @ V

# %% wrong: a mistake of its own says="A test must return a verdict" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     scores = Q @ K.T / d_k ** 0.5
# becomes: scores = Q @ K / d_k ** 0.5

# %% wrong: a name that is not defined says="A test must return a verdict" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     scores = Q @ K.T / d_k ** 0.5
# becomes: scores = Q @ K.T / head_size ** 0.5

# %% wrong: assert in place of return says="A test must return a verdict" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     if not np.allclose(got, expected, atol=1e-6):
# was:         return False
# becomes: assert np.allclose(got, expected, atol=1e-6)

# %% wrong: an order of its own says="Is this input valid" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     got = np.asarray(candidate(Q, K, V, tile_q, tile_k, causal), dtype=float)
# becomes: got = np.asarray(candidate(Q, K, V, causal, tile_q, tile_k), dtype=float)

# %% wrong: read, write and update for arrays says="your test rejects your function of 7.4" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     got = np.asarray(candidate(Q, K, V, tile_q, tile_k, causal), dtype=float)
# becomes: got = np.asarray(candidate(Q, K, V, n_q, n_k, tile_q, tile_k, causal), dtype=float)

# %% wrong: keys turned says="Is this input valid" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     got = np.asarray(candidate(Q, K, V, tile_q, tile_k, causal), dtype=float)
# becomes: got = np.asarray(candidate(Q, K.T, V, tile_q, tile_k, causal), dtype=float)

# %% wrong: lists for arrays says="Is this input valid" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     got = np.asarray(candidate(Q, K, V, tile_q, tile_k, causal), dtype=float)
# becomes: got = np.asarray(candidate(Q.tolist(), K.tolist(), V.tolist(), tile_q, tile_k, causal), dtype=float)

# %% wrong: a batch says="Is this input valid" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     got = np.asarray(candidate(Q, K, V, tile_q, tile_k, causal), dtype=float)
# becomes: got = np.asarray(candidate(Q[None], K[None], V[None], tile_q, tile_k, causal), dtype=float)[0]

# %% wrong: more queries than keys with a mask says="your test rejects your function of 7.4" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     sizes = [(5, 7, 3, 4, 2, 3, False), (5, 8, 3, 4, 2, 3, True), (7, 7, 4, 2, 3, 3, True), (3, 11, 5, 2, 2, 4, True)]
# becomes: sizes = [(5, 7, 3, 4, 2, 3, False), (7, 5, 3, 4, 2, 3, True)]

# %% wrong: tiles of 0 says="Is this input valid" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     sizes = [(5, 7, 3, 4, 2, 3, False), (5, 8, 3, 4, 2, 3, True), (7, 7, 4, 2, 3, 3, True), (3, 11, 5, 2, 2, 4, True)]
# becomes: sizes = [(5, 7, 3, 4, 2, 3, False), (5, 7, 3, 4, 0, 3, True)]

# %% wrong: no keys says="x" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"] of="base"
# was:     sizes = [(5, 7, 3, 4, 2, 3, False), (5, 8, 3, 4, 2, 3, True), (7, 7, 4, 2, 3, 3, True), (3, 11, 5, 2, 2, 4, True)]
# becomes: sizes = [(5, 7, 3, 4, 2, 3, False), (5, 0, 3, 4, 2, 3, False)]

# %% wrong: the mask is never asked for says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     got = np.asarray(candidate(Q, K, V, tile_q, tile_k, causal), dtype=float)
# becomes: got = np.asarray(candidate(Q, K, V, tile_q, tile_k), dtype=float)

# was:     if causal:
# was:         scores[np.arange(n_k) > np.arange(n_q)[:, None] + n_k - n_q] = -np.inf
# becomes:

# %% wrong: neither try nor shape, one input says="of the wrong candidates" fails=["check-tiled-second-third-test", "check-tiled-last-third-test"] visible=false
def check_tiled(candidate):
    rng = np.random.default_rng(2)
    Q, K, V = rng.normal(size=(5, 3)), rng.normal(size=(7, 3)), rng.normal(size=(7, 4))
    expected = np.empty((5, 4))
    whole_table(Q, K, V, expected)
    return np.allclose(candidate(Q, K, V, 2, 3), expected)

# %% wrong: a test by properties: weights sum to 1 says="with all scores doubled" fails=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"]
def check_tiled(candidate):
    rng = np.random.default_rng(2)
    for causal in (False, True):
        Q, K = rng.normal(size=(5, 3)), rng.normal(size=(8, 3))
        try:
            if not np.allclose(candidate(Q, K, np.ones((8, 4)), 2, 3, causal), 1):
                return False
        except Exception:
            return False
    return True

# %% wrong: the sums of rows only says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     if not np.allclose(got, expected, atol=1e-6):
# becomes: if not np.allclose(got.sum(axis=1), expected.sum(axis=1), atol=1e-6):

# %% wrong: the shape is not compared says="of the wrong candidates" fails=["check-tiled-last-third-test"] visible=false of="base"
# was:     if got.shape != expected.shape:
# becomes: if got.ndim < 2:
