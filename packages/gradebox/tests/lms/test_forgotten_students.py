"""Students who were removed with `gradebox forget` do not come back unasked, and can be taken in again."""

import re
import shutil
from datetime import datetime
from pathlib import Path

import pytest
from downloads import Upload, canvas, gradescope, moodle, write
from helpers import LESSON, gradebox, hand_in, sample_solved
from sqlalchemy import text

from gradebox.course import Course
from gradebox.csv_table import read_csv_table
from gradebox.lms.roster import import_roster
from gradebox.notebook_exercises import serialize_notebook

RIGHT = serialize_notebook(sample_solved())
LIST = (
    "id,first name,last name,email\nann,Ann,Lee,ann@x\nada,Ada,Byron,ada@x\n"
    "eva1,Eva,Roth,eva1@x\neva2,Eva,Roth,eva2@x\n"
)
# The numbers of Canvas and of Moodle.
NUMBERS = {"ann": (501, 71), "ada": (502, 72), "eva1": (503, 73), "eva2": (504, 74)}


@pytest.fixture
def forgetful(course: Course) -> Course:
    """A course in which Ada and the first of two Eva Roths were forgotten, after both platforms were used."""
    (course.root / "class.csv").write_text(LIST)
    import_roster(course, course.root / "class.csv")
    worksheet = "Identifier,Full name,Email address\n" + "".join(
        f"Participant {NUMBERS[who][1]},,{who}@x\n" for who in NUMBERS
    )
    (course.root / "w.csv").write_text(worksheet)
    import_roster(course, course.root / "w.csv")
    with course.gradebook() as gradebook:
        for who, (number, _) in NUMBERS.items():
            gradebook.update_or_create_student(who, lms_user_id=str(number))
    for name in ("class.csv", "w.csv"):
        (course.root / name).unlink()
    for who in ("ada", "eva1"):
        run = gradebox(course, "forget", who, "--yes")
        assert run.returncode == 0, run.stdout + run.stderr
        assert f"{who}: kept: keyed hashes of the id" in run.stdout
    shutil.rmtree(course.root / "submitted")
    (course.root / "submitted").mkdir()
    return course


def taken(course: Course, path: Path) -> tuple[set[str], str]:
    """The students whose files a collection has taken, and what it says."""
    run = gradebox(course, "collect", str(path))
    assert run.returncode == 0, run.stdout + run.stderr
    return {one.name for one in (course.root / "submitted").iterdir()}, run.stdout


def on_moodle(path: Path) -> Path:
    names = {"ann": "Ann Lee", "ada": "Ada Byron", "eva1": "Eva Roth", "eva2": "Eva Roth"}
    return moodle(path, [Upload(names[who], NUMBERS[who][1], "x.ipynb", RIGHT) for who in names])


def on_canvas(path: Path) -> Path:
    names = {"ann": "Lee, Ann", "ada": "Byron, Ada", "eva1": "Roth, Eva", "eva2": "Roth, Eva"}
    return canvas(
        path, [Upload(names[who], NUMBERS[who][0], "x.ipynb", RIGHT, n) for n, who in enumerate(names)]
    )


def on_gradescope(path: Path) -> Path:
    names = {"Ann": "ann@x", "A. Byron": "ADA@x", "E. Roth": "eva1@x", "Eva Roth": "eva2@x"}
    uploads = [Upload(name, n, "x.ipynb", RIGHT) for n, name in enumerate(names)]
    return gradescope(path, uploads, dict.fromkeys(range(4), datetime(2026, 10, 1)), names)


def in_folders(path: Path) -> Path:
    files = ("ann/x.ipynb", "ADA/x.ipynb", "eva1/x.ipynb", "eva2/x.ipynb")
    return write(path, dict.fromkeys(files, RIGHT))


@pytest.mark.parametrize("platform", [on_moodle, on_canvas, on_gradescope, in_folders])
def test_collect_puts_a_forgotten_student_aside(forgetful, tmp_path, platform):
    path = platform(tmp_path / "a.zip")
    students, said = taken(forgetful, path)
    assert students == {"ann", "eva2"} and "2 taken" in said
    assert re.search(r"the student was forgotten on 2\d{3}-\d\d-\d\d: 2 files\..*--readmit", said), said
    # Nothing that is written names them again.
    for name in ("Ada", "Byron", "eva1"):
        assert name not in said
    text_of_list = (forgetful.root / "downloaded" / "collected.csv").read_text()
    assert len(read_csv_table(forgetful.root / "downloaded" / "collected.csv").rows) == 3
    assert "Byron" not in text_of_list and "eva1" not in text_of_list
    assert b"Byron" not in (forgetful.root / "gradebook.db").read_bytes()
    # An explicit command lets one of them in again, and nobody else.
    assert gradebox(forgetful, "forget", "ada", "--readmit").returncode == 0
    run = gradebox(forgetful, "collect", str(path), "--add-unknown")
    assert "1 taken" in run.stdout and ": 1 file." in run.stdout, run.stdout
    run = gradebox(forgetful, "forget", "ada", "--readmit")
    assert run.returncode == 2 and "nobody with the id or name 'ada' was forgotten" in run.stderr


def test_roster_puts_a_forgotten_student_aside(forgetful):
    (forgetful.root / "class.csv").write_text(LIST)
    run = gradebox(forgetful, "roster", "class.csv")
    assert run.returncode == 0 and "0 new students, 0 changed, 2 as they were." in run.stdout, run.stdout
    assert run.stdout.count("A student of the list was forgotten on 2") == 2 and "ada" not in run.stdout
    with forgetful.gradebook() as gradebook:
        assert {one.id for one in gradebook.students} == {"ann", "eva2"}
    # By name, too.
    assert gradebox(forgetful, "forget", "Byron, Ada", "--readmit").returncode == 0
    assert "1 new student," in gradebox(forgetful, "roster", "class.csv").stdout


def test_autograde_grades_no_folder_of_a_forgotten_student(forgetful):
    for student in ("ann", "ada"):
        hand_in(forgetful, LESSON, student, sample_solved())
    run = gradebox(forgetful, "autograde")
    assert run.returncode == 0 and "ada: left out, because this student was forgotten on 2" in run.stdout
    assert "1 graded" in run.stdout and not forgetful.path("autograded", LESSON, "ada").exists()
    with forgetful.gradebook() as gradebook:
        assert "ada" not in {one.id for one in gradebook.students}
    assert gradebox(forgetful, "forget", "ada", "--readmit").returncode == 0
    assert gradebox(forgetful, "autograde").returncode == 0
    assert forgetful.path("autograded", LESSON, "ada").is_dir()


def test_only_keyed_hashes_are_kept(forgetful):
    """Without the course's secret, the hashes match nobody. Numbers of submissions are not kept."""
    with forgetful.gradebook() as gradebook:
        kept = gradebook.db.execute(text("SELECT digest, person FROM gradebox_forgotten")).all()
    assert len({person for _, person in kept}) == 2 and all(len(digest) == 64 for digest, _ in kept)
    (forgetful.root / "gradebook.secret").write_text("0" * 64)
    (forgetful.root / "class.csv").write_text(LIST)
    assert "2 new students" in gradebox(forgetful, "roster", "class.csv").stdout
