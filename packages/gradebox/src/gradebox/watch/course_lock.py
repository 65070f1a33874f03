"""Lock of a course for `gradebox watch`: two of them would grade and release everything twice."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gradebox.course import CourseError

LOCK_FILE = ".gradebox_watch.lock"


@contextmanager
def hold_course_lock(root: Path) -> Iterator[None]:
    """Hold the lock inside a `with` block. Raises CourseError if another process holds it.

    The operating system releases the lock when the process ends for any reason, so the file may stay.
    """
    import fcntl  # Not available on Windows.

    with (root / LOCK_FILE).open("a+") as file:
        try:
            # Unlike flock, this works between machines that share a disk, and workers do not inherit it.
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            file.seek(0)
            raise CourseError(
                f"another `gradebox watch` is running in this course ({file.read().strip()}): stop it first"
            ) from None
        except OSError:
            # Some network file systems have no locks.
            pass
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        file.flush()
        yield
