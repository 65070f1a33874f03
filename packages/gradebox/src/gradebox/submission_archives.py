"""Read archives of students: zip files in submissions and in downloads of learning platforms.

Nothing is unpacked to disk, no link is followed, and limits apply to the unpacked sizes. `gradebox
autograde`, `gradebox collect` and the autograder for Gradescope use this module.
"""

import io
import stat
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from gradebox.printable_text import format_file_name
from gradebox.safe_submission_files import (
    JUNK_FILES,
    MAX_FOLDER_DEPTH,
    MAX_NOTEBOOK_SIZE,
    MAX_SUBMITTED_FILES,
    MAX_TOTAL_SIZE,
    NOTEBOOK_NAME,
    UnreadableSubmissionError,
    check_names,
    format_limit,
    is_hidden,
    may_be_notebook,
    open_files,
    read_descriptor,
    read_file,
    read_files,
)

# Ending of the archives that are opened; see ARCHIVE_SUFFIXES for others.
ZIP_SUFFIX = ".zip"
# The longest file name of common file systems, and the longest path in a student's folder, in bytes.
MAX_FILE_NAME_BYTES, MAX_PATH_BYTES = 255, 1_000
DAMAGED = "can't be unpacked: the archive is damaged"
# Limits for the expansion of compressed files: a factor, and a size in bytes that is always allowed. Repeated
# characters can have a thousandth of their size in an archive; notebooks have more than a hundredth.
MAX_EXPANSION, HARMLESS_SIZE = 100, 10 * 10**6
# Limit for all entries of a submission's archives: folders and hidden files, too. A hidden folder with
# libraries has more than 10,000.
MAX_ARCHIVE_ENTRIES = 50_000
# Compression methods whose memory is bounded while a file is read; all programs use them by default.
ZIP_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
# A function that returns the content of a file, up to a number of bytes.
ReadFunction = Callable[[int], bytes]


@dataclass(frozen=True)
class ArchivedFile:
    """File of an archive. path: with slashes, may contain "..". size, packed_size: in bytes.

    read: returns the content. Raises UnreadableSubmissionError for more than a number of bytes, with a
    message that continues the file's name.
    """

    path: str
    size: int
    packed_size: int
    read: ReadFunction


class TooManyEntriesError(UnreadableSubmissionError):
    """Error if the archives of a submission have too many entries together."""


@dataclass
class ArchiveLimits:
    """Remaining limits for the archives of a submission together.

    size: of all files, in bytes. files: the number of files. entries: the number of files, hidden files and
    folders, which all cost time.
    """

    size: int = MAX_TOTAL_SIZE
    files: int = field(default_factory=lambda: MAX_SUBMITTED_FILES)
    entries: int = MAX_ARCHIVE_ENTRIES

    def count_entries(self, count: int) -> None:
        self.entries -= count
        if self.entries < 0:
            raise TooManyEntriesError(f"holds more than {MAX_ARCHIVE_ENTRIES:,} files and folders")


def limit_unpacked_size(packed_size: int) -> int:
    """Return the maximum size of the files that may be unpacked from a number of bytes."""
    return min(MAX_TOTAL_SIZE, max(HARMLESS_SIZE, MAX_EXPANSION * packed_size))


def explain_unpacked_limit(packed_size: int) -> str:
    """Return the reason to refuse more than `limit_unpacked_size`, as a clause that continues a name."""
    if limit_unpacked_size(packed_size) == MAX_TOTAL_SIZE:
        return f"holds {format_limit(MAX_TOTAL_SIZE)} of files"
    return f"unpacks to more than {MAX_EXPANSION} times its size"


def is_readable_archive(path: str) -> bool:
    """Return True if a file's name is that of an archive that `read_archive` can open."""
    return path.lower().endswith(ZIP_SUFFIX)


def find_archive(path: str) -> str | None:
    """Return the path of the archive that contains an unpacked file; None for another file."""
    parts = path.split("/")
    ends = (end for end in range(1, len(parts)) if is_readable_archive(parts[end - 1]))
    return next(("/".join(parts[:end]) for end in ends), None)


def read_archive(raw: bytes, limits: ArchiveLimits | None = None) -> dict[str, bytes]:
    """Return the files of an archive, by relative path with slashes, without hidden files and junk.

    limits: the remaining limits of the submission, from which the archive's entries are subtracted. Raises
    UnreadableSubmissionError, with a message that continues the archive's name.
    """
    limits = limits or ArchiveLimits()
    found: dict[str, bytes] = {}
    folders: set[str] = set()
    left = limit_unpacked_size(len(raw))
    too_large = explain_unpacked_limit(len(raw))
    if left > limits.size:
        left, too_large = limits.size, f"brings the submission to {format_limit(MAX_TOTAL_SIZE)} of files"
    for one in iterate_zip(raw, limits):
        path, parts = one.path, one.path.split("/")
        check_path(path, parts)
        if not JUNK_FILES.isdisjoint(parts) or any(map(is_hidden, parts)):
            continue
        above = {"/".join(parts[:depth]) for depth in range(1, len(parts))}
        if path in found or path in folders or not above.isdisjoint(found):
            raise UnreadableSubmissionError(f"holds {format_file_name(path)} twice")
        if len(found) == limits.files:
            what = "holds" if limits.files == MAX_SUBMITTED_FILES else "brings the submission to"
            raise UnreadableSubmissionError(f"{what} more than {MAX_SUBMITTED_FILES:,} files")
        if one.size > left:
            raise UnreadableSubmissionError(too_large)
        try:
            found[path] = one.read(left)
        except UnreadableSubmissionError as error:
            raise UnreadableSubmissionError(f"can't be read: {format_file_name(path)} {error}") from None
        left -= len(found[path])
        folders |= above
    try:
        check_names(sorted({*found, *folders}))
    except UnreadableSubmissionError as error:
        raise UnreadableSubmissionError(f"can't be unpacked: {error}") from None
    limits.size -= min(limits.size, sum(map(len, found.values())))
    limits.files -= len(found)
    return found


def check_path(path: str, parts: list[str]) -> None:
    """Raise UnreadableSubmissionError for the path of a file that can't be stored in a folder."""
    if ".." in parts:
        raise UnreadableSubmissionError(
            f"holds {format_file_name(path)}, a path that leads out of the archive"
        )
    if len(parts) > MAX_FOLDER_DEPTH + 1:
        raise UnreadableSubmissionError(f"holds more than {MAX_FOLDER_DEPTH} levels of folders")
    if any(len(part.encode(errors="replace")) > MAX_FILE_NAME_BYTES or "\0" in part for part in parts):
        raise UnreadableSubmissionError("holds a file name that is too long or has a null character")
    if len(path.encode(errors="replace")) > MAX_PATH_BYTES:
        raise UnreadableSubmissionError(f"holds a path of more than {MAX_PATH_BYTES:,} bytes")


def iterate_zip(raw: bytes, limits: ArchiveLimits) -> Iterator[ArchivedFile]:
    """Yield the files of a zip archive."""
    # Reading the directory of an archive needs time and memory for each entry.
    limits.count_entries(raw.count(b"PK\1\2"))
    try:
        archive = zipfile.ZipFile(io.BytesIO(raw))
    except Exception:
        # A damaged archive raises errors of many types.
        raise UnreadableSubmissionError(DAMAGED) from None
    with archive:
        yield from iterate_zip_entries(archive)


def iterate_zip_entries(archive: zipfile.ZipFile, backslashes: bool = True) -> Iterator[ArchivedFile]:
    """Yield the files of an open zip archive. backslashes: they separate folders, too."""
    for info in archive.infolist():
        name = decode_entry_name(info)
        path = normalize_path(name, backslashes)
        if path and not name.endswith(("/", "\\") if backslashes else "/"):
            read = partial(read_zip_entry, archive, info)
            yield ArchivedFile(path, info.file_size, info.compress_size, read)


def normalize_path(path: str, backslashes: bool = True) -> str:
    """Return a relative path with slashes. Windows programs write backslashes."""
    path = path.replace("\\", "/") if backslashes else path
    return "/".join(part for part in path.split("/") if part not in ("", "."))


def decode_entry_name(info: zipfile.ZipInfo) -> str:
    """Return the name of a file in an archive. Some programs write UTF-8 without setting its flag."""
    if info.flag_bits & 0x800:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def read_zip_entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    """Return the content of a file.

    Raises UnreadableSubmissionError for more than `most` bytes, before anything is unpacked, and for a file
    that can't be read. The message continues the file's name.
    """
    if info.file_size > most:
        raise UnreadableSubmissionError(f"has {format_limit(most)}")
    if info.file_size > limit_unpacked_size(info.compress_size):
        raise UnreadableSubmissionError(explain_unpacked_limit(info.compress_size))
    if info.compress_type not in ZIP_METHODS:
        raise UnreadableSubmissionError("can't be unpacked here: pack it again as an ordinary .zip archive")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise UnreadableSubmissionError("is a link: hand in what it points to")
    if info.flag_bits & 0x1:
        raise UnreadableSubmissionError("is encrypted")
    try:
        with archive.open(info) as file:
            # If the size in the archive's directory is wrong, then reading stops there and fails.
            return file.read()
    except Exception:
        # Each compression method raises different errors.
        raise UnreadableSubmissionError("can't be unpacked: the archive is damaged there") from None


def iterate_submission(folder: Path) -> Iterator[tuple[str, ReadFunction]]:
    """Yield path and content of a submission's files; see `unpack_archives`.

    Read a file before the iteration continues. Raises UnreadableSubmissionError.
    """
    paths = [path for path, _ in open_files(folder)]
    if needs_unpacking(paths):
        for path, content in unpack_archives(dict(read_files(folder))).items():
            yield path, partial(limit_content, content)
        return
    for path, descriptor in open_files(folder):
        yield path, partial(read_descriptor, descriptor)


def limit_content(content: bytes, most: int) -> bytes:
    if len(content) > most:
        raise UnreadableSubmissionError(f"has {format_limit(most)}")
    return content


def needs_unpacking(paths: list[str]) -> bool:
    """Return True if a submission with these files has archives, but no file with a notebook's name."""
    notebooks = filter(NOTEBOOK_NAME.fullmatch, filter(may_be_notebook, paths))
    return not any(notebooks) and any(map(is_readable_archive, paths))


def unpack_archives(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Replace archives by their contents, if no file of the submission is named like a notebook.

    files: contents by relative path. The path of an unpacked file begins with the path of the archive.
    Archives in archives are not unpacked. Raises UnreadableSubmissionError.
    """
    if not needs_unpacking(list(files)):
        return dict(files)
    found: dict[str, bytes] = {}
    size = sum(len(one) for path, one in files.items() if not is_readable_archive(path))
    limits = ArchiveLimits(MAX_TOTAL_SIZE - size)
    for path, content in files.items():
        if not is_readable_archive(path):
            found[path] = content
            continue
        contents = unpack_archive(path, content, limits)
        found |= {f"{path}/{name}": one for name, one in contents.items()}
        if len(found) > MAX_SUBMITTED_FILES:
            raise UnreadableSubmissionError(f"the folder holds more than {MAX_SUBMITTED_FILES:,} files")
    return found


def unpack_archive(path: str, content: bytes, limits: ArchiveLimits) -> dict[str, bytes]:
    """Return the files of an archive, as `read_archive` does, with messages that begin with the path."""
    try:
        return read_archive(content, limits)
    except UnreadableSubmissionError as error:
        raise UnreadableSubmissionError(f"{format_file_name(path)} {error}") from None


def read_submitted_file(path: Path, folder: Path | None = None) -> bytes:
    """Read a file of a submission, as `read_file` does. The file may be in an archive."""
    try:
        return read_file(path, folder=folder)
    except UnreadableSubmissionError:
        own = folder or path.parent
        above = [one for one in path.parents if one.is_relative_to(own) and is_readable_archive(one.name)]
        if not above or not above[-1].is_file():
            raise
        archive = above[-1]
    name = path.relative_to(archive).as_posix()
    found = read_archive(read_file(archive, MAX_TOTAL_SIZE, own))
    if name not in found:
        raise UnreadableSubmissionError("is not in the archive")
    return limit_content(found[name], MAX_NOTEBOOK_SIZE)
