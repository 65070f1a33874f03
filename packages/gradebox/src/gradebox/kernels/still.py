"""Whether a kernel could be forked where it stands, and gone back to, as if nothing had happened since.

A fork has one thread of many, shares what is open with the process that it came from, and neither files nor
other processes go back. So all of that has to be as it was when the kernel began. It is looked at from
outside; what can't be looked at counts as a change.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from gradebox.kernels.namespaces import SHARED_MEMORY
from gradebox.kernels.watch import children, resident, threads

# Files that are looked at; a folder with more is not what it was.
MOST_FILES = 1000


class Moving(Exception):
    """It can't be said how things stand."""


@dataclass(frozen=True)
class Outside:
    """What a kernel has that is not in its memory.

    open: what its descriptors stand for. files: below its folder and in shared memory, by path, with what
    changes when they are written. shared: the memory that it shares and can write. caught: the signals that
    its code handles.
    """

    open: dict[str, str]
    files: dict[str, tuple[int, int, int]]
    shared: tuple[str, ...]
    caught: str


def alone(pid: int) -> bool:
    """Whether it is one thread, and has started nothing that is still there."""
    return threads(pid) == 1 and not list(children(pid))


def outside(pid: int, scratch: str, apart: bool) -> Outside:
    """What a kernel has now. apart: whether it has shared memory of its own. Raises Moving."""
    try:
        return Outside(open_in(pid), files_of(pid, scratch, apart), shared_by(pid), caught_by(pid))
    except (OSError, IndexError, StopIteration) as error:
        raise Moving(str(error)) from None


def open_in(pid: int) -> dict[str, str]:
    folder = f"/proc/{pid}/fd"
    return {number: os.readlink(f"{folder}/{number}") for number in os.listdir(folder)}


def files_of(pid: int, scratch: str, apart: bool) -> dict[str, tuple[int, int, int]]:
    root, found = f"/proc/{pid}/root", {}
    folders = [root + scratch, *([root + SHARED_MEMORY] if apart else [])]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                found[entry.path] = (status.st_ino, status.st_size, status.st_ctime_ns)
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                if len(found) > MOST_FILES:
                    raise Moving("it has many files")
    return found


def shared_by(pid: int) -> tuple[str, ...]:
    with open(f"/proc/{pid}/maps", "rb") as maps:
        return tuple(line.decode(errors="replace") for line in maps if b" rw-s " in line or b" rwxs " in line)


def caught_by(pid: int) -> str:
    with open(f"/proc/{pid}/status") as status:
        return next(line for line in status if line.startswith("SigCgt:"))


def small(pid: int, most: int) -> bool:
    """Whether it holds less memory than this of its own."""
    shared = int(Path(f"/proc/{pid}/statm").read_text().split()[2]) * os.sysconf("SC_PAGESIZE")
    return resident(pid) - shared < most
