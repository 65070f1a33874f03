"""Match submitted files to the notebooks of an assignment by content. Never writes files.

Students rename notebooks, submit two copies, or unpack an archive into a subfolder. A file is matched by the
grade_ids of the released notebook. If an editor has dropped these, the file is matched by the text of the
locked cells.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

import nbformat
from nbgrader.coursedir import CourseDirectory
from traitlets import Bool
from traitlets.config import Configurable

from gradebox.notebook_exercises import CHECKS_CELL_ID, find_grade_id
from gradebox.notebook_json import find_format_version, parse_notebook_json
from gradebox.safe_submission_files import (
    ARCHIVE_SUFFIXES,
    MAX_NOTEBOOK_SIZE,
    NOTEBOOK_NAME,
    TIMESTAMP,
    UnreadableSubmissionError,
    find_submission_problem,
    may_be_notebook,
)
from gradebox.static_analysis.cell_names import assigned_names, used_names
from gradebox.static_analysis.syntax_check import is_python_notebook
from gradebox.submission_archives import find_archive, iterate_submission

# Minimum share of a released notebook's cells that a file must contain to count as that notebook.
MIN_SHARED_CELLS = 0.5
# A function, a class, or the variables of an assignment. Regular expressions also work for invalid code.
DEFINITION = re.compile(
    r"^[ \t]*(?:(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)"
    r"|(\w+(?:[ \t]*,[ \t]*\w+)*)[ \t]*(?::[^=\n]*)?=(?!=))",
    re.MULTILINE,
)
OTHER_LESSON = (
    "is not of this lesson: it contains no cell of the lesson, and no function or variable that the lesson "
    "asks for; ask for the right file"
)


@dataclass(frozen=True)
class NotebookMatches:
    """Notebooks of an assignment in one student's folder.

    files: path of each notebook, by released name. problem: the reason why the folder can't be graded, in one
    clause, or None. notes: remarks for the instructor, one clause each.
    """

    files: Mapping[str, Path] = field(default_factory=dict)
    problem: str | None = None
    notes: tuple[str, ...] = ()


def format_not_released(assignment: str) -> str:
    """Format the problem of an assignment that has no release to compare submissions with."""
    return f"{assignment} is not released here: run `gradebox release {assignment}` first"


class MatchNotebooks(Configurable):
    """Settings for the choice between several files of a submission."""

    released_name_counts = Bool(
        False,
        help="Of several versions of a notebook with different answers, grade the one with the released "
        "name. If False, the submission is not graded until one version is left.",
    ).tag(config=True)


def match_notebooks(folder: Path, release: Path, released_name_counts: bool = False) -> NotebookMatches:
    """Match the files in a student's `folder` to the notebooks in the folder `release`.

    released_name_counts: see `MatchNotebooks`.
    """
    why_not = find_submission_problem(folder)
    if why_not:
        return NotebookMatches(problem=why_not)
    try:
        return match_files(folder, release, released_name_counts)
    except UnreadableSubmissionError as error:
        # The file was replaced after the check.
        return NotebookMatches(problem=str(error))


@dataclass(frozen=True)
class CandidateFile:
    """Submitted file that may be a notebook of the assignment.

    path: relative to the student's folder, with slashes. cells: the cells of a notebook of any format.
    problem: the reason why the file can't be read, which continues the file's name, or None.
    """

    path: str
    cells: Sequence[dict[str, Any]] = ()
    problem: str | None = None

    @property
    def stem(self) -> str:
        name = PurePosixPath(self.path).name
        known = NOTEBOOK_NAME.fullmatch(name)
        return known["stem"] if known else PurePosixPath(name).stem

    @property
    def depth(self) -> int:
        return self.path.count("/")

    @property
    def texts(self) -> list[str]:
        return [text for text in map(normalize_cell_text, self.cells) if text]

    def matches(self, released: "ReleasedCells") -> bool:
        return has_enough_cells(self.cells, released)


def match_files(folder: Path, release: Path, released_name_counts: bool) -> NotebookMatches:
    released = {path.stem: read_released_cells(path) for path in sorted(release.glob("*.ipynb"))}
    if not released:
        return NotebookMatches(problem=format_not_released(release.name))
    handed_in = list(read_candidates(folder))
    if not handed_in:
        return NotebookMatches(problem=format_no_notebook([path for path, _ in iterate_submission(folder)]))
    files: dict[str, Path] = {}
    notes: list[str] = []
    missing: list[str] = []
    for name, cells in released.items():
        exact = [one for one in handed_in if one.stem == name]
        others = [one for one in handed_in if one.stem not in released]
        fitting = [one for one in (*exact, *others) if one.matches(cells)]
        answered = [one for one in fitting if not is_unanswered(one.cells, cells)]
        # A file with the right name is an answer even if few cells of the release are left.
        own_name = [
            one
            for one in exact
            if one not in fitting
            and (
                one.problem or not (is_unanswered(one.cells, cells) or is_of_another_lesson(one.cells, cells))
            )
        ]
        found = select_nearest(answered or own_name or fitting or exact, name)
        if not found:
            missing.append(f"{name}.ipynb")
            continue
        own, *drafts = found
        if answered and any(one.texts != own.texts for one in drafts):
            if not (released_name_counts and PurePosixPath(own.path).name == f"{name}.ipynb"):
                return NotebookMatches(problem=format_duplicates(*found))
            ignored = " and ".join(one.path for one in drafts if one.texts != own.texts)
            notes.append(f"{own.path} counts, because it has the released name, and not {ignored}")
        if own.problem:
            return NotebookMatches(problem=f"{own.path} {own.problem}")
        if own not in fitting and is_of_another_lesson(own.cells, cells):
            return NotebookMatches(problem=f"{own.path} {OTHER_LESSON}")
        files[name] = folder / own.path
        if own.path != f"{name}.ipynb":
            by = "cells" if own in fitting else "name"
            notes.append(f"{name}.ipynb was handed in as {own.path}, and recognised by its {by}")
    if not files:
        names = ", ".join(one.path for one in handed_in)
        return NotebookMatches(problem=f"{' and '.join(missing)} is missing: found {names} instead")
    notes += [f"{name} was not handed in: it earns nothing" for name in missing]
    return NotebookMatches(files, None, tuple(notes))


def read_candidates(folder: Path) -> Iterator[CandidateFile]:
    """Yield the files of a submission that are notebooks, or are named like one.

    Raises UnreadableSubmissionError for a submission that is refused as a whole.
    """
    for path, read in iterate_submission(folder):
        if not may_be_notebook(path):
            continue
        named = NOTEBOOK_NAME.fullmatch(path)
        try:
            content = parse_notebook_json(read(MAX_NOTEBOOK_SIZE))
            yield CandidateFile(path, list(iterate_cells(content)))
        except UnreadableSubmissionError as error:
            # Other text and JSON files are data.
            if named:
                yield CandidateFile(path, problem=str(error))


def select_nearest(found: Iterable[CandidateFile], name: str) -> list[CandidateFile]:
    """Return the files with the fewest folders in their path, a file with the released name first."""
    found = sorted(found, key=lambda one: (one.depth, one.stem != name, not one.path.endswith(".ipynb")))
    return [one for one in found if one.depth == found[0].depth]


def resolve_step_folder(step: Configurable, kind: str, resources: dict) -> Path:
    """Return the folder of a submission, or of its `source` or `release`, for an nbgrader step."""
    names, directory = resources["nbgrader"], CourseDirectory(parent=step)
    student = names["student"] if kind == "submitted" else "."
    return Path(directory.format_path(getattr(directory, f"{kind}_directory"), student, names["assignment"]))


def find_submitted_files(step: Configurable, resources: dict) -> Mapping[str, Path]:
    """Return the files of a submission's notebooks, by released name, for an nbgrader step."""
    mine, release = (resolve_step_folder(step, kind, resources) for kind in ("submitted", "release"))
    return match_notebooks(mine, release, MatchNotebooks(parent=step).released_name_counts).files


def format_no_notebook(paths: Iterable[str]) -> str:
    """Format the problem of a submission with these files, which has no notebook."""
    paths = [path for path in paths if path not in (TIMESTAMP,)]
    archives = [path for path in paths if path.lower().endswith(ARCHIVE_SUFFIXES)]
    opened = {find_archive(path) for path in paths} - {None}
    if not archives:
        return f"{' and '.join(sorted(map(str, opened))) or 'the folder'} holds no notebook"
    what = "an archive" if len(archives) == 1 else "archives"
    only = "only" if len(archives) == len(paths) else "no notebook, but"
    return f"the folder holds {only} {what}, {', '.join(archives)}: extract the files into the folder"


def format_duplicates(*found: CandidateFile) -> str:
    names = " and ".join(one.path for one in found)
    return f"{names} are the same notebook of the lesson with different answers: leave the one that counts"


@dataclass(frozen=True)
class ReleasedCells:
    """Contents of a released notebook that identify its copies.

    named: the grade_ids. locked: the grade_ids of the locked cells, by text. texts: the texts of all cells.
    content: the notebook.
    """

    named: set[str]
    locked: dict[str, set[str]]
    texts: set[str]
    content: dict[str, Any] = field(repr=False)

    @cached_property
    def locked_ids(self) -> set[str]:
        return set().union(*self.locked.values())

    @cached_property
    def expected(self) -> set[str] | None:
        """The names that answers define, or None if the notebook is not in Python.

        Computed only for a file that is not recognised, because the analysis of the cells takes long.
        """
        return find_expected_names(self.content, list(iterate_cells(self.content)))


def cells_match_notebook(cells: Iterable[dict[str, Any]], released: Path) -> bool:
    """Return True if enough cells are those of a released notebook."""
    return has_enough_cells(cells, read_released_cells(released))


def has_enough_cells(cells: Iterable[dict[str, Any]], released: ReleasedCells) -> bool:
    found = find_released_ids(cells, released)
    return bool(found) and len(found) >= MIN_SHARED_CELLS * len(released.named)


def find_released_ids(cells: Iterable[dict[str, Any]], released: ReleasedCells) -> set[str]:
    """Return the grade_ids of the released cells that are among these cells."""
    found: set[str] = set()
    for cell in cells:
        name = find_grade_id(cell)
        found |= {name} if name in released.named else released.locked.get(normalize_cell_text(cell), set())
    return found


def is_unanswered(cells: Iterable[dict[str, Any]], released: ReleasedCells) -> bool:
    """Return True if all cells have the released text. Locked cells may be those of an earlier release."""
    return all(
        find_grade_id(cell) in released.locked_ids
        or (normalize_cell_text(cell) in released.texts and not cell.get("attachments"))
        for cell in cells
        if normalize_cell_text(cell)
    )


def is_of_another_lesson(cells: Sequence[dict[str, Any]], released: ReleasedCells) -> bool:
    """Return True if no released cell, and no definition that the lesson expects, is among these cells.

    Every lesson has a checks cell, so that cell does not count.
    """
    if not released.named - {CHECKS_CELL_ID}:
        return False
    if find_released_ids(cells, released) - {CHECKS_CELL_ID} or released.expected is None:
        return False
    defined = {
        name
        for cell in cells
        for names in DEFINITION.findall(join_lines(cell))
        for name in re.findall(r"\w+", "".join(names))
    }
    return defined.isdisjoint(released.expected)


def read_released_cells(released: Path) -> ReleasedCells:
    return index_released_cells(released, released.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def index_released_cells(released: Path, _changed: int) -> ReleasedCells:
    """Index the cells of a released notebook. _changed: the modification time, as a part of the cache key."""
    content = json.loads(released.read_bytes())
    cells = list(iterate_cells(content))
    known = {name: cell for cell in cells if (name := find_grade_id(cell))}
    locked: dict[str, set[str]] = {}
    for name, cell in known.items():
        if cell["metadata"]["nbgrader"].get("locked"):
            locked.setdefault(normalize_cell_text(cell), set()).add(name)
    texts = set(map(normalize_cell_text, cells))
    return ReleasedCells(set(known), locked, texts, content)


def find_expected_names(content: dict[str, Any], cells: list[dict[str, Any]]) -> set[str] | None:
    """Return the names that solution cells define and tests use; None for another language than Python."""
    if not is_python_notebook(nbformat.from_dict({"metadata": content.get("metadata") or {}})):
        return None
    code = [cell for cell in cells if cell.get("cell_type") == "code"]
    solutions = [
        join_lines(cell)
        for cell in code
        if find_grade_id(cell) and cell["metadata"]["nbgrader"].get("solution")
    ]
    given = [text for text in map(join_lines, code) if text not in solutions]
    used = set[str]().union(*map(used_names, given))
    return assigned_names(*solutions) | (used - assigned_names(*given))


def join_lines(cell: dict[str, Any]) -> str:
    """Return the text of a cell of any notebook format."""
    text = cell.get("source", cell.get("input", ""))
    return "".join(map(str, text)) if isinstance(text, list) else str(text)


def normalize_cell_text(cell: dict[str, Any]) -> str:
    """Return the text of a cell of any notebook format, with white space normalized."""
    return " ".join(join_lines(cell).split())


def iterate_cells(content: dict[str, Any]) -> Iterator[dict[str, Any]]:
    sheets = content["worksheets"] if find_format_version(content) == 3 else [content]
    for sheet in sheets:
        found = sheet.get("cells") if isinstance(sheet, dict) else None
        yield from (cell for cell in found if isinstance(cell, dict)) if isinstance(found, list) else ()
