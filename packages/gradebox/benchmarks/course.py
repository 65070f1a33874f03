"""Courses to measure: copies of the example submissions of one lesson, graded by nbgrader or by gradebox."""

import shutil
from itertools import cycle, islice
from pathlib import Path

import nbformat

from gradebox.course import Course
from gradebox.execute.skip_demonstrations import DEMONSTRATION_TAG, is_demonstration
from gradebox.notebook_exercises import serialize_notebook
from gradebox.release.release_lessons import write_student_version

# The course that is measured: the one in whose folder a benchmark is started. It needs example students.
COURSE = Path.cwd()

STOCK = """c = get_config()
c.CourseDirectory.course_id = "bench"
"""


def copy_lesson(root: Path, lesson: str, stock: bool) -> None:
    """A course folder with one lesson and nobody in it, for nbgrader as it comes or for gradebox."""
    for step in ("source", "release"):
        shutil.copytree(COURSE / step / lesson, root / step / lesson)
    if stock:
        (root / "nbgrader_config.py").write_text(STOCK)
    else:
        shutil.copy(COURSE / "nbgrader_config.py", root)


def untag(folder: Path) -> None:
    """Let no cell of the instructor's notebooks be a demonstration, so that all are run to grade."""
    for path in folder.glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        for cell in filter(is_demonstration, notebook.cells):
            cell.metadata.tags.remove(DEMONSTRATION_TAG)
        path.write_text(serialize_notebook(notebook), encoding="utf-8")


def build(root: Path, lesson: str, size: int, stock: bool, demonstrations: bool = True) -> Path:
    """A course with one released lesson, and `size` students who hand in the examples in turn.

    demonstrations: whether the cells that are tagged as such are demonstrations, which are not run to grade.
    """
    copy_lesson(root, lesson, stock)
    if not demonstrations:
        untag(root / "source" / lesson)
    examples = sorted((COURSE / "submitted").glob(f"example_*/{lesson}"))
    for number, example in enumerate(islice(cycle(examples), size)):
        shutil.copytree(example, root / "submitted" / f"student{number:03d}" / lesson)
    course = Course(root)
    write_student_version(course, lesson)
    course.engine.dispose()
    return root
