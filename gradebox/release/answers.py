"""Right and wrong answers to exercises, kept beside the course in `answers/`.

A file `answers/ASSIGNMENT/GRADE_ID.py` (jupytext, percent format) holds the answers to the solution
cell GRADE_ID, one cell each:

    # %% right: explicit loops
    # %% wrong: divides by d_k says="divided by d_k" fails=["attention-weights-test"]

`says` are words that must be in the message of the failing test cell, `fails` the test cells that
fail with it (left out: the exercise's only own one), `visible=false` marks a mistake that no tiny
example can show, so that only the hidden asserts catch it. An answer to a written question is a
markdown cell.
"""

from dataclasses import dataclass
from pathlib import Path

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.notebook import name_of, own_tests


class AnswerError(Exception):
    """An answers file can't be used; the message says where and why."""


@dataclass(frozen=True)
class Answer:
    """One answer to one exercise.

    right: whether it earns full marks. fails: grade_ids of the test cells that fail with it, in
    order. says: words of the message of the first of these. visible: whether a visible assert
    catches it. written: whether a person reads it.
    """

    exercise: str
    title: str
    source: str
    right: bool
    says: str = ""
    fails: tuple[str, ...] = ()
    visible: bool = True
    written: bool = False


def read(folder: Path, *sources: NotebookNode) -> list[Answer]:
    """All answers in `answers/ASSIGNMENT`, checked against the assignment's source notebooks.

    Raises AnswerError if a file or a title fits no exercise, or a wrong answer names no words.
    """
    # Who grades reads no answers.
    import jupytext

    tests = {name: cells for source in sources for name, cells in own_tests(source).items()}
    tasks = {name_of(cell) for source in sources for cell in source.cells if utils.is_task(cell)}
    answers = []
    for path in sorted(folder.glob("*.py")):
        if path.stem not in tests and path.stem not in tasks:
            raise AnswerError(f"{path} answers no exercise: there is no solution cell {path.stem!r}")
        for cell in jupytext.read(path, fmt="py:percent").cells:
            answers.append(read_cell(path, cell, tests))
    return answers


def read_cell(path: Path, cell: NotebookNode, tests: dict[str, list[str]]) -> Answer:
    """One cell of an answers file."""
    verdict, _, title = cell.metadata.get("title", "").partition(": ")
    if verdict not in ("right", "wrong") or not title:
        raise AnswerError(f"{path}: a cell must be titled `right: …` or `wrong: …`, not {cell.source[:40]!r}")
    written = cell.cell_type == "markdown"
    fails = tuple(cell.metadata.get("fails", () if verdict == "right" else tests.get(path.stem, ())))
    says = cell.metadata.get("says", "")
    known = {name for names in tests.values() for name in names}
    if set(fails) - known:
        raise AnswerError(f"{path}, {title!r}: no test cell is called {sorted(set(fails) - known)[0]!r}")
    if verdict == "wrong" and not written:
        if not says:
            raise AnswerError(
                f"{path}, {title!r}: a wrong answer names the words of the failing test, says=…"
            )
        if "fails" not in cell.metadata and len(fails) != 1:
            raise AnswerError(f"{path}, {title!r}: name the test cells that fail, fails=[…]")
    return Answer(
        path.stem,
        title,
        cell.source,
        verdict == "right",
        says,
        fails,
        cell.metadata.get("visible", True),
        written,
    )
