# %% [markdown]
# What a test has around a call: what is printed, what is typed, where random numbers begin.

# %% answer: greet
import random
import numpy as np


def greet(name):
    """Print a greeting."""
    ### BEGIN SOLUTION
    print(f"Hello, {name}!")
    ### END SOLUTION


def ask():
    """Ask for two numbers, and return their sum."""
    ### BEGIN SOLUTION
    return int(input("a? ")) + int(input("b? "))
    ### END SOLUTION


def roll(n):
    """n dice."""
    ### BEGIN SOLUTION
    return [random.randint(1, 6) for _ in range(n)]
    ### END SOLUTION


def noise(n):
    ### BEGIN SOLUTION
    return np.random.normal(size=n)
    ### END SOLUTION


# %% test: printed points=2
import io
from contextlib import redirect_stdout

heard = io.StringIO()
with redirect_stdout(heard):
    greet("Ada")
assert heard.getvalue() == "Hello, Ada!\n"

# %% test: printed-by-hand points=1
import sys

kept, sys.stdout = sys.stdout, io.StringIO()
try:
    greet("Bob")
    said = sys.stdout.getvalue()
finally:
    sys.stdout = kept
assert said.strip() == "Hello, Bob!"

# %% test: typed points=2
from unittest.mock import patch

with patch("builtins.input", side_effect=["2", "3"]):
    assert ask() == 5

# %% test: typed-by-hand points=1
import builtins

kept, builtins.input = builtins.input, lambda prompt="": "4"
try:
    assert ask() == 8
finally:
    builtins.input = kept

# %% test: typed-by-a-name points=1
input = lambda prompt="": "5"
assert ask() == 10
del input

# %% test: mocked-print points=1
with patch("builtins.print") as printed:
    greet("Eve")
printed.assert_called_once_with("Hello, Eve!")

# %% test: seeded points=2
random.seed(1)
first = roll(5)
random.seed(1)
assert first == [random.randint(1, 6) for _ in range(5)]
np.random.seed(3)
found = noise(4)
np.random.seed(3)
np.testing.assert_array_equal(found, np.random.normal(size=4))
