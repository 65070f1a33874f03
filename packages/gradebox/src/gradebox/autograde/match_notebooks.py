"""Match submitted files to the notebooks of an assignment by content. Never writes files.

Students rename notebooks, or submit two copies. A file is matched by the grade_ids of the released notebook.
If an editor has dropped these, the file is matched by the text of the locked cells.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from nbgrader.coursedir import CourseDirectory
from traitlets.config import Configurable

from gradebox.notebook import find_grade_id
from gradebox.safe_submission_files import (
    UnreadableSubmissionError,
    find_submission_problem,
    list_notebooks,
    read_file,
)

# Minimum share of a released notebook's cells that a file must contain to count as that notebook.
MIN_SHARED_CELLS = 0.5


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


def match_notebooks(folder: Path, release: Path) -> NotebookMatches:
    """Match the files in a student's `folder` to the notebooks in the folder `release`."""
    why_not = find_submission_problem(folder)
    if why_not:
        return NotebookMatches(problem=why_not)
    try:
        return match_files(folder, release)
    except UnreadableSubmissionError as error:
        # The file was replaced after the check.
        return NotebookMatches(problem=str(error))


def match_files(folder: Path, release: Path) -> NotebookMatches:
    released = {path.stem: path for path in sorted(release.glob("*.ipynb"))}
    if not released:
        return NotebookMatches(problem=format_not_released(release.name))
    handed_in = [folder / name for name in list_notebooks(folder)]
    if not handed_in:
        return NotebookMatches(problem="the folder holds no notebook")
    files: dict[str, Path] = {}
    notes: list[str] = []
    missing: list[str] = []
    for name, path in released.items():
        exact = folder / f"{name}.ipynb"
        others = [p for p in handed_in if p.stem not in released and file_matches_notebook(p, path)]
        if exact in handed_in and (not others or file_matches_notebook(exact, path)):
            others = [p for p in others if read_cell_texts(p) != read_cell_texts(exact)]
            if others:
                return NotebookMatches(problem=format_duplicates(exact, *others))
            files[name] = exact
        elif any(read_cell_texts(p) != read_cell_texts(others[0]) for p in others[1:]):
            return NotebookMatches(problem=format_duplicates(*others))
        elif others:
            files[name] = others[0]
            notes.append(f"{name}.ipynb was handed in as {others[0].name}, and recognised by its cells")
        else:
            missing.append(f"{name}.ipynb")
    for path in files.values():
        try:
            parse_notebook_json(read_file(path))
        except UnreadableSubmissionError as error:
            return NotebookMatches(problem=f"{path.name} {error}")
    if not files:
        found = ", ".join(p.name for p in handed_in)
        return NotebookMatches(problem=f"{' and '.join(missing)} is missing: found {found} instead")
    notes += [f"{name} was not handed in: it earns nothing" for name in missing]
    return NotebookMatches(files, None, tuple(notes))


def resolve_step_folder(step: Configurable, kind: str, resources: dict) -> Path:
    """Return the folder of a submission, or of its `source` or `release`, for an nbgrader step."""
    names, directory = resources["nbgrader"], CourseDirectory(parent=step)
    student = names["student"] if kind == "submitted" else "."
    return Path(directory.format_path(getattr(directory, f"{kind}_directory"), student, names["assignment"]))


def find_submitted_files(step: Configurable, resources: dict) -> Mapping[str, Path]:
    """Return the files of a submission's notebooks, by released name, for an nbgrader step."""
    mine, release = (resolve_step_folder(step, kind, resources) for kind in ("submitted", "release"))
    return match_notebooks(mine, release).files


def format_duplicates(*paths: Path) -> str:
    names = " and ".join(path.name for path in paths)
    return f"{names} are the same notebook of the lesson with different answers: leave the one that counts"


def file_matches_notebook(path: Path, released: Path) -> bool:
    """Return True if a file is a copy of a released notebook."""
    return cells_match_notebook(read_notebook_cells(path), released)


def cells_match_notebook(cells: Iterable[dict[str, Any]], released: Path) -> bool:
    """Return True if enough cells are those of a released notebook."""
    named, locked = index_released_cells(released, released.stat().st_mtime_ns)
    found = set()
    for cell in cells:
        name = find_grade_id(cell)
        found |= {name} if name in named else locked.get(normalize_cell_text(cell), set())
    return bool(found) and len(found) >= MIN_SHARED_CELLS * len(named)


@lru_cache(maxsize=64)
def index_released_cells(released: Path, _changed: int) -> tuple[set[str], dict[str, set[str]]]:
    """Return the grade_ids of a released notebook, and those of its locked cells by text.

    _changed: the modification time, as a part of the cache key.
    """
    cells = [(find_grade_id(cell), cell) for cell in iterate_cells(json.loads(released.read_bytes()))]
    known = {name: cell for name, cell in cells if name}
    locked: dict[str, set[str]] = {}
    for name, cell in known.items():
        if cell["metadata"]["nbgrader"].get("locked"):
            locked.setdefault(normalize_cell_text(cell), set()).add(name)
    return set(known), locked


def normalize_cell_text(cell: dict[str, Any]) -> str:
    """Return the text of a cell of any notebook format, with white space normalized."""
    text = cell.get("source", cell.get("input", ""))
    return " ".join("".join(map(str, text) if isinstance(text, list) else str(text)).split())


def read_notebook_cells(path: Path) -> list[dict[str, Any]]:
    """Return the cells of a submitted notebook of any format; none if the file can't be read."""
    try:
        return list(iterate_cells(parse_notebook_json(read_file(path))))
    except UnreadableSubmissionError:
        return []


def read_cell_texts(path: Path) -> list[str]:
    return [normalize_cell_text(cell) for cell in read_notebook_cells(path)]


def iterate_cells(content: dict[str, Any]) -> Iterator[dict[str, Any]]:
    sheets = content["worksheets"] if content["nbformat"] == 3 else [content]
    for sheet in sheets:
        found = sheet.get("cells") if isinstance(sheet, dict) else None
        yield from (cell for cell in found or [] if isinstance(cell, dict))


def parse_notebook_json(raw: bytes) -> dict[str, Any]:
    """Parse the JSON of a notebook.

    Raises UnreadableSubmissionError; the message continues a sentence that begins with the file name.
    """
    if not raw.strip():
        raise UnreadableSubmissionError("is empty")
    try:
        content = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise UnreadableSubmissionError("is not a notebook: it is not text") from None
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise UnreadableSubmissionError(f"is not a notebook: it is not JSON{where}") from None
    if not isinstance(content, dict) or "nbformat" not in content:
        raise UnreadableSubmissionError("is JSON, but not a notebook")
    if content["nbformat"] not in (3, 4):
        raise UnreadableSubmissionError(
            f"has notebook format {content['nbformat']}, not 4: open it in Jupyter and save it again"
        )
    if not isinstance(content.get("cells" if content["nbformat"] == 4 else "worksheets"), list):
        raise UnreadableSubmissionError("is a notebook without cells")
    return content
