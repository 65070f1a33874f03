"""Which of the files that a student handed in is which notebook of the assignment. Reads files, never writes.

Students rename notebooks, and hand in two. What tells is what is in them: the grade_ids of the released
notebook, or, where an editor has dropped these, the text of its locked cells.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from nbgrader.coursedir import CourseDirectory
from traitlets.config import Configurable

from gradebox.notebook import name_of
from gradebox.submission_files import Unreadable, notebooks, problem, read

# The share of a released notebook's cells that a file must have to be one of it.
ENOUGH = 0.5


@dataclass(frozen=True)
class Found:
    """The notebooks of an assignment in one student's folder.

    files: where each is, by its released name. problem: why the folder can't be graded, in one clause, or
    None. notes: what an instructor should know, one clause each.
    """

    files: Mapping[str, Path] = field(default_factory=dict)
    problem: str | None = None
    notes: tuple[str, ...] = ()


def not_released(assignment: str) -> str:
    """What to do where there is no release to compare a hand-in with."""
    return f"{assignment} is not released here: run `gradebox release {assignment}` first"


def recognise(folder: Path, release: Path) -> Found:
    """Find the notebooks of the folder `release` among the files in `folder`, a student's."""
    why_not = problem(folder)
    if why_not:
        return Found(problem=why_not)
    try:
        return found_in(folder, release)
    except Unreadable as error:
        # Since then it was exchanged.
        return Found(problem=str(error))


def found_in(folder: Path, release: Path) -> Found:
    released = {path.stem: path for path in sorted(release.glob("*.ipynb"))}
    if not released:
        return Found(problem=not_released(release.name))
    handed_in = [folder / name for name in notebooks(folder)]
    if not handed_in:
        return Found(problem="the folder holds no notebook")
    files: dict[str, Path] = {}
    notes: list[str] = []
    missing: list[str] = []
    for name, path in released.items():
        exact = folder / f"{name}.ipynb"
        others = [p for p in handed_in if p.stem not in released and belongs(p, path)]
        if exact in handed_in and (not others or belongs(exact, path)):
            others = [p for p in others if texts(p) != texts(exact)]
            if others:
                return Found(problem=twice(exact, *others))
            files[name] = exact
        elif any(texts(p) != texts(others[0]) for p in others[1:]):
            return Found(problem=twice(*others))
        elif others:
            files[name] = others[0]
            notes.append(f"{name}.ipynb was handed in as {others[0].name}, and recognised by its cells")
        else:
            missing.append(f"{name}.ipynb")
    for path in files.values():
        try:
            parsed(read(path))
        except Unreadable as error:
            return Found(problem=f"{path.name} {error}")
    if not files:
        found = ", ".join(p.name for p in handed_in)
        return Found(problem=f"{' and '.join(missing)} is missing: found {found} instead")
    notes += [f"{name} was not handed in: it earns nothing" for name in missing]
    return Found(files, None, tuple(notes))


def folder_of(step: Configurable, kind: str, resources: dict) -> Path:
    """Return the folder of a submission, or of its `source` or `release`, for a step of nbgrader's."""
    names, directory = resources["nbgrader"], CourseDirectory(parent=step)
    student = names["student"] if kind == "submitted" else "."
    return Path(directory.format_path(getattr(directory, f"{kind}_directory"), student, names["assignment"]))


def all_submitted(step: Configurable, resources: dict) -> Mapping[str, Path]:
    """The files that a submission's notebooks were read from, by name, for a step of nbgrader's."""
    mine, release = (folder_of(step, kind, resources) for kind in ("submitted", "release"))
    return recognise(mine, release).files


def twice(*paths: Path) -> str:
    names = " and ".join(path.name for path in paths)
    return f"{names} hold the same notebook of the lesson, with different answers: leave the one that counts"


def belongs(path: Path, released: Path) -> bool:
    """Whether a file is of a released notebook."""
    return is_of(cells(path), released)


def is_of(cells: Iterable[dict[str, Any]], released: Path) -> bool:
    """Whether cells are those of a released notebook."""
    named, locked = marks(released, released.stat().st_mtime_ns)
    found = set()
    for cell in cells:
        name = name_of(cell)
        found |= {name} if name in named else locked.get(text_of(cell), set())
    return bool(found) and len(found) >= ENOUGH * len(named)


@lru_cache(maxsize=64)
def marks(released: Path, _changed: int) -> tuple[set[str], dict[str, set[str]]]:
    """The names of the cells that nbgrader knows, and those of locked cells by their text."""
    cells = [(name_of(cell), cell) for cell in cells_in(json.loads(released.read_bytes()))]
    known = {name: cell for name, cell in cells if name}
    locked: dict[str, set[str]] = {}
    for name, cell in known.items():
        if cell["metadata"]["nbgrader"].get("locked"):
            locked.setdefault(text_of(cell), set()).add(name)
    return set(known), locked


def text_of(cell: dict[str, Any]) -> str:
    """The text of a cell of any notebook format, but for its white space."""
    text = cell.get("source", cell.get("input", ""))
    return " ".join("".join(map(str, text) if isinstance(text, list) else str(text)).split())


def cells(path: Path) -> list[dict[str, Any]]:
    """The cells of a notebook that was handed in, whatever its format; none if it can't be read."""
    try:
        return list(cells_in(parsed(read(path))))
    except Unreadable:
        return []


def texts(path: Path) -> list[str]:
    return [text_of(cell) for cell in cells(path)]


def cells_in(content: dict[str, Any]) -> Iterator[dict[str, Any]]:
    sheets = content["worksheets"] if content["nbformat"] == 3 else [content]
    for sheet in sheets:
        found = sheet.get("cells") if isinstance(sheet, dict) else None
        yield from (cell for cell in found or [] if isinstance(cell, dict))


def parsed(raw: bytes) -> dict[str, Any]:
    """The JSON of a notebook. Raises Unreadable, with the problem as an end to its name."""
    if not raw.strip():
        raise Unreadable("is empty")
    try:
        content = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Unreadable("is not a notebook: it is not text") from None
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise Unreadable(f"is not a notebook: it is not JSON{where}") from None
    if not isinstance(content, dict) or "nbformat" not in content:
        raise Unreadable("is JSON, but not a notebook")
    if content["nbformat"] not in (3, 4):
        raise Unreadable(
            f"has notebook format {content['nbformat']}, not 4: open it in Jupyter and save it again"
        )
    if not isinstance(content.get("cells" if content["nbformat"] == 4 else "worksheets"), list):
        raise Unreadable("is a notebook without cells")
    return content
