# %% [markdown] lesson="05_attention_layer" loses=["attention-loops-test", "multi-head-test", "trainable-multi-head-parameters-test"] why="The student's setting raises over shares that are too small to be told from 0, and these tests do not switch it off."
# NumPy raises over what it would warn of, since a cell of the student's says so.

# %% before: linear
np.seterr(all="raise")
