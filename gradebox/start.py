"""Where the command `gradebox` begins: what takes long to start is started before the imports."""

import argparse
import multiprocessing
import sys
from contextlib import suppress
from multiprocessing import forkserver
from pathlib import Path
from typing import TYPE_CHECKING

from gradebox.environment import give_home
from gradebox.kernels.server import PRELOADED, available, server

if TYPE_CHECKING:
    from traitlets.config import Config

# How processes of workers are started. With "forkserver" they are forked from one that has imported what
# workers need, once for all.
METHOD = "forkserver" if available() else "spawn"
WORKERS_NEED = ["gradebox.own_process", "distributed.nanny", "distributed.worker", "gradebox.jobs"]


def main() -> None:
    """The command line. What grading waits for starts while the rest is imported."""
    give_home()
    command, arguments = sys.argv[1:2], sys.argv[2:]
    elsewhere = any(argument.startswith(("--scheduler", "--help")) for argument in arguments)
    if available() and command == ["autograde"] and not elsewhere:
        with suppress(Exception):
            # What is wrong with the command or the course is said later, in a sentence.
            course, settings = configured(arguments)
            if "--force" in arguments or something_new(course, settings):
                run_ahead(tuple(settings.Execute.get("preload", PRELOADED)))
    import gradebox.own_process  # noqa: F401
    from gradebox.cli import main

    main()


def configured(arguments: list[str]) -> tuple[Path, "Config"]:
    """The course of this command, and its settings."""
    from traitlets.config import PyFileConfigLoader

    options = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    options.add_argument("--course", type=Path, default=Path("."))
    course = options.parse_known_args(arguments)[0].course
    return course, PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()


def something_new(course: Path, settings: "Config") -> bool:
    """Whether something will be graded, by the dates of files. Who grades looks closer."""
    folders = {
        step: course / settings.CourseDirectory.get(f"{step}_directory", step)
        for step in ("source", "submitted", "autograded")
    }
    changed = newest([course / "nbgrader_config.py", *Path(__file__).parent.rglob("*.py")])
    for folder in folders["submitted"].glob("*/*/"):
        if folder.is_symlink() or folder.parent.is_symlink():
            # It may hold all of this machine's disk.
            continue
        student, assignment = folder.parent.name, folder.name
        graded = list((folders["autograded"] / student / assignment).glob("*.ipynb"))
        since = max(changed, newest([*folder.rglob("*"), *(folders["source"] / assignment).rglob("*")]))
        if any(folder.glob("*.ipynb")) and (not graded or newest(graded) < since):
            return True
    return False


def newest(paths: list[Path]) -> float:
    """When the last of these files was changed."""
    return max((path.lstat().st_mtime for path in paths), default=0.0)


def run_ahead(preload: tuple[str, ...]) -> None:
    """Start the processes that kernels are forked from, and the one that workers are forked from."""
    server(preload)
    if METHOD == "forkserver":
        multiprocessing.get_context(METHOD).set_forkserver_preload(WORKERS_NEED)
        forkserver.ensure_running()
