"""What programs and libraries around gradebox look for: programs on the path, a home to write to."""

import os
import sys
import tempfile
from pathlib import Path


def add_environment_to_path() -> None:
    """Let programs of this Python's environment be found by name, as if it had been activated.

    nbgrader starts `alembic` by name when it makes a gradebook. Without this, a first run in an
    environment that is not activated fails, and leaves a gradebook behind that can't be used.
    """
    binaries = str(Path(sys.executable).parent)
    path = os.environ.get("PATH", os.defpath).split(os.pathsep)
    if binaries not in path:
        os.environ["PATH"] = os.pathsep.join([binaries, *path])


def ensure_home() -> None:
    """Let a user who has no home, as in some containers, have one for libraries that ask for it."""
    try:
        Path.home()
    except RuntimeError:
        os.environ["HOME"] = tempfile.gettempdir()


def has_writable_home() -> bool:
    """Whether this user has a home to write to: in a container, a user may be nothing but a number."""
    import pwd

    try:
        return os.access(pwd.getpwuid(os.getuid()).pw_dir, os.W_OK)
    except KeyError:
        return False
