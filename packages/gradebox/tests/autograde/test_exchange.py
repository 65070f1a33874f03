"""nbgrader's exchange by the real commands, from release to feedback, where some hand in by other ways."""

import shutil

import pytest
from exchange import Desk, open_exchange, student_desk
from helpers import LESSON, gradebox, hand_in, sample, sample_solved

from gradebox.course import Course
from gradebox.notebook_exercises import serialize_notebook

NAME = "siobhan"


@pytest.fixture
def teacher(course) -> Course:
    """A course with two students whose work came by other ways, and the exchange's place set."""
    course = open_exchange(course)
    hand_in(course, LESSON, "cleo", sample("release"))
    hand_in(course, LESSON, "zoe", sample_solved())
    return course


@pytest.fixture
def student(teacher) -> Desk:
    return student_desk(teacher, NAME)


def test_the_whole_way_beside_students_of_other_ways(teacher, student):
    desk = Desk(teacher.root)
    desk.nbgrader("release_assignment", LESSON)
    student.nbgrader("fetch_assignment", LESSON)
    (mine,) = (student.folder / LESSON).glob("*.ipynb")
    mine.write_text(serialize_notebook(sample_solved(weights="divided by d")))
    student.nbgrader("submit", LESSON, f"--student={NAME}")
    desk.nbgrader("collect", LESSON)
    assert (teacher.path("submitted", LESSON, NAME) / mine.name).read_bytes() == mine.read_bytes()

    graded = gradebox(teacher, "autograde")
    assert graded.returncode == 0, graded.stdout + graded.stderr
    assert gradebox(teacher, "feedback").returncode == 0
    told = desk.nbgrader("release_feedback", LESSON)
    (line,) = (line for line in told.splitlines() if "not submitted through the exchange" in line)
    assert "for cleo, zoe:" in line and "Traceback" not in told
    assert len(list(teacher.root.parent.glob("exchange/*/feedback/*.html"))) == 1

    student.nbgrader("fetch_feedback", LESSON, f"--student={NAME}")
    (page,) = (student.folder / LESSON / "feedback").glob("*/*.html")
    assert page.read_bytes() == (teacher.path("feedback", LESSON, NAME) / page.name).read_bytes()


def test_a_secret_of_a_students_own_making_stops_nobody(teacher):
    pages = [teacher.path("feedback", LESSON, student) for student in ("ada", NAME)]
    for folder in pages:
        folder.mkdir(parents=True)
        (folder / "shares.html").write_text("a page")
        (folder / "timestamp.txt").write_text("2026-11-22 14:05:00 UTC")
        (folder / "submission_secret.txt").write_text("a secret")
    (pages[0] / "submission_secret.txt").write_bytes(b"\xff\xfe")
    told = Desk(teacher.root).nbgrader("release_feedback", LESSON)
    assert "for ada:" in told and f"Releasing feedback for student '{NAME}'" in told
    shutil.rmtree(pages[0])
    assert "not submitted through" not in Desk(teacher.root).nbgrader("release_feedback", LESSON)
