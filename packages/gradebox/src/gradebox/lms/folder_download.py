"""Find the owners of files in a folder with a folder or a file for each student."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache
from pathlib import PurePosixPath

from gradebox.lms.download_archive import DownloadEntry
from gradebox.lms.download_paths import DownloadPath
from gradebox.lms.filename_patterns import NBGRADER_FILES, DownloadedFile, DownloadOwner
from gradebox.printable_text import format_file_name
from gradebox.safe_submission_files import (
    MAX_DATE_SIZE,
    TIMESTAMP,
    UnreadableSubmissionError,
    parse_timestamp,
)


def parse_folder_download(
    paths: Sequence[DownloadPath], is_student: Callable[[str], bool]
) -> Iterator[DownloadedFile]:
    """Find the owners of files by the outermost folder, or by the file's name if there is no folder.

    is_student: returns True for the name or id of a known student. The names of folders and files inside a
    student's folder never identify an owner. If such a name is a known student's, and the outermost folder's
    is not, then the file has no owner, because a person has to decide.
    """
    is_known = cache(is_student)
    times = {one.parts[:-1]: read_submission_time(one.entry) for one in paths if one.entry.name == TIMESTAMP}
    students = {name for name in map(get_outer_name, paths) if is_known(name)}
    for one in paths:
        if one.entry.name in NBGRADER_FILES:
            continue
        index, problem = find_owner(one, is_known, len(students))
        name = get_name(one, index) if index is not None and not problem else ""
        owners = (DownloadOwner(name=name, id=name),) if name else ()
        place = one.below(index if index is not None else len(one.parts) - 1)
        yield DownloadedFile(
            *(one.entry, owners, None, one.entry.name, place),
            received=times.get(one.parts[:-1]),
            problem=problem,
        )


def get_name(path: DownloadPath, index: int) -> str:
    """Return the name of a folder, or the name of the file without its ending."""
    part = path.parts[index]
    return part if index < len(path.parts) - 1 else PurePosixPath(part).stem


def get_outer_name(path: DownloadPath) -> str:
    return get_name(path, path.outer)


def find_owner(path: DownloadPath, is_known: Callable[[str], bool], students: int) -> tuple[int | None, str]:
    """Return the index of the part that is the owner's name, and the problem of an unclear owner, or "".

    students: the number of known students among the outer names of all files.
    """
    around, outer = path.common_names, get_outer_name(path)
    if any(map(is_known, around)):
        # All files are in the folder of one student.
        inside: Iterable[str] = () if is_known(around[0]) else filter(is_known, around)
        return path.common[0], format_conflict(around[0], inside)
    # A folder that contains all files is either a student's, or contains the folders of students.
    has_students = not around or students > 1
    if path.in_folder:
        if has_students and is_known(outer):
            return path.outer, ""
        inside = (get_name(path, index) for index in range(path.outer, len(path.parts)))
        return path.outer, format_conflict(outer if has_students else around[0], filter(is_known, inside))
    if has_students:
        return (path.outer if is_known(outer) else None), ""
    if len(around) > 1:
        where = format_file_name("/".join(around))
        return None, f"the folders {where} contain all files: collect the folder with the students' folders"
    return path.common[0], format_conflict(around[0], filter(is_known, (outer,)))


def format_conflict(folder: str, students: Iterable[str]) -> str:
    """Format the problem of a known student's name in a folder that is not known; "" without students."""
    name = next(iter(students), None)
    if name is None:
        return ""
    return (
        f"is named after {format_file_name(name)}, but the folder {format_file_name(folder)} is not a known "
        "student's: import the class list with `gradebox roster`, or collect the folders of students alone"
    )


def read_submission_time(entry: DownloadEntry) -> datetime | None:
    """Return the time of submission in a timestamp.txt, in UTC; None if the file is not a date."""
    try:
        return parse_timestamp(entry.read()) if entry.size <= MAX_DATE_SIZE else None
    except UnreadableSubmissionError:
        return None
