"""Sandbox of a kernel: student code can read Python, write a separate scratch folder, and nothing else.

Landlock protects files. A system-call filter blocks the network, sockets of other processes, and everything
else that the other parts do not cover. Resource limits restrict memory and disk. On machines with namespaces,
a root of read-only bind mounts hides all other paths, and the scratch folder is a separate file system.
`list_mechanisms` returns the possible mechanisms, strongest first, and `sandbox_probe.py` finds the first
that works.
"""

import os
import signal
import struct
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gradebox.sandbox import landlock, libc, namespaces, rlimits, seccomp
from gradebox.sandbox.rlimits import ResourceLimits, count_user_processes

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
CAPABILITY_VERSION = 0x20080522


@dataclass(frozen=True)
class SandboxMechanism:
    """Mechanism that contains a kernel.

    landlock: the ABI. namespaces: True for user, process and mount namespaces, with a root of read-only bind
    mounts and a scratch folder of fixed size.
    """

    landlock: int
    namespaces: bool = False

    @property
    def name(self) -> str:
        other = "" if self.scopes_signals else " and system-call rules"
        return f"Landlock {self.landlock}{' and namespaces' if self.namespaces else other}"

    @property
    def scopes_signals(self) -> bool:
        """Return True if Landlock prevents signals to other processes."""
        return self.landlock >= landlock.SCOPES_SINCE

    @property
    def program(self) -> bytes:
        """Return the compiled system-call filter. Raises RuntimeError, OSError or ValueError."""
        someone = "first" if self.namespaces else "others"
        return compile_filter_cached(
            self.landlock < landlock.TRUNCATION_SINCE, "" if self.scopes_signals else someone
        )


compile_filter_cached = cache(seccomp.compile_filter)


def list_mechanisms() -> list[SandboxMechanism]:
    """Return the mechanisms to probe on this machine, strongest first; empty without Landlock."""
    abi = landlock.find_supported_abi()
    return [SandboxMechanism(abi, namespaces=True), SandboxMechanism(abi)] if abi else []


def list_readable_paths(libraries: Iterable[str] = ()) -> list[str]:
    """Return the paths that student code can read: Python, system programs and libraries.

    libraries: more folders of modules. Links are not resolved.
    """
    prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
    python = [
        Path(p) / part for p in prefixes for part in ("bin", "lib", "lib64", "share", "include", "pyvenv.cfg")
    ]
    # Not all of /usr: people keep courses in /usr/src and /usr/local.
    parts = ("bin", "sbin", "lib", "lib32", "lib64", "libexec", "share", "include")
    system = [Path(top) / part for top in ("/", "/usr", "/usr/local") for part in parts]
    settings = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/localtime")
    # torch reads these to select CPU instructions.
    machine = ("/proc/cpuinfo", "/sys/devices/system/cpu")
    found = map(str, (*python, *system, *settings, *machine, *libraries))
    return sorted({path for path in found if os.path.exists(path)})


def resolve_readable_paths(libraries: Iterable[str] = ()) -> list[str]:
    """Return the readable paths and the devices, with links resolved."""
    return sorted({os.path.realpath(path) for path in (*list_readable_paths(libraries), *list_devices())})


def list_devices() -> list[str]:
    return [path for path in DEVICES if os.path.exists(path)]


def is_exposed(folder: Path, libraries: Iterable[str] = ()) -> bool:
    """Return True if this folder is below a path that student code can read."""
    return any(folder.resolve().is_relative_to(path) for path in resolve_readable_paths(libraries))


class Sandbox:
    """Prepared mechanism, in the process that forks kernels.

    The guard of a kernel calls `create_namespaces`, the kernel calls `enter`. Raises OSError, and the errors
    of `SandboxMechanism.program`.
    """

    def __init__(self, rung: SandboxMechanism, folder: str):
        """folder: parent folder for the root of bind mounts."""
        # Only a kernel spec sets this variable here: the grader's own is not passed on.
        libraries = [folder for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
        self.rung, self.program, self.readable = rung, rung.program, resolve_readable_paths(libraries)
        # Processes of this user's other programs, present and future, unless they are counted separately.
        apart = rung.namespaces and has_separate_process_counts()
        self.others = 0 if apart else count_user_processes() + rlimits.SHARED_PROCESSES
        if rung.namespaces:
            self.root = tempfile.mkdtemp(prefix="root-", dir=folder)
            self.kept = namespaces.create_root_namespaces(
                self.root, list_readable_paths(libraries), list_devices()
            )
        else:
            self.no_passing = seccomp.compile_no_fd_passing_filter()

    def create_namespaces(self, scratch: str) -> None:
        """Put later children of this process into separate namespaces. Raises OSError."""
        if self.rung.namespaces:
            namespaces.join_namespaces(self.kept)
            # A guard has one kernel, which must not inherit these descriptors.
            self.close()
            namespaces.make_mount_point(self.root, scratch)
            namespaces.unshare_namespaces(namespaces.CLONE_NEWPID)

    def enter(self, scratch: str, most: ResourceLimits) -> None:
        """Confine this process and its later children permanently.

        Raises OSError if a part of the sandbox is not available.
        """
        if self.rung.namespaces:
            # Copy files before setting limits: supplied files may be larger than student code may write.
            namespaces.mount_scratch(self.root, scratch, most.files)
        rlimits.apply_limits(most, self.others + most.processes + rlimits.THREAD_ALLOWANCE)
        if self.rung.namespaces:
            namespaces.pivot_into_root(self.root)
        libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
        shared = [namespaces.SHARED_MEMORY] if self.rung.namespaces else []
        landlock.restrict_files(self.rung.landlock, self.readable, [scratch, "/dev/null", *shared])
        drop_capabilities()
        # The filter prevents later changes.
        libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
        if not self.rung.namespaces:
            seccomp.load_filter(self.no_passing)
        seccomp.load_filter(self.program)

    def left(self, scratch: str) -> None:
        """Remove the mount point made by `create_namespaces`, in the same process."""
        if self.rung.namespaces:
            os.rmdir(self.root + scratch)

    def close(self) -> None:
        """Close the namespace descriptors of this process."""
        if self.rung.namespaces:
            for namespace in self.kept:
                os.close(namespace)


def has_separate_process_counts() -> bool:
    """Return True if processes are counted per user namespace, as they are since Linux 5.14.

    Tests this by starting a process in a new namespace, with a limit below the user's present number of
    processes.
    """
    import resource

    few = 8
    if count_user_processes() <= few:
        return False
    first = os.fork()
    if first == 0:
        try:
            namespaces.unshare_namespaces()
            resource.setrlimit(resource.RLIMIT_NPROC, (few, few))
            second = os.fork()
            if second:
                os.waitpid(second, 0)
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(first, 0)[1] == 0


def drop_capabilities() -> None:
    """Drop all capabilities: the superuser's, or those of the first process in a user namespace."""
    nothing = struct.pack("=6I", *[0] * 6)
    libc.call("capset", struct.pack("=Ii", CAPABILITY_VERSION, 0), nothing)
