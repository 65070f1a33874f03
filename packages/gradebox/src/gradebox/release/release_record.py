"""Find the lessons whose release would change nothing, for `gradebox release`.

`.gradebox_released.json` in the course's folder is committed with `source/` and `release/`. For each lesson,
it has a hash of all files that a release reads and writes. It does not depend on machine, path or time.
So in a fresh clone, all lessons are current, and only the gradebook is filled. The gradebook has the hash of
each release that it has the cells of, because it may be older than releases of another clone.
"""

import json
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from nbgrader.api import Assignment, Notebook
from sqlalchemy import Column, MetaData, String, Table, select

from gradebox.atomic_write import write_atomically
from gradebox.autograde.fingerprint import hash_files, read_folder_files
from gradebox.autograde.graded_text_hashes import hash_parts
from gradebox.course import Course
from gradebox.gradebook_transactions import select_rows, upsert_row

RECORD_FILE = ".gradebox_released.json"
# The parts of this package that determine what a release writes.
PACKAGE = Path(__file__).resolve().parents[1]
CODE = (
    *("release", "check_engine", "static_analysis"),
    *("checks_cell.py", "exercise_selection.py", "notebook_exercises.py"),
)
# nbgrader's file of test templates (see `generate_autotests.py`), in the course's folder.
TEMPLATES = "autotests.yml"
# By assignment, the hash of the release whose cells are in the gradebook.
SAVED_RELEASES = Table(
    "gradebox_saved_release",
    MetaData(),
    Column("assignment", String(128), primary_key=True),
    Column("hash", String(64), nullable=False),
)


def find_current(course: Course, assignments: Iterable[str]) -> list[str]:
    """Return the assignments that are released as they are now.

    If the gradebook knows nothing of such an assignment, its cells are saved to the gradebook.
    """
    records = read_release_records(course)
    same = [
        name
        for name in assignments
        if name in records and records[name] == hash_release(course, name, hash_written_files(course, name))
    ]
    saved = read_saved_releases(course) if same else {}
    missing = [name for name in same if name not in saved]
    if missing:
        from gradebox.release.release_lessons import fill_gradebook

        for name in missing:
            fill_gradebook(course, name, course.sources(name))
            save_release(course, name, records[name])
    return [name for name in same if name in missing or saved[name] == records[name]]


def record_release(course: Course, assignment: str, inputs: str) -> None:
    """Record that an assignment is released as it is now.

    inputs: the result of `hash_written_files` when the release began. If a file was edited since then, the
    assignment is not current.
    """
    release = hash_release(course, assignment, inputs)
    # Lessons may have been removed or renamed.
    there = {*course.list_source_folders()}
    records = {name: one for name, one in read_release_records(course).items() if name in there}
    with write_atomically(course.root / RECORD_FILE) as path:
        text = json.dumps({**records, assignment: release}, indent=1, sort_keys=True)
        path.write_text(text + "\n", encoding="utf-8")
    save_release(course, assignment, release)


def read_release_records(course: Course) -> dict[str, str]:
    """Return the hashes by assignment; empty without a valid file."""
    try:
        records = json.loads((course.root / RECORD_FILE).read_text(encoding="utf-8"))
        # Earlier versions have written several hashes per assignment.
        return {name: one for name, one in records.items() if isinstance(one, str)}
    except (OSError, ValueError, AttributeError):
        return {}


def hash_written_files(course: Course, assignment: str) -> str:
    """Return a hash of the files that authors write for an assignment: settings, text and answers.

    The course's own release steps are expected in its folder, as Python files.
    """
    named = sorted(map(str, course.app.config.get("IncludeHeaderFooter", {}).values()))
    paths = [course.root / name for name in (f"lessons/{assignment}.py", TEMPLATES, *named)]
    paths += sorted(course.root.glob("*.py"))
    files = [(path.name, path.read_bytes()) for path in paths if path.is_file()]
    answers = read_lesson_files(course, course.root / "answers" / assignment)
    written = (file for file in answers if file[0].endswith(".py"))
    return hash_parts([*hash_files(files), b"", *hash_files(written)]).hex()


def hash_release(course: Course, assignment: str, inputs: str) -> str:
    """Return a hash of all files that the release of an assignment has to do with, and of gradebox's code.

    inputs: the result of `hash_written_files`.
    """
    parts = [inputs.encode(), hash_code()]
    for folder in (
        course.root / "answers" / assignment,
        course.path("source", assignment),
        course.path("release", assignment),
    ):
        parts += [b"", *hash_files(read_lesson_files(course, folder))]
    return hash_parts(parts).hex()


@cache
def hash_code() -> bytes:
    """Return a hash of the parts of this package that determine what a release writes."""
    paths = (path for name in CODE for path in [PACKAGE / name, *sorted((PACKAGE / name).rglob("*.py"))])
    return hash_parts(path.read_bytes() for path in paths if path.is_file())


def read_lesson_files(course: Course, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the relative path and the content of each file in a folder that nbgrader does not ignore."""
    for name, content in read_folder_files(folder):
        patterns = course.default_directory.ignore
        if not any(fnmatch(part, pattern) for part in name.split("/") for pattern in patterns):
            yield name, content


def read_saved_releases(course: Course) -> dict[str, str]:
    """Return the hash for each assignment with cells in the gradebook; empty if not saved by gradebox."""
    query = select(Assignment.__table__.c.name).join(Notebook.__table__).distinct()
    with course.engine.connect() as connection:
        names = connection.execute(query).scalars()
        hashes = {row.assignment: row.hash for row in select_rows(connection, SAVED_RELEASES)}
    return {name: hashes.get(name, "") for name in names}


def save_release(course: Course, assignment: str, release: str) -> None:
    """Record that the gradebook has the cells of a release."""
    with course.connection() as connection:
        upsert_row(connection, SAVED_RELEASES, {"assignment": assignment, "hash": release})
