"""Release assignments: convert texts, check notebooks, write student versions, and update the gradebook."""

import shutil
import tempfile
from dataclasses import asdict, fields
from pathlib import Path

from nbgrader.converters import GenerateAssignment

from gradebox.course import Course, CourseError
from gradebox.csv_table import append_csv_records
from gradebox.execute.lesson import find_prerequisites
from gradebox.release import demonstration_independence
from gradebox.release.generate_autotests import instantiate_all_tests, list_ignored_autotests
from gradebox.release.jupytext_sync import PairingError, get_source_path, pair_notebook
from gradebox.release.migrate_gradebook import RemovedGrade, migrate_cells
from gradebox.release.notebook_lint import lint_assignment, raise_blocking_problems

# The file in the course's folder that records manual grades of removed cells.
REMOVED_POINTS_FILE = "removed_points.csv"


def pair_all_notebooks(course: Course, plain: bool = False) -> tuple[list[str], dict[str, str]]:
    """Update every source notebook from its text in `lessons/`, unless that would lose edits.

    Return the notebooks that were written, and the reasons why others were not, by assignment.

    plain: write the code of checks cells uncompressed.
    """
    written, stale = [], dict[str, str]()
    for text in sorted((course.root / "lessons").glob("*.py")):
        if course.is_ignored(text.stem):
            continue
        try:
            if pair_notebook(course, text, plain):
                written.append(str(get_source_path(course, text).relative_to(course.root)))
        except PairingError as error:
            stale[text.stem] = str(error)
    # Drop the cached list: new lessons may have been added.
    course.__dict__.pop("assignments", None)
    return written, stale


def write_student_version(course: Course, assignment: str) -> list[RemovedGrade]:
    """Write the student version of an assignment, and update the gradebook's cells.

    Return the manual grades of removed cells, which are also appended to `REMOVED_POINTS_FILE`. Raises
    CourseError if a check fails or nbgrader refuses. In this case the gradebook does not change, and the last
    release, which nbgrader deletes, is restored.
    """
    folder = course.path("release", assignment)
    raise_blocking_problems(lint_assignment(course, assignment), assignment)
    try:
        sources = instantiate_all_tests(course, assignment)
    except CourseError as error:
        raise CourseError(f"{assignment} can't be released: {error}") from None
    checked: dict[str, str | None] = {}
    for name, source in sources.items():
        try:
            find_prerequisites(source)
            checked[name] = demonstration_independence.check_demonstrations(course, assignment, name, source)
        except (ValueError, CourseError) as error:
            raise CourseError(f"{assignment}/{name} can't be released: {error}") from None
    with tempfile.TemporaryDirectory() as kept:
        backup = Path(kept) / "release"
        if folder.is_dir():
            shutil.copytree(folder, backup)
        try:
            with course.gradebook() as gradebook:
                removed = migrate_cells(gradebook, assignment, course.sources(assignment))
                problem = course.convert(GenerateAssignment, assignment)
                if problem:
                    raise CourseError(problem)
                demonstration_independence.write_digests(course, assignment, checked)
                append_removed_grades(course, removed)
        except CourseError as refusal:
            if backup.is_dir():
                shutil.copytree(backup, folder, dirs_exist_ok=True)
            raise CourseError(f"{assignment} can't be released: {refusal}") from None
    return removed


def append_removed_grades(course: Course, removed: list[RemovedGrade]) -> None:
    """Append manual grades of removed cells to `REMOVED_POINTS_FILE`."""
    if removed:
        headings = [field.name for field in fields(RemovedGrade)]
        append_csv_records(course.root / REMOVED_POINTS_FILE, headings, map(asdict, removed))


def find_warnings(course: Course, assignment: str) -> list[str]:
    """Return warnings for the author of an assignment, one clause each."""
    found = [str(one) for one in lint_assignment(course, assignment) if not one.stops]
    for name, source in course.sources(assignment).items():
        said = list_ignored_autotests(course, source)
        found += [f"{assignment}/{name}: {what}" for what in said]
    return found
