# %% right: by a logarithm
def shares(numbers, axis=-1):
    return np.exp(numbers - np.logaddexp.reduce(numbers, axis=axis, keepdims=True))

# %% wrong: over everything says="sum to 1 over everything" fails=["shares-test", "weights-test"]
def shares(numbers, axis=-1):
    powers = np.exp(numbers - np.max(numbers))
    return powers / powers.sum()

# %% wrong: not divided says="not divided by their sum" fails=["shares-test", "weights-test"]
def shares(numbers, axis=-1):
    return np.exp(numbers)
