"""The system-call filter: no network, nobody else's sockets, and what no other part of the sandbox covers.

libseccomp makes a program of it once, in the process that kernels are forked from; a kernel loads its
bytes. Calls are compared by the bits that Linux reads: a program may set those above.
"""

import ctypes
import errno
import os
import socket
import struct
import tempfile

from gradebox.sandbox import libc

# Reaching other processes, the kernel and the machine; and names that outlive the process.
FORBIDDEN_SYSCALLS = """
    connect io_uring_setup io_uring_enter io_uring_register
    ptrace process_vm_readv process_vm_writev process_madvise pidfd_getfd kcmp perf_event_open bpf userfaultfd
    setrlimit
    mount umount2 move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr pivot_root chroot
    unshare setns name_to_handle_at open_by_handle_at fanotify_init quotactl quotactl_fd swapon swapoff
    add_key request_key keyctl shmget shmat shmctl semget semop semctl msgget msgsnd msgrcv msgctl mq_open
    memfd_create memfd_secret mq_unlink semtimedop inotify_init inotify_init1
    vmsplice io_setup io_submit
    init_module finit_module delete_module kexec_load kexec_file_load reboot syslog acct vhangup
    settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname iopl ioperm
""".split()
# Landlock does not cover these, and they work on files that can't be opened or written and on processes of
# others. They do nothing, and say that they have: `shutil.copy`, IPython and ZeroMQ's threads would fail over
# an error.
IGNORED_SYSCALLS = """
    chmod fchmod fchmodat chown fchown lchown fchownat utime utimes futimesat utimensat
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr
    setpriority ioprio_set sched_setaffinity sched_setscheduler sched_setparam sched_setattr
""".split()
# Newer than some libseccomp that is in use; their numbers are the same on all processors.
SYSCALL_NUMBERS = {
    "pidfd_send_signal": 424,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "pidfd_open": 434,
    "clone3": 435,
    "openat2": 437,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "mount_setattr": 442,
    "quotactl_fd": 443,
    "memfd_secret": 447,
}
# Newer than these, and than what gradebox knows.
FUTURE_SYSCALLS = range(452, 512)
NEW_NAMESPACE_FLAGS = 0x7E020080
PR_SET_DUMPABLE = 4
F_SETOWN, F_SETOWN_EX, F_SETLEASE, F_NOTIFY = 8, 15, 1024, 1026
FIOSETOWN, SIOCSPGRP = 0x8901, 0x8902
# The second byte of what a file system can be told through a file that is open for reading: to change its
# marks, its version, its seal (ext4, XFS and others; Btrfs).
FILESYSTEM_IOCTL_TYPES = (0x58, 0x66, 0x76, 0x94, 0xF5)
# Those that name one process.
SIGNAL_SYSCALLS = ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")
INT_MASK = 2**32 - 1
# What libseccomp answers for a name that it does not know; others below 0 are of other processors.
UNKNOWN_SYSCALL = -1
# Stands for the process's own number in a program; no process has it.
OWN_PID_PLACEHOLDER = 0x5E1FC0DE
# struct sock_filter: an operation, two jumps, and a value.
INSTRUCTION = struct.Struct("=HBBI")


def get_syscall_number(name: str) -> int:
    """The number of a system call; below 0 if this processor has none.

    Raises ValueError for a name that neither libseccomp nor this module knows.
    """
    import pyseccomp

    known = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
    if known == UNKNOWN_SYSCALL and name not in SYSCALL_NUMBERS:
        raise ValueError(f"the system call {name} is unknown here")
    return SYSCALL_NUMBERS[name] if known == UNKNOWN_SYSCALL else known


class SeccompFilter:
    """A program for libseccomp to compile. Raises RuntimeError or OSError if there is no libseccomp."""

    def __init__(self) -> None:
        import pyseccomp

        self.seccomp = pyseccomp
        self.rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)

    def answer(self, error: int, name: str | int, *conditions: object) -> None:
        """Have a call fail with this error (0: succeed and do nothing) if all conditions hold."""
        call = get_syscall_number(name) if isinstance(name, str) else name
        if call >= 0:
            self.rules.add_rule(self.seccomp.ERRNO(error), call, *conditions)

    def masked(self, argument: int, mask: int, value: int) -> object:
        """The condition that these bits of an argument have this value."""
        return self.seccomp.Arg(argument, self.seccomp.MASKED_EQ, mask, value)

    def not_equal(self, argument: int, value: int) -> object:
        return self.seccomp.Arg(argument, self.seccomp.NE, value)

    def program(self) -> bytes:
        """The compiled instructions."""
        with tempfile.TemporaryFile() as file:
            self.rules.export_bpf(file)
            file.seek(0)
            return file.read()


def compile_filter(truncation: bool, signals: str) -> bytes:
    """The filter as bytes for `load`.

    truncation: whether it has to keep a process from cutting files short that it can't open to write.
    signals: whom it has to keep a process from signalling: "" for nobody (something else does), "first" for
    the first process of its namespace, "others" for all but itself.
    """
    rules = SeccompFilter()
    for name in FORBIDDEN_SYSCALLS:
        rules.answer(errno.EPERM, name)
    for name in IGNORED_SYSCALLS:
        rules.answer(0, name)
    for number in FUTURE_SYSCALLS:
        rules.answer(errno.ENOSYS, number)
    # Only streams between processes of its own: no network, and no datagram to a socket of somebody else.
    # (ZeroMQ asks for the network's interfaces, and aborts over any other error.)
    for call in ("socket", "socketpair"):
        rules.answer(errno.EOPNOTSUPP, call, rules.not_equal(0, socket.AF_UNIX))
        for kind in range(16):
            if kind != socket.SOCK_STREAM:
                rules.answer(errno.EOPNOTSUPP, call, rules.masked(1, 0xF, kind))
    # Being told of what others do with a file.
    for command in (F_SETLEASE, F_NOTIFY):
        rules.answer(errno.EPERM, "fcntl", rules.masked(1, INT_MASK, command))
    for kind in FILESYSTEM_IOCTL_TYPES:
        rules.answer(errno.EPERM, "ioctl", rules.masked(1, 0xFF00, kind << 8))
    # To end later than the process that watches it, and to hide from it.
    for option in (libc.PR_SET_PDEATHSIG, PR_SET_DUMPABLE):
        rules.answer(errno.EPERM, "prctl", rules.masked(0, INT_MASK, option))
    # Reading limits is fine, setting them is not.
    rules.answer(errno.EPERM, "prlimit64", rules.not_equal(2, 0))
    for bit in range(32):
        if NEW_NAMESPACE_FLAGS & (1 << bit):
            rules.answer(errno.EPERM, "clone", rules.masked(0, 1 << bit, 1 << bit))
    # Its flags are in memory, where no filter can look; C libraries fall back to clone.
    rules.answer(errno.ENOSYS, "clone3")
    if truncation:
        forbid_truncation(rules)
    if signals == "first":
        for call in (*SIGNAL_SYSCALLS, "tkill", "pidfd_open"):
            rules.answer(errno.EPERM, call, rules.masked(0, INT_MASK, 1))
    elif signals == "others":
        forbid_signals(rules)
    return rules.program()


def compile_no_fd_passing_filter() -> bytes:
    """A filter more, as bytes for `load`: no file on its way from one process to another.

    There it has no name and no owner, and nobody counts what it takes of a disk.
    """
    rules = SeccompFilter()
    for call in ("sendmsg", "sendmmsg"):
        rules.answer(errno.EPERM, call)
    return rules.program()


def forbid_truncation(rules: SeccompFilter) -> None:
    """Cutting a file short: by path, and by opening it for anything but writing."""
    rules.answer(errno.EPERM, "truncate")
    for call, flags in (("open", 1), ("openat", 2)):
        # 3 is neither reading nor writing, and cuts all the same.
        for mode in (os.O_RDONLY, 3):
            rules.answer(errno.EPERM, call, rules.masked(flags, 3 | os.O_TRUNC, mode | os.O_TRUNC))
    # Its flags are in memory; C libraries fall back to openat.
    rules.answer(errno.ENOSYS, "openat2")


def forbid_signals(rules: SeccompFilter) -> None:
    """Signals to any process but itself, by every road. Its own children can't be told from others."""
    for call in SIGNAL_SYSCALLS:
        rules.answer(errno.EPERM, call, rules.not_equal(0, OWN_PID_PLACEHOLDER))
    for call in ("tkill", "pidfd_open", "pidfd_send_signal"):
        rules.answer(errno.EPERM, call)
    # Having a socket or a pipe send them.
    for command in (F_SETOWN, F_SETOWN_EX):
        rules.answer(errno.EPERM, "fcntl", rules.masked(1, INT_MASK, command))
    for command in (FIOSETOWN, SIOCSPGRP):
        rules.answer(errno.EPERM, "ioctl", rules.masked(1, INT_MASK, command))


def load_filter(program: bytes) -> None:
    """Put this process, and all that it will start, under a compiled filter, for good. Raises OSError.

    The process must have given up new privileges.
    """
    mine = program.replace(struct.pack("=I", OWN_PID_PLACEHOLDER), struct.pack("=I", os.getpid()))
    kept = ctypes.create_string_buffer(mine, len(mine))
    # struct sock_fprog: how many, and where.
    pointer = struct.pack("@HP", len(mine) // INSTRUCTION.size, ctypes.addressof(kept))
    libc.prctl(libc.PR_SET_SECCOMP, 2, pointer)
