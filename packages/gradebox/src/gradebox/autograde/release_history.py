"""Cells of every release, to distinguish changes by a later release from changes by a student.

`.gradebox_release_history.jsonl` in the course's folder is committed with `release/`. Each release of a
notebook that differs from all earlier ones adds a line, with the cells that are new or have changed, None for
removed cells, and hashes of new texts of cells without a grade_id.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor

from gradebox.autograde.match_notebooks import MIN_SHARED_CELLS, normalize_cell_text
from gradebox.course import CourseError
from gradebox.notebook_exercises import find_grade_id

HISTORY_FILE = ".gradebox_release_history.jsonl"
# nbgrader adds keys over time. These decide about points, and about the cells that students may change.
DECISIVE_SETTINGS = ("grade", "locked", "points", "schema_version", "solution", "task")
HASH_LENGTH = 12
# Changes of a cell by a later release; see `notebook_metadata.read_release_changes`.
POINTS_CHANGED, SETTINGS_CHANGED, TEXT_CHANGED, ADDED, REMOVED = (
    *("points changed", "settings changed", "text changed"),
    *("added", "removed"),
)


@dataclass(frozen=True)
class CellVersion:
    """A cell of a release, or of a submission. settings: DECISIVE_SETTINGS. text: a hash of the source."""

    cell_type: str
    settings: Mapping[str, Any]
    text: str

    def has_settings(self, settings: Mapping[str, Any]) -> bool:
        """Return True if nbgrader metadata has the same decisive settings."""
        return all(settings.get(key) == self.settings.get(key) for key in DECISIVE_SETTINGS)

    def matches(self, other: "CellVersion") -> bool:
        """Return True if another version has the same settings and, in a locked cell, the same text."""
        same = self.cell_type == other.cell_type and self.has_settings(other.settings)
        return same and (bool(self.settings.get("solution")) or self.text == other.text)


Release = Mapping[str, CellVersion]


@dataclass(frozen=True)
class ReleaseHistory:
    """Releases of a notebook, oldest first. An empty history knows no release.

    releases: the cells of each release, by grade_id. texts: hashes of the sources of all other cells.
    """

    releases: tuple[Release, ...] = ()
    texts: frozenset[str] = frozenset()

    @cached_property
    def versions(self) -> dict[str, list[CellVersion]]:
        """All versions of each cell, by grade_id."""
        found: dict[str, list[CellVersion]] = {}
        for release in self.releases:
            for name, version in release.items():
                if version not in found.setdefault(name, []):
                    found[name].append(version)
        return found

    def had_text(self, cell: NotebookNode, name: str | None = None) -> bool:
        """Return True if the source of a cell is that of a released cell.

        name: the grade_id of the released cell; None for any cell without one. A cell with attachments has
        more than the text of a cell without grade_id.
        """
        if name is None:
            return bool(self.texts) and not cell.get("attachments") and hash_cell_text(cell) in self.texts
        return name in self.versions and hash_cell_text(cell) in {one.text for one in self.versions[name]}

    def find_earlier_release(
        self, cells: Iterable[NotebookNode], released: Iterable[NotebookNode]
    ) -> Release | None:
        """Return the earlier release that a submission is of; None for the current or an unknown release.

        cells, released: those of the submission, before any repair, and of the current release. The release
        with the fewest differences counts, and the current release unless another one has fewer.
        """
        if not self.releases:
            return None
        submitted: dict[str, list[CellVersion]] = {}
        for name, cell in iterate_named_cells(cells):
            submitted.setdefault(name, []).append(describe_cell(cell))
        current = describe_cells(released)
        known = submitted.keys() & (self.versions.keys() | current.keys())

        def count_matches(release: Release) -> int:
            return sum(any(map(one.matches, submitted.get(name, ()))) for name, one in release.items())

        def count_differences(release: Release) -> int:
            return len(release) - count_matches(release) + len(known - release.keys())

        nearest = min((current, *reversed(self.releases)), key=count_differences)
        enough = count_matches(nearest) >= max(1, MIN_SHARED_CELLS * len(nearest))
        return nearest if nearest is not current and enough else None


NO_HISTORY = ReleaseHistory()


def hash_cell_text(cell: NotebookNode) -> str:
    return hashlib.sha256(normalize_cell_text(cell).encode(errors="replace")).hexdigest()[:HASH_LENGTH]


def iterate_named_cells(cells: Iterable[NotebookNode]) -> Iterator[tuple[str, NotebookNode]]:
    for cell in cells:
        if name := find_grade_id(cell):
            yield name, cell


def describe_cell(cell: NotebookNode) -> CellVersion:
    """Return the version of a cell with a grade_id."""
    own = cell.metadata.nbgrader
    settings = {key: own[key] for key in DECISIVE_SETTINGS if key in own}
    return CellVersion(cell.cell_type, settings, hash_cell_text(cell))


def describe_cells(cells: Iterable[NotebookNode]) -> dict[str, CellVersion]:
    """Return the versions of the cells with a grade_id, by grade_id."""
    return {name: describe_cell(cell) for name, cell in iterate_named_cells(cells)}


def read_release_histories(root: Path, assignment: str) -> dict[str, ReleaseHistory]:
    """Return the histories of an assignment's notebooks, by name; empty without a file.

    root: the course's folder. Raises CourseError if the file is damaged.
    """
    path = root / HISTORY_FILE
    found: dict[str, ReleaseHistory] = {}
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
            if entry["assignment"] == assignment:
                name = entry["notebook"]
                found[name] = add_release(found.get(name, NO_HISTORY), entry)
        except (ValueError, TypeError, KeyError, AttributeError):
            raise CourseError(
                f"{HISTORY_FILE}, line {number}, is not a release: delete the line, or restore the file"
            ) from None
    return found


def add_release(history: ReleaseHistory, entry: Mapping[str, Any]) -> ReleaseHistory:
    """Return a history with the release of a line of HISTORY_FILE added."""
    cells = dict(history.releases[-1]) if history.releases else {}
    for name, version in entry["cells"].items():
        if version is None:
            cells.pop(name, None)
        else:
            cells[name] = CellVersion(**version)
    return ReleaseHistory((*history.releases, cells), history.texts.union(entry["texts"]))


def record_release_cells(root: Path, assignment: str, notebook: str, released: NotebookNode) -> None:
    """Add a released notebook to the file, unless an earlier release has the same cells.

    root: the course's folder. Raises CourseError if the file is damaged.
    """
    history = read_release_histories(root, assignment).get(notebook, NO_HISTORY)
    cells = describe_cells(released.cells)
    unnamed = (cell for cell in released.cells if not find_grade_id(cell) and cell.source.strip())
    texts = sorted(set(map(hash_cell_text, unnamed)) - history.texts)
    if cells in history.releases and not texts:
        return
    last = history.releases[-1] if history.releases else {}
    changed = {name: asdict(one) for name, one in cells.items() if last.get(name) != one}
    removed = dict.fromkeys(last.keys() - cells.keys())
    entry = {
        "assignment": assignment,
        "notebook": notebook,
        "cells": dict(sorted((changed | removed).items())),
        "texts": texts,
    }
    with (root / HISTORY_FILE).open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")


class RecordRelease(NbGraderPreprocessor):
    """Preprocessor that adds a released notebook to the history. Must be the last release step."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        names = resources["nbgrader"]
        root = Path(CourseDirectory(parent=self).root)
        record_release_cells(root, names["assignment"], names["notebook"], nb)
        return nb, resources
