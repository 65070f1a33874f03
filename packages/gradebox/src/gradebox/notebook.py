"""What a notebook says of itself: its exercises, their tests, their references, what earns points."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode
from nbformat.validator import iter_validate
from nbgrader import utils
from nbgrader.nbgraderformat import MetadataValidator, SchemaTooNewError, SchemaTooOldError, ValidationError
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.checks_cell import expand_checks_cell

# The grade_id of the checks cell, which `gradebox release` writes (see `release/generate_checks.py`).
CHECKS_CELL_ID = "messages"
# The id of the cell at the end that says how a lesson is handed in (see
# `release/submission_instructions.py`).
HAND_IN_CELL_ID = "hand-it-in"
# Where jupytext keeps what it could not read of a cell's first line.
INVALID_METADATA = "incorrectly_encoded_metadata"
VALIDATOR = MetadataValidator()
SCHEMA = VALIDATOR.schema_version
# Notebooks of which is kept in mind whether they say to nbgrader what they mean.
NOTEBOOK_CACHE_SIZE = 100
# So much of a message is shown, which may hold a cell.
MAX_MESSAGE_LENGTH = 200
SOLUTION_MARKER = re.compile(r"\s*### (BEGIN|END) SOLUTION\s*$")


# What only readers see of a question, with nbgrader's own marks.
MARK_SCHEME = re.compile(r"^[^\n]*BEGIN MARK SCHEME.*?(?:END MARK SCHEME|\Z)", re.MULTILINE | re.DOTALL)
TITLE_PATTERN = re.compile(r"^#\s+(.+)$", re.MULTILINE)
EXERCISE_HEADING = re.compile(r"^#{1,6}\s+(\d+(?:\.\d+)+)\b[ \t]*(.*)$", re.MULTILINE)


# Of each exercise, by grade_id, what the checks cell holds (see `release/generate_checks.py`).
ChecksTable = dict[str, dict[str, Any]]
TABLE_MARKER = "MESSAGES = "


@dataclass(frozen=True)
class GradedCell:
    """A cell that earns points.

    number: that of its exercise, in the nearest heading at or above the cell (`1.3`), else its grade_id.
    manual: True if a person gives the points. title: what that heading says behind the number.
    """

    grade_id: str
    notebook: str
    number: str
    points: float
    manual: bool
    title: str = ""


def find_grade_id(cell: Mapping[str, Any]) -> str | None:
    """The grade_id of a cell, or of its JSON; None where there is none, or something that can't be one."""
    metadata = cell.get("metadata")
    settings = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = settings.get("grade_id") if isinstance(settings, dict) else None
    return name if isinstance(name, str) else None


@dataclass(frozen=True)
class FormatProblem:
    """Where a notebook breaks a rule of nbformat's, of this kind. cell: from 0; None: the notebook itself."""

    cell: int | None
    what: str
    kind: str


def find_format_problems(notebook: NotebookNode) -> Iterator[FormatProblem]:
    """All such places; of each cell the first."""
    # As nbconvert does before each of its steps.
    for error in iter_validate(notebook, relax_add_props=True):
        path = [*error.relative_path]
        cell = path[1] if path[:1] == ["cells"] and path[1:] else None
        key = ".".join(map(str, path if cell is None else path[2:]))
        said = error.message.partition("\n")[0]
        said = said if len(said) < MAX_MESSAGE_LENGTH else f"{said[:MAX_MESSAGE_LENGTH]}…"
        yield FormatProblem(cell, f"{key}: {said}" if key else said, error.validator)


def is_nbgrader_cell(cell: NotebookNode) -> bool:
    """Whether a cell is one that nbgrader keeps by its grade_id."""
    settings = cell.metadata.get("nbgrader", {})
    return any(settings.get(kind) for kind in ("grade", "solution", "locked", "task"))


def find_settings_problem(cell: NotebookNode) -> str | None:
    """What is wrong about what a cell of the instructor's says to nbgrader; None if nothing is."""
    if INVALID_METADATA in cell.metadata:
        return f"its settings can't be read, they are no JSON: {cell.metadata[INVALID_METADATA]}"
    if not isinstance(cell.metadata.get("nbgrader", {}), dict):
        return f"its nbgrader settings are {cell.metadata.nbgrader!r}, which are none"
    if not isinstance(cell.metadata.get("nbgrader", {}).get("schema_version", 0), int):
        return "its nbgrader settings: schema_version is no number"
    if cell.cell_type == "raw" and is_nbgrader_cell(cell):
        return "it is raw, and nbgrader takes only code and text"
    if utils.is_task(cell) and "points" not in cell.metadata.nbgrader:
        return "it is a task without points"
    try:
        VALIDATOR.validate_cell(cell)
    except (SchemaTooOldError, SchemaTooNewError):
        # nbgrader says how a whole notebook is brought up to date.
        return None
    except ValidationError as error:
        said = error.message.partition("\n")[0]
        key = str(error.path[-1]) if error.path else ""
        if key == "grade_id" and error.validator == "pattern":
            return f"the grade_id {error.instance!r} holds something else than letters, digits, - and _"
        if isinstance(error.validator, str):
            return f"its nbgrader settings: {key + ': ' if key else ''}{said}"
        return said
    return None


@lru_cache(maxsize=NOTEBOOK_CACHE_SIZE)
def find_notebook_problem(text: str) -> str | None:
    """What is wrong in a notebook, given as JSON, that nobody could read on; None if nothing is.

    Where it lacks something that nothing here asks for, it can be read on.
    """
    notebook = nbformat.reads(text, as_version=4)
    for one in find_format_problems(notebook):
        if one.kind == "type" or one.what.startswith(("'source'", "source: ")):
            return one.what if one.cell is None else f"cell {one.cell + 1}: {one.what}"
    found = ((number, find_settings_problem(cell)) for number, cell in enumerate(notebook.cells, 1))
    return next((f"cell {number}: {problem}" for number, problem in found if problem), None)


def get_grade_id(cell: NotebookNode) -> str:
    """The grade_id of a cell that nbgrader knows."""
    return str(cell.metadata.nbgrader.grade_id)


def is_locked_code_cell(cell: NotebookNode) -> bool:
    """Whether a cell of the instructor's notebook is a code cell that students can't change."""
    locked = utils.is_locked(cell) and not utils.is_solution(cell)
    return cell.cell_type == "code" and bool(find_grade_id(cell)) and locked


def scored_cells(notebook: NotebookNode) -> dict[str, NotebookNode]:
    """Return the code cells that a program scores, by grade_id."""
    graded = [cell for cell in notebook.cells if utils.is_grade(cell) and not utils.is_solution(cell)]
    return {get_grade_id(cell): cell for cell in graded if cell.cell_type == "code"}


def map_tests_to_solutions(notebook: NotebookNode) -> dict[str, list[str]]:
    """The test cells of each solution cell, by grade_id.

    A test belongs to the solution cell whose grade_id begins its own (the longest such), else to the
    nearest solution cell above it.
    """
    tests: dict[str, list[str]] = {
        get_grade_id(cell): []
        for cell in notebook.cells
        if utils.is_solution(cell) and cell.cell_type == "code"
    }
    above = None
    for cell in notebook.cells:
        if find_grade_id(cell) in tests:
            above = get_grade_id(cell)
        elif utils.is_grade(cell) and cell.cell_type == "code" and not utils.is_solution(cell):
            test = get_grade_id(cell)
            named = [name for name in tests if test.startswith(name + "-")]
            owner = max(named, key=len) if named else above
            if owner:
                tests[owner].append(test)
    return tests


def insert_answers(notebook: NotebookNode, answers: dict[str, str]) -> NotebookNode:
    """Put answers, by grade_id, into a notebook's solution cells (in place), and return it.

    The answer to a written question goes into the cell after it. Raises ValueError for one that is to none.
    """
    cells = notebook.cells
    found = set()
    for cell, following in zip(cells, [*cells[1:], None], strict=True):
        grade_id = find_grade_id(cell)
        if grade_id in answers:
            target = following if utils.is_task(cell) else cell
            target.source = answers[grade_id]
            found.add(grade_id)
    if set(answers) - found:
        raise ValueError(f"the notebook has no exercise {sorted(set(answers) - found)[0]!r}")
    return notebook


def extract_reference_solutions(source: NotebookNode) -> dict[str, str]:
    """The reference solutions of a source notebook, by grade_id, without nbgrader's markers."""
    return {
        cell.metadata.nbgrader.grade_id: "\n".join(
            line for line in cell.source.splitlines() if not SOLUTION_MARKER.match(line)
        )
        for cell in source.cells
        if utils.is_solution(cell) and cell.cell_type == "code"
    }


def find_graded_cells(notebook: NotebookNode, name: str) -> list[GradedCell]:
    """The cells of one source notebook that earn points, in reading order."""
    cells, number, title = [], "", ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            headings = EXERCISE_HEADING.findall(MARK_SCHEME.sub("", cell.source))
            number, title = headings[-1] if headings else (number, title)
        if utils.is_grade(cell) or utils.is_task(cell):
            manual = utils.is_task(cell) or utils.is_solution(cell)
            points = float(cell.metadata.nbgrader.points)
            called, about = number or get_grade_id(cell), title.strip(" #")
            cells.append(GradedCell(get_grade_id(cell), name, called, points, manual, about))
    return cells


def find_title(notebook: NotebookNode) -> str | None:
    """The first headline of the highest rank."""
    texts = (cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    found = next(filter(None, map(TITLE_PATTERN.search, texts)), None)
    return found[1].strip() if found else None


def find_hidden_lines(cell: NotebookNode, marks: ClearHiddenTests) -> set[int]:
    """The numbers of the lines that a release leaves out."""
    found, inside = set(), False
    for number, line in enumerate(cell.source.splitlines(), 1):
        inside = marks.begin_test_delimeter in line or (inside and marks.end_test_delimeter not in line)
        if inside:
            found.add(number)
    return found


def remove_hidden_lines(cell: NotebookNode, marks: ClearHiddenTests) -> str:
    """The lines of a cell that a release keeps."""
    hidden = find_hidden_lines(cell, marks)
    return "\n".join(line for number, line in enumerate(cell.source.splitlines(), 1) if number not in hidden)


def find_checks_source(notebook: NotebookNode) -> str:
    """Return the source of a notebook's checks cell; "" if it has none."""
    return next((cell.source for cell in notebook.cells if find_grade_id(cell) == CHECKS_CELL_ID), "")


def parse_checks_table(text: str) -> ChecksTable:
    """Return the table in a checks cell: expected results and common mistakes. Empty if there is none."""
    try:
        table, _ = json.JSONDecoder().raw_decode(expand_checks_cell(text).partition(f"\n{TABLE_MARKER}")[2])
    except ValueError:
        return {}
    known = isinstance(table, dict) and all(
        isinstance(one, dict) and isinstance(one.get("advice"), dict) and isinstance(one.get("calls"), dict)
        for one in table.values()
    )
    return table if known else {}


def serialize_notebook(notebook: NotebookNode) -> str:
    """The notebook as the text of an .ipynb file."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook) + "\n"
