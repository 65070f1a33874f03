"""Courses to measure: copies of the example submissions of one lesson, graded by nbgrader or by gradebox."""

import shutil
from itertools import cycle, islice
from pathlib import Path

from gradebox.course import Course
from gradebox.release import release

REPOSITORY = Path(__file__).resolve().parent.parent

STOCK = """c = get_config()
c.CourseDirectory.course_id = "bench"
"""


def build(root: Path, lesson: str, size: int, stock: bool) -> Path:
    """A course with one released lesson, and `size` students who hand in the examples in turn."""
    root.mkdir(parents=True)
    for step in ("source", "release"):
        shutil.copytree(REPOSITORY / step / lesson, root / step / lesson)
    examples = sorted((REPOSITORY / "submitted").glob(f"example_*/{lesson}"))
    for number, example in enumerate(islice(cycle(examples), size)):
        shutil.copytree(example, root / "submitted" / f"student{number:03d}" / lesson)
    if stock:
        (root / "nbgrader_config.py").write_text(STOCK)
    else:
        shutil.copy(REPOSITORY / "nbgrader_config.py", root)
    course = Course(root)
    release(course, lesson)
    course.engine.dispose()
    return root
