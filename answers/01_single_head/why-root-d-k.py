# %% [markdown] right: variance and the divisor
# Each score adds up $d_k$ independent products with mean 0 and variance 1, so its variance is $d_k$. If $d_k$ doubles, the variance doubles and the scores spread √2 times as far. Softmax only sees differences, so the weights get more pointed: more and more of each row goes to one key, and the gradient vanishes there.
#
# Dividing by $\sqrt{d_k}$ brings the standard deviation back to 1 for every head size. Dividing by $d_k$ would leave $1/\sqrt{d_k}$, which shrinks, and large heads would attend almost evenly to everything.

# %% [markdown] wrong: says that it gets large, not how large
# When d_k is bigger the dot products get bigger too. Then softmax saturates and puts nearly everything on one key, so the gradients are tiny. The square root makes the numbers smaller again so that this doesn't happen.
