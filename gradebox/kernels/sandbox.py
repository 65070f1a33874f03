"""What student code may touch: a read-only Python, a scratch folder of its own, and nothing else.

Landlock (through sandlock) keeps it from files, from other processes and from abstract sockets; a seccomp
filter (through libseccomp) from the network, from everyone else's sockets and from what Landlock does not
cover, such as changing the mode of a file that can't be opened; resource limits from memory and disk.

sandlock's own supervised mode can do most of this too, but hands every `open`, `close` and `recv` to
another process (0.1 ms each, which doubles the time of `import torch`), and lets `chmod` through.
"""

import contextlib
import ctypes
import errno
import os
import platform
import resource
import socket
import sys
from dataclasses import dataclass
from pathlib import Path

CLONE_NEWUSER, CLONE_NEWPID = 0x10000000, 0x20000000
NEW_NAMESPACES = 0x7E020080

# Reaching other processes, the kernel and the machine; and names that outlive the process.
FORBIDDEN = """
    connect io_uring_setup io_uring_enter io_uring_register
    ptrace process_vm_readv process_vm_writev process_madvise pidfd_getfd kcmp perf_event_open bpf userfaultfd
    setrlimit
    mount umount2 move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr pivot_root chroot
    unshare setns name_to_handle_at open_by_handle_at fanotify_init quotactl quotactl_fd swapon swapoff
    add_key request_key keyctl shmget shmat shmctl semget semop semctl msgget msgsnd msgrcv msgctl mq_open
    memfd_create memfd_secret mq_unlink semtimedop inotify_init inotify_init1
    init_module finit_module delete_module kexec_load kexec_file_load reboot syslog acct vhangup
    settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname iopl ioperm
""".split()
# Landlock does not cover these, and they work on files that can't be opened or written and on processes of
# others. They do nothing, and say that they have: `shutil.copy`, IPython and ZeroMQ's threads would fail over
# an error.
WITHOUT_EFFECT = """
    chmod fchmod fchmodat chown fchown lchown fchownat utime utimes futimesat utimensat
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr
    setpriority ioprio_set sched_setaffinity sched_setscheduler sched_setparam sched_setattr
""".split()
SPARE = 2**16
F_SETLEASE, F_NOTIFY = 1024, 1026
# Newer than the names that every libseccomp knows; their numbers are the same on all machines.
NEWER = range(452, 512)


@dataclass(frozen=True)
class Limits:
    """What one submission may use: bytes of memory, processes, bytes of files."""

    memory: int = 2 * 2**30
    processes: int = 64
    files: int = 100 * 10**6


def missing() -> str | None:
    """Why this machine has no sandbox, in one clause, or None if it has one."""
    if not sys.platform.startswith("linux"):
        return f"it needs Linux, and this is {platform.system()}"
    try:
        import pyseccomp  # noqa: F401
        import sandlock

        found, needed = sandlock.landlock_abi_version(), sandlock.min_landlock_abi()
    except (ImportError, OSError, RuntimeError) as error:
        return f"a library of it can't be loaded ({error})"
    if found < needed:
        return f"it needs Linux 6.12 or newer with Landlock, and this is {platform.release()}"
    return None


def readable() -> list[str]:
    """The paths that student code can read: Python and the system's programs and libraries."""
    prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
    python = [Path(p) / part for p in prefixes for part in ("bin", "lib", "lib64", "share", "pyvenv.cfg")]
    system = ("/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/fonts", "/etc/localtime")
    # torch looks at these to choose its instructions.
    machine = ("/proc/cpuinfo", "/sys/devices/system/cpu")
    devices = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
    found = filter(os.path.exists, map(str, (*python, *system, *machine, *devices)))
    return sorted(set(map(os.path.realpath, found)))


def exposed(folder: Path) -> bool:
    """Whether student code could read this folder, or something in it, other than Python itself."""
    return any(folder.resolve().is_relative_to(path) for path in readable())


def enter(scratch: str, limits: Limits) -> None:
    """Confine this process, and all that it will start, for good.

    Raises OSError or sandlock's errors if any part of it can't be had.
    """
    import sandlock

    limit(limits)
    sandlock.confine(sandlock.Sandbox(fs_readable=readable(), fs_writable=[scratch, "/dev/null"]))
    forbid()


def own_world() -> None:
    """Give the children of this process a namespace of their own, which dies with the first of them.

    Their user has no rights outside either, and RLIMIT_NPROC counts for them alone. Some systems don't let
    such a namespace be made; there `sweep` (see `warm.py`) has to do.
    """
    user, group = os.getuid(), os.getgid()
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0:
        return
    with contextlib.suppress(OSError):
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def limit(limits: Limits) -> None:
    """Resource limits, on top of what this process uses now."""
    used = {}
    for line in Path("/proc/self/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name in ("VmSize", "VmData"):
            used[name] = int(value.split()[0]) * 1024
    # An allocation beyond this fails with a MemoryError, which a notebook survives.
    hold(resource.RLIMIT_DATA, used["VmData"] + limits.memory)
    # Shared memory is no data; stacks and arenas that nobody has touched count here, so there is slack.
    hold(resource.RLIMIT_AS, used["VmSize"] + limits.memory + 2**30)
    # A little less than all files together may have, so that the write fails before the kernel has to end.
    hold(resource.RLIMIT_FSIZE, max(limits.files - SPARE, 0))
    # Each may hold memory of the system's, or a deleted file.
    hold(resource.RLIMIT_NOFILE, 1024)
    hold(resource.RLIMIT_CORE, 0)
    # Threads count here, and a kernel has about ten.
    hold(resource.RLIMIT_NPROC, limits.processes + 32)


def hold(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))


def forbid() -> None:
    """The seccomp filter."""
    import pyseccomp as seccomp

    rules = seccomp.SyscallFilter(seccomp.ALLOW)
    denied = seccomp.ERRNO(errno.EPERM)
    for action, names in ((denied, FORBIDDEN), (seccomp.ERRNO(0), WITHOUT_EFFECT)):
        for name in names:
            with contextlib.suppress(ValueError, OSError):  # not every machine has every call
                rules.add_rule(action, name)
    for number in NEWER:
        rules.add_rule(seccomp.ERRNO(errno.ENOSYS), number)
    # Only streams between processes of its own: no network, and no datagram to a socket of somebody else.
    # (ZeroMQ asks for the network's interfaces, and aborts over any other error.)
    unsupported = seccomp.ERRNO(errno.EOPNOTSUPP)
    for call in ("socket", "socketpair"):
        rules.add_rule(unsupported, call, seccomp.Arg(0, seccomp.NE, socket.AF_UNIX))
        for kind in range(16):
            if kind != socket.SOCK_STREAM:
                rules.add_rule(unsupported, call, seccomp.Arg(1, seccomp.MASKED_EQ, 0xF, kind))
    # Being told of what others do with a file.
    for command in (F_SETLEASE, F_NOTIFY):
        rules.add_rule(denied, "fcntl", seccomp.Arg(1, seccomp.EQ, command))
    # Reading limits is fine, setting them is not.
    rules.add_rule(denied, "prlimit64", seccomp.Arg(2, seccomp.NE, 0))
    for bit in range(32):
        if NEW_NAMESPACES & (1 << bit):
            rules.add_rule(denied, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, 1 << bit, 1 << bit))
    # Its flags are in memory, where no filter can look; C libraries fall back to clone.
    rules.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")
    rules.load()
