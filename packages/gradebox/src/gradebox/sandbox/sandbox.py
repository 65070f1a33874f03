"""What student code may touch: a read-only Python, a scratch folder of its own, and nothing else.

What gives that depends on the machine. A *rung* is one way; the ladder lists them, strongest first, and
`sandbox_probe.py` finds the first that holds. Landlock keeps student code from files, a root of read-only
binds does with namespaces, and a user of its own where there is neither; a system-call filter keeps it
from the network, from everyone else's sockets, and from what the others do not cover; resource limits from
memory and disk. With namespaces, the scratch folder is a file system of its own.
"""

import os
import signal
import struct
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gradebox.sandbox import landlock, libc, namespaces, rlimits, seccomp
from gradebox.sandbox.rlimits import ResourceLimits, count_user_processes

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
# Users that nobody has: this and a process's number, which stays below 2**22.
FIRST_UNUSED_UID = 2 * 10**9
CAPABILITY_VERSION = 0x20080522


@dataclass(frozen=True)
class SandboxMechanism:
    """One way to contain a kernel.

    landlock: its ABI, 0 to go without. namespaces: of users, processes and mounts, with a root of read-only
    binds and a scratch folder of fixed size. binds: whether that root is all that keeps it from files. user:
    a user of its own.
    """

    landlock: int = 0
    namespaces: bool = False
    binds: bool = False
    user: bool = False

    @property
    def name(self) -> str:
        parts = [f"Landlock {self.landlock}"] if self.landlock else []
        parts += ["namespaces"] * self.namespaces
        parts += ["a root of read-only binds"] * self.binds
        parts += ["a user of its own"] * self.user
        if self.landlock and not self.scopes_signals and not (self.namespaces or self.user):
            parts.append("system-call rules")
        return " and ".join(parts)

    @property
    def scopes_signals(self) -> bool:
        """Whether Landlock keeps it from signalling others."""
        return self.landlock >= landlock.SCOPES_SINCE

    @property
    def program(self) -> bytes:
        """The system-call filter that goes with it. Raises RuntimeError, OSError or ValueError."""
        someone = "first" if self.namespaces else "" if self.user else "others"
        return compile_filter_cached(
            0 < self.landlock < landlock.TRUNCATION_SINCE, "" if self.scopes_signals else someone
        )


compile_filter_cached = cache(seccomp.compile_filter)


def list_mechanisms() -> list[SandboxMechanism]:
    """The rungs to try on this machine, strongest first. Empty where there is no Linux."""
    if not sys.platform.startswith("linux"):
        return []
    abi, rungs = landlock.find_supported_abi(), []
    if abi:
        rungs += [
            SandboxMechanism(abi, namespaces=True),
            SandboxMechanism(abi, user=True),
            SandboxMechanism(abi),
        ]
    rungs += [SandboxMechanism(namespaces=True, binds=True), SandboxMechanism(user=True)]
    return [rung for rung in rungs if not rung.user or os.geteuid() == 0]


def list_readable_paths() -> list[str]:
    """The paths that student code can read, as programs name them: Python, system programs and libraries."""
    prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
    python = [
        Path(p) / part for p in prefixes for part in ("bin", "lib", "lib64", "share", "include", "pyvenv.cfg")
    ]
    # Not all of /usr: people keep courses in /usr/src and /usr/local.
    parts = ("bin", "sbin", "lib", "lib32", "lib64", "libexec", "share", "include")
    system = [Path(top) / part for top in ("/", "/usr", "/usr/local") for part in parts]
    settings = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/localtime")
    # torch looks at these to choose its instructions.
    machine = ("/proc/cpuinfo", "/sys/devices/system/cpu")
    return sorted(
        {path for path in map(str, (*python, *system, *settings, *machine)) if os.path.exists(path)}
    )


def resolve_readable_paths() -> list[str]:
    """The same without links, and the devices."""
    return sorted({os.path.realpath(path) for path in (*list_readable_paths(), *list_devices())})


def list_devices() -> list[str]:
    return [path for path in DEVICES if os.path.exists(path)]


def is_exposed(folder: Path) -> bool:
    """Whether student code could read this folder, or something in it, other than Python itself."""
    return any(folder.resolve().is_relative_to(path) for path in resolve_readable_paths())


class Sandbox:
    """A rung made ready, in the process that kernels are forked from.

    `surround` is for the guard of a kernel, `enter` for the kernel. Raises OSError, and what Rung.program
    does.
    """

    def __init__(self, rung: SandboxMechanism, folder: str):
        """folder: where a root of binds can be built, in a folder of its own."""
        self.rung, self.program, self.readable = rung, rung.program, resolve_readable_paths()
        # What this user's other programs have started and will start, where they are counted, too.
        apart = rung.user or (rung.namespaces and has_separate_process_counts())
        self.others = 0 if apart else count_user_processes() + rlimits.SHARED_PROCESSES
        if rung.namespaces:
            self.root = tempfile.mkdtemp(prefix="root-", dir=folder)
            self.kept = namespaces.create_root_namespaces(self.root, list_readable_paths(), list_devices())
        else:
            self.no_passing = seccomp.compile_no_fd_passing_filter()

    def create_namespaces(self, scratch: str) -> None:
        """Put what this process will start into a world of its own. Raises OSError."""
        if self.rung.namespaces:
            namespaces.join_namespaces(self.kept)
            # A guard has one kernel, which has no business with these.
            self.close()
            namespaces.make_mount_point(self.root, scratch)
            namespaces.unshare_namespaces(namespaces.CLONE_NEWPID)

    def enter(self, scratch: str, most: ResourceLimits) -> None:
        """Confine this process, and all that it will start, for good.

        Raises OSError if any part of it can't be had.
        """
        if self.rung.namespaces:
            # Before the limits: what was given may be larger than what student code may write.
            namespaces.mount_scratch(self.root, scratch, most.files)
        rlimits.apply_limits(most, self.others + most.processes + rlimits.THREAD_ALLOWANCE)
        if self.rung.namespaces:
            namespaces.pivot_into_root(self.root)
        if self.rung.user:
            switch_to_unused_user(scratch)
        libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
        if self.rung.landlock:
            shared = [namespaces.SHARED_MEMORY] if self.rung.namespaces else []
            landlock.restrict_files(self.rung.landlock, self.readable, [scratch, "/dev/null", *shared])
        drop_capabilities()
        # To become another user lets go of this, and later it could be let go of.
        libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
        if not self.rung.namespaces:
            seccomp.load_filter(self.no_passing)
        seccomp.load_filter(self.program)

    def left(self, scratch: str) -> None:
        """Clear away what `surround` has made, in the same process."""
        if self.rung.namespaces:
            os.rmdir(self.root + scratch)

    def close(self) -> None:
        """Let go of what is kept for it, in this process."""
        if self.rung.namespaces:
            for namespace in self.kept:
                os.close(namespace)


def has_separate_process_counts() -> bool:
    """Whether the processes of a user namespace are counted for themselves, as they are since Linux 5.14.

    A namespace in which this user may have fewer processes than it has already starts one, or can't.
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


def switch_to_unused_user(scratch: str) -> None:
    """Become a user that no other process has, and give this folder to it. Raises OSError."""
    user = FIRST_UNUSED_UID + os.getpid()
    for folder, _, files in os.walk(scratch):
        for path in (folder, *(os.path.join(folder, file) for file in files)):
            os.lchown(path, user, user)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def drop_capabilities() -> None:
    """The superuser's powers; in a user namespace, those that its first process has there."""
    nothing = struct.pack("=6I", *[0] * 6)
    libc.call("capset", struct.pack("=Ii", CAPABILITY_VERSION, 0), nothing)
