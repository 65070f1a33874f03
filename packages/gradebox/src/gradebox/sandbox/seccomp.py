"""System-call filter: blocks the network, named sockets, and everything the rest of the sandbox omits.

A socket can be used in a sandbox only as one end of a pair. No socket can connect or get a name, since every
user of the machine could connect to an abstract name. A network namespace would hide these names, but is not
available on each machine.

libseccomp compiles the filter once, in the process that forks kernels, and a kernel loads the bytes. Rules
compare only the bits of arguments that Linux reads, since a program may set the higher bits.
"""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import struct
import tempfile

from gradebox.sandbox import libc

# Calls that reach other processes, the kernel or the machine, or create names that outlive the process.
FORBIDDEN_SYSCALLS = """
    connect bind listen io_uring_setup io_uring_enter io_uring_register
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
# Calls that Landlock does not cover. They affect other processes, and files that can't be opened or written.
# They do nothing and report success: an error would break `shutil.copy`, IPython and ZeroMQ's threads.
IGNORED_SYSCALLS = """
    chmod fchmod fchmodat chown fchown lchown fchownat utime utimes futimesat utimensat
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr
    setpriority ioprio_set sched_setaffinity sched_setscheduler sched_setparam sched_setattr flock
""".split()
# Calls that some libseccomp versions in use lack; the numbers are the same on all processors.
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
# Calls that are newer than all of these.
FUTURE_SYSCALLS = range(452, 512)
NEW_NAMESPACE_FLAGS = 0x7E020080
PR_SET_DUMPABLE = 4
F_SETOWN, F_SETOWN_EX, F_SETLEASE, F_NOTIFY = 8, 15, 1024, 1026
# Commands of fcntl that lock parts of a file: F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW.
LOCK_COMMANDS = (6, 7, 37, 38)
# Second byte of the forbidden ioctl requests. Some change a file's attributes, version or seal even if the
# file is open only for reading (ext4, XFS and others; Btrfs). Some read the machine's network addresses from
# any socket, or make a socket send signals (0x89, 0x8B).
FORBIDDEN_IOCTL_TYPES = (0x58, 0x66, 0x76, 0x94, 0xF5, 0x89, 0x8B)
# Calls whose first argument is the process to signal.
SIGNAL_SYSCALLS = ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")
INT_MASK = 2**32 - 1
# Result of libseccomp for an unknown name; other negative numbers are calls of other processors.
UNKNOWN_SYSCALL = -1
# Placeholder for the ID of the filtered process in a compiled filter; not a possible process ID.
OWN_PID_PLACEHOLDER = 0x5E1FC0DE
# struct sock_filter: operation, two jump offsets, value.
INSTRUCTION = struct.Struct("=HBBI")


def get_syscall_number(name: str) -> int:
    """Return the number of a system call; negative if this processor lacks the call.

    Raises ValueError for a name that neither libseccomp nor this module knows.
    """
    import pyseccomp

    known = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
    if known == UNKNOWN_SYSCALL and name not in SYSCALL_NUMBERS:
        raise ValueError(f"unknown system call {name}")
    return SYSCALL_NUMBERS[name] if known == UNKNOWN_SYSCALL else known


class SeccompFilter:
    """Filter that libseccomp compiles. Raises RuntimeError or OSError without libseccomp."""

    def __init__(self) -> None:
        import pyseccomp

        self.seccomp = pyseccomp
        self.rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)

    def answer(self, error: int, name: str | int, *conditions: object) -> None:
        """Add a rule: the call fails with this error if all conditions hold.

        error: the errno; with 0, the call does nothing and reports success.
        """
        call = get_syscall_number(name) if isinstance(name, str) else name
        if call >= 0:
            self.rules.add_rule(self.seccomp.ERRNO(error), call, *conditions)

    def masked(self, argument: int, mask: int, value: int) -> object:
        """Return the condition that the masked bits of an argument have this value."""
        return self.seccomp.Arg(argument, self.seccomp.MASKED_EQ, mask, value)

    def not_equal(self, argument: int, value: int) -> object:
        return self.seccomp.Arg(argument, self.seccomp.NE, value)

    def program(self) -> bytes:
        """Return the compiled instructions."""
        with tempfile.TemporaryFile() as file:
            self.rules.export_bpf(file)
            file.seek(0)
            return file.read()


def compile_filter(truncation: bool, signals: str) -> bytes:
    """Compile the filter to bytes for `load_filter`.

    truncation: True to forbid truncating files that can't be opened for writing. signals: the processes that
    can't be signalled: "" for none (another part of the sandbox covers signals), "first" for the first
    process of the namespace, "others" for all processes except the filtered one.
    """
    rules = SeccompFilter()
    for name in FORBIDDEN_SYSCALLS:
        rules.answer(errno.EPERM, name)
    for name in IGNORED_SYSCALLS:
        rules.answer(0, name)
    for number in FUTURE_SYSCALLS:
        rules.answer(errno.ENOSYS, number)
    # Only stream sockets between the submission's processes: no network, and no datagrams to other sockets.
    # (ZeroMQ queries the network interfaces, and aborts on any other error.)
    for call in ("socket", "socketpair"):
        rules.answer(errno.EOPNOTSUPP, call, rules.not_equal(0, socket.AF_UNIX))
        for kind in range(16):
            if kind != socket.SOCK_STREAM:
                rules.answer(errno.EOPNOTSUPP, call, rules.masked(1, 0xF, kind))
    # Notifications about file accesses of other processes.
    for command in (F_SETLEASE, F_NOTIFY):
        rules.answer(errno.EPERM, "fcntl", rules.masked(1, INT_MASK, command))
    # Other processes see a lock on a file that everybody can read: a submission could send bits to them.
    # Locks do nothing, as flock does: filelock and SQLite require success.
    for command in LOCK_COMMANDS:
        rules.answer(0, "fcntl", rules.masked(1, INT_MASK, command))
    for kind in FORBIDDEN_IOCTL_TYPES:
        rules.answer(errno.EPERM, "ioctl", rules.masked(1, 0xFF00, kind << 8))
    # Outliving the supervising process, and hiding from inspection.
    for option in (libc.PR_SET_PDEATHSIG, PR_SET_DUMPABLE):
        rules.answer(errno.EPERM, "prctl", rules.masked(0, INT_MASK, option))
    # Reading limits is fine, setting them is not.
    rules.answer(errno.EPERM, "prlimit64", rules.not_equal(2, 0))
    for bit in range(32):
        if NEW_NAMESPACE_FLAGS & (1 << bit):
            rules.answer(errno.EPERM, "clone", rules.masked(0, 1 << bit, 1 << bit))
    # The flags of clone3 are in memory, which filters can't read; C libraries fall back to clone.
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
    """Compile an additional filter for `load_filter` that forbids passing descriptors to other processes.

    A deleted file whose descriptor is in transit belongs to no process, so its disk space can't be counted.
    """
    rules = SeccompFilter()
    for call in ("sendmsg", "sendmmsg"):
        rules.answer(errno.EPERM, call)
    return rules.program()


def forbid_truncation(rules: SeccompFilter) -> None:
    """Forbid truncating a file by path, or by opening the file without write access."""
    rules.answer(errno.EPERM, "truncate")
    for call, flags in (("open", 1), ("openat", 2)):
        # Access mode 3 permits neither reading nor writing, but truncates, too.
        for mode in (os.O_RDONLY, 3):
            rules.answer(errno.EPERM, call, rules.masked(flags, 3 | os.O_TRUNC, mode | os.O_TRUNC))
    # The flags of openat2 are in memory; C libraries fall back to openat.
    rules.answer(errno.ENOSYS, "openat2")


def forbid_signals(rules: SeccompFilter) -> None:
    """Forbid signals to all other processes, including children, which a filter can't tell apart."""
    for call in SIGNAL_SYSCALLS:
        rules.answer(errno.EPERM, call, rules.not_equal(0, OWN_PID_PLACEHOLDER))
    for call in ("tkill", "pidfd_open", "pidfd_send_signal"):
        rules.answer(errno.EPERM, call)
    # Signals that a socket or a pipe sends.
    for command in (F_SETOWN, F_SETOWN_EX):
        rules.answer(errno.EPERM, "fcntl", rules.masked(1, INT_MASK, command))


def load_filter(program: bytes) -> None:
    """Apply a compiled filter permanently to this process and its later children. Raises OSError.

    The process must have set `no_new_privs`.
    """
    mine = program.replace(struct.pack("=I", OWN_PID_PLACEHOLDER), struct.pack("=I", os.getpid()))
    kept = ctypes.create_string_buffer(mine, len(mine))
    # struct sock_fprog: number of instructions, address.
    pointer = struct.pack("@HP", len(mine) // INSTRUCTION.size, ctypes.addressof(kept))
    libc.prctl(libc.PR_SET_SECCOMP, 2, pointer)
