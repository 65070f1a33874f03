"""Files of a download from a learning platform: a zip archive or a folder.

A download contains untrusted files of students. So nothing is unpacked to disk, no link is followed, and a
file is read only on request, up to the maximum size of a notebook.
"""

import os
import stat
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from gradebox.course import CourseError
from gradebox.safe_submission_files import (
    JUNK_FILES,
    MAX_NOTEBOOK_SIZE,
    UnreadableSubmissionError,
    format_limit,
    read_file,
)

# Limit for the number of files in a download. A class of 10,000 may submit this many for one lesson.
MAX_DOWNLOAD_FILES = 500_000


@dataclass(frozen=True)
class DownloadEntry:
    """A file of a download.

    path: the path in the download, with slashes, and in Unicode normal form C (macOS decomposes accents).
    read: returns the content, or raises UnreadableSubmissionError with a message that continues the file's
    name.
    """

    path: str
    read: Callable[[], bytes]

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).name


@contextmanager
def open_download(path: Path) -> Iterator[list[DownloadEntry]]:
    """Open a download and return its files, which are readable inside the context.

    Raises CourseError if the path is neither a folder nor a zip archive.
    """
    if path.is_dir():
        yield list_entries(path, iter_folder_entries(path.resolve()))
        return
    try:
        archive = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise CourseError(f"{path} does not exist") from None
    except (zipfile.BadZipFile, OSError, NotImplementedError) as error:
        what = error.strerror if isinstance(error, OSError) else "not a zip archive, or incomplete"
        raise CourseError(f"{path} can't be opened: {what}") from None
    with archive:
        yield list_entries(path, iter_zip_entries(archive))


def list_entries(path: Path, entries: Iterator[tuple[str, Callable[[], bytes]]]) -> list[DownloadEntry]:
    found, every = list[DownloadEntry](), dict(entries)
    composed = {name: unicodedata.normalize("NFC", name) for name in every}
    # Keep names that normalization would make equal.
    twice = {name for name, count in Counter(composed.values()).items() if count > 1}
    for name, content in every.items():
        entry = DownloadEntry(name if composed[name] in twice else composed[name], content)
        if not JUNK_FILES.isdisjoint(PurePosixPath(name).parts) or entry.name.startswith("._"):
            continue
        if len(found) == MAX_DOWNLOAD_FILES:
            raise CourseError(f"{path} holds more than {MAX_DOWNLOAD_FILES:,} files")
        found.append(entry)
    return sorted(found, key=lambda entry: entry.path)


def iter_zip_entries(archive: zipfile.ZipFile) -> Iterator[tuple[str, Callable[[], bytes]]]:
    for info in archive.infolist():
        path = "/".join(
            part for part in decode_entry_name(info).replace("\\", "/").split("/") if part not in ("", ".")
        )
        if not info.is_dir() and path:
            yield path, partial(read_zip_entry, archive, info)


def decode_entry_name(info: zipfile.ZipInfo) -> str:
    """Return the name of a file in an archive. Some programs write UTF-8 without setting its flag."""
    if info.flag_bits & 0x800:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def read_zip_entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    if stat.S_ISLNK(info.external_attr >> 16):
        raise UnreadableSubmissionError("is a link: hand in what it points to")
    if info.flag_bits & 0x1:
        raise UnreadableSubmissionError("is encrypted")
    try:
        with archive.open(info) as file:
            # The size in the archive's directory may be wrong.
            content = file.read(MAX_NOTEBOOK_SIZE + 1)
    except Exception:
        # Each compression method raises different errors.
        raise UnreadableSubmissionError("can't be unpacked: the archive is damaged there") from None
    if len(content) > MAX_NOTEBOOK_SIZE:
        raise UnreadableSubmissionError(f"has {format_limit(MAX_NOTEBOOK_SIZE)}")
    return content


def iter_folder_entries(folder: Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    for parent, folders, names in os.walk(folder):
        linked = [name for name in folders if (Path(parent) / name).is_symlink()]
        for name in [*names, *linked]:
            path = Path(parent) / name
            yield path.relative_to(folder).as_posix(), partial(read_file, path)
