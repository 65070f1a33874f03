"""Folders, assignments, notebooks and gradebook of a course, for every other module of gradebox.

All paths come from nbgrader's configuration, so that gradebox and the `nbgrader` command use the same files.
"""

import logging
import os
import re
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path
from traceback import extract_tb

import nbformat
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.apps.baseapp import NbGrader
from nbgrader.converters.base import BaseConverter
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.abc import Exchange
from sqlalchemy import Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, OperationalError
from traitlets import TraitError
from traitlets.config import Config

from gradebox.dates import Dates
from gradebox.due_date_settings import store_due_date_settings
from gradebox.exercise_selection import Lessons
from gradebox.gradebook_transactions import (
    OldGradebookError,
    check_columns,
    drop_removed_tables,
    open_engine,
    transaction,
)
from gradebox.notebook_exercises import GradedCell, find_graded_cells, find_notebook_problem
from gradebox.path_and_home import add_environment_to_path
from gradebox.printable_text import format_exception, format_file_name
from gradebox.setting_names import find_unknown_setting

# Incidents of the last grading run (see `autograde/incidents.py`).
INCIDENTS = "incidents.json"
# Manual grades of removed cells (see `release/release_lessons.py`).
REMOVED_POINTS_FILE = "removed_points.csv"
# All files of the last download that `gradebox collect` has read.
COLLECTED = "downloaded/collected.csv"
# Files in submitted/ that later ones have replaced, by student and assignment.
REPLACED_FOLDER = "downloaded/replaced"
# The tables of platforms that `gradebox grade` fills in, by platform and assignment.
PLATFORM_TABLES = "downloaded/tables"
# nbgrader's name for the configuration file of a course.
CONFIG = "nbgrader_config.py"


class CourseError(Exception):
    """Invalid course, option or environment; the message contains the remedy."""

    exit_status = 2


class AssignmentNameError(CourseError):
    """Existing assignment with a name that nbgrader does not allow."""

    exit_status = 1


@contextmanager
def require_extra(name: str) -> Iterator[None]:
    """Convert a missing package of an optional extra into CourseError, inside a `with` block."""
    try:
        yield
    except ModuleNotFoundError as error:
        problem = f"{error.name} is not installed: `pip install gradebox[{name}]` installs it"
        raise CourseError(problem) from None


@contextmanager
def convert_database_errors(db_url: str) -> Iterator[None]:
    """Convert errors raised while the gradebook at `db_url` is opened into CourseError."""
    asked = "c.CourseDirectory.db_url in nbgrader_config.py"
    try:
        yield
    except ArgumentError:
        raise CourseError(f"{asked} is not a database URL") from None
    except ImportError as error:
        name = error.name or "the database's driver"
        how = "`pip install gradebox[postgresql]` installs it" if "psycopg" in db_url else "install it"
        raise CourseError(f"{asked} needs {name}, which can't be imported: {how}") from None
    except OldGradebookError as error:
        raise CourseError(str(error)) from None
    except DatabaseError as error:
        # A locked SQLite file is handled by the caller, which asks to run the command again.
        if make_url(db_url).get_backend_name() == "sqlite" and isinstance(error, OperationalError):
            raise
        where = make_url(db_url).render_as_string(hide_password=True)
        said = " ".join(str(error.orig).split())
        raise CourseError(f"the gradebook at {where} can't be opened: {said}") from None


class SilentApp(NbGrader):
    """nbgrader's application with another logger than the command that is running, which keeps its level."""


class Course:
    """A course folder with an `nbgrader_config.py`.

    Raises CourseError if there is no such file in `root`.
    """

    def __init__(self, root: Path | str = "."):
        self.root = Path(root).resolve()
        if not (self.root / CONFIG).is_file():
            raise CourseError(f"not a course: {self.root} has no {CONFIG}; use --course")
        add_environment_to_path()

    @classmethod
    def with_settings(cls, root: Path, config: Config) -> "Course":
        """Return the course in a folder, with a configuration that nbgrader has loaded from any place."""
        course = cls.__new__(cls)
        course.root = root.resolve()
        course.app = SilentApp(config=config, log_level="CRITICAL")
        return course

    @cached_property
    def app(self) -> NbGrader:
        """The nbgrader application object, with the configuration that nbgrader's commands would load.

        Raises CourseError if the configuration can't be read, or has an unknown setting of gradebox.
        """
        with chdir(self.root):
            app = NbGrader(log_level="CRITICAL")
            # By default, nbgrader would ignore a broken configuration file.
            app.raise_config_file_errors = True
            try:
                app.initialize([])
            except Exception as error:
                raise CourseError(
                    f"{locate_config_error(error)} can't be read: {format_exception(error)}"
                ) from None
            unknown = find_unknown_setting(app.config)
            if unknown:
                raise CourseError(f"{CONFIG}: {unknown}")
            # The file may set a log level; `convert` reports the errors that matter.
            app.log_level = "CRITICAL"
            return app

    @cached_property
    def default_directory(self) -> CourseDirectory:
        """CourseDirectory of the whole course. Creating one takes longer than using it."""
        return self.directory()

    def directory(self, **traits: str) -> CourseDirectory:
        """Return nbgrader's CourseDirectory, restricted by traits such as assignment_id and student_id.

        Raises CourseError for an invalid value.
        """
        try:
            return CourseDirectory(parent=self.app, root=str(self.root), **traits)
        except TraitError as error:
            raise CourseError(str(error)) from None

    def path(self, step: str, assignment: str, student: str = ".") -> Path:
        """Return the folder of a step ("source", "submitted", "autograded", …)."""
        name = getattr(self.default_directory, f"{step}_directory")
        return Path(os.path.normpath(self.default_directory.format_path(name, student, assignment)))

    @cached_property
    def assignments(self) -> list[str]:
        """Names of the assignments in `source/`, sorted, without ignored and skipped folders."""
        return [name for name in self.list_source_folders() if not find_assignment_name_problem(name)]

    @property
    def lesson_texts(self) -> list[str]:
        """Names of the assignments with a text in `lessons/`, sorted, without ignored ones."""
        found = sorted(path.stem for path in (self.root / "lessons").glob("*.py"))
        return [name for name in found if not self.is_ignored(name)]

    @property
    def skipped_assignments(self) -> dict[str, str]:
        """Folders in `source/` with names that nbgrader does not allow: the problem, by name."""
        found = {name: find_assignment_name_problem(name) for name in self.list_source_folders()}
        return {
            name: f"{problem} in the name of an assignment; rename the folder"
            for name, problem in found.items()
            if problem
        }

    def list_source_folders(self) -> list[str]:
        """Return the names of the folders with notebooks in `source/`, sorted, without ignored ones."""
        parent = self.path("source", "x").parent
        if not parent.is_dir():
            return []
        found = (path.name for path in parent.iterdir() if path.is_dir() and self.find_notebooks(path))
        return sorted(name for name in found if not self.is_ignored(name))

    def is_ignored(self, assignment: str) -> bool:
        """Return True if the name matches a pattern of CourseDirectory.ignore."""
        return any(fnmatch(assignment, pattern) for pattern in self.default_directory.ignore)

    def describe_source(self, assignment: str) -> str:
        """Return the folder of an assignment's source, relative to the course, for messages."""
        return f"{self.default_directory.source_directory}/{format_file_name(assignment)}"

    def select_assignments(self, names: list[str] | None) -> list[str]:
        """Return the given assignments, or all.

        Raises AssignmentNameError for a name that nbgrader does not allow, CourseError for an unknown name.
        """
        for name in names or []:
            problem = self.skipped_assignments.get(name)
            if problem:
                raise AssignmentNameError(f"{self.describe_source(name)} can't be used: {problem}")
            if name not in self.assignments:
                known = ", ".join(self.assignments) or "none yet"
                raise CourseError(f"unknown assignment {name!r} (known: {known})")
        return list(names or self.assignments)

    def notebooks(self, assignment: str) -> list[str]:
        """Return the names of an assignment's notebooks, without the extension."""
        return self.find_notebooks(self.path("source", assignment))

    def find_notebooks(self, folder: Path) -> list[str]:
        """Return the names of nbgrader's notebooks in a folder, without hidden files."""
        found = folder.glob(f"{self.default_directory.notebook_id}.ipynb")
        return sorted(path.stem for path in found if not path.name.startswith("."))

    @cached_property
    def selection(self) -> Lessons:
        """The settings that select exercises. Raises CourseError for an invalid value."""
        try:
            return Lessons(parent=self.app)
        except TraitError as error:
            raise CourseError(str(error)) from None

    @cached_property
    def dates(self) -> Dates:
        """The course's time zone. Raises CourseError for an unknown one."""
        try:
            return Dates(parent=self.app)
        except TraitError as error:
            raise CourseError(str(error)) from None

    def source(self, assignment: str, name: str) -> nbformat.NotebookNode:
        """Read an instructor's notebook, with the exercises that the course has selected.

        Raises CourseError as `full_source`, or if the exercises can't be selected.
        """
        notebook = self.full_source(assignment, name)
        try:
            return self.selection.select(notebook, assignment)
        except ValueError as error:
            raise CourseError(f"{assignment}/{name}: {error}") from None

    def full_source(self, assignment: str, name: str, settled: bool = True) -> nbformat.NotebookNode:
        """Read an instructor's notebook, with all exercises.

        settled: also check the format and the nbgrader metadata of the cells. Raises CourseError if the file
        is not a valid notebook.
        """
        path = self.path("source", assignment) / f"{name}.ipynb"
        where = path.relative_to(self.root) if path.is_relative_to(self.root) else path
        try:
            text = path.read_text(encoding="utf-8")
            notebook = nbformat.reads(text, as_version=4)
        except Exception as error:
            raise CourseError(f"{where} can't be read as a notebook: {format_exception(error)}") from None
        problem = find_notebook_problem(text) if settled else None
        if problem:
            raise CourseError(f"{where}, {problem}")
        return notebook

    def sources(self, assignment: str) -> dict[str, nbformat.NotebookNode]:
        """Read the instructor's notebooks of an assignment, by name. Raises CourseError as `source`."""
        return {name: self.source(assignment, name) for name in self.notebooks(assignment)}

    def full_sources(self, assignment: str) -> dict[str, nbformat.NotebookNode]:
        """Read the instructor's notebooks with all exercises, by name. Raises as `full_source`."""
        return {name: self.full_source(assignment, name) for name in self.notebooks(assignment)}

    def release_path(self, assignment: str, name: str) -> Path:
        """Return the path of a released notebook. Raises CourseError if the file does not exist."""
        path = self.path("release", assignment) / f"{name}.ipynb"
        if not path.is_file():
            raise CourseError(f"{assignment} is not released: run `gradebox release {assignment}` first")
        return path

    def released(self, assignment: str) -> dict[str, nbformat.NotebookNode]:
        """Read the released notebooks of an assignment, by name; empty if none is released."""
        paths = sorted(self.path("release", assignment).glob("*.ipynb"))
        return {path.stem: nbformat.read(path, as_version=4) for path in paths}

    def texts(self, assignment: str) -> dict[str, str]:
        """Return the instructor's notebooks as JSON text, by name, with the selected exercises."""
        found = {}
        for name in self.notebooks(assignment):
            text = (self.path("source", assignment) / f"{name}.ipynb").read_text(encoding="utf-8")
            if self.selection.may_change(text, assignment):
                text = nbformat.writes(self.source(assignment, name))
            found[name] = text
        return found

    def graded_cells(self, assignment: str) -> list[GradedCell]:
        """Return all graded cells of an assignment, in reading order; cached by the notebooks' content."""
        folder, found = self.path("source", assignment), list[GradedCell]()
        for name in self.notebooks(assignment):
            key = name, (folder / f"{name}.ipynb").read_bytes()
            if key not in self._cells:
                self._cells[key] = find_graded_cells(self.source(assignment, name), name)
            found += self._cells[key]
        return found

    @cached_property
    def _cells(self) -> dict[tuple[str, bytes], list[GradedCell]]:
        return {}

    @cached_property
    def students(self) -> list[str]:
        """Ids of all students with a folder in `submitted/`, sorted."""
        parent = Path(os.path.normpath(self.root / self.default_directory.submitted_directory))
        if not parent.is_dir():
            return []
        # Keep dangling links: grading reports them as bad submissions.
        found = [p for p in parent.iterdir() if p.is_dir() or p.is_symlink() and not p.exists()]
        return sorted(p.name for p in found if not p.name.startswith("."))

    @property
    def roster(self) -> list[str]:
        """Ids of all students with a folder in `submitted/` or an entry in the gradebook, sorted."""
        with self.gradebook() as gradebook:
            return sorted({*self.students, *(student.id for student in gradebook.students)})

    @cached_property
    def engine(self) -> Engine:
        """SQLAlchemy engine of the gradebook. Raises CourseError if the database can't be opened."""
        url = self.default_directory.db_url
        # A path in db_url is relative to the course.
        with chdir(self.root), convert_database_errors(url):
            engine = open_engine(url, self.default_directory.course_id)
            if copy := drop_removed_tables(engine):
                logging.warning(
                    "tables of removed features were deleted from the gradebook; a copy is %s", copy
                )
            self.store_due_dates(engine)
            return engine

    def store_due_dates(self, engine: Engine) -> None:
        """Write the dates of `c.Dates.due` to the gradebook, and remove those that were deleted there."""
        due = {name: self.dates.parse(text) for name, text in self.dates.due.items()}
        with transaction(engine, self.default_directory.course_id) as gradebook:
            store_due_date_settings(gradebook, due, self.assignments)

    def check_gradebook(self) -> bool:
        """Check that the gradebook is of the installed nbgrader. Return False without a gradebook.

        Writes nothing. Raises CourseError if the gradebook is older or is not a database.
        """
        url = self.default_directory.db_url
        parsed = make_url(url)
        with chdir(self.root), convert_database_errors(url):
            if parsed.get_backend_name() == "sqlite" and not Path(parsed.database or "").is_file():
                return False
            check_columns(url)
        return True

    @contextmanager
    def gradebook(self) -> Iterator[Gradebook]:
        """Open the gradebook for one transaction, committed at the end of the `with` block."""
        with transaction(self.engine, self.default_directory.course_id) as gradebook:
            yield gradebook

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Open a gradebook connection for one transaction, committed at the end of the `with` block."""
        with self.gradebook() as gradebook:
            yield gradebook.db.connection()

    def convert(self, converter: type[BaseConverter], assignment: str, student: str = ".") -> str | None:
        """Run one of nbgrader's converters, replacing an earlier result.

        Returns None after success, else the error in one line.
        """
        directory = self.directory(assignment_id=assignment, student_id=student)
        run = converter(coursedir=directory, parent=self.app)
        run.force = True
        return run_nbgrader_step(run)


def run_nbgrader_step(step: BaseConverter | Exchange) -> str | None:
    """Run a converter or transfer of nbgrader. Return None after success, else the error in one line."""
    step.log.setLevel("WARNING")
    result = utils.capture_log(step)
    if (result.get("error") or "").rstrip().endswith("KeyboardInterrupt"):
        # nbgrader catches Ctrl-C, and the command would continue with the next student.
        raise KeyboardInterrupt
    return None if result["success"] else find_log_error(result)


def find_assignment_name_problem(name: str) -> str | None:
    """Return the reason why nbgrader can't use a folder as an assignment, or None.

    nbgrader refuses +, strips spaces, treats the name as a glob pattern, and matches paths line by line.
    """
    forbidden = [sign for sign in name if sign in "+*?["]
    if forbidden:
        return f"nbgrader does not allow {forbidden[0]}"
    if name != name.strip():
        return "nbgrader does not allow a leading or trailing space"
    if "\n" in name:
        return "nbgrader does not allow a line break"
    try:
        name.encode()
    except UnicodeEncodeError:
        return "nbgrader allows only UTF-8"
    return None


def locate_config_error(error: Exception) -> str:
    """Return the file and line of the configuration that raised an error."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno},"
    frames = [frame for frame in extract_tb(error.__traceback__) if Path(frame.filename).name == CONFIG]
    return f"{frames[-1].filename}, line {frames[-1].lineno}," if frames else CONFIG


def find_log_error(result: dict) -> str:
    """Return the line of nbgrader's log or traceback that contains the error."""
    lines = [line.strip() for line in (result.get("log") or "").splitlines()]
    errors = [line for line in lines if re.match(r"^[\w.]*(Error|Exception|Entry)\b.*:", line)]
    errors += [line.removeprefix("[ERROR] ") for line in lines if line.startswith("[ERROR]")]
    errors += (result.get("error") or "").strip().splitlines()[-1:]
    return errors[0] if errors else "nbgrader failed without an error message"
