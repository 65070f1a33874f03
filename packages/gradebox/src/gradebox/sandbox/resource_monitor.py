"""What a kernel and the processes that it has started use, against its limits."""

import mmap
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

from gradebox.sandbox.rlimits import BLOCK_SIZE, FILE_SIZE_MARGIN, THREAD_ALLOWANCE, ResourceLimits


def list_children(pid: int) -> list[int]:
    """The processes that this one has started.

    As Linux lists them for each thread, which is quick, or, where it was built without that, as psutil does.
    """
    tasks = Path(f"/proc/{pid}/task")
    try:
        lists = [(tasks / thread / "children").read_text() for thread in os.listdir(tasks)]
        return [int(child) for each in lists for child in each.split()]
    except OSError:
        with suppress(psutil.Error):
            return [child.pid for child in psutil.Process(pid).children()]
        return []


def iterate_descendants(pid: int) -> Iterator[int]:
    """The processes that this one has started, those that they have started, and so on."""
    waiting = list_children(pid)
    while waiting:
        process = waiting.pop()
        yield process
        waiting += list_children(process)


def get_resident_memory(pid: int) -> int:
    """Bytes of memory that a process has touched, shared ones included."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * mmap.PAGESIZE
    except (OSError, IndexError):
        return 0


def get_proportional_memory(pid: int) -> int:
    """Bytes of memory of a process, where a page that n processes share counts 1/n.

    One that hides from being looked at is charged in full.
    """
    try:
        return psutil.Process(pid).memory_full_info().pss
    except psutil.NoSuchProcess:
        return 0
    except psutil.Error:
        return get_resident_memory(pid)


def get_size_on_disk(status: os.stat_result) -> int:
    return max(status.st_blocks * 512, BLOCK_SIZE)


def measure_folder(folder: str, most: int) -> int:
    """Bytes of disk below a folder; counting stops above `most`.

    A folder that can't be looked into, for its mode or for the length of its path, is one too many.
    """
    total, folders = 0, [folder]
    while folders and total <= most:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    try:
                        total += get_size_on_disk(entry.stat(follow_symlinks=False))
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


def count_threads(pid: int) -> int:
    """How many threads a process has."""
    try:
        return len(os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return 0


def is_process_alive(pid: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.Error:
        return False


def measure_deleted_files(processes: list[int], folder: str, most: int) -> int:
    """Bytes of disk of files that have no name any more, but are still open, or mapped from below a folder.

    A process that hides from being looked at has opened one too many. A file that is only mapped is charged
    with all that a file may have, where its size can't be told.
    """
    found: dict[int, int] = {}
    mapped: dict[int, str] = {}
    for process in processes:
        try:
            descriptors = os.listdir(f"/proc/{process}/fd")
        except OSError:
            if is_process_alive(process):
                return most + 1
            continue
        for descriptor in descriptors:
            try:
                status = os.stat(f"/proc/{process}/fd/{descriptor}")
            except OSError:
                continue
            if stat.S_ISREG(status.st_mode) and status.st_nlink == 0:
                found[status.st_ino] = get_size_on_disk(status)
        mapped |= find_deleted_mappings(process, folder)
    for number, path in mapped.items():
        if number not in found:
            try:
                found[number] = get_size_on_disk(os.stat(path))
            except OSError:
                found[number] = max(most - FILE_SIZE_MARGIN, BLOCK_SIZE)
    return sum(found.values())


def find_deleted_mappings(process: int, folder: str) -> dict[int, str]:
    """The files from below a folder that a process has mapped and that have no name any more.

    By their number on the disk; the superuser can look at them by the paths.
    """
    try:
        text = Path(f"/proc/{process}/maps").read_bytes()
    except OSError:
        return {}
    if b"(deleted)" not in text:
        return {}
    found, begins = {}, f"{folder}/".encode()
    for line in text.splitlines():
        fields = line.split(maxsplit=5)
        if len(fields) == 6 and fields[5].startswith(begins) and fields[5].endswith(b" (deleted)"):
            # The two zeros that `maps` may have before an address are none in the name of the link.
            start, end = (int(address, 16) for address in fields[0].split(b"-"))
            found[int(fields[4])] = f"/proc/{process}/map_files/{start:x}-{end:x}"
    return found


class ResourceMonitor:
    """Looks at what the children of one process use, and at their scratch folder, with their limits.

    fixed: whether that folder is a file system of fixed size for them, which needs no look.
    """

    def __init__(self, parent: int, scratch: str, limits: ResourceLimits, fixed: bool = False):
        self.parent = parent
        self.scratch = scratch
        self.limits = limits
        self.fixed = fixed
        # What was there before the student's code is not the student's.
        self.before = 0 if fixed else measure_folder(self.scratch, 2**62)

    def broken(self) -> str | None:
        """Which limit is broken now: "memory", "processes" or "files"; None if none is."""
        processes = list(iterate_descendants(self.parent))
        # The first of them only waits for the others.
        if len(processes) - 1 > self.limits.processes:
            return "processes"
        if sum(map(count_threads, processes)) > self.limits.processes + THREAD_ALLOWANCE:
            return "processes"
        # Shared pages count many times in the quick sum; the slow one is asked only when it matters.
        if sum(map(get_resident_memory, processes)) > self.limits.memory:
            if sum(map(get_proportional_memory, processes)) > self.limits.memory:
                return "memory"
        return None if self.fixed or self.files_fit(processes) else "files"

    def files_fit(self, processes: list[int]) -> bool:
        """Whether the files of these processes are not too large together."""
        deleted = measure_deleted_files(processes, self.scratch, self.limits.files)
        most = self.before + self.limits.files
        return measure_folder(self.scratch, most) + deleted <= most
