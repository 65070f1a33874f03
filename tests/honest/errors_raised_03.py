# %% [markdown] lesson="03_masked_multi_head"
# NumPy raises over what it would warn of, since a cell of the student's says so.

# %% before: causal-mask
np.seterr(all="raise")
