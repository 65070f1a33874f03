"""A student may have a due date of their own, also before they hand in; penalties and nbgrader know it."""

from datetime import datetime

import pytest
from helpers import LESSON, gradebox, hand_in, sample_solved, with_settings
from nbgrader.converters import Autograde

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.course import Course
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
    (course.root / "days.py").write_text(PLUGIN)
    course = with_settings(
        course,
        "import os, sys",
        f"sys.path.insert(0, {str(course.root)!r})",
        'c.AssignLatePenalties.plugin_class = "days.Days"',
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
    run = gradebox(late, "extend", "ann", LESSON, "2026-11-12 12:00")
    assert run.returncode == 0 and "2026-11-12 12:00 UTC" in run.stdout, run.stdout + run.stderr
    assert penalties(late) == {"ann": 1, "ben": 3}
    # Afterwards, too, and without a notebook being run again.
    assert gradebox(late, "extend", "ben", LESSON, "2026-11-13 14:00 CET").returncode == 0
    assert penalties(late) == {"ann": 1, "ben": 0}
    run = gradebox(late, "extend")
    assert run.stdout.splitlines() == [
        f"ann: {LESSON} until 2026-11-12 12:00 UTC",
        f"ben: {LESSON} until 2026-11-13 13:00 UTC",
    ]
    # The date stays what it is when everybody's moves.
    due(late, "2026-11-11 12:00:00")
    assert penalties(late) == {"ann": 1, "ben": 0}
    due(late, "2026-11-20 12:00:00")
    assert penalties(late) == {"ann": 0, "ben": 0}
    due(late, "2026-11-10 12:00:00")
    assert gradebox(late, "extend", "ann", LESSON, "--remove").returncode == 0
    assert penalties(late) == {"ann": 3, "ben": 0}


def test_nbgraders_own_command_knows_it(late):
    assert gradebox(late, "extend", "ann", LESSON, "2026-11-12 12:00").returncode == 0
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
        (["nobody", LESSON, "2026-11-12"], "unknown student 'nobody'"),
        (["ann", "02_none", "2026-11-12"], "unknown assignment '02_none'"),
        (["ann", LESSON, "soon"], "not a date: 'soon'"),
        (["ann", LESSON], "until when"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(late, arguments, said):
    run = gradebox(late, "extend", *arguments)
    assert run.returncode == 2 and len(run.stderr.splitlines()) == 1 and said in run.stderr
