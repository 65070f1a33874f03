# %% right: loops over entries
def shift_gap(rotate, q, k, shift):
    tables = []
    for start in (0, shift):
        positions = np.arange(start, start + len(q))
        turned_q, turned_k = rotate(q, positions), rotate(k, positions)
        tables.append([[sum(a * b for a, b in zip(one, other)) for other in turned_k] for one in turned_q])
    gaps = []
    for row, moved_row in zip(*tables):
        for score, moved in zip(row, moved_row):
            gaps.append(abs(moved - score))
    return float(sorted(gaps).pop())

# %% right: einsum
def shift_gap(rotate, q, k, shift):
    positions = np.stack([np.arange(len(q)), np.arange(len(q)) + shift])
    scores = [np.einsum("id,jd->ij", rotate(q, p), rotate(k, p)) for p in positions]
    return np.ptp(scores, axis=0).max()

# %% right: a function for the table
def shift_gap(rotate, q, k, shift):
    def table(by):
        p = by + np.arange(q.shape[0], dtype=float)
        return np.dot(rotate(q, p), rotate(k, p).T)
    return np.max(np.abs(table(0) - table(shift)))

# %% right: in torch
def shift_gap(rotate, q, k, shift):
    p = np.arange(len(q))
    parts = [torch.as_tensor(np.array(rotate(x, p + s), dtype=float)) for s in (0, shift) for x in (q, k)]
    return (parts[0] @ parts[1].mT - parts[2] @ parts[3].mT).abs().max().item()

# %% right: largest of both signs
def shift_gap(rotate, q, k, shift):
    p = np.arange(len(q))
    change = rotate(q, p + shift) @ rotate(k, p + shift).T - rotate(q, p) @ rotate(k, p).T
    return float(max(change.max(), -change.min()))

# %% right: the infinity norm
def shift_gap(rotate, q, k, shift):
    p = np.arange(len(k))
    q0, k0, q1, k1 = rotate(q, p), rotate(k, p), rotate(q, p + shift), rotate(k, p + shift)
    return float(np.linalg.norm((q1 @ k1.T - q0 @ k0.T).ravel(), ord=np.inf))

# %% right: each token alone
def shift_gap(rotate, q, k, shift):
    def one(x, n, s):
        return np.ravel(rotate(x[n:n + 1], np.array([n + s])))
    n = range(len(q))
    return max(abs(math.fsum(one(q, i, shift) * one(k, j, shift)) - math.fsum(one(q, i, 0) * one(k, j, 0))) for i in n for j in n)

# %% base
def shift_gap(rotate, q, k, shift):
    here = np.arange(len(q))
    moved_to = here + shift
    scores = np.asarray(rotate(q, here)) @ np.asarray(rotate(k, here)).T
    moved = np.asarray(rotate(q, moved_to)) @ np.asarray(rotate(k, moved_to)).T
    change = moved - scores
    sizes = np.abs(change)
    return float(sizes.max())

# %% wrong: queries moved alone advice="Only the queries are moved: move the keys as well." of="base"
# was:     moved = np.asarray(rotate(q, moved_to)) @ np.asarray(rotate(k, moved_to)).T
# becomes: moved = np.asarray(rotate(q, moved_to)) @ np.asarray(rotate(k, here)).T

# %% wrong: keys moved alone advice="Only the keys are moved: move the queries as well." of="base"
# was:     moved = np.asarray(rotate(q, moved_to)) @ np.asarray(rotate(k, moved_to)).T
# becomes: moved = np.asarray(rotate(q, here)) @ np.asarray(rotate(k, moved_to)).T

# %% wrong: scaled advice="The scores are divided by √d: here they are raw, without a scale." of="base"
# was:     change = moved - scores
# becomes: change = (moved - scores) / np.sqrt(q.shape[1])

# %% wrong: from 1 advice="The positions begin at 1: they are 0 … n − 1." of="base"
# was:     here = np.arange(len(q))
# becomes: here = np.arange(1, len(q) + 1)

# %% wrong: sum advice="The changes are added up: take the largest." of="base"
# was:     return float(sizes.max())
# becomes: return float(sizes.sum())

# %% wrong: mean advice="The changes are averaged: take the largest." of="base"
# was:     return float(sizes.max())
# becomes: return float(sizes.mean())

# %% wrong: no absolute advice="A change below 0 is taken as small: take the absolute value of each change, with np.abs, and then the maximum." of="base"
# was:     sizes = np.abs(change)
# becomes: sizes = change

# %% wrong: moved backwards advice="The positions are moved the wrong way: add shift." of="base"
# was:     moved_to = here + shift
# becomes: moved_to = here - shift

# %% wrong: times the shift advice="The positions are multiplied by shift: add it." of="base"
# was:     moved_to = here + shift
# becomes: moved_to = here * shift

# %% wrong: against unturned ones advice="The moved scores are compared with q @ k.T: rotate q and k at the positions 0 … n − 1 for the first table." of="base"
# was:     scores = np.asarray(rotate(q, here)) @ np.asarray(rotate(k, here)).T
# becomes: scores = q @ k.T

# %% wrong: each token with its own key advice="Only scores of a query and the key with the same index are compared: compare the whole table, rotate(q, p) @ rotate(k, p).T." of="base"
# was:     change = moved - scores
# becomes: change = np.diagonal(moved - scores)

# %% wrong: largest square advice="The largest change is squared: take its absolute value." of="base"
# was:     sizes = np.abs(change)
# becomes: sizes = change**2

# %% wrong: unmoved against unturned ones advice="The scores at 0 … n − 1 are compared with q @ k.T: compare them with those of the moved positions." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores = q @ k.T
# becomes: moved = np.asarray(rotate(q, here)) @ np.asarray(rotate(k, here)).T

# %% wrong: keys not turned advice="The keys are not rotated: call rotate for q and for k." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (np.asarray(rotate(q, p)) @ k.T for p in (here, here + shift))

# %% wrong: queries not turned advice="The queries are not rotated: call rotate for q and for k." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (q @ np.asarray(rotate(k, p)).T for p in (here, here + shift))

# %% wrong: both are queries advice="The keys are missing: multiply the rotated q by the rotated k, not by itself." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(q, p)).T for p in (here, here + shift))

# %% wrong: both are keys advice="The queries are missing: multiply the rotated q by the rotated k, not k by itself." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (np.asarray(rotate(k, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))

# %% wrong: moved both ways advice="Both tables are moved, one backwards: compare the positions 0 … n − 1 with those plus shift." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here - shift, here + shift))

# %% wrong: all moved to one place advice="All tokens are moved to position shift: add shift to each token's own position." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, np.full(len(q), shift)))

# %% wrong: moved twice advice="The positions are moved by 2·shift: add shift once." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + 2 * shift))

# %% wrong: moved by one advice="The positions are moved by 1: add shift." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + 1))

# %% wrong: rolled advice="The positions are only permuted: add shift to each." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, np.roll(here, shift)))

# %% wrong: not moved advice="The result is 0 or False, although the scores change: return their largest change, computed with the function that you get as argument, between the positions 0 … n − 1 and these plus shift." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here))

# %% wrong: turned again advice="The rotated arrays are rotated again: call rotate with q and k for both tables." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: turned_q, turned_k = rotate(q, here), rotate(k, here)
# becomes: scores, moved = turned_q @ turned_k.T, rotate(turned_q, here + shift) @ rotate(turned_k, here + shift).T

# %% wrong: moved by turning once more advice="The rotated arrays are rotated again: call rotate with q and k for both tables." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: turned_q, turned_k = rotate(q, here), rotate(k, here)
# becomes: scores, moved = turned_q @ turned_k.T, rotate(turned_q, np.full(len(q), shift)) @ rotate(turned_k, np.full(len(q), shift)).T

# %% wrong: softmax advice="These are weights: compare the raw scores, without softmax." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: def weights(p):
# becomes:     powers = np.exp(rotate(q, p) @ rotate(k, p).T)
# becomes:     return powers / powers.sum(axis=-1, keepdims=True)
# becomes: scores, moved = weights(here), weights(here + shift)

# %% wrong: products not summed advice="The products of features are not added up: take the scores, rotate(q, p) @ rotate(k, p).T." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (np.asarray(rotate(q, p)) * np.asarray(rotate(k, p)) for p in (here, here + shift))

# %% wrong: features meet advice="The transpose is at the wrong place: a score is of two tokens, rotate(q, p) @ rotate(k, p).T." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (np.asarray(rotate(q, p)).T @ np.asarray(rotate(k, p)) for p in (here, here + shift))

# %% wrong: not transposed says="matmul" of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)) for p in (here, here + shift))

# %% wrong: turned queries themselves advice="These are rotated queries or keys: compare their scores, rotate(q, p) @ rotate(k, p).T." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (np.asarray(rotate(q, p)) for p in (here, here + shift))

# %% wrong: turned keys themselves advice="These are rotated queries or keys: compare their scores, rotate(q, p) @ rotate(k, p).T." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (np.asarray(rotate(k, p)) for p in (here, here + shift))

# %% wrong: arguments exchanged says="shift" of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (np.asarray(rotate(p, q)) @ np.asarray(rotate(p, k)).T for p in (here, here + shift))

# %% wrong: half-split, without the function advice="The result is 0 or False, although the scores change: return their largest change, computed with the function that you get as argument, between the positions 0 … n − 1 and these plus shift." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (np.asarray(rotate_halves(q, p)) @ np.asarray(rotate_halves(k, p)).T for p in (here, here + shift))

# %% wrong: without a function advice="The result is 0 or False, although the scores change: return their largest change, computed with the function that you get as argument, between the positions 0 … n − 1 and these plus shift." of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores = np.asarray(q) @ np.asarray(k).T
# becomes: moved = scores

# %% wrong: as many as features says="cannot reshape array" of="reference"
# was:     here = np.arange(len(q))
# becomes: here = np.arange(q.shape[1])

# %% wrong: from the other end advice="The positions fall: they are 0 … n − 1, in this order." of="reference"
# was:     here = np.arange(len(q))
# becomes: here = np.arange(len(q))[::-1]

# %% wrong: all at 0 advice="All tokens are at position 0: their positions are 0 … n − 1." of="reference"
# was:     here = np.arange(len(q))
# becomes: here = np.zeros(len(q))

# %% wrong: one too few says="cannot reshape array" of="reference"
# was:     here = np.arange(len(q))
# becomes: here = np.arange(len(q) - 1)

# %% wrong: one number says="cannot reshape array" of="reference"
# was:     here = np.arange(len(q))
# becomes: here = len(q)

# %% wrong: a list says="can only concatenate list" of="reference"
# was:     here = np.arange(len(q))
# becomes: here = list(range(len(q)))

# %% wrong: drawn between 0 and 1 advice="The positions are divided by n: they are 0 … n − 1." of="reference"
# was:     here = np.arange(len(q))
# becomes: here = np.arange(len(q)) / len(q)

# %% wrong: absolute of the maximum advice="A change below 0 is taken as small: take the absolute value of each change, with np.abs, and then the maximum." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(abs((moved - scores).max()))

# %% wrong: the other way, no absolute advice="The changes have the other sign, and no absolute value was taken before the maximum: np.abs of each change first." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float((scores - moved).max())

# %% wrong: change of the maximum advice="The largest scores of the two tables are compared: subtract entry by entry, then take the largest change." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(abs(moved.max() - scores.max()))

# %% wrong: change of the absolutes advice="Absolute values of scores are compared: subtract the scores themselves, then take the absolute value." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(np.abs(np.abs(moved) - np.abs(scores)).max())

# %% wrong: smallest advice="This is the smallest change: take the largest." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(np.abs(moved - scores).min())

# %% wrong: median advice="This is the median of the changes: take the largest." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(np.median(np.abs(moved - scores)))

# %% wrong: root of squares advice="This is the root of the summed squares: take the largest absolute change." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(np.linalg.norm(moved - scores))

# %% wrong: mean of squares advice="The changes are squared and averaged: take the largest absolute change." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(((moved - scores) ** 2).mean())

# %% wrong: norm of a matrix advice="The changes of a row are added up: take the largest change of a single score." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(np.linalg.norm(moved - scores, np.inf))

# %% wrong: norm of a matrix by columns advice="The changes of a column are added up: take the largest change of a single score." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(np.linalg.norm(moved - scores, 1))

# %% wrong: sum of both advice="The two tables are added: subtract one from the other." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(np.abs(moved + scores).max())

# %% wrong: largest moved score advice="This is the largest moved score: subtract the unmoved ones first." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(np.abs(moved).max())

# %% wrong: largest score advice="This is the largest score at the positions 0 … n − 1: subtract it from the moved ones, entry by entry." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(np.abs(scores).max())

# %% wrong: relative advice="The changes are divided by the scores: take them as they are." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float((np.abs(moved - scores) / (1e-12 + np.abs(scores))).max())

# %% wrong: divided by the largest advice="The largest change is divided by the largest score: take it as it is." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(np.abs(moved - scores).max() / np.abs(scores).max())

# %% wrong: divided by the shift advice="The largest change is divided by shift: take it as it is." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(np.abs(moved - scores).max() / shift)

# %% wrong: times a half advice="The largest change is halved: take it as it is." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(np.abs(moved - scores).max() / 2)

# %% wrong: the first row advice="Only the scores of query 0 are compared: compare the whole table." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(np.abs(moved - scores)[0].max())

# %% wrong: the last row advice="Only the scores of the last query are compared: compare the whole table." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(np.abs(moved - scores)[-1].max())

# %% wrong: lower triangle advice="Only keys up to the query's own are compared: compare the whole table." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(np.abs(np.tril(moved - scores)).max())

# %% wrong: strict upper triangle advice="Only keys after the query are compared: compare the whole table." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(np.abs(np.triu(moved - scores, 1)).max())

# %% wrong: diagonal advice="Only scores of a query and the key with the same index are compared: compare the whole table, rotate(q, p) @ rotate(k, p).T." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(np.abs(np.diag(moved - scores)).max())

# %% wrong: all changes advice="All changes were returned: return the largest of them, a float." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return np.abs(moved - scores)

# %% wrong: of each query advice="One number per query was returned: take the maximum over the whole table." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return np.abs(moved - scores).max(axis=1)

# %% wrong: of each key advice="One number per key was returned: take the maximum over the whole table." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return np.abs(moved - scores).max(axis=0)

# %% wrong: whole numbers advice="The result lost its fraction: return a float, with float(…)." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(int(np.abs(moved - scores).max()))

# %% wrong: rounded advice="The result is rounded to an integer: return it unrounded." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return round(float(np.abs(moved - scores).max()))

# %% wrong: a verdict advice="The result is 0 or False, although the scores change: return their largest change, computed with the function that you get as argument, between the positions 0 … n − 1 and these plus shift." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return bool(np.abs(moved - scores).max() < 1e-6)

# %% wrong: the reverse verdict advice="A boolean was returned: return the largest change, a float." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return bool(np.abs(moved - scores).max() > 1e-6)

# %% wrong: where it is advice="This is the place of the largest change: return the change itself, with max." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return int(np.abs(moved - scores).argmax())

# %% wrong: no return says="does your function end with a return?" of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: gap = float(np.abs(moved - scores).max())

# %% wrong: a print says="does your function end with a return?" of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: print(float(np.abs(moved - scores).max()))

# %% wrong: both tables advice="Both tables were returned: return the largest absolute change, a float." of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return scores, moved

# %% wrong: built-in max of a table says="is ambiguous" of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(max(abs(moved - scores)))

# %% wrong: float of a table says="only" of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return float(np.abs(moved - scores))

# %% wrong: math.fabs of a table says="only" of="reference"
# was:     return float(np.abs(moved - scores).max())
# becomes: return max(math.fabs(moved - scores))

# %% wrong: changed in place says="differs from its value before" of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: q *= 0

# %% wrong: q replaced by what was turned says="differs from its value before" of="reference"
# was:     scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: scores, moved = (np.asarray(rotate(q, p)) @ np.asarray(rotate(k, p)).T for p in (here, here + shift))
# becomes: k[:] = rotate(k, here)

# %% wrong: only the first 8 tokens are compared says="in the largest change of a score" unseen="no visible test has such an input" visible=false fails=["shift-gap-test"]
def shift_gap(rotate, q, k, shift):
    p = np.arange(len(q))
    before = rotate(q, p) @ rotate(k, p).T
    after = rotate(q, p + shift) @ rotate(k, p + shift).T
    return float(np.abs(after - before)[:8, :8].max())
