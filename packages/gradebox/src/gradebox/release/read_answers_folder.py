"""Read the right and wrong answers to exercises from a course's `answers/` folder.

A file `answers/ASSIGNMENT/GRADE_ID.py` (jupytext, percent format) contains the answers to the solution
cell GRADE_ID, one cell each:

    # %% right: explicit loops
    # %% wrong: divides by d_k says="divided by d_k" fails=["attention-weights-test"]

`says`: words that must be in the message of the failing test cell. `fails`: the test cells that fail with the
answer (default: the only test cell of the exercise). `visible=false` marks a mistake that no small example
can show, so that only hidden asserts catch the mistake. An answer to a written question is a markdown cell.

An answer that differs from another answer in a few lines contains only these lines, in the format of
`answers_as_edits.py`:

    # %% wrong: divides by d_k says="divided by d_k" of="base"
    # was:     return scores / np.sqrt(d_k)
    # becomes: return scores / d_k

`of` is the title of a complete answer in the same file, or "reference" (the default): the exercise's solution
in the lesson. If many answers share another text, this text is in a cell `# %% base`, which is not an answer
itself.
"""

import re
from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.course import CourseError
from gradebox.notebook_exercises import (
    extract_reference_solutions,
    find_comment_tests,
    find_grade_id,
    map_tests_to_solutions,
)
from gradebox.release.answers_as_edits import ChangeError, apply_changes, is_change

# In answers/LESSON/: the helper code that a lesson's tests share; not an answer.
HELPERS_FILE = "checks.py"
REFERENCE = "reference"
BASE = "base"
SHAPE_COMMENT = re.compile(r"#.*\[.*\]")


@dataclass(frozen=True)
class Answer:
    """One answer to one exercise.

    right: True if the answer earns full marks. fails: grade_ids of the test cells that fail with the answer,
    in order. says: words in the message of the first of these. advice: the sentence of advice for the
    student. unseen: the reason why no visible call catches the answer. visible: True if a visible assert
    catches the answer. prose: True if a person grades the answer.
    """

    exercise: str
    title: str
    source: str
    right: bool
    says: str = ""
    advice: str = ""
    unseen: str = ""
    fails: tuple[str, ...] = ()
    visible: bool = True
    prose: bool = False


def read_answers(folder: Path, *sources: NotebookNode) -> list[Answer]:
    """Return all answers in `answers/ASSIGNMENT`, validated against the assignment's source notebooks.

    Raises CourseError if a file matches no exercise, a title is malformed, a wrong answer has neither
    `advice` nor `says`, or the changes of an answer can't be applied.
    """
    # Grading reads no answers, so it does not need jupytext.
    import jupytext

    tests = {name: cells for source in sources for name, cells in map_tests_to_solutions(source).items()}
    tasks = {find_grade_id(cell) for source in sources for cell in source.cells if utils.is_task(cell)}
    references = {
        name: text for source in sources for name, text in extract_reference_solutions(source).items()
    }
    comment_tests = frozenset[str]().union(*map(find_comment_tests, sources))
    answers = []
    for path in sorted(folder.glob("*.py")):
        if path.name == HELPERS_FILE:
            continue
        if path.stem not in tests and path.stem not in tasks:
            raise CourseError(f"{path}: the lesson has no solution cell {path.stem!r}")
        cells = index_cells_by_title(path, jupytext.read(path, fmt="py:percent").cells)
        expand_variants(path, cells, references.get(path.stem))
        answers += [
            parse_answer_cell(path, cell, tests, comment_tests)
            for title, cell in cells.items()
            if title != BASE
        ]
    return answers


def index_cells_by_title(path: Path, cells: list[NotebookNode]) -> dict[str, NotebookNode]:
    """Return the cells of an answers file by title, in order. Raises CourseError if a title is not unique."""
    titled: dict[str, NotebookNode] = {}
    for cell in cells:
        verdict, _, title = cell.metadata.get("title", "").partition(": ")
        if (verdict, title) == (BASE, ""):
            title = BASE
        elif verdict not in ("right", "wrong") or not title:
            raise CourseError(
                f"{path}: a cell must be titled `right: …` or `wrong: …`, not {cell.source[:40]!r}"
            )
        if title in titled or verdict != BASE and title in (REFERENCE, BASE):
            raise CourseError(f"{path}: the title {title!r} is already used or reserved")
        titled[title] = cell
    return titled


def expand_variants(path: Path, cells: dict[str, NotebookNode], reference: str | None) -> None:
    """Replace changes with the complete source of the changed answer (in place). Raises CourseError."""
    changes = {
        title: str(cell.metadata.get("of", REFERENCE))
        for title, cell in cells.items()
        if cell.cell_type == "code" and is_change(cell.source)
    }
    whole = {title: cell.source for title, cell in cells.items() if title not in changes}
    if reference is not None:
        whole[REFERENCE] = reference
    for title, of in changes.items():
        where = f"{path}, {title!r}"
        if of in changes:
            raise CourseError(f"{where}: of={of!r} is itself a change; name a complete answer")
        if of not in whole:
            raise CourseError(f"{where}: of={of!r} is not an answer in this file")
        try:
            cells[title].source = apply_changes(whole[of], cells[title].source)
        except ChangeError as error:
            raise CourseError(f"{where}, of {of!r}: {error}") from None
    for title, cell in cells.items():
        if "of" in cell.metadata and title not in changes:
            raise CourseError(f"{path}, {title!r}: of=… is only for an answer with `# was: …` lines")
    if BASE in cells and BASE not in changes.values():
        raise CourseError(f'{path}: no answer uses the base (of="base")')


def parse_answer_cell(
    path: Path, cell: NotebookNode, tests: dict[str, list[str]], comment_tests: Set[str]
) -> Answer:
    """Parse one cell of an answers file. Raises CourseError.

    An answer without shape comments fails the tests of these comments, right or wrong, so it need not say so.
    """
    verdict, _, title = cell.metadata["title"].partition(": ")
    right, prose = verdict == "right", cell.cell_type == "markdown"
    own = tests.get(path.stem, [])
    plain = [test for test in own if test not in comment_tests]
    fails = tuple(cell.metadata.get("fails", () if right else plain))
    says, advice = cell.metadata.get("says", ""), cell.metadata.get("advice", "")
    known = {name for names in tests.values() for name in names}
    where = f"{path}, {title!r}"
    if set(fails) - known:
        raise CourseError(f"{where}: no test cell is called {sorted(set(fails) - known)[0]!r}")
    if not right and not prose:
        if not (says or advice):
            raise CourseError(f"{where}: a wrong answer needs advice=…, or words of a test's message, says=…")
        if "fails" not in cell.metadata and len(fails) != 1:
            raise CourseError(f"{where}: name the failing test cells with fails=[…]")
    if not SHAPE_COMMENT.search(cell.source):
        fails += tuple(test for test in own if test in comment_tests and test not in fails)
    return Answer(
        exercise=path.stem,
        title=title,
        source=cell.source,
        right=right,
        says=says,
        advice=advice,
        unseen=cell.metadata.get("unseen", ""),
        fails=fails,
        visible=cell.metadata.get("visible", True),
        prose=prose,
    )
