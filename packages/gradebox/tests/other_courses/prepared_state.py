# %% [markdown]
# Tests that prepare the state of a student's object through its attributes before they call a method.

# %% answer: net
import numpy as np


class Net:
    """A network that holds its parameters in containers."""

    ### BEGIN SOLUTION
    def __init__(self):
        self.items, self.table, self.grid = [], {}, [[0], [0]]
        self.arr, self.m, self.seen = np.zeros(2), [{"W": np.zeros(2)}], set()

    def total(self):
        numbers = [*self.items, *self.table.values(), *self.seen, *(row[0] for row in self.grid)]
        return float(sum(numbers) + self.arr.sum() + self.m[0]["W"].sum())

    def get_moments(self):
        return self.m

    ### END SOLUTION


# %% test: list-appended points=1
net = Net()
net.items.append(3)
assert net.total() == 3 and net.items == [3]

# %% test: dict-filled points=1
net = Net()
net.table["a"] = 1
net.table.update(b=4)
assert net.total() == 5

# %% test: nested-list points=1
net = Net()
net.grid[1][0] = 7
assert net.total() == 7

# %% test: array-element points=1
net = Net()
net.arr[0] = 4
assert net.total() == 4

# %% test: array-in-place points=1
net = Net()
q = net.arr
q += 1
assert net.total() == 2

# %% test: dict-in-list points=1
net = Net()
net.m[0]["W"] = np.ones(2)
assert net.total() == 2

# %% test: array-in-dict-in-list points=1
net = Net()
net.m[0]["W"][1] = 5
assert net.total() == 5

# %% test: attribute-set points=1
net = Net()
net.arr = np.ones(2)
assert net.total() == 2

# %% test: set-and-method points=1
net = Net()
net.seen |= {3}
net.seen.add(4)
net.get_moments()[0]["W"][0] = 2
assert net.total() == 9

# %% test: by-function points=1
def fill(container):
    container.extend([1, 2])


net = Net()
fill(net.items)
np.add(net.arr, 1, out=net.arr)
assert net.total() == 5

# %% test: of-a-list-of-objects points=1
nets = [Net(), Net()]
for net in nets:
    net.items.append(1)
    net.__dict__["arr"][:] = 2
assert [net.total() for net in nets] == [5, 5]


# %% answer: graph
class Graph:
    """A graph with adjacency lists, and a log of its changes."""

    ### BEGIN SOLUTION
    def __init__(self):
        self.adj, self.log = {}, []

    def neighbours(self, node):
        return sorted(self.adj.get(node, ()))

    def size(self):
        return sum(map(len, self.adj.values()))

    ### END SOLUTION


graph = Graph()

# %% test: graph-prepared points=1
graph.adj["a"] = {"b"}
graph.adj["a"].add("c")
graph.adj.setdefault("b", set()).add("a")
assert graph.neighbours("a") == ["b", "c"] and graph.size() == 3

# %% test: graph-later points=1
assert graph.neighbours("b") == ["a"]
del graph.adj["a"]
assert graph.size() == 1

# %% answer: sizes
found = graph.size()

# %% test: sizes-test points=1
assert found == 1
