# %% [markdown] right: the variance is 1 at every size
# Dividing by √hidden divides the variance by hidden, so the scores have variance 1 whatever hidden is. Softmax stays as sharp as before and the gradients keep their size when hidden doubles. Dividing by hidden would leave a spread of 1/√hidden, which shrinks towards 0: all weights become nearly equal, and attention is a plain average.

# %% [markdown] wrong: it makes the numbers smaller
# The root makes the scores smaller, and so the softmax does not saturate and the gradients are fine.
