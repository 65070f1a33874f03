"""The gradebook in PostgreSQL, as departments have it: a real server, the same grades, as few statements."""

import shutil
import sys

import pytest
from helpers import LESSON, hand_in, sample, sample_solved, with_settings
from nbgrader.api import Comment, Grade
from sqlalchemy import event

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.fingerprint import read_graded_copy
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.autograde.score import score_notebook
from gradebox.autograde.steps_around_execution import Around
from gradebox.course import Course, CourseError
from gradebox.release.release_lessons import write_student_version
from gradebox.reports.terminal_score_tables import build_grade_rows

STUDENTS = ["late", "open"]


def handing_in(course: Course, *settings: str) -> Course:
    """The course with two submissions, one of them late."""
    hand_in(course, LESSON, "late", sample_solved(weights="divided by d"))
    (course.path("submitted", LESSON, "late") / "timestamp.txt").write_text("2026-11-22 14:05:00 UTC")
    hand_in(course, LESSON, "open", sample("release"))
    course = with_settings(course, *settings)
    write_student_version(course, LESSON)
    with course.gradebook() as gradebook:
        gradebook.update_or_create_assignment(LESSON, duedate="2026-11-22 12:00:00 UTC")
    return course


def grade_all(course: Course) -> list:
    outcomes = autograde_submissions(course, list(find_submissions(course, [LESSON], STUDENTS)), workers=2)
    assert [outcome.problem for outcome in outcomes] == [None, None]
    return outcomes


def kept(course: Course) -> set[tuple]:
    """What the gradebook has of every cell, and what the table says."""
    outcomes = grade_all(course)
    assert not any(outcome.graded for outcome in outcomes)
    with course.gradebook() as gradebook:
        grades = {
            (g.student.id, g.name, g.auto_score, g.score, g.needs_manual_grade)
            for g in gradebook.db.query(Grade)
        }
        comments = {(c.student.id, c.name, c.auto_comment) for c in gradebook.db.query(Comment)}
    table = {(row.student, row.total, row.late) for row in build_grade_rows(course, LESSON, outcomes)}
    return grades | comments | table


def test_the_same_grades_as_in_sqlite(course, tmp_path, database):
    other = Course(shutil.copytree(course.root, tmp_path / "other"))
    here = handing_in(course)
    there = handing_in(other, f'c.CourseDirectory.db_url = "{database}"')
    assert there.engine.dialect.name == "postgresql"
    grade_all(here)
    grade_all(there)
    assert kept(here) == kept(there)
    late = {student for student, _, late in (one for one in kept(there) if len(one) == 3) if late is True}
    assert late == {STUDENTS[0]}


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_submission_is_saved_with_as_many_writes_as_there_are_tables(kind, course, request):
    if kind == "postgresql":
        where = request.getfixturevalue("database")
        course = handing_in(course, f'c.CourseDirectory.db_url = "{where}"')
    else:
        course = handing_in(course)
    grade_all(course)
    said: list[str] = []

    @event.listens_for(course.engine, "before_cursor_execute")
    def listen(connection, cursor, statement: str, *rest: object) -> None:
        said.append(" ".join(statement.split()[:3]))

    def saved(student: str) -> list[str]:
        """The statements that write, when a submission is saved once more."""
        said.clear()
        submission = next(one for one in find_submissions(course, [LESSON], [student]))
        around = Around(course)
        copy = course.path("autograded", LESSON, student) / f"{course.notebooks(LESSON)[0]}.ipynb"
        graded = {
            copy.stem: {"copy": copy.read_text(), "scores": vars(score_notebook(read_graded_copy(copy)))}
        }
        said.clear()
        around.save(submission, graded)
        assert len(said) < 22, said
        return [one for one in said if one.startswith(("INSERT", "UPDATE", "DELETE"))]

    # Nothing but what the grades are for is written anew.
    assert saved(STUDENTS[1]) == ["DELETE FROM gradebox_text", "INSERT INTO gradebox_text"]
    with course.gradebook() as gradebook:
        gradebook.remove_submission(LESSON, STUDENTS[1])
    written = saved(STUDENTS[1])
    assert len(written) == len(set(written)) and {one.split()[-1] for one in written} == {
        *("submitted_assignment", "submitted_notebook", "grade", "comment", "gradebox_text"),
    }


def refusal(course: Course, db_url: str) -> str:
    """What an instructor is told whose gradebook is there, in one line."""
    there = with_settings(course, f'c.CourseDirectory.db_url = "{db_url}"')
    with pytest.raises(CourseError) as refused:
        there.roster  # noqa: B018
    (line,) = str(refused.value).splitlines()
    return line


def test_a_server_that_does_not_answer_is_said_without_the_password(small, tmp_path):
    pytest.importorskip("psycopg")
    said = refusal(small, f"postgresql+psycopg://ada:geheim@/course?host={tmp_path}")
    assert "can't be opened" in said and "No such file" in said and "geheim" not in said


def test_a_server_that_refuses_is_said(small, server):
    said = refusal(small, server.database().replace("postgres@", "nobody@"))
    assert "can't be opened" in said and 'role "nobody" does not exist' in said


def test_without_its_driver_it_is_said_how_to_install_it(small, monkeypatch):
    # As where it is not installed.
    monkeypatch.setitem(sys.modules, "psycopg", None)
    said = refusal(small, "postgresql+psycopg://ada@db.example/course")
    assert "needs psycopg" in said and "pip install gradebox[postgresql]" in said


def test_an_address_that_is_none_is_said(small):
    assert "is not a database URL" in refusal(small, "my gradebook")
