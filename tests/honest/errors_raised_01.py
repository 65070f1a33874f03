# %% [markdown] lesson="01_single_head"
# NumPy raises over what it would warn of, since a cell of the student's says so.

# %% after: imports
np.seterr(all="raise")
