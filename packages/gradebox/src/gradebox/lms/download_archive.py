"""Files of a download from a learning platform: a zip archive or a folder.

A download contains untrusted files of students. So nothing is unpacked to disk, no link is followed, and a
file is read only on request, up to the maximum size of a notebook.
"""

import os
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath

from gradebox.course import CourseError
from gradebox.csv_table import find_workbook_kind, read_csv_table
from gradebox.lms.canvas_file_names import has_windows_paths
from gradebox.safe_submission_files import JUNK_FILES, MAX_NOTEBOOK_SIZE, UnreadableSubmissionError, read_file
from gradebox.submission_archives import decode_entry_name, iterate_zip_entries

# Limit for the number of files in a download. A class of 10,000 may submit this many for one lesson.
MAX_DOWNLOAD_FILES = 500_000


@dataclass(frozen=True)
class DownloadEntry:
    """A file of a download.

    path: the path in the download, with slashes, and in Unicode normal form C (macOS decomposes accents).
    read: returns the content, or raises UnreadableSubmissionError with a message that continues the file's
    name. size, packed_size: in bytes, as a file and in the download.
    """

    path: str
    read: Callable[[], bytes]
    size: int
    packed_size: int

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).name


@contextmanager
def open_download(path: Path) -> Iterator[list[DownloadEntry]]:
    """Open a download and return its files, which are readable inside the context.

    Raises CourseError if the path is neither a folder nor a zip archive.
    """
    if path.is_dir():
        yield select_entries(path, iter_folder_entries(path.resolve()))
        return
    try:
        archive = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise CourseError(f"{path} does not exist") from None
    except OSError as error:
        raise CourseError(f"{path} can't be opened: {error.strerror}") from None
    except (zipfile.BadZipFile, NotImplementedError):
        what = "not a zip archive, or incomplete: download it again"
        if is_table(path):
            what = "a table, not a download: name the zip archive or the folder with the submissions"
        raise CourseError(f"{path} is {what}") from None
    with archive:
        if kind := find_workbook_kind(archive.namelist()):
            raise CourseError(
                f"{path} is {kind}, not a download: name the zip archive or the folder with the submissions"
            )
        yield select_entries(path, iter_zip_entries(archive))


def is_table(path: Path) -> bool:
    """Return True if a file is a table, such as Moodle's worksheet or Canvas's gradebook."""
    try:
        return bool(read_csv_table(path))
    except CourseError:
        return False


def select_entries(path: Path, entries: Iterable[DownloadEntry]) -> list[DownloadEntry]:
    """Return the entries of a download in order, without junk, and with normalized paths.

    Raises CourseError for too many files.
    """
    found, every = list[DownloadEntry](), dict[str, DownloadEntry]()
    for entry in entries:
        every[entry.path] = replace(entry, read=refuse_duplicate) if entry.path in every else entry
    composed = {name: unicodedata.normalize("NFC", name) for name in every}
    # Keep names that normalization would make equal.
    twice = {name for name, count in Counter(composed.values()).items() if count > 1}
    for name, entry in every.items():
        if composed[name] not in twice:
            entry = replace(entry, path=composed[name])
        if not JUNK_FILES.isdisjoint(PurePosixPath(name).parts) or entry.name.startswith("._"):
            continue
        if len(found) == MAX_DOWNLOAD_FILES:
            raise CourseError(f"{path} holds more than {MAX_DOWNLOAD_FILES:,} files")
        found.append(entry)
    return sorted(found, key=lambda entry: entry.path)


def refuse_duplicate() -> bytes:
    raise UnreadableSubmissionError("is in the download twice: look at both files there")


def iter_zip_entries(archive: zipfile.ZipFile) -> Iterator[DownloadEntry]:
    windows = has_windows_paths(map(decode_entry_name, archive.infolist()))
    for one in iterate_zip_entries(archive, windows):
        yield DownloadEntry(one.path, partial(one.read, MAX_NOTEBOOK_SIZE), one.size, one.packed_size)


def iter_folder_entries(folder: Path) -> Iterator[DownloadEntry]:
    for parent, folders, names in os.walk(folder):
        linked = [name for name in folders if (Path(parent) / name).is_symlink()]
        for name in [*names, *linked]:
            path = Path(parent) / name
            try:
                size = path.lstat().st_size
            except OSError:
                # The path is too long, or the file was deleted. Reading the file gives the reason.
                size = 0
            # Text for a name in another encoding, which a database would reject.
            shown = path.relative_to(folder).as_posix().encode(errors="backslashreplace").decode()
            yield DownloadEntry(shown, partial(read_file, path), size, size)
