"""An instructor adjusts points for the class; nbgrader, tables, exports and pages agree; undo restores."""

import shutil
from pathlib import Path

import pytest
from helpers import LESSON, gradebox, hand_in, run_in, sample_released, sample_solved, with_settings
from nbgrader.api import Grade
from sqlalchemy import inspect

from gradebox.autograde.adjustments import apply_adjustments
from gradebox.course import Course
from gradebox.lms.export_grades import GradeExport
from gradebox.reports.student_standings import GRADED, UNREAD, find_standings

POSSIBLE = 11
# Grades in nbgrader's tables: what a command may change.
COLUMNS = ("auto_score", "manual_score", "extra_credit", "needs_manual_grade")


@pytest.fixture(scope="module")
def class_graded(tmp_path_factory) -> Path:
    """Ann is right, and Bob's 1.4 and 1.5 are wrong. Nobody has read 1.6."""
    root = tmp_path_factory.mktemp("adjusted") / "course"
    course = Course(shutil.copytree(sample_released(), root))
    course = with_settings(course, "c.Execute.second_chances = False", 'c.LatePolicy.per_day = "10%"')
    hand_in(course, LESSON, "ann", sample_solved())
    hand_in(course, LESSON, "bob", sample_solved(weights="divided by d", entropy="in bits"))
    assert gradebox(course, "autograde").returncode == 0
    return root


@pytest.fixture
def graded(class_graded, tmp_path) -> Course:
    return Course(shutil.copytree(class_graded, tmp_path / "course"))


def adjust(course: Course, *arguments: str, status: int = 0) -> str:
    run = gradebox(course, "adjust", *arguments)
    assert run.returncode == status, run.stdout + run.stderr
    assert "Traceback" not in run.stderr
    return run.stdout + run.stderr


def stored(course: Course) -> dict[tuple[str, str], tuple]:
    with course.gradebook() as gradebook:
        return {
            (one.student.id, one.name): tuple(getattr(one, name) for name in COLUMNS)
            for one in gradebook.db.query(Grade)
        }


def scores(course: Course) -> dict[str, float]:
    """The scores in nbgrader's own tables, as Formgrader and `nbgrader export` have them."""
    with course.gradebook() as gradebook:
        return {one.student.id: one.score for one in gradebook.assignment_submissions(LESSON)}


def standings(course: Course) -> dict[str, tuple[float, float, str]]:
    return {s: (one.points, one.possible, one.state) for s, one in find_standings(course, LESSON).items()}


def read_all(course: Course, points: float) -> None:
    with course.gradebook() as gradebook:
        for grade in gradebook.db.query(Grade).filter(Grade.needs_manual_grade):
            grade.manual_score, grade.needs_manual_grade = points, False


def page(course: Course, student: str) -> str:
    run = gradebox(course, "feedback")
    assert run.returncode == 0, run.stdout + run.stderr
    (path,) = course.path("feedback", LESSON, student).glob("*.html")
    return path.read_text()


def test_full_points_for_everyone(graded):
    before = stored(graded)
    assert scores(graded) == {"ann": 9, "bob": 5}
    said = adjust(graded, LESSON, "1.4", "--full-for-all", "--because", "the test was wrong.")
    assert said.startswith(f"{LESSON}, 1.4 Weights (2 points): everyone gets full points: the test was")
    assert said.splitlines()[0].endswith("). The points of 1 student change.")
    assert scores(graded) == {"ann": 9, "bob": 7}
    assert standings(graded) == {"ann": (9, POSSIBLE, UNREAD), "bob": (7, POSSIBLE, UNREAD)}
    text = page(graded, "bob")
    assert "Everyone gets full points: the test was wrong (" in text and "7 of 9 points so far" in text
    run = gradebox(graded, "autograde")
    assert f"{LESSON} 1.4: everyone gets full points: the test was wrong" in run.stdout
    assert f"{LESSON} 1.4: everyone gets full points: the test was wrong (" in adjust(graded)
    said = adjust(graded, LESSON, "1.4", "--remove")
    assert f"{LESSON}, 1.4 Weights (2 points): adjustment removed. The points of 1 student change." in said
    assert stored(graded) == before and "No adjustments." in adjust(graded)
    assert "Everyone gets" not in page(graded, "bob")


def test_an_exercise_that_is_dropped_counts_neither_points_nor_maximum(graded):
    before = stored(graded)
    adjust(graded, LESSON, "1.4", "--drop", "--because", "it was not taught")
    assert scores(graded) == {"ann": 7, "bob": 5}
    assert standings(graded) == {"ann": (7, 9, UNREAD), "bob": (5, 9, UNREAD)}
    text = page(graded, "bob")
    assert "Does not count: it was not taught (" in text and "5 of 7 points so far" in text
    assert "Test: does not count" in text and "divided by d" not in text.partition("<main>")[0]
    assert gradebox(graded, "report").returncode == 0
    assert "it was not taught" in (graded.root / "exports" / "class.html").read_text()
    adjust(graded, LESSON, "1.4", "--remove")
    assert stored(graded) == before


@pytest.mark.parametrize("kind", ["--drop", "--full-for-all"])
def test_nobody_has_to_read_what_does_not_depend_on_the_answer(graded, kind):
    before = stored(graded)
    adjust(graded, LESSON, "1.6", kind, "--because", "x")
    points, possible = (9, 9) if kind == "--drop" else (11, 11)
    assert standings(graded) == {
        "ann": (points, possible, GRADED),
        "bob": (points - 4, possible, GRADED),
    }
    assert scores(graded) == {"ann": points, "bob": points - 4}
    assert gradebox(graded, "autograde", "--force").returncode == 0
    assert scores(graded) == {"ann": points, "bob": points - 4}
    adjust(graded, LESSON, "1.6", "--remove")
    assert stored(graded) == before


def test_a_bonus_and_later_points_of_a_person(graded):
    adjust(graded, LESSON, "1.5", "--bonus", "1.5", "--because", "hard")
    said = adjust(graded, LESSON, "--bonus", "1", "--because", "the server was down")
    assert said.startswith(f"{LESSON} (11 points): everyone gets 1 bonus point: the server was down (")
    assert "The points of 2 students change." in said
    assert scores(graded) == {"ann": 11.5, "bob": 7.5}
    # Points in Formgrader, with extra credit of its own, for a test that has full points for everyone.
    adjust(graded, LESSON, "1.4", "--full-for-all", "--because", "x")
    read_all(graded, 1.0)
    with graded.gradebook() as gradebook:
        grade = next(
            g for g in gradebook.db.query(Grade) if (g.student.id, g.name) == ("bob", "weights-test")
        )
        grade.manual_score, grade.extra_credit = 0.5, 2 + 0.25
    assert standings(graded)["bob"][0] == 5 + 2 + 1.5 + 1 + 1
    assert scores(graded)["bob"] == standings(graded)["bob"][0]
    text = page(graded, "ann")
    assert "Everyone gets 1.5 bonus points: hard (" in text
    assert "Everyone gets 1 bonus point: the server was down (" in text
    for exercise in ("1.5", "1.4"):
        adjust(graded, LESSON, exercise, "--remove")
    adjust(graded, LESSON, "--remove")
    assert stored(graded)["bob", "weights-test"] == (0, 0.5, 0.25, False)
    assert scores(graded) == {"ann": 10, "bob": 6.75}


def test_later_submissions_are_adjusted_too_and_points_read_meanwhile_stay(graded):
    adjust(graded, LESSON, "1.4", "--full-for-all", "--because", "x")
    adjust(graded, LESSON, "1.6", "--full-for-all", "--because", "x")
    hand_in(graded, LESSON, "cid", sample_solved(weights="divided by d"))
    shutil.rmtree(graded.path("submitted", LESSON, "bob"))
    hand_in(graded, LESSON, "bob", sample_solved())
    assert gradebox(graded, "autograde").returncode == 0
    assert scores(graded) == dict.fromkeys(("ann", "bob", "cid"), 11)
    # Somebody has read Ann's answer in Formgrader: it stays read.
    with graded.gradebook() as gradebook:
        grade = next(g for g in gradebook.db.query(Grade) if g.student.id == "ann" and g.name == "why-a-root")
        grade.manual_score = 2.0
    adjust(graded, LESSON, "1.6", "--remove")
    states = {s: state for s, (_, _, state) in standings(graded).items()}
    assert states == {"ann": GRADED, "bob": UNREAD, "cid": UNREAD}
    assert scores(graded) == {"ann": 11, "bob": 9, "cid": 9}


def test_late_penalties_and_exports_follow(graded):
    with graded.gradebook() as gradebook:
        gradebook.update_or_create_assignment(LESSON, duedate="2026-11-12 12:00:00")
    (graded.path("submitted", LESSON, "bob") / "timestamp.txt").write_text("2026-11-12 15:00:00 UTC")
    assert gradebox(graded, "autograde").returncode == 0
    read_all(graded, 0.0)
    assert standings(graded)["bob"][0] == pytest.approx(5 - 0.5)
    said = adjust(graded, LESSON, "1.4", "--full-for-all", "--because", "x")
    assert "1 late penalty recomputed" in said
    assert standings(graded)["bob"][0] == pytest.approx(7 - 0.7)
    run_in(graded.root, "nbgrader", "export")
    (row,) = (line for line in (graded.root / "grades.csv").read_text().splitlines() if ",bob," in line)
    assert ",7.0," in row and row.endswith(",6.3,11.0")
    export = GradeExport(graded, [LESSON])
    export.write("csv", None, None)
    assert "6.3" in export.files[0].read_text()


def test_one_test_of_an_exercise_and_refusals(graded):
    said = adjust(graded, LESSON, "weights-test", "--full-for-all", "--because", "x")
    assert said.startswith(f"{LESSON}, weights-test in 1.4 Weights (2 points): everyone gets full points: ")
    assert scores(graded) == {"ann": 9, "bob": 7}
    before = stored(graded)
    for arguments, words in (
        ((LESSON, "1.9", "--drop", "--because", "x"), "unknown exercise '1.9' (known: 1.1, 1.2"),
        ((LESSON, "1.4", "--drop"), "give the reason with --because"),
        ((LESSON, "1.4", "--drop", "--bonus", "1", "--because", "x"), "choose one of"),
        ((LESSON, "1.4", "--remove"), "01_shares 1.4 has no adjustment to remove"),
        (("nothing", "--drop", "--because", "x"), "unknown assignment 'nothing'"),
        (("--drop", "--because", "x"), "name the assignment"),
        ((LESSON, "1.4", "--bonus", "-1", "--because", "x"), "greater than or equal to 0"),
    ):
        assert words in adjust(graded, *arguments, status=2)
    assert stored(graded) == before


def test_an_adjustment_of_a_cell_that_a_release_renames_is_named(graded):
    adjust(graded, LESSON, "1.4", "--full-for-all", "--because", "x")
    adjust(graded, LESSON, "1.5", "--drop", "--because", "x")
    answers = (graded.root / "answers" / LESSON).iterdir()
    for path in (graded.root / "lessons" / f"{LESSON}.py", *answers):
        path.write_text(path.read_text().replace("weights-test", "shares-of-weights-test"))
    said = f"{LESSON} 1.4: adjusted cells are no longer in the lesson, and have no effect: weights-test."
    run = gradebox(graded, "release", "--no-check")
    assert run.returncode == 0 and said in run.stdout and "1.5: adjusted" not in run.stdout
    assert said in gradebox(graded, "autograde").stdout
    assert f"{LESSON}, 1.4 Weights (2 points): adjustment rem" in adjust(graded, LESSON, "1.4", "--remove")
    assert "no longer in the lesson" not in gradebox(graded, "autograde").stdout


def test_without_adjustments_nothing_is_written(graded):
    with graded.connection() as connection:
        apply_adjustments(connection, LESSON)
        assert not [name for name in inspect(connection).get_table_names() if "adjust" in name]


def test_grades_that_are_adjusted_already_are_not_written_again(graded):
    adjust(graded, LESSON, "1.4", "--full-for-all", "--because", "x")
    adjust(graded, LESSON, "1.6", "--drop", "--because", "x")
    with graded.connection() as connection:
        database = connection.connection.driver_connection
        before = database.total_changes
        apply_adjustments(connection, LESSON)
        assert database.total_changes == before
