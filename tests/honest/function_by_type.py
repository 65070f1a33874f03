# %% [markdown] lesson="02_two_head" loses=["equivariance-gap-test"] why="The test passes np.tanh, too, which is no function of Python's."
# What is no function is refused, by its type; its name and what it takes are printed.

# %% equivariance-gap
import inspect
import types

def equivariance_gap(attend, X, permutation):
    if not isinstance(attend, types.FunctionType):
        raise TypeError("attend must be a function")
    print(f"{attend.__name__}{inspect.signature(attend)}: {X.shape}")
    permuted_first = np.asarray(attend(X[:, permutation]))
    permuted_last = np.asarray(attend(X))[:, permutation]
    return float(np.max(np.abs(permuted_first - permuted_last)))
