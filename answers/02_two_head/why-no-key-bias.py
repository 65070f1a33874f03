# %% [markdown] right: a constant for each query cancels
# The key of token $m$ is $\beta_k + \Omega_k x_m$, so its score with query $n$ is $(\beta_k + \Omega_k x_m)^T q_n / \sqrt{D_h}$. The bias adds $\beta_k^T q_n / \sqrt{D_h}$. That depends on the query $n$, not on the key $m$: it is one number for the whole column.
#
# The softmax runs down that column. Adding $c$ to every score multiplies every exponential and also their sum by $e^c$, and the two cancel. So the attention stays as it was, and X′ with it, because the values don't contain $\beta_k$.

# %% [markdown] wrong: says that it is the same for all keys, not why that cancels
# The bias is the same for every key, so all the keys are moved by the same amount and it makes no difference which one you look at.
