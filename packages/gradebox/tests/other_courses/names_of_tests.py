# %% [markdown]
# A student's cell uses what a test cell has imported, defined or given a value to; and what stands between
# hidden marks is none of that.

# %% answer: mean
def mean(values):
    ### BEGIN SOLUTION
    return sum(values) / len(values)
    ### END SOLUTION


# %% test: mean-test points=1
import math
from statistics import median as middle
import numpy as np

SAMPLE = [1.0, 2.0, 6.0]
table = np.arange(6).reshape(2, 3)


def close(a, b, tolerance=1e-9):
    """Whether two numbers are close."""
    return math.isclose(a, b, abs_tol=tolerance)


assert close(mean(SAMPLE), 3.0)
### BEGIN HIDDEN TESTS
secret = [4, 8]
assert mean(secret) == 6
### END HIDDEN TESTS


# %% answer: spread
def spread(values):
    ### BEGIN SOLUTION
    return math.sqrt(mean([(value - mean(values)) ** 2 for value in values]))
    ### END SOLUTION


# %% test: spread-test points=2
assert close(spread([1, 3]), 1.0)

# %% answer: uses
### BEGIN SOLUTION
centred = np.array(SAMPLE) - mean(SAMPLE)
typical = middle(SAMPLE)
total = int(table.sum())
seen = "secret" in globals()
### END SOLUTION

# %% test: uses-test points=2
assert centred.tolist() == [-2.0, -1.0, 3.0] and typical == 2.0 and total == 15

# %% answer: again
### BEGIN SOLUTION
SAMPLE = [10.0]
### END SOLUTION

# %% answer: own
def doubled():
    ### BEGIN SOLUTION
    return [2 * value for value in SAMPLE] + [factor]
    ### END SOLUTION
### BEGIN SOLUTION
mine = SAMPLE[0]
### END SOLUTION

# %% test: own-test points=2
from copy import copy
factor = 3
assert mine == 10.0 and copy(doubled()) == [20.0, 3]
