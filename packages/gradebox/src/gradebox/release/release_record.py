"""Find the lessons whose release would change nothing, for `gradebox release`.

`.gradebox_released.json` in the course's folder is committed with `source/` and `release/`. For each lesson,
it holds hashes of the files, settings and code of the release, of what the checks cell depends on, and of the
lesson's cells in the gradebook. They do not depend on machine, path or time. So in a fresh clone, all lessons
are current, and only the gradebook is filled.
"""

import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Iterable
from fnmatch import fnmatch
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from nbgrader.api import Base
from sqlalchemy import select
from traitlets.config import LazyConfigValue

from gradebox import STEPS, called
from gradebox.atomic_write import write_atomically
from gradebox.autograde.fingerprint import read_folder_files, to_stable_text
from gradebox.course import Course

RECORD_FILE = ".gradebox_released.json"
# Generated from the answers, in their folder.
TABLE_FILE = "messages.json"
# The parts of this package that determine what a release writes. Results of running code (messages, test
# modes, demonstrations) are stored with hashes of their own inputs.
PACKAGE = Path(__file__).resolve().parents[1]
CODE = (
    *("release", "check_engine", "static_analysis"),
    *("checks_cell.py", "exercise_selection.py", "notebook_exercises.py"),
)
LIBRARIES = "jupytext", "nbformat", "nbgrader"
# nbgrader's file of test templates (see `generate_autotests.py`), in the course's folder.
TEMPLATES = "autotests.yml"
# Sections of the configuration that matter, in addition to those of the release steps.
SECTIONS = {"BaseConverter", "GenerateAssignment", "NbGraderPreprocessor"}
KNOWN_STEPS = "gradebox.", "nbgrader.", "nbconvert."


def find_current(course: Course, assignments: Iterable[str]) -> list[str]:
    """Return the assignments that are released as they are now.

    If the gradebook knows nothing of such an assignment, its cells are saved to the gradebook.
    """
    records = read_release_records(course)
    same = [
        name
        for name in assignments
        if name in records and records[name].get("files") == hash_release_files(course, name)
    ]
    cells = hash_gradebook_cells(course, same) if same else {}
    missing = [name for name in same if name not in cells and "cells" in records[name]]
    if missing:
        from gradebox.release.release_lessons import fill_gradebook

        for name in missing:
            fill_gradebook(course, name, course.sources(name))
        cells = hash_gradebook_cells(course, same)
    return [name for name in same if records[name].get("cells") == cells.get(name)]


def is_checks_cell_current(course: Course, assignment: str) -> bool:
    """Return True if the checks cell and its table depend on nothing that changed since the last release."""
    return read_release_records(course).get(assignment, {}).get("checks") == hash_checks_inputs(
        course, assignment
    )


def record_release(course: Course, assignment: str, before: str = "") -> bool:
    """Record that an assignment is released as it is now.

    before: the result of `hash_written_files` when the release began. Returns False, without a record, if
    somebody has edited these files since.
    """
    if before and before != hash_written_files(course, assignment):
        return False
    records, files = read_release_records(course), hash_release_files(course, assignment)
    # Lessons may have been removed or renamed.
    there = {*course.list_source_folders()} - {assignment}
    new = {name: record for name, record in records.items() if name in there}
    if files:
        new[assignment] = {"files": files, "checks": hash_checks_inputs(course, assignment)}
        for cells in hash_gradebook_cells(course, [assignment]).values():
            new[assignment]["cells"] = cells
    if new != records:
        with write_atomically(course.root / RECORD_FILE) as path:
            path.write_text(json.dumps(new, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return True


def read_release_records(course: Course) -> dict[str, dict[str, str]]:
    """Return the records by assignment; empty without a valid file."""
    try:
        found = json.loads((course.root / RECORD_FILE).read_text(encoding="utf-8"))
        return {name: dict(record) for name, record in found.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def hash_written_files(course: Course, assignment: str) -> str:
    """Return a hash of the files that an author writes for an assignment: its text and its answers."""
    text = course.root / "lessons" / f"{assignment}.py"
    answers = list_hashes(course.root / "answers" / assignment, [TABLE_FILE])
    return hash_json([hash_content(text) if text.is_file() else "", answers])


def hash_release_files(course: Course, assignment: str) -> str | None:
    """Return a hash of everything that an assignment's release reads and writes, except the gradebook.

    Return None if the course has release steps or hooks of its own, which may read anything.
    """
    settings = select_settings(course)
    if settings is None:
        return None
    # A setting may name a file, such as the header of all notebooks.
    named = {value for section in settings.values() for value in section.values() if isinstance(value, str)}
    files = [course.root / name for name in (f"lessons/{assignment}.py", TEMPLATES, *sorted(named))]
    found = [[path.name, hash_content(path)] for path in files if os.path.isfile(path)]
    ignored = course.directory().ignore
    for folder in (
        course.root / "answers" / assignment,
        course.path("source", assignment),
        course.path("release", assignment),
    ):
        found += [["/"], *list_hashes(folder, ignored)]
    return hash_json([settings, read_versions(), hash_code(), found])


def hash_checks_inputs(course: Course, assignment: str) -> str:
    """Return a hash of what the checks cells of an assignment and their table depend on."""
    cells = [
        [name, cell.cell_type, cell.source, cell.metadata.get("nbgrader")]
        for name, source in course.full_sources(assignment).items()
        for cell in source.cells
        if cell.cell_type == "code" or "nbgrader" in cell.metadata
    ]
    answers = list_hashes(course.root / "answers" / assignment, course.directory().ignore)
    marks = course.app.config.get("ClearHiddenTests", {})
    return hash_json([hash_code(), read_versions(), marks, answers, cells])


def read_versions() -> list[str]:
    """Return the versions of the libraries that matter."""
    return [metadata.version(name) for name in LIBRARIES]


def select_settings(course: Course) -> dict[str, Any] | None:
    """Return the sections of the configuration that determine a release.

    Return None if the course has release steps or hooks of its own.
    """
    config, key = course.app.config, ("GenerateAssignment", "preprocessors")
    steps = config.GenerateAssignment.get("preprocessors", STEPS[key])
    names = [called(step) for step in steps] if isinstance(steps, list) else [""]
    hooks = any(setting.endswith("_hook") for setting in config.GenerateAssignment)
    if hooks or not all(name.startswith(KNOWN_STEPS) for name in names):
        return None
    sections = SECTIONS.union(name.rpartition(".")[2] for name in names)
    return {name: section for name, section in config.items() if name in sections and section}


@cache
def hash_code() -> str:
    """Return a hash of the parts of this package that determine what a release writes."""
    paths = [PACKAGE / name for name in CODE]
    return hash_json(
        [list_hashes(path, ["__pycache__"]) if path.is_dir() else hash_content(path) for path in paths]
    )


def list_hashes(folder: Path, ignored: Iterable[str]) -> list[list[str]]:
    """Return the relative path and the hash of each file in a folder, without ignored names."""
    return [
        [name, hashlib.sha256(content).hexdigest()]
        for name, content in read_folder_files(folder)
        if not any(fnmatch(part, pattern) for part in name.split("/") for pattern in ignored)
    ]


def hash_content(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def hash_json(value: Any) -> str:
    """Return a short hash of lists, dicts and settings."""

    def describe(setting: Any) -> Any:
        return setting.to_dict() if isinstance(setting, LazyConfigValue) else to_stable_text(setting)

    return hashlib.sha256(json.dumps(value, sort_keys=True, default=describe).encode()).hexdigest()[:32]


def hash_gradebook_cells(course: Course, assignments: list[str]) -> dict[str, str]:
    """Return a hash of the cells in the gradebook, for each of the assignments with notebooks there."""
    assignment, notebook, base, source, grade, task = (
        Base.metadata.tables[name]
        for name in ("assignment", "notebook", "base_cell", "source_cell", "grade_cells", "task_cells")
    )
    place = assignment.c.name, notebook.c.name, notebook.c.kernelspec
    points = grade.c.max_score, grade.c.cell_type, task.c.max_score, task.c.cell_type
    text = source.c.cell_type, source.c.locked, source.c.checksum, source.c.source
    joined = assignment.join(notebook)
    graded = joined.outerjoin(base).outerjoin(grade).outerjoin(task, task.c.id == base.c.id)
    rows: dict[str, list[str]] = defaultdict(list)
    with course.engine.connect() as connection:
        for query in (
            select(*place, base.c.name, base.c.type, *points).select_from(graded),
            select(*place, source.c.name, *text).select_from(joined.outerjoin(source)),
        ):
            for name, *row in connection.execute(query.where(assignment.c.name.in_(assignments))):
                rows[name].append(json.dumps(row))
    return {name: hash_json(sorted(found)) for name, found in rows.items()}
