"""Add a test of style (PEP 8) at the end of a lesson, for courses that set `c.Lessons.style_points`."""

import ast
import re
from copy import copy
from pathlib import Path

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader import utils

from gradebox.notebook_exercises import get_grade_id

STYLE_TEST_ID = "pep8-style"
EXPLANATION = """## Style

{points} for code that keeps to [PEP 8](https://peps.python.org/pep-0008/), the style guide for Python code: \
spaces, indentation, blank lines, lines of at most {length} characters. All of your solution cells are read \
when you hand in. `pip install pycodestyle` gives you the same check."""
# Student code and tests run where they can't read gradebox's files, so the test holds the code.
CODE_OF_TEST = "submitted_texts.py", "check_style.py"
TEST = """# Checked when you hand in: the style of your solution cells (PEP 8).
### BEGIN HIDDEN TESTS
import inspect
import linecache
import re

{code}


check_style(globals(), {exercises!r}, max_line_length={length})
### END HIDDEN TESTS"""
NO_POINTS = "No points, but advice"


def add_style_test(notebook: NotebookNode, points: float, max_line_length: int) -> NotebookNode:
    """Return a notebook with a graded test of the style of its solution cells.

    Raises ValueError if no solution cell defines a function or class.
    """
    exercises = {
        get_grade_id(cell): name
        for cell in notebook.cells
        if cell.cell_type == "code" and utils.is_solution(cell)
        for name in find_definitions(cell.source)[-1:]
    }
    if not exercises:
        raise ValueError("c.Lessons.style_points needs a solution cell that defines a function or class")
    counted = NO_POINTS if points == 0 else "One point" if points == 1 else f"{points:g} points"
    test = TEST.format(code=read_code_of_test(), exercises=exercises, length=max_line_length)
    metadata = {
        "nbgrader": {
            "grade": True,
            "grade_id": STYLE_TEST_ID,
            "locked": True,
            "points": points,
            "schema_version": 3,
            "solution": False,
            "task": False,
        }
    }
    extended = copy(notebook)
    extended.cells = [
        *notebook.cells,
        new_markdown_cell(
            EXPLANATION.format(points=counted, length=max_line_length), id=f"{STYLE_TEST_ID}-text"
        ),
        new_code_cell(test, id=STYLE_TEST_ID, metadata=metadata),
    ]
    return extended


def read_code_of_test() -> str:
    """Return the functions that the test calls."""
    folder = Path(__file__).with_name("check_engine")
    texts = [(folder / name).read_text(encoding="utf-8") for name in CODE_OF_TEST]
    copied = (re.split(r"^# ---+\n", text, maxsplit=1, flags=re.MULTILINE)[1] for text in texts)
    return "\n\n".join(copied).strip()


def find_definitions(source: str) -> list[str]:
    """Return the names of the functions and classes that a cell defines; empty if it is not plain Python."""
    try:
        statements = ast.parse(source).body
    except SyntaxError:
        return []
    return [one.name for one in statements if isinstance(one, ast.FunctionDef | ast.ClassDef)]
