# %% [markdown]
# What is the same object, what is changed in place, and whose a name is.

# %% given: start
import numpy as np

limit = 10
names = ["a"]


# %% answer: sort
def sort_in_place(values):
    """Sort a list where it is."""
    ### BEGIN SOLUTION
    values.sort()
    ### END SOLUTION


def add(table, key, value):
    """Add to a dict, and return the very dict."""
    ### BEGIN SOLUTION
    table[key] = value
    return table
    ### END SOLUTION


def appended(values, value):
    """A new list."""
    ### BEGIN SOLUTION
    return [*values, value]
    ### END SOLUTION


def clear(values):
    ### BEGIN SOLUTION
    values.clear()
    ### END SOLUTION


# %% test: in-place points=2
values = [3, 1, 2]
same = values
assert sort_in_place(values) is None and values == [1, 2, 3] and same is values
nested = {"a": [[1]], "b": {1, 2}}
assert add(nested, "c", 3) is nested and nested["c"] == 3 and nested["a"] == [[1]]
inner = nested["b"]
clear(inner)
assert nested["b"] == set()
before = [1]
after = appended(before, 2)
assert after == [1, 2] and before == [1] and after is not before

# %% answer: arrays
### BEGIN SOLUTION
part = np.arange(3)
parts = [part, "x", part]


### END SOLUTION
def through(things):
    """Return the very list."""
    ### BEGIN SOLUTION
    return things
    ### END SOLUTION


# %% test: identity points=2
assert parts == [part, "x", part] and parts[0] is parts[2]
things = [np.zeros(2), 1]
assert through(things) == things and through(things)[0] is things[0]

# %% answer: set-again
### BEGIN SOLUTION
limit = 25
names = names + ["b"]
### END SOLUTION

# %% test: set-again-test points=2
assert limit == 25 and names == ["a", "b"]

# %% answer: given-later-too
def shout(word):
    ### BEGIN SOLUTION
    return word.upper()
    ### END SOLUTION

# %% test: given-later-too-test points=1
def all_of(words):
    return [shout(word) for word in words]
assert all_of(["a"]) == ["A"]

# %% given: later
def shout(word):
    return word + "!"

# %% given: again
double = 2 * limit

# %% test: given-after points=1
assert double == 50

# %% given: counted
counted = []
def count(thing):
    """Take note of a thing."""
    counted.append(thing)
def how_many():
    return len(counted)

# %% answer: counting
### BEGIN SOLUTION
count("a")
for letter in "bc":
    count(letter)
names.append("c")
groceries = {"rice": 1}
### END SOLUTION

# %% test: counting-test points=2
assert how_many() == 3 and names == ["a", "b", "c"]

# %% answer: more
### BEGIN SOLUTION
groceries["milk"] = 2
del groceries["rice"]
### END SOLUTION
def columns(table):
    ### BEGIN SOLUTION
    return table.T
    ### END SOLUTION
def total(values):
    ### BEGIN SOLUTION
    return sum(values)
    ### END SOLUTION

# %% test: more-test points=2
assert groceries == {"milk": 2}
table = np.random.default_rng(0).normal(size=(30, 40))
assert np.array_equal(columns(table) @ table, table.T @ table) and columns(table).flags.f_contiguous
assert total([*range(1_200_000)]) == sum(range(1_200_000))

# %% test: empty points=1
