# %% [markdown]
# Names that a solution imports, modules that it writes, and a test that is not to be judged.

# %% answer: imports
### BEGIN SOLUTION
import math
import matplotlib.pyplot as plt
from functools import reduce
import numpy as np
### END SOLUTION

# %% test: imports-test points=2
import sys

assert math is sys.modules["math"] and id(plt) == id(sys.modules["matplotlib.pyplot"])
assert reduce(lambda a, b: a + b, [1, 2]) == 3 and "np" in dir() and "math" in globals()


# %% answer: norm
def norm(x):
    ### BEGIN SOLUTION
    return np.sqrt(np.sum(np.square(x)))
    ### END SOLUTION


# %% test: norm-test points=1
np.testing.assert_allclose(norm([3, 4]), 5)

# %% test: norm-unjudged points=1 tags=["unjudged"]
assert norm.__globals__["np"].array([1]).size == 1 and norm.__code__.co_consts is not None

# %% test: norm-after points=1
assert norm([0]) == 0
