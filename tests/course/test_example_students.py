"""The script that `make grade` runs writes the example students, and removes them for good."""

import os
import shutil
import subprocess
import sys

import pytest
from example_students import PLAN, read_plan
from repository import LESSONS, REPOSITORY, with_examples

from gradebox.course import Course

pytestmark = with_examples
SCRIPT = "environment/example_students.py"


@pytest.fixture
def course(course) -> Course:
    """A course with the script, and with one released lesson, so that little is written."""
    for name in (SCRIPT, str(PLAN.relative_to(REPOSITORY))):
        (course.root / name).parent.mkdir(exist_ok=True)
        shutil.copy(REPOSITORY / name, course.root / name)
    for lesson in LESSONS[1:]:
        shutil.rmtree(course.root / "release" / lesson)
    return course


def run(course: Course, *options: str) -> str:
    command = [sys.executable, SCRIPT, *options]
    return subprocess.run(command, cwd=course.root, stdout=subprocess.PIPE, text=True, check=True).stdout


def test_only_notebooks_that_are_not_up_to_date_are_written(course):
    assert run(course) == f"notebooks of example students written: {len(read_plan())}\n"
    times = {path: path.stat().st_mtime_ns for path in course.root.glob("submitted/*/*/*.ipynb")}
    assert {path.parts[-3] for path in times} == read_plan().keys()
    # Nothing of gradebox is imported, because that takes longer than everything else.
    (course.root / "environment" / "gradebox.py").write_text("raise ImportError")
    assert run(course) == ""
    (course.root / "environment" / "gradebox.py").unlink()
    assert times == {path: path.stat().st_mtime_ns for path in times}
    path, *_ = times
    wanted = path.read_bytes()
    path.write_text("{}")
    os.utime(path, (1e9, 1e9))
    assert run(course) == "notebooks of example students written: 1\n" and path.read_bytes() == wanted


def test_the_students_are_removed_with_their_plan_and_others_stay(course):
    run(course)
    other = course.root / "submitted" / "example_adam" / LESSONS[0]
    other.mkdir(parents=True)
    (other / "notes.txt").write_text("of a real student")
    with course.gradebook() as gradebook:
        for student in (*read_plan(), "zoe"):
            gradebook.add_student(student)
    assert "removed example_ada, " in run(course, "--remove")
    assert Course(course.root).roster == ["example_adam", "zoe"] and list(other.iterdir())
    assert [path.name for path in (course.root / "submitted").iterdir()] == ["example_adam"]
    for options in ([], ["--remove"]):
        assert run(course, *options) == "this course has no example students\n"
