# %% right: explicit loops over entries
def equivariance_gap(attend, X, permutation):
    permuted = np.zeros_like(X)
    for j, n in enumerate(permutation):
        permuted[:, j] = X[:, n]
    first, last = attend(permuted), attend(X)
    gap = 0.0
    for d in range(len(first)):
        for j, n in enumerate(permutation):
            gap = max(gap, abs(first[d, j] - last[d, n]))
    return gap

# %% right: permutation as a matrix from the right
def equivariance_gap(attend, X, permutation):
    P = np.eye(len(permutation))[:, permutation]
    return np.linalg.norm((attend(X @ P) - attend(X) @ P).ravel(), ord=np.inf)

# %% right: take, and the result put back in order instead of permuting the other
def equivariance_gap(attend, X, permutation):
    back = np.argsort(permutation)
    restored = np.take(attend(np.take(X, permutation, axis=1)), back, axis=1)
    return np.ptp([0, np.max(np.abs(restored - attend(X)))])

# %% right: rows of the transposed table
def equivariance_gap(attend, X, permutation):
    first = attend(X.T[permutation].T)
    last = attend(X).T[permutation].T
    return max(np.max(first - last), np.max(last - first))

# %% wrong: sign lost says="the sign got lost"
def equivariance_gap(attend, X, permutation):
    first = attend(X[:, permutation])
    last = attend(X)[:, permutation]
    return float((first - last).max())

# %% wrong: absolute value of the largest says="the sign got lost"
def equivariance_gap(attend, X, permutation):
    first = attend(X[:, permutation])
    last = attend(X)[:, permutation]
    return float(abs((first - last).max()))

# %% wrong: result not permuted says="permute attend(X) too"
def equivariance_gap(attend, X, permutation):
    first = attend(X[:, permutation])
    last = attend(X)
    return float(np.abs(first - last).max())

# %% wrong: X not permuted says="permute X as well"
def equivariance_gap(attend, X, permutation):
    first = attend(X)
    last = attend(X)[:, permutation]
    return float(np.abs(first - last).max())

# %% wrong: permutation backwards says="the permutation runs backwards"
def equivariance_gap(attend, X, permutation):
    back = np.argsort(permutation)
    first = attend(X[:, back])
    last = attend(X)[:, back]
    return float(np.abs(first - last).max())

# %% wrong: result permuted backwards says="the permutation of the result runs backwards"
def equivariance_gap(attend, X, permutation):
    first = attend(X[:, permutation])
    last = attend(X)[:, np.argsort(permutation)]
    return float(np.abs(first - last).max())

# %% wrong: X permuted backwards says="the permutation of X runs backwards"
def equivariance_gap(attend, X, permutation):
    first = attend(X[:, np.argsort(permutation)])
    last = attend(X)[:, permutation]
    return float(np.abs(first - last).max())

# %% wrong: mean difference says="this is the mean difference"
def equivariance_gap(attend, X, permutation):
    first = attend(X[:, permutation])
    last = attend(X)[:, permutation]
    return float(np.abs(first - last).mean())

# %% wrong: sum of the differences says="this is the sum of the differences"
def equivariance_gap(attend, X, permutation):
    first = attend(X[:, permutation])
    last = attend(X)[:, permutation]
    return float(np.abs(first - last).sum())

# %% wrong: root of the summed squares says="the root of the summed squares"
def equivariance_gap(attend, X, permutation):
    first = attend(X[:, permutation])
    last = attend(X)[:, permutation]
    return float(np.linalg.norm(first - last))

# %% wrong: rows permuted says="permute columns, once before attend"
def equivariance_gap(attend, X, permutation):
    first = attend(X[permutation])
    last = attend(X)[permutation]
    return float(np.abs(first - last).max())

# %% wrong: rows of X permuted says="you permute the rows of X"
def equivariance_gap(attend, X, permutation):
    first = attend(X[permutation])
    last = attend(X)[:, permutation]
    return float(np.abs(first - last).max())

# %% wrong: compares a result with itself says="permute columns, once before attend"
def equivariance_gap(attend, X, permutation):
    first = attend(X)[:, permutation]
    last = attend(X)[:, permutation]
    return float(np.abs(first - last).max())

# %% wrong: a difference for each token says="one number"
def equivariance_gap(attend, X, permutation):
    first = attend(X[:, permutation])
    last = attend(X)[:, permutation]
    return np.abs(first - last).max(axis=0)

# %% wrong: X permuted in place says="changed an array that it was given"
def equivariance_gap(attend, X, permutation):
    last = attend(X)[:, permutation]
    X[:] = X[:, permutation]
    first = attend(X)
    return float(np.abs(first - last).max())
