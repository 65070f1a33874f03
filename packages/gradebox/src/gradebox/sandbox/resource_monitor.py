"""Measure the resources of a kernel and its child processes, and compare them with the limits."""

from __future__ import annotations

import mmap
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

from gradebox.sandbox.rlimits import BLOCK_SIZE, FILE_SIZE_MARGIN, THREAD_ALLOWANCE, ResourceLimits


def list_children(pid: int) -> list[int]:
    """Return the processes that a process has started.

    Uses Linux's list for each thread, which is quick, or psutil where Linux was built without these lists.
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
    """Yield all descendants of a process."""
    waiting = list_children(pid)
    while waiting:
        process = waiting.pop()
        yield process
        waiting += list_children(process)


def get_resident_memory(pid: int) -> int:
    """Return the resident memory of a process in bytes, shared memory included."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * mmap.PAGESIZE
    except (OSError, IndexError):
        return 0


def get_proportional_memory(pid: int) -> int:
    """Return the memory of a process in bytes, where a page that n processes share counts 1/n.

    A process that can't be inspected is charged in full.
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
    """Return the bytes of disk used below a folder; counting stops above `most`.

    A folder that can't be read, because of its mode or the length of its path, gives `most + 1`.
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
    """Return the number of threads of a process."""
    try:
        return len(os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return 0


def is_process_alive(pid: int) -> bool:
    """Return True if a process exists and has not ended."""
    try:
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.Error:
        return False


def measure_deleted_files(processes: list[int], folder: str, most: int) -> int:
    """Return the bytes of disk of deleted files that are still open, or mapped from below a folder.

    A process that can't be inspected gives `most + 1`. A file that is only mapped is charged with the largest
    permitted size if its size can't be determined.
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
    """Return the deleted files from below a folder that a process has mapped.

    The keys are inode numbers. The values are paths that the superuser can inspect.
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
            # Addresses in `maps` may have leading zeros, but the names of the links do not.
            start, end = (int(address, 16) for address in fields[0].split(b"-"))
            found[int(fields[4])] = f"/proc/{process}/map_files/{start:x}-{end:x}"
    return found


class ResourceMonitor:
    """Monitor of the resources and the scratch folder of one process's descendants.

    fixed: True if the scratch folder is a file system of fixed size, which needs no measurement.
    """

    def __init__(self, parent: int, scratch: str, limits: ResourceLimits, fixed: bool = False):
        self.parent = parent
        self.scratch = scratch
        self.limits = limits
        self.fixed = fixed
        # Files that existed before the student's code ran are not charged.
        self.before = 0 if fixed else measure_folder(self.scratch, 2**62)

    def broken(self) -> str | None:
        """Return the limit that is broken now: "memory", "processes" or "files"; or None."""
        processes = list(iterate_descendants(self.parent))
        # The first process only waits for the others.
        if len(processes) - 1 > self.limits.processes:
            return "processes"
        if sum(map(count_threads, processes)) > self.limits.processes + THREAD_ALLOWANCE:
            return "processes"
        # The quick sum counts shared pages many times. The slow sum is needed only above the limit.
        if sum(map(get_resident_memory, processes)) > self.limits.memory:
            if sum(map(get_proportional_memory, processes)) > self.limits.memory:
                return "memory"
        return None if self.fixed or self.files_fit(processes) else "files"

    def files_fit(self, processes: list[int]) -> bool:
        """Return True if the files of these processes are within the limit."""
        deleted = measure_deleted_files(processes, self.scratch, self.limits.files)
        most = self.before + self.limits.files
        return measure_folder(self.scratch, most) + deleted <= most
