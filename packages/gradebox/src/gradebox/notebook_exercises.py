"""Read exercises, tests, reference solutions and graded cells from notebooks; used by most packages."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import nbformat
from jsonschema.exceptions import best_match
from jsonschema.validators import validator_for
from nbformat.notebooknode import NotebookNode
from nbformat.validator import iter_validate
from nbgrader import utils
from nbgrader.nbgraderformat import MetadataValidator, SchemaTooNewError, SchemaTooOldError, ValidationError
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.checks_cell import TABLE_MARKER, expand_checks_cell

# The grade_id of the checks cell, which `gradebox release` writes (see `release/generate_checks_cell.py`).
CHECKS_CELL_ID = "messages"
# The ids of the last cells: points and submission instructions (see `release/submission_instructions.py`).
POINTS_CELL_ID, HAND_IN_CELL_ID = "points", "hand-it-in"
END_CELL_IDS = {POINTS_CELL_ID, HAND_IN_CELL_ID}
LINKS_CELL_ID = "open-elsewhere"
# Key under which jupytext stores cell options that are not valid metadata.
INVALID_METADATA = "incorrectly_encoded_metadata"
VALIDATOR = MetadataValidator()
SCHEMA = VALIDATOR.schema_version
# nbgrader's validator checks its schema again for each cell, which takes ten times as long as the cell.
SETTINGS_VALIDATOR = validator_for(VALIDATOR.schema)(VALIDATOR.schema)
VALIDATOR.schema = {}
# Number of notebooks for which the result of `find_notebook_problem` is cached.
NOTEBOOK_CACHE_SIZE = 100
# Characters of a validation message that are shown; a message may quote a whole cell.
MAX_MESSAGE_LENGTH = 200
# Key in a solution cell's metadata: a list of the earlier exercises that this one builds on.
BUILDS_ON = "builds_on"
SOLUTION_MARKER = re.compile(r"\s*### (BEGIN|END) SOLUTION\s*$")


# The mark scheme of a question, with nbgrader's default delimiters.
MARK_SCHEME = re.compile(r"^[^\n]*BEGIN MARK SCHEME.*?(?:END MARK SCHEME|\Z)", re.MULTILINE | re.DOTALL)
TITLE_PATTERN = re.compile(r"^#\s+(.+)$", re.MULTILINE)
# Any heading: its level, the number of an exercise or "", and the other text.
HEADING = re.compile(r"^(#{1,6})[ \t]+(?:(\d+(?:\.\d+)+)\b)?[ \t]*(.*)$", re.MULTILINE)
CODE_BLOCK = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL)

# The call in tests of shape comments (see `check_engine/grade_shape_comments.py`).
COMMENT_CHECK = "check_shape_comments("

# The table in the checks cell: data of each exercise, by grade_id (see `release/generate_checks_cell.py`).
ChecksTable = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class GradedCell:
    """Graded cell.

    number: the exercise number in the heading of the cell's section (`1.3`), else the cell's grade_id.
    manual: True if a person gives the points. title: the text after the number in that heading.
    """

    grade_id: str
    notebook: str
    number: str
    points: float
    manual: bool
    title: str = ""


def find_grade_id(cell: Mapping[str, Any]) -> str | None:
    """Return the grade_id of a cell (node or plain JSON); None if the grade_id is missing or not a string."""
    metadata = cell.get("metadata")
    settings = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = settings.get("grade_id") if isinstance(settings, dict) else None
    return name if isinstance(name, str) else None


@dataclass(frozen=True)
class FormatProblem:
    """Violation of the nbformat schema.

    cell: index from 0; None for the notebook itself. what: location and message. kind: the violated schema
    keyword, such as "type".
    """

    cell: int | None
    what: str
    kind: str


def find_format_problems(notebook: NotebookNode) -> Iterator[FormatProblem]:
    """Find all schema violations of a notebook; only the first of each cell."""
    # The same check that nbconvert runs before each preprocessor.
    for error in iter_validate(notebook, relax_add_props=True):
        path = [*error.relative_path]
        cell = path[1] if path[:1] == ["cells"] and path[1:] else None
        key = ".".join(map(str, path if cell is None else path[2:]))
        said = error.message.partition("\n")[0]
        said = said if len(said) < MAX_MESSAGE_LENGTH else f"{said[:MAX_MESSAGE_LENGTH]}…"
        yield FormatProblem(cell, f"{key}: {said}" if key else said, error.validator)


def is_nbgrader_cell(cell: NotebookNode) -> bool:
    """Return True if nbgrader tracks a cell by grade_id."""
    settings = cell.metadata.get("nbgrader", {})
    return any(settings.get(kind) for kind in ("grade", "solution", "locked", "task"))


def find_settings_problem(cell: NotebookNode) -> str | None:
    """Return the problem with the nbgrader metadata of an instructor's cell, or None."""
    if INVALID_METADATA in cell.metadata:
        return f"the cell options are not valid JSON: {cell.metadata[INVALID_METADATA]}"
    if not isinstance(cell.metadata.get("nbgrader", {}), dict):
        return f"invalid nbgrader metadata {cell.metadata.nbgrader!r} (expected an object)"
    if not isinstance(cell.metadata.get("nbgrader", {}).get("schema_version", 0), int):
        return "nbgrader metadata: schema_version is not an integer"
    if cell.cell_type == "raw" and is_nbgrader_cell(cell):
        return "raw cell with nbgrader metadata: change the cell type to code or Markdown"
    if utils.is_task(cell) and "points" not in cell.metadata.nbgrader:
        return "the task has no points"
    try:
        if cell.metadata.get("nbgrader", {}).get("schema_version") == SCHEMA:
            if error := best_match(SETTINGS_VALIDATOR.iter_errors(cell.metadata.nbgrader)):
                raise error
        VALIDATOR.validate_cell(cell)
    except (SchemaTooOldError, SchemaTooNewError):
        # The schema version concerns the whole notebook, and nbgrader's own message explains the update.
        return None
    except ValidationError as error:
        said = error.message.partition("\n")[0]
        key = str(error.path[-1]) if error.path else ""
        if key == "grade_id" and error.validator == "pattern":
            return f"the grade_id {error.instance!r} contains characters other than letters, digits, - and _"
        if isinstance(error.validator, str):
            return f"nbgrader metadata: {key + ': ' if key else ''}{said}"
        return said
    return None


@lru_cache(maxsize=NOTEBOOK_CACHE_SIZE)
def find_notebook_problem(text: str) -> str | None:
    """Return the first problem that makes a notebook (JSON text) unusable, or None.

    Missing fields that gradebox does not need are not reported.
    """
    notebook = nbformat.reads(text, as_version=4)
    for one in find_format_problems(notebook):
        if one.kind == "type" or one.what.startswith(("'source'", "source: ")):
            return one.what if one.cell is None else f"cell {one.cell + 1}: {one.what}"
    found = ((number, find_settings_problem(cell)) for number, cell in enumerate(notebook.cells, 1))
    return next((f"cell {number}: {problem}" for number, problem in found if problem), None)


def get_grade_id(cell: NotebookNode) -> str:
    """Return the grade_id of an nbgrader cell."""
    return str(cell.metadata.nbgrader.grade_id)


def is_locked_code_cell(cell: NotebookNode) -> bool:
    """Return True for a code cell of the instructor's notebook that students can't change."""
    locked = utils.is_locked(cell) and not utils.is_solution(cell)
    return cell.cell_type == "code" and bool(find_grade_id(cell)) and locked


def scored_cells(notebook: NotebookNode) -> dict[str, NotebookNode]:
    """Return the autograded test cells, by grade_id."""
    graded = [cell for cell in notebook.cells if utils.is_grade(cell) and not utils.is_solution(cell)]
    return {get_grade_id(cell): cell for cell in graded if cell.cell_type == "code"}


def map_tests_to_solutions(notebook: NotebookNode) -> dict[str, list[str]]:
    """Map each solution cell to its test cells, by grade_id.

    A test belongs to the solution cell whose grade_id, followed by "-", is the longest prefix of the test's
    grade_id. Otherwise the test belongs to the nearest solution cell above.
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


def find_prerequisites(source: NotebookNode) -> dict[str, set[str]]:
    """Return the earlier exercises that each exercise of a notebook builds on, transitively, by grade_id.

    If no cell has `builds_on`, each exercise builds on all earlier ones. Raises ValueError if `builds_on` is
    not a list of grade_ids of earlier exercises.
    """
    cells = [cell for cell in source.cells if utils.is_solution(cell) and cell.cell_type == "code"]
    speaks = any(BUILDS_ON in cell.metadata for cell in cells)
    found: dict[str, set[str]] = {}
    for cell in cells:
        name, said = get_grade_id(cell), cell.metadata.get(BUILDS_ON, [] if speaks else list(found))
        if not isinstance(said, list) or any(not isinstance(one, str) for one in said):
            raise ValueError(f"{name}: {BUILDS_ON} must be a list of grade_ids")
        for one in said:
            if one not in found:
                raise ValueError(f"{name}: {BUILDS_ON} names {one!r}, which is not an earlier exercise")
        found[name] = set(said).union(*(found[one] for one in said))
    return found


def find_comment_tests(notebook: NotebookNode) -> frozenset[str]:
    """Return the grade_ids of the test cells that check shape comments."""
    tests = scored_cells(notebook).items()
    return frozenset(name for name, cell in tests if COMMENT_CHECK in cell.source)


def insert_answers(notebook: NotebookNode, answers: dict[str, str]) -> NotebookNode:
    """Insert answers, by grade_id, into a notebook's solution cells in place, and return the notebook.

    The answer to a task goes into the cell after the task. Raises ValueError for an unknown grade_id.
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
    """Return the reference solutions of a source notebook, by grade_id, without nbgrader's markers."""
    return {
        cell.metadata.nbgrader.grade_id: "\n".join(
            line for line in cell.source.splitlines() if not SOLUTION_MARKER.match(line)
        )
        for cell in source.cells
        if utils.is_solution(cell) and cell.cell_type == "code"
    }


def find_graded_cells(notebook: NotebookNode, name: str) -> list[GradedCell]:
    """Return the graded cells of a source notebook, in reading order."""
    cells, level, number, title = [], 0, "", ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            text = CODE_BLOCK.sub("", MARK_SCHEME.sub("", cell.source))
            for marks, found, rest in HEADING.findall(text):
                # A heading of the same or a higher level ends the section of an exercise.
                if found or len(marks) <= level:
                    level, number, title = len(marks), found, rest if found else ""
        if utils.is_grade(cell) or utils.is_task(cell):
            manual = utils.is_task(cell) or utils.is_solution(cell)
            points = float(cell.metadata.nbgrader.points)
            called, about = number or get_grade_id(cell), title.strip(" #")
            cells.append(GradedCell(get_grade_id(cell), name, called, points, manual, about))
    return cells


def find_title(notebook: NotebookNode) -> str | None:
    """Return the text of the first level-1 heading; None if the notebook has none."""
    texts = (cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    found = next(filter(None, map(TITLE_PATTERN.search, texts)), None)
    return found[1].strip() if found else None


def find_hidden_lines(cell: NotebookNode, marks: ClearHiddenTests) -> set[int]:
    """Return the numbers, from 1, of the hidden test lines that a release removes."""
    found, inside = set(), False
    for number, line in enumerate(cell.source.splitlines(), 1):
        inside = marks.begin_test_delimeter in line or (inside and marks.end_test_delimeter not in line)
        if inside:
            found.add(number)
    return found


def remove_hidden_lines(cell: NotebookNode, marks: ClearHiddenTests) -> str:
    """Return the source of a cell without hidden test lines."""
    hidden = find_hidden_lines(cell, marks)
    return "\n".join(line for number, line in enumerate(cell.source.splitlines(), 1) if number not in hidden)


def find_checks_source(notebook: NotebookNode) -> str:
    """Return the source of a notebook's checks cell; "" if it has none."""
    return next((cell.source for cell in notebook.cells if find_grade_id(cell) == CHECKS_CELL_ID), "")


def parse_checks_table(text: str) -> ChecksTable:
    """Parse a checks cell's table of expected results and common mistakes; empty without a valid table."""
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
    """Validate a notebook, and serialize the notebook as the text of an .ipynb file."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook) + "\n"
