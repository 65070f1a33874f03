"""One command takes a lesson from a platform's download to what the platform takes back."""

import csv
import io
import zipfile
from pathlib import Path

import pytest
from downloads import Upload, canvas, moodle
from helpers import LESSON, gradebox, sample_solved
from nbgrader.api import Grade

from gradebox.course import Course
from gradebox.lms.roster import import_roster
from gradebox.notebook_exercises import serialize_notebook

CLASS = (
    "Student,ID,SIS User ID,SIS Login ID,Section\n"
    '"Lee, Ann",501,u1,ann,A\n"Ray, Bob",502,u2,bob,A\n"Roe, Cid",503,u3,cid,A\n'
)
NUMBERS = {"Ann Lee": 11, "Bob Ray": 12, "Cid Roe": 13}
WORKSHEET = (
    "Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\r\n"
) + "".join(
    f'Participant {number},{name},,Submitted,,11,Yes,"Tuesday, 3 March 2026, 2:05 PM",-,\r\n'
    for name, number in NUMBERS.items()
)


def run(course: Course, *arguments: object, ends: int = 0) -> str:
    done = gradebox(course, *map(str, arguments))
    assert done.returncode == ends, done.stdout + done.stderr
    return done.stdout


def grades(course: Course) -> dict[str, str]:
    text = (course.root / "exports" / "moodle" / f"{LESSON}.csv").read_text(encoding="utf-8-sig")
    return {row["Full name"]: row["Grade"] for row in csv.DictReader(io.StringIO(text, newline=""))}


def pages(course: Course) -> list[str]:
    with zipfile.ZipFile(course.root / "exports" / "moodle" / f"{LESSON}-feedback.zip") as archive:
        return sorted(name.partition("_")[0] for name in archive.namelist())


@pytest.fixture
def ready(course: Course, tmp_path: Path) -> Course:
    """A course with a class list, and two downloads: Ann and Bob, and later also Cid."""
    (tmp_path / "class.csv").write_text(CLASS)
    import_roster(course, tmp_path / "class.csv")
    (tmp_path / "Grades.csv").write_text(WORKSHEET, encoding="utf-8")
    right = serialize_notebook(sample_solved())
    first = [Upload(name, NUMBERS[name], "x.ipynb", right) for name in ("Ann Lee", "Bob Ray")]
    moodle(tmp_path / "first.zip", first)
    moodle(tmp_path / "second.zip", [*first, Upload("Cid Roe", 13, "x.ipynb", right)])
    moodle(tmp_path / "stranger.zip", [*first, Upload("Eve Evil", 14, "x.ipynb", right)])
    return course


def test_a_lesson_is_one_command_and_reading(ready: Course, tmp_path: Path):
    worksheet = "--worksheet", tmp_path / "Grades.csv"
    said = run(ready, "grade", LESSON, tmp_path / "first.zip", *worksheet)
    assert "2 taken" in said and "2 graded, 0 unchanged, 1 not handed in" in said
    assert said.splitlines()[-1] == "1 thing waits: `gradebox status`"
    assert grades(ready) == dict.fromkeys(NUMBERS, "") and pages(ready) == []
    timestamp = ready.path("submitted", LESSON, "ann") / "timestamp.txt"
    assert timestamp.read_text().startswith("2026-03-03 14:05")

    run(ready, "grade", LESSON, "--provisional")
    provisional = grades(ready)
    assert provisional["Ann Lee"] and not provisional["Cid Roe"] and pages(ready) == ["Ann Lee", "Bob Ray"]

    with ready.gradebook() as gradebook:
        for one in gradebook.db.query(Grade).filter(Grade.needs_manual_grade):
            one.manual_score, one.needs_manual_grade = 1.0, False
    said = run(ready, "grade", LESSON)
    assert "0 graded, 2 unchanged" in said and "2 feedback pages written" in said
    assert float(grades(ready)["Ann Lee"]) == float(provisional["Ann Lee"]) + 1

    said = run(ready, "grade", LESSON, tmp_path / "second.zip")
    assert "1 taken, 2 as it was" in said and "1 graded, 2 unchanged" in said
    assert grades(ready)["Ann Lee"] and not grades(ready)["Cid Roe"]

    said = run(ready, "forget", "bob", "--yes")
    table = f"downloaded/tables/moodle/{LESSON}.csv"
    assert f"{table}: the whole file (name the platform's table again)" in said
    assert not (ready.root / table).exists()
    # The platform still has this student in its next table.
    said = run(ready, "grade", LESSON, *worksheet)
    assert "not in the gradebook: Bob Ray" in said and not grades(ready)["Bob Ray"]


def test_the_end_repeats_what_needs_a_person(ready: Course, tmp_path: Path):
    said = run(ready, "grade", LESSON, tmp_path / "stranger.zip", ends=1)
    assert "2 taken, 1 not taken" in said and "2 graded" in said
    assert said.splitlines()[-1].startswith("Files of the download need attention: see the table above")
    # Without a worksheet, Moodle gets a table for its gradebook.
    path = ready.root / "exports" / "moodle" / f"{LESSON}.csv"
    assert path.read_text(encoding="utf-8-sig").startswith('"ID number"')
    done = gradebox(ready, "grade", LESSON, "--worksheet", "none.csv")
    assert done.returncode == 2 and "none.csv can't be read: No such file" in done.stderr


def test_the_options_that_messages_about_a_download_name(ready: Course, tmp_path: Path):
    said = run(ready, "grade", LESSON, tmp_path / "stranger.zip", ends=1)
    assert "--add-unknown" in said
    said = run(ready, "grade", LESSON, tmp_path / "stranger.zip", "--add-unknown")
    assert "1 taken, 2 as it was" in said and "1 graded, 2 unchanged" in said
    path = next(ready.path("submitted", LESSON, "ann").glob("*.ipynb"))
    path.write_text(serialize_notebook(sample_solved(weights="divided by d")))
    said = run(ready, "grade", LESSON, tmp_path / "first.zip", ends=1)
    assert "--student ann" in said
    said = run(
        *(ready, "grade", LESSON, tmp_path / "first.zip", "--from", "moodle", "--force", "--student", "ann")
    )
    assert "1 replaced" in said and path.read_text() == serialize_notebook(sample_solved())
    done = gradebox(ready, "grade", LESSON, "--force")
    assert done.returncode == 2 and "need a download" in done.stderr


def test_a_worksheet_without_the_download_gives_no_times_and_says_so(ready: Course, tmp_path: Path):
    run(ready, "due", LESSON, "2026-03-01 12:00")
    said = run(ready, "grade", LESSON, tmp_path / "first.zip", "--provisional")
    advice = "2 submissions have no time and can't be late. Moodle's worksheet has times"
    assert advice in said
    alone = run(ready, "grade", LESSON, "--worksheet", tmp_path / "Grades.csv", "--provisional")
    assert advice in alone
    worksheet = "--worksheet", tmp_path / "Grades.csv"
    both = run(ready, "grade", LESSON, tmp_path / "first.zip", *worksheet, "--provisional")
    assert "no time" not in both


def test_another_maximum_is_refused_or_converted_from_then_on(ready: Course, tmp_path: Path):
    other = tmp_path / "Grades of 100.csv"
    other.write_text(WORKSHEET.replace(",Submitted,,11,", ",Submitted,,100.00,"), encoding="utf-8")
    done = gradebox(ready, "grade", LESSON, str(tmp_path / "first.zip"), "--worksheet", str(other))
    assert done.returncode == 2 and "2 graded" in done.stdout
    refusal = f"{LESSON} has 11 points, but its maximum in Moodle is 100: convert the points with --scale, or"
    assert refusal in done.stderr
    assert not (ready.root / "exports" / "moodle" / f"{LESSON}.csv").exists()
    # The table is kept, and the option, too.
    said = run(ready, "grade", LESSON, "--scale", "--provisional")
    assert f"{LESSON}: 11 points are converted to 100" in said
    assert grades(ready)["Ann Lee"] == "81.82"
    run(ready, "grade", LESSON, "--provisional")
    assert grades(ready)["Ann Lee"] == "81.82"
    run(ready, "grade", LESSON, "--worksheet", tmp_path / "Grades.csv", "--provisional")
    assert grades(ready)["Ann Lee"] == "9"


def test_the_column_of_a_kept_table_is_remembered(ready: Course, tmp_path: Path):
    lines = CLASS.replace("Section", "Section,Homework 1 (77)").replace(",A\n", ",A,\n")
    into = tmp_path / "Gradebook.csv"
    into.write_text(lines.replace("\n", "\n    Points Possible,,,,,11\n", 1))
    canvas(tmp_path / "all.zip", [Upload("Lee, Ann", 501, "x.ipynb", serialize_notebook(sample_solved()), 1)])
    column = "--column", f"{LESSON}=Homework 1 (77)"
    run(ready, "grade", LESSON, tmp_path / "all.zip", "--into", into, *column)
    run(ready, "grade", LESSON, "--provisional")
    text = (ready.root / "exports" / "canvas" / f"{LESSON}.csv").read_text()
    assert '"ann","A",9' in text


def test_a_worksheet_of_another_assignment_is_refused(ready: Course, tmp_path: Path):
    run(ready, "grade", LESSON, tmp_path / "first.zip", "--worksheet", tmp_path / "Grades.csv")
    other = tmp_path / "other.csv"
    other.write_text(WORKSHEET.replace("Participant 1", "Participant 9"), encoding="utf-8")
    done = gradebox(ready, "export", LESSON, "--to", "moodle", "--into", str(other))
    assert done.returncode == 2 and f"no collected submission of {LESSON} is in other.csv: it" in done.stderr
