# %% right: a loop over features
def products_loops(A, B):
    total = np.zeros((len(A), len(B)))
    for feature in range(A.shape[1]):
        total += np.outer(A[:, feature], B[:, feature])
    return total

# %% wrong: the last feature left out says="other numbers" fails=["products-loops-test"]
def products_loops(A, B):
    return np.array([[sum(a * b for a, b in zip(row[:-1], other[:-1])) for other in B] for row in A])
