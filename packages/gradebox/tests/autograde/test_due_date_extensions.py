"""A student may have a due date of their own, also before they hand in; penalties and nbgrader know it."""

from datetime import datetime

import pytest
from helpers import LESSON, gradebox, hand_in, sample_solved, with_settings
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.autograde.late_policy import LatePolicy
from gradebox.course import Course
from gradebox.reports.dependent_points import update_late_penalties
from gradebox.reports.terminal_score_tables import build_grade_rows

PLUGIN = """
from nbgrader.plugins import BasePlugin

class Days(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return total_seconds_late // 86400
"""


@pytest.fixture
def late(course: Course) -> Course:
    """Ann and Ben hand in three days late; a day costs a point."""
    (course.root / "whole_days.py").write_text(PLUGIN)
    course = with_settings(
        course,
        "import os, sys",
        f"sys.path.insert(0, {str(course.root)!r})",
        'c.AssignLatePenalties.plugin_class = "whole_days.Days"',
    )
    for student in ("ann", "ben"):
        hand_in(course, LESSON, student, sample_solved())
        (course.path("submitted", LESSON, student) / "timestamp.txt").write_text("2026-11-13 12:00:00 UTC")
    due(course, "2026-11-10 12:00:00")
    return course


def due(course: Course, when: str) -> None:
    with course.gradebook() as gradebook:
        gradebook.update_or_create_assignment(LESSON, duedate=when)


def penalties(course: Course) -> dict[str, float]:
    outcomes = autograde_submissions(course, list(find_submissions(course, [LESSON], course.roster)))
    assert not [outcome.problem for outcome in outcomes if outcome.problem]
    return {row.student: row.penalty for row in build_grade_rows(course, LESSON, outcomes)}


def test_an_extension_is_known_whenever_it_is_given(late):
    run = gradebox(late, "due", LESSON, "2026-11-12 12:00", "--student", "ann")
    said = f"{LESSON}, ann: due Thu 12 Nov 2026, 12:00 UTC"
    assert run.returncode == 0 and run.stdout.splitlines()[0] == said, run.stdout + run.stderr
    assert penalties(late) == {"ann": 1, "ben": 3}
    # Afterwards, too, and without a notebook being run again.
    assert gradebox(late, "due", LESSON, "2026-11-13 14:00 +01:00", "--student", "ben").returncode == 0
    assert penalties(late) == {"ann": 1, "ben": 0}
    run = gradebox(late, "due", LESSON)
    assert run.stdout.splitlines() == [
        f"{LESSON}: due Tue 10 Nov 2026, 12:00 UTC",
        said,
        f"{LESSON}, ben: due Fri 13 Nov 2026, 13:00 UTC",
    ]
    # The date stays what it is when everybody's moves.
    assert gradebox(late, "due", LESSON, "2026-11-11 12:00").returncode == 0
    assert penalties(late) == {"ann": 1, "ben": 0}
    assert gradebox(late, "due", LESSON, "2026-11-20 12:00").returncode == 0
    assert penalties(late) == {"ann": 0, "ben": 0}
    assert gradebox(late, "due", LESSON, "2026-11-10 12:00").returncode == 0
    assert gradebox(late, "due", LESSON, "--student", "ann", "--remove").returncode == 0
    assert penalties(late) == {"ann": 3, "ben": 0}
    assert gradebox(late, "due", LESSON, "--remove").stdout.splitlines()[0] == f"{LESSON}: no due date"
    assert penalties(late) == {"ann": 0, "ben": 0}


def test_dates_are_in_the_time_zone_of_the_course(late):
    berlin = with_settings(late, "c.Dates.timezone = 'Europe/Berlin'")
    run = gradebox(berlin, "due", LESSON, "2026-10-16 23:59")
    assert run.stdout.splitlines()[0] == f"{LESSON}: due Fri 16 Oct 2026, 23:59 Europe/Berlin = 21:59 UTC"
    with berlin.gradebook() as gradebook:
        assert gradebook.find_assignment(LESSON).duedate == datetime(2026, 10, 16, 21, 59)
    run = gradebox(berlin, "due", LESSON, "2026-10-17 00:30", "--student", "ann")
    assert run.stdout.splitlines()[0].endswith("Sat 17 Oct 2026, 00:30 Europe/Berlin = Fri 16 Oct, 22:30 UTC")
    run = gradebox(with_settings(late, "c.Dates.timezone = 'Berlin'"), "due")
    assert run.returncode == 2 and "Dates.timezone must be the name of a time zone" in run.stderr


def test_due_dates_can_be_settings(late):
    date = "2026-11-12 12:00"
    course = with_settings(late, f"c.Dates.due = {{{LESSON!r}: {date!r}, '02_typo': {date!r}}}")
    run = gradebox(course, "autograde", LESSON)
    assert run.returncode == 0 and run.stdout.count("late −1") == 2, run.stdout + run.stderr
    run = gradebox(course, "due")
    assert f"{LESSON}: due Thu 12 Nov 2026, 12:00 UTC" in run.stdout
    assert "c.Dates.due has a date for '02_typo', which is not in source/" in run.stdout
    run = gradebox(course, "due", LESSON, "2026-11-20 12:00")
    assert run.returncode == 2 and "change it in nbgrader_config.py" in run.stderr
    assert gradebox(course, "due", LESSON, "2026-11-13 12:00", "--student", "ann").returncode == 0
    assert penalties(course) == {"ann": 0, "ben": 1}
    wrong = with_settings(late, f"c.Dates.due = {{{LESSON!r}: '12 November'}}")
    run = gradebox(wrong, "due")
    assert run.returncode == 2 and f"Dates.due of '{LESSON}': '12 November' is not a date" in run.stderr


def test_a_due_date_that_is_deleted_in_the_settings_is_removed(late):
    def stored() -> datetime | None:
        run = gradebox(late, "due", LESSON)
        assert run.returncode == 0, run.stderr
        with late.gradebook() as gradebook:
            return gradebook.find_assignment(LESSON).duedate

    config, by_command = (late.root / "nbgrader_config.py").read_text(), stored()
    with_settings(late, f"c.Dates.due = {{{LESSON!r}: '2026-11-12 12:00'}}")
    assert stored() == datetime(2026, 11, 12, 12) != by_command
    (late.root / "nbgrader_config.py").write_text(config)
    assert stored() is None
    # A date from a command or from Formgrader stays.
    assert gradebox(late, "due", LESSON, "2026-11-20 12:00").returncode == 0
    assert stored() == stored() == datetime(2026, 11, 20, 12)
    with_settings(late, f"c.Dates.due = {{{LESSON!r}: '2026-11-12 12:00'}}")
    assert stored() == datetime(2026, 11, 12, 12)
    with late.gradebook() as gradebook:
        gradebook.update_or_create_assignment(LESSON, duedate=datetime(2026, 11, 25, 12))
    (late.root / "nbgrader_config.py").write_text(config)
    assert stored() == datetime(2026, 11, 25, 12)


def test_nbgraders_own_command_knows_it(late):
    assert gradebox(late, "due", LESSON, "2026-11-12 12:00", "--student", "ann").returncode == 0
    for student in ("ann", "ben"):
        assert late.convert(Autograde, LESSON, student) is None
    with late.gradebook() as gradebook:
        found = {s: gradebook.find_submission(LESSON, s).late_submission_penalty for s in ("ann", "ben")}
        assert found == {"ann": 1, "ben": 3}
        assert gradebook.find_submission(LESSON, "ann").duedate == datetime(2026, 11, 12, 12)


def test_one_that_was_granted_with_nbgrader_stays(late):
    assert penalties(late) == {"ann": 3, "ben": 3}
    with late.gradebook() as gradebook:
        gradebook.grant_extension(LESSON, "ben", days=2)
    assert penalties(late) == {"ann": 3, "ben": 1}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([LESSON, "2026-11-12 12:00", "--student", "nobody"], "unknown student 'nobody'"),
        (["02_none", "2026-11-12 12:00"], "unknown assignment '02_none'"),
        ([LESSON, "soon"], "'soon' is not a date: write 2026-10-16 23:59"),
        ([LESSON, "2026-11-12"], "'2026-11-12' is not a date"),
        ([LESSON, "10/11/2026 12:00"], "with year, month and day in this order"),
        ([LESSON, "2026-11-12 12:00 CEST"], "the time zone CEST, which is ambiguous"),
        (["--remove"], "name the assignment"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(late, arguments, said):
    run = gradebox(late, "due", *arguments)
    assert run.returncode == 2 and len(run.stderr.splitlines()) == 1 and said in run.stderr, run.stderr


POLICY = {
    # 3 days late, of a score of s points.
    "c.LatePolicy.per_day = '10%'": 0.3,
    "c.LatePolicy.per_day = '10%'; c.LatePolicy.at_most = '25%'": 0.25,
    "c.LatePolicy.per_hour = '1%'": 0.72,
    "c.LatePolicy.per_hour = '1%'; c.LatePolicy.grace_minutes = 90": 0.71,
    "c.LatePolicy.per_day = '50%'": 1,
    "c.LatePolicy.per_day = '10%'; c.LatePolicy.slip_days = 1": 0.2,
    "c.LatePolicy.per_day = '10%'; c.LatePolicy.slip_days = 5": 0,
    "c.LatePolicy.grace_minutes = 5": 0,
    "c.LateSubmissionPlugin.penalty_method = 'zero'": 1,
}


@pytest.mark.parametrize("settings", POLICY)
def test_a_late_policy_needs_no_code(course, settings):
    course = with_settings(course, *settings.split("; "))
    hand_in(course, LESSON, "ann", sample_solved())
    (course.path("submitted", LESSON, "ann") / "timestamp.txt").write_text("2026-11-13 12:00:00 UTC")
    due(course, "2026-11-10 12:00:00")
    score = sum(points for points in score_of(course).values())
    assert penalties(course)["ann"] == pytest.approx(score * POLICY[settings])


def score_of(course: Course) -> dict[str, float]:
    penalties(course)
    with course.gradebook() as gradebook:
        (notebook,) = gradebook.find_submission(LESSON, "ann").notebooks
        return {"all": notebook.score}


def test_earlier_points_of_an_answer_that_waits_again_are_not_penalized(course):
    course = with_settings(course, "c.LatePolicy.per_day = '10%'")
    hand_in(course, LESSON, "ann", sample_solved())
    (course.path("submitted", LESSON, "ann") / "timestamp.txt").write_text("2026-11-13 12:00:00 UTC")
    due(course, "2026-11-10 12:00:00")
    before = penalties(course)["ann"]
    with course.gradebook() as gradebook:
        (notebook,) = gradebook.find_submission(LESSON, "ann").notebooks
        written = next(grade for grade in notebook.grades if grade.needs_manual_grade)
        written.manual_score = 1
        gradebook.db.commit()
    update_late_penalties(course, LESSON)
    with course.gradebook() as gradebook:
        assert gradebook.find_submission(LESSON, "ann").late_submission_penalty == before > 0


def test_nbgrader_itself_applies_the_policy(course):
    course = with_settings(course, "c.LatePolicy.per_day = '1'")
    hand_in(course, LESSON, "ann", sample_solved())
    (course.path("submitted", LESSON, "ann") / "timestamp.txt").write_text("2026-11-13 12:00:00 UTC")
    due(course, "2026-11-10 12:00:00")
    assert course.convert(Autograde, LESSON, "ann") is None
    with course.gradebook() as gradebook:
        assert gradebook.find_submission(LESSON, "ann").late_submission_penalty == 3


def test_slip_days_are_used_up_in_the_order_of_due_dates():
    with Gradebook("sqlite://") as gradebook:
        gradebook.add_student("ann")
        for day, late in ((10, 2), (5, 1), (20, 4)):
            gradebook.add_assignment(f"hw{day}", duedate=f"2026-11-{day} 12:00:00")
            gradebook.add_submission(f"hw{day}", "ann", timestamp=f"2026-11-{day + late} 11:00:00")
        policy = LatePolicy(slip_days=4, per_day="1")
        found = {day: policy.measure_lateness(gradebook.db, "ann", f"hw{day}") for day in (5, 10, 20)}
        left = {day: (late.days, late.used, late.left) for day, late in found.items()}
        assert left == {5: (0, 1, 3), 10: (0, 2, 1), 20: (3, 1, 0)}


@pytest.mark.parametrize(
    "setting",
    ["per_day = 'ten'", "at_most = '-1'", "grace_minutes = -5", "slip_days = -1"],
)
def test_an_impossible_policy_is_refused(late, setting):
    run = gradebox(with_settings(late, f"c.LatePolicy.{setting}", PLAIN_PLUGIN), "autograde")
    said = run.stderr + run.stdout
    assert run.returncode != 0 and "LatePolicy" in said and setting.split()[0] in said
    assert "Traceback" not in said


PLAIN_PLUGIN = "c.AssignLatePenalties.plugin_class = 'gradebox.preprocessors.LatePolicy'"
