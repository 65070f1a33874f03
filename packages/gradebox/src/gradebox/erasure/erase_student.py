"""Erase a student from all data of a course, and report data that remains elsewhere."""

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from gradebox.course import Course, CourseError
from gradebox.erasure import exchange_files, student_files
from gradebox.erasure.gradebook_rows import delete_student_rows, vacuum_database
from gradebox.erasure.student_identity import find_spellings, load_student_identity
from gradebox.printable_text import format_count


@dataclass(frozen=True)
class RemovalReport:
    """Result of an erasure, with one line per item.

    removed: the removed items. left: items that still contain data of the student and were not changed.
    unread: files that can't be searched for the student's names.
    """

    removed: list[str]
    left: list[str]
    unread: list[str]


def check_student_exists(course: Course, student: str) -> None:
    """Raise CourseError if the course has no data of a student."""
    known = find_spellings(student, course.roster).intersection(course.roster)
    if not known and not any(student_files.find_student_folders(course, student)):
        where = course.directory().submitted_directory
        raise CourseError(f"unknown student {student!r}: not in {where}/ and not in the gradebook")


def forget_student(course: Course, student: str) -> RemovalReport:
    """Remove a student's folders, rows and entries. Data of other students is unchanged.

    An interrupted erasure can be repeated: the gradebook comes last, so the course knows the student until
    then. Raises CourseError if a folder can't be removed.
    """
    who = load_student_identity(course, student)
    spellings = sorted(find_spellings(student, course.roster))
    folders = [path for one in spellings for path in student_files.find_student_folders(course, one)]
    of_assignments = [path for own in folders if not own.is_symlink() for path in own.glob("*/")]
    gone, left = exchange_files.clear_exchange(course, spellings, of_assignments)
    removed = [f"the exchange: {format_count(gone, 'entry', 'entries')}"] if gone else []
    removed += [f"{name}: {what}" for name, what in student_files.redact_tables(course.root, who)]
    removed += [f"{name}: {what}" for name, what in student_files.redact_exports(course.root, who)]
    for folder in folders:
        try:
            student_files.remove_path(folder)
        except OSError as error:
            raise CourseError(f"{error.filename or folder} can't be removed: {error.strerror}") from None
        removed.append(format_folder(folder, course.root))
    course.__dict__.pop("students", None)
    with course.gradebook() as gradebook:
        rows: Counter[str] = Counter()
        for one in spellings:
            rows.update(delete_student_rows(gradebook.db.connection(), one))
    if rows:
        removed.append("gradebook rows: " + ", ".join(f"{what} {n}" for what, n in rows.items()))
    if not vacuum_database(course.engine):
        left.append(
            "the gradebook file, which another program has locked: close that program and run this again"
        )
    found, unread = student_files.find_remaining_files(course, who)
    return RemovalReport(removed, left + found, unread)


def format_folder(path: Path, root: Path) -> str:
    """Return a folder's path, relative to the course if the folder is in the course."""
    return os.path.relpath(path, root) if path.is_relative_to(root) else str(path)
