"""Courses to measure: copies of the example submissions of one lesson, graded by nbgrader or by gradebox."""

import shutil
from itertools import cycle, islice
from pathlib import Path

from gradebox.course import Course
from gradebox.release.release import release

REPOSITORY = Path(__file__).resolve().parent.parent

STOCK = """c = get_config()
c.CourseDirectory.course_id = "bench"
"""


def copy_lesson(root: Path, lesson: str, stock: bool) -> None:
    """A course folder with one lesson and nobody in it, for nbgrader as it comes or for gradebox."""
    for step in ("source", "release"):
        shutil.copytree(REPOSITORY / step / lesson, root / step / lesson)
    if stock:
        (root / "nbgrader_config.py").write_text(STOCK)
    else:
        shutil.copy(REPOSITORY / "nbgrader_config.py", root)


def build(root: Path, lesson: str, size: int, stock: bool) -> Path:
    """A course with one released lesson, and `size` students who hand in the examples in turn."""
    copy_lesson(root, lesson, stock)
    examples = sorted((REPOSITORY / "submitted").glob(f"example_*/{lesson}"))
    for number, example in enumerate(islice(cycle(examples), size)):
        shutil.copytree(example, root / "submitted" / f"student{number:03d}" / lesson)
    course = Course(root)
    release(course, lesson)
    course.engine.dispose()
    return root
