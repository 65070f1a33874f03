"""Erase a student from all data of a course, and report data that remains elsewhere."""

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from gradebox.course import Course, CourseError
from gradebox.erasure import exchange_files, student_files
from gradebox.erasure.gradebook_rows import (
    delete_student_rows,
    list_lms_numbers,
    read_platform_numbers,
    vacuum_database,
)
from gradebox.erasure.student_identity import find_spellings, load_student_identity
from gradebox.forgotten_students import ForgottenStudents
from gradebox.printable_text import format_count

HASHES_KEPT = (
    "keyed hashes of the id, the names, the address and the platforms' numbers, so that no command takes the "
    "student in again by mistake"
)


@dataclass(frozen=True)
class RemovalReport:
    """Result of an erasure, with one line per item.

    removed: the removed items. left: items that still contain data of the student and were not changed.
    unread: files that can't be searched for the student's names. kept: what the course keeps on purpose.
    """

    removed: list[str]
    left: list[str]
    unread: list[str]
    kept: list[str]


def check_student_exists(course: Course, student: str) -> None:
    """Raise CourseError if the course has no data of a student."""
    known = find_spellings(student, course.roster).intersection(course.roster)
    if not known and not any(student_files.find_student_folders(course, student)):
        where = course.directory().submitted_directory
        raise CourseError(f"unknown student {student!r}: not in {where}/ and not in the gradebook")


def forget_student(course: Course, student: str) -> RemovalReport:
    """Remove a student's folders, rows and entries. Data of other students is unchanged.

    Hashes are kept, so that the student is recognised and not taken in again by mistake. An interrupted
    erasure can be repeated: the gradebook comes last, so the course knows the student until then. Raises
    CourseError if a folder can't be removed.
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
        connection = gradebook.db.connection()
        numbers = set().union(*(list_lms_numbers(connection, one) for one in spellings))
        all_numbers = set().union(*read_platform_numbers(connection).values(), (n for _, n in numbers))
        for one in spellings:
            rows.update(delete_student_rows(connection, one))
        ForgottenStudents(course, connection).add(who.called - all_numbers | {student}, numbers)
    if rows:
        removed.append("gradebook rows: " + ", ".join(f"{what} {n}" for what, n in rows.items()))
    if not vacuum_database(course.engine):
        left.append(
            "the gradebook file, which another program has locked: close that program and run this again"
        )
    found, unread = student_files.find_remaining_files(course, who)
    return RemovalReport(removed, left + found, unread, [HASHES_KEPT])


def readmit_student(course: Course, student: str) -> None:
    """Delete the hashes of a forgotten student. student: the id, name or address. Raises CourseError."""
    with course.connection() as connection:
        if not ForgottenStudents(course, connection).remove(student):
            raise CourseError(f"nobody with the id or name {student!r} was forgotten in this course")


def format_folder(path: Path, root: Path) -> str:
    """Return a folder's path, relative to the course if the folder is in the course."""
    return os.path.relpath(path, root) if path.is_relative_to(root) else str(path)
