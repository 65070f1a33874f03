seen = []
draw = np.random.default_rng(5)
asked = []
for batch, q, k, d, v in [(3, 4, 6, 2, 5), (2, 6, 3, 5, 4), (2, 5, 5, 3, 4), (2, 3, 4, 2, 5)]:
    for size in (1, 1e4):
        arrays = [draw.normal(size=(batch, *s)) for s in [(q, d), (k, d), (k, v)]]
        arrays[0][:, 1:] *= size
        boxed = np.where(draw.random(size=(batch, q, k)) < 0.5, -np.inf, 0)
        boxed[..., 1] = 0
        asked += [(*arrays, mask) for mask in (None, boxed[1], boxed)]


def results_of(candidate):
    found = []
    for arrays in asked:
        try:
            with np.errstate(all="ignore"):
                output, weights = candidate(*arrays)
            found.append(np.concatenate([np.ravel(output), np.ravel(weights)]).astype(float))
        except Exception:
            found.append(np.zeros(1))
    return found


def same(one, other):
    return one.shape == other.shape and np.allclose(one, other, atol=1e-6, equal_nan=True)
