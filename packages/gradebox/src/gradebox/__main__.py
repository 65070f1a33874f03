"""Entry point of the `gradebox` command. Starts the zygote before the slow imports."""

import argparse
import gc
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from gradebox.execute.preload_modules import select_preload_modules
from gradebox.kernel.zygote_client import DEFAULT_PRELOAD, can_fork_kernels, get_zygote
from gradebox.path_and_home import ensure_home

if TYPE_CHECKING:
    from traitlets.config import Config


def main() -> None:
    """Run the command line; for `autograde`, start the zygote while the other modules are imported."""
    ensure_home()
    command, arguments = sys.argv[1:2], sys.argv[2:]
    elsewhere = any(argument.startswith(("--scheduler", "--help")) for argument in arguments)
    if can_fork_kernels() and command == ["autograde"] and not elsewhere:
        with suppress(Exception):
            # Errors in the command or the course are reported later, with a proper message.
            course, settings = load_course_settings(arguments)
            new = find_new_notebooks(course, settings, "--force" in arguments)
            if new:
                preload = settings.Execute.get("preload", DEFAULT_PRELOAD)
                get_zygote(
                    select_preload_modules(preload, (path.read_text(encoding="utf-8") for path in new))
                )
    # Disable the garbage collector during imports: module objects are never garbage.
    gc.disable()
    import gradebox.stub_heavy_packages  # noqa: F401
    from gradebox.app import main

    gc.freeze()
    gc.enable()
    main()


def load_course_settings(arguments: list[str]) -> tuple[Path, "Config"]:
    """Return the course folder of this command, and the course's configuration."""
    from traitlets.config import PyFileConfigLoader

    options = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    options.add_argument("--course", type=Path, default=Path("."))
    course = options.parse_known_args(arguments)[0].course
    return course, PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()


def find_new_notebooks(course: Path, settings: "Config", force: bool = False) -> list[Path]:
    """Return the source notebooks of assignments with new or changed submissions, by file modification time.

    force: regrade everything. This is only a quick check by file date; the grader checks precisely.
    """
    folders = {
        step: course / settings.CourseDirectory.get(f"{step}_directory", step)
        for step in ("source", "submitted", "autograded")
    }
    new: set[str] = set()
    changed = find_latest_mtime([course / "nbgrader_config.py", *Path(__file__).parent.rglob("*.py")])
    for folder in folders["submitted"].glob("*/*/"):
        if folder.is_symlink() or folder.parent.is_symlink():
            # Do not follow links: a link could lead to the whole disk.
            continue
        student, assignment = folder.parent.name, folder.name
        graded = list((folders["autograded"] / student / assignment).glob("*.ipynb"))
        since = max(
            changed, find_latest_mtime([*folder.rglob("*"), *(folders["source"] / assignment).rglob("*")])
        )
        if any(folder.glob("*.ipynb")) and (force or not graded or find_latest_mtime(graded) < since):
            new.add(assignment)
    return [path for name in sorted(new) for path in (folders["source"] / name).glob("*.ipynb")]


def find_latest_mtime(paths: list[Path]) -> float:
    """Return the latest modification time of these files, in seconds since the epoch; 0.0 without files."""
    return max((path.lstat().st_mtime for path in paths), default=0.0)


if __name__ == "__main__":
    main()
