"""Erase a student from a course, and list the places that still name the student."""

import os
import unicodedata
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from gradebox.course import Course, CourseError
from gradebox.erasure import exchange_files, student_files
from gradebox.erasure.gradebook_rows import delete_student_rows, find_mentions, vacuum_database
from gradebox.erasure.search_files import compile_names
from gradebox.forgotten_students import ForgottenStudents
from gradebox.printable_text import format_count


@dataclass(frozen=True)
class RemovalReport:
    """Result of an erasure, with one line per item.

    removed: the removed items. left: items that still contain data of the student and were not changed, each
    with the reason. unread: files that can't be searched for the student's names.
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

    The id is put on the list of forgotten students. An interrupted erasure can be repeated: the gradebook
    comes last, so the course knows the student until then. Raises CourseError if a folder can't be removed.
    """
    ids = sorted(find_spellings(student, course.roster))
    names = compile_names(list_names(course, ids))
    folders = [path for one in ids for path in student_files.find_student_folders(course, one)]
    of_assignments = [path for own in folders if not own.is_symlink() for path in own.glob("*/")]
    gone, left = exchange_files.clear_exchange(course, ids, of_assignments)
    removed = [f"the exchange: {format_count(gone, 'entry', 'entries')}"] if gone else []
    removed += student_files.remove_own_entries(course.root, ids)
    removed += student_files.remove_written_files(course.root, names)
    for folder in folders:
        try:
            student_files.remove_path(folder)
        except OSError as error:
            raise CourseError(f"{error.filename or folder} can't be removed: {error.strerror}") from None
        removed.append(os.path.relpath(folder, course.root))
    course.__dict__.pop("students", None)
    with course.connection() as connection:
        rows: Counter[str] = Counter()
        for one in ids:
            rows.update(delete_student_rows(connection, one))
        left += find_mentions(connection, names)
        ForgottenStudents(course, connection).add(student)
    if rows:
        removed.append("gradebook rows: " + ", ".join(f"{what} {n}" for what, n in rows.items()))
    if not vacuum_database(course.engine):
        left.append(
            "the gradebook file, which another program has locked: close that program and run this again"
        )
    found, unread = student_files.find_remaining_files(course, names)
    return RemovalReport(removed, left + found, unread)


def readmit_student(course: Course, student: str) -> None:
    """Take an id off the list of forgotten students. Raises CourseError."""
    with course.connection() as connection:
        forgotten = ForgottenStudents(course, connection)
        if student not in forgotten:
            raise CourseError(f"nobody with the id {student!r} was forgotten in this course")
        forgotten.remove(student)


def find_spellings(student: str, ids: Collection[str]) -> set[str]:
    """Return the ids with the same letters, which may be composed (NFC) or decomposed (NFD)."""
    same = unicodedata.normalize("NFC", student)
    return {one for one in {student, *ids} if unicodedata.normalize("NFC", one) == same}


def list_names(course: Course, ids: Collection[str]) -> set[str]:
    """Return the ids, full names and e-mail addresses of a student, in both orders of the names."""
    names = set(ids)
    with course.gradebook() as gradebook:
        for known in gradebook.students:
            if known.id in ids:
                first, last = known.first_name or "", known.last_name or ""
                names |= {f"{first} {last}", f"{last} {first}", known.email or ""}
    return {name for name in names if name.strip()}
