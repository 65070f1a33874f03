"""Find the files that students submit with a notebook: modules, data, pictures, and files in archives.

Used by `collect.py`. The platform's name of a file decides who owns the file. Names in an archive don't.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import PurePosixPath

from gradebox.lms.download_archive import DownloadEntry
from gradebox.lms.filename_patterns import NBGRADER_FILES, DownloadedFile, DownloadOwner
from gradebox.safe_submission_files import (
    ARCHIVE_SUFFIXES,
    JUNK_FILES,
    MAX_SUBMITTED_FILES,
    MAX_TOTAL_SIZE,
    NOTEBOOK_NAME,
    UnreadableSubmissionError,
    format_limit,
    is_hidden,
    may_be_notebook,
)
from gradebox.submission_archives import (
    MAX_ARCHIVE_ENTRIES,
    MAX_EXPANSION,
    ArchiveLimits,
    TooManyEntriesError,
    check_path,
    is_readable_archive,
    limit_unpacked_size,
    read_archive,
)

TOO_MUCH_TO_READ = (
    f"is one of several files that have {format_limit(MAX_TOTAL_SIZE)} together, or {MAX_EXPANSION} times "
    "their size in the download: ask for the notebook alone"
)
EXPORT_SUFFIXES = (".html", ".htm", ".pdf")
# Additions of browsers to the name of a notebook that is printed to a file.
PRINTED_NAME = re.compile(
    r"(?:\.ipynb)?(?: *(?:\(\d+\)|- (?:colab\w*|jupyter\w*(?: notebook)?)))?", re.IGNORECASE
)


def open_archives(files: Iterable[DownloadedFile]) -> Iterator[tuple[DownloadedFile, str | None]]:
    """Yield the files of a download, with the files of archives that contain a notebook.

    Yields the reason why a file can't be read, or None, with each file. Other archives are data.
    """
    submissions: dict[tuple[tuple[DownloadOwner, ...], str | None], list[DownloadedFile]] = {}
    for one in files:
        submissions.setdefault((one.owners, one.number), []).append(one)
    for own in submissions.values():
        yield from open_submission(own)


def open_submission(files: Sequence[DownloadedFile]) -> Iterator[tuple[DownloadedFile, str | None]]:
    """Yield the files of a submission as `open_archives` does.

    Limit the size of the possible notebooks and of the unpacked archives together, because they are read.
    """
    left = limit_unpacked_size(sum(one.entry.packed_size for one in files))
    archives: list[DownloadedFile] = []
    for one in sorted(files, key=lambda one: not NOTEBOOK_NAME.fullmatch(one.entry.name)):
        name = one.entry.name
        if one.typed or not one.owners:
            yield one, None
        elif is_readable_archive(name):
            archives.append(one)
        elif name.lower().endswith(ARCHIVE_SUFFIXES):
            yield (
                one,
                "is an archive that can't be opened here: ask for a .zip archive or the notebook itself",
            )
        elif not may_be_notebook(name) or one.entry.size > limit_unpacked_size(one.entry.packed_size):
            # Reading a file that is too large alone fails at once.
            yield one, None
        elif one.entry.size > left:
            yield one, TOO_MUCH_TO_READ
        else:
            left -= one.entry.size
            yield one, None
    opened = SubmittedArchives(tuple(one.entry for one in archives), left)
    loaded = load_archives(opened)
    if loaded is None:
        yield archives[0], format_entry_limit(len(archives))
        return
    for number, (archive, contents) in enumerate(zip(archives, loaded, strict=True)):
        if isinstance(contents, str):
            yield archive, f"{contents}; ask for the notebook itself"
        elif any(map(NOTEBOOK_NAME.fullmatch, contents)):
            for path in contents:
                yield unpack_file(archive, path, opened, number), None
        else:
            yield archive, None


@dataclass(frozen=True, eq=False)
class SubmittedArchives:
    """Archives of a submission. most: the maximum size of all files in the archives together, in bytes."""

    entries: tuple[DownloadEntry, ...]
    most: int


def format_entry_limit(archives: int) -> str:
    what = "holds" if archives == 1 else f"is one of {archives} archives of the submission that hold together"
    return f"{what} more than {MAX_ARCHIVE_ENTRIES:,} files and folders; ask for the notebook itself"


@lru_cache(maxsize=1)
def load_archives(archives: SubmittedArchives) -> list[Mapping[str, bytes] | str] | None:
    """Return the files of each archive of a submission, or the reason why the archive can't be opened.

    Returns None if the archives have too many entries together. Only the last submission is cached, because
    a class may submit many large archives.
    """
    found: list[Mapping[str, bytes] | str] = []
    limits = ArchiveLimits(archives.most)
    for one in archives.entries:
        try:
            found.append(read_archive(one.read(), limits))
        except TooManyEntriesError:
            return None
        except UnreadableSubmissionError as error:
            found.append(str(error))
            limits.size -= min(limits.size, limit_unpacked_size(one.size))
    return found


def unpack_file(archive: DownloadedFile, path: str, opened: SubmittedArchives, number: int) -> DownloadedFile:
    """Return a file of an archive, as if the student had submitted the file in place of the archive.

    number: the index of the archive in `opened`.
    """

    def read() -> bytes:
        loaded = load_archives(opened)
        assert loaded is not None
        contents = loaded[number]
        assert not isinstance(contents, str)
        return contents[path]

    size = len(read())
    entry = DownloadEntry(f"{archive.entry.path}/{path}", read, size, size)
    place = (PurePosixPath(archive.place).parent / path).as_posix()
    return replace(archive, entry=entry, file=entry.name, place=place, archive=archive.entry)


@dataclass(frozen=True)
class SubmittedNotebook:
    """Recognised notebook of a student. written: True if the notebook is in `submitted/` now."""

    assignment: str
    file: DownloadedFile
    written: bool

    @property
    def folder(self) -> PurePosixPath:
        return PurePosixPath(self.file.place).parent


def is_same_submission(one: DownloadedFile, other: DownloadedFile) -> bool:
    return (one.owners, one.number) == (other.owners, other.number)


def find_nearest(one: DownloadedFile, notebooks: Iterable[SubmittedNotebook]) -> list[SubmittedNotebook]:
    """Return the notebooks of the same submission whose folder has the most in common with a file's path."""
    mine = [notebook for notebook in notebooks if is_same_submission(notebook.file, one)]
    above = PurePosixPath(one.place).parent.parts

    def count_common(notebook: SubmittedNotebook) -> int:
        return len(os.path.commonprefix([above, notebook.folder.parts]))

    most = max(map(count_common, mine), default=0)
    return [notebook for notebook in mine if count_common(notebook) == most]


def make_relative_path(one: DownloadedFile, notebook: SubmittedNotebook) -> str:
    """Return a file's path in the student's folder, where the notebook has no folder above it.

    Raises UnreadableSubmissionError for a path that can't be stored there.
    """
    place = PurePosixPath(one.place)
    below = place.relative_to(notebook.folder) if place.is_relative_to(notebook.folder) else place
    check_path(below.as_posix(), list(below.parts))
    return below.as_posix()


def is_left_out(one: DownloadedFile, notebooks: Iterable[SubmittedNotebook]) -> bool:
    """Return True for a file that no one needs: typed text, an export of a notebook, or a hidden file."""
    parts = PurePosixPath(one.place).parts
    if not JUNK_FILES.isdisjoint(parts) or any(is_hidden(part) for part in parts if part != ".."):
        return True
    return (
        one.typed
        or one.file in NBGRADER_FILES
        or any(is_export(one.file, notebook.file.file) for notebook in notebooks)
    )


def is_export(name: str, notebook: str) -> bool:
    """Return True for the name of an HTML or PDF version of a notebook."""
    known = NOTEBOOK_NAME.fullmatch(notebook)
    stem = known["stem"] if known else PurePosixPath(notebook).stem
    if not name.lower().endswith(EXPORT_SUFFIXES) or not name.startswith(stem):
        return False
    return bool(PRINTED_NAME.fullmatch(PurePosixPath(name).stem.removeprefix(stem)))


def find_size_problem(paths: Iterable[str], size: int) -> str | None:
    """Return the reason why files can't be stored in a student's folder, or None. size: in bytes.

    The limits are those of a submission in grading.
    """
    if size > MAX_TOTAL_SIZE:
        return f"the submission has {format_limit(MAX_TOTAL_SIZE)} of files: copy the needed ones by hand"
    entries = {str(entry) for path in paths for entry in (PurePosixPath(path), *PurePosixPath(path).parents)}
    if len(entries) > MAX_SUBMITTED_FILES:
        return f"the submission has more than {MAX_SUBMITTED_FILES:,} files: copy the needed ones by hand"
    return None
