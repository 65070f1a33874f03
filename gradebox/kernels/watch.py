"""What a kernel and the processes that it has started use, against its limits."""

import mmap
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import psutil

from gradebox.kernels.limits import THREADS, Limits

# A file costs at least this much, so that endless empty files are noticed too.
BLOCK = 4096


def children(pid: int) -> Iterator[int]:
    """The processes that this one has started.

    As Linux lists them for each thread, or, where it was built without that, as all processes' parents say.
    """
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            yield from map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    except OSError:
        if not listed():
            yield from (process for process, parent in parents() if parent == pid)


@cache
def listed() -> bool:
    """Whether this Linux lists the children of a process."""
    return Path(f"/proc/self/task/{os.getpid()}/children").exists()


def parents() -> Iterator[tuple[int, int]]:
    """Every process that can be seen, and its parent."""
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            yield process.pid, process.ppid()


def descendants(pid: int) -> Iterator[int]:
    """The processes that this one has started, those that they have started, and so on."""
    waiting = list(children(pid))
    while waiting:
        process = waiting.pop()
        yield process
        waiting += children(process)


def resident(pid: int) -> int:
    """Bytes of memory that a process has touched, shared ones included."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * mmap.PAGESIZE
    except (OSError, IndexError):
        return 0


def proportional(pid: int) -> int:
    """Bytes of memory of a process, where a page that n processes share counts 1/n.

    One that hides from being looked at is charged in full.
    """
    try:
        return psutil.Process(pid).memory_full_info().pss
    except psutil.NoSuchProcess:
        return 0
    except psutil.Error:
        return resident(pid)


def on_disk(status: os.stat_result) -> int:
    return max(status.st_blocks * 512, BLOCK)


def used_by_files(folder: str, most: int) -> int:
    """Bytes of disk below a folder; counting stops above `most`.

    A folder that can't be looked into, for its mode or for the length of its path, is one too many.
    """
    total, folders = 0, [folder]
    while folders and total <= most:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    try:
                        total += on_disk(entry.stat(follow_symlinks=False))
                    except FileNotFoundError:
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    if total > most:
                        break
        except FileNotFoundError:
            continue
        except OSError:
            return most + 1
    return total


def threads(pid: int) -> int:
    """How many threads a process has."""
    try:
        return len(os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return 0


def alive(pid: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.Error:
        return False


def used_by_deleted_files(processes: list[int], most: int) -> int:
    """Bytes of disk of files that have no name any more, but are still open.

    A process that hides from being looked at has opened one too many.
    """
    found = {}
    for process in processes:
        try:
            descriptors = os.listdir(f"/proc/{process}/fd")
        except OSError:
            if alive(process):
                return most + 1
            continue
        for descriptor in descriptors:
            try:
                status = os.stat(f"/proc/{process}/fd/{descriptor}")
            except OSError:
                continue
            if stat.S_ISREG(status.st_mode) and status.st_nlink == 0:
                found[status.st_dev, status.st_ino] = on_disk(status)
    return sum(found.values())


class Watch:
    """Looks at what the children of one process use, and at their scratch folder, with their limits."""

    def __init__(self, parent: int, scratch: str, limits: Limits):
        self.parent = parent
        self.scratch = scratch
        self.limits = limits
        # What was there before the student's code is not the student's.
        self.before = used_by_files(self.scratch, 2**62)

    def broken(self) -> str | None:
        """Which limit is broken now: "memory", "processes" or "files"; None if none is."""
        processes = list(descendants(self.parent))
        # The first of them only waits for the others.
        if len(processes) - 1 > self.limits.processes:
            return "processes"
        if sum(map(threads, processes)) > self.limits.processes + THREADS:
            return "processes"
        # Shared pages count many times in the quick sum; the slow one is asked only when it matters.
        if sum(map(resident, processes)) > self.limits.memory:
            if sum(map(proportional, processes)) > self.limits.memory:
                return "memory"
        most = self.before + self.limits.files
        if used_by_files(self.scratch, most) + used_by_deleted_files(processes, most) > most:
            return "files"
        return None
