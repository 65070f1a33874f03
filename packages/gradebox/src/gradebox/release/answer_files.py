"""Right and wrong answers to exercises, kept beside the course in `answers/`.

A file `answers/ASSIGNMENT/GRADE_ID.py` (jupytext, percent format) holds the answers to the solution
cell GRADE_ID, one cell each:

    # %% right: explicit loops
    # %% wrong: divides by d_k says="divided by d_k" fails=["attention-weights-test"]

`says` are words that must be in the message of the failing test cell, `fails` the test cells that
fail with it (left out: the exercise's only own one), `visible=false` marks a mistake that no tiny
example can show, so that only the hidden asserts catch it. An answer to a written question is a
markdown cell.

An answer that differs from another one in a line or a few says only these, as `answer_variants.py` reads
them:

    # %% wrong: divides by d_k says="divided by d_k" of="base"
    # was:     return scores / np.sqrt(d_k)
    # becomes: return scores / d_k

`of` is the title of another answer of the file, which is whole, or "reference": the exercise's solution in
the lesson (left out: this one). Where many answers differ little from what is neither, that stands in a cell
`# %% base`, which is no answer itself.
"""

from dataclasses import dataclass
from pathlib import Path

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.course import CourseError
from gradebox.notebook import extract_reference_solutions, find_grade_id, map_tests_to_solutions
from gradebox.release.answer_variants import ChangeError, apply_changes, is_change

# In answers/LESSON/: what is no answer, but the code that a lesson's tests share.
HELPERS_FILE = "checks.py"
REFERENCE = "reference"
BASE = "base"


@dataclass(frozen=True)
class Answer:
    """One answer to one exercise.

    right: whether it earns full marks. fails: grade_ids of the test cells that fail with it, in
    order. says: words of the message of the first of these. visible: whether a visible assert
    catches it. prose: whether a person reads it.
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
    """All answers in `answers/ASSIGNMENT`, checked against the assignment's source notebooks.

    Raises CourseError if a file or a title fits no exercise, a wrong answer names no words, or an answer
    can't be made whole.
    """
    # Who grades reads no answers.
    import jupytext

    tests = {name: cells for source in sources for name, cells in map_tests_to_solutions(source).items()}
    tasks = {find_grade_id(cell) for source in sources for cell in source.cells if utils.is_task(cell)}
    references = {
        name: text for source in sources for name, text in extract_reference_solutions(source).items()
    }
    answers = []
    for path in sorted(folder.glob("*.py")):
        if path.name == HELPERS_FILE:
            continue
        if path.stem not in tests and path.stem not in tasks:
            raise CourseError(f"{path} answers no exercise: there is no solution cell {path.stem!r}")
        cells = index_cells_by_title(path, jupytext.read(path, fmt="py:percent").cells)
        expand_variants(path, cells, references.get(path.stem))
        answers += [parse_answer_cell(path, cell, tests) for title, cell in cells.items() if title != BASE]
    return answers


def index_cells_by_title(path: Path, cells: list[NotebookNode]) -> dict[str, NotebookNode]:
    """The cells of an answers file, in order, by their titles, of which no two are the same."""
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
            raise CourseError(f"{path}: the title {title!r} is taken")
        titled[title] = cell
    return titled


def expand_variants(path: Path, cells: dict[str, NotebookNode], reference: str | None) -> None:
    """Give the answers that say only what they change of another one their whole source (in place)."""
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
            raise CourseError(f"{where}: of={of!r} is a change itself, and must be whole")
        if of not in whole:
            raise CourseError(f"{where}: of={of!r} is no answer of this file")
        try:
            cells[title].source = apply_changes(whole[of], cells[title].source)
        except ChangeError as error:
            raise CourseError(f"{where}, of {of!r}: {error}") from None
    for title, cell in cells.items():
        if "of" in cell.metadata and title not in changes:
            raise CourseError(f"{path}, {title!r}: of=… is for an answer that says what `# was: …`")
    if BASE in cells and BASE not in changes.values():
        raise CourseError(f"{path}: no answer changes the base")


def parse_answer_cell(path: Path, cell: NotebookNode, tests: dict[str, list[str]]) -> Answer:
    """One cell of an answers file."""
    verdict, _, title = cell.metadata["title"].partition(": ")
    right, prose = verdict == "right", cell.cell_type == "markdown"
    fails = tuple(cell.metadata.get("fails", () if right else tests.get(path.stem, ())))
    says, advice = cell.metadata.get("says", ""), cell.metadata.get("advice", "")
    known = {name for names in tests.values() for name in names}
    where = f"{path}, {title!r}"
    if set(fails) - known:
        raise CourseError(f"{where}: no test cell is called {sorted(set(fails) - known)[0]!r}")
    if not right and not prose:
        if not (says or advice):
            raise CourseError(f"{where}: a wrong answer has advice=…, or names the words of a test, says=…")
        if "fails" not in cell.metadata and len(fails) != 1:
            raise CourseError(f"{where}: name the test cells that fail, fails=[…]")
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
