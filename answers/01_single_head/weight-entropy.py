# %% right: row by row, with math
def weight_entropy(weights):
    return np.apply_along_axis(lambda row: -sum(w * math.log(w) for w in row if w > 0), -1, weights)

# %% right: nan put right afterwards
def weight_entropy(weights):
    return -np.nansum(weights * np.log(weights), axis=-1)

# %% right: where around everything
def weight_entropy(weights):
    parts = np.where(weights == 0, 0.0, weights * np.log(weights))
    return -parts.sum(axis=-1)

# %% right: torch
import torch


def weight_entropy(weights):
    return torch.special.entr(torch.from_numpy(weights)).sum(dim=-1)

# %% base
def weight_entropy(weights):
    positive = np.where(weights > 0, weights, 1)
    logarithms = np.log(positive)
    terms = weights * logarithms
    entropy = np.sum(terms, axis=-1)
    return -entropy

# %% wrong: the sign advice="Put a minus before the sum: entropy is never negative." of="base"
# was:     return -entropy
# becomes: return entropy

# %% wrong: bits advice="Use the natural logarithm, np.log: these are bits." of="base"
# was:     logarithms = np.log(positive)
# becomes: logarithms = np.log2(positive)

# %% wrong: the logarithm to base 10 advice="Use the natural logarithm, np.log: this is the logarithm to base 10." of="base"
# was:     logarithms = np.log(positive)
# becomes: logarithms = np.log10(positive)

# %% wrong: mean instead of sum advice="Take the sum along each row, not the mean." of="base"
# was:     entropy = np.sum(terms, axis=-1)
# becomes: entropy = np.mean(terms, axis=-1)

# %% wrong: one number for all advice="Give each row its own sum, along the last axis, and replace zeros with np.where: this is one number for all rows, as after weights[weights > 0], which keeps no rows." of="base"
# was:     entropy = np.sum(terms, axis=-1)
# becomes: entropy = np.sum(terms)

# %% wrong: down the columns advice="Sum along the last axis: here the sum runs over the first, which are the heads." of="base"
# was:     entropy = np.sum(terms, axis=-1)
# becomes: entropy = np.sum(terms, axis=0)

# %% wrong: the axis stays advice="Sum without keepdims: the last axis must disappear." of="base"
# was:     entropy = np.sum(terms, axis=-1)
# becomes: entropy = np.sum(terms, axis=-1, keepdims=True)

# %% wrong: nan for a weight of 0 advice="Put something whose logarithm is finite instead of a weight of 0, inside the logarithm only: 0·log 0 should count as 0." of="base"
# was:     positive = np.where(weights > 0, weights, 1)
# becomes: positive = weights

# %% wrong: a small number inside the logarithm advice="Put something else only instead of a weight of 0: a small number that is added to every weight changes their logarithms, too." of="base"
# was:     positive = np.where(weights > 0, weights, 1)
# becomes: positive = weights + 1e-4

# %% wrong: the weight itself forgotten advice="Multiply each logarithm by its weight: here only the logarithms are added up." of="base"
# was:     terms = weights * logarithms
# becomes: terms = logarithms

# %% wrong: not added up advice="Sum the terms along the last axis: here each weight still has its own." of="base"
# was:     entropy = np.sum(terms, axis=-1)
# becomes: entropy = terms

# %% wrong: the second axis, not the last advice="Sum along the last axis, whatever number it has: here the sum runs over axis 1, the queries." of="base"
# was:     entropy = np.sum(terms, axis=-1)
# becomes: entropy = np.sum(terms, axis=1)

# %% wrong: nan put right too late advice="Set the terms with a weight of 0 to 0 before they are added up: afterwards the whole row is NaN."
def weight_entropy(weights):
    return np.nan_to_num(-np.sum(weights * np.log(weights), axis=-1))

# %% wrong: the mean of what is not nan advice="Take the sum along each row, not the mean of the weights that aren't 0."
def weight_entropy(weights):
    return -np.nanmean(weights * np.log(weights), axis=-1)

# %% wrong: the mean over all rows advice="Return an entropy for each row: this is one number, their mean."
def weight_entropy(weights):
    return np.mean(-np.sum(weights * np.log(np.where(weights > 0, weights, 1)), axis=-1))

# %% wrong: a thousandth inside the logarithm advice="Put something else only instead of a weight of 0: a small number that is added to every weight changes their logarithms, too."
def weight_entropy(weights):
    return -np.sum(weights * np.log(weights + 1e-3), axis=-1)

# %% wrong: a hundredth inside the logarithm advice="Put something else only instead of a weight of 0: a small number that is added to every weight changes their logarithms, too."
def weight_entropy(weights):
    return -np.sum(weights * np.log(weights + 1e-2), axis=-1)

# %% wrong: a smaller number inside the logarithm says="is a special case"
def weight_entropy(weights):
    return -np.sum(weights * np.log(weights + 1e-6), axis=-1)

# %% wrong: a number inside the logarithm that shows only with small weights says="is a special case"
def weight_entropy(weights):
    return -np.sum(weights * np.log(weights + 1e-5), axis=-1)

# %% wrong: small weights cut off says="is a special case"
def weight_entropy(weights):
    return -np.sum(weights * np.log(np.where(weights > 1e-4, weights, 1)), axis=-1)

# %% wrong: small weights made larger says="is a special case"
def weight_entropy(weights):
    return -np.sum(weights * np.log(np.clip(weights, 1e-3, 1)), axis=-1)

# %% wrong: very small weights made larger says="is a special case"
def weight_entropy(weights):
    return -np.sum(weights * np.log(np.maximum(weights, 1e-4)), axis=-1)

# %% wrong: 0 put in for the zeros of the logarithm advice="Put something whose logarithm is finite instead of a weight of 0, inside the logarithm only: 0·log 0 should count as 0."
def weight_entropy(weights):
    return -np.sum(weights * np.log(np.where(weights > 0, weights, 0)), axis=-1)

# %% wrong: 1 put in for the zeros outside, too advice="Put something else instead of 0 only inside the logarithm, and sum along the last axis: the weight in front of it stays."
def weight_entropy(weights):
    safe = np.where(weights > 0, weights, 0.5)
    return -np.sum(safe * np.log(safe), axis=-1)

# %% wrong: 1 in place of the parts that are nan advice="Where a weight is 0, its term is 0: here it is something else. Replace the 0 inside the logarithm only."
def weight_entropy(weights):
    return -np.where(weights == 0, 1, weights * np.log(weights)).sum(axis=-1)

# %% wrong: 1 in place of the parts that are nan, with the sign advice="Where a weight is 0, its term is 0: here it is something else. Replace the 0 inside the logarithm only."
def weight_entropy(weights):
    return np.where(weights == 0, 1, -weights * np.log(weights)).sum(axis=-1)

# %% wrong: no logarithm advice="Take the logarithm of the weights: this is only the sum of their squares, or of the weights."
def weight_entropy(weights):
    return np.sum(weights * weights, axis=-1)

# %% wrong: as a number of keys advice="This is np.exp of the entropy: return the entropy itself."
def weight_entropy(weights):
    return np.exp(-np.sum(weights * np.log(np.where(weights > 0, weights, 1)), axis=-1))

# %% wrong: as a part of the largest advice="Give the entropy itself, in nats: here it is divided by the largest that is possible."
def weight_entropy(weights):
    return -np.sum(weights * np.log(np.where(weights > 0, weights, 1)), axis=-1) / np.log(weights.shape[-1])

# %% wrong: log(1 + w) advice="Use np.log: np.log1p is the logarithm of 1 plus the weight."
def weight_entropy(weights):
    return -np.sum(weights * np.log1p(weights), axis=-1)

# %% wrong: zeros filtered out of the whole array advice="Give each row its own sum, along the last axis, and replace zeros with np.where: this is one number for all rows, as after weights[weights > 0], which keeps no rows."
def weight_entropy(weights):
    kept = weights[weights > 0]
    return -np.sum(kept * np.log(kept))

# %% wrong: only the first row advice="Return an entropy for each row: this is only that of the first."
def weight_entropy(weights):
    row = weights.reshape(-1, weights.shape[-1])[0]
    return -np.sum(row * np.log(np.where(row > 0, row, 1)))

# %% wrong: a loop over rows as if there were two axes says="setting an array element"
def weight_entropy(weights):
    entropy = np.zeros(len(weights))
    for i, row in enumerate(weights):
        entropy[i] = -(row * np.log(np.where(row > 0, row, 1))).sum(axis=-1)
    return entropy

# %% wrong: an if over a whole array says="truth value"
def weight_entropy(weights):
    if weights > 0:
        return -np.sum(weights * np.log(weights), axis=-1)
    return 0

# %% wrong: forgets to return says="does your function end with a return?"
def weight_entropy(weights):
    entropy = -np.sum(weights * np.log(np.where(weights > 0, weights, 1)), axis=-1)

# %% wrong: in-place input says="make a new array"
def weight_entropy(weights):
    safe = np.where(weights == 0, 1, weights)
    entropy = -np.sum(weights * np.log(safe), axis=-1)
    weights[weights == 0] = 1
    return entropy

# %% wrong: zeros of the input overwritten says="make a new array"
def weight_entropy(weights):
    weights[weights == 0] = 1
    return -np.sum(weights * np.log(weights), axis=-1)

# %% wrong: only the largest weight advice="Add up over all weights of a row: here only the largest one of each counts."
def weight_entropy(weights):
    return -np.log(weights.max(axis=-1))

# %% wrong: what is not given, too advice="Sum the terms of the weights only: here those of 1 minus the weight are added as well."
def weight_entropy(weights):
    other = 1 - weights
    parts = weights * np.log(np.where(weights > 0, weights, 1)) + other * np.log(np.where(other > 0, other, 1))
    return -np.sum(parts, axis=-1)

# %% wrong: np.exp in place of np.log advice="Take the logarithm of the weights, np.log: here it is np.exp."
def weight_entropy(weights):
    return -np.sum(weights * np.exp(weights), axis=-1)

# %% wrong: the weights divided by the logarithm of their number advice="Multiply each weight by its own logarithm: here it is that of the number of keys."
def weight_entropy(weights):
    return np.sum(weights * np.log(weights.shape[-1]), axis=-1)

# %% wrong: the weights squared advice="Multiply each logarithm by its weight once: here it was done twice."
def weight_entropy(weights):
    return -np.sum(weights * weights * np.log(np.where(weights > 0, weights, 1)), axis=-1)

# %% wrong: the logarithm of the product advice="Take the logarithm of each weight inside of the sum: here it is taken of the sum of their squares."
def weight_entropy(weights):
    return -np.log(np.sum(weights * weights, axis=-1))

# %% wrong: zeros filtered out, then the last axis advice="Give each row its own sum, along the last axis, and replace zeros with np.where: this is one number for all rows, as after weights[weights > 0], which keeps no rows."
def weight_entropy(weights):
    kept = weights[weights > 0]
    return -np.sum(kept * np.log(kept), axis=-1)

# %% wrong: axes of length 1 squeezed advice="Keep axes of length 1: nothing is squeezed, and a table with one row is a table."
def weight_entropy(weights):
    positive = np.where(weights > 0, weights, 1.0)
    return np.squeeze(-np.sum(weights * np.log(positive), axis=-1))

# %% wrong: weights below 1e-6 count as 0 says="on random attention weights" unseen="no visible test has such an input" visible=false fails=["weight-entropy-test"]
def weight_entropy(weights):
    big = weights > 1e-6
    return -np.sum(np.where(big, weights, 0) * np.log(np.where(big, weights, 1)), axis=-1)

# %% wrong: a single row without other axes gives one axis too many says="on random attention weights" unseen="no visible test has such an input" visible=false fails=["weight-entropy-test"]
def weight_entropy(weights):
    weights = np.atleast_2d(weights)
    positive = np.where(weights > 0, weights, 1)
    return -np.sum(weights * np.log(positive), axis=-1)
