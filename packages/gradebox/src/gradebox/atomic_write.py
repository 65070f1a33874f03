"""Files that are there whole, or not at all."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def write_atomically(path: Path) -> Iterator[Path]:
    """A path beside `path` to write to: what is there at the end takes the place of `path`, if all went well.

    If nothing is there at the end, `path` stays as it is. Makes the folder, and keeps the permissions of a
    file that was there. Raises OSError.
    """
    if not path.parent.exists():
        path.parent.mkdir(parents=True)
    # Two commands may write the same file.
    beside = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        yield beside
        if beside.exists():
            if path.exists():
                shutil.copymode(path, beside)
            beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
