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
from gradebox.sandbox.rlimits import Limits, processes_of_mine

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
# Users that nobody has: this and a process's number, which stays below 2**22.
FIRST_USER = 2 * 10**9
CAPABILITY_VERSION = 0x20080522


@dataclass(frozen=True)
class Rung:
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
        if self.landlock and not self.scopes and not (self.namespaces or self.user):
            parts.append("system-call rules")
        return " and ".join(parts)

    @property
    def scopes(self) -> bool:
        """Whether Landlock keeps it from signalling others."""
        return self.landlock >= landlock.SCOPES_SINCE

    @property
    def program(self) -> bytes:
        """The system-call filter that goes with it. Raises RuntimeError, OSError or ValueError."""
        someone = "first" if self.namespaces else "" if self.user else "others"
        return compiled(0 < self.landlock < landlock.TRUNCATION_SINCE, "" if self.scopes else someone)


compiled = cache(seccomp.compiled)


def ladder() -> list[Rung]:
    """The rungs to try on this machine, strongest first. Empty where there is no Linux."""
    if not sys.platform.startswith("linux"):
        return []
    abi, rungs = landlock.abi(), []
    if abi:
        rungs += [Rung(abi, namespaces=True), Rung(abi, user=True), Rung(abi)]
    rungs += [Rung(namespaces=True, binds=True), Rung(user=True)]
    return [rung for rung in rungs if not rung.user or os.geteuid() == 0]


def literal() -> list[str]:
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


def readable() -> list[str]:
    """The same without links, and the devices."""
    return sorted({os.path.realpath(path) for path in (*literal(), *devices())})


def devices() -> list[str]:
    return [path for path in DEVICES if os.path.exists(path)]


def exposed(folder: Path) -> bool:
    """Whether student code could read this folder, or something in it, other than Python itself."""
    return any(folder.resolve().is_relative_to(path) for path in readable())


class Sandbox:
    """A rung made ready, in the process that kernels are forked from.

    `surround` is for the guard of a kernel, `enter` for the kernel. Raises OSError, and what Rung.program
    does.
    """

    def __init__(self, rung: Rung, folder: str):
        """folder: where a root of binds can be built, in a folder of its own."""
        self.rung, self.program, self.readable = rung, rung.program, readable()
        # What this user's other programs have started and will start, where they are counted, too.
        apart = rung.user or (rung.namespaces and counted_apart())
        self.others = 0 if apart else processes_of_mine() + rlimits.SHARED_PROCESSES
        if rung.namespaces:
            self.root = tempfile.mkdtemp(prefix="root-", dir=folder)
            self.kept = namespaces.keep(self.root, literal(), devices())
        else:
            self.no_passing = seccomp.without_passing()

    def surround(self, scratch: str) -> None:
        """Put what this process will start into a world of its own. Raises OSError."""
        if self.rung.namespaces:
            namespaces.join(self.kept)
            # A guard has one kernel, which has no business with these.
            self.close()
            namespaces.make_place(self.root, scratch)
            namespaces.leave(namespaces.NEW_PROCESSES)

    def enter(self, scratch: str, most: Limits) -> None:
        """Confine this process, and all that it will start, for good.

        Raises OSError if any part of it can't be had.
        """
        if self.rung.namespaces:
            # Before the limits: what was given may be larger than what student code may write.
            namespaces.furnish(self.root, scratch, most.files)
        rlimits.hold(most, self.others + most.processes + rlimits.THREADS)
        if self.rung.namespaces:
            namespaces.enclose(self.root)
        if self.rung.user:
            become_nobody(scratch)
        libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
        if self.rung.landlock:
            shared = [namespaces.SHARED_MEMORY] if self.rung.namespaces else []
            landlock.confine(self.rung.landlock, self.readable, [scratch, "/dev/null", *shared])
        give_up_capabilities()
        # To become another user lets go of this, and later it could be let go of.
        libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
        if not self.rung.namespaces:
            seccomp.load(self.no_passing)
        seccomp.load(self.program)

    def left(self, scratch: str) -> None:
        """Clear away what `surround` has made, in the same process."""
        if self.rung.namespaces:
            os.rmdir(self.root + scratch)

    def close(self) -> None:
        """Let go of what is kept for it, in this process."""
        if self.rung.namespaces:
            for namespace in self.kept:
                os.close(namespace)


def counted_apart() -> bool:
    """Whether the processes of a user namespace are counted for themselves, as they are since Linux 5.14.

    A namespace in which this user may have fewer processes than it has already starts one, or can't.
    """
    import resource

    few = 8
    if processes_of_mine() <= few:
        return False
    first = os.fork()
    if first == 0:
        try:
            namespaces.leave()
            resource.setrlimit(resource.RLIMIT_NPROC, (few, few))
            second = os.fork()
            if second:
                os.waitpid(second, 0)
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(first, 0)[1] == 0


def become_nobody(scratch: str) -> None:
    """Become a user that no other process has, and give this folder to it. Raises OSError."""
    user = FIRST_USER + os.getpid()
    for folder, _, files in os.walk(scratch):
        for path in (folder, *(os.path.join(folder, file) for file in files)):
            os.lchown(path, user, user)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def give_up_capabilities() -> None:
    """The superuser's powers; in a user namespace, those that its first process has there."""
    nothing = struct.pack("=6I", *[0] * 6)
    libc.call("capset", struct.pack("=Ii", CAPABILITY_VERSION, 0), nothing)
