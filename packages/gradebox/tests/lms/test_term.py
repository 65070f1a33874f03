"""A term of a course, through the doors that people use: a list, hand-ins from two platforms, grades back."""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from downloads import Upload, canvas, moodle
from helpers import LESSON, gradebox, sample, sample_released, sample_solved, with_settings
from nbgrader.api import Grade

from gradebox.course import Course
from gradebox.notebook_exercises import serialize_notebook

NBGRADER = Path(sys.executable).parent / "nbgrader"
ROSTER = (
    "Student,ID,SIS User ID,SIS Login ID,Section\r\n    Points Possible,,,,\r\n"
    '"García López, José",501,u1,jose,A\r\n"O\'Brien, Siobhán",502,u2,siobhan,A\r\n'
    '"王, 小明",503,u3,wang,B\r\n"Absent, Anna",504,u4,anna,A\r\n"Broken, Bo",505,u5,bo,B\r\n'
    '"Twofold, Tim",506,u6,tim,B\r\n'
)
WORKSHEET = (
    "Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\r\n"
)
LATE = """
from nbgrader.plugins import BasePlugin

class Late(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return 0.5 * (total_seconds_late // 86400)
"""


def run(course: Course, *arguments: object, ends: int = 0) -> str:
    done = gradebox(course, *map(str, arguments))
    assert done.returncode == ends and "Traceback" not in done.stderr, done.stdout + done.stderr
    return done.stdout


def column(path: Path, key: str, name: str) -> dict[str, str]:
    lines = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline=""))
    return {line[key]: line[name] for line in lines}


def read_all(course: Course) -> None:
    """Somebody gives a point for each written answer."""
    with course.gradebook() as gradebook:
        for grade in gradebook.db.query(Grade):
            if grade.needs_manual_grade:
                grade.manual_score, grade.needs_manual_grade = 1.0, False


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_term(tmp_path, kind, request):
    course = Course(shutil.copytree(sample_released(), tmp_path / "course"))
    (course.root / "late.py").write_text(LATE)
    course = with_settings(
        course,
        "import sys",
        f"sys.path.insert(0, {str(course.root)!r})",
        'c.AssignLatePenalties.plugin_class = "late.Late"',
    )
    if kind == "postgresql":
        course = with_settings(course, f'c.CourseDirectory.db_url = "{request.getfixturevalue("database")}"')
        # Of the released sample; `forget` would name it as a copy of the gradebook.
        (course.root / "gradebook.db").unlink()
    right, wrong, untouched = sample_solved(), sample_solved(weights="divided by d"), sample("release")

    # The list, and the lesson
    (tmp_path / "class.csv").write_text(ROSTER, encoding="utf-8")
    assert "6 new students" in run(course, "roster", tmp_path / "class.csv")
    assert f"{LESSON} released" in run(course, "release")
    due = [NBGRADER, "db", "assignment", "add", LESSON]
    environment = {**os.environ, "PATH": f"{NBGRADER.parent}:{os.environ['PATH']}"}

    def due_at(date: str) -> None:
        subprocess.run(
            [*due, f"--duedate={date}"], cwd=course.root, env=environment, check=True, capture_output=True
        )

    due_at("2026-03-03 12:00:00")

    # From Moodle, with times: late, renamed, broken, missing, two of them, and no notebook
    numbers = {"jose": 11, "siobhan": 12, "wang": 13, "anna": 14, "bo": 15, "tim": 16}
    names = {
        "jose": "José García López",
        **{"siobhan": "Siobhán O'Brien", "wang": "小明 王", "anna": "Anna Absent", "bo": "Bo Broken"},
        "tim": "Tim Twofold",
    }
    times = {
        "jose": "Monday, 2 March 2026, 2:05 PM",
        "siobhan": "Thursday, 5 March 2026, 1:00 PM",
        **{"wang": "Monday, 2 March 2026, 3:00 PM", "anna": "-", "bo": "Monday, 2 March 2026, 3:00 PM"},
        "tim": "Monday, 2 March 2026, 3:00 PM",
    }
    worksheet = WORKSHEET + "".join(
        f'Participant {numbers[who]},{names[who]},,Submitted,,11.00,Yes,"{times[who]}",-,\r\n'
        for who in names
    )
    (tmp_path / "Grades.csv").write_text(worksheet, encoding="utf-8")
    uploads = [
        Upload(names["jose"], 11, "shares (1).ipynb", serialize_notebook(right)),
        Upload(names["siobhan"], 12, "shares.ipynb", serialize_notebook(wrong)),
        Upload(names["wang"], 13, "共有.ipynb", serialize_notebook(untouched)),
        Upload(names["bo"], 15, "shares.ipynb", serialize_notebook(right)[:500]),
        Upload(names["tim"], 16, "a.ipynb", serialize_notebook(right)),
        Upload(names["tim"], 16, "b.ipynb", serialize_notebook(wrong)),
        Upload(names["anna"], 14, "scan.pdf", b"%PDF-1.7"),
    ]
    archive = moodle(tmp_path / "moodle.zip", uploads)
    collect = ("collect", archive, "--worksheet", tmp_path / "Grades.csv", "--timezone", "UTC")
    said = run(course, *collect, ends=1)
    assert "6 taken, 1 not taken" in said and "4 files need attention" in said
    assert "6 as it was, 1 not taken" in run(course, *collect, ends=1)

    # Grades, with a penalty for two days
    said = run(course, "autograde", ends=1)
    assert "late −1" in said and "3 graded" in said and "1 not handed in" in said
    told = json.loads((course.root / "incidents.json").read_text())
    assert {one["student"] for one in told if one["kind"] == "unreadable"} == {"bo", "tim"}

    # Bo and Tim hand in again, on Canvas this time, Tim twice
    again = canvas(
        tmp_path / "canvas.zip",
        [
            Upload("Broken, Bo", 505, "new.ipynb", serialize_notebook(right), 9001, late=True),
            Upload("Twofold, Tim", 506, "first.ipynb", serialize_notebook(wrong), 9002),
            Upload("Twofold, Tim", 506, "last.ipynb", serialize_notebook(right), 9003),
        ],
    )
    for student in ("bo", "tim"):
        shutil.rmtree(course.path("submitted", LESSON, student))
    said = run(course, "collect", again)
    assert "2 taken" in said and "Late, but without a time" in said
    assert "All submissions are graded." in run(course, "autograde")
    read_all(course)

    # The date moves, one has longer, and nobody is run again
    due_at("2026-03-04 12:00:00")
    said = run(course, "autograde")
    assert "late −0.5" in said and "0 graded, 5 unchanged (1 with another penalty)" in said
    run(course, "due", LESSON, "2026-03-06 12:00", "--student", "siobhan")
    assert "late −" not in run(course, "autograde")
    run(course, "feedback")

    # Back to both platforms
    with course.gradebook() as gradebook:
        whole = {who: f"{gradebook.find_submission(LESSON, who).score:g}" for who in names if who != "anna"}
    run(course, "export", LESSON, "--to", "moodle", "--into", tmp_path / "Grades.csv", "--feedback")
    filled = column(course.root / "exports" / "moodle" / f"{LESSON}.csv", "Full name", "Grade")
    assert filled == {names[who]: whole.get(who, "") for who in names}
    with zipfile.ZipFile(course.root / "exports" / "moodle" / f"{LESSON}-feedback.zip") as pages:
        assert {page.split("_")[1] for page in pages.namelist()} == {"11", "12", "13", "15", "16"}
    head, points, *lines = ROSTER.splitlines()
    book = "\r\n".join([f"{head},{LESSON} (77)", f"{points},11", *(f"{line}," for line in lines), ""])
    (tmp_path / "canvas.csv").write_text(book, encoding="utf-8")
    said = run(course, "export", "--to", "canvas", "--into", tmp_path / "canvas.csv", "--feedback")
    assert "5 graded, 1 not handed in" in said and "3 pages can't be returned" in said
    filled = column(course.root / "exports" / "canvas" / f"{LESSON}.csv", "SIS Login ID", f"{LESSON} (77)")
    assert {who: filled[who] for who in names} == {who: whole.get(who, "") for who in names}
    with zipfile.ZipFile(course.root / "exports" / "canvas" / f"{LESSON}-feedback.zip") as pages:
        assert {page.split("_")[-3] for page in pages.namelist()} <= {"505", "506", "LATE"}
        assert {tuple(re.findall(r"_(\d+)_(\d+)_", page)) for page in pages.namelist()} == {
            (("505", "9001"),),
            (("506", "9003"),),
        }
    run(course, "package", "gradescope", LESSON, "--output", tmp_path / "autograder.zip")
    with zipfile.ZipFile(tmp_path / "autograder.zip") as package:
        assert {"setup.sh", "run_autograder"} < set(package.namelist())
        assert not [name for name in package.namelist() if "jose" in name or "submitted/" in name]

    # Somebody asks to be forgotten
    run(course, "forget", "tim", "--yes")
    for path in course.root.rglob("*"):
        assert "tim" not in path.name.lower().split(".")[0].split("_"), path
        assert path.suffix == ".pyc" or path.is_dir() or b"Twofold" not in path.read_bytes(), path
    assert "4 graded, 1 not handed in" in run(course, "export")
