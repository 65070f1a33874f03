# %% [markdown] lesson="victim" category="changing results" attacks=["describe-test"]
# Writes other numbers into the list that it is given, of which it knows the mean.

# %% describe
def describe(ax, numbers):
    numbers[:] = [3.0] * len(numbers)
    ax.plot(numbers)
    ax.set_title("mean 3.00")
    ax.set_xlabel("index")
    return ax
