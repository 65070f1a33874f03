# %% [markdown]
# Folders and connections that a test shares with the student's code, and tests that measure time.

# %% given: imports
import os
import sqlite3
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import Pool
from pathlib import Path

# %% answer: folders
### BEGIN SOLUTION
os.makedirs("a/b")
!mkdir git_folder
### END SOLUTION

# %% test: empty-folders points=1
assert os.path.isdir("a/b") and os.path.isdir("git_folder")

# %% given: work
os.makedirs("work", exist_ok=True)
os.chdir("work")


# %% answer: save
def save(path, text):
    """Write a text to a file."""
    ### BEGIN SOLUTION
    with open(path, "w") as file:
        file.write(text)
    ### END SOLUTION


# %% test: relative points=1
save("notes.txt", "one")
assert open("notes.txt").read() == "one"
assert os.path.exists("../work/notes.txt")

# %% answer: chdir
### BEGIN SOLUTION
os.chdir("..")
os.mkdir("c")
os.chdir("c")
Path("answer.txt").write_text("42")
### END SOLUTION

# %% test: chdir-test points=1
assert Path("answer.txt").read_text() == "42" and os.getcwd().endswith("c")

# %% test: temporary-folder points=1
with tempfile.TemporaryDirectory() as folder:
    save(os.path.join(folder, "x.txt"), "two")
    assert os.listdir(folder) == ["x.txt"] and Path(folder, "x.txt").read_text() == "two"

# %% test: temporary-file points=1
with tempfile.NamedTemporaryFile("r") as file:
    save(file.name, "three")
    assert file.read() == "three"


# %% answer: squares
def square(x):
    ### BEGIN SOLUTION
    return x * x
    ### END SOLUTION


def squares(pool, numbers):
    """Return the squares of numbers, computed by a pool."""
    ### BEGIN SOLUTION
    return list(pool.map(square, numbers))
    ### END SOLUTION


# %% test: process-pool points=1
with Pool(2) as pool:
    assert squares(pool, [1, 2]) == [1, 4]

# %% test: thread-pool points=1
with ThreadPoolExecutor(2) as pool:
    assert squares(pool, [1, 2]) == [1, 4]


# %% answer: names
def names(connection):
    """Return the names in a table."""
    ### BEGIN SOLUTION
    return [name for (name,) in connection.execute("SELECT name FROM people ORDER BY name")]
    ### END SOLUTION


# %% test: connection points=1
connection = sqlite3.connect(":memory:")
connection.execute("CREATE TABLE people (name TEXT)")
connection.executemany("INSERT INTO people VALUES (?)", [("Bob",), ("Ada",)])
assert names(connection) == ["Ada", "Bob"]
connection.close()


# %% answer: scale
import numpy as np


def scale(data, factor):
    ### BEGIN SOLUTION
    return data * factor
    ### END SOLUTION


# %% test: scaled points=1
def own_scale(data, factor):
    return data * factor


assert scale(np.arange(2.0), 2).tolist() == own_scale(np.arange(2.0), 2).tolist()

# %% test: measured points=1
data = np.arange(100_000.0)


def fastest(function):
    found = []
    for _ in range(5):
        start = time.perf_counter()
        function(data, 2.0)
        found.append(time.perf_counter() - start)
    return min(found)


# On a busy machine, anything near 1 would fail now and then.
assert fastest(scale) / fastest(own_scale) < 1000

# %% given: timer
class Timer:
    """A timer for a with statement."""

    def __enter__(self):
        self.started = time.monotonic()
        return self

    def __exit__(self, *error):
        self.seconds = time.monotonic() - self.started


# %% test: timer-test points=1
with Timer() as timer:
    scale(data[:3], 2)
assert timer.seconds < 60

# %% test: limited points=1
import datetime

started = time.time()
scale(data[:3], 2)
assert time.time() - started < 60 and datetime.time(1) < datetime.time(2)
