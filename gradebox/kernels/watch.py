"""What a kernel and the processes that it has started use, against its limits."""

import os
from collections.abc import Iterator
from pathlib import Path

import psutil

from gradebox.kernels.sandbox import Limits

PAGE = os.sysconf("SC_PAGE_SIZE")
# A file costs at least this much, so that endless empty files are noticed too.
BLOCK = 4096


def descendants(pid: int) -> Iterator[int]:
    """The processes that this one has started, and theirs, as the kernel lists them."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except FileNotFoundError:
        return
    for thread in threads:
        try:
            children = Path(f"/proc/{pid}/task/{thread}/children").read_text().split()
        except OSError:
            continue
        for child in map(int, children):
            yield child
            yield from descendants(child)


def resident(pid: int) -> int:
    """Bytes of memory that a process has touched, shared ones included."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


def proportional(pid: int) -> int:
    """Bytes of memory of a process, where a page that n processes share counts 1/n."""
    try:
        return psutil.Process(pid).memory_full_info().pss
    except psutil.Error:
        return 0


def used_by_files(folder: str, most: int) -> int:
    """Bytes of disk below a folder; counting stops above `most`."""
    total, folders = 0, [folder]
    while folders and total <= most:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    total += max(entry.stat(follow_symlinks=False).st_blocks * 512, BLOCK)
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    if total > most:
                        break
        except OSError:
            continue
    return total


class Watch:
    """Looks at one kernel, in its scratch folder, with its limits."""

    def __init__(self, pid: int, scratch: Path, limits: Limits):
        self.pid = pid
        self.scratch = str(scratch)
        self.limits = limits
        # What was there before the student's code is not the student's.
        self.before = used_by_files(self.scratch, 2**62)

    def broken(self) -> str | None:
        """Which limit is broken now: "memory", "processes" or "files"; None if none is."""
        processes = [self.pid, *descendants(self.pid)]
        if len(processes) > self.limits.processes:
            return "processes"
        # Shared pages count many times in the quick sum; the slow one is asked only when it matters.
        if sum(map(resident, processes)) > self.limits.memory:
            if sum(map(proportional, processes)) > self.limits.memory:
                return "memory"
        return self.files_broken()

    def files_broken(self) -> str | None:
        most = self.before + self.limits.files
        return "files" if used_by_files(self.scratch, most) > most else None
