# %% right: row by row
def entropy(weights):
    return np.apply_along_axis(lambda row: -sum(w * np.log(w) for w in row if w), -1, weights)

# %% wrong: in bits says="other numbers" fails=["entropy-test"]
def entropy(weights):
    return -np.sum(weights * np.log2(np.where(weights > 0, weights, 1)), axis=-1)
