"""Search the files of a course that can't be redacted for a student's names. Never follows links."""

import html
import os
import re
import sqlite3
import tarfile
import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path
from urllib.parse import quote

from gradebox.csv_table import detect_encoding
from gradebox.erasure.redact_tables import REDACTORS, RedactionError, redact_content
from gradebox.erasure.student_identity import StudentIdentity

# In bytes, also of an unpacked document.
MAX_SEARCH_SIZE = 100 * 10**6
# Folders with programs, and with copies of files in a form that can't be searched.
SKIPPED_FOLDERS = {".git", "__pycache__", "node_modules"}
ENVIRONMENT_MARKS = ("pyvenv.cfg", "conda-meta")
# Documents that are archives of XML.
DOCUMENT_SUFFIXES = {".xlsx", ".docx", ".pptx", ".ods", ".odt", ".odp"}
# In code, an id such as `max` or `test` is rarely a student.
CODE_SUFFIXES = {".py", ".ipynb", ".toml", ".cfg", ".ini", ".yml", ".yaml", ".sh", ".js", ".css", ".html", ""}
TAG = re.compile(r"<[^>]*>")
# First bytes of compressed files: gzip, bzip2, xz, zstd, 7z and RAR.
COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf", b"Rar!")
UNICODE_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


class UnsearchableError(Exception):
    """Error for a file whose text can't be read, such as a PDF or a compressed file."""


def find_files(root: Path, skipped: Collection[Path]) -> Iterator[Path]:
    """Yield the files of a course, without these folders, environments, caches and links."""
    for here, folders, names in os.walk(root):
        folders[:] = sorted(
            name
            for name in folders
            if name not in SKIPPED_FOLDERS
            and (path := Path(here, name)) not in skipped
            and not any((path / mark).exists() for mark in ENVIRONMENT_MARKS)
        )
        for name in sorted(names):
            path = Path(here, name)
            if not path.is_symlink() and path.is_file() and not is_database_log(path):
                yield path


def is_database_log(path: Path) -> bool:
    """Return True for SQLite's files beside a database, which are read with the database."""
    base, dash, kind = path.name.rpartition("-")
    return bool(dash) and kind in ("wal", "shm", "journal") and path.with_name(base).is_file()


def find_mentions(path: Path, name: str, person: StudentIdentity) -> bool:
    """Return True if a file, or its name in the course, mentions a student. Raises UnsearchableError.

    Of an archive, the names of its files are searched; if they do not mention the student, the archive is
    not searchable.
    """
    if person.is_named_in_path(name) or person.may_be_named_in(name):
        return True
    content = read_content(path)
    words = path.suffix.lower() not in CODE_SUFFIXES
    if content.startswith(b"SQLite format 3\0"):
        return person.is_in_bytes(content) or any(
            person.owns(cell) or person.may_be_named_in(cell, words=False)
            for cell in read_database_text(path)
        )
    if is_archive(path, content):
        texts = [*list_archive_members(path), *read_document(path)]
        found = any(person.may_be_named_in(text, words) for text in texts)
        if not found and path.suffix.lower() not in DOCUMENT_SUFFIXES:
            raise UnsearchableError
        return found
    return person.may_be_named_in(decode_text(content), words) or is_in_table(path, content, person)


def read_content(path: Path) -> bytes:
    """Return the content of a file. Raises UnsearchableError."""
    try:
        if path.stat().st_size > MAX_SEARCH_SIZE:
            raise UnsearchableError
        return path.read_bytes()
    except OSError:
        raise UnsearchableError from None


def is_archive(path: Path, content: bytes) -> bool:
    return zipfile.is_zipfile(path) or path.suffix == ".tar" or content.startswith(COMPRESSED)


def is_in_table(path: Path, content: bytes, person: StudentIdentity) -> bool:
    """Return True if rows of a table or list mention a student, also with the name in separate cells."""
    kind = path.suffix.lower()
    if kind not in REDACTORS:
        return False
    try:
        found = redact_content(kind, content, person)
    except RedactionError:
        return False
    return bool(found.removed or found.still)


def find_possible_number(path: Path, person: StudentIdentity) -> bool:
    """Return True if a text file contains a number that may be a student's short id."""
    try:
        return person.number_may_be_in(decode_text(read_content(path)))
    except UnsearchableError:
        return False


def decode_text(content: bytes) -> str:
    """Return the text of a file, without the escapes of HTML and JSON. Raises UnsearchableError."""
    text = content.decode(detect_encoding(content))
    if "\0" in text:
        raise UnsearchableError
    text = UNICODE_ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
    return html.unescape(text)


def read_document(path: Path) -> Iterator[str]:
    """Yield the text of the parts of an office document; nothing for any other file.

    A part is yielded twice: with blanks for its tags, which separate cells, and without, because tags may
    split words. Raises UnsearchableError.
    """
    if path.suffix.lower() not in DOCUMENT_SUFFIXES:
        return
    try:
        with zipfile.ZipFile(path) as archive:
            members = [one for one in archive.infolist() if one.filename.endswith(".xml")]
            if sum(one.file_size for one in members) > MAX_SEARCH_SIZE:
                raise UnsearchableError
            for member in members:
                text = archive.read(member).decode(errors="replace")
                yield from (html.unescape(TAG.sub(blank, text)) for blank in (" ", ""))
    except (OSError, EOFError, RuntimeError, NotImplementedError, zipfile.BadZipFile):
        raise UnsearchableError from None


def list_archive_members(path: Path) -> list[str]:
    """Return the names of the files in an archive; an empty list for any other file."""
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                return archive.namelist()
        if path.suffix in (".tar", ".gz", ".tgz", ".xz", ".bz2") and tarfile.is_tarfile(path):
            with tarfile.open(path) as archive:
                return archive.getnames()
    except (OSError, EOFError, zipfile.BadZipFile, tarfile.TarError):
        pass
    return []


def read_database_text(path: Path) -> Iterator[str]:
    """Yield the text of the cells of a SQLite database, such as a copy of a gradebook.

    Raises UnsearchableError.
    """
    try:
        connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)
        try:
            for (table,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'"
            ).fetchall():
                for row in connection.execute('SELECT * FROM "{}"'.format(table.replace('"', '""'))):
                    yield from (cell for cell in row if isinstance(cell, str))
        finally:
            connection.close()
    except sqlite3.Error:
        raise UnsearchableError from None
