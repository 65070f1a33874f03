"""The course of this repository, and which folders hold no tests."""

import shutil
from pathlib import Path

import pytest
from helpers import build_once, with_settings
from repository import REPOSITORY

from gradebox.course import Course
from gradebox.release.release_lessons import write_student_version
from gradebox.release.release_record import RECORD_FILE, find_current

# `make colab` and `make lite` run the first two, each in another environment. The others hold submissions.
collect_ignore = ["colab", "lite", "hostile", "honest"]


@pytest.fixture(scope="session")
def this_course() -> Path:
    """A copy of the course as it is in the repository, without students, all lessons released."""

    def build(root: Path) -> None:
        for name in (RECORD_FILE, "nbgrader_config.py", "lessons", "source", "release", "answers"):
            original = REPOSITORY / name
            (shutil.copytree if original.is_dir() else shutil.copy)(original, root / name)
        (root / "submitted").mkdir()
        course = Course(root)
        # The notebooks in the repository are current, so only the gradebook is filled.
        for lesson in set(course.assignments) - set(find_current(course, course.assignments)):
            write_student_version(course, lesson)
        # A test of single answers wants to see all that a mistake breaks, and has no use for the reference.
        with_settings(course, "c.Execute.second_chances = False", "c.Execute.require_reference = False")

    return build_once("course", build)
