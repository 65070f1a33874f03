"""Resource limits of one submission, enforced by the system's rlimits."""

import os
from dataclasses import dataclass
from pathlib import Path

FILE_SIZE_MARGIN = 2**16
# Minimum charge for a file in bytes, so that the number of empty files is limited, too.
BLOCK_SIZE = 4096
# A kernel has about ten threads, and they count as processes.
THREAD_ALLOWANCE = 32
# Processes that the user's other programs may start while kernels run.
SHARED_PROCESSES = 2**10


@dataclass(frozen=True)
class ResourceLimits:
    """Limits of one submission: bytes of memory, number of processes, bytes of files."""

    memory: int = 2 * 2**30
    processes: int = 64
    files: int = 100 * 10**6


def apply_limits(limits: ResourceLimits, processes: int) -> None:
    """Limit the resources of this process and its later children, in addition to the present usage.

    processes: the limit for all processes of the user, threads included.
    """
    # Not available on Windows, where this module is imported, too.
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
    # RLIMIT_DATA omits shared memory, so this limit covers it. Untouched stacks and arenas count, hence the
    # slack.
    at_most(resource.RLIMIT_AS, used["VmSize:"] + limits.memory + 2**30)
    # Slightly below the limit for all files, so that a write fails before the kernel must be ended.
    at_most(resource.RLIMIT_FSIZE, max(limits.files - FILE_SIZE_MARGIN, 0))
    # Each descriptor may hold memory of the system or a deleted file.
    at_most(resource.RLIMIT_NOFILE, 256)
    # With 0, a core dump is still piped to a program outside the sandbox; with 1 it is not (see core(5)).
    at_most(resource.RLIMIT_CORE, 1)
    at_most(resource.RLIMIT_NPROC, processes)


def count_user_processes() -> int:
    """Return the number of this user's processes on this machine, threads included."""
    total = 0
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and process.stat().st_uid == os.getuid():
                total += len(os.listdir(process / "task"))
        except OSError:
            continue
    return total
