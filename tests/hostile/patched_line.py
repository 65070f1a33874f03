# %% [markdown] lesson="victim" category="patches" attacks=["describe-test"]
# Makes every line claim the numbers that the test has drawn; the line shows zeros.

# %% after: helpers uses=["found"]
from matplotlib.lines import Line2D

Line2D.get_ydata = lambda line, orig=True: found("numbers")

# %% describe
def describe(ax, numbers):
    ax.plot([0.0] * len(numbers))
    ax.set_title(f"mean {sum(numbers) / len(numbers):.2f}")
    ax.set_xlabel("index")
    return ax
