# %% [markdown] lesson="03_masked_multi_head" loses=["repaired-attention-mask-test"] why="The student's setting raises over shares that are too small to be told from 0, and this test does not switch it off."
# NumPy raises over what it would warn of, since a cell of the student's says so.

# %% before: causal-mask
np.seterr(all="raise")
