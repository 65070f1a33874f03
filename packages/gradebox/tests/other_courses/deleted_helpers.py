# %% [markdown]
# A test takes a function away, or puts another in its place, to see whether a second one uses it; and sets or
# deletes attributes.

# %% answer: squares
def squares(n):
    """The squares of 1 to n."""
    ### BEGIN SOLUTION
    if n < 1:
        raise ValueError("n must be at least 1")
    return [i**2 for i in range(1, n + 1)]
    ### END SOLUTION


# %% test: squares-test points=1
assert squares(3) == [1, 4, 9]

# %% test: squares-refuses points=1
try:
    squares(0)
except ValueError:
    pass
else:
    raise AssertionError("squares took 0")


# %% answer: sum-of-squares
def sum_of_squares(n):
    """The sum of the squares of 1 to n."""
    ### BEGIN SOLUTION
    return sum(squares(n))
    ### END SOLUTION


# %% test: sum-test points=1
assert sum_of_squares(3) == 14

# %% test: sum-uses-squares points=2
kept = squares
del squares
try:
    sum_of_squares(1)
except NameError:
    pass
else:
    raise AssertionError("sum_of_squares does not use squares")
finally:
    squares = kept

# %% test: sum-uses-another points=1
called = []


def squares(n):
    called.append(n)
    return [10]


assert sum_of_squares(5) == 10 and called == [5]
squares = kept


# %% answer: counter
def count():
    """How often it was called."""
    ### BEGIN SOLUTION
    count.calls = getattr(count, "calls", 0) + 1
    return count.calls
    ### END SOLUTION


class Box:
    ### BEGIN SOLUTION
    size = 3

    def area(self):
        return self.size**2

    ### END SOLUTION


# %% test: attributes points=2
count.calls = 41
assert count() == 42 and count.calls == 42
del count.calls
assert count() == 1

# %% test: attributes-of-classes points=1
box = Box()
Box.size = 5
assert box.area() == 25
box.size = 2
assert box.area() == 4
del box.size
assert box.area() == 25
