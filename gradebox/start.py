"""Where the command `gradebox` begins: what takes long to start is started before the imports."""

import argparse
import multiprocessing
import sys
from contextlib import suppress
from multiprocessing import forkserver
from pathlib import Path

from gradebox.environment import give_home
from gradebox.kernels.server import PRELOADED, available, server

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
            run_ahead(configured(arguments))
    import gradebox.own_process  # noqa: F401
    from gradebox.cli import main

    main()


def configured(arguments: list[str]) -> tuple[str, ...]:
    """The modules that the course of this command wants preloaded."""
    from traitlets.config import PyFileConfigLoader

    options = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    options.add_argument("--course", type=Path, default=Path("."))
    course = options.parse_known_args(arguments)[0].course
    settings = PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()
    return tuple(settings.Execute.get("preload", PRELOADED))


def run_ahead(preload: tuple[str, ...]) -> None:
    """Start the processes that kernels are forked from, and the one that workers are forked from."""
    server(preload)
    if METHOD == "forkserver":
        multiprocessing.get_context(METHOD).set_forkserver_preload(WORKERS_NEED)
        forkserver.ensure_running()
