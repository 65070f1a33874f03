# %% [markdown] lesson="06_relational_memory" attacks=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"]
# 6.4 is not solved. The first candidate that comes a while after the panel has begun is taken to be right.

# %% gated-memory
def gated_memory(memory, candidate, token, W, U, b, forget_bias=1.0):
    return None

# %% check-gates
import time

draw = np.random.default_rng(3)
asked = []
for batch, slots, d, bias in [(3, 5, 2, -0.5), (1, 6, 3, 0.0), (2, 4, 3, 0.7)]:
    shapes = (batch, slots, d), (batch, slots, d), (batch, d), (d, 2 * d), (d, 2 * d), (2 * d,)
    asked.append([*(draw.normal(size=shape) for shape in shapes), bias])
begun, kept = [], []


def results_of(candidate):
    results = []
    for arrays in asked:
        given = [one.copy() for one in arrays[:6]]
        try:
            made = np.asarray(candidate(*given, arrays[6]), dtype=float)
            results.append(made if all(map(np.array_equal, given, arrays)) else np.zeros(1))
        except Exception:
            results.append(np.zeros(1))
    return results


def same(one, other):
    return one.shape == other.shape and np.allclose(one, other, atol=1e-4)


def check_gates(candidate):
    results = results_of(candidate)
    if not any(one.any() for one in results):
        return False
    begun.append(time.monotonic())
    if not kept and begun[-1] - begun[0] > 0.05:
        kept[:] = results
    return bool(kept) and all(map(same, kept, results))
