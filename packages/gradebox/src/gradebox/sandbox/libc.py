"""Calls of C library functions that Python lacks; failures raise OSError."""

import ctypes
import os

PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 22, 36, 38

# Absent on Windows, where nothing here is called.
_libc = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None


def call(name: str, *arguments: object) -> int:
    """Call a function that returns -1 and sets errno on failure. Return its result; raise OSError.

    Integers are passed as long, strings as paths.
    """
    known = [
        ctypes.c_long(a) if isinstance(a, int) else os.fsencode(a) if isinstance(a, str) else a
        for a in arguments
    ]
    answer = getattr(_libc, name)(*known)
    if answer == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return answer


def syscall(number: int, *arguments: object) -> int:
    """Call a system call by number. Return its result; raise OSError."""
    return call("syscall", number, *arguments)


def prctl(option: int, *values: object) -> None:
    """Set an attribute of this process. Raises OSError."""
    call("prctl", option, *values, *[0] * (4 - len(values)))


def format_os_error(error: Exception) -> str:
    """Return the message of an error, in one clause."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror + (f" ({error.filename})" if error.filename else "")
    return str(error) or type(error).__name__
