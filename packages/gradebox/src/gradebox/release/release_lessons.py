"""Release assignments: convert texts, check notebooks, write student versions, and update the gradebook."""

import shutil
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import chdir, suppress
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import CheckCellMetadata, SaveCells

from gradebox.autograde.assign_steps_to_processes import import_step_classes, run_steps
from gradebox.autograde.release_history import record_release_cells
from gradebox.course import REMOVED_POINTS_FILE, Course, CourseError
from gradebox.csv_table import append_csv_records
from gradebox.execute.skip_demonstrations import has_demonstration_tag, is_demonstration
from gradebox.execute.test_modes import drop_record
from gradebox.notebook_exercises import (
    find_grade_id,
    find_notebook_problem,
    find_prerequisites,
    serialize_notebook,
)
from gradebox.release.generate_autotests import instantiate_all_tests, list_ignored_autotests
from gradebox.release.jupytext_sync import PairingError, get_source_path, pair_notebook
from gradebox.release.migrate_gradebook import RemovedGrade, save_cells
from gradebox.release.notebook_lint import LintProblem, lint_assignment, raise_blocking_problems


class StudentVersion(GenerateAssignment):
    """nbgrader's converter for releases, which leaves the gradebook to `fill_gradebook`."""

    def __init__(self, **options: Any):
        super().__init__(**options)
        self.no_database = True
        steps = import_step_classes(self.preprocessors)
        self.set_trait("preprocessors", [step for step in steps if not issubclass(step, SaveCells)])


def pair_notebooks(course: Course, assignments: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Update source notebooks from their texts in `lessons/`, unless that would lose edits.

    assignments: those to update; those without a text are skipped. Return the notebooks that were written,
    and the reasons why others were not, by assignment.
    """
    written, stale = [], dict[str, str]()
    for assignment in assignments:
        if assignment not in course.lesson_texts:
            continue
        text = course.root / "lessons" / f"{assignment}.py"
        try:
            if pair_notebook(course, text):
                written.append(str(get_source_path(course, text).relative_to(course.root)))
        except PairingError as error:
            stale[assignment] = str(error)
    # Drop the cached list: new lessons may have been added.
    course.__dict__.pop("assignments", None)
    return written, stale


def write_student_version(
    course: Course, assignment: str, problems: list[LintProblem] | None = None
) -> list[RemovedGrade]:
    """Write the student version of an assignment, and update the gradebook's cells.

    problems: those that `lint_assignment` has found, if it was called before. Return the manual grades of
    removed cells, which are also appended to `REMOVED_POINTS_FILE`. Raises CourseError if a check fails or
    nbgrader refuses. In this case the gradebook does not change, and the last release, which nbgrader
    deletes, is restored.
    """
    folder = course.path("release", assignment)
    if problems is None:
        problems = lint_assignment(course, assignment)
    raise_blocking_problems(problems, assignment)
    impossible = course.selection.find_problem(assignment, course.full_sources(assignment))
    if impossible:
        raise CourseError(f"{assignment} can't be released: {impossible}")
    try:
        sources = instantiate_all_tests(course, assignment, course.sources(assignment))
    except CourseError as error:
        raise CourseError(f"{assignment} can't be released: {error}") from None
    for name, source in sources.items():
        try:
            find_prerequisites(source)
            check_demonstration_tags(source)
        except ValueError as error:
            raise CourseError(f"{assignment}/{name} can't be released: {error}") from None
    with tempfile.TemporaryDirectory() as kept:
        # The last release may be from before there was a history.
        for name, released in read_last_release(course, assignment).items():
            record_release_cells(course.root, assignment, name, released)
        backup = Path(kept) / "release"
        if folder.is_dir():
            shutil.copytree(folder, backup)
        try:
            problem = course.convert(StudentVersion, assignment)
            if problem:
                raise CourseError(problem)
            remove_test_records(folder)
            return fill_gradebook(course, assignment, sources)
        except CourseError as refusal:
            if backup.is_dir():
                shutil.copytree(backup, folder, dirs_exist_ok=True)
            raise CourseError(f"{assignment} can't be released: {refusal}") from None


def check_demonstration_tags(source: NotebookNode) -> None:
    """Raise ValueError if a graded cell has the tag of demonstrations, which grading skips."""
    for cell in filter(has_demonstration_tag, source.cells):
        if not is_demonstration(cell):
            raise ValueError(f"{find_grade_id(cell)} is graded: only an ungraded cell can be a demonstration")


def remove_test_records(folder: Path) -> None:
    """Remove the test modes from released notebooks, if the course's release steps lack `HandIn`."""
    for path in folder.glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        if drop_record(notebook):
            path.write_text(serialize_notebook(notebook), encoding="utf-8")


def read_last_release(course: Course, assignment: str) -> dict[str, NotebookNode]:
    """Return the notebooks in the release folder of an assignment, by name, without invalid ones."""
    found = {}
    for path in sorted(course.path("release", assignment).glob("*.ipynb")):
        # The next release replaces a file with a merge conflict, for example.
        with suppress(Exception):
            text = path.read_text(encoding="utf-8")
            if not find_notebook_problem(text):
                found[path.stem] = nbformat.reads(text, as_version=4)
    return found


def fill_gradebook(
    course: Course, assignment: str, sources: Mapping[str, NotebookNode]
) -> list[RemovedGrade]:
    """Save an assignment's cells to the gradebook, unless the course's release steps lack SaveCells.

    sources: the instructor's notebooks by name; the steps before SaveCells change them. Return the manual
    grades of removed cells, which are also appended to `REMOVED_POINTS_FILE`.
    """
    directory = course.directory(assignment_id=assignment)
    chosen = import_step_classes(GenerateAssignment(coursedir=directory, parent=course.app).preprocessors)
    place = next((n for n, step in enumerate(chosen) if issubclass(step, SaveCells)), None)
    if place is None:
        return []
    needed = (step for step in chosen[:place] if step is not CheckCellMetadata)
    steps, cells = [step(parent=course.app) for step in needed], {}
    for name, source in sources.items():
        about = {"student": ".", "assignment": assignment, "notebook": name, "db_url": directory.db_url}
        path = str(course.path("source", assignment))
        with chdir(course.root):
            cells[name] = run_steps(steps, source, {"nbgrader": about, "metadata": {"path": path}})
    with course.gradebook() as gradebook:
        removed = save_cells(gradebook, assignment, cells)
        append_removed_grades(course, removed)
    return removed


def append_removed_grades(course: Course, removed: list[RemovedGrade]) -> None:
    """Append manual grades of removed cells to `REMOVED_POINTS_FILE`."""
    if removed:
        headings = [field.name for field in fields(RemovedGrade)]
        append_csv_records(course.root / REMOVED_POINTS_FILE, headings, map(asdict, removed))


def find_warnings(course: Course, assignment: str, problems: list[LintProblem] | None = None) -> list[str]:
    """Return warnings for the author of an assignment, one clause each.

    problems: those that `lint_assignment` has found, if it was called before.
    """
    if problems is None:
        problems = lint_assignment(course, assignment)
    found = [str(one) for one in problems if not one.stops]
    for name, source in course.sources(assignment).items():
        said = list_ignored_autotests(course, source)
        found += [f"{assignment}/{name}: {what}" for what in said]
    return found
