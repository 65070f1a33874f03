"""Search the files of a course for a student's id and names. Never follows links."""

import html
import os
import re
import unicodedata
from collections.abc import Collection, Iterator
from pathlib import Path

from gradebox.csv_table import detect_encoding

# In bytes.
MAX_SEARCH_SIZE = 100 * 10**6
# Folders of programs, besides hidden ones, and the files in Python environments and in a Python project.
PROGRAM_FOLDERS = {"__pycache__", "node_modules"}
PROGRAM_MARKS = ("pyvenv.cfg", "conda-meta", "pyproject.toml")
# A hidden folder with copies of notebooks.
CHECKPOINTS = ".ipynb_checkpoints"
UNICODE_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
# Characters that no text file has. Logs of terminals have escape characters.
BINARY = re.compile(r"[\0-\x08\x0e-\x1a\x1c-\x1f]")


class UnsearchableError(Exception):
    """Error for a file whose text can't be read, such as an archive, a PDF or a picture."""


def compile_names(names: Collection[str]) -> re.Pattern[str]:
    """Return a pattern that finds names as whole words, in any case, with any separators between words."""
    words = (r"[\W_]+".join(map(re.escape, unicodedata.normalize("NFKC", name).split())) for name in names)
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(filter(None, words))})(?![^\W_])", re.IGNORECASE)


def is_named_in(text: str, names: re.Pattern[str]) -> bool:
    return names.search(unicodedata.normalize("NFKC", text)) is not None


def is_named_in_file(path: Path, name: str, names: re.Pattern[str]) -> bool:
    """Return True if a file, or its name in the course, contains one of the names.

    Raises UnsearchableError for a file that is not text.
    """
    if is_named_in(name, names):
        return True
    try:
        if path.stat().st_size > MAX_SEARCH_SIZE:
            raise UnsearchableError
        content = path.read_bytes()
    except OSError:
        raise UnsearchableError from None
    text = content.decode(detect_encoding(content))
    if BINARY.search(text):
        raise UnsearchableError
    # Escapes of JSON and HTML.
    text = UNICODE_ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
    return is_named_in(html.unescape(text), names)


def find_files(root: Path, skipped: Collection[Path]) -> Iterator[Path]:
    """Yield the files of a course, without these files and folders, programs, hidden folders and links."""
    for here, folders, names in os.walk(root):
        folders[:] = sorted(
            name
            for name in folders
            if name not in PROGRAM_FOLDERS
            and (name == CHECKPOINTS or not name.startswith("."))
            and (path := Path(here, name)) not in skipped
            and not any((path / mark).exists() for mark in PROGRAM_MARKS)
        )
        paths = (Path(here, name) for name in sorted(names))
        yield from (
            path for path in paths if path not in skipped and not path.is_symlink() and path.is_file()
        )
