"""Grades that have changed since they were exported are named until they are exported again."""

import re
import shutil

import pytest
from helpers import gradebox, solves, with_settings
from nbgrader.api import Grade

from gradebox.course import Course
from gradebox.lms.exported_grades import EXPORTED_GRADES
from gradebox.lms.roster import import_roster

RIGHT = "def double(x):\n    return 2 * x"
GRADEBOOK = (
    "Student,ID,SIS User ID,SIS Login ID,Section,hw (77)\n    Points Possible,,,,,100\n"
    '"Lee, Ann",501,u1,ann,A,\n"Ray, Bob",502,u2,bob,A,\n'
)


def run(course: Course, *arguments: object) -> str:
    done = gradebox(course, *map(str, arguments))
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def changed(course: Course) -> dict[str, str]:
    """How many grades of a lesson `gradebox status` says have changed, by lesson."""
    return dict(re.findall(r"(\w+): (\d+) changed since", run(course, "status")))


def submit(course: Course, student: str, lesson: str, received: str) -> None:
    solves(course, student, double=RIGHT)
    folder = course.path("submitted", lesson, student)
    if lesson != "hw":
        shutil.move(course.path("submitted", "hw", student), folder)
        (folder / "hw.ipynb").rename(folder / f"{lesson}.ipynb")
    (folder / "timestamp.txt").write_text(f"{received} UTC")


def read_all(course: Course) -> None:
    with course.gradebook() as gradebook:
        for grade in gradebook.db.query(Grade).filter(Grade.needs_manual_grade):
            grade.manual_score, grade.needs_manual_grade = 1.0, False


@pytest.fixture
def term(small: Course) -> Course:
    """Two lessons. Ann's `hw` is late, and has her slip day; she and Bob have final grades."""
    (folder := small.root / "source" / "hw2").mkdir()
    shutil.copy(small.root / "source" / "hw" / "hw.ipynb", folder / "hw2.ipynb")
    course = with_settings(
        Course(small.root),
        'c.Dates.due = {"hw": "2026-11-12 12:00", "hw2": "2026-11-05 12:00"}',
        'c.LatePolicy.per_day = "50%"',
        "c.LatePolicy.slip_days = 1",
    )
    run(course, "release", "--no-check", "hw2")
    (course.root / "class.csv").write_text("id,first name,last name\nann,Ann,Lee\nbob,Bob,Ray\n")
    import_roster(course, course.root / "class.csv")
    submit(course, "bob", "hw", "2026-11-12 10:00:00")
    submit(course, "ann", "hw", "2026-11-12 18:00:00")
    run(course, "grade", "hw")
    read_all(course)
    return course


ONE_WAITS = "1 thing waits: `gradebox status`"


def test_slip_days_of_another_lesson_change_an_exported_grade(term: Course):
    assert "wait" not in run(term, "grade", "hw")
    submit(term, "ann", "hw2", "2026-11-05 18:00:00")
    # The answer in hw2, and the grade of hw.
    assert run(term, "grade", "hw2").splitlines()[-1] == "2 things wait: `gradebox status`"
    assert changed(term) == {"hw": "1"}
    for command in (["final"], ["autograde", "hw2"]):
        assert "2 things wait" in run(term, *command)
    for _ in range(2):
        assert ONE_WAITS in run(term, "grade", "hw") and changed(term) == {}


def test_extensions_and_adjustments_change_exported_grades(term: Course):
    # Nobody has a final grade of hw2.
    submit(term, "ann", "hw2", "2026-11-05 18:00:00")
    run(term, "autograde")
    run(term, "export")
    assert changed(term) == {}
    assert "2 things wait" in run(term, "due", "hw", "2026-11-13 12:00", "--student", "ann")
    assert changed(term) == {"hw": "1"}
    assert ONE_WAITS in run(term, "grade", "hw") and changed(term) == {}
    assert "2 things wait" in run(term, "adjust", "hw", "--bonus", "1", "--because", "x")
    assert changed(term) == {"hw": "2"}
    assert ONE_WAITS in run(term, "adjust", "hw", "--remove") and changed(term) == {}


def test_converted_grades_and_students_without_a_row(term: Course):
    path = term.root / "Gradebook.csv"
    path.write_text(GRADEBOOK)
    export = "export", "hw", "--to", "canvas", "--into", path, "--scale"
    assert "wait" not in run(term, *export)
    run(term, "adjust", "hw", "double-test", "--drop", "--because", "x")
    assert changed(term) == {"hw": "2"}
    # A table for spreadsheets is not what the platform has.
    assert ONE_WAITS in run(term, "export")
    # `grade` fills in the table that `export` was given, with its options.
    assert "wait" not in run(term, "grade", "hw")
    run(term, "adjust", "hw", "double-test", "--remove")
    assert changed(term) == {"hw": "2"}
    # Bob has left the course on the platform.
    path.write_text(GRADEBOOK.rpartition('"Ray')[0])
    assert "wait" not in run(term, *export)


def test_a_grade_that_is_not_final_has_not_changed(term: Course):
    run(term, "grade", "hw")
    submit(term, "bob", "hw", "2026-11-12 11:00:00")
    solves(term, "bob", double=RIGHT, why="Now with a reason.")
    run(term, "autograde")
    assert changed(term) == {}
    read_all(term)
    with term.gradebook() as gradebook:
        for grade in gradebook.db.query(Grade):
            if grade.student.id == "bob" and grade.manual_score is not None:
                grade.manual_score = 0.5
    assert ONE_WAITS in run(term, "final") and changed(term) == {"hw": "1"}


def test_a_forgotten_student_has_no_exported_grade(term: Course):
    run(term, "grade", "hw")
    gradebox(term, "forget", "ann", "--yes")
    with term.connection() as connection:
        students = {row.student_id for row in connection.execute(EXPORTED_GRADES.select())}
    assert students == {"bob"}
