"""Read submitted files safely, for grading and import: only regular files inside the student's folder.

A submission comes from an archive or a repository and may contain anything: links to the solutions, pipes,
endless files. Files are therefore never opened by path. Each folder and file is opened relative to its open
parent folder, without following links, and checks apply to the open descriptor. Hidden files and folders
(names with a leading dot) are not part of a submission. This module never writes.
"""

import errno
import os
import re
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath

from gradebox.dates import AmbiguousZoneError, parse_iso_date
from gradebox.printable_text import format_file_name

# Limits in bytes: all files of a submission together, one notebook, and the timestamp file.
MAX_TOTAL_SIZE, MAX_NOTEBOOK_SIZE, MAX_DATE_SIZE = 100 * 10**6, 50 * 10**6, 100
# Limits for the number of files and folders in a submission, and for nested folders.
MAX_SUBMITTED_FILES, MAX_FOLDER_DEPTH = 10_000, 20
TIMESTAMP = "timestamp.txt"
# Names of files and folders that programs create, and that no student has submitted.
JUNK_FILES = {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", ".ipynb_checkpoints", "__pycache__"}
# Names that notebooks have after a download: Windows and Safari add ".txt" or ".json" to unknown types.
NOTEBOOK_NAME = re.compile(r"(?P<stem>.*)\.ipynb(?:\.txt|\.json)?", re.IGNORECASE | re.DOTALL)
POSSIBLE_NOTEBOOK_SUFFIXES = (".ipynb", ".json", ".txt")
ARCHIVE_SUFFIXES = (".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz")
# Opens a folder that this user may enter but not list.
O_PATH = getattr(os, "O_PATH", os.O_RDONLY)
NO_DATE_MESSAGE = "holds no date, such as 2026-11-22 14:05:00 UTC"
# Tolerance for clocks that are fast.
CLOCK_TOLERANCE = timedelta(days=1)


class UnreadableSubmissionError(Exception):
    """Submitted file or folder that is refused; the message gives the reason in one clause."""


def open_entry(folder: int, name: str, a_folder: bool | None = False) -> int:
    """Open a file in an open folder without following links, and return the descriptor.

    a_folder: expect a folder (True), a file (False) or either (None). Raises UnreadableSubmissionError for
    other file types and after an OSError; the message continues a sentence that begins with the name.
    """
    try:
        # Check before opening, because opening alone can affect a device. Check again after opening, because
        # the file may have been replaced in between.
        check_file_type(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode, a_folder)
        # O_NONBLOCK: do not wait for the writer of a pipe.
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
    """Raise UnreadableSubmissionError unless `mode` is a regular file, a folder (True) or either (None)."""
    if stat.S_ISLNK(mode):
        raise UnreadableSubmissionError("is a link: hand in what it points to")
    if stat.S_ISDIR(mode) and a_folder is False:
        raise UnreadableSubmissionError("is a folder, not a file")
    if not stat.S_ISDIR(mode) and (a_folder or not stat.S_ISREG(mode)):
        raise UnreadableSubmissionError(
            "is not a folder" if a_folder else "is a device or a pipe, not a file"
        )


def open_named_entry(folder: int, name: str, path: str, a_folder: bool | None) -> int:
    """Open an entry as `open_entry` does, with error messages that begin with the path."""
    try:
        return open_entry(folder, name, a_folder)
    except UnreadableSubmissionError as error:
        raise UnreadableSubmissionError(f"{format_file_name(path)} {error}") from None


@contextmanager
def open_student_folder(folder: Path) -> Iterator[int]:
    """Open a student's folder for an assignment, and yield the descriptor.

    Links are allowed up to the folder that contains the students' folders, and refused below. Raises
    UnreadableSubmissionError.
    """
    path = Path(os.path.abspath(folder))
    try:
        here = os.open(path.parent.parent, O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise UnreadableSubmissionError(
            f"the submission's folder can't be opened: {error.strerror}"
        ) from None
    try:
        for name in path.parts[-2:]:
            below = open_named_entry(here, name, f"the folder {name}", a_folder=True)
            os.close(here)
            here = below
        yield here
    finally:
        os.close(here)


def open_files(folder: Path) -> Iterator[tuple[str, int]]:
    """Iterate over the files of a submission, as relative path and open descriptor.

    Each descriptor is closed when the iteration continues. Raises UnreadableSubmissionError for a refused
    file, and for too many files, too many bytes or too deeply nested folders.
    """
    seen = size = 0

    def below(here: int, parents: tuple[str, ...]) -> Iterator[tuple[str, int]]:
        nonlocal seen, size
        names = sorted(name for name in os.listdir(here) if not is_hidden(name))
        check_names(names)
        seen += len(names)
        if seen > MAX_SUBMITTED_FILES:
            raise UnreadableSubmissionError(f"the folder holds more than {MAX_SUBMITTED_FILES:,} files")
        if len(parents) > MAX_FOLDER_DEPTH:
            raise UnreadableSubmissionError(
                f"the folder holds more than {MAX_FOLDER_DEPTH} levels of folders"
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


def check_names(names: Iterable[str]) -> None:
    """Raise UnreadableSubmissionError if two entries of a folder have one name on macOS and Windows."""
    known: dict[str, str] = {}
    for name in names:
        other = known.setdefault(unicodedata.normalize("NFC", name).casefold(), name)
        if other != name:
            both = f"{format_file_name(other)} and {format_file_name(name)}"
            raise UnreadableSubmissionError(f"{both} are one name on macOS and Windows: rename one of them")


def is_hidden(name: str) -> bool:
    return name.startswith(".")


def format_limit(size: int) -> str:
    return f"more than {size / 10**6:g} MB" if size >= 10**6 else f"more than {size} bytes"


def read_descriptor(descriptor: int, most: int) -> bytes:
    """Read an open file.

    Raises UnreadableSubmissionError for more than `most` bytes, even if the file grows while it is read.
    """
    with open(descriptor, "rb", closefd=False) as file:
        found = file.read(most + 1)
    if len(found) > most:
        raise UnreadableSubmissionError(f"has {format_limit(most)}")
    return found


def read_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Iterate over the files of a submission, as relative path and content.

    Raises UnreadableSubmissionError.
    """
    for path, descriptor in open_files(folder):
        yield path, read_descriptor(descriptor, MAX_TOTAL_SIZE)


def read_extra_files(folder: Path, notebooks: Iterable[str] = ()) -> dict[str, bytes]:
    """Read the files of a submission that are not notebooks (see `select_extra_files`).

    Raises UnreadableSubmissionError.
    """
    return select_extra_files(dict(read_files(folder)), notebooks)


def select_extra_files(files: Mapping[str, bytes], notebooks: Iterable[str]) -> dict[str, bytes]:
    """Select the files of a submission that are not notebooks, by the path that student code uses for them.

    notebooks: relative paths of the matched notebooks. A path in the folder of a notebook is relative to
    that folder. Notebooks are excluded, because the sanitized notebook contains the hidden tests.
    """
    notebooks = set(notebooks)
    extra = {
        path: content
        for path, content in files.items()
        if path not in notebooks and not NOTEBOOK_NAME.fullmatch(path)
    }
    for place in sorted({str(PurePosixPath(path).parent) for path in notebooks} - {"."}):
        below = {path: content for path, content in extra.items() if path.startswith(f"{place}/")}
        extra = {path: content for path, content in extra.items() if path not in below}
        extra |= {path.removeprefix(f"{place}/"): content for path, content in below.items()}
    return extra


def merge_supplied_files(files: Mapping[str, bytes], supplied: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return submitted files together with the instructor's files, which replace those of the same name.

    A submitted file is dropped, too, if the instructor has a folder of that name, or a file with the name of
    one of its folders.
    """
    folders = {str(parent) for name in supplied for parent in PurePosixPath(name).parents}
    kept = {
        name: content
        for name, content in files.items()
        if name not in folders and not {*map(str, PurePosixPath(name).parents)} & supplied.keys()
    }
    return kept | dict(supplied)


def read_file(path: Path, most: int = MAX_NOTEBOOK_SIZE, folder: Path | None = None) -> bytes:
    """Read a file in a student's folder for an assignment.

    folder: the student's folder, if the file is in one of its subfolders. Raises UnreadableSubmissionError;
    the message continues a sentence that begins with the name.
    """
    with open_student_folder(folder or path.parent) as own:
        *above, name = path.relative_to(folder or path.parent).parts
        opened = [own]
        try:
            for part in above:
                opened.append(open_entry(opened[-1], part, a_folder=True))
            opened.append(open_entry(opened[-1], name))
            return read_descriptor(opened[-1], most)
        finally:
            for descriptor in opened[1:]:
                os.close(descriptor)


def may_be_notebook(path: str) -> bool:
    """Return True if a file's name and folder, given as a path with slashes, allow for a notebook."""
    return path.lower().endswith(POSSIBLE_NOTEBOOK_SUFFIXES) and JUNK_FILES.isdisjoint(path.split("/"))


def read_timestamp(folder: Path, timezone: str | None = "UTC") -> datetime | None:
    """Return the submission time from timestamp.txt as naive UTC; None if the file is missing or empty.

    timezone: see `parse_iso_date`. Raises UnreadableSubmissionError for an invalid or future date.
    """
    with open_student_folder(folder) as own:
        if TIMESTAMP not in os.listdir(own):
            return None
    try:
        return parse_timestamp(read_file(folder / TIMESTAMP, MAX_DATE_SIZE), timezone)
    except UnreadableSubmissionError as error:
        raise UnreadableSubmissionError(f"{TIMESTAMP} {error}") from None


def parse_timestamp(content: bytes, timezone: str | None = "UTC") -> datetime | None:
    """Parse the content of a timestamp.txt as naive UTC; None if the content is empty.

    Raises UnreadableSubmissionError for an invalid or future date; the message continues a sentence that
    begins with the file name.
    """
    try:
        said = content.decode("ascii").strip()
    except UnicodeDecodeError:
        raise UnreadableSubmissionError(NO_DATE_MESSAGE) from None
    found = parse_date(said, timezone) if said else None
    if found and found > datetime.now(UTC).replace(tzinfo=None) + CLOCK_TOLERANCE:
        raise UnreadableSubmissionError("holds a date in the future")
    return found


def parse_date(said: str, timezone: str | None = "UTC") -> datetime:
    """Parse a date as naive UTC. Raises UnreadableSubmissionError for an invalid date."""
    try:
        return parse_iso_date(said, timezone)
    except AmbiguousZoneError as error:
        raise UnreadableSubmissionError(f"names {error}") from None
    except ValueError:
        raise UnreadableSubmissionError(NO_DATE_MESSAGE) from None


def find_submission_problem(folder: Path) -> str | None:
    """Return the reason to refuse a whole submission, in one clause, or None; notebooks are not parsed."""
    try:
        for _ in open_files(folder):
            pass
        # The time zone is checked when the time is needed.
        read_timestamp(folder, None)
    except UnreadableSubmissionError as error:
        return str(error)
    return None
