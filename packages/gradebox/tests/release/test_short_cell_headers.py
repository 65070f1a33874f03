"""A lesson's text has short cell headers, which stand for nbgrader's metadata, and keeps them."""

import os
import re

import nbformat
import pytest
from helpers import gradebox, run_in

from gradebox.notebook_exercises import find_grade_id
from gradebox.release.jupytext_sync import read_lesson_notebook

SHORT = """\
# %% [markdown]
# # Numbers

# %% locked imports
import math

# %% [markdown] locked rules with=["double"]
# Use no loops.

# %% solution double builds_on=[] edition="core"
def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

# %% test double points=2
assert double(2) == 4

# %% test double-floats points=0.5
assert double(0.5) == 1

# %% written why [markdown] points=3
# Because it doubles.

# %% [markdown] task picture points=1 tags=["drawing"]
# Draw it.

# %% [markdown]
# Your picture:

# %% nbgrader={"grade": true, "grade_id": "test_old", "locked": true, "points": 4, \
"schema_version": 3, "solution": false, "task": false}
assert double(3) == 6
"""
FLAGS = ("grade", "locked", "solution", "task")


@pytest.fixture
def text(small):
    path = small.root / "lessons" / "ps.py"
    path.parent.mkdir()
    path.write_text(SHORT, encoding="utf-8")
    return path


def settings(notebook: nbformat.NotebookNode) -> dict[str, tuple]:
    """The flags that are set, and the points, of each cell that nbgrader knows."""
    found = {}
    for cell in notebook.cells:
        if name := find_grade_id(cell):
            own = cell.metadata.nbgrader
            assert own.schema_version == 3 and own.keys() - {"points"} == {
                *FLAGS,
                "grade_id",
                "schema_version",
            }
            found[name] = cell.cell_type, {flag for flag in FLAGS if own[flag]}, own.get("points")
    return found


def test_short_and_long_headers_mean_nbgraders_settings(text):
    notebook = read_lesson_notebook(text)
    assert settings(notebook) == {
        "imports": ("code", {"locked"}, None),
        "rules": ("markdown", {"locked"}, None),
        "double": ("code", {"solution"}, None),
        "double-test": ("code", {"grade", "locked"}, 2),
        "double-floats-test": ("code", {"grade", "locked"}, 0.5),
        "why": ("markdown", {"grade", "solution"}, 3),
        "picture": ("markdown", {"locked", "task"}, 1),
        "test_old": ("code", {"grade", "locked"}, 4),
    }
    others = [{**cell.metadata} for cell in notebook.cells]
    assert all("title" not in one and "points" not in one for one in others)
    assert others[3].items() >= {"builds_on": [], "edition": "core"}.items()
    assert others[7]["tags"] == ["drawing"] and notebook.metadata.kernelspec.name == "python3"


def test_edits_in_jupyter_come_back_with_short_headers_and_stay(small, text):
    run_in(small.root, "gradebox", "release", "--no-check", "ps")
    source = small.root / "source" / "ps" / "ps.ipynb"
    notebook = nbformat.read(source, as_version=4)
    notebook.cells[0].source += "\n\nAnd more."
    # As Jupyter leaves it.
    notebook.metadata.kernelspec.display_name = "Python 3 (ipykernel)"
    nbformat.write(notebook, source)
    os.utime(text, (1, 1))
    assert "gradebox sync ps" in gradebox(small, "release", "--no-check", "ps").stderr
    run_in(small.root, "gradebox", "sync", "ps")
    once = text.read_text(encoding="utf-8")
    # jupytext writes the cell's type after the title, and empty lines as PEP 8 has them.
    expected = SHORT.replace("# # Numbers", "# # Numbers\n#\n# And more.")
    expected = expected.replace("[markdown] locked rules", "locked rules [markdown]")
    expected = expected.replace("[markdown] task picture", "task picture [markdown]")
    assert re.sub(r"\n{3,}", "\n\n", once) == expected
    run_in(small.root, "gradebox", "release", "--no-check", "ps")
    run_in(small.root, "gradebox", "sync", "ps")
    assert text.read_text(encoding="utf-8") == once


def test_a_lesson_with_long_headers_only_keeps_them(course):
    text = course.root / "lessons" / "01_shares.py"
    before = text.read_text(encoding="utf-8")
    run_in(course.root, "gradebox", "sync", "01_shares")
    headers = re.findall("^# %%.* nbgrader=.*", before, re.MULTILINE)
    assert headers and re.findall("^# %%.* nbgrader=.*", text.read_text("utf-8"), re.MULTILINE) == headers


def test_titles_of_a_lesson_without_short_headers_stay(small, text):
    text.write_text("# %% A picture\nprint(1)\n\n# %% Solution to 1.1\nprint(2)\n", encoding="utf-8")
    titles = [cell.metadata.title for cell in read_lesson_notebook(text).cells]
    assert titles == ["A picture", "Solution to 1.1"]


MISTAKES = [
    ("# %% test double points=2", "# %% tset double points=2", "unknown word 'tset' in a cell header"),
    ("# %% locked imports", "# %% Imports", "unknown word 'Imports' in a cell header (known: solution, "),
    (
        "# %% test double points=2",
        "# %% test double",
        'test double needs points: write "# %% test NAME points',
    ),
    ("# %% test double points=2", "# %% test double points=two", "test double needs points"),
    ("# %% test double points=2", "# %% test double 2 points", "'test' needs one name: write "),
    ("# %% solution double", "# %% solution points=1", "'solution' needs one name"),
    ("# %% solution double", "# %% solution double points=2", "solution double can't have points"),
    ("# %% test double-floats", "# %% test double", "another cell has the grade_id 'double-test', too"),
    ("# %% test double-floats", "# %% test double-test", "another cell has the grade_id 'double-test', too"),
    (
        "# %% [markdown] task",
        "# %% task",
        "'task' is not a word for code cells: write \"# %% task NAME [markdown]",
    ),
    (
        "# %% solution double",
        "# %% solution double [markdown]",
        "'solution' is not a word for markdown cells",
    ),
    ("# %% locked imports", "# %% locked test_old", "another cell has the grade_id 'test_old', too"),
]


@pytest.mark.parametrize(("right", "wrong", "problem"), MISTAKES, ids=range(len(MISTAKES)))
def test_a_mistake_in_a_header_is_a_sentence_with_its_line(small, text, right, wrong, problem):
    assert SHORT.count(right + " ") + SHORT.count(right + "\n") == 1
    text.write_text(SHORT.replace(right, wrong), encoding="utf-8")
    line = SHORT[: SHORT.index(right)].count("\n") + 1
    run = gradebox(small, "release", "--no-check", "ps")
    assert run.returncode == 1 and len(run.stderr.splitlines()) == 1
    assert f"lessons/ps.py, line {line}: {problem}" in run.stderr
    assert not (small.root / "source" / "ps").exists()
