"""Forgets a student: takes them out of all that the course has, and says what is left elsewhere."""

import os
from dataclasses import dataclass
from pathlib import Path

from gradebox.course import Course, CourseError
from gradebox.erasure import exchange_files, student_files
from gradebox.erasure.gradebook_rows import delete_student_rows, vacuum_database
from gradebox.erasure.student_identity import load_student_identity
from gradebox.printable_text import format_count


@dataclass(frozen=True)
class RemovalReport:
    """What came of it, a line each.

    removed: what is gone. left: what still has something of the student, and is not the course's to change.
    """

    removed: list[str]
    left: list[str]


def check_student_exists(course: Course, student: str) -> None:
    """Raises CourseError if the course has nothing of a student."""
    if student not in course.roster and not any(student_files.find_student_folders(course, student)):
        where = course.directory().submitted_directory
        raise CourseError(f"there is no student {student!r} in {where}/ or in the gradebook")


def forget_student(course: Course, student: str) -> RemovalReport:
    """Remove a student's folders, rows and entries. What is others' stays as it is.

    Who stops this can begin it again: the gradebook comes last, and the course knows the student until then.
    Raises CourseError if a folder can't be removed.
    """
    who = load_student_identity(course, student)
    folders = list(student_files.find_student_folders(course, student))
    of_assignments = [path for own in folders if not own.is_symlink() for path in own.glob("*/")]
    gone, left = exchange_files.clear_exchange(course, student, of_assignments)
    removed = [f"the exchange: {format_count(gone, 'entry', 'entries')}"] if gone else []
    for name, what in student_files.redact_tables(course.root, who):
        if what:
            removed.append(f"{name}: {what}")
        else:
            left.append(name)
    removed += [f"{name}: {what}" for name, what in student_files.redact_exports(course.root, who)]
    for folder in folders:
        try:
            student_files.remove_path(folder)
        except OSError as error:
            raise CourseError(f"{error.filename or folder} can't be removed: {error.strerror}") from None
        removed.append(format_folder(folder, course.root))
    course.__dict__.pop("students", None)
    with course.gradebook() as gradebook:
        rows = delete_student_rows(gradebook.db.connection(), student)
    if rows:
        removed.append("rows of the gradebook: " + ", ".join(f"{what} {n}" for what, n in rows.items()))
    if not vacuum_database(course.engine):
        left.append("the gradebook's file, which another program holds: close it, and say this again")
    own = course.engine.url.database if course.engine.dialect.name == "sqlite" else None
    left += student_files.find_remaining_files(course.root, who, course.root / own if own else None)
    return RemovalReport(removed, left)


def format_folder(path: Path, root: Path) -> str:
    """A folder as people call it: from the course's own on, where it is in there."""
    return os.path.relpath(path, root) if path.is_relative_to(root) else str(path)
