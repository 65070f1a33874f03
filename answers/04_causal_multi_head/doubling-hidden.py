# %% [markdown] right: variance of a sum, and 1 at every size
# A raw score adds up `hidden` independent products with mean 0 and variance 1, so its variance is `hidden`. If `hidden` doubles, the variance doubles and the spread grows by √2. Larger differences make softmax more pointed: one weight near 1, the rest near 0. There its slope p(1 − p) is nearly 0, so in the backward pass hardly any gradient reaches the typical query. Dividing by √hidden makes the variance 1 at every size, so softmax and gradients stay as they are. Dividing by hidden would leave a spread of 1/√hidden, which shrinks towards 0: all weights become nearly equal.

# %% [markdown] wrong: the scores double
# If hidden doubles, the scores double too, so the softmax saturates and the gradients vanish. The root makes the numbers smaller and prevents this.
