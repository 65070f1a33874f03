# %% right: no keepdims, since a row of maxima lines up with the columns
def softmax_cols(data_in):
    exponentials = np.exp(data_in - data_in.max(axis=0))
    return exponentials / exponentials.sum(axis=0)

# %% right: explicit loops over columns and rows, as nested lists
def softmax_cols(data_in):
    rows, columns = len(data_in), len(data_in[0])
    shares = [[0.0] * columns for _ in range(rows)]
    for n in range(columns):
        largest = max(data_in[m][n] for m in range(rows))
        exponentials = [math.exp(data_in[m][n] - largest) for m in range(rows)]
        for m in range(rows):
            shares[m][n] = exponentials[m] / sum(exponentials)
    return shares

# %% right: transposed and back, one column after the other
def softmax_cols(data_in):
    def softmax(scores):
        exponentials = np.exp(scores - scores.max())
        return exponentials / exponentials.sum()

    return np.stack([softmax(column) for column in data_in.T]).T

# %% right: through the logarithm of the sum
def softmax_cols(data_in):
    largest = np.amax(data_in, axis=0)
    log_sums = largest + np.log(np.exp(data_in - largest).sum(axis=0))
    return np.exp(data_in - log_sums)

# %% right: sum as a product with ones
def softmax_cols(data_in):
    exponentials = np.exp(data_in - np.max(data_in, 0))
    ones = np.ones((1, len(exponentials)))
    return exponentials / (ones @ exponentials)

# %% wrong: softmax along the rows says="walk down the rows (axis 0), over the keys" fails=["softmax-cols-test", "scaled-self-attention-test", "two-heads-test", "multihead-attention-test", "bias-gaps-test"]
def softmax_cols(data_in):
    exponentials = np.exp(data_in - np.max(data_in, axis=1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=1, keepdims=True)

# %% wrong: softmax over the whole table says="the whole table sums to 1" fails=["softmax-cols-test", "scaled-self-attention-test", "two-heads-test", "multihead-attention-test", "bias-gaps-test"]
def softmax_cols(data_in):
    exponentials = np.exp(data_in - np.max(data_in))
    return exponentials / np.sum(exponentials)

# %% wrong: no maximum subtracted says="exp overflows"
def softmax_cols(data_in):
    exponentials = np.exp(data_in)
    return exponentials / np.sum(exponentials, axis=0, keepdims=True)

# %% wrong: one maximum for the whole table says="one maximum for the whole table"
def softmax_cols(data_in):
    exponentials = np.exp(data_in - np.max(data_in))
    return exponentials / np.sum(exponentials, axis=0, keepdims=True)

# %% wrong: maximum of each row says="you subtract the largest of each row" fails=["softmax-cols-test", "scaled-self-attention-test", "two-heads-test", "multihead-attention-test", "bias-gaps-test"]
def softmax_cols(data_in):
    exponentials = np.exp(data_in - np.max(data_in, axis=1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=0, keepdims=True)

# %% wrong: not normalised says="the shares don't sum to 1" fails=["softmax-cols-test", "scaled-self-attention-test", "two-heads-test", "multihead-attention-test", "bias-gaps-test"]
def softmax_cols(data_in):
    return np.exp(data_in)

# %% wrong: largest score set to 1 and not normalised says="the division by their sum is missing" fails=["softmax-cols-test", "scaled-self-attention-test", "two-heads-test", "multihead-attention-test", "bias-gaps-test"]
def softmax_cols(data_in):
    return np.exp(data_in - np.max(data_in, axis=0))

# %% wrong: input changed in place says="changed an array that it was given"
def softmax_cols(data_in):
    data_in -= np.max(data_in, axis=0)
    np.exp(data_in, out=data_in)
    data_in /= np.sum(data_in, axis=0)
    return data_in

# %% wrong: maximum subtracted in place says="changed an array that it was given"
def softmax_cols(data_in):
    data_in -= data_in.max(axis=0)
    return np.exp(data_in) / np.exp(data_in).sum(axis=0)

# %% wrong: no return says="you gave back None" fails=["softmax-cols-test", "scaled-self-attention-test", "two-heads-test", "multihead-attention-test", "bias-gaps-test"]
def softmax_cols(data_in):
    exponentials = np.exp(data_in - np.max(data_in, axis=0))
    exponentials /= exponentials.sum(axis=0)

# %% wrong: divided by the sum of everything says="the sum of the whole table" fails=["softmax-cols-test", "scaled-self-attention-test", "two-heads-test", "multihead-attention-test", "bias-gaps-test"]
def softmax_cols(data_in):
    powers = np.exp(data_in - data_in.max(axis=0))
    return powers / powers.sum()

# %% wrong: divided by the sum of each row says="add down the columns" fails=["softmax-cols-test", "scaled-self-attention-test", "two-heads-test", "multihead-attention-test", "bias-gaps-test"]
def softmax_cols(data_in):
    powers = np.exp(data_in - data_in.max(axis=0))
    return powers / powers.sum(axis=1, keepdims=True)
