"""Grades leave the course in platforms' own files: after penalties, and never a 0 for want of a grade."""

import csv
import io
import shutil
import zipfile
from itertools import zip_longest
from pathlib import Path

import pytest
from downloads import Upload, canvas, moodle
from helpers import (
    LESSON,
    build_once,
    gradebox,
    hand_in,
    sample,
    sample_released,
    sample_solved,
    with_settings,
)
from nbgrader.api import Grade
from test_csv_table import FORMULAS, no_cell_runs

from gradebox.course import Course, CourseError
from gradebox.csv_table import read_csv_table
from gradebox.lms.collect import collect_submissions
from gradebox.lms.export_grades import PROVISIONAL_COMMENT, GradeExport
from gradebox.lms.match_students import StudentIndex
from gradebox.lms.roster import SAME, import_roster
from gradebox.notebook_exercises import serialize_notebook

CLASS = (
    "Student,ID,SIS User ID,SIS Login ID,Section\n"
    '"García López, José",501,u1,jose,A\n"O\'Brien, Siobhán",502,u2,siobhan,A\n'
    '"Unread, Ulla",503,u3,ulla,A\n"Missing, Mona",504,u4,mona,A\n"Broken, Bo",505,u5,bo,A\n'
)
NAMES = {
    "jose": ("José García López", 11),
    "siobhan": ("Siobhán O'Brien", 12),
    "ulla": ("Ulla Unread", 13),
    "bo": ("Bo Broken", 15),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Course:
    """A right submission, a late wrong one, one with an unread answer, a broken one, and none."""
    root = build_once("export", grade_class)
    return Course(shutil.copytree(root / "course", tmp_path_factory.mktemp("export") / "course"))


def grade_class(root: Path) -> None:
    course = Course(shutil.copytree(sample_released(), root / "course"))
    (course.root / "days.py").write_text(
        "from nbgrader.plugins import BasePlugin\n\nclass Half(BasePlugin):\n"
        "    def late_submission_penalty(self, student_id, score, total_seconds_late):\n        return 0.5\n"
    )
    course = with_settings(
        course,
        "import sys",
        f"sys.path.insert(0, {str(course.root)!r})",
        'c.AssignLatePenalties.plugin_class = "days.Half"',
    )
    (root / "class.csv").write_text(CLASS)
    import_roster(course, root / "class.csv")
    right, wrong = sample_solved(), sample_solved(weights="divided by d")
    uploads = [
        Upload(NAMES[student][0], NAMES[student][1], "x.ipynb", serialize_notebook(nb) if nb else "{")
        for student, nb in (("jose", right), ("siobhan", wrong), ("ulla", right), ("bo", None))
    ]
    collect_submissions(course, moodle(root / "moodle.zip", uploads))
    (course.path("submitted", LESSON, "siobhan") / "timestamp.txt").write_text("2026-11-13 12:00:00 UTC")
    with course.gradebook() as gradebook:
        gradebook.update_or_create_assignment(LESSON, duedate="2026-11-12 12:00:00")
    assert gradebox(course, "autograde").returncode == 1
    with course.gradebook() as gradebook:
        for grade in gradebook.db.query(Grade):
            if grade.needs_manual_grade and grade.student.id != "ulla":
                grade.manual_score, grade.needs_manual_grade = 1.0, False
    assert gradebox(course, "autograde").returncode == 1
    assert gradebox(course, "feedback").returncode == 0


@pytest.fixture(scope="module")
def possible(graded) -> float:
    return sum(cell.points for cell in graded.graded_cells(LESSON))


@pytest.fixture(scope="module")
def grades(graded) -> dict[str, str]:
    """The grades that may leave the course, as nbgrader's gradebook has them."""
    with graded.gradebook() as gradebook:
        found = {s: gradebook.find_submission(LESSON, s) for s in ("jose", "siobhan")}
        assert found["siobhan"].late_submission_penalty == 0.5
        points = {s: one.score - (one.late_submission_penalty or 0) for s, one in found.items()}
    assert 0 < points["siobhan"] < points["jose"]
    return {student: f"{score:g}" for student, score in points.items()}


def exported(course: Course, to: str, text: str = "", name: str = "file.csv", **options):
    """What an export writes, and what it says."""
    into = None
    if text:
        into = course.root.parent / name
        into.write_text(text, encoding="utf-8", newline="")
    export = GradeExport(course, course.select_assignments(None), **options)
    export.write(to, into)
    return export


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))


# Canvas

HEAD = "Student,ID,SIS User ID,SIS Login ID,Section,Other (1),Shares: 01_shares (77),Current Score\r\n"
LINES = (
    "    Points Possible,,,,,10,{points},(read only)\r\n"
    '"García López, José",501,u1,jose,A and B,7,,\r\n'
    '"O\'Brien, Siobhán",502,u2,siobhan,A,,3.00,\r\n'
    '"Unread, Ulla",503,u3,ulla,A,,2.50,\r\n'
    '"Missing, Mona",504,u4,mona,A,,,\r\n'
    '"Broken, Bo",505,u5,bo,A,,EX,\r\n'
    '"Stranger, Stan",506,u6,stan,A,,,\r\n'
    '"Student, Test",507,,,A,,,\r\n'
)


def test_canvass_gradebook_is_filled_and_nobody_loses_a_grade(graded, grades, possible):
    before = HEAD + LINES.format(points=f"{possible:g}")
    written = exported(graded, "canvas", before)
    after = written.files[0].read_text(encoding="utf-8")
    # A lesson has one table of a platform, under any name that the download has.
    assert written.files[0] == graded.root / "exports" / "canvas" / f"{LESSON}.csv"
    column = "Shares: 01_shares (77)"
    found = {row["SIS Login ID"]: row[column] for row in table(written.files[0])}
    assert {s: found[s] for s in grades} == grades
    # An empty cell would take a grade away, and 0 would be one: what is there stays.
    assert (found["ulla"], found["mona"], found["bo"], found["stan"]) == ("2.50", "", "EX", "")
    lines = [list(csv.reader(text.splitlines())) for text in (before, after)]
    changed = [(old, new) for old, new in zip(*lines, strict=True) if old != new]
    assert [new[3] for _, new in changed] == ["jose", "siobhan"]
    assert written.counts[LESSON] == {
        "graded": 2,
        "to be read": 1,
        "not graded": 1,
        "not handed in": 1,
    }
    assert [one for one in written.remarks if "Stranger, Stan" in one and "Test" not in one]


def test_another_maximum_is_refused_or_converted_on_request(graded, grades, possible):
    text = HEAD + LINES.format(points="100")
    refusal = (
        f"has {possible:g} points, but its maximum in Canvas is 100: convert the points with --scale, or"
    )
    path = graded.root / "exports" / "canvas" / f"{LESSON}.csv"
    before = path.read_bytes()
    with pytest.raises(CourseError, match=refusal):
        exported(graded, "canvas", text)
    assert path.read_bytes() == before
    written = exported(graded, "canvas", text, scale=True)
    assert f"{LESSON}: {possible:g} points are converted to 100" in written.remarks
    found = {row["SIS Login ID"]: row["Shares: 01_shares (77)"] for row in table(written.files[0])}
    for student, grade in grades.items():
        assert float(found[student]) == pytest.approx(float(grade) * 100 / possible, abs=0.005)


def test_an_assignment_of_no_points_in_canvas_is_extra_credit(graded, grades):
    written = exported(graded, "canvas", HEAD + LINES.format(points="0"), scale=True)
    found = {row["SIS Login ID"]: row["Shares: 01_shares (77)"] for row in table(written.files[0])}
    assert {student: found[student] for student in grades} == grades


def test_columns_that_are_called_something_else_are_named(graded, grades, possible):
    text = (HEAD + LINES.format(points=f"{possible:g}")).replace("Shares: 01_shares", "Homework")
    with pytest.raises(CourseError, match='no column for 01_shares.*"01_shares=…", one of: Other, Homework'):
        exported(graded, "canvas", text)
    written = exported(graded, "canvas", text, columns={LESSON: "Homework (77)"})
    assert {row["Homework (77)"] for row in table(written.files[0])} > set(grades.values())


def test_canvas_imports_what_is_written_without_its_file(graded, grades):
    (path,) = exported(graded, "canvas").files
    rows = table(path)
    assert list(rows[0]) == ["Student", "ID", "SIS Login ID", "Section", LESSON]
    assert {row["ID"]: row[LESSON] for row in rows} == {"501": grades["jose"], "502": grades["siobhan"]}


OTHERS = '"O\'Brien, Siobhán",502,u2,siobhan,A,,,\r\n'
# Rows of Canvas that look like José's, whose login is jose and whose number is 501; True for a grade.
ROWS_OF_JOSE: dict[str, list[tuple[str, bool]]] = {
    "other number before his own": [
        ('"García López, José",999,,evil,A', False),
        ('"García López, José",501,u1,jose,A', True),
    ],
    "other number": [('"García López, José",999,,,A', False)],
    "other login": [('"García López, José",,,evil,A', False)],
    "other number and his login": [('"García López, José",999,,jose,A', False)],
    "number of another name": [('"Evil, Eve",501,,,A', True), ('"García López, José",,,,A', False)],
    "login": [('"Evil, Eve",,,,A', False), ('"Evil, Eve",,,JOSE,A', True)],
    "name": [('"García López, José",,,,A', True)],
    "name twice": [('"García López, José",,,,A', False), ('"José García López",,,,A', False)],
    "no accents": [('"Garcia Lopez, Jose",,,,A', True)],
    "no accents and an evil one with accents": [
        ('"Garcia Lopez, Jose",,,,A', False),
        ('"García López, José",999,,,A', False),
    ],
    "no accents and accents": [('"Garcia Lopez, Jose",,,,A', False), ('"García López, José",,,,A', True)],
    "id as a name": [("jose,,,,A", False)],
}


@pytest.mark.parametrize("rows", ROWS_OF_JOSE.values(), ids=ROWS_OF_JOSE)
def test_a_row_by_name_never_contradicts_a_number_or_login(graded, grades, rows):
    text = HEAD + "".join(f"{row},,,\r\n" for row, _ in rows) + OTHERS
    written = exported(graded, "canvas", text)
    *own, other = [row["Shares: 01_shares (77)"] for row in table(written.files[0])]
    assert own == [grades["jose"] if granted else "" for _, granted in rows] and other == grades["siobhan"]
    remarks = "\n".join(written.remarks)
    assert all(granted for _, granted in rows) or "rows without a grade" in remarks or "not in the" in remarks
    assert ("matched by the name without accents: Garcia" in remarks) == (
        rows[0][0][1:7] == "Garcia" and rows[0][1]
    )


# Moodle

WORKSHEET = (
    "Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\r\n"
    'Participant 11,José García López,j@x,Submitted,,"{points}",Yes,"Tuesday, 3 March 2026, 2:05 PM",-,\r\n'
    'Participant 12,Siobhán O\'Brien,s@x,Late,"1,00","{points}",Yes,-,"Tuesday, 3 March 2026",Well done\r\n'
    'Participant 13,Ulla Unread,u@x,Submitted,,"{points}",No,-,-,\r\n'
    'Participante14,Mona Missing,m@x,No submission,,"{points}",Yes,-,-,\r\n'
)


def test_moodles_worksheet_is_filled(graded, grades, possible):
    text = WORKSHEET.format(points=f"{possible:.2f}".replace(".", ","))
    written = exported(graded, "moodle", text)
    rows = {row["Identifier"]: row for row in table(written.files[0])}
    comma = {student: grade.replace(".", ",") for student, grade in grades.items()}
    assert rows["Participant 11"]["Grade"] == comma["jose"]
    assert rows["Participant 12"]["Grade"] == comma["siobhan"] and "," in comma["siobhan"]
    assert rows["Participant 13"]["Grade"] == rows["Participante14"]["Grade"] == ""
    assert rows["Participant 12"]["Feedback comments"] == "Well done"
    assert rows["Participant 12"]["Last modified (grade)"] == "Tuesday, 3 March 2026"
    assert any("locked there" in one and "ulla" in one for one in written.remarks)
    assert any("in no table: bo" in one for one in written.remarks)


def test_a_worksheet_that_is_none_is_refused(graded):
    for to, said in (
        ("moodle", "not a Moodle grading worksheet"),
        ("canvas", "not Canvas's gradebook"),
    ):
        with pytest.raises(CourseError, match=said):
            exported(graded, to, "a,b\r\n1,2\r\n")
    with pytest.raises(CourseError, match="has no student of the gradebook"):
        exported(graded, "moodle", "Identifier,Grade\r\nParticipant 99,\r\n")
    with pytest.raises(CourseError, match="unknown platform 'blackboard'"):
        exported(graded, "blackboard")
    with pytest.raises(CourseError, match="can't be filled"):
        exported(graded, "csv", "a,b\r\n1,2\r\n")


def test_moodle_imports_what_is_written_without_a_worksheet(graded, grades):
    (path,) = exported(graded, "moodle").files
    assert {row["ID number"]: row[LESSON] for row in table(path)} == grades


# For everybody


def test_the_plain_table_has_everybody_and_no_0_for_want_of_a_grade(graded, grades):
    written = exported(graded, "csv")
    (path,) = written.files
    rows = {row["student_id"]: row for row in table(path)}
    assert set(rows) == {"jose", "siobhan", "ulla", "mona", "bo"}
    assert {s: row[LESSON] for s, row in rows.items()} == {**dict.fromkeys(rows, ""), **grades}
    assert {s: row[f"{LESSON} state"] for s, row in rows.items()} == {
        **{"jose": "graded", "siobhan": "graded, late, −0.5", "ulla": "1 unread"},
        **{"mona": "not handed in", "bo": "not graded"},
    }
    assert rows["mona"]["total"] == "" and rows["mona"]["without a grade"] == "1"


def test_what_was_handed_in_again_has_no_grade_until_it_is_graded(course, tmp_path):
    path = hand_in(course, LESSON, "ann", sample_solved())
    assert gradebox(course, "autograde").returncode == 0
    with course.gradebook() as gradebook:
        for grade in gradebook.db.query(Grade):
            grade.manual_score, grade.needs_manual_grade = grade.auto_score or 0, False
    states = GradeExport(course, [LESSON]).standings(LESSON)
    assert states["ann"].state == "graded"
    path.write_text(serialize_notebook(sample("release")))
    assert GradeExport(course, [LESSON]).standings(LESSON)["ann"].state == "to be graded again"


# Pages


def test_pages_go_back_to_moodle_under_its_numbers(graded):
    run = gradebox(graded, "export", "--to", "moodle", "--feedback")
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"{LESSON}: 2 pages in moodle/{LESSON}-feedback.zip" in run.stdout and "1 to be read" in run.stdout
    (name,) = graded.notebooks(LESSON)
    with zipfile.ZipFile(graded.root / "exports" / "moodle" / f"{LESSON}-feedback.zip") as archive:
        assert sorted(archive.namelist()) == [
            f"José García López_11_assignfeedback_file_{name}.html",
            f"Siobhán O'Brien_12_assignfeedback_file_{name}.html",
        ]
        page = archive.read(archive.namelist()[0])
    assert page == (graded.path("feedback", LESSON, "jose") / f"{name}.html").read_bytes()


def test_provisional_grades_are_the_points_so_far_and_marked(graded, grades, possible):
    with graded.gradebook() as gradebook:
        ulla = gradebook.find_submission(LESSON, "ulla")
        points = f"{ulla.score:g}"
    assert 0 < float(points) < possible
    written = exported(graded, "csv", provisional=True)
    rows = {row["student_id"]: row for row in table(written.files[0])}
    assert rows["ulla"][LESSON] == rows["ulla"]["total"] == points
    assert rows["ulla"][f"{LESSON} state"] == "provisional, 1 unread"
    assert {s: rows[s][LESSON] for s in grades} == grades and rows["bo"][LESSON] == ""
    assert [one for one in written.remarks if "1 grade is provisional" in one]
    # A comment of somebody stays, and the comment of the export goes with the final grade.
    text = WORKSHEET.format(points=f"{possible:g}").replace("Yes,-,-,", "Yes,-,-,Hello")
    text = text.replace(",No,-,-,", ",Yes,-,-,")
    (path,) = exported(graded, "moodle", text, provisional=True).files
    rows = {row["Identifier"]: row for row in table(path)}
    assert rows["Participant 13"]["Grade"] == points
    comment = rows["Participant 13"]["Feedback comments"]
    assert comment == PROVISIONAL_COMMENT and rows["Participant 11"]["Feedback comments"] == ""
    text = WORKSHEET.format(points=f"{possible:g}").replace('PM",-,', f'PM",-,{PROVISIONAL_COMMENT}')
    (path,) = exported(graded, "moodle", text).files
    rows = {row["Identifier"]: row["Feedback comments"] for row in table(path)}
    assert rows["Participant 12"] == "Well done" and PROVISIONAL_COMMENT not in rows.values()
    run = gradebox(graded, "export", "--to", "moodle", "--provisional", "--feedback")
    assert f"{LESSON}: 3 pages in" in run.stdout, run.stdout


def test_points_that_wait_for_a_person_are_not_in_a_provisional_grade(course):
    hand_in(course, LESSON, "ann", sample_solved())
    assert gradebox(course, "autograde").returncode == 0
    before = GradeExport(course, [LESSON]).standings(LESSON)["ann"].points
    with course.gradebook() as gradebook:
        # Points for an answer that has changed since.
        for grade in gradebook.db.query(Grade).filter(Grade.needs_manual_grade):
            grade.manual_score = 1.0
    assert GradeExport(course, [LESSON]).standings(LESSON)["ann"].points == before


def test_pages_go_back_to_canvas_under_its_numbers(course, tmp_path):
    text = serialize_notebook(sample_solved())
    uploads = [Upload("García, José", 501, "my x (1).ipynb", text, 9001, late=True)]
    collect_submissions(course, canvas(tmp_path / "c.zip", uploads))
    assert gradebox(course, "autograde").returncode == 0
    with course.gradebook() as gradebook:
        assert [one.number for one in StudentIndex(gradebook).students.values()] == ["501"]
        for grade in gradebook.db.query(Grade):
            grade.manual_score, grade.needs_manual_grade = grade.auto_score or 0, False
    export = GradeExport(course, [LESSON])
    export.write("canvas", None, None, feedback=True)
    assert any("have no page" in one for one in export.remarks)
    assert gradebox(course, "feedback").returncode == 0
    export.write("canvas", None, None, feedback=True)
    (name,) = course.notebooks(LESSON)
    with zipfile.ZipFile(export.files[-1]) as archive:
        (only,) = archive.namelist()
    assert only == f"garcíajosé_LATE_501_9001_{name}.html"
    # What Canvas looks for: the first two numbers.
    parts = [part for part in only.split("_") if part != "LATE"]
    assert [part for part in parts if part.isdigit()][:2] == ["501", "9001"]


def test_a_filled_table_is_read_as_it_was_written(graded):
    path = graded.root.parent / "t.csv"
    path.write_text('a;"b, c"\n"x\ny";1\n', encoding="cp1252")
    sheet = read_csv_table(path)
    assert sheet.delimiter == ";" and sheet.rows == [["a", "b, c"], ["x\ny", "1"]]


# Names that a spreadsheet would run


@pytest.fixture(scope="module")
def renamed(tmp_path_factory) -> Course:
    """The graded course, with a student without a grade for each formula."""
    root = build_once("export", grade_class)
    course = Course(shutil.copytree(root / "course", tmp_path_factory.mktemp("renamed") / "course"))
    with course.gradebook() as gradebook:
        for number, text in enumerate(FORMULAS):
            gradebook.add_student(f"s{number}", first_name=text, last_name="Lee", email=text)
    return course


HEADS = {
    "canvas": ["Student", "ID", "SIS Login ID", "Section", "01_shares (77)"],
    "moodle": ["Identifier", "Full name", "Email address", "Maximum grade", "Grade"],
}
ROWS = {"canvas": ["{0}", "501", "{0}", "{0}", ""], "moodle": ["Participant 11", "{0}", "{0}", "", ""]}


def test_no_table_runs_a_name_and_platforms_still_find_the_student(renamed, grades):
    (path,) = exported(renamed, "csv").files
    assert no_cell_runs(path.read_text(encoding="utf-8-sig"))
    assert {row["student_id"] for row in table(path)} >= {f"s{n}" for n in range(len(FORMULAS))}
    # A platform's own file.
    for to, head in HEADS.items():
        text = io.StringIO(newline="")
        rows = [[cell.format(text) for cell in ROWS[to]] for text in FORMULAS]
        csv.writer(text).writerows([head, *rows])
        written = exported(renamed, to, text.getvalue())
        assert no_cell_runs(written.files[0].read_text(encoding="utf-8"))
        assert any("has an apostrophe in front: =1+1, " in one for one in written.remarks)
        assert table(written.files[0])[0][head[-1]] == grades["jose"]
        assert [row.get("ID", row.get("Identifier")) for row in table(written.files[0])] == [
            "501" if to == "canvas" else "Participant 11"
        ] * len(FORMULAS)
    # Tables for a platform to import, with everybody who has a grade.
    for one, other in zip_longest(FORMULAS[::2], FORMULAS[1::2], fillvalue="Ann"):
        with renamed.gradebook() as gradebook:
            gradebook.update_or_create_student("jose", first_name=one, last_name=one, email=one)
            gradebook.update_or_create_student("siobhan", first_name=other, last_name=other, email=other)
        for to, heading in (("canvas", "SIS Login ID"), ("moodle", "ID number")):
            (path,) = exported(renamed, to).files
            assert no_cell_runs(path.read_text(encoding="utf-8")), (to, one, other)
            assert {row[heading]: row[LESSON] for row in table(path)} == grades


def test_an_exported_table_is_the_same_class_for_roster(renamed):
    rows = [["student_id", "first name", "last name", "email"]]
    rows += [[f"s{n}", text, f"O'Brien {text}", f"{n}{text}"] for n, text in enumerate(FORMULAS)]
    with (renamed.root / "class.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    import_roster(renamed, renamed.root / "class.csv")
    (path,) = exported(renamed, "csv").files
    assert "'=1+1" in path.read_text(encoding="utf-8-sig")
    changed = [row.student for row in import_roster(renamed, path) if row.what != SAME]
    # A backslash before a quotation mark has a blank after it, for Moodle.
    assert [student for student in changed if student[1:].isdigit()] == [f"s{len(FORMULAS) - 1}"]
