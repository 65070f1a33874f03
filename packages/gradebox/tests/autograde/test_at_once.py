"""A class is graded while its instructors work in the gradebook: all see it, and nobody loses a point."""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers import gradebox, solves, with_settings
from nbgrader.api import Grade
from sqlalchemy import event

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.autograde.save_scores import get_or_create_entry
from gradebox.course import Course
from gradebox.reports.terminal_score_tables import read_submission_grades

CLASS = [f"student{number:02}" for number in range(12)]
WAYS = ["return 2 * x", "return x + x", "return x * x", "return 4"]
# What instructors' programs do again and again, each in a process of its own, until the file `end` is there.
AGAIN = """
import json, os, sys, time
from pathlib import Path
from gradebox.course import Course

course = Course(Path.cwd())

def rounds():
    number = 0
    while not Path("end").exists():
        yield number
        number += 1
        Path("rounds").mkdir(exist_ok=True)
        Path("rounds", sys.argv[1]).write_text(str(number))
        time.sleep(0.05)
    # Once more, for what was graded last.
    yield number
"""
# As Formgrader does it when answers are read: lists, one submission after the other, points saved on the way.
FORMGRADER = """
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
api, given = NbGraderAPI(config=course.app.config), []
for _ in rounds():
    api.get_assignments(), api.get_students(), api.get_notebooks("hw")
    api.get_submissions("hw")
    for one in api.get_notebook_submissions("hw", "hw"):
        with Gradebook(course.directory().db_url, course.directory().course_id) as gradebook:
            submission = gradebook.find_submission_notebook("hw", "hw", one["student"])
            for grade in submission.grades:
                grade.to_dict()
                if grade.name == "why" and grade.manual_score is None:
                    grade.manual_score = 1.5
                    grade.needs_manual_grade = False
                    gradebook.db.commit()
                    given.append(one["student"])
print(json.dumps(given))
"""
TABLE = """
from rich.console import Console
from gradebox.autograde.grade_submissions import GradingOutcome
from gradebox.autograde.discover_submissions import find_submissions
from gradebox.reports.terminal_score_tables import format_grading_report
with open(os.devnull, "w") as nowhere:
    for _ in rounds():
        outcomes = [GradingOutcome(one) for one in find_submissions(course, ["hw"], course.roster)]
        Console(file=nowhere).print(format_grading_report(course, outcomes))
"""
EXPORT = """
from nbgrader.plugins import CsvExportPlugin
from gradebox.lms.export_grades import GradeExport
for _ in rounds():
    for platform in ("csv", "canvas", "moodle"):
        GradeExport(course, ["hw"]).write(platform, None, None)
    with course.gradebook() as gradebook:
        CsvExportPlugin(to="grades.csv").export(gradebook)
"""


def handing_in(course: Course) -> Course:
    """The course with a class of twelve, of which every fourth solves it in the same way."""
    for number, student in enumerate(CLASS):
        solves(
            course, student, double=f"def double(x):\n    {WAYS[number % len(WAYS)]}", why=f"For {student}."
        )
    return course


def kept(course: Course) -> dict[tuple[str, str], tuple]:
    """What the gradebook has of every cell that earns points."""
    with course.gradebook() as gradebook:
        return {
            (grade.student.id, grade.name): (grade.auto_score, grade.manual_score, grade.needs_manual_grade)
            for grade in gradebook.db.query(Grade)
        }


def grade_all(course: Course, force: bool = False) -> None:
    outcomes = autograde_submissions(
        course, list(find_submissions(course, ["hw"], CLASS)), force=force, workers=4
    )
    assert [outcome.problem for outcome in outcomes] == [None] * len(CLASS)
    assert all(outcome.graded for outcome in outcomes)


class Rounds:
    """How many rounds each of the running programs has done."""

    def __init__(self, folder: Path, running: dict[str, subprocess.Popen]):
        self.folder, self.running = folder, running

    def wait_for(self, number: int) -> None:
        until = time.monotonic() + 300
        for name, process in self.running.items():
            while process.poll() is None and self.done(name) < number and time.monotonic() < until:
                time.sleep(0.05)
            assert self.done(name) >= number, (name, process.poll())

    def done(self, name: str) -> int:
        path = self.folder / name
        return int((path.read_text() if path.exists() else "") or 0)


@pytest.fixture(scope="module")
def alone(small_released, tmp_path_factory) -> dict[tuple[str, str], tuple]:
    """The grades of the class in SQLite, with nobody else there."""
    root = shutil.copytree(small_released, tmp_path_factory.mktemp("alone") / "course")
    course = handing_in(Course(root))
    grade_all(course)
    return kept(course)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_same_grades_while_others_read_give_points_and_export(small, alone, kind, request):
    course = small
    if kind == "postgresql":
        course = with_settings(course, f'c.CourseDirectory.db_url = "{request.getfixturevalue("database")}"')
        assert gradebox(course, "release").returncode == 0
    course = handing_in(course)
    programs = {"formgrader": FORMGRADER, "table": TABLE, "export": EXPORT}
    running = {
        name: subprocess.Popen(
            [sys.executable, "-c", AGAIN + program, name],
            **dict(cwd=course.root, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE),
        )
        for name, program in programs.items()
    }
    done = Rounds(course.root / "rounds", running)
    try:
        done.wait_for(1)
        grade_all(course)
        done.wait_for(2)
        # Once more, so that answers that were read are saved again meanwhile.
        grade_all(course, force=True)
        done.wait_for(3)
    finally:
        (course.root / "end").touch()
        said = {name: process.communicate(timeout=120) for name, process in running.items()}
    for name, process in running.items():
        assert process.returncode == 0, f"{name}: {said[name][1]}"
    # Each answer was read once, and stays read.
    assert sorted(json.loads(said["formgrader"][0])) == CLASS
    expected = {
        (student, cell): (auto, 1.5, False) if cell == "why" else (auto, manual, waits)
        for (student, cell), (auto, manual, waits) in alone.items()
    }
    assert kept(Course(course.root)) == expected


def test_a_table_is_made_while_another_process_saves_a_submission(small):
    other = Course(small.root)
    with other.engine.begin() as connection:
        get_or_create_entry(connection, "hw", CLASS[0], None)
    asked: list[str] = []

    @event.listens_for(small.engine, "before_cursor_execute")
    def save(connection, cursor, statement: str, *rest: object) -> None:
        if "FROM submitted_notebook" in statement and not asked:
            asked.append(statement)
            with other.engine.begin() as connection:
                get_or_create_entry(connection, "hw", CLASS[1], None)

    with small.gradebook() as gradebook:
        assert read_submission_grades(gradebook, "hw").keys() == {CLASS[0]} and asked
        assert read_submission_grades(gradebook, "hw").keys() == set(CLASS[:2])
