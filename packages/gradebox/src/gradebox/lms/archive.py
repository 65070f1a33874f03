"""What a download from a learning platform holds: the files of a zip archive, or of a folder.

A download has anything in it that students hand in, so nothing is unpacked to where its name says, no link is
followed, and a file is read when it is asked for, and never more of it than a notebook may have.
"""

import os
import stat
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path, PurePosixPath

from gradebox.course import CourseError
from gradebox.hand_in import LARGEST_NOTEBOOK, Unreadable, more_than

# Files of a download; a class of 10,000 hands in as many a lesson.
MOST = 500_000
# What programs leave in folders and archives, and nobody has handed in.
LITTER = {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", ".ipynb_checkpoints", "__pycache__"}


@dataclass(frozen=True)
class Entry:
    """A file of a download.

    path: its name in there, with slashes. modified: the date that the archive has for it, in the time zone of
    whoever made it. problem: why it can't be read, as an end to its name; None if it can.
    """

    path: str
    modified: datetime | None = None
    problem: str | None = None
    content: Callable[[], bytes] = field(default=lambda: b"", compare=False, repr=False)

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).name

    def read(self) -> bytes:
        """All of it. Raises Unreadable, with the problem as an end to its name."""
        if self.problem:
            raise Unreadable(self.problem)
        return self.content()


@contextmanager
def opened(path: Path) -> Iterator[list[Entry]]:
    """The files of a download, which can be read until this ends. Raises CourseError if it is none."""
    if path.is_dir():
        yield checked(path, in_folder(path))
        return
    try:
        archive = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise CourseError(f"there is no {path}") from None
    except (zipfile.BadZipFile, OSError, NotImplementedError) as error:
        what = error.strerror if isinstance(error, OSError) else "it is no zip archive, or not all of one"
        raise CourseError(f"{path} can't be opened: {what}") from None
    with archive:
        yield checked(path, in_archive(archive))


def checked(path: Path, entries: Iterator[Entry]) -> list[Entry]:
    found: list[Entry] = []
    for entry in entries:
        if not LITTER.isdisjoint(PurePosixPath(entry.path).parts) or entry.name.startswith("._"):
            continue
        if len(found) == MOST:
            raise CourseError(f"{path} holds more than {MOST:,} files")
        found.append(entry)
    return sorted(found, key=lambda entry: entry.path)


def in_archive(archive: zipfile.ZipFile) -> Iterator[Entry]:
    for info in archive.infolist():
        path = "/".join(part for part in decoded(info).replace("\\", "/").split("/") if part not in ("", "."))
        if info.is_dir() or not path:
            continue
        problem = None
        if stat.S_ISLNK(info.external_attr >> 16):
            problem = "is a link: hand in what it points to"
        elif info.flag_bits & 0x1:
            problem = "is encrypted"
        elif info.file_size > LARGEST_NOTEBOOK:
            problem = f"has {more_than(LARGEST_NOTEBOOK)}"
        yield Entry(path, date_of(info), problem, partial(unpacked, archive, info))


def decoded(info: zipfile.ZipInfo) -> str:
    """The name of a file in an archive. Some programs write UTF-8 and don't say so."""
    if info.flag_bits & 0x800:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def date_of(info: zipfile.ZipInfo) -> datetime | None:
    try:
        return datetime(*info.date_time)
    except ValueError:
        return None


def unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    try:
        with archive.open(info) as file:
            # What the archive says of a size may be a lie.
            content = file.read(LARGEST_NOTEBOOK + 1)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError):
        raise Unreadable("can't be unpacked: the archive is damaged there") from None
    except Exception as error:
        # Each way of packing has errors of its own.
        if type(error).__module__ not in ("zlib", "lzma", "bz2", "_lzma"):
            raise
        raise Unreadable("can't be unpacked: the archive is damaged there") from None
    if len(content) > LARGEST_NOTEBOOK:
        raise Unreadable(f"has {more_than(LARGEST_NOTEBOOK)}")
    return content


def in_folder(folder: Path) -> Iterator[Entry]:
    for parent, folders, names in os.walk(folder):
        linked = [name for name in folders if (Path(parent) / name).is_symlink()]
        for name in [*names, *linked]:
            path = Path(parent) / name
            status = path.lstat()
            problem = None
            if stat.S_ISLNK(status.st_mode):
                problem = "is a link: hand in what it points to"
            elif not stat.S_ISREG(status.st_mode):
                problem = "is a device or a pipe, not a file"
            elif status.st_size > LARGEST_NOTEBOOK:
                problem = f"has {more_than(LARGEST_NOTEBOOK)}"
            where = path.relative_to(folder).as_posix()
            yield Entry(where, datetime.fromtimestamp(status.st_mtime), problem, partial(from_disk, path))


def from_disk(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_NOTEBOOK + 1)
    except OSError as error:
        raise Unreadable(f"can't be opened: {error.strerror}") from None
    if len(content) > LARGEST_NOTEBOOK:
        raise Unreadable(f"has {more_than(LARGEST_NOTEBOOK)}")
    return content
