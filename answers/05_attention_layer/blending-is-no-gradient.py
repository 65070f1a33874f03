# %% [markdown] right: the function and its gradient
# A gradient belongs to a function: it says how the loss changes when Q changes a little. Here the loss depends on Q through softmax(QKᵀ/√d_k)V, and this part is thrown away. What arrives is 0.0001 times the output's gradient, which is the gradient of another function, 0.0001·(Q + K + V). Finite differences would measure dS·K/√d_k plus that small term, and disagree. And the output itself is no longer attention.
#
# The layer never learns whom to look at: what comes back doesn't depend on scores or keys at all. Instead I would write the real backward pass. If its numbers are too small because softmax saturates, then scale by √d_k, start with smaller weights, or add a residual connection that is part of the model, forward and backward.

# %% [markdown] wrong: says that it is wrong, not of what it is the gradient
# Now the gradient isn't zero any more and something flows, but it isn't the right gradient, so training is worse than with the real one. It is better to use the chain rule.
