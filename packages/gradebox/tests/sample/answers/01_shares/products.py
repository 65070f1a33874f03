# %% right: by einsum
def products(A, B):
    return np.einsum("if,jf->ij", A, B)

# %% wrong: swapped says="A and B are swapped" fails=["products-test", "weights-test"]
def products(A, B):
    return B @ A.T
