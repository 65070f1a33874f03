"""The files that a student handed in, and nothing that lies elsewhere.

A hand-in comes out of an archive or a repository, with anything in it: links to the solutions, pipes that
never end, files without end. So nothing of it is opened by its path: each folder and file is opened from the
folder that it lies in, a link never, and it is the opened file that is looked at and read. What is hidden
(its name begins with a dot) is no part of a hand-in, and is not opened. Reads files, never writes.
"""

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.utils import parse_utc

from gradebox.printable_text import format_file_name

# Bytes: of all files of a hand-in together, of a notebook, and of a date.
MAX_TOTAL_SIZE, MAX_NOTEBOOK_SIZE, MAX_DATE_SIZE = 100 * 10**6, 50 * 10**6, 100
# Files and folders of a hand-in, and folders in folders.
MAX_SUBMITTED_FILES, MAX_FOLDER_DEPTH = 10_000, 20
TIMESTAMP = "timestamp.txt"
# For a folder that this user may enter, and may not list.
O_PATH = getattr(os, "O_PATH", os.O_RDONLY)
# What a date is written with. A time zone is looked up as a file: not one that could be another path.
DATE_PATTERN = re.compile(r"[\w.,:+-]*(?: [\w.,:+-]*)*?(?: [A-Za-z]\w*(?:/[A-Za-z][\w+-]*){1,2})?", re.ASCII)
NO_DATE_MESSAGE = "holds no date, such as 2026-11-22 14:05:00 UTC"
# A clock that is wrong is no lie.
CLOCK_TOLERANCE = timedelta(days=1)


class UnreadableSubmissionError(Exception):
    """Something that was handed in can't be taken; the message says why, in one clause."""


def open_entry(folder: int, name: str, a_folder: bool | None = False) -> int:
    """Open a file that lies in an open folder, or a folder; None: either. Returns a descriptor.

    Raises Unreadable for anything else that lies there, with the problem as an end to its name, and for what
    this user can't open.
    """
    try:
        # Before it is opened, since that alone does something to some devices; and after, since it may be
        # another one by then.
        check_file_type(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode, a_folder)
        # Not to wait for somebody who writes to a pipe.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(name, flags, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.ELOOP:
            check_file_type(stat.S_IFLNK, a_folder)
        raise UnreadableSubmissionError(f"can't be opened: {error.strerror}") from None
    try:
        check_file_type(os.fstat(descriptor).st_mode, a_folder)
    except UnreadableSubmissionError:
        os.close(descriptor)
        raise
    return descriptor


def check_file_type(mode: int, a_folder: bool | None) -> None:
    """Raises Unreadable if a mode is not that of a file, or of a folder; None: either."""
    if stat.S_ISLNK(mode):
        raise UnreadableSubmissionError("is a link: hand in what it points to")
    if stat.S_ISDIR(mode) and a_folder is False:
        raise UnreadableSubmissionError("is a folder, not a file")
    if not stat.S_ISDIR(mode) and (a_folder or not stat.S_ISREG(mode)):
        raise UnreadableSubmissionError("is no folder" if a_folder else "is a device or a pipe, not a file")


def open_named_entry(folder: int, name: str, path: str, a_folder: bool | None) -> int:
    """`open_in`, whose problem begins with the path."""
    try:
        return open_entry(folder, name, a_folder)
    except UnreadableSubmissionError as error:
        raise UnreadableSubmissionError(f"{format_file_name(path)} {error}") from None


@contextmanager
def open_student_folder(folder: Path) -> Iterator[int]:
    """A student's folder for an assignment, as a descriptor. Raises Unreadable.

    The folder in which all students' folders are may be anywhere; from there on, nothing may be a link.
    """
    path = Path(os.path.abspath(folder))
    try:
        here = os.open(path.parent.parent, O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise UnreadableSubmissionError(f"its folder can't be opened: {error.strerror}") from None
    try:
        for name in path.parts[-2:]:
            below = open_named_entry(here, name, f"the folder {name}", a_folder=True)
            os.close(here)
            here = below
        yield here
    finally:
        os.close(here)


def open_files(folder: Path) -> Iterator[tuple[str, int]]:
    """The files of a hand-in, by relative path, each open while it is looked at.

    Raises Unreadable if one can't be taken, or if they are too many, too large or too deep in folders.
    """
    seen = size = 0

    def below(here: int, parents: tuple[str, ...]) -> Iterator[tuple[str, int]]:
        nonlocal seen, size
        names = sorted(name for name in os.listdir(here) if not is_hidden(name))
        seen += len(names)
        if seen > MAX_SUBMITTED_FILES:
            raise UnreadableSubmissionError(f"the folder holds more than {MAX_SUBMITTED_FILES:,} files")
        if len(parents) > MAX_FOLDER_DEPTH:
            raise UnreadableSubmissionError(
                f"the folder holds more than {MAX_FOLDER_DEPTH} folders in folders"
            )
        for name in names:
            path = "/".join((*parents, name))
            descriptor = open_named_entry(here, name, path, a_folder=None)
            try:
                status = os.fstat(descriptor)
                if stat.S_ISDIR(status.st_mode):
                    yield from below(descriptor, (*parents, name))
                    continue
                size += status.st_size
                if size > MAX_TOTAL_SIZE:
                    raise UnreadableSubmissionError(
                        f"the folder holds {format_limit(MAX_TOTAL_SIZE)} of files"
                    )
                yield path, descriptor
            finally:
                os.close(descriptor)

    with open_student_folder(folder) as own:
        yield from below(own, ())


def is_hidden(name: str) -> bool:
    return name.startswith(".")


def format_limit(size: int) -> str:
    return f"more than {size / 10**6:g} MB" if size >= 10**6 else f"more than {size} bytes"


def read_descriptor(descriptor: int, most: int) -> bytes:
    """All of an open file. Raises Unreadable if that is more than `most` bytes, also while it grows."""
    with open(descriptor, "rb", closefd=False) as file:
        found = file.read(most + 1)
    if len(found) > most:
        raise UnreadableSubmissionError(f"has {format_limit(most)}")
    return found


def read_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The files of a hand-in and what is in them, by relative path. Raises Unreadable."""
    for path, descriptor in open_files(folder):
        yield path, read_descriptor(descriptor, MAX_TOTAL_SIZE)


def read_extra_files(folder: Path) -> dict[str, bytes]:
    """The files of a hand-in that are no notebooks, by relative path. Raises Unreadable.

    Notebooks stay out: the sanitised one holds the hidden tests.
    """
    return {
        path: read_descriptor(descriptor, MAX_TOTAL_SIZE)
        for path, descriptor in open_files(folder)
        if not path.endswith(".ipynb")
    }


def read_file(path: Path, most: int = MAX_NOTEBOOK_SIZE) -> bytes:
    """A file that lies in a student's folder for an assignment itself.

    Raises Unreadable, with the problem as an end to its name.
    """
    with open_student_folder(path.parent) as folder:
        descriptor = open_entry(folder, path.name)
        try:
            return read_descriptor(descriptor, most)
        finally:
            os.close(descriptor)


def read_notebook(path: Path) -> NotebookNode:
    """A notebook that lies there, in today's format. Raises Unreadable, and what nbformat does."""
    return parse_notebook(read_file(path))


def parse_notebook(content: bytes) -> NotebookNode:
    """The notebook in a file, in today's format. Raises what nbformat does."""
    return nbformat.reads(content.decode("utf-8-sig"), as_version=4)


def list_notebooks(folder: Path) -> list[str]:
    """The names of the notebooks in a student's folder for an assignment. Raises Unreadable."""
    with open_student_folder(folder) as own:
        return sorted(name for name in os.listdir(own) if name.endswith(".ipynb") and not is_hidden(name))


def read_timestamp(folder: Path) -> datetime | None:
    """When it was handed in, as its timestamp.txt says, in UTC; None if there is none, or nothing in it.

    Raises Unreadable if that is no date that has been.
    """
    with open_student_folder(folder) as own:
        if TIMESTAMP not in os.listdir(own):
            return None
    try:
        return parse_timestamp(read_file(folder / TIMESTAMP, MAX_DATE_SIZE))
    except UnreadableSubmissionError as error:
        raise UnreadableSubmissionError(f"{TIMESTAMP} {error}") from None


def parse_timestamp(content: bytes) -> datetime | None:
    """The date that a timestamp.txt holds, in UTC; None if it is empty.

    Raises Unreadable, with the problem as an end to its name, if that is no date that has been.
    """
    try:
        said = content.decode("ascii").strip()
    except UnicodeDecodeError:
        raise UnreadableSubmissionError(NO_DATE_MESSAGE) from None
    found = parse_date(said) if said else None
    if found and found > datetime.now(UTC).replace(tzinfo=None) + CLOCK_TOLERANCE:
        raise UnreadableSubmissionError("holds a date that is still to come")
    return found


def parse_date(said: str) -> datetime:
    """A date, in UTC. Raises Unreadable if it is none."""
    try:
        if not DATE_PATTERN.fullmatch(said) or not said:
            raise ValueError(said)
        return parse_utc(said)
    except (ValueError, OverflowError, TypeError):
        raise UnreadableSubmissionError(NO_DATE_MESSAGE) from None


def find_submission_problem(folder: Path) -> str | None:
    """Why a hand-in can't be taken at all, whatever its notebooks are like, in one clause; None if it can."""
    try:
        for _ in open_files(folder):
            pass
        read_timestamp(folder)
    except UnreadableSubmissionError as error:
        return str(error)
    return None
