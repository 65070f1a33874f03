"""A class on two platforms, or in two sections of one, gets all its grades and pages from one command."""

import csv
import io
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from downloads import Upload, canvas, moodle
from helpers import gradebox, solves
from nbgrader.api import Grade

from gradebox.course import Course
from gradebox.lms.roster import import_roster

RIGHT, WRONG = "def double(x):\n    return 2 * x", "def double(x):\n    return x"
CLASS = (
    "Student,ID,SIS User ID,SIS Login ID,Section\n"
    '"Lee, Ann",501,u1,ann,"A, B"\n"Ray, Bob",502,u2,bob,A\n'
    '"Roe, Cid",503,u3,cid,B\n"Fox, Dan",504,u4,dan,B\n'
)
HEADINGS = (
    "Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\r\n"
)
# The lesson of another week has its grades in Canvas.
BOOK = (
    "Student,ID,SIS User ID,SIS Login ID,Section,hw0 (70),hw (77),Final Points\n"
    "    Points Possible,,,,,5,{points},(read only)\n"
    '"Lee, Ann",501,u1,ann,"A, B",4,,\n"Roe, Cid",503,u3,cid,B,,,\n"Fox, Dan",504,u4,dan,B,3,,\n'
)
ONE_WAITS = "1 thing waits: `gradebox status`"


def worksheet(path: Path, **numbers: int) -> Path:
    names = {"ann": "Ann Lee", "bob": "Bob Ray", "cid": "Cid Roe", "dan": "Dan Fox"}
    when = "Tuesday, 3 March 2026, 2:05 PM"
    rows = [f'Participant {numbers[who]},{names[who]},,,,6,Yes,"{when}",-,\r\n' for who in numbers]
    path.write_text(HEADINGS + "".join(rows), encoding="utf-8")
    return path


def run(course: Course, *arguments: object, ends: int = 0) -> str:
    done = gradebox(course, *map(str, arguments))
    assert done.returncode == ends, done.stdout + done.stderr
    return done.stdout + done.stderr


def grades(course: Course, table: str, key: str, column: str) -> dict[str, str]:
    text = (course.root / "exports" / table).read_text(encoding="utf-8-sig")
    rows = csv.DictReader(io.StringIO(text, newline=""))
    # Canvas's row of maximum points has no student.
    return {row[key]: row[column] for row in rows if row[key]}


def in_moodle(course: Course, table: str = "moodle/hw.csv") -> dict[str, str]:
    return grades(course, table, "Full name", "Grade")


def in_canvas(course: Course) -> dict[str, str]:
    return grades(course, "canvas/hw.csv", "SIS Login ID", "hw (77)")


def pages(course: Course, archive: str) -> list[str]:
    with zipfile.ZipFile(course.root / "exports" / archive) as file:
        return sorted(name.partition("_")[0] for name in file.namelist())


def read_all(course: Course, points: float = 1.0) -> None:
    with course.gradebook() as gradebook:
        for grade in gradebook.db.query(Grade):
            if grade.needs_manual_grade or grade.manual_score is not None:
                grade.manual_score, grade.needs_manual_grade = points, False


def notebook(course: Course, answer: str, why: str = "It doubles.") -> str:
    path = solves(course, "nobody", double=answer, why=why)
    text = path.read_text(encoding="utf-8")
    shutil.rmtree(path.parents[1])
    return text


@pytest.fixture
def listed(small: Course) -> Course:
    (small.root / "class.csv").write_text(CLASS)
    import_roster(small, small.root / "class.csv")
    return small


@pytest.fixture
def files(listed: Course, tmp_path: Path) -> dict[str, Path]:
    """Ann and Bob on Moodle, Cid and Ann on Canvas, where Dan has handed in nothing."""
    right, wrong = notebook(listed, RIGHT), notebook(listed, WRONG)
    (tmp_path / "Gradebook.csv").write_text(BOOK.format(points=6))
    uploads = [Upload("Ann Lee", 11, "x.ipynb", right), Upload("Bob Ray", 12, "x.ipynb", wrong)]
    return {
        "moodle": moodle(tmp_path / "moodle.zip", uploads),
        "worksheet": worksheet(tmp_path / "Grades.csv", ann=11, bob=12),
        "canvas": canvas(tmp_path / "canvas.zip", [Upload("Roe, Cid", 503, "x.ipynb", right, 9)]),
        "book": tmp_path / "Gradebook.csv",
    }


def test_both_platforms_in_one_command(listed: Course, files: dict[str, Path]):
    downloads, tables = (files["moodle"], files["canvas"]), ("--worksheet", files["worksheet"])
    column = "--column", "hw=Homework (77)"
    files["book"].write_text(BOOK.format(points=6).replace("hw (77)", "Homework (77)"))
    said = run(listed, "grade", "hw", *downloads, *tables, "--into", files["book"], *column)
    assert "3 graded" in said and "moodle.zip (from moodle): 2 taken" in said
    assert (listed.path("submitted", "hw", "ann") / "timestamp.txt").is_file()
    read_all(listed)
    # A column that only one of the tables has is remembered for this one.
    run(listed, "grade", "hw")
    assert in_moodle(listed) == {"Ann Lee": "3", "Bob Ray": "1"}
    canvas_grades = grades(listed, "canvas/hw.csv", "SIS Login ID", "Homework (77)")
    assert canvas_grades == {"ann": "3", "cid": "3", "dan": ""}


@pytest.fixture
def both(listed: Course, files: dict[str, Path]) -> Course:
    """Both downloads are graded, and all answers are read."""
    run(listed, "grade", "hw", files["moodle"], "--worksheet", files["worksheet"])
    said = run(listed, "grade", "hw", files["canvas"], "--into", files["book"])
    # Each student is in one of the tables.
    assert "in no table" not in said and "can't be returned" not in said
    read_all(listed)
    return listed


def test_one_command_fills_in_both_tables_and_archives(both: Course):
    # An answer that was read is a grade that no platform has.
    said = run(both, "grade", "hw")
    assert "can't be returned" not in said
    assert "wait" not in said and "in no table" not in said and said.count("3 graded, 1 not handed in") == 1
    # Ann is on both platforms. Dan's empty cell stays.
    assert in_moodle(both) == {"Ann Lee": "3", "Bob Ray": "1"}
    assert in_canvas(both) == {"ann": "3", "cid": "3", "dan": ""}
    # A student's page goes to the platform that the submission came from.
    assert pages(both, "moodle/hw-feedback.zip") == ["Ann Lee", "Bob Ray"]
    assert pages(both, "canvas/hw-feedback.zip") == ["roecid"]


def test_later_changes_reach_both_tables_with_the_same_command(both: Course):
    run(both, "grade", "hw")
    assert ONE_WAITS in run(both, "adjust", "hw", "double-test", "--full-for-all", "--because", "x")
    assert "hw: 1 changed since export: `gradebox grade hw`" in run(both, "status")
    read_all(both, 0.5)
    assert "hw: 3 changed since export" in run(both, "status")
    assert "wait" not in run(both, "grade", "hw")
    assert in_moodle(both) == {"Ann Lee": "2.5", "Bob Ray": "2.5"}
    assert in_canvas(both) == {"ann": "2.5", "cid": "2.5", "dan": ""}
    assert "changed since export:" not in run(both, "status")


def test_a_kept_table_of_canvas_has_no_other_lessons(both: Course):
    run(both, "grade", "hw")
    text = (both.root / "exports" / "canvas" / "hw.csv").read_text()
    # The table is weeks old: an empty or old cell would replace the grades that Canvas has since.
    assert "hw0 (70)" not in text and "Final Points" in text and "Section" in text


def test_a_table_that_is_refused_does_not_hold_up_the_other(both: Course, files: dict[str, Path]):
    files["book"].write_text(BOOK.format(points=100))
    said = run(both, "grade", "hw", "--into", files["book"], ends=2)
    assert "hw has 6 points, but its maximum in Canvas is 100: convert the points with --scale, or" in said
    assert in_moodle(both) == {"Ann Lee": "3", "Bob Ray": "1"}
    assert in_canvas(both) == {"ann": "", "cid": "", "dan": ""}
    # The option is for the table that was refused, and is kept with it.
    run(both, "grade", "hw", "--into", files["book"], "--scale")
    assert in_canvas(both)["cid"] == "50" and in_moodle(both)["Ann Lee"] == "3"
    run(both, "grade", "hw")
    assert in_canvas(both)["cid"] == "50"


def test_an_export_replaces_the_table_that_grade_fills_in(both: Course, files: dict[str, Path]):
    newer = worksheet(files["worksheet"].with_name("Bewertungen-b.csv"), ann=11, bob=12, dan=14)
    run(both, "export", "hw", "--to", "moodle", "--into", newer)
    # A platform has one table of a lesson, under one name.
    assert [path.name for path in (both.root / "exports" / "moodle").glob("*.csv")] == ["hw.csv"]
    assert in_moodle(both) == {"Ann Lee": "3", "Bob Ray": "1", "Dan Fox": ""}
    run(both, "grade", "hw")
    assert in_moodle(both).keys() == {"Ann Lee", "Bob Ray", "Dan Fox"}


def test_without_tables_each_platform_gets_its_own_students(listed: Course, files: dict[str, Path]):
    run(listed, "grade", "hw", files["moodle"])
    run(listed, "grade", "hw", files["canvas"])
    read_all(listed)
    assert "wait" not in run(listed, "grade", "hw")
    assert grades(listed, "moodle/hw.csv", "ID number", "hw") == {"ann": "3", "bob": "1"}
    assert grades(listed, "canvas/hw.csv", "SIS Login ID", "hw") == {"cid": "3"}
    # A worksheet has its students, also if nothing was collected from Canvas for them.
    run(listed, "grade", "hw", "--worksheet", files["worksheet"])
    assert grades(listed, "canvas/hw.csv", "SIS Login ID", "hw") == {"cid": "3"}
    assert in_moodle(listed) == {"Ann Lee": "3", "Bob Ray": "1"}


def test_sections_with_a_worksheet_each(listed: Course, tmp_path: Path):
    right = notebook(listed, RIGHT)
    first = moodle(tmp_path / "a.zip", [Upload("Bob Ray", 12, "x.ipynb", right)])
    second = moodle(tmp_path / "b.zip", [Upload("Cid Roe", 33, "x.ipynb", right)])
    tables = worksheet(tmp_path / "a.csv", ann=11, bob=12), worksheet(tmp_path / "b.csv", cid=33, dan=34)
    run(listed, "grade", "hw", first, "--worksheet", tables[0], "--section", "A")
    said = run(listed, "grade", "hw", second, "--worksheet", tables[1], "--section", "B")
    assert "1 graded, 0 unchanged" in said and "Bob Ray" not in said
    read_all(listed)
    run(listed, "grade", "hw", "--section", "B")
    assert in_moodle(listed, "moodle/B/hw.csv") == {"Cid Roe": "3", "Dan Fox": ""}
    assert in_moodle(listed, "moodle/A/hw.csv") == {"Ann Lee": "", "Bob Ray": ""}
    assert "wait" not in run(listed, "grade", "hw")
    assert in_moodle(listed, "moodle/A/hw.csv") == {"Ann Lee": "", "Bob Ray": "3"}
    assert in_moodle(listed, "moodle/B/hw.csv") == {"Cid Roe": "3", "Dan Fox": ""}
    assert pages(listed, "moodle/A/hw-feedback.zip") == ["Bob Ray"]
    assert pages(listed, "moodle/B/hw-feedback.zip") == ["Cid Roe"]
    assert "unknown section 'C' (known: A, B)" in run(listed, "grade", "hw", "--section", "C", ends=2)


def test_status_is_a_row_for_each_lesson_and_a_line_for_each_thing(both: Course, files: dict[str, Path]):
    run(both, "grade", "hw")
    run(both, "due", "hw", "2026-03-01 12:00")
    (folder := both.root / "source" / "hw2").mkdir()
    shutil.copy(both.root / "source" / "hw" / "hw.ipynb", folder / "hw2.ipynb")
    broken = solves(both, "dan", double=RIGHT)
    broken.write_text(broken.read_text()[:200])
    solves(both, "cid", double=WRONG)
    said = run(both, "status")
    row = re.search(r"│ hw +│ +(\S+) │ +(\S+) │ +(\S+) │ +(\S+) │ +(\S+) │ (.*) │", said)
    # Of four submissions, Ann's and Bob's are graded, Cid's has changed, and Dan's can't be graded.
    assert row and row.groups() == ("4", "2", "–", "2", "–", "Sun 01 Mar, 12:00")
    assert re.search(r"│ hw2 +│ +– │ +– │ +– │ +– │ +– │ +– │", said) and "4 students" in said
    lines = said[said.rindex("┘") :].splitlines()[1:]
    assert lines[0].startswith("hw: can't be graded: dan (") and lines[0].endswith(
        "correct them in submitted/"
    )
    assert lines[1:] == ["hw: 1 not graded, or out of date: `gradebox grade hw`"]
    run(both, "autograde", "hw", ends=1)
    said = run(both, "status", "hw")
    assert "hw: 1 to be read: `gradebox read hw`" in said and "hw2" not in said
    # A lesson that can't be read doesn't hide the others.
    (folder / "hw2.ipynb").write_text("{")
    said = run(both, "status")
    assert "hw2: source/hw2/hw2.ipynb can't be read as a notebook" in said and "│ hw " in said
