"""Landlock system calls: restrict the files a process can open and, since ABI 6, the processes to signal.

Rights and structures are those of Linux's <linux/landlock.h>; the numbers of the calls are the same on
all processors. The system-call filter covers the features that an older ABI lacks (see `sandbox/seccomp.py`).
"""

from __future__ import annotations

import contextlib
import errno
import os
import struct
from collections.abc import Iterator
from functools import cache

from gradebox.sandbox import libc

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
ASK_VERSION, PATH_BENEATH = 1, 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
MAKE_CHAR, MAKE_BLOCK, TRUNCATE, IOCTL_DEV = 1 << 6, 1 << 11, 1 << 14, 1 << 15
READ_RIGHTS = EXECUTE | READ_FILE | READ_DIR
FILE_ONLY_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
# Number of file rights in each ABI: linking across folders was added in 2, truncation in 3, and ioctl on
# devices in 5.
FILE_RIGHT_COUNTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16, 6: 16, 7: 16}
NEWEST_ABI = max(FILE_RIGHT_COUNTS)
# Rights to bind and connect over TCP; scopes for abstract sockets and signals.
TCP, TCP_SINCE = 0b11, 4
SCOPES, SCOPES_SINCE = 0b11, 6
TRUNCATION_SINCE = 3


def read_reported_abi() -> int:
    """Return the ABI that the system reports. Raises OSError without Landlock."""
    return libc.syscall(CREATE_RULESET, None, 0, ASK_VERSION)


@cache
def find_supported_abi() -> int:
    """Return the newest known ABI whose rights the system accepts; 0 for none.

    It can be older than the reported ABI: RHEL 9.7 reports 6 and rejects the rights of 6.
    """
    with contextlib.suppress(OSError):
        for number in range(min(read_reported_abi(), NEWEST_ABI), 0, -1):
            with contextlib.suppress(OSError), new_ruleset(number):
                return number
    return 0


def explain_unavailable() -> str:
    """Return the reason for missing Landlock support, in one clause."""
    try:
        read_reported_abi()
    except OSError as error:
        known: dict[int | None, str] = {
            errno.ENOSYS: "Linux was built without Landlock, or is older than 5.13",
            errno.EOPNOTSUPP: "Landlock was disabled at boot (kernel parameter lsm=)",
        }
        return known.get(error.errno, f"Landlock is not available ({error.strerror})")
    return "Landlock rejects the rights of the ABI that Linux reports"


@contextlib.contextmanager
def new_ruleset(number: int) -> Iterator[int]:
    """Create a ruleset that forbids everything that this ABI can forbid; yield its descriptor."""
    has_tcp, has_scopes = number >= TCP_SINCE, number >= SCOPES_SINCE
    # struct landlock_ruleset_attr, which has grown with the ABI.
    attributes = struct.pack("=QQQ", (1 << FILE_RIGHT_COUNTS[number]) - 1, TCP * has_tcp, SCOPES * has_scopes)
    descriptor = libc.syscall(CREATE_RULESET, attributes, 8 * (1 + has_tcp + has_scopes), 0)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def restrict_files(number: int, readable: list[str], writable: list[str]) -> None:
    """Restrict this process and its later children to these files and folders, using this ABI.

    Device files can't be created anywhere. The process must have set `no_new_privs`. Raises OSError.
    """
    every = (1 << FILE_RIGHT_COUNTS[number]) - 1
    with new_ruleset(number) as ruleset:
        for paths, rights in ((readable, READ_RIGHTS), (writable, every & ~(MAKE_CHAR | MAKE_BLOCK))):
            for path in paths:
                folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
                try:
                    may = rights if os.path.isdir(path) else rights & FILE_ONLY_RIGHTS
                    # struct landlock_path_beneath_attr
                    libc.syscall(ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", may & every, folder), 0)
                finally:
                    os.close(folder)
        libc.syscall(RESTRICT_SELF, ruleset, 0)
