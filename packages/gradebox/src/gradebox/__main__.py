"""Entry point of the `gradebox` command. Starts the zygote before the slow imports."""

import argparse
import gc
import sys
from contextlib import closing, suppress
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gradebox.execute.preload_modules import select_preload_modules
from gradebox.kernel.zygote_client import DEFAULT_PRELOAD, can_fork_kernels, get_zygote
from gradebox.path_and_home import ensure_home

if TYPE_CHECKING:
    from traitlets.config import Config

SQLITE = "sqlite:///"


def main() -> None:
    """Run the command line; for `autograde`, start the zygote while the other modules are imported."""
    ensure_home()
    command, arguments = sys.argv[1:2], sys.argv[2:]
    if command and not any(argument in ("--help", "--version") for argument in sys.argv[1:]):
        if sys.stderr.isatty():
            # The imports take a second or more.
            print(f"gradebox {command[0]}: reading the course", file=sys.stderr, flush=True)
        if command == ["autograde"] and can_fork_kernels():
            with suppress(Exception):
                # Errors in the command or the course are reported later, with a proper message.
                start_zygote(arguments)
    # Disable the garbage collector during imports: module objects are never garbage.
    gc.disable()
    import gradebox.stub_heavy_packages  # noqa: F401
    from gradebox.app import main

    gc.freeze()
    gc.enable()
    main()


def start_zygote(arguments: list[str]) -> None:
    """Start the zygote for `gradebox autograde` with these arguments, if there is anything to grade here."""
    options = parse_grading_options(arguments)
    settings = load_course_settings(options.course)
    new = find_new_notebooks(options.course, settings, options.force, options.assignments, options.student)
    if new and not options.scheduler:
        preload = settings.Execute.get("preload", DEFAULT_PRELOAD)
        texts = [path.read_text(encoding="utf-8") for path in new]
        modules = select_preload_modules(preload, texts)
        each = [select_preload_modules(preload, [text]) for text in texts]
        # Lessons that need only these need not wait until the others are imported.
        get_zygote(modules, light=tuple(name for name in modules if all(name in one for one in each)))


def parse_grading_options(arguments: list[str]) -> argparse.Namespace:
    """Parse the options of `gradebox autograde` that decide what is graded. Raises ArgumentError."""
    options = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    options.add_argument("assignments", nargs="*")
    options.add_argument("--course", type=Path, default=Path("."))
    options.add_argument("--force", action="store_true")
    for name in ("--student", "--workers", "--scheduler"):
        options.add_argument(name)
    return options.parse_known_intermixed_args(arguments)[0]


def load_course_settings(course: Path) -> "Config":
    """Return a course's configuration."""
    from traitlets.config import PyFileConfigLoader

    return PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()


def find_new_notebooks(
    course: Path,
    settings: "Config",
    force: bool = False,
    assignments: list[str] | None = None,
    only: str | None = None,
) -> list[Path]:
    """Return the source notebooks of assignments with new or changed submissions, by file modification time.

    force: grade everything again. assignments: only these; all, if empty. only: only this student. If an
    assignment with submissions is not released, nothing is graded, so return nothing. This is only a quick
    check by file date; the grader checks precisely.
    """
    source, submitted, autograded, release = (
        course / settings.CourseDirectory.get(f"{step}_directory", step)
        for step in ("source", "submitted", "autograded", "release")
    )
    ignored = settings.CourseDirectory.get("ignore", [])
    ignored = ignored.get_value([]) if hasattr(ignored, "get_value") else ignored
    known = find_known_assignments(course, settings)
    changed = find_latest_mtime([course / "nbgrader_config.py", *Path(__file__).parent.rglob("*.py")])
    changed_source = cache(lambda name: find_latest_mtime([*(source / name).rglob("*")]))
    new: set[str] = set()
    for folder in submitted.glob("*/*/"):
        student, assignment = folder.parent.name, folder.name
        if folder.is_symlink() or folder.parent.is_symlink() or not any(folder.glob("*.ipynb")):
            # Do not follow links: a link could lead to the whole disk.
            continue
        if assignments and assignment not in assignments or any(fnmatch(assignment, p) for p in ignored):
            continue
        notebooks = [path.name for path in (source / assignment).glob("*.ipynb")]
        if known is not None and assignment not in known:
            if notebooks:
                return []
            continue
        if not all((release / assignment / name).is_file() for name in notebooks):
            return []
        graded = list((autograded / student / assignment).glob("*.ipynb"))
        since = max(changed, changed_source(assignment), find_latest_mtime([*folder.rglob("*")]))
        if only in (None, student) and (force or not graded or find_latest_mtime(graded) < since):
            new.add(assignment)
    return [path for name in sorted(new) for path in (source / name).glob("*.ipynb")]


def find_known_assignments(course: Path, settings: "Config") -> set[str] | None:
    """Return the names of the assignments in a course's gradebook; None if it is not a SQLite file.

    Raises sqlite3.Error.
    """
    import sqlite3

    url = settings.CourseDirectory.get("db_url", f"{SQLITE}gradebook.db")
    if not url.startswith(SQLITE):
        return None
    path = course.resolve() / url.removeprefix(SQLITE)
    if not path.is_file():
        return set()
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as gradebook:
        return {name for (name,) in gradebook.execute("SELECT name FROM assignment")}


def find_latest_mtime(paths: list[Path]) -> float:
    """Return the latest modification time of these files, in seconds since the epoch; 0.0 without files."""
    return max((path.lstat().st_mtime for path in paths), default=0.0)


if __name__ == "__main__":
    main()
