"""Small courses as others write them: one notebook for each thing that their tests do and ours don't.

A file of `tests/other_courses` in jupytext's percent format. Each cell is titled with what it is, and its
grade_id: `given: data` is locked, `answer: mean` a solution, `test: mean-test` a test. Points and tags are in
the metadata.
"""

from copy import deepcopy
from pathlib import Path

import jupytext
from helpers import cell
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook
from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions

from gradebox.notebook_exercises import find_grade_id

FOLDER = Path(__file__).parent / "other_courses"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
KINDS = {"given": "given", "answer": "solution", "test": "test"}
# What is handed in: all solved, every other one, nothing.
SUBMISSIONS = ("solved", "half", "untouched")


def source(name: str) -> NotebookNode:
    """The instructor's notebook."""
    return new_notebook(
        cells=[made(one) for one in jupytext.read(FOLDER / f"{name}.py", fmt="py:percent").cells]
    )


def made(one: NotebookNode) -> NotebookNode:
    if one.cell_type == "markdown":
        return new_markdown_cell(one.source)
    kind, _, name = one.metadata["title"].partition(": ")
    found = cell(KINDS[kind], name, one.source)
    found.metadata["tags"] = one.metadata.get("tags", [])
    if kind == "test":
        found.metadata["nbgrader"]["points"] = one.metadata["points"]
    return found


def submission(nb: NotebookNode, kind: str) -> NotebookNode:
    """What a student of this kind hands in, for an instructor's notebook."""
    cleared = ClearHiddenTests().preprocess(ClearSolutions().preprocess(deepcopy(nb), {})[0], {})[0]
    answers = [one for one in cleared.cells if (find_grade_id(one) and one.metadata["nbgrader"]["solution"])]
    solved = answers if kind == "solved" else answers[::2] if kind == "half" else []
    texts = {find_grade_id(one): one.source for one in nb.cells if find_grade_id(one)}
    for one in solved:
        one.source = texts[find_grade_id(one)]
    return cleared
