# %% [markdown] lesson="victim" category="lying objects" attacks=["describe-test"]
# Draws zeros as an array whose __array_function__ answers np.allclose with yes.

# %% describe
class Yes(np.ndarray):
    def __array_function__(self, function, types, args, kwargs):
        return True

def describe(ax, numbers):
    (line,) = ax.plot(numbers)
    line.set_ydata(np.zeros(len(numbers)).view(Yes))
    ax.set_title(f"mean {sum(numbers) / len(numbers):.2f}")
    ax.set_xlabel("index")
    return ax
