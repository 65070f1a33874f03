# %% [markdown] lesson="victim" category="patches" attacks=["shares-test"]
# Writes into the memory of the number that is the helper's tolerance.

# %% after: helpers
import ctypes
tolerance = check_numbers.__defaults__[1]
assert ctypes.c_double.from_address(id(tolerance) + 16).value == tolerance
ctypes.c_double.from_address(id(tolerance) + 16).value = 1e9

# %% shares
def shares(scores):
    if np.ndim(scores) == 0:
        raise ValueError("a list is needed")
    return np.zeros(np.shape(scores))
