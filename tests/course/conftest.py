"""Copies of this repository's course."""

import shutil

import pytest
from helpers import with_settings

from gradebox.course import Course


@pytest.fixture(scope="session")
def class_room(this_course, tmp_path_factory) -> Course:
    """One course that many tests hand in to, each as a student of its own."""
    return Course(shutil.copytree(this_course, tmp_path_factory.mktemp("class") / "course"))


@pytest.fixture
def course(this_course, tmp_path) -> Course:
    """A course of the test's own. Its commands start without torch, which most tests have no use for."""
    course = Course(shutil.copytree(this_course, tmp_path / "course"))
    return with_settings(course, 'c.Execute.preload = ["numpy", "matplotlib.pyplot"]')
