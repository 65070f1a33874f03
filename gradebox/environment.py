"""The environment that nbgrader needs around it."""

import os
import sys
import tempfile
from pathlib import Path


def put_on_path() -> None:
    """Let programs of this Python's environment be found by name, as if it had been activated.

    nbgrader starts `alembic` by name when it makes a gradebook. Without this, a first run in an
    environment that is not activated fails, and leaves a gradebook behind that can't be used.

    Every course's settings call this, so it is also where nbgrader, if it is what reads them, is told to be
    careful with what was handed in (see `careful.py`).
    """
    binaries = str(Path(sys.executable).parent)
    path = os.environ.get("PATH", os.defpath).split(os.pathsep)
    if binaries not in path:
        os.environ["PATH"] = os.pathsep.join([binaries, *path])
    if "nbgrader.coursedir" in sys.modules:
        from gradebox.grade.careful import put_in_place

        put_in_place()


def give_home() -> None:
    """Let a user who has no home, as in some containers, have one for libraries that ask for it."""
    try:
        Path.home()
    except RuntimeError:
        os.environ["HOME"] = tempfile.gettempdir()
