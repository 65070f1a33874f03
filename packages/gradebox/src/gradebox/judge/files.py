"""Files that one process has written and the other one reads: copies, in its own folder, by the same path.

A test finds what the student's code has written, and the student's code what a test has written and names.
What the instructor put beside the notebook stays as it is. Nothing comes here that Python would run: no
modules; of pickles see `pickles.py`.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from importlib import machinery
from pathlib import Path, PurePath, PurePosixPath
from typing import Any

from gradebox.judge.asker import Asker
from gradebox.judge.protocol import Malformed

# How many files may come or go at once, and how many are looked at.
MOST_FILES, MOST_KNOWN = 200, 10**5
LARGEST_FILE, DEEPEST = 2**27, 8
# Python runs these, or looks for more in them.
RUN = (*machinery.all_suffixes(), ".pth", ".zip", ".egg", ".whl", ".mplstyle", ".ipy", ".ipynb")
NEVER = {"__pycache__", "matplotlibrc", "conftest"}
State = tuple[int, int, int]


class Written:
    """Files of this process's folder, as they were when it began or were looked at last."""

    def __init__(self) -> None:
        self.folder = Path.cwd()
        self.known = dict(found(self.folder))
        self.began = dict(self.known)

    def changed(self) -> list[list[Any]]:
        """What is new, changed or gone since then: (path, its size; -1 if it is gone)."""
        now = dict(found(self.folder))
        said: list[list[Any]] = [
            [path, state[0]] for path, state in now.items() if self.known.get(path) != state
        ]
        said += [[path, -1] for path in self.known if path not in now]
        self.known = now
        return said

    def read(self, path: str) -> bytes:
        with open(self.folder / path, "rb") as file:
            return file.read(LARGEST_FILE)

    def write(self, path: str, data: bytes) -> None:
        """Write a file, which is no news then."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        self.known[path] = state_of(target.lstat())

    def remove(self, path: str) -> None:
        (self.folder / path).unlink(missing_ok=True)
        self.known.pop(path, None)


def found(folder: Path) -> Iterator[tuple[str, State]]:
    """The files in a folder, each with what tells whether it was changed. No links, nothing hidden."""
    waiting, seen = [("", 0)], 0
    while waiting:
        inner, depth = waiting.pop()
        with suppress(OSError), os.scandir(folder / inner) as entries:
            for entry in entries:
                path = f"{inner}{entry.name}"
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting += [(f"{path}/", depth + 1)] if depth < DEEPEST else []
                elif entry.is_file(follow_symlinks=False) and seen < MOST_KNOWN:
                    seen += 1
                    yield path, state_of(entry.stat(follow_symlinks=False))


def state_of(found: os.stat_result) -> State:
    return found.st_size, found.st_mtime_ns, found.st_ino if stat.S_ISREG(found.st_mode) else 0


def harmless(path: Any) -> bool:
    """Whether a file of this path can be put into a folder, and nothing there runs it."""
    if type(path) is not str or not path or len(path) > 500 or "\\" in path or "\0" in path:
        return False
    pure = PurePosixPath(path)
    if pure.is_absolute() or str(pure) != path or len(pure.parts) > DEEPEST + 1:
        return False
    if any(part in (".", "..") or part.startswith(".") or part.split(".")[0] in NEVER for part in pure.parts):
        return False
    return not path.lower().endswith(RUN)


class Copies:
    """The judge's side. mentioned: names of files in the reference solutions.

    copies: the paths of files that came from the student's process.
    """

    def __init__(self, link: Asker, files: bool, mentioned: frozenset[str]):
        self.link, self.mentioned = link, mentioned
        self.written = Written() if files else None
        self.copies: set[str] = set()
        self.told: dict[str, State] = {}

    def originals(self) -> Iterator[Path]:
        """The instructor's files that are as they were."""
        if self.written:
            for path, state in found(self.written.folder):
                if self.written.began.get(path) == state:
                    yield self.written.folder / path

    def come(self) -> None:
        """Take over what the student's process has written. Raises Broken."""
        if self.written is None or self.link.broken:
            return
        said = self.link.ask("files")
        if type(said) is not list or any(type(one) is not list or len(one) != 2 for one in said):
            raise self.link.tampered("the submission's process has sent no files")
        for path, size in said[:MOST_FILES]:
            if not harmless(path) or type(size) is not int or path in self.written.began:
                continue
            if path not in self.copies and os.path.lexists(self.written.folder / path):
                # A test has written it.
                continue
            if size < 0:
                if path in self.copies:
                    self.written.remove(path)
                continue
            with suppress(OSError, Malformed):
                data = self.link.ask("read", path) if size <= LARGEST_FILE else None
                if type(data) is bytes:
                    self.written.write(path, data)
                    self.copies.add(path)

    def go(self, *what: Any) -> None:
        """Give the student's process what the test has written and what it is about to be asked names."""
        if self.written is None:
            return
        words = {str(one) for one in every(what) if isinstance(one, str | PurePath)}
        here = str(self.written.folder)
        words = {
            os.path.relpath(one, here) if one.startswith(here) else os.path.normpath(one)
            for one in words
            if one
        }
        for path, state in found(self.written.folder):
            named = path in words or PurePosixPath(path).name in self.mentioned or path in self.mentioned
            new = self.written.known.get(path) != state and self.told.get(path) != state
            if named and new:
                self.told[path] = state
                self.link.ask("write", path, self.written.read(path))


def every(values: Any) -> Iterator[Any]:
    """The values in nested lists, tuples and dicts, as far as they are arguments."""
    for value in values:
        if isinstance(value, dict):
            yield from value.values()
        elif isinstance(value, list | tuple):
            yield from value
        else:
            yield value
