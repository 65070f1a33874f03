"""`gradebox collect` takes all files of a submission, also in archives, and nobody else's."""

import io
import zipfile
from datetime import datetime
from pathlib import Path

import pytest
from downloads import Upload, canvas, gradescope, moodle
from helpers import LESSON, gradebox, sample_solved
from sqlalchemy import text

from gradebox.course import Course
from gradebox.lms.collect import collect_submissions
from gradebox.lms.collect_results import (
    EXISTING_KEPT,
    IMPORTED,
    LEFT_OUT,
    NOT_IMPORTED,
    UNCHANGED,
    CollectResult,
)
from gradebox.lms.files_beside_notebooks import is_export
from gradebox.notebook_exercises import serialize_notebook

RIGHT = serialize_notebook(sample_solved())
OTHER = serialize_notebook(sample_solved(shares="over everything"))
STEM = "shares"
NAME = f"{STEM}.ipynb"


def zipped(files: dict[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def collect(course: Course, path: Path, **options) -> dict[tuple[str, str], CollectResult]:
    """The result for each file, by student and the file's path without the platform's folders."""
    found = collect_submissions(course, path, **options)[1]
    return {(row.student, row.file.partition("_file/")[2] or row.file): row for row in found}


def files_of(course: Course, student: str) -> dict[str, str]:
    folder = course.path("submitted", LESSON, student)
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes().decode(errors="replace") for path in found}


IN_FOLDER = {
    "My hw/hw (1).ipynb": RIGHT,
    "My hw/data/x.csv": "1",
    "__MACOSX/My hw/._hw (1).ipynb": "x",
    "top.csv": "2",
}
MORE = zipped({"more.csv": "5"})
# Names in an archive that claim to be another student's.
FORGED = {
    "Dana_1_assignsubmission_file/hw1.ipynb": OTHER,
    "Dana_1_assignsubmission_file/my_code.py": "sq = 0",
    "submission_metadata.yml": "{}",
}
UPLOADS = [
    Upload("Dana", 1, "hw1.ipynb", RIGHT),
    Upload("Dana", 1, "my_code.py", "def sq(x): return x * x"),
    Upload("Eva", 2, NAME, RIGHT),
    Upload("Eva", 2, "drawing.png", "png"),
    Upload("Eva", 2, f"{STEM}.pdf", "pdf"),
    Upload("Eva", 2, f"{STEM}.ipynb - Colab.html", "html"),
    Upload("Eva", 2, "solution of 3.pdf", "a scan"),
    Upload("Sam", 3, NAME, RIGHT),
    Upload("Sam", 3, "values.csv", "3,4"),
    Upload("Sam", 3, "more.zip", MORE),
    Upload("Sam", 3, "settings.json", "{}"),
    Upload("Bob", 4, "hw1.zip", zipped(IN_FOLDER)),
    Upload("Tim", 5, "hw1.TGZ", b"\x1f\x8b"),
    Upload("Ria", 6, "hw1.rar", b"Rar!"),
    Upload("Uwe", 7, "hw1.zip", b"PK words"),
    Upload("Vic", 8, "hw1.zip", zipped({"hw1.pdf": "x"})),
    Upload("Wim", 9, "notes.txt", "only words"),
    Upload("Eve", 10, "hw1.zip", zipped(FORGED)),
    Upload("Mal", 11, "hw1.zip", zipped({NAME: OTHER, "../Dana/my_code.py": "sq = 0"})),
]


def test_everything_of_a_submission_is_taken(course, tmp_path):
    path = moodle(tmp_path / "all.zip", UPLOADS)
    rows = collect(course, path)
    unpacked = {NAME: RIGHT, "data/x.csv": "1", "top.csv": "2"}
    students = dict.fromkeys(one.student for one in UPLOADS)
    assert {student: files_of(course, student) for student in students} == {
        "Dana": {NAME: RIGHT, "my_code.py": "def sq(x): return x * x"},
        "Eva": {NAME: RIGHT, "drawing.png": "png", "solution of 3.pdf": "a scan"},
        "Sam": {
            NAME: RIGHT,
            "values.csv": "3,4",
            "more.zip": MORE.decode(errors="replace"),
            "settings.json": "{}",
        },
        "Bob": unpacked,
        "Eve": {NAME: OTHER, "my_code.py": "sq = 0", "submission_metadata.yml": "{}"},
        **dict.fromkeys(("Tim", "Ria", "Uwe", "Vic", "Wim", "Mal"), {}),
    }
    problems = {student: row.remarks[0] for (student, _), row in rows.items() if row.problem}
    not_opened = "is an archive that can't be opened here: ask for a .zip archive or the notebook itself"
    assert problems == {
        "Tim": not_opened,
        "Ria": not_opened,
        "Uwe": "can't be unpacked: the archive is damaged; ask for the notebook itself",
        "Vic": "is an archive without a notebook: ask for the notebook itself",
        "Wim": "is not a notebook",
        "Mal": "holds ../Dana/my_code.py, a path that leads out of the archive; ask for the notebook itself",
    }
    assert {row.what for row in rows.values() if row.problem} == {NOT_IMPORTED}
    left_out = {file for (_, file), row in rows.items() if row.what == LEFT_OUT}
    assert left_out == {f"{STEM}.pdf", f"{STEM}.ipynb - Colab.html"}
    # Again, nothing changes.
    assert {row.what for row in collect(course, path).values() if not row.problem} == {UNCHANGED, LEFT_OUT}
    run = gradebox(course, "collect", str(path))
    assert run.returncode == 1 and "6 files need attention" in run.stdout
    assert "Files beside notebooks: 10 as it was." in run.stdout and "Not needed: 2 " in run.stdout
    assert "drawing.png" not in run.stdout


def test_an_existing_file_is_kept_and_links_are_not_followed(course, tmp_path):
    collect(course, moodle(tmp_path / "a.zip", UPLOADS[:2]))
    folder = course.path("submitted", LESSON, "Dana")
    (folder / "data").symlink_to(tmp_path)
    (folder / "code").write_text("a file")
    again = [UPLOADS[0], Upload("Dana", 1, "my_code.py", "new"), Upload("Dana", 1, "data.csv", "1")]
    rows = collect(course, moodle(tmp_path / "b.zip", again))
    assert rows["Dana", "my_code.py"].what == EXISTING_KEPT and rows["Dana", "my_code.py"].problem
    assert rows["Dana", "data.csv"].what == IMPORTED
    inside = zipped({"hw1.ipynb": RIGHT, "data/x.csv": "1", "code/y.csv": "1"})
    rows = collect(course, moodle(tmp_path / "c.zip", [Upload("Dana", 1, "hw1.zip", inside)]))
    for name in ("data/x.csv", "code/y.csv"):
        row = rows["Dana", f"hw1.zip/{name}"]
        assert row.what == NOT_IMPORTED and "is not a folder: remove it first" in row.remarks[0]
    assert not (tmp_path / "x.csv").exists()
    # A new notebook is kept out, and so are the files that belong to it.
    newer = [Upload("Dana", 1, "hw1.ipynb", OTHER), Upload("Dana", 1, "newer.csv", "1")]
    rows = collect(course, moodle(tmp_path / "d.zip", newer))
    assert rows["Dana", "hw1.ipynb"].what == EXISTING_KEPT and not (folder / "newer.csv").exists()
    rows = collect(course, moodle(tmp_path / "d.zip", newer), force=True)
    assert rows["Dana", "newer.csv"].what == IMPORTED and files_of(course, "Dana")[NAME] == OTHER


def test_of_names_that_differ_in_case_only_the_first_is_stored(course, tmp_path):
    ada = tmp_path / "folders" / "ada"
    ada.mkdir(parents=True)
    for name, content in {NAME: RIGHT, "Data.csv": "1", "data.csv": "2", "e\u0301.txt": "3"}.items():
        (ada / name).write_text(content)
    (ada / "\u00e9.txt").write_text("4")
    collect(course, tmp_path / "folders")
    rows = collect_submissions(course, tmp_path / "folders", force=True)[1]
    refused = [row for row in rows if row.what == NOT_IMPORTED]
    assert len(refused) == 2 and all("are one name on macOS and Windows" in row.remarks[0] for row in refused)
    assert files_of(course, "ada").keys() == {NAME, "Data.csv", "e\u0301.txt"}


def test_other_platforms(course, tmp_path):
    """Canvas gives the newest of two files; a group's members get the same; folders keep their structure."""
    canvas(
        tmp_path / "canvas.zip",
        [
            Upload("Byron, Ada", 504, "hw1.zip", zipped({"hw1.ipynb": RIGHT, "x.csv": "old"}), 9001),
            Upload("Byron, Ada", 504, "x.csv", "new", 9002),
        ],
    )
    rows = collect(course, tmp_path / "canvas.zip", force=True)
    assert not any(row.problem for row in rows.values())
    (student,) = {student for student, _ in rows}
    assert files_of(course, student) == {NAME: RIGHT, "x.csv": "new"}
    with course.gradebook() as gradebook:
        (kept,) = gradebook.db.execute(text("SELECT path FROM gradebox_collected")).all()
    assert kept[0].endswith("_504_9001_hw1.zip")

    emails = {"Kim": "kim@uni.example", "Lou": "lou@uni.example"}
    files = {"work/a.ipynb": RIGHT, "work/lib/b.py": "b = 1", "c.csv": "3"}
    uploads = [Upload(name, 1, *one) for name in emails for one in files.items()]
    rows = collect(course, gradescope(tmp_path / "gs.zip", uploads, {1: datetime(2026, 11, 20)}, emails))
    assert not any(row.problem for row in rows.values())
    for student in {student for student, _ in rows}:
        found = files_of(course, student)
        assert found.pop("timestamp.txt") and found == {NAME: RIGHT, "lib/b.py": "b = 1", "c.csv": "3"}

    folder = tmp_path / "in"
    for name, content in {
        f"max/{LESSON}/a.ipynb": RIGHT,
        f"max/{LESSON}/img/p.png": "p",
        "ned/b.zip": "",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    (folder / "ned" / "b.zip").write_bytes(zipped({"b/b.ipynb": RIGHT, "b/p.png": "q"}))
    rows = collect(course, folder)
    assert files_of(course, "max") == {NAME: RIGHT, "img/p.png": "p"}
    assert files_of(course, "ned") == {NAME: RIGHT, "p.png": "q"}


def test_too_much_is_said_once(course, tmp_path, monkeypatch):
    monkeypatch.setattr("gradebox.lms.files_beside_notebooks.MAX_SUBMITTED_FILES", 3)
    files = [Upload("Dana", 1, f"{n}.csv", "1") for n in range(5)]
    rows = collect(course, moodle(tmp_path / "a.zip", [UPLOADS[0], *files]))
    assert [row.remarks[0] for row in rows.values() if row.problem] == [
        "the submission has more than 3 files: copy the needed ones by hand"
    ]
    assert files_of(course, "Dana") == {NAME: RIGHT}


@pytest.mark.parametrize(
    "name",
    [
        "hw1.html",
        "hw1.PDF",
        "hw1.ipynb.pdf",
        "hw1 (1).pdf",
        "hw1.ipynb - Colab.pdf",
        "hw1 - Jupyter Notebook.pdf",
    ],
)
def test_a_printed_notebook_is_an_export(name):
    assert is_export(name, "hw1.ipynb")


@pytest.mark.parametrize("name", ["hw1_scan.pdf", "hw1.png", "hw12.pdf", "answers.pdf", "hw1 scan.html"])
def test_another_file_is_no_export(name):
    assert not is_export(name, "hw1.ipynb")
