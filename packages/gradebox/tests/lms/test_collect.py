"""What platforms let people download becomes hand-ins: whose, which notebook, when; and nothing is lost."""

import json
import shutil
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import nbformat
import pytest
from downloads import Upload, canvas, gradescope, moodle, write
from helpers import LESSON, gradebox, sample, sample_solved, with_settings
from nbgrader.api import Student
from sqlalchemy import text

from gradebox.course import REPLACED_FOLDER, Course, CourseError
from gradebox.csv_table import read_csv_table
from gradebox.lms import download_archive
from gradebox.lms.collect import collect_submissions
from gradebox.lms.collect_results import (
    EXISTING_KEPT,
    IMPORTED,
    LATE,
    NOT_IMPORTED,
    REPLACED,
    UNCHANGED,
    CollectResult,
)
from gradebox.lms.moodle_submission_owners import WorksheetRow, read_worksheet
from gradebox.lms.roster import import_roster
from gradebox.notebook_exercises import serialize_notebook


@pytest.fixture(scope="module")
def right() -> str:
    return serialize_notebook(sample_solved())


@pytest.fixture(scope="module")
def released() -> str:
    return serialize_notebook(sample("release"))


@pytest.fixture
def class_list(course: Course) -> Course:
    """The course, with students in the gradebook."""
    with course.gradebook() as gradebook:
        for id_, first, last, email, number in (
            ("jgarcia", "José", "García López", "jg@uni.example", "501"),
            ("obrien", "Siobhán", "O'Brien", "so@uni.example", "502"),
            ("wang", "小明", "王", "wx@uni.example", "503"),
            ("ada", "Ada", "Byron", "ab@uni.example", "504"),
            ("lena", "Anna-Lena", "Müller", "al@uni.example", "505"),
        ):
            gradebook.update_or_create_student(
                id_, first_name=first, last_name=last, email=email, lms_user_id=number
            )
    return course


def rows(course: Course, path: Path, **options) -> dict[tuple[str, str], CollectResult]:
    """What became of each file, by student and file."""
    return {(row.student, row.file): row for row in collect_submissions(course, path, **options)[1]}


def by_student(course: Course, path: Path, **options) -> dict[str, CollectResult]:
    found = {row.student: row for row in collect_submissions(course, path, **options)[1]}
    return found


def handed_in(course: Course, student: str) -> list[str]:
    folder = course.path("submitted", LESSON, student)
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def content(course: Course, student: str, name: str | None = None) -> str:
    (own,) = course.notebooks(LESSON)
    return (course.path("submitted", LESSON, student) / (name or f"{own}.ipynb")).read_text(encoding="utf-8")


def own(course: Course) -> str:
    (name,) = course.notebooks(LESSON)
    return f"{name}.ipynb"


# Who is who


@pytest.mark.parametrize(("folders", "old"), [(True, False), (True, True), (False, False)])
def test_moodle(class_list, tmp_path, right, folders, old):
    uploads = [
        Upload("José García López", 1327627, own(class_list), right),
        Upload("Siobhán O'Brien", 1327628, "my homework (1).ipynb", right),
        Upload("小明 王", 1327629, own(class_list), right),
        Upload("Team A-Anna-Lena Müller" if old else "Anna-Lena Müller", 1327630, own(class_list), right),
    ]
    path = moodle(tmp_path / "all.zip", uploads, folders, old)
    if old:
        # The part before the hyphen may be a group's name, or a part of another student's: a person decides.
        (asked,) = (row for row in collect_submissions(class_list, path)[1] if row.problem)
        assert asked.what == NOT_IMPORTED and "may be lena with a group's name" in asked.remarks[0]
        worksheet = "Identifier,Full name,Email address\nParticipant 1327630,x,al@uni.example\n"
        (tmp_path / "w.csv").write_text(worksheet)
        import_roster(class_list, tmp_path / "w.csv")
        shutil.rmtree(class_list.root / "submitted")
    platform, found = collect_submissions(class_list, path)
    assert platform == "moodle" and {row.what for row in found} == {IMPORTED}
    assert [row.student for row in found] == ["jgarcia", "lena", "obrien", "wang"]
    for student in ("jgarcia", "obrien", "wang", "lena"):
        assert handed_in(class_list, student) == [own(class_list)] and content(class_list, student) == right
    (renamed,) = (row for row in found if row.student == "obrien")
    assert renamed.remarks == ("handed in as my homework (1).ipynb",)


@pytest.mark.parametrize("old", [False, True])
def test_canvas(class_list, tmp_path, right, old):
    uploads = [
        Upload("García López, José", 501, own(class_list), right, 9001, late=True),
        Upload("O'Brien, Siobhán", 502, "a:b?.ipynb", right, 9002),
        Upload("王, 小明", 503, own(class_list), right, 9003),
    ]
    platform, found = collect_submissions(class_list, canvas(tmp_path / "submissions.zip", uploads, old))
    assert platform == "canvas" and {row.what for row in found} == {IMPORTED}
    assert [row.student for row in found] == ["jgarcia", "obrien", "wang"]
    assert found[0].remarks == (LATE,)
    with class_list.gradebook() as gradebook:
        kept = gradebook.db.execute(text("SELECT student_id, number, late FROM gradebox_collected")).all()
    assert {tuple(row) for row in kept} == {("jgarcia", "501", 1), ("obrien", "502", 0), ("wang", "503", 0)}


def test_a_gradebook_of_an_earlier_version_keeps_its_records(class_list, tmp_path, right, released):
    """Its table of submissions has a column more."""
    first = canvas(tmp_path / "a.zip", [Upload("Byron, Ada", 504, "x.ipynb", released, 9001)])
    collect_submissions(class_list, first)
    with class_list.gradebook() as gradebook:
        gradebook.db.execute(text("ALTER TABLE gradebox_collected ADD COLUMN received DATETIME"))
        gradebook.db.execute(text("UPDATE gradebox_collected SET received = '2026-10-01 10:00:00'"))
    uploads = [Upload("Byron, Ada", 504, "x.ipynb", right, 9002), Upload("Lee, Bo", 9, "x.ipynb", right, 1)]
    found = by_student(class_list, canvas(tmp_path / "b.zip", uploads))
    assert (found["ada"].what, found["leebo"].what) == (REPLACED, IMPORTED)
    with class_list.gradebook() as gradebook:
        kept = gradebook.db.execute(text("SELECT path FROM gradebox_collected")).scalars().all()
    assert sorted(kept) == ["byronada_504_9002_x.ipynb", "leebo_9_1_x.ipynb"]


def test_a_number_of_canvass_goes_into_the_students_record(course, tmp_path, right):
    with course.gradebook() as gradebook:
        gradebook.update_or_create_student("ada", first_name="Ada", last_name="Byron")
    uploads = [Upload("Byron, Ada", 504, "x.ipynb", right, 1), Upload("New, Nora", 505, "x.ipynb", right, 2)]
    collect_submissions(course, canvas(tmp_path / "c.zip", uploads))
    with course.gradebook() as gradebook:
        found = {one.id: (one.first_name, one.lms_user_id) for one in gradebook.students}
    assert found == {"ada": ("Ada", "504"), "newnora": (None, "505")}


def test_gradescope_knows_when_and_with_whom(class_list, tmp_path, right):
    uploads = [
        Upload("José G.", 1, "x.ipynb", right),
        Upload("Ada", 2, "y.ipynb", right),
        Upload("Siobhán", 2, "y.ipynb", right),
    ]
    emails = {"José G.": "jg@uni.example", "Ada": "AB@uni.example", "Siobhán": "so@uni.example"}
    times = {1: datetime(2026, 11, 20, 14, 5, 1), 2: datetime(2026, 11, 21, 8, 0, 0)}
    platform, found = collect_submissions(
        class_list, gradescope(tmp_path / "export.zip", uploads, times, emails)
    )
    assert platform == "gradescope" and {row.student for row in found} == {"jgarcia", "ada", "obrien"}
    stamp = class_list.path("submitted", LESSON, "jgarcia") / "timestamp.txt"
    assert stamp.read_text() == "2026-11-20 14:05:01 UTC\n"
    assert content(class_list, "ada") == content(class_list, "obrien") == right


def test_folders_called_as_students_are(class_list, tmp_path, right):
    folder = tmp_path / "in"
    for name in ("ada/x.ipynb", f"José García López/{LESSON}/x.ipynb", "somebody new/a/b.ipynb"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(right)
    (folder / "ada" / "timestamp.txt").write_text("2026-11-20 10:00:00 UTC")
    (folder / "obrien.ipynb").write_text(right)
    (folder / "nobody.ipynb").write_text(right)
    (folder / ".DS_Store").write_text("x")
    found = by_student(class_list, folder)
    taken = {student for student, row in found.items() if row.what == IMPORTED}
    assert taken == {"ada", "jgarcia", "obrien", "somebody new"}
    assert found["ada"].received == datetime(2026, 11, 20, 10) and found["?"].what == NOT_IMPORTED
    assert "not in the gradebook until now" in found["somebody new"].remarks


def test_a_number_that_was_seen_once_tells_who_it_is_when_names_are_hidden(class_list, tmp_path, right):
    names = [("Ada Byron", 71), ("Siobhán O'Brien", 72)]
    collect_submissions(
        class_list, moodle(tmp_path / "a.zip", [Upload(name, n, "x.ipynb", right) for name, n in names])
    )
    for student in ("ada", "obrien"):
        shutil.rmtree(class_list.path("submitted", LESSON, student))
    blind = [Upload("Participant", n, "x.ipynb", right) for _, n in names]
    assert set(by_student(class_list, moodle(tmp_path / "b.zip", blind))) == {"ada", "obrien"}


WORKSHEET = (
    "Identifier,Full name,Email address,Status,Grade,Last modified (submission)\n"
    'Participant 71,A. B.,ab@uni.example,Submitted,,"Tuesday, 3 March 2026, 2:05 PM"\n'
    'Participant 72,S. O.,so@uni.example,Submitted,,"martes, 3 de marzo"\n'
    "Participant 73,N.,n@uni.example,No submission,,-\n"
)


def test_moodles_worksheet_says_when_and_whose(class_list, tmp_path, right):
    path = moodle(tmp_path / "a.zip", [Upload("Participant", n, "x.ipynb", right) for n in (71, 72)])
    (class_list.root / "w.csv").write_text(WORKSHEET)
    options = ["--worksheet", "w.csv", "--timezone", "Europe/Berlin"]
    run = gradebox(class_list, "collect", str(path), *options)
    assert run.returncode == 0 and "2 taken" in run.stdout, run.stdout + run.stderr
    stamp = class_list.path("submitted", LESSON, "ada") / "timestamp.txt"
    assert stamp.read_text() == "2026-03-03 13:05:00 UTC\n"
    assert handed_in(class_list, "obrien") == [own(class_list)]
    told = read_worksheet(class_list.root / "w.csv", "Europe/Berlin")
    row = by_student(class_list, path, worksheet=told)["obrien"]
    assert row.remarks == ("handed in as x.ipynb", "the submission time can't be parsed: martes, 3 de marzo")
    for wrong, said in (
        (["--timezone", "Mars"], "unknown time zone 'Mars'"),
        (["--worksheet", str(path)], "not a table"),
    ):
        run = gradebox(class_list, "collect", str(path), "--worksheet", "w.csv", *wrong)
        assert run.returncode == 2 and said in run.stderr and len(run.stderr.splitlines()) == 1


def test_another_file_in_moodle_does_not_make_a_notebook_late(class_list, tmp_path, right):
    """Moodle has one time for all files of a student."""
    path = moodle(tmp_path / "a.zip", [Upload("Participant", 71, "x.ipynb", right)])
    stamp = class_list.path("submitted", LESSON, "ada") / "timestamp.txt"
    for day in ("3 March", "13 March"):
        (class_list.root / "w.csv").write_text(WORKSHEET.replace("3 March", day))
        told = read_worksheet(class_list.root / "w.csv", "Europe/Berlin")
        by_student(class_list, path, worksheet=told)
        assert stamp.read_text() == "2026-03-03 13:05:00 UTC\n"
    stamp.write_text("2026-03-01 10:00:00 UTC\n")
    by_student(class_list, path, worksheet=told)
    assert stamp.read_text() == "2026-03-01 10:00:00 UTC\n"


def test_a_notebook_with_another_cell_has_the_time_of_its_upload(class_list, tmp_path, right):
    again = nbformat.reads(right, as_version=4)
    again.cells.append(nbformat.v4.new_markdown_cell("I have another idea."))
    for content, minute in ((right, 13), (nbformat.writes(again), 14)):
        path = moodle(tmp_path / "a.zip", [Upload("Participant", 71, "x.ipynb", content)])
        (class_list.root / "w.csv").write_text(WORKSHEET.replace("2:05 PM", f"{minute - 11}:05 PM"))
        told = read_worksheet(class_list.root / "w.csv", "Europe/Berlin")
        by_student(class_list, path, worksheet=told)
    folder = class_list.path("submitted", LESSON, "ada")
    assert any("I have another idea." in path.read_text() for path in folder.glob("*.ipynb"))
    assert (folder / "timestamp.txt").read_text() == "2026-03-03 14:05:00 UTC\n"


def test_the_worksheet_of_another_assignment_is_refused(class_list, tmp_path, right):
    path = moodle(tmp_path / "a.zip", [Upload("Ada Byron", 4711, "x.ipynb", right)])
    (class_list.root / "w.csv").write_text(WORKSHEET)
    said = gradebox(class_list, "collect", str(path), "--worksheet", "w.csv")
    assert said.returncode == 2 and "no submission in a.zip is in the worksheet: it belongs to" in said.stderr
    assert not class_list.path("submitted", LESSON, "ada").exists()


def test_files_without_a_time_are_counted_if_there_is_a_due_date(class_list, tmp_path, right):
    path = moodle(tmp_path / "a.zip", [Upload("Ada Byron", 1, "x.ipynb", right)])
    said = "1 submission has no time and can't be late. Moodle's worksheet has times"
    assert said not in gradebox(class_list, "collect", str(path)).stdout
    assert gradebox(class_list, "due", LESSON, "2026-03-01 12:00").returncode == 0
    handed_in_path = class_list.path("submitted", LESSON, "ada")
    shutil.rmtree(handed_in_path)
    assert said in gradebox(class_list, "collect", str(path)).stdout
    # Canvas has no worksheet; its late submissions are named.
    shutil.rmtree(handed_in_path)
    path = canvas(tmp_path / "b.zip", [Upload("Byron, Ada", 504, "x.ipynb", right, 9, late=True)])
    printed = gradebox(class_list, "collect", str(path)).stdout
    assert "Late, but without a time" in printed and "worksheet" not in printed and "no time" not in printed


def test_a_groups_number_is_nobodys(class_list, tmp_path, right):
    collect_submissions(class_list, moodle(tmp_path / "a.zip", [Upload("Ada Byron", 77, "x.ipynb", right)]))
    found = by_student(class_list, moodle(tmp_path / "b.zip", [Upload("Team A", 77, "x.ipynb", right)]))
    assert set(found) == {"Team A"} and "not in the gradebook until now" in found["Team A"].remarks


def test_two_students_of_one_name_are_not_mixed_up(class_list, tmp_path, right, released):
    with class_list.gradebook() as gradebook:
        gradebook.update_or_create_student("ada2", first_name="Ada", last_name="Byron")
    path = moodle(tmp_path / "a.zip", [Upload("Ada Byron", 1, "x.ipynb", right)])
    (row,) = collect_submissions(class_list, path)[1]
    assert row.what == NOT_IMPORTED and row.problem and "ada, ada2" in row.remarks[0]
    uploads = [Upload("Max Muster", 1, "x.ipynb", right), Upload("Max Muster", 2, "x.ipynb", released)]
    found = by_student(class_list, moodle(tmp_path / "b.zip", uploads))
    assert set(found) == {"Max Muster", "Max Muster 2"}
    assert content(class_list, "Max Muster") == right and content(class_list, "Max Muster 2") == released


# What is there already


def test_twice_changes_nothing_and_nothing_is_overwritten(class_list, tmp_path, right, released):
    path = moodle(tmp_path / "a.zip", [Upload("Ada Byron", 1, "x.ipynb", right)])
    assert by_student(class_list, path)["ada"].what == IMPORTED
    before = {p: p.stat().st_mtime_ns for p in (class_list.root / "submitted").rglob("*")}
    assert by_student(class_list, path)["ada"].what == UNCHANGED
    assert {p: p.stat().st_mtime_ns for p in (class_list.root / "submitted").rglob("*")} == before
    newer = moodle(tmp_path / "b.zip", [Upload("Ada Byron", 1, "x.ipynb", released)])
    row = by_student(class_list, newer)["ada"]
    assert row.what == EXISTING_KEPT and row.problem and content(class_list, "ada") == right
    assert "which is newer is not known: --force replaces it" in row.remarks[-1]
    stamp = class_list.path("submitted", LESSON, "ada") / "timestamp.txt"
    stamp.write_text("2026-11-20 10:00:00 UTC")
    assert by_student(class_list, newer, force=True)["ada"].what == REPLACED
    assert content(class_list, "ada") == released and not stamp.exists()
    (earlier,) = (class_list.root / REPLACED_FOLDER / "ada" / LESSON).iterdir()
    assert earlier.read_text() == right


def test_a_newer_file_of_the_platform_replaces_the_collected_one(class_list, tmp_path, right, released):
    first = canvas(tmp_path / "a.zip", [Upload("Byron, Ada", 504, "x.ipynb", released, 9001)])
    second = canvas(tmp_path / "b.zip", [Upload("Byron, Ada", 504, "x.ipynb", right, 9002)])
    assert by_student(class_list, first)["ada"].what == IMPORTED
    row = by_student(class_list, second)["ada"]
    assert row.what == REPLACED and not row.problem and content(class_list, "ada") == right
    (earlier,) = (class_list.root / REPLACED_FOLDER / "ada" / LESSON).iterdir()
    assert earlier.read_text() == released and earlier.name in row.remarks[-1]
    # The first download again, by mistake.
    for force in (False, True):
        row = by_student(class_list, first, force=force)["ada"]
        assert row.what == EXISTING_KEPT and not row.problem and content(class_list, "ada") == right
        assert "older than the file in submitted/, which stays" in row.remarks


def test_moodles_times_say_which_file_is_newer(class_list, tmp_path, right, released):
    path = moodle(tmp_path / "a.zip", [Upload("Ada Byron", 7, "x.ipynb", released)])
    assert by_student(class_list, path)["ada"].what == IMPORTED
    newer = moodle(tmp_path / "b.zip", [Upload("Ada Byron", 7, "x.ipynb", right)])
    # Later than the moment at which the first was collected, whose time is not known.
    later = datetime.now(UTC).replace(tzinfo=None) + timedelta(minutes=5)
    about = {"7": WorksheetRow("ada", "", later, "later")}
    assert by_student(class_list, newer, worksheet=about)["ada"].what == REPLACED
    about = {"7": WorksheetRow("ada", "", later - timedelta(days=1), "earlier")}
    row = by_student(class_list, path, worksheet=about)["ada"]
    assert row.what == EXISTING_KEPT and not row.problem and content(class_list, "ada") == right


def test_a_file_that_was_changed_by_hand_is_replaced_only_for_a_named_student(
    class_list, tmp_path, right, released
):
    first = [
        Upload("Byron, Ada", 504, "x.ipynb", right, 9001),
        Upload("Muster, Max", 505, "x.ipynb", right, 9002),
    ]
    by_student(class_list, canvas(tmp_path / "a.zip", first))
    (own_file,) = class_list.path("submitted", LESSON, "ada").glob("*.ipynb")
    own_file.write_text(right + "\n")
    again = [
        Upload("Byron, Ada", 504, "x.ipynb", released, 9003),
        Upload("Muster, Max", 505, "x.ipynb", released, 9004),
    ]
    path = canvas(tmp_path / "b.zip", again)
    for force in (False, True):
        row = by_student(class_list, path, force=force)["ada"]
        assert row.what == EXISTING_KEPT and row.problem and own_file.read_text() == right + "\n"
        assert "--force --student ada replaces it" in row.remarks[-1]
    (row,) = collect_submissions(class_list, path, force=True, students=["ada"])[1]
    assert (row.student, row.what) == ("ada", REPLACED) and own_file.read_text() == released


def test_of_several_the_newest_is_taken_and_said(class_list, tmp_path, right, released):
    uploads = [
        Upload("Byron, Ada", 504, "draft.ipynb", released, 9001),
        Upload("Byron, Ada", 504, "final.ipynb", right, 9002),
    ]
    row = by_student(class_list, canvas(tmp_path / "a.zip", uploads))["ada"]
    assert row.what == IMPORTED and "the newest of 2 versions; older: draft.ipynb" in row.remarks
    assert content(class_list, "ada") == right and handed_in(class_list, "ada") == [own(class_list)]


def test_two_that_nobody_can_tell_apart_are_both_kept_for_whoever_asks(class_list, tmp_path, right):
    draft = serialize_notebook(sample_solved(shares="over everything"))
    uploads = [Upload("Ada Byron", 1, "a.ipynb", right), Upload("Ada Byron", 1, "b.ipynb", draft)]
    path = moodle(tmp_path / "a.zip", uploads)
    found = rows(class_list, path)
    assert len(found) == 2 and all(row.problem and row.what == IMPORTED for row in found.values())
    assert handed_in(class_list, "ada") == ["a.ipynb", "b.ipynb"]
    run = gradebox(class_list, "autograde")
    (told,) = json.loads((class_list.root / "incidents.json").read_text())
    assert run.returncode == 1 and "leave the one that counts" in told["what"]


def test_a_copy_in_which_nothing_is_answered_is_left_out(class_list, tmp_path, right, released):
    uploads = [Upload("Ada Byron", 1, "a.ipynb", released), Upload("Ada Byron", 1, "b.ipynb.txt", right)]
    row = by_student(class_list, moodle(tmp_path / "a.zip", uploads))["ada"]
    assert row.what == IMPORTED and not row.problem and content(class_list, "ada") == right


def test_one_that_was_put_there_under_another_name_is_the_same_notebook(
    class_list, tmp_path, right, released
):
    folder = class_list.path("submitted", LESSON, "ada")
    folder.mkdir(parents=True)
    (folder / "mine.ipynb").write_text(right)
    path = moodle(tmp_path / "a.zip", [Upload("Ada Byron", 1, "x.ipynb", released)])
    assert by_student(class_list, path)["ada"].what == EXISTING_KEPT and handed_in(class_list, "ada") == [
        "mine.ipynb"
    ]


# What can't be taken


def test_text_typed_beside_notebooks_needs_no_attention_and_is_counted(class_list, tmp_path, right):
    names = "Ada Byron", "José García López"
    path = moodle(tmp_path / "a.zip", [Upload(name, n, "x.ipynb", right) for n, name in enumerate(names)])
    with zipfile.ZipFile(path, "a") as archive:
        for number, name in enumerate(names):
            place = f"{name}_{number}_assignsubmission_onlinetext/onlinetext.html"
            archive.writestr(place, "<p>Here is my notebook.</p>")
    run = gradebox(class_list, "collect", str(path))
    assert run.returncode == 0 and "attention" not in run.stdout
    lines = [line for line in run.stdout.splitlines() if "text" in line]
    assert lines == [
        "Not needed: 2 (such as text typed into a form, and HTML and PDF versions of notebooks)."
    ]
    assert handed_in(class_list, "ada") == [own(class_list)]


def test_what_is_no_notebook_names_the_student(class_list, tmp_path, right):
    uploads = [
        Upload("José García López", 1, "report.pdf", b"%PDF-1.7"),
        Upload("Siobhán O'Brien", 2, "all.zip", b"PK\x05\x06" + bytes(18)),
        Upload("小明 王", 3, "other.ipynb", serialize_notebook(nbformat.v4.new_notebook())),
        Upload("Anna-Lena Müller", 4, own(class_list), "{"),
        Upload("Ada Byron", 5, own(class_list), right),
    ]
    path = moodle(tmp_path / "a.zip", uploads)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("Max Muster_6_assignsubmission_onlinetext/onlinetext.html", "<p>https://…</p>")
        archive.writestr("stray.ipynb", right)
    found = by_student(class_list, path, platform="moodle")
    said = {student: row.remarks[0] for student, row in found.items() if row.remarks}
    assert "not a notebook" in said["jgarcia"] and "archive without a notebook" in said["obrien"]
    assert "not a notebook of a released lesson" in said["wang"] and "typed into a form" in said["Max Muster"]
    assert "does not identify the owner" in said["?"]
    # It was handed in, and whoever grades says what is wrong with it.
    assert found["lena"].what == IMPORTED and found["lena"].problem and "is cut off" in said["lena"]
    assert all(row.problem for student, row in found.items() if student != "ada")
    assert found["ada"].what == IMPORTED and not found["ada"].problem
    run = gradebox(class_list, "collect", str(path), "--from", "moodle")
    assert run.returncode == 1 and "Traceback" not in run.stderr and "files need attention" in run.stdout


@pytest.mark.parametrize("name", ["../../evil.ipynb", "/etc/evil.ipynb", "..\\evil.ipynb"])
def test_names_that_are_paths_lead_nowhere(class_list, tmp_path, right, name):
    before = {p for p in tmp_path.rglob("*") if "course" not in p.parts}
    path = write(tmp_path / "a.zip", {f"Ada Byron_1_assignsubmission_file_/{name}": right})
    write(tmp_path / "b.zip", {name: right})
    collect_submissions(class_list, path)
    collect_submissions(class_list, tmp_path / "b.zip")
    known = before | {path, tmp_path / "b.zip"}
    assert {p for p in tmp_path.rglob("*") if "course" not in p.parts} == known
    for file in (class_list.root / "submitted").rglob("*.ipynb"):
        assert file.relative_to(class_list.root / "submitted").parts[1] == LESSON


def test_a_students_folder_that_is_a_link_is_not_written_to(class_list, tmp_path, right):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (class_list.root / "submitted" / "ada").symlink_to(elsewhere)
    row = by_student(class_list, moodle(tmp_path / "a.zip", [Upload("Ada Byron", 1, "x.ipynb", right)]))[
        "ada"
    ]
    assert row.what == NOT_IMPORTED and row.problem and not list(elsewhere.iterdir())


def test_damaged_and_secret_archives_are_said_in_a_sentence(class_list, tmp_path, right):
    whole = moodle(tmp_path / "a.zip", [Upload("Ada Byron", 1, "x.ipynb", right)])
    raw = bytearray(whole.read_bytes())
    raw[200:260] = bytes(60)
    (tmp_path / "b.zip").write_bytes(raw)
    row = by_student(class_list, tmp_path / "b.zip")["ada"]
    assert row.what == NOT_IMPORTED and row.problem and "damaged" in row.remarks[0]
    for content in (b"", b"no archive", whole.read_bytes()[:-30]):
        (tmp_path / "c.zip").write_bytes(content)
        with pytest.raises(CourseError, match="not a zip archive"):
            collect_submissions(class_list, tmp_path / "c.zip")
    with pytest.raises(CourseError, match="does not exist"):
        collect_submissions(class_list, tmp_path / "missing.zip")
    with pytest.raises(CourseError, match="unknown platform 'blackboard'"):
        collect_submissions(class_list, whole, "blackboard")
    with pytest.raises(CourseError, match="has the format of canvas"):
        collect_submissions(class_list, whole, "canvas")


def test_a_list_of_gradescopes_that_is_none_is_refused(class_list, tmp_path):
    path = write(tmp_path / "a.zip", {"x/submission_metadata.yml": "a: [", "x/submission_1/x.ipynb": "{}"})
    with pytest.raises(CourseError, match="not a Gradescope list"):
        collect_submissions(class_list, path)


def test_a_name_that_no_folder_can_have_is_changed_to_one(course, tmp_path, right):
    found = by_student(course, moodle(tmp_path / "a.zip", [Upload("=Evil; *Name*", 1, "x.ipynb", right)]))
    (student,) = found
    assert found[student].what == IMPORTED and not set(student) & set("=;*")
    with course.gradebook() as gradebook:
        assert gradebook.db.query(Student.id).all() == [(student,)]


def test_only_the_exceptions_are_printed_and_all_files_are_in_a_table(class_list, tmp_path, right):
    uploads = [Upload(f"Student{n}, Sam", 600 + n, "x.ipynb", right, n + 1) for n in range(57)]
    uploads += [
        Upload("Byron, Ada", 504, "a very long name of a file, which is a report.pdf", b"%PDF", 99),
        Upload("García López, José", 501, "y.ipynb", right, 98, late=True),
    ]
    path = canvas(tmp_path / "submissions.zip", uploads)
    run = gradebox(class_list, "collect", str(path))
    assert run.returncode == 1 and not run.stderr, run.stdout + run.stderr
    lines = run.stdout.splitlines()
    assert max(map(len, lines[:-6])) <= 80 and len(lines) < 16, run.stdout
    assert "submissions.zip (from canvas): 58 taken, 1 not taken" in lines
    assert "New in the gradebook: student0sam, student10sam" in run.stdout and "and 52 more." in run.stdout
    assert "Late, but without a time" in run.stdout and "--received`: jgarcia." in run.stdout
    assert "1 file needs attention: see the table above." in lines
    assert "All files are listed in downloaded/collected.csv." in lines
    shown = "".join(line.replace("│", "").strip() for line in lines if "│" in line)
    assert "ada" in shown and "not a notebook" in shown and "student0" not in shown
    sheet = read_csv_table(class_list.root / "downloaded" / "collected.csv")
    assert len(sheet.rows) == 60 and sheet.headings[:3] == ["student", "assignment", "result"]
    (own,) = (row for row in sheet.rows if row[0] == "jgarcia")
    assert own[1:6] == [LESSON, IMPORTED, "", "y.ipynb", f"handed in as y.ipynb; {LATE}"]
    assert own[6] == "garcíalópezjosé_LATE_501_98_y.ipynb"


def test_the_time_of_a_late_submission_can_be_set(class_list, tmp_path, right):
    course = with_settings(class_list, 'c.Dates.timezone = "Europe/Berlin"', 'c.LatePolicy.per_day = "50%"')
    path = canvas(tmp_path / "c.zip", [Upload("Byron, Ada", 504, "x.ipynb", right, 1, late=True)])
    assert "Late, but without a time" in gradebox(course, "collect", str(path)).stdout
    assert gradebox(course, "due", LESSON, "2026-10-16 23:59").returncode == 0
    assert "late" not in gradebox(course, "autograde").stdout
    command = ["due", LESSON, "2026-10-17 09:00", "--received"]
    run = gradebox(course, *command)
    assert run.returncode == 2 and "--student ID" in run.stderr
    run = gradebox(course, *command, "--student", "obrien")
    assert run.returncode == 2 and f"submitted/obrien/{LESSON} does not exist" in run.stderr
    run = gradebox(course, *command, "--student", "ada")
    assert run.stdout == f"{LESSON}, ada: received Sat 17 Oct 2026, 09:00 Europe/Berlin = 07:00 UTC\n"
    stamp = course.path("submitted", LESSON, "ada") / "timestamp.txt"
    assert stamp.read_text() == "2026-10-17 07:00:00 UTC\n"
    assert "late −" in gradebox(course, "autograde").stdout
    # Collecting again keeps the time, and does not ask for it.
    assert "Late" not in gradebox(course, "collect", str(path)).stdout and stamp.is_file()
    assert gradebox(course, "due", LESSON, "--student", "ada", "--received", "--remove").returncode == 0
    assert not stamp.exists()


def test_a_file_that_comes_later_lies_beside_the_notebook_and_changes_no_time(class_list, tmp_path, right):
    course = class_list
    folder = course.path("submitted", LESSON, "ada")
    first = [Upload("Ada Byron", 1, "n.ipynb", right)]
    collect_submissions(course, moodle(tmp_path / "one.zip", first))
    (folder / "timestamp.txt").write_text("2026-10-01 10:00:00 UTC\n")
    more = [*first, Upload("Ada Byron", 1, "reasons.txt", "1.2: why not?")]
    _, rows = collect_submissions(course, moodle(tmp_path / "two.zip", more))
    assert {row.file.rpartition("/")[2]: row.what for row in rows} == {
        "n.ipynb": UNCHANGED,
        "reasons.txt": IMPORTED,
    }
    assert (folder / "reasons.txt").read_text() == "1.2: why not?"
    assert (folder / "timestamp.txt").read_text() == "2026-10-01 10:00:00 UTC\n"


def test_names_that_differ_only_in_how_letters_are_composed_are_two_files(tmp_path):
    for name in ("\u00e9.ipynb", "e\u0301.ipynb"):
        (tmp_path / name).write_text("{}")
    with download_archive.open_download(tmp_path) as entries:
        assert len({entry.path for entry in entries}) == 2


def test_a_submission_that_a_whole_download_lacks_is_named_and_stays(class_list, tmp_path, right):
    names = {"Ada Byron": 4, "José García López": 1, "Siobhán O'Brien": 2, "小明 王": 3}
    uploads = {name: Upload(name, number, own(class_list), right) for name, number in names.items()}

    def collect(*those: Upload, options: tuple[str, ...] = ()) -> str:
        run = gradebox(class_list, "collect", str(moodle(tmp_path / "all.zip", those)), *options)
        assert "Traceback" not in run.stderr
        return run.stdout

    assert "not in this download" not in collect(*uploads.values())
    ada, *others = uploads.values()
    said = collect(*others)
    line = "Collected before, but not in this download: ada. Submissions and grades stay."
    assert line in said and "3 as it was\n" in said
    assert content(class_list, "ada") == right
    listed = (class_list.root / "downloaded" / "collected.csv").read_text(encoding="utf-8-sig")
    assert f'"ada","{LESSON}","not in the download"' in listed
    # A few late submissions, one student's files, and another kind of file.
    assert "not in this download" not in collect(*others[:2])
    assert "not in this download" not in collect(*others, options=("--student", "jgarcia"))
    assert "not in this download" not in collect(*others, Upload("Ada Byron", 4, "scan.pdf", b"%PDF-1.7"))
    shutil.rmtree(class_list.path("submitted", LESSON, "ada"))
    assert "not in this download" not in collect(*others)
