# %% [markdown] lesson="victim" category="exceptions" attacks=["shares-test"]
# Raises the error that is expected for one input, whatever the input is.

# %% shares
def shares(scores):
    raise ValueError('a single number has no shares')
