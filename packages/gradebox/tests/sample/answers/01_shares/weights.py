# %% right: split between both
def weights(A, B):
    root = A.shape[1] ** 0.25
    return shares(products(A / root, B / root))

# %% wrong: divided by d says="divided by d, not by its root" fails=["weights-test"]
def weights(A, B):
    return shares(products(A, B) / A.shape[1])
