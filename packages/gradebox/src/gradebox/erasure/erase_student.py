"""Forgets a student: takes them out of all that the course has, and says what is left elsewhere."""

import os
from dataclasses import dataclass
from pathlib import Path

from gradebox.course import Course, CourseError
from gradebox.erasure import exchange_files, student_files
from gradebox.erasure.gradebook_rows import overwrite_free_space, remove_rows
from gradebox.erasure.student_identity import person
from gradebox.printable_text import counted


@dataclass(frozen=True)
class Forgotten:
    """What came of it, a line each.

    removed: what is gone. left: what still has something of the student, and is not the course's to change.
    """

    removed: list[str]
    left: list[str]


def check_known(course: Course, student: str) -> None:
    """Raises CourseError if the course has nothing of a student."""
    if student not in course.roster and not any(student_files.folders(course, student)):
        where = course.directory().submitted_directory
        raise CourseError(f"there is no student {student!r} in {where}/ or in the gradebook")


def forget(course: Course, student: str) -> Forgotten:
    """Remove a student's folders, rows and entries. What is others' stays as it is.

    Who stops this can begin it again: the gradebook comes last, and the course knows the student until then.
    Raises CourseError if a folder can't be removed.
    """
    who = person(course, student)
    folders = list(student_files.folders(course, student))
    of_assignments = [path for own in folders if not own.is_symlink() for path in own.glob("*/")]
    gone, left = exchange_files.clear(course, student, of_assignments)
    removed = [f"the exchange: {counted(gone, 'entry', 'entries')}"] if gone else []
    for name, what in student_files.mend_tables(course.root, who):
        if what:
            removed.append(f"{name}: {what}")
        else:
            left.append(name)
    removed += [f"{name}: {what}" for name, what in student_files.clear_exports(course.root, who)]
    for folder in folders:
        try:
            student_files.remove(folder)
        except OSError as error:
            raise CourseError(f"{error.filename or folder} can't be removed: {error.strerror}") from None
        removed.append(shown(folder, course.root))
    course.__dict__.pop("students", None)
    with course.gradebook() as gradebook:
        rows = remove_rows(gradebook.db.connection(), student)
    if rows:
        removed.append("rows of the gradebook: " + ", ".join(f"{what} {n}" for what, n in rows.items()))
    if not overwrite_free_space(course.engine):
        left.append("the gradebook's file, which another program holds: close it, and say this again")
    own = course.engine.url.database if course.engine.dialect.name == "sqlite" else None
    left += student_files.out_of_reach(course.root, who, course.root / own if own else None)
    return Forgotten(removed, left)


def shown(path: Path, root: Path) -> str:
    """A folder as people call it: from the course's own on, where it is in there."""
    return os.path.relpath(path, root) if path.is_relative_to(root) else str(path)
