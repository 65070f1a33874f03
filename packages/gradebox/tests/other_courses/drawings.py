# %% [markdown]
# Figures: axes of the test's own, and what is on them.

# %% given: imports
%matplotlib inline
import matplotlib.pyplot as plt
import numpy as np

# %% answer: bars
def bars(ax, values):
    """Draw values as bars on axes."""
    ### BEGIN SOLUTION
    ax.bar(range(len(values)), values, color="red")
    ax.set_title("Values")
    ax.set_ylabel("value")
    ### END SOLUTION

# %% test: bars-test points=3
from matplotlib.patches import Rectangle
figure, ax = plt.subplots()
bars(ax, [1, 3, 2])
rectangles = [child for child in ax.get_children() if isinstance(child, Rectangle)]
assert len(ax.patches) == 3 and [patch.get_height() for patch in ax.patches] == [1, 3, 2]
assert all(child.__class__ == Rectangle for child in ax.patches) and len(rectangles) == 4
assert ax.get_title() == "Values" and ax.get_ylabel() == "value" and ax.title.get_text() == "Values"
assert figure.axes[0] is ax and len(figure.axes) == 1
plt.close(figure)

# %% answer: lines
def lines(x):
    """Draw two lines, and return the axes."""
    ### BEGIN SOLUTION
    fig, ax = plt.subplots()
    ax.plot(x, np.sin(x), label="sin")
    ax.plot(x, np.cos(x), label="cos")
    ax.legend()
    return ax
    ### END SOLUTION

# %% test: lines-test points=2
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
drawn = lines(np.linspace(0, 1, 5))
assert isinstance(drawn, Axes) and len(drawn.lines) == 2 and isinstance(drawn.lines[0], Line2D)
x, y = drawn.lines[1].get_data()
np.testing.assert_allclose(y, np.cos(x))
assert [text.get_text() for text in drawn.get_legend().get_texts()] == ["sin", "cos"]
assert [line.get_label() for line in drawn.get_lines()] == ["sin", "cos"]

# %% answer: current
def show(table):
    """Draw a table as an image on the current axes."""
    ### BEGIN SOLUTION
    plt.imshow(table)
    plt.colorbar()
    plt.xlabel("column")
    ### END SOLUTION

# %% test: current-test points=2
plt.close("all")
show(np.eye(3))
ax = plt.gcf().axes[0]
assert ax.get_xlabel() == "column" and len(ax.images) == 1 and len(plt.gcf().axes) == 2
np.testing.assert_array_equal(ax.images[0].get_array(), np.eye(3))

# %% answer: grid
def grid(axes):
    """Number a grid of axes."""
    ### BEGIN SOLUTION
    for number, ax in enumerate(axes.flat):
        ax.set_title(str(number))
    ### END SOLUTION
ax = None
### BEGIN SOLUTION
_, ax = plt.subplots()
ax.scatter([1, 2], [3, 4])
ax.set_xlim(0, 5)
### END SOLUTION

# %% test: grid-test points=1
figure, axes = plt.subplots(2, 2)
grid(axes)
assert [one.get_title() for one in axes.flat] == ["0", "1", "2", "3"] and axes[1, 1].get_title() == "3"

# %% test: left-axes points=1
offsets = ax.collections[0].get_offsets()
assert offsets.tolist() == [[1, 3], [2, 4]] and tuple(ax.get_xlim()) == (0, 5)
