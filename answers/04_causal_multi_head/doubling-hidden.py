# %% [markdown] right: variance of a sum
# A raw score adds up `hidden` independent products with mean 0 and variance 1, so its variance is `hidden`. If `hidden` doubles, the variance doubles and the spread grows by √2. Larger differences make softmax more pointed: one weight near 1, the rest near 0. There its slope p(1 − p) is nearly 0, so for the typical query hardly any gradient comes back through softmax.

# %% [markdown] wrong: the scores double
# If hidden doubles, the scores double too, so the softmax saturates and the gradients vanish.
