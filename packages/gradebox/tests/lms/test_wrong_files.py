"""A file in the place of another one is refused with a sentence that says what it is, and nothing changes."""

import shutil
from pathlib import Path

import pytest
from downloads import Upload, canvas, moodle, write
from helpers import LESSON, gradebox, sample_solved

from gradebox.course import Course
from gradebox.lms.roster import import_roster
from gradebox.notebook_exercises import serialize_notebook

CANVAS = "Student,ID,SIS User ID,SIS Login ID,Section,01_shares (77)\n"
CLASS = f'{CANVAS}"Lee, Ann",501,u1,ann,A,\n"Ray, Bob",502,u2,bob,A,\n'
WORKSHEET = (
    "Identifier,Full name,Status,Grade,Maximum grade,Grade can be changed,Last modified (submission)\n"
    'Participant 11,Ann Lee,Submitted,,10,Yes,"Tuesday, 3 March 2026, 2:05 PM"\n'
)
EXCEL = {"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>"}
OPEN_DOCUMENT = {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<x/>"}
NUMBERS = {"Index/Document.iwa": b"\0", "preview.jpg": b"\xff"}
NOT_A_DOWNLOAD = "not a download: name the zip archive or the folder with the submissions"
# The arguments of a command, and its message.
WRONG = {
    "grade L other.zip": f"other.zip contains no notebook of {LESSON}, but 2 of hw: name the right download",
    "collect other.zip --assignment L": f"contains no notebook of {LESSON}, but 2 of hw: name the right",
    "grade L pages.zip": "pages.zip contains no notebooks: name a download of submissions",
    "collect pages.zip": "pages.zip contains no notebooks: name a download of submissions",
    "grade L Grades.csv": f"Grades.csv is a table, {NOT_A_DOWNLOAD}",
    "collect class.csv": f"class.csv is a table, {NOT_A_DOWNLOAD}",
    "collect Grades.xlsx": f"Grades.xlsx is an Excel workbook, {NOT_A_DOWNLOAD}",
    "collect half.zip": "half.zip is not a zip archive, or incomplete: download it again",
    "grade L all.zip --worksheet all.zip": "all.zip is a zip archive, not a table: a class list, a worksheet",
    "grade L Grades.csv --worksheet all.zip": "all.zip is a zip archive, not a table: a class list, a work",
    "collect all.zip --worksheet all.zip": "all.zip is a zip archive, not a table: a class list, a worksheet",
    "grade L all.zip --worksheet class.csv": "class.csv is Canvas's gradebook, not Moodle's worksheet",
    "collect all.zip --worksheet class.csv": "class.csv is Canvas's gradebook, not Moodle's worksheet",
    "grade L all.zip --into Grades.csv": "Grades.csv is not Canvas's gradebook, which has the columns",
    "grade L all.zip --into Grades.xlsx": "Grades.xlsx is an Excel workbook: save it there as CSV",
    "roster Grades.xlsx": "Grades.xlsx is an Excel workbook: save it there as CSV",
    "roster list.ods": "list.ods is an OpenDocument workbook: save it there as CSV",
    "roster list.numbers": "list.numbers is a Numbers workbook: save it there as CSV",
    "roster all.zip": "all.zip is a zip archive, not a table: a class list, a worksheet or a gradebook",
    "collect all.zip --worksheet Grades.xlsx": "Grades.xlsx is an Excel workbook: save it there as CSV",
    "roster list.pdf": "list.pdf is not a table in CSV format with a row of headings: export it as CSV",
}


@pytest.fixture(scope="module")
def two_lessons(class_room: Course, small_released: Path, tmp_path_factory) -> Course:
    """A course with two lessons and a class list, and files that people confuse."""
    root = tmp_path_factory.mktemp("files") / "course"
    course = Course(shutil.copytree(class_room.root, root))
    for step in ("source", "release"):
        shutil.copytree(small_released / step / "hw", root / step / "hw")
    files = root.parent
    (files / "class.csv").write_text(CLASS)
    (files / "Grades.csv").write_text(WORKSHEET)
    (files / "list.pdf").write_bytes(b"%PDF-1.4\n\0")
    import_roster(course, files / "class.csv")
    right, other = serialize_notebook(sample_solved()), (root / "release/hw/hw.ipynb").read_text()
    moodle(files / "all.zip", [Upload("Ann Lee", 11, "x.ipynb", right)])
    (files / "half.zip").write_bytes((files / "all.zip").read_bytes()[:500])
    uploads = [Upload("Lee, Ann", 501, "x.ipynb", other, 1), Upload("Ray, Bob", 502, "y.ipynb", other, 2)]
    canvas(files / "other.zip", uploads)
    write(files / "pages.zip", {"Ann Lee_11_assignfeedback_file_shares.html": "<p>", "notes.txt": ""})
    for name, parts in {"Grades.xlsx": EXCEL, "list.ods": OPEN_DOCUMENT, "list.numbers": NUMBERS}.items():
        write(files / name, parts)
    return course


@pytest.mark.parametrize(("command", "said"), WRONG.items(), ids=WRONG)
def test_a_wrong_file_is_named_in_a_sentence(two_lessons, command, said):
    files = two_lessons.root.parent
    arguments = [LESSON if one == "L" else str(files / one) if "." in one else one for one in command.split()]
    run = gradebox(two_lessons, *arguments)
    assert run.returncode == 2 and len(run.stderr.splitlines()) == 1, run
    assert said in run.stderr.replace(f"{files}/", "")
    assert two_lessons.roster == ["ann", "bob"] and not list((two_lessons.root / "submitted").iterdir())


def test_a_file_of_another_assignment_is_named_among_others(two_lessons, tmp_path):
    course = Course(shutil.copytree(two_lessons.root, tmp_path / "course"))
    other = (course.root / "release/hw/hw.ipynb").read_text()
    uploads = [
        Upload("Lee, Ann", 501, "x.ipynb", serialize_notebook(sample_solved()), 1),
        Upload("Ray, Bob", 502, "y.ipynb", other, 2),
    ]
    run = gradebox(course, "collect", str(canvas(tmp_path / "c.zip", uploads)), "--assignment", LESSON)
    assert run.returncode == 1 and "1 taken, 1 not taken" in run.stdout
    assert f"is a notebook of hw, not of {LESSON}" in " ".join(run.stdout.replace("│", " ").split())
