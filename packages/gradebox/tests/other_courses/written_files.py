# %% [markdown]
# Files that the student's code writes and the test reads, and the other way round.

# %% given: imports
import csv
import json
import os
from pathlib import Path


# %% answer: report
def report(rows, path):
    """Write rows as CSV."""
    ### BEGIN SOLUTION
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows(rows)
    ### END SOLUTION


### BEGIN SOLUTION
Path("out").mkdir(exist_ok=True)
Path("out/answer.json").write_text(json.dumps({"answer": 42}))
report([["a", 1]], "first.csv")
### END SOLUTION

# %% test: written-before points=2
assert os.path.exists("first.csv") and Path("out/answer.json").is_file() and "first.csv" in os.listdir()
assert json.loads(Path("out/answer.json").read_text())["answer"] == 42

# %% test: written-by-call points=2
report([["x", "y"], [1, 2]], "table.csv")
with open("table.csv") as file:
    assert list(csv.reader(file)) == [["x", "y"], ["1", "2"]]
report([["z"]], Path("table.csv"))
assert Path("table.csv").read_text().strip() == "z"


# %% answer: count
def count_words(path):
    """How many words a file has."""
    ### BEGIN SOLUTION
    with open(path) as file:
        return len(file.read().split())
    ### END SOLUTION


def tidy(path):
    """Remove a file."""
    ### BEGIN SOLUTION
    os.remove(path)
    ### END SOLUTION


# %% test: read-there points=2
with open("words.txt", "w") as file:
    file.write("one two three")
assert count_words("words.txt") == 3
Path("words.txt").write_text("one")
assert count_words(Path("words.txt")) == 1

# %% test: removed points=1
assert os.path.exists("table.csv")
tidy("table.csv")
assert not os.path.exists("table.csv")

# %% answer: numbers
import numpy as np

### BEGIN SOLUTION
np.save("numbers.npy", np.arange(4))
np.savetxt("numbers.txt", np.eye(2))
### END SOLUTION

# %% test: numbers-test points=1
assert np.load("numbers.npy").tolist() == [0, 1, 2, 3] and np.loadtxt("numbers.txt").sum() == 2
