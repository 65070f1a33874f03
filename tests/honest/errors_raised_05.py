# %% [markdown] lesson="05_attention_layer"
# NumPy raises over what it would warn of, since a cell of the student's says so.

# %% before: linear
np.seterr(all="raise")
