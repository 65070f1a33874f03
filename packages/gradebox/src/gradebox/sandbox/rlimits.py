"""What one submission may use, held by the system's own resource limits."""

import os
from dataclasses import dataclass
from pathlib import Path

FILE_SIZE_MARGIN = 2**16
# A file costs at least this much, so that there is an end to empty ones, too.
BLOCK_SIZE = 4096
# A kernel has about ten threads, and they count as processes.
THREAD_ALLOWANCE = 32
# How many more a user's other programs may start while kernels run.
SHARED_PROCESSES = 2**10


@dataclass(frozen=True)
class ResourceLimits:
    """What one submission may use: bytes of memory, processes, bytes of files."""

    memory: int = 2 * 2**30
    processes: int = 64
    files: int = 100 * 10**6


def apply_limits(limits: ResourceLimits, processes: int) -> None:
    """Hold this process, and all that it will start, on top of what it uses now.

    processes: how many its user may have, threads included.
    """
    # Not to be had on Windows, where this module is imported all the same.
    import resource

    def at_most(what: int, most: int) -> None:
        _, hard = resource.getrlimit(what)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))

    used = {}
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith(("VmSize:", "VmData:")):
                name, value, _ = line.split()
                used[name] = int(value) * 1024
    # An allocation beyond this fails with a MemoryError, which a notebook survives.
    at_most(resource.RLIMIT_DATA, used["VmData:"] + limits.memory)
    # Shared memory is no data; stacks and arenas that nobody has touched count here, so there is slack.
    at_most(resource.RLIMIT_AS, used["VmSize:"] + limits.memory + 2**30)
    # A little less than all files together may have, so that the write fails before the kernel has to end.
    at_most(resource.RLIMIT_FSIZE, max(limits.files - FILE_SIZE_MARGIN, 0))
    # Each may hold memory of the system's, or a deleted file.
    at_most(resource.RLIMIT_NOFILE, 256)
    # 0 would still have a program told of it, outside; 1 is too little for that, too (see core(5)).
    at_most(resource.RLIMIT_CORE, 1)
    at_most(resource.RLIMIT_NPROC, processes)


def count_user_processes() -> int:
    """How many processes, threads included, this user has on this machine."""
    total = 0
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and process.stat().st_uid == os.getuid():
                total += len(os.listdir(process / "task"))
        except OSError:
            continue
    return total
