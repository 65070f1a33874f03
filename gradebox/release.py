"""From a lesson's text to the notebook that students open."""

import shutil
import tempfile
from pathlib import Path

import nbformat
from nbgrader.converters import GenerateAssignment

from gradebox.course import Course, CourseError
from gradebox.pairing import StaleText, pair
from gradebox.reach import out_of_reach


def pair_lessons(course: Course) -> list[str]:
    """Bring every source notebook in line with its text in `lessons/`.

    Returns the notebooks that were written. Raises CourseError if an edited notebook would be lost.
    """
    written = []
    for text in sorted((course.root / "lessons").glob("*/*.py")):
        source = course.path("source", text.parent.name) / f"{text.stem}.ipynb"
        try:
            if pair(text, source):
                written.append(str(source.relative_to(course.root)))
        except StaleText as error:
            raise CourseError(str(error)) from error
    # New lessons may have come in.
    course.__dict__.pop("assignments", None)
    return written


def release(course: Course, assignment: str) -> None:
    """Write the student's version of an assignment, and tell the gradebook of its cells.

    Raises CourseError if nbgrader refuses, for example since graded work would no longer fit. Then the
    last release stays as it is: nbgrader itself would take it away.
    """
    folder = course.path("release", assignment)
    with tempfile.TemporaryDirectory() as kept:
        backup = Path(kept) / "release"
        if folder.is_dir():
            shutil.copytree(folder, backup)
        problem = course.convert(GenerateAssignment, assignment)
        if problem and backup.is_dir():
            shutil.copytree(backup, folder, dirs_exist_ok=True)
    if problem and "there are submissions associated" in problem:
        raise CourseError(
            f"{assignment} can't be released: a graded or locked cell was added, removed or renamed, and the "
            "gradebook already has graded work for it. Undo that, or move gradebook.db away (the points that "
            "people gave are in it) and grade again."
        )
    if problem:
        raise CourseError(f"{assignment} can't be released: {problem}")


def warnings(course: Course, assignment: str) -> list[str]:
    """What tests of an assignment rely on, perhaps, and what a submission will not see."""
    return [
        f"{assignment}/{name}: {what}"
        for name in course.notebooks(assignment)
        for what in out_of_reach(
            nbformat.read(course.path("source", assignment) / f"{name}.ipynb", as_version=4)
        )
    ]
