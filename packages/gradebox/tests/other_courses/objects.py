# %% [markdown]
# Objects of a student's own classes: compared, ordered, added, hashed, raised, entered.

# %% answer: vector
import functools


class Vector:
    """A vector of the plane."""

    ### BEGIN SOLUTION
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __abs__(self):
        return (self.x**2 + self.y**2) ** 0.5

    def __eq__(self, other):
        if not isinstance(other, Vector):
            return NotImplemented
        return (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))

    def __getitem__(self, place):
        return (self.x, self.y)[place]

    def __bool__(self):
        return bool(self.x or self.y)

    ### END SOLUTION


# %% test: vector-operators points=2
assert Vector(1, 2) + Vector(3, 4) == Vector(4, 6) and Vector(1, 2) * 3 == 3 * Vector(1, 2)
assert -Vector(1, -2) == Vector(-1, 2) and abs(Vector(3, 4)) == 5.0
assert Vector(1, 2) != Vector(2, 1) and Vector(1, 2) != "a vector" and not Vector(0, 0)
total = Vector(0, 0)
total += Vector(1, 1)
assert total == Vector(1, 1) and total[0] == 1

# %% test: vector-collections points=2
assert len({Vector(1, 2), Vector(1, 2), Vector(2, 1)}) == 2
assert Vector(1, 2) in [Vector(0, 0), Vector(1, 2)] and [Vector(1, 2)].index(Vector(1, 2)) == 0
assert {Vector(1, 2): "a"}[Vector(1, 2)] == "a"

# %% test: vector-refuses points=1
try:
    Vector(1, 2) + 1
    raise RuntimeError("a vector and a number were added")
except (TypeError, AttributeError):
    pass
try:
    Vector(1, 2) < Vector(2, 3)
    raise RuntimeError("vectors have no order")
except TypeError:
    pass


# %% answer: money
@functools.total_ordering
class Money:
    """An amount, in cents."""

    ### BEGIN SOLUTION
    def __init__(self, cents):
        self.cents = cents

    def __eq__(self, other):
        return self.cents == other.cents

    def __lt__(self, other):
        return self.cents < other.cents

    def __float__(self):
        return self.cents / 100

    def __format__(self, how):
        return f"{self.cents / 100:.2f} {how}"

    ### END SOLUTION


# %% test: money-test points=2
assert Money(1) < Money(2) and Money(2) >= Money(2) and max(Money(1), Money(3)).cents == 3
assert [money.cents for money in sorted([Money(3), Money(1)])] == [1, 3]
assert float(Money(250)) == 2.5 and f"{Money(250):EUR}" == "2.50 EUR"

# %% answer: points
from collections import namedtuple
from dataclasses import dataclass, field
from enum import Enum


@dataclass(order=True)
class Point:
    ### BEGIN SOLUTION
    x: float
    y: float = 0.0
    tags: list = field(default_factory=list)

    def norm(self):
        return (self.x**2 + self.y**2) ** 0.5

    ### END SOLUTION


Pair = namedtuple("Pair", "first second")


class Colour(Enum):
    ### BEGIN SOLUTION
    RED = 1
    BLUE = "b"

    def shout(self):
        return self.name + "!"

    ### END SOLUTION


def swap(pair):
    ### BEGIN SOLUTION
    return Pair(pair.second, pair.first)
    ### END SOLUTION


# %% test: dataclass points=2
import dataclasses

assert Point(3, 4).norm() == 5 and Point(1) == Point(1, 0.0) and Point(1) != Point(2)
assert dataclasses.is_dataclass(Point(1)) and dataclasses.asdict(Point(1, 2)) == {"x": 1, "y": 2, "tags": []}
assert [one.name for one in dataclasses.fields(Point(1))] == ["x", "y", "tags"]
assert repr(Point(1)) == "Point(x=1, y=0.0, tags=[])" and Point(1, 5) < Point(2)

# %% test: named-tuple points=1
swapped = swap(Pair(1, 2))
assert swapped == (2, 1) and swapped.first == 2 and swapped._fields == ("first", "second")
assert isinstance(swapped, tuple) and isinstance(swapped, Pair) and swapped._replace(first=0) == (0, 1)

# %% test: enum points=1
assert Colour.RED is Colour(1) and Colour["BLUE"] is Colour.BLUE and Colour.RED != Colour.BLUE
assert Colour.RED.name == "RED" and Colour.BLUE.value == "b" and Colour.RED.shout() == "RED!"
assert [one.name for one in Colour] == ["RED", "BLUE"] and isinstance(Colour.RED, Colour) and len(Colour) == 2


# %% answer: account
class InsufficientFunds(Exception):
    """Raised when an account has too little."""

    ### BEGIN SOLUTION
    def __init__(self, missing):
        super().__init__(f"{missing} is missing")
        self.missing = missing

    ### END SOLUTION


class Frozen(InsufficientFunds):
    pass


class Account:
    ### BEGIN SOLUTION
    def __init__(self, balance=0):
        self.balance = balance

    def withdraw(self, amount):
        if amount > self.balance:
            raise InsufficientFunds(amount - self.balance)
        self.balance -= amount

    def freeze(self):
        raise Frozen(0)

    ### END SOLUTION


# %% test: own-errors points=2
try:
    Account(10).withdraw(15)
    raise AssertionError("it paid")
except InsufficientFunds as error:
    assert error.missing == 5 and str(error) == "5 is missing"
try:
    Account().freeze()
    raise AssertionError("it did not freeze")
except InsufficientFunds:
    pass
assert issubclass(InsufficientFunds, Exception) and not issubclass(InsufficientFunds, ValueError)

# %% test: own-errors-by-unittest points=1
import unittest

with unittest.TestCase().assertRaises(InsufficientFunds) as caught:
    Account(1).withdraw(2)
assert caught.exception.missing == 1


# %% answer: opened
class Opened:
    """Takes note of what is done in a with statement."""

    ### BEGIN SOLUTION
    def __init__(self):
        self.log = []

    def __enter__(self):
        self.log.append("in")
        return self

    def __exit__(self, kind, error, trace):
        self.log.append(kind.__name__ if kind else "out")
        return kind is KeyError

    ### END SOLUTION


# %% test: with-test points=2
opened = Opened()
with opened as inner:
    assert inner is opened
assert opened.log == ["in", "out"]
with opened:
    raise KeyError("passed over")
assert opened.log[-1] == "KeyError"


# %% answer: own-lists
class History(list):
    """A list that knows its last value, and never forgets."""
    ### BEGIN SOLUTION
    def last(self):
        return self[-1]
    def clear(self):
        raise ValueError("never")
    ### END SOLUTION
class Spelled(str):
    ### BEGIN SOLUTION
    def vowels(self):
        return sum(letter in "aeiou" for letter in self)
    ### END SOLUTION
class Lookup(dict):
    ### BEGIN SOLUTION
    def __missing__(self, key):
        return f"no {key}"
    ### END SOLUTION

# %% test: own-lists-test points=2
history = History([1, 2])
history.append(3)
assert history.last() == 3 and history == [1, 2, 3] and len(history) == 3 and isinstance(history, list)
assert history[0] == 1 and sum(history) == 6 and sorted(history, reverse=True) == [3, 2, 1]
try:
    history.clear()
    raise AssertionError("it was cleared")
except ValueError:
    pass
assert Spelled("banana").vowels() == 3 and Spelled("ab") == "ab" and Spelled("ab") + "c" == "abc"
assert Lookup(a=1)["a"] == 1 and Lookup(a=1)["b"] == "no b" and Lookup(a=1) == {"a": 1}

# %% answer: shapes
class Shape:
    ### BEGIN SOLUTION
    def area(self):
        raise NotImplementedError

    ### END SOLUTION


class Square(Shape):
    ### BEGIN SOLUTION
    def __init__(self, side):
        self.side = side

    @property
    def double(self):
        return 2 * self.side

    @classmethod
    def unit(cls):
        return cls(1)

    @staticmethod
    def corners():
        return 4

    def area(self):
        return self.side**2

    ### END SOLUTION


# %% test: inheritance points=2
import copy

square = Square(3)
assert isinstance(square, Shape) and issubclass(Square, Shape) and Square.__bases__ == (Shape,)
assert [one.__name__ for one in Square.__mro__] == ["Square", "Shape", "object"]
assert square.double == 6 and Square.unit().side == 1 and Square.corners() == 4
again = copy.deepcopy(square)
again.side = 5
assert square.side == 3 and again.area() == 25
try:
    Shape().area()
    raise AssertionError("a shape has an area")
except NotImplementedError:
    pass
