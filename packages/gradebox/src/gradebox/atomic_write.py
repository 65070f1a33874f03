"""Atomic file writes, for every module that replaces a file."""

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def write_atomically(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`, and rename the temporary file to `path` at the end.

    `path` stays unchanged after an exception, or if nothing was written to the temporary path. Creates the
    parent folder, and keeps the permissions of an existing file. Raises OSError.
    """
    if not path.parent.exists():
        path.parent.mkdir(parents=True)
    # Include the process id: two commands may write the same file. The name can have the maximum length.
    digest = hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]
    beside = path.with_name(f".{digest}-{os.getpid()}")
    try:
        yield beside
        if beside.exists():
            if path.exists():
                shutil.copymode(path, beside)
            beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
