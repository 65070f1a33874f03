"""Set up PATH and HOME for the programs and libraries that gradebox uses."""

import os
import sys
import tempfile
from pathlib import Path


def add_environment_to_path() -> None:
    """Add the programs of this Python environment to PATH, as activating the environment does.

    nbgrader starts `alembic` by name when creating a gradebook. Without this, the first run in an environment
    that is not activated fails, and leaves an unusable gradebook behind.
    """
    binaries = str(Path(sys.executable).parent)
    path = os.environ.get("PATH", os.defpath).split(os.pathsep)
    if binaries not in path:
        os.environ["PATH"] = os.pathsep.join([binaries, *path])


def ensure_home() -> None:
    """Set HOME to the temporary folder if the user has no home, as in some containers."""
    try:
        Path.home()
    except RuntimeError:
        os.environ["HOME"] = tempfile.gettempdir()


def has_writable_home() -> bool:
    """Return True if this user has a writable home; in a container, a user id may have no passwd entry."""
    import pwd

    try:
        return os.access(pwd.getpwuid(os.getuid()).pw_dir, os.W_OK)
    except KeyError:
        return False
