"""Find and remove files of a course that contain a student's data. Never follows links."""

import json
import os
import re
import shutil
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from gradebox.atomic_write import write_atomically
from gradebox.course import (
    COLLECTED,
    INCIDENTS,
    PLATFORM_TABLES,
    REMOVED_POINTS_FILE,
    REPLACED_FOLDER,
    Course,
    CourseError,
)
from gradebox.csv_table import read_csv_table, write_csv_table
from gradebox.erasure.search_files import UnsearchableError, find_files, is_named_in_file
from gradebox.printable_text import format_count

STUDENT_STEPS = ("submitted", "autograded", "feedback")
EXPORTS = "exports"
# Files and folders that gradebox writes again, and what to do for it.
WRITTEN_AGAIN = {
    EXPORTS: "export again",
    COLLECTED: "collect again",
    PLATFORM_TABLES: "name the platform's table again",
}


def find_student_folders(course: Course, student: str) -> Iterator[Path]:
    """Yield a student's existing folders. A yielded path may be a link."""
    places = [course.path(step, "x", student).parent for step in STUDENT_STEPS]
    for folder in (*places, course.root / REPLACED_FOLDER / student):
        # Skip a name that is a path to elsewhere and, if file names ignore case, the folder `Ada` for `ada`.
        if folder.name == student and folder.parent.is_dir() and student in os.listdir(folder.parent):
            if folder.is_symlink() or folder.is_dir():
                yield folder


def remove_path(path: Path) -> None:
    """Remove a file, a link (not its target), or a folder with its contents. Raises OSError."""
    if path.is_symlink() or not path.is_dir():
        path.unlink()
        return
    for folder in (path, *(Path(here, name) for here, names, _ in os.walk(path) for name in names)):
        if not folder.is_symlink():
            with suppress(OSError):
                # A student's archive may have created a folder without write permission.
                folder.chmod(0o700)
    shutil.rmtree(path)


def remove_own_entries(root: Path, ids: Collection[str]) -> Iterator[str]:
    """Remove the entries with these ids from gradebox's own lists. Yield a line for each changed file."""
    removed = {}
    with suppress(CourseError):
        sheet = read_csv_table(root / REMOVED_POINTS_FILE)
        column = sheet.column(["student"])
        rows = [row for row in sheet.rows[1:] if sheet.cell(row, column) not in ids]
        removed[REMOVED_POINTS_FILE] = len(sheet.rows) - 1 - len(rows)
        sheet.rows[1:] = rows
        if removed[REMOVED_POINTS_FILE]:
            write_csv_table(root / REMOVED_POINTS_FILE, sheet)
    with suppress(OSError, ValueError, TypeError, KeyError):
        incidents = json.loads((root / INCIDENTS).read_text(encoding="utf-8"))
        others = [incident for incident in incidents if incident["student"] not in ids]
        removed[INCIDENTS] = len(incidents) - len(others)
        if removed[INCIDENTS]:
            with write_atomically(root / INCIDENTS) as new:
                new.write_text(json.dumps(others, indent=2) + "\n", encoding="utf-8")
    for name, count in removed.items():
        if count:
            yield f"{name}: {format_count(count, 'entry', 'entries')}"


def remove_written_files(root: Path, names: re.Pattern[str]) -> Iterator[str]:
    """Remove the files that gradebox can write again and that name a student, or may contain the data.

    Yields a line for each removed file.
    """
    for place, remedy in WRITTEN_AGAIN.items():
        for path in sorted([root / place, *(root / place).rglob("*")]):
            name = path.relative_to(root).as_posix()
            if path.is_file() and not path.is_symlink() and may_contain_data(path, name, names):
                path.unlink()
                yield f"{name}: the whole file ({remedy})"


def may_contain_data(path: Path, name: str, names: re.Pattern[str]) -> bool:
    # A page about the class counts all students, and may show any student's code.
    if path.suffix.lower() == ".html":
        return True
    try:
        return is_named_in_file(path, name, names)
    except UnsearchableError:
        return True


def find_remaining_files(course: Course, names: re.Pattern[str]) -> tuple[list[str], list[str]]:
    """Return the files that still name a student, each with the reason, and those that can't be searched.

    The course's own texts and notebooks, and the submissions of other students, are not searched.
    """
    root, settings = course.root, course.directory()
    steps = (*STUDENT_STEPS, "source", "release")
    skipped = {Path(os.path.normpath(root / getattr(settings, f"{step}_directory"))) for step in steps}
    skipped |= {root / name for name in ("lessons", "answers", REPLACED_FOLDER)}
    is_sqlite = course.engine.dialect.name == "sqlite"
    gradebook = root / (is_sqlite and course.engine.url.database or "gradebook.db")
    if is_sqlite:
        # `find_mentions` searches the gradebook itself.
        endings = ("", "-wal", "-shm", "-journal")
        skipped |= {gradebook.with_name(f"{gradebook.name}{ending}") for ending in endings}
    left, unread = [], []
    for path in find_files(root, skipped):
        name = path.relative_to(root).as_posix()
        if path.name.startswith(gradebook.name):
            left.append(f"{name} (a copy of the gradebook)")
            continue
        try:
            if is_named_in_file(path, name, names):
                left.append(f"{name} (your own file)")
        except UnsearchableError:
            unread.append(name)
    return left, unread
