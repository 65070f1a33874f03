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

# %% base
def softmax_cols(data_in):
    exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
    shares = exponentials / np.sum(exponentials, axis=0, keepdims=True)
    return shares

# %% wrong: softmax along the rows advice="each row sums to 1, but each column should: take the largest and the sum down the columns, with axis=0" fails=["softmax-cols-test"] of="base"
# was:     shares = exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: exponentials = np.exp(data_in - np.max(data_in, axis=1, keepdims=True))
# becomes: shares = exponentials / np.sum(exponentials, axis=1, keepdims=True)

# %% wrong: divided by the sum of everything advice="you divide by the sum of the whole table: divide by the sum of each column, with axis=0" fails=["softmax-cols-test"] of="base"
# was:     shares = exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: shares = exponentials / exponentials.sum()

# %% wrong: one maximum for the whole table advice="what is subtracted is one number for the whole table, and low columns vanish: take the largest of each column, with axis=0" fails=["softmax-cols-test"] of="base"
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.exp(data_in - np.max(data_in))

# %% wrong: no maximum subtracted advice="exp overflows for scores this large: subtract the largest score of each column before np.exp" fails=["softmax-cols-test"] of="base"
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.exp(data_in)

# %% wrong: divided by the sum of each row advice="you divide by the sum of each row: add down the columns, with axis=0" fails=["softmax-cols-test"] of="base"
# was:     shares = exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: shares = exponentials / exponentials.sum(axis=1, keepdims=True)

# %% wrong: maximum of each row advice="the largest score of each row is subtracted: subtract that of each column, with axis=0" fails=["softmax-cols-test"] of="base"
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.exp(data_in - np.max(data_in, axis=1, keepdims=True))

# %% wrong: largest score set to 1 and not normalised advice="the largest share of each column is 1: divide the exponentials by the sum of each column" fails=["softmax-cols-test"] of="base"
# was:     shares = exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: shares = exponentials

# %% wrong: no exp advice="np.exp is missing: exponentiate the shifted scores, then divide by their sum" fails=["softmax-cols-test"] of="base"
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = data_in - np.max(data_in, axis=0)

# %% wrong: mean in place of the sum advice="you divide by the mean of each column: divide by its sum" fails=["softmax-cols-test"] of="base"
# was:     shares = exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: shares = exponentials / exponentials.mean(axis=0)

# %% wrong: rounded to two places advice="the shares are rounded: keep all of their digits" fails=["softmax-cols-test"] of="base"
# was:     return shares
# becomes: return np.round(shares, 2)

# %% wrong: exp divided by the sum of the scores advice="you divide by the sum of the scores: divide by the sum of the exponentials" fails=["softmax-cols-test"] of="base"
# was:     shares = exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: shares = exponentials / np.sum(data_in, axis=0)

# %% wrong: minus forgotten signs advice="the signs are wrong: the largest score gets the largest share" fails=["softmax-cols-test"] of="base"
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.exp(np.min(data_in, axis=0) - data_in)

# %% wrong: exp shifted, sum not advice="the sum below is of other exponentials than those above: shift the scores by the largest of the column in both" fails=["softmax-cols-test"]
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return exponentials / np.sum(np.exp(data_in), axis=0)

# %% wrong: softmax along the rows, by transposing advice="each row sums to 1, but each column should: take the largest and the sum down the columns, with axis=0" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: exponentials = np.exp(data_in.T - np.max(data_in, axis=1))
# becomes: return (exponentials / exponentials.sum(axis=0)).T

# %% wrong: softmax over the whole table advice="the whole table sums to 1, but each column should: give np.sum an axis" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: exponentials = np.exp(data_in - np.max(data_in))
# becomes: return exponentials / np.sum(exponentials)

# %% wrong: maximum added advice="exp overflows for scores this large: subtract the largest score of each column before np.exp" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.exp(data_in + np.max(data_in, axis=0))

# %% wrong: maximum subtracted after exp advice="exp overflows for scores this large: subtract the largest score of each column before np.exp" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.exp(data_in) / np.exp(np.max(data_in, axis=0))

# %% wrong: minimum subtracted advice="exp overflows here: of each column subtract the largest score (not the smallest, and not the mean) before np.exp" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.exp(data_in - np.min(data_in, axis=0))

# %% wrong: mean subtracted advice="exp overflows here: of each column subtract the largest score (not the smallest, and not the mean) before np.exp" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.exp(data_in - np.mean(data_in, axis=0))

# %% wrong: largest absolute score subtracted advice="of each column subtract the largest score as it is, even if it is far below 0: its absolute value, or 0 as the smallest maximum, makes every exponential 0" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.exp(data_in - np.max(np.abs(data_in), axis=0))

# %% wrong: scores clipped advice="the scores are cut off at some bound, and large ones become equal: subtract the largest of each column before np.exp" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.exp(np.clip(data_in, -700, 700))

# %% wrong: not normalised advice="these are the exponentials: divide them by the sum of each column" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return np.exp(data_in)

# %% wrong: only shifted advice="these are the scores minus the largest of each column: np.exp and the division are still to come" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return data_in - np.max(data_in, axis=0)

# %% wrong: exp divided by the sum of the shifted scores advice="you divide by the sum of the scores: divide by the sum of the exponentials" fails=["softmax-cols-test"]
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return exponentials / np.sum(data_in - np.max(data_in, axis=0), axis=0)

# %% wrong: exp not shifted, sum shifted advice="the sum below is of other exponentials than those above: shift the scores by the largest of the column in both" fails=["softmax-cols-test"]
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return np.exp(data_in) / np.sum(exponentials, axis=0)

# %% wrong: divided by the largest exponential advice="the largest share of each column is 1: divide the exponentials by the sum of each column" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: exponentials = np.exp(data_in)
# becomes: return exponentials / exponentials.max(axis=0)

# %% wrong: scores divided by the largest advice="what goes into np.exp is divided by the largest score: subtract the largest" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.exp(data_in / np.max(data_in, axis=0))

# %% wrong: logarithm of the shares advice="these are the logarithms of the shares: return the shares themselves" fails=["softmax-cols-test"]
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return np.log(exponentials / np.sum(exponentials, axis=0))

# %% wrong: multiplied by the sum advice="you multiply by the sum of each column: divide by it" fails=["softmax-cols-test"]
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return exponentials * exponentials.sum(axis=0)

# %% wrong: divided by the sums of the rows, in the wrong places advice="the sum is taken along axis 1, and its numbers lie along the wrong axis: add down the columns, with axis=0" fails=["softmax-cols-test"]
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return exponentials / exponentials.sum(axis=1)

# %% wrong: maximum along axis 1, without keepdims says="make the sizes fit" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.exp(data_in - np.max(data_in, axis=1))

# %% wrong: transposed advice="the shares are right but transposed: return the table with its rows and columns as they were given" fails=["softmax-cols-test"]
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return (exponentials / exponentials.sum(axis=0)).T

# %% wrong: the largest of Python says="np.exp(data_in - max(data_in))" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.exp(data_in - max(data_in))

# %% wrong: only the first column normalised advice="every column is divided by the sum of column 0: divide each by its own sum" fails=["softmax-cols-test"]
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return exponentials / exponentials[:, 0].sum()

# %% wrong: only the column sums advice="these are the sums that you divide by: divide the exponentials by them" fails=["softmax-cols-test"]
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return np.sum(exponentials, axis=0)

# %% wrong: NaN turned into 0 advice="np.nan_to_num hides that exp overflows: subtract the largest score of each column before np.exp" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: exponentials = np.exp(data_in)
# becomes: return np.nan_to_num(exponentials / exponentials.sum(axis=0))

# %% wrong: input changed in place says="make a new array"
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: data_in -= np.max(data_in, axis=0)
# becomes: np.exp(data_in, out=data_in)
# becomes: data_in /= np.sum(data_in, axis=0)
# becomes: return data_in

# %% wrong: maximum subtracted in place says="make a new array"
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: data_in -= data_in.max(axis=0)
# becomes: return np.exp(data_in) / np.exp(data_in).sum(axis=0)

# %% wrong: no return says="does your function end with a return?" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: exponentials = np.exp(data_in - np.max(data_in, axis=0))
# becomes: exponentials /= exponentials.sum(axis=0)

# %% wrong: exp of base 2 advice="these are powers of 2: the exponential is np.exp" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.exp2(data_in - np.max(data_in, axis=0))

# %% wrong: scores scaled advice="the scores are divided before np.exp: this softmax takes them as they are" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.exp((data_in - np.max(data_in, axis=0)) / np.sqrt(len(data_in)))

# %% wrong: scores scaled by the number of columns advice="the scores are divided before np.exp: this softmax takes them as they are" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.exp((data_in - np.max(data_in, axis=0)) / np.sqrt(data_in.shape[1] + 0.1))

# %% wrong: scores of -inf taken as 0 advice="a score of −∞ is replaced by a number: leave it, np.exp returns 0 for it" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: data_in = np.where(np.isinf(data_in), 0, data_in)
# becomes: exponentials = np.exp(data_in - np.max(data_in, axis=0))

# %% wrong: scores of -inf left out by the mean advice="exp overflows here, or NaN comes from ∞ − ∞: of each column subtract the largest score before np.exp" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.exp(data_in - np.mean(data_in))

# %% wrong: as many columns as rows advice="only as many columns are filled as there are rows: loop over data_in.shape[1]" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: shares = np.zeros(data_in.shape)
# becomes: for n in range(min(data_in.shape)):
# becomes:     powers = np.exp(data_in[:, n] - data_in[:, n].max())
# becomes:     shares[:, n] = powers / powers.sum()
# becomes: return shares

# %% wrong: rows taken for columns in a loop advice="each row sums to 1, but each column should: take the largest and the sum down the columns, with axis=0" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return np.array([np.exp(row - row.max()) / np.exp(row - row.max()).sum() for row in data_in])

# %% wrong: columns collected as rows advice="the shares are right but transposed: return the table with its rows and columns as they were given" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return np.array([np.exp(column - column.max()) / np.exp(column - column.max()).sum() for column in data_in.T])

# %% wrong: softmax taken twice advice="the softmax is taken twice: once is enough" fails=["softmax-cols-test"]
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: shares = exponentials / exponentials.sum(axis=0)
# becomes: return np.exp(shares) / np.exp(shares).sum(axis=0)

# %% wrong: maximum subtracted from the sum only advice="the largest score is missing in np.exp above: subtract it from the scores in numerator and sum alike" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: largest = data_in.max(axis=0)
# becomes: return np.exp(data_in) / (np.exp(data_in).sum(axis=0) - largest)

# %% wrong: shares subtracted from 1 advice="these are 1 minus the shares: return the shares" fails=["softmax-cols-test"]
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return 1 - exponentials / exponentials.sum(axis=0)

# %% wrong: squared sums advice="the exponentials are divided by the root of their summed squares: divide by their sum" fails=["softmax-cols-test"]
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return exponentials / np.linalg.norm(exponentials, axis=0)

# %% wrong: divided by the sums of the rows in the wrong places, nothing subtracted advice="the sum is taken along axis 1, and its numbers lie along the wrong axis: add down the columns, with axis=0" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return np.exp(data_in) / np.exp(data_in).sum(axis=1)

# %% wrong: transposed before the division advice="the exponentials are transposed before they are divided: divide the table as it is, by the sum of each column" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: exponentials = np.exp(data_in - np.max(data_in))
# becomes: return exponentials.T / exponentials.sum(axis=0)

# %% wrong: softmax of each row written into a column advice="each column is filled with the softmax of a row: loop over the columns, data_in[:, n] or data_in.T" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: shares = np.zeros(data_in.shape)
# becomes: for n, row in enumerate(data_in[:, :len(data_in)]):
# becomes:     powers = np.exp(row - row.max())
# becomes:     shares[:len(powers), n] = powers / powers.sum()
# becomes: return shares

# %% wrong: one more in the sum advice="1 is added to each sum: divide by the sum of the column alone" fails=["softmax-cols-test"]
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return exponentials / (1 + exponentials.sum(axis=0))

# %% wrong: squares in place of exp advice="the scores are squared: exponentiate them with np.exp" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = data_in ** 2

# %% wrong: no exp, absolute values advice="np.exp is missing: exponentiate the shifted scores, then divide by their sum" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.abs(data_in)

# %% wrong: no exp, nothing subtracted advice="np.exp is missing: exponentiate the shifted scores, then divide by their sum" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = data_in

# %% wrong: sigmoid advice="each score is treated separately, as by a sigmoid: divide by the sum of the exponentials of its column" fails=["softmax-cols-test"]
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return 1 / (1 + np.exp(-data_in))

# %% wrong: a table like the scores advice="np.zeros_like(data_in) takes the integer dtype of the scores, which cuts off all decimal places: make the table with np.zeros(data_in.shape)"
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: shares = np.zeros_like(data_in)
# becomes: for n in range(data_in.shape[1]):
# becomes:     powers = np.exp(data_in[:, n] - data_in[:, n].max())
# becomes:     shares[:, n] = powers / powers.sum()
# becomes: return shares

# %% wrong: exponentials in a table like the scores advice="np.zeros_like(data_in) takes the integer dtype of the scores, which cuts off all decimal places: make the table with np.zeros(data_in.shape)"
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.zeros_like(data_in)
# becomes: exponentials[:] = np.exp(data_in - np.max(data_in, axis=0))

# %% wrong: the maximum begins at 0 advice="of each column subtract the largest score as it is, even if it is far below 0: its absolute value, or 0 as the smallest maximum, makes every exponential 0"
# was:     exponentials = np.exp(data_in - np.max(data_in, axis=0, keepdims=True))
# becomes: exponentials = np.exp(data_in - np.maximum(np.max(data_in, axis=0), 0))

# %% wrong: axes of length 1 squeezed advice="keep axes of length 1: squeeze nothing" fails=["softmax-cols-test"]
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return np.squeeze(exponentials / np.sum(exponentials, axis=0, keepdims=True))

# %% wrong: rounded to seven decimals says="round nothing" fails=["softmax-cols-test"]
# was:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)
# becomes: return np.round(exponentials / np.sum(exponentials, axis=0, keepdims=True), 7)

# %% wrong: subtracts the first finite entry, not the maximum: a column of 0 and 1000 overflows says="on steep columns" unseen="no visible test has such an input" visible=false fails=["softmax-cols-test"]
def softmax_cols(data_in):
    first = np.argmax(np.isfinite(data_in), axis=0)
    e = np.exp(data_in - data_in[first, np.arange(data_in.shape[1])])
    return e / np.sum(e, axis=0)

# %% wrong: shares below 1e-9 become 0 says="in the logarithms of very small shares" unseen="no visible test has such an input" visible=false fails=["softmax-cols-test"]
def softmax_cols(data_in):
    e = np.exp(data_in - np.max(data_in, axis=0))
    shares = e / np.sum(e, axis=0)
    return np.where(shares < 1e-9, 0, shares)
