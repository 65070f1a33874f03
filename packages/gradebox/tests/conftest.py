"""Small courses for the tests of gradebox: one lesson as a course has it, or the least that is one."""

import shutil
from collections.abc import Iterator
from copy import deepcopy
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import hypothesis
import postgresql
import pytest
from helpers import SAMPLE, build_once, sample_released, small_lesson, with_settings, write_notebook
from nbformat.v4 import new_notebook
from traitlets.config import Config

from gradebox.course import Course
from gradebox.execute import notebook_runner
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.lesson import ExecutionInputs, Lesson
from gradebox.release.release_lessons import write_student_version

# On a slow machine, an example takes any time.
hypothesis.settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("any machine")

# A course, not tests.
collect_ignore = ["sample"]

# A test of single answers wants to see all that a mistake breaks.
STRICT = "c.Execute.second_chances = False"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(scope="session")
def class_room(tmp_path_factory) -> Course:
    """A course with the small lesson that many tests hand in to, each as a student of its own."""
    root = tmp_path_factory.mktemp("class") / "course"
    return with_settings(Course(shutil.copytree(sample_released(), root)), STRICT)


@pytest.fixture
def course(tmp_path) -> Course:
    """A course of the test's own, with the small lesson."""
    return with_settings(Course(shutil.copytree(sample_released(), tmp_path / "course")), STRICT)


@pytest.fixture(scope="session")
def small_released() -> Path:
    """A course with the smallest lesson, `hw`, released."""

    def build(root: Path) -> None:
        write_notebook(root / "source" / "hw" / "hw.ipynb", small_lesson())
        (root / "submitted").mkdir()
        shutil.copy(SAMPLE / "nbgrader_config.py", root)
        course = with_settings(Course(root), 'c.Execute.preload = ["numpy"]')
        write_student_version(course, "hw")

    return build_once("small", build)


@pytest.fixture
def small(small_released, tmp_path) -> Course:
    """A small course of the test's own."""
    return Course(shutil.copytree(small_released, tmp_path / "small"))


@pytest.fixture
def counted_seconds(monkeypatch) -> None:
    """Make a second of each cell of a run, so that the time of a notebook does not depend on the machine."""
    monkeypatch.setattr(notebook_runner, "time", SimpleNamespace(monotonic=count().__next__))


@pytest.fixture(scope="session")
def server() -> Iterator[postgresql.Server]:
    pytest.importorskip("psycopg")
    if not postgresql.available():
        pytest.skip("this machine has no PostgreSQL")
    running = postgresql.Server()
    try:
        yield running
    finally:
        running.close()


@pytest.fixture
def database(server) -> str:
    """The address of an empty PostgreSQL database of the test's own."""
    return server.database()


@pytest.fixture
def played():
    """Plays cells as a submission to a lesson with the cells `source`, or to none; returns the notebook."""

    def play(*cells, source=(), **settings):
        config = Config(Execute=Config({"preload": ["numpy"], "timeout": 60, **settings}))
        nb = new_notebook(cells=[deepcopy(cell) for cell in cells])
        lesson = Lesson(new_notebook(cells=list(source))) if source else None
        Execute(config=config).execute_in_place(nb, ExecutionInputs(lesson))
        return nb

    return play
