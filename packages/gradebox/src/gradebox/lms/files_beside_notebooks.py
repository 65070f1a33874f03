"""Find the files that students submit with a notebook: modules, data, pictures, and files in archives.

Used by `collect.py`. The platform's name of a file decides who owns the file. Names in an archive don't.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import PurePosixPath

from gradebox.lms.download_archive import DownloadEntry
from gradebox.lms.filename_patterns import NBGRADER_FILES, DownloadedFile
from gradebox.safe_submission_files import (
    ARCHIVE_SUFFIXES,
    JUNK_FILES,
    MAX_SUBMITTED_FILES,
    MAX_TOTAL_SIZE,
    NOTEBOOK_NAME,
    UnreadableSubmissionError,
    format_limit,
    is_hidden,
)
from gradebox.submission_archives import check_path, is_readable_archive, read_archive

EXPORT_SUFFIXES = (".html", ".htm", ".pdf")
# Additions of browsers to the name of a notebook that is printed to a file.
PRINTED_NAME = re.compile(
    r"(?:\.ipynb)?(?: *(?:\(\d+\)|- (?:colab\w*|jupyter\w*(?: notebook)?)))?", re.IGNORECASE
)


def open_archives(files: Iterable[DownloadedFile]) -> Iterator[tuple[DownloadedFile, str | None]]:
    """Yield the files of a download, with the files of archives that contain a notebook.

    Yields the reason why an archive can't be opened, or None, with each file. Other archives are data.
    """
    for one in files:
        name = one.entry.name
        if one.typed or not name.lower().endswith(ARCHIVE_SUFFIXES):
            yield one, None
        elif not is_readable_archive(name):
            yield (
                one,
                "is an archive that can't be opened here: ask for a .zip archive or the notebook itself",
            )
        else:
            try:
                contents = load_archive(one.entry)
            except UnreadableSubmissionError as error:
                yield one, f"{error}; ask for the notebook itself"
                continue
            if any(map(NOTEBOOK_NAME.fullmatch, contents)):
                for path in contents:
                    yield unpack_file(one, path), None
            else:
                yield one, None


@lru_cache(maxsize=1)
def load_archive(entry: DownloadEntry) -> Mapping[str, bytes]:
    """Return the files of an archive. Only the last archive is cached: a class may submit many large ones."""
    return read_archive(entry.read(), entry.name)


def unpack_file(archive: DownloadedFile, path: str) -> DownloadedFile:
    """Return a file of an archive, as if the student had submitted the file in place of the archive."""
    entry = DownloadEntry(f"{archive.entry.path}/{path}", lambda: load_archive(archive.entry)[path])
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
    """Return True for a file that no one needs: an export of a notebook, a hidden file, or junk."""
    parts = PurePosixPath(one.place).parts
    if not JUNK_FILES.isdisjoint(parts) or any(is_hidden(part) for part in parts if part != ".."):
        return True
    return one.file in NBGRADER_FILES or any(
        is_export(one.file, notebook.file.file) for notebook in notebooks
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
