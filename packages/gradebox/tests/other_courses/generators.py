# %% [markdown]
# Generators and iterators: next, send, close, throw.

# %% answer: countdown
def countdown(n):
    """n, n - 1, ..., 1."""
    ### BEGIN SOLUTION
    while n > 0:
        yield n
        n -= 1
    ### END SOLUTION


# %% test: countdown-next points=2
import inspect, types

counting = countdown(2)
assert next(counting) == 2 and next(counting) == 1
try:
    next(counting)
    raise AssertionError("it does not end")
except StopIteration:
    pass
assert next(countdown(0), "nothing") == "nothing"
assert inspect.isgenerator(counting) and isinstance(counting, types.GeneratorType)
assert inspect.isgeneratorfunction(countdown) and iter(counting) is counting

# %% test: countdown-list points=1
assert list(countdown(3)) == [3, 2, 1] and sum(countdown(4)) == 10
assert [a + b for a, b in zip(countdown(2), "xy".encode())] == [122, 122]


# %% answer: averager
def averager():
    """Yields the mean of all that was sent so far."""
    ### BEGIN SOLUTION
    total, count, mean = 0, 0, None
    try:
        while True:
            value = yield mean
            total, count = total + value, count + 1
            mean = total / count
    except GeneratorExit:
        closed.append(True)
    except KeyError:
        yield "told"
    ### END SOLUTION


closed = []

# %% test: averager-send points=2
average = averager()
assert next(average) is None and average.send(4) == 4 and average.send(8) == 6
average.close()
try:
    average.send(1)
    raise AssertionError("it was closed")
except StopIteration:
    pass

# %% test: averager-throw points=1
average = averager()
next(average)
assert average.throw(KeyError("here")) == "told"


# %% answer: evens
class Evens:
    """An iterator over the even numbers below a limit."""

    ### BEGIN SOLUTION
    def __init__(self, limit):
        self.now, self.limit = -2, limit

    def __iter__(self):
        return self

    def __next__(self):
        self.now += 2
        if self.now >= self.limit:
            raise StopIteration
        return self.now

    ### END SOLUTION


# %% test: evens-test points=2
evens = Evens(5)
assert iter(evens) is evens and next(evens) == 0 and next(evens) == 2 and list(evens) == [4]

# %% answer: lazy
### BEGIN SOLUTION
lazy = map(str, [1, 2])
pairs = zip("ab", [1, 2])
small = filter(lambda n: n < 3, range(6))
### END SOLUTION

# %% test: lazy-test points=2
from collections.abc import Iterator

assert isinstance(lazy, Iterator) and isinstance(lazy, map)
assert next(lazy) == "1" and list(lazy) == ["2"]
assert dict(pairs) == {"a": 1, "b": 2} and sorted(small, reverse=True) == [2, 1, 0]
