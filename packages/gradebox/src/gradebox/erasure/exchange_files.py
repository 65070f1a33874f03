"""Files of a student in nbgrader's exchange: submissions and feedback pages."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from nbgrader.exchange.default import Exchange
from nbgrader.utils import notebook_hash, parse_utc

from gradebox.course import Course
from gradebox.erasure.student_files import remove_path
from gradebox.safe_submission_files import UnreadableSubmissionError, read_file

SUBMISSION_SECRET = "submission_secret.txt"
# In bytes; secrets of the exchange are shorter.
MAX_SECRET_SIZE = 1000


def find_exchange_folder(course: Course) -> Path | None:
    """Return the exchange's folder for this course, or None."""
    name = course.directory().course_id
    folder = Path(Exchange(coursedir=course.directory(), parent=course.app).root) / name
    return folder if name and folder.is_dir() else None


def find_hand_ins(course: Course, student: str) -> Iterator[Path]:
    """Yield a student's submissions in the exchange. Raises OSError if the folder can't be listed."""
    folder = find_exchange_folder(course)
    inbound = folder / "inbound" if folder else None
    if inbound and inbound.is_dir():
        yield from (
            inbound / name for name in sorted(os.listdir(inbound)) if is_hand_in_folder(name, student)
        )


def is_hand_in_folder(name: str, student: str) -> bool:
    """Return True if a folder's name is STUDENT+ASSIGNMENT+TIME, with an optional random suffix.

    A student's id may contain a plus sign.
    """
    found = re.fullmatch(re.escape(student) + r"\+[^+]+\+([^+]+)(\+[^+]+)?", name)
    try:
        return found is not None and parse_utc(found[1]) is not None
    except (ValueError, OverflowError):
        return False


def find_feedback_pages(course: Course, folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the feedback pages in the exchange for the submissions in these folders."""
    folder = find_exchange_folder(course)
    if folder is None:
        return
    names = {notebook for assignment in course.assignments for notebook in course.notebooks(assignment)}
    for own in folders:
        try:
            secret = read_file(own / SUBMISSION_SECRET, MAX_SECRET_SIZE).decode()
        except (UnreadableSubmissionError, UnicodeDecodeError):
            continue
        for name in sorted(names):
            page = folder / "feedback" / f"{notebook_hash(secret=secret, notebook_id=name)}.html"
            if page.is_file():
                yield page


def clear_exchange(
    course: Course, spellings: Iterable[str], folders: Iterable[Path]
) -> tuple[int, list[str]]:
    """Remove a student, with these spellings of the id, from the exchange.

    folders: the student's folders in the course, one per assignment. Returns the number of removed files and
    folders, and a line for each path that could not be removed.
    """
    try:
        inbound = [path for student in spellings for path in find_hand_ins(course, student)]
    except OSError as error:
        return 0, [f"{error.filename}: {error.strerror}"]
    gone, left = 0, []
    for path in [*find_feedback_pages(course, [*folders, *inbound]), *inbound]:
        try:
            remove_path(path)
            gone += 1
        except FileNotFoundError:
            # Several copies of a submission share one page.
            continue
        except OSError as error:
            left.append(f"{path}: {error.strerror}")
    return gone, left
