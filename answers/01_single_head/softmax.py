# %% right: keeps the axis by hand
def softmax(scores, axis=-1):
    top = np.expand_dims(scores.max(axis), axis)
    powers = np.e ** (scores - top)
    return powers / np.expand_dims(powers.sum(axis), axis)

# %% right: one slice after the other, with plain Python
def stable_shares(values):
    top = max(values)
    powers = [math.exp(value - top) for value in values]
    return [power / math.fsum(powers) for power in powers]


def softmax(scores, axis=-1):
    return np.apply_along_axis(stable_shares, axis, scores)

# %% right: moves the axis to the end and loops
def softmax(scores, axis=-1):
    moved = np.moveaxis(np.array(scores, dtype=float), axis, -1)
    for index in np.ndindex(moved.shape[:-1]):
        row = moved[index] - moved[index].max()
        moved[index] = np.exp(row) / np.exp(row).sum()
    return np.moveaxis(moved, -1, axis)

# %% right: logarithm of the sum first
def softmax(scores, axis=-1):
    log_sum = np.logaddexp.reduce(scores, axis=axis, keepdims=True)
    return np.exp(scores - log_sum)

# %% right: torch
import torch


def softmax(scores, axis=-1):
    return torch.softmax(torch.from_numpy(scores).double(), dim=axis)

# %% right: gives back nested lists
def softmax(scores, axis=-1):
    powers = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return (powers / np.sum(powers, axis=axis, keepdims=True)).tolist()

# %% base
def softmax(scores, axis=-1):
    shifted = scores - np.max(scores, axis=axis, keepdims=True)
    exponentials = np.exp(shifted)
    shares = exponentials / np.sum(exponentials, axis=axis, keepdims=True)
    return shares

# %% wrong: softmax over queries advice="Take the maximum and the sum along the `axis` that you are given: here the sum runs along axis 0." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"] of="base"
# was:     shares = exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes: exponentials = np.exp(scores - np.max(scores, axis=0, keepdims=True))
# becomes: shares = exponentials / np.sum(exponentials, axis=0, keepdims=True)

# %% wrong: the sum over everything advice="Give np.sum the axis, too, and keep it: you divide by the sum of all exponentials, not by that of each list." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"] of="base"
# was:     shares = exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes: shares = exponentials / np.sum(exponentials)

# %% wrong: one global maximum advice="One maximum for the whole array makes all exponentials of a list far below it 0: subtract each list's own, along `axis`." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"] of="base"
# was:     shifted = scores - np.max(scores, axis=axis, keepdims=True)
# becomes: shifted = scores - np.max(scores)

# %% wrong: no max subtraction advice="np.exp overflows from about 710 on, and returns 0 for scores far below: give it the scores minus the maximum of their list." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"] of="base"
# was:     exponentials = np.exp(shifted)
# becomes: exponentials = np.exp(scores)

# %% wrong: the sum along the last axis, whatever is asked for advice="Take the sum along the same `axis` as the maximum: here only the maximum uses the axis that was requested." of="base"
# was:     shares = exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes: shares = exponentials / np.sum(exponentials, axis=-1, keepdims=True)

# %% wrong: the maximum along the last axis, whatever is asked for advice="Take the maximum along the same `axis` as the sum: here only the sum uses the axis that was requested." of="base"
# was:     shifted = scores - np.max(scores, axis=axis, keepdims=True)
# becomes: shifted = scores - np.max(scores, axis=-1, keepdims=True)

# %% wrong: the division forgotten advice="Divide the exponentials by their sum along `axis`: in each list the largest share is 1 here." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"] of="base"
# was:     shares = exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes: shares = exponentials

# %% wrong: no exponential advice="np.exp is missing: the shares are made of the exponentials of the shifted scores, not of these scores themselves." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"] of="base"
# was:     exponentials = np.exp(shifted)
# becomes: exponentials = shifted

# %% wrong: the sign of the exponent advice="The exponent has the wrong sign: a higher score must get a larger share." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"] of="base"
# was:     exponentials = np.exp(shifted)
# becomes: exponentials = np.exp(-shifted)

# %% wrong: divided by the mean advice="Divide the exponentials by their sum, not by their mean." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"] of="base"
# was:     shares = exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes: shares = exponentials / np.mean(exponentials, axis=axis, keepdims=True)

# %% wrong: rounded advice="Return the shares as they are: don't round them, and don't add anything to their sum, which is at least 1." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"] of="base"
# was:     return shares
# becomes: return np.round(shares, 4)

# %% wrong: the smallest subtracted advice="Subtract the largest score of each list, not the smallest: then no exponent is above 0." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"] of="base"
# was:     shifted = scores - np.max(scores, axis=axis, keepdims=True)
# becomes: shifted = scores - np.min(scores, axis=axis, keepdims=True)

# %% wrong: divided by the sum of the scores advice="Divide by the sum of the exponentials, not by the sum of the scores." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes:     return exponentials / np.sum(scores, axis=axis, keepdims=True)

# %% wrong: the axis is ignored advice="Take the maximum and the sum along the `axis` that you are given: here both run along the last axis."
def softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)

# %% wrong: axis 1 throughout advice="Take the maximum and the sum along the `axis` that you are given: axis=0 was requested here, and each row sums to 1."
def softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)

# %% wrong: the maximum along axis 0, whatever is asked for advice="Take the maximum along the same `axis` as the sum: here only the sum uses the axis that was requested." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     shifted = scores - np.max(scores, axis=axis, keepdims=True)
# becomes:     shifted = scores - np.max(scores, axis=0, keepdims=True)

# %% wrong: the sum along axis 0, whatever is asked for advice="Take the sum along the same `axis` as the maximum: here only the maximum uses the axis that was requested." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes:     return exponentials / np.sum(exponentials, axis=0, keepdims=True)

# %% wrong: over everything advice="Each list has its own softmax: take the maximum and the sum along `axis`, not over the whole array." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()

# %% wrong: the default is the first axis advice="Without an axis the lists run along the last one: keep axis=-1 as the default."
# was: def softmax(scores, axis=-1):
# becomes: def softmax(scores, axis=0):

# %% wrong: weights unnormalised advice="These are the bare exponentials: subtract each list's maximum before np.exp, and divide by the sum of the list after it." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    return np.exp(scores)

# %% wrong: divided by the largest exponential advice="Divide the exponentials by their sum along `axis`: in each list the largest share is 1 here." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes:     return exponentials / np.max(exponentials, axis=axis, keepdims=True)

# %% wrong: the scores divided by their sum advice="np.exp is missing: here the scores themselves are divided by their sum." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    return scores / np.sum(scores, axis=axis, keepdims=True)

# %% wrong: divided by the sum of the shifted scores advice="Divide by the sum of the exponentials, not by the sum of the shifted scores." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes:     return exponentials / np.sum(shifted, axis=axis, keepdims=True)

# %% wrong: shifted above, not below advice="Divide by the sum of the same exponentials as in the numerator: there the maximum is subtracted, and below it isn't." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes:     return exponentials / np.sum(np.exp(scores), axis=axis, keepdims=True)

# %% wrong: shifted below, not above advice="Take the same exponentials in numerator and denominator: the maximum is subtracted only in the sum." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes:     return np.exp(scores) / np.sum(exponentials, axis=axis, keepdims=True)

# %% wrong: divided by the maximum, not shifted advice="Subtract the maximum from the scores: dividing by it changes the shares." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     shifted = scores - np.max(scores, axis=axis, keepdims=True)
# becomes:     shifted = scores / np.max(scores, axis=axis, keepdims=True)

# %% wrong: the logarithm of the shares advice="These are the logarithms of the shares: take np.exp of them." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes:     return shifted - np.log(np.sum(exponentials, axis=axis, keepdims=True))

# %% wrong: twice advice="This is the softmax of a softmax: take it once." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes:     shares = exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes:     return np.exp(shares) / np.sum(np.exp(shares), axis=axis, keepdims=True)

# %% wrong: a sigmoid of each score advice="Each score was treated separately, as by a sigmoid: divide its exponential by the sum over its list." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    return 1 / (1 + np.exp(-scores))

# %% wrong: a loop over the rows, turned for axis 0 advice="Give np.max and np.sum axis=axis and keepdims=True instead of a loop over the first axis: there may be more than two axes, and here each table of the array became one softmax."
def softmax(scores, axis=-1):
    table = scores.T if axis == 0 else scores
    shares = np.array([np.exp(row - row.max()) / np.exp(row - row.max()).sum() for row in table])
    return shares.T if axis == 0 else shares

# %% wrong: the mean subtracted advice="Subtract the largest score of each list, not the mean: then no exponent is above 0." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     shifted = scores - np.max(scores, axis=axis, keepdims=True)
# becomes:     shifted = scores - np.mean(scores, axis=axis, keepdims=True)

# %% wrong: the largest without its sign advice="Subtract each list's largest score as it is, even if it is far below 0: with its absolute value, or with 0 as the smallest maximum, every exponential of such a list is 0." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     shifted = scores - np.max(scores, axis=axis, keepdims=True)
# becomes:     shifted = scores - np.max(np.abs(scores), axis=axis, keepdims=True)

# %% wrong: scores cut off so that exp can't overflow advice="Subtract each list's maximum instead of cutting the scores off: what is cut off loses its differences." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    powers = np.exp(np.clip(scores, -700, 700))
    return powers / powers.sum(axis=axis, keepdims=True)

# %% wrong: -inf taken for 0 advice="Leave a score of -inf as it is: np.exp returns 0 for it, and it was given the share of another score here."
# was:     shifted = scores - np.max(scores, axis=axis, keepdims=True)
# becomes:     scores = np.where(np.isinf(scores), 0, scores)
# becomes:     shifted = scores - np.max(scores, axis=axis, keepdims=True)

# %% wrong: a small number is added to the sum advice="Return the shares as they are: don't round them, and don't add anything to their sum, which is at least 1." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    powers = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return powers / (powers.sum(axis=axis, keepdims=True) + 1e-4)

# %% wrong: the last axis for three dimensions and more advice="Take the maximum and the sum along the `axis` that you are given: here both run along the last axis."
def softmax(scores, axis=-1):
    axis = axis if scores.ndim < 3 else -1
    powers = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)

# %% wrong: in-place input says="make a new array"
def softmax(scores, axis=-1):
    scores -= scores.max(axis=axis, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=axis, keepdims=True)
    return scores

# %% wrong: forgets to return says="does your function end with a return?" fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    powers = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    powers / powers.sum(axis=axis, keepdims=True)

# %% wrong: the axis not kept says="could not be broadcast" fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=axis))
    return powers / powers.sum(axis=axis)

# %% wrong: the axis not kept in the sum says="could not be broadcast" fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes:     return exponentials / np.sum(exponentials, axis=axis)

# %% wrong: the axis put back at the place of the columns says="could not be broadcast"
def softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=axis)[:, None])
    return powers / powers.sum(axis=axis)[:, None]

# %% wrong: subtracted outside of the exponential advice="Subtract the maximum inside np.exp, from the scores: here it is subtracted from their exponentials." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     shifted = scores - np.max(scores, axis=axis, keepdims=True)
# was:     exponentials = np.exp(shifted)
# becomes:     exponentials = np.exp(scores) - np.max(scores, axis=axis, keepdims=True)

# %% wrong: powers of 2 advice="Use np.exp: these are powers of 2." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     exponentials = np.exp(shifted)
# becomes:     exponentials = 2 ** shifted

# %% wrong: divided by the length of the vector advice="Divide by the sum of the exponentials: here it is the length of the vector, the root of the sum of their squares." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes:     return exponentials / np.linalg.norm(exponentials, axis=axis, keepdims=True)

# %% wrong: Python's own sum advice="Take the sum along the same `axis` as the maximum: here only the maximum uses the axis that was requested." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes:     return exponentials / sum(exponentials)

# %% wrong: the shares and the exponentials advice="Return the shares alone, not the exponentials with them." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes:     return exponentials / np.sum(exponentials, axis=axis, keepdims=True), exponentials

# %% wrong: multiplied by the sum advice="Divide the exponentials by their sum: here they were multiplied by it." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes:     return exponentials * np.sum(exponentials, axis=axis, keepdims=True)

# %% wrong: the sum subtracted advice="Divide the exponentials by their sum: here it was subtracted." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes:     return exponentials - np.sum(exponentials, axis=axis, keepdims=True)

# %% wrong: the logarithm of the sum, without the maximum advice="Subtract each list's maximum before np.exp: the sum of the exponentials overflows for scores above 710, and is 0 for very low ones." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes:     return np.exp(scores - np.log(np.sum(np.exp(scores), axis=axis, keepdims=True)))

# %% wrong: the default is axis 1 advice="Without an axis the lists run along the last one: keep axis=-1 as the default."
# was:     def softmax(scores, axis=-1):
# becomes: def softmax(scores, axis=1):

# %% wrong: a table like the scores advice="np.zeros_like(scores) takes the integer dtype of the scores, which cuts off all decimal places: make the table with np.zeros(scores.shape)."
def softmax(scores, axis=-1):
    shares = np.zeros_like(scores)
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    shares[...] = powers / powers.sum(axis=axis, keepdims=True)
    return shares

# %% wrong: exponentials in a table like the scores advice="np.zeros_like(scores) takes the integer dtype of the scores, which cuts off all decimal places: make the table with np.zeros(scores.shape)."
def softmax(scores, axis=-1):
    powers = np.zeros_like(scores)
    powers[...] = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)

# %% wrong: the maximum begins at 0 advice="Subtract each list's largest score as it is, even if it is far below 0: with its absolute value, or with 0 as the smallest maximum, every exponential of such a list is 0." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    largest = np.maximum(np.max(scores, axis=axis, keepdims=True), 0)
    powers = np.exp(scores - largest)
    return powers / powers.sum(axis=axis, keepdims=True)

# %% wrong: axes of length 1 squeezed advice="Keep axes of length 1: nothing is squeezed, and a table with one row is a table." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes: return np.squeeze(exponentials / np.sum(exponentials, axis=axis, keepdims=True))

# %% wrong: rounded to seven decimals says="round nothing" fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
# was:     return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
# becomes: return np.round(exponentials / np.sum(exponentials, axis=axis, keepdims=True), 7)

# %% wrong: the default is the whole array advice="Without an axis the lists run along the last one: keep axis=-1 as the default, since axis=None makes one list of the whole array."
# was:     def softmax(scores, axis=-1):
# becomes: def softmax(scores, axis=None):

# %% wrong: a 1 in the denominator advice="Here the shares of a list sum to exactly 1: leave out the 1 that is added to the sum of the exponentials." fails=["softmax-test", "attention-weights-test", "single-head-attention-test", "folded-attention-test"]
def softmax(scores, axis=-1):
    powers = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return powers / (1 + powers.sum(axis=axis, keepdims=True))

# %% wrong: -inf replaced by -1e12: gets the whole share if others are lower says="on lists of uneven level" unseen="no visible test has such an input" visible=false fails=["softmax-test"]
def softmax(scores, axis=-1):
    scores = np.where(np.isneginf(scores), -1e12, scores)
    exponentials = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return exponentials / np.sum(exponentials, axis=axis, keepdims=True)
