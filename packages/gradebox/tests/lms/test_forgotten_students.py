"""Students who were removed with `gradebox forget` do not come back unasked, and can be taken in again."""

import hmac
import shutil
from datetime import datetime
from pathlib import Path

import pytest
from downloads import Upload, gradescope, moodle, write
from helpers import LESSON, gradebox, hand_in, sample_solved
from sqlalchemy import text

from gradebox.course import Course
from gradebox.course_secret import load_course_secret
from gradebox.csv_table import read_csv_table
from gradebox.forgotten_students import FORGOTTEN
from gradebox.gradebook_transactions import upsert_row
from gradebox.lms.match_students import StudentIndex
from gradebox.lms.roster import import_roster
from gradebox.notebook_exercises import serialize_notebook

RIGHT = serialize_notebook(sample_solved())
WRONG = serialize_notebook(sample_solved(shares="over everything"))
LIST = (
    "id,first name,last name,email\nann,Ann,Lee,ann@x\nada,Ada,Byron,ada@x\n"
    "eva1,Eva,Roth,eva1@x\neva2,Eva,Roth,eva2@x\n"
)


@pytest.fixture
def forgetful(course: Course) -> Course:
    """A course in which Ada and the first of two Eva Roths were forgotten."""
    (course.root / "class.csv").write_text(LIST)
    import_roster(course, course.root / "class.csv")
    (course.root / "class.csv").unlink()
    for who in ("ada", "eva1"):
        run = gradebox(course, "forget", who, "--yes")
        assert run.returncode == 0, run.stdout + run.stderr
        assert f"{who}: kept: a keyed hash of the id" in run.stdout
    shutil.rmtree(course.root / "submitted")
    (course.root / "submitted").mkdir()
    return course


def collected(course: Course, path: Path, *options: str) -> tuple[set[str], str]:
    """The students whose files a collection has taken, and what it says."""
    run = gradebox(course, "collect", str(path), *options)
    assert run.returncode == 0, run.stdout + run.stderr
    return {one.name for one in (course.root / "submitted").iterdir()}, run.stdout


def in_folders(path: Path) -> Path:
    return write(path, dict.fromkeys(("ann/x.ipynb", "ada/x.ipynb", "eva1/x.ipynb", "eva2/x.ipynb"), RIGHT))


def on_gradescope(path: Path) -> Path:
    names = {"Ann": "ann@x", "ada": "ada@x", "eva1": "eva1@x", "Eva Roth": "eva2@x"}
    uploads = [Upload(name, n, "x.ipynb", RIGHT) for n, name in enumerate(names)]
    return gradescope(path, uploads, dict.fromkeys(range(4), datetime(2026, 10, 1)), names)


@pytest.mark.parametrize("options", [(), ("--add-unknown",)])
@pytest.mark.parametrize("download", [in_folders, on_gradescope])
def test_collect_leaves_a_forgotten_student_out(forgetful, tmp_path, download, options):
    path = download(tmp_path / "a.zip")
    students, said = collected(forgetful, path, *options)
    assert students == {"ann", "eva2"} and "2 taken" in said
    assert "Left out, because of `gradebox forget`: ada, eva1. `gradebox forget ID --readmit`" in said
    # An explicit command lets one of them in again, and nobody else.
    assert gradebox(forgetful, "forget", "ada", "--readmit").returncode == 0
    students, said = collected(forgetful, path, "--add-unknown")
    assert students == {"ann", "eva2", "ada"} and "`gradebox forget`: eva1. " in said
    run = gradebox(forgetful, "forget", "ada", "--readmit")
    assert run.returncode == 2 and "nobody with the id 'ada' was forgotten" in run.stderr


def test_only_the_exact_id_is_on_the_list(forgetful, tmp_path):
    path = write(
        tmp_path / "a.zip", dict.fromkeys(("Ada/x.ipynb", "a.da/x.ipynb", "Eva Roth 2/x.ipynb"), RIGHT)
    )
    students, said = collected(forgetful, path, "--add-unknown")
    assert students == {"Ada", "a.da", "Eva Roth 2"} and "gradebox forget" not in said


def test_a_namesake_does_not_get_the_files_of_a_forgotten_student(forgetful, tmp_path):
    """Moodle's number, which the gradebook has for the other one, decides."""
    with forgetful.gradebook() as gradebook:
        StudentIndex(gradebook).save_number("moodle", "74", "eva2")
    uploads = [Upload("Eva Roth", number, "x.ipynb", file) for number, file in ((73, WRONG), (74, RIGHT))]
    run = gradebox(forgetful, "collect", str(moodle(tmp_path / "a.zip", uploads)))
    assert run.returncode == 1 and "1 taken, 1 not taken" in run.stdout, run.stdout
    (path,) = forgetful.path("submitted", LESSON, "eva2").glob("*.ipynb")
    assert path.read_text() == RIGHT


def test_a_name_that_was_an_id_is_recognised(course, tmp_path):
    """Without a class list, Moodle's names are the ids."""
    path = moodle(
        tmp_path / "a.zip",
        [Upload(name, n, "x.ipynb", RIGHT) for n, name in enumerate(("Ann Lee", "Ada Byron"))],
    )
    collected(course, path)
    assert gradebox(course, "forget", "Ada Byron", "--yes").returncode == 0
    students, said = collected(course, path)
    assert students == {"Ann Lee"} and "`gradebox forget`: Ada Byron. " in said


def test_roster_leaves_a_forgotten_student_out(forgetful):
    (forgetful.root / "class.csv").write_text(LIST)
    run = gradebox(forgetful, "roster", "class.csv")
    assert run.returncode == 0 and "0 new students, 0 changed, 2 as they were." in run.stdout, run.stdout
    assert "Left out, because of `gradebox forget`: ada, eva1. " in run.stdout
    with forgetful.gradebook() as gradebook:
        assert {one.id for one in gradebook.students} == {"ann", "eva2"}
    assert gradebox(forgetful, "forget", "ada", "--readmit").returncode == 0
    assert "1 new student," in gradebox(forgetful, "roster", "class.csv").stdout


def test_of_two_forgotten_namesakes_one_comes_back(forgetful):
    assert gradebox(forgetful, "forget", "eva2", "--yes").returncode == 0
    assert gradebox(forgetful, "forget", "eva2", "--readmit").returncode == 0
    (forgetful.root / "class.csv").write_text(LIST)
    assert (
        "Left out, because of `gradebox forget`: ada, eva1. "
        in gradebox(forgetful, "roster", "class.csv").stdout
    )
    with forgetful.gradebook() as gradebook:
        assert {one.id for one in gradebook.students} == {"ann", "eva2"}


def test_autograde_and_export_leave_a_forgotten_student_out(forgetful):
    for student in ("ann", "ada"):
        hand_in(forgetful, LESSON, student, sample_solved())
    run = gradebox(forgetful, "autograde")
    assert run.returncode == 0 and "Left out, because of `gradebox forget`: ada. " in run.stdout
    assert "1 graded" in run.stdout and not forgetful.path("autograded", LESSON, "ada").exists()
    with forgetful.gradebook() as gradebook:
        assert "ada" not in {one.id for one in gradebook.students}
    run = gradebox(forgetful, "export")
    assert run.returncode == 0 and "Left out, because of `gradebox forget`: ada. " in run.stdout
    grades = read_csv_table(forgetful.root / "exports" / "grades.csv")
    assert {row[0] for row in grades.rows[1:]} == {"ann", "eva2"}
    assert gradebox(forgetful, "forget", "ada", "--readmit").returncode == 0
    assert gradebox(forgetful, "autograde").returncode == 0
    assert forgetful.path("autograded", LESSON, "ada").is_dir()


def test_only_keyed_hashes_are_kept(forgetful):
    """Without the course's secret, the hashes match nobody."""
    with forgetful.gradebook() as gradebook:
        kept = gradebook.db.execute(text("SELECT digest FROM gradebox_forgotten")).all()
    assert len(kept) == 2 and all(len(digest) == 64 for (digest,) in kept)
    (forgetful.root / "gradebook.secret").write_text("0" * 64)
    (forgetful.root / "class.csv").write_text(LIST)
    assert "2 new students" in gradebox(forgetful, "roster", "class.csv").stdout


def test_students_forgotten_by_an_earlier_version_stay_out(course):
    """It kept hashes of the folded id and of the names, with one random value for both namesakes."""
    key = load_course_secret(course.root).encode()
    with course.connection() as connection:
        for name in ("eva1", "eva2", "evaroth", "eva1x"):
            digest = hmac.digest(key, f"forgotten\0\0{name}".encode(), "sha256").hex()
            row = {"digest": digest, "person": "0" * 32, "forgotten": datetime(2026, 11, 1)}
            upsert_row(connection, FORGOTTEN, row)
    (course.root / "class.csv").write_text(LIST)
    assert "`gradebox forget`: eva1, eva2. " in gradebox(course, "roster", "class.csv").stdout
    assert gradebox(course, "forget", "eva2", "--readmit").returncode == 0
    assert "`gradebox forget`: eva1. " in gradebox(course, "roster", "class.csv").stdout
    with course.gradebook() as gradebook:
        assert {one.id for one in gradebook.students} == {"ann", "ada", "eva2"}
