"""Who asks to be forgotten is nowhere in the course any more, and nobody else has lost anything."""

import bz2
import contextlib
import csv
import gzip
import io
import json
import lzma
import os
import shutil
import sqlite3
import subprocess
import sys
import unicodedata
import zipfile
from pathlib import Path

import pytest
from helpers import gradebox, solves, with_settings
from nbgrader.utils import notebook_hash
from sqlalchemy import Column, MetaData, String, Table, insert, select

from gradebox.course import Course, CourseError
from gradebox.erasure.erase_student import check_student_exists, forget_student
from gradebox.erasure.redact_tables import RedactionError, redact_content, redact_csv, redact_json
from gradebox.erasure.search_files import UnsearchableError, find_mentions
from gradebox.erasure.student_identity import StudentIdentity, build_name_variants
from gradebox.lms.match_students import StudentIndex
from gradebox.manual_grading.points_and_comments import claim_answer, save_reader
from gradebox.manual_grading.rubric import save_applied
from gradebox.reports.regrade_requests import RegradeRequest, save_regrade_reply

# None of these is part of another, of a student's or of the course's.
WHO, FIRST, LAST, MAIL = "quetzal7", "Xiomára", "Zhukovska", "xz@quetzal.example"
# The numbers on Canvas and on Moodle.
NUMBERS = ["99887766", "88776655"]
OTHERS = ["ben", "zoe"]
NAMES = [name.encode() for name in (WHO, FIRST, LAST, MAIL, *NUMBERS)]
RIGHT = "def double(x):\n    return 2 * x"
NOTES = Table("gradebox_note", MetaData(), Column("student_id", String(128)), Column("note", String(64)))


def table(*lines: str) -> str:
    return "".join(f"{line}\r\n" for line in lines)


# Every row but two is of the student who is forgotten.
KEPT = ["name,mail,note", "Xiomára Zhukovskaya,x@zhukovskaya.example,3", 'Zoe  Stone,,"says ""no"""']
NOTES_TABLE = table(
    *KEPT[:2],
    *("XIOMÁRA {0},,1", "xioma\u0301ra zhukovska,,2", "Xiomára  Zhukovska,,3", "Xiomára\u00a0Zhukovska,,4"),
    *('"Xiomára\nZhukovska",,5', '"{0},XIOMÁRA",,6', "{0},Xiomára,7", ",XZ@Quetzal.Example,8"),
    *("QUETZAL7,,9", "Xio\u00admára Zhukovska,,10", "Ｘiomára Ｚhukovska,,11", "?,88776655,12"),
    KEPT[2],
)


def rows(course: Course) -> dict[str, set[tuple]]:
    """All rows of all tables of the gradebook."""
    tables = MetaData()
    tables.reflect(course.engine)
    with course.engine.connect() as connection:
        return {
            name: {tuple(map(str, row)) for row in connection.execute(select(table))}
            for name, table in tables.tables.items()
        }


def named(content: bytes) -> bool:
    return any(name in content for name in NAMES)


def archive(path: Path, **members: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as new:
        for name, text in members.items():
            new.writestr(name, text)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def used(small, tmp_path, request) -> Course:
    """A course in which three were graded and read, with all that comes of it."""
    settings = [f'c.Exchange.root = "{tmp_path / "exchange"}"']
    if request.param == "postgresql":
        settings.append(f'c.CourseDirectory.db_url = "{request.getfixturevalue("database")}"')
    course = with_settings(small, *settings)
    assert gradebox(course, "release").returncode == 0
    with course.gradebook() as gradebook:
        gradebook.add_student(WHO, first_name=FIRST, last_name=LAST, email=MAIL, lms_user_id=NUMBERS[0])
        StudentIndex(gradebook).save_number("moodle", NUMBERS[1], WHO)
    for student in (WHO, *OTHERS):
        # An incident of each: the essay's cell is gone.
        solves(course, student, double=RIGHT, why=f"Because, says {student}.")
        path = course.path("submitted", "hw", student) / "hw.ipynb"
        notebook = json.loads(path.read_text())
        path.write_text(json.dumps(notebook | {"cells": notebook["cells"][:-1]}))
    assert gradebox(course, "autograde").returncode == 0
    assert gradebox(course, "feedback").returncode == 0
    with course.gradebook() as gradebook:
        NOTES.create(gradebook.db.connection())
        for student in (WHO, *OTHERS):
            found = gradebook.find_submission_notebook("hw", "hw", student)
            for grade in found.grades:
                grade.manual_score = 1
            for comment in found.comments:
                comment.manual_comment = f"Read, {student}."
            connection = gradebook.db.connection()
            connection.execute(insert(NOTES), {"student_id": student, "note": "late"})
            # Each has asked to be looked at again, and somebody is reading each one's answer.
            save_regrade_reply(
                connection, RegradeRequest(student, "hw", "1", f"says {student}"), f"No, {student}.", "Zoë"
            )
            claim_answer(connection, found.grades[0].id, "Zoë" if student == WHO else student)
            for grade in found.grades:
                save_reader(connection, grade.id, "Zoë")
                save_applied(connection, grade.id, ["item"])
    write_files(course)
    return course


def write_files(course: Course) -> None:
    """What other commands leave behind."""
    root, exports = course.root, course.root / "exports"
    three = [WHO, *OTHERS]
    head = "assignment,notebook,cell,student,points,comment"
    removed = [f'hw,hw,gone,{student},1.0,"Two lines,\n{student}"' for student in three]
    (root / "removed_points.csv").write_text(table(head, *removed), newline="")
    (exports / "pages").mkdir(parents=True)
    grades = table("student_id,score", *(f"{student},3" for student in three))
    (exports / "grades.csv").write_text(grades, newline="")
    canvas = (f'"{LAST}, {FIRST}",{NUMBERS[0]},{WHO},3', "Points Possible,,,4", '"Stone, Zoe",4712,zoe,3')
    (exports / "canvas.csv").write_text(table("Student,ID,SIS Login ID,hw", *canvas), newline="")
    (exports / "odd.csv").write_text(table("remark", f"ask {WHO} about it"), newline="")
    (exports / "class.json").write_text(json.dumps({"students": {student: 3 for student in three}}))
    (exports / "class.html").write_text(f"<td>{FIRST} {LAST}</td>")
    (exports / "class-without-names.html").write_text("<td>3 students, one by the name of nobody</td>")
    (exports / "pages" / f"{WHO}.html").write_text("a page")
    pages = {f"{student}_assignsubmission_file_/hw.html": "a page" for student in three}
    archive(exports / "pages.zip", **pages, **{"grades.csv": grades})
    kept = root / "downloaded" / "replaced"
    for student in three:
        (kept / student / "hw").mkdir(parents=True)
        (kept / student / "hw" / "hw.ipynb").write_text(f"an earlier version of {student}'s")
    of_moodle = {f"{FIRST} {LAST}_12_assignsubmission_file_/hw.ipynb": "{}"}
    archive(root / "downloaded" / "hw" / "archive" / "moodle.zip", **of_moodle)
    # The instructor's own: a table that others stay in, a plan, spreadsheets, a scan, and an old gradebook.
    (root / "notes.csv").write_text(NOTES_TABLE.format(LAST.upper()), newline="", encoding="utf-16")
    (root / "plan.md").write_text(f"Ask {FIRST.upper()}  {LAST} about the exam.")
    archive(root / "notes.xlsx", **{"xl/sharedStrings.xml": f"<si><t>{FIRST} </t><t>{LAST}</t></si>"})
    archive(root / "empty.xlsx", **{"xl/sharedStrings.xml": f"<si><t>{FIRST} Zhukovskaya</t></si>"})
    (root / "scan.pdf").write_bytes(b"%PDF\0")
    if course.engine.dialect.name == "sqlite":
        shutil.copy(root / "gradebook.db", root / "gradebook.db.old")
    exchange = root.parent / "exchange" / course.directory().course_id
    for student in three:
        folder = exchange / "inbound" / f"{student}+hw+2026-11-22 14:05:00.000000 UTC+cmFuZG9t"
        folder.mkdir(parents=True)
        (folder / "submission_secret.txt").write_text(f"secret of {student}")
        (exchange / "feedback").mkdir(exist_ok=True)
        page = notebook_hash(secret=f"secret of {student}", notebook_id="hw")
        (exchange / "feedback" / f"{page}.html").write_text(f"of {student}")
    # No student of this name has handed this in.
    (exchange / "inbound" / f"{WHO}+hw+hw+2026-11-22 14:05:00.000000 UTC").mkdir()


def test_nothing_of_who_is_forgotten_is_left_and_others_have_lost_nothing(used):
    before = rows(used)
    assert any(WHO in row for rows_of in before.values() for row in rows_of)
    # A folder that nothing can be removed from, and a link to somebody's work.
    own = used.path("submitted", "hw", WHO)
    (own / "linked").symlink_to(used.path("submitted", "hw", "zoe"))
    own.chmod(0o500)
    if used.engine.dialect.name == "sqlite":
        # Another program, which this engine stands for, keeps the log.
        with used.engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA journal_mode = WAL").scalar() == "wal"
    done = gradebox(used, "forget", WHO, "--yes")
    assert done.returncode == 1 and done.stderr == "", done.stdout + done.stderr
    course = Course(used.root)

    after = rows(course)
    # Keyed hashes: see tests/lms/test_forgotten_students.py.
    assert after.pop("gradebox_forgotten") and after.keys() == before.keys()
    assert not [row for rows_of in after.values() for row in rows_of if named(str(row).encode())]
    for name in ("student", "submitted_assignment", "gradebox_note", "gradebox_answer"):
        assert {row for row in before[name] if any(other in row for other in OTHERS)} == after[name]
    marks = "gradebox_text", "gradebox_reader", "gradebox_applied_item"
    for name in ("grade", "comment", "submitted_notebook", *marks):
        assert after[name] < before[name] and 3 * len(after[name]) == 2 * len(before[name])
    said = [line.partition(": out of reach, check manually: ")[2] for line in done.stdout.splitlines()]
    left = {course.root / name for name in said if name}
    names = ("plan.md", "notes.xlsx", "gradebook.db.old", "downloaded/hw/archive/moodle.zip")
    assert left == {course.root / name for name in names if (course.root / name).exists()}
    for path in course.root.rglob("*"):
        if path not in left and path.name != "empty.xlsx":
            assert not named(str(path.relative_to(course.root)).encode()), path
            assert not path.is_file() or not named(path.read_bytes()), path
    for student in OTHERS:
        for step in ("submitted", "autograded", "feedback"):
            assert list(course.path(step, "hw", student).iterdir())
        assert (course.root / "downloaded" / "replaced" / student / "hw" / "hw.ipynb").is_file()
    told = done.stdout.splitlines()
    assert f"{WHO}: not searched, because they are compressed or not text: scan.pdf" in told
    assert len(told) < 30, done.stdout


def test_in_tables_lists_and_archives_the_others_stay_as_they_were(used):
    assert gradebox(used, "forget", WHO, "--yes").returncode == 1
    assert (used.root / "notes.csv").read_bytes().decode("utf-16") == table(*KEPT)
    exports = used.root / "exports"
    with (used.root / "removed_points.csv").open(newline="") as file:
        kept = list(csv.DictReader(file))
    assert [(row["student"], row["comment"]) for row in kept] == [(o, f"Two lines,\n{o}") for o in OTHERS]
    told = json.loads((used.root / "incidents.json").read_text())
    assert {one["student"] for one in told} == set(OTHERS)
    assert (exports / "grades.csv").read_bytes() == b"student_id,score\r\nben,3\r\nzoe,3\r\n"
    canvas = b'Student,ID,SIS Login ID,hw\r\nPoints Possible,,,4\r\n"Stone, Zoe",4712,zoe,3\r\n'
    assert (exports / "canvas.csv").read_bytes() == canvas
    assert json.loads((exports / "class.json").read_text()) == {"students": {"ben": 3, "zoe": 3}}
    with zipfile.ZipFile(exports / "pages.zip") as pages:
        assert len(pages.namelist()) == 3
        assert pages.read("grades.csv") == (exports / "grades.csv").read_bytes()
    assert {path.name for path in exports.iterdir()} == {
        *("grades.csv", "canvas.csv", "class.json", "pages.zip", "pages"),
    }
    exchange = used.root.parent / "exchange" / used.directory().course_id
    assert {path.read_text() for path in (exchange / "feedback").iterdir()} == {f"of {o}" for o in OTHERS}
    assert len(list((exchange / "inbound").iterdir())) == 3


def test_it_asks_first_and_does_nothing_without_a_yes(small):
    solves(small, "ada")
    program = Path(sys.executable).parent / "gradebox"
    asked = subprocess.run(
        [program, "forget", "ada"], cwd=small.root, input="n\n", capture_output=True, text=True
    )
    assert asked.returncode == 1 and "points and comments too" in asked.stdout
    assert small.path("submitted", "hw", "ada").is_dir()


def test_who_is_unknown_is_refused_in_a_sentence(small):
    done = gradebox(small, "forget", "nobody", "--yes")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done.stderr
    assert "unknown student 'nobody'" in done.stderr
    for name in ("..", ".", "", "../source", "hw/.."):
        with pytest.raises(CourseError, match="unknown student"):
            check_student_exists(small, name)


def test_a_name_that_is_a_path_removes_nothing_but_rows(small):
    paths = ["../source", "..", ".", "hw/../../release", str(small.root / "release")]
    with small.gradebook() as gradebook:
        for path in paths:
            gradebook.add_student(path)
    before = {path for path in small.root.rglob("*") if "gradebook" not in path.name}
    for path in paths:
        forget_student(small, path)
    assert {path for path in small.root.rglob("*") if "gradebook" not in path.name} == before
    assert Course(small.root).roster == []


def test_a_reply_to_another_student_stays_and_is_said(small):
    with small.gradebook() as gradebook:
        gradebook.add_student("done", first_name="Ada", last_name="Stone")
        request = RegradeRequest("ben", "hw", "1", "What ADA  Stone has.")
        save_regrade_reply(gradebook.db.connection(), request, "It is done.", "Zoë")
        # The id of the student is a word of others' comments.
        gradebook.add_student("max", first_name="Max", last_name="Muster")
    assert forget_student(small, "max").left == []
    assert forget_student(small, "done").left == ["gradebook.db: comments on other students"]
    assert "ADA  Stone" in str(rows(small)["gradebox_answer"])


def test_a_link_is_removed_and_what_it_leads_to_stays(small, tmp_path):
    elsewhere = tmp_path / "elsewhere" / "hw"
    elsewhere.mkdir(parents=True)
    (elsewhere / "hw.ipynb").write_text("somebody's")
    link = small.root / "submitted" / "ada"
    link.symlink_to(elsewhere.parent)
    assert gradebox(small, "forget", "ada", "--yes").returncode == 0
    assert not os.path.lexists(link) and (elsewhere / "hw.ipynb").read_text() == "somebody's"


# Whose a row is

ADA = StudentIdentity(
    "ada", frozenset({"ada", "Ada Stone", "Stone, Ada", "as@uni.example"}), frozenset({"ada-maria"})
)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("student_id;score\nada;1\nada-maria;2\n", "student_id;score\nada-maria;2\n"),
        ("name\tscore\nAda Stone\t1\nAda Stones\t2\n", "name\tscore\nAda Stones\t2\n"),
        ("\ufeffstudent,with\nada,ada-maria\n", "\ufeffstudent,with\n"),
        ('student,said\n"ada","a\n""b"""\nbo,"c\nd"\n', 'student,said\nbo,"c\nd"\n'),
        ("", ""),
    ],
)
def test_rows_go_and_all_others_are_kept_to_the_letter(text, kept):
    assert redact_csv(text, ADA) == (kept, number_of_rows(text) - number_of_rows(kept), False)


def number_of_rows(text: str) -> int:
    return len(list(csv.reader(io.StringIO(text))))


@pytest.mark.parametrize("number", ["7", "4711007"])
def test_points_that_look_like_a_short_id_are_points(number):
    person = StudentIdentity(number, frozenset({number}))
    text = f"student_id,score\nben,7\n{number},3\n"
    assert redact_csv(text, person) == ("student_id,score\nben,7\n", 1, False)
    assert redact_csv("student_id,score\nben,7\n", person) == ("student_id,score\nben,7\n", 0, False)


def test_what_is_called_like_a_lesson_is_not_a_student_with_a_short_number():
    person = StudentIdentity("01", frozenset({"01"}))
    assert person.is_named_in_path("pages/01.html") and person.is_named_in_path("01/page.html")
    assert not person.is_named_in_path("01_shares/ben.html")
    assert ADA.is_named_in_path("Stone, Ada_12_file/hw.ipynb") and not ADA.is_named_in_path("ada-maria.csv")


def test_a_row_of_somebody_elses_that_names_a_student_stays_and_is_said():
    text = "student,comment\nada,late\nben,copied from ada\n"
    assert redact_csv(text, ADA) == ("student,comment\nben,copied from ada\n", 1, True)
    kept, removed, still = redact_json('[{"student": "ada"}, {"student": "ben", "what": "as ada"}]', ADA)
    assert (json.loads(kept), removed, still) == ([{"student": "ben", "what": "as ada"}], 1, True)
    assert redact_json('["adam", "Adam Stone"]', ADA).still is False
    with pytest.raises(RedactionError):
        redact_json("[1,", ADA)


OTHER_NAMES = {
    "ada-maria",
    "Adam Stone",
    "Mary Ada Stone",
    "Ben Ray",
    "ben",
    "late",
    "Lee Ko",
    "4711007",
    "7",
}
JO = StudentIdentity(
    "jo.ibáñez",
    build_name_variants("Jo", "O'Neil-Ibáñez") | {"jo.ibáñez", "ji@uni.example", "4711008", "done"},
    frozenset({*OTHER_NAMES, "Jo O'Neil"}),
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_rows_go_in_any_case_form_and_encoding(encoding, form):
    """Rows of the student are the same text in other letters; those of others are only alike."""
    kept = table("Who;Mail;State", "Jo O'Neil;;done", "Adam Stone;jo@uni.example;3", "Ben Ray;;jo.ibáñez")
    mine = (
        "JO O'NEIL-IBÁÑEZ;;1",
        "jo  o'neil-ibáñez ;;1",
        "O'Neil-Ibáñez , JO;;",
        "JO.IBÁÑEZ;;",
        "4711008;;",
    )
    mine = (*mine, "?;JI@UNI.EXAMPLE;", '"Jo\nO\'Neil-Ibáñez";;', "\u00a0jo.ibáñez;;", "Jo;O'NEIL-IBÁÑEZ;")
    if encoding != "cp1252":
        mine = (*mine, "Jo O\u2019Neil\u2011Ibáñez;;", "ｊｏ．ibáñez;;", "J\u200bo O'Neil-Ibáñez;;")
    elif form == "NFD":
        pytest.skip("no combining characters")
    text = unicodedata.normalize(form, kept + table(*mine))
    found = redact_content(".csv", text.encode(encoding), JO)
    assert found.content.decode(encoding) == unicodedata.normalize(form, kept)
    assert (found.removed, found.still) == (len(mine), True)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        # The first student of a row is the one whose row it is.
        ("name,partner\nBen Ray,jo.ibáñez\njo.ibáñez,Ben Ray\n", "name,partner\nBen Ray,jo.ibáñez\n"),
        # A word that is an id counts in a column of ids.
        ("lesson,state\n1,done\n2,done\n", "lesson,state\n1,done\n2,done\n"),
        ("LOGIN,points\ndone,1\nx,2\n", "LOGIN,points\nx,2\n"),
        ("Kürzel,points\nben,1\ndone,2\n", "Kürzel,points\nben,1\n"),
        # Headings are compared in any form, too.
        ("note,STUDENT\u00a0ID\njo.ibáñez,ben\nben,JO.IBÁÑEZ\n", "note,STUDENT\u00a0ID\njo.ibáñez,ben\n"),
        # A name in two columns.
        ('last,first\n"O\'Neil-Ibáñez","Jo"\n', "last,first\n"),
    ],
)
def test_a_row_is_of_the_student_who_is_named_first(text, kept):
    assert redact_csv(text, JO).text == kept
    headings, *rows = csv.reader(io.StringIO(text))
    entries = [dict(zip(headings, row, strict=True)) for row in rows]
    left = [dict(zip(headings, row, strict=True)) for row in list(csv.reader(io.StringIO(kept)))[1:]]
    # One entry is no column: what its key says is all there is.
    if headings[0] != "Kürzel":
        assert json.loads(redact_json(json.dumps(entries), JO).text) == left


JANE = StudentIdentity(
    "jd",
    build_name_variants("Jane", "Doe") | {"jd", "jd@uni.example", "1234"},
    frozenset({"ben", "Ben Ray", "max", "Max"}),
    frozenset({("Jane", "Doe")}),
)


@pytest.mark.parametrize(
    ("headings", "theirs", "kept"),
    [
        # An unknown student of a row is another student.
        ("student,partner,points", ["jd,evi77,8"], ["evi77,jd,10", "Evi X,Jane Doe,9"]),
        ("student_id,name", ["jd,Janie Doe"], ["evi77,Jane Doe"]),
        ("name,login", ["Jane Doe,", "Janie Doe,JD"], ["Jane Doe,evi77"]),
        ("name,mail", [",jd@uni.example"], ["Evi X,jd@uni.example"]),
        ("who,partner", ["Jane Doe,ben"], ["evi77,Jane Doe", "ben,jd@uni.example"]),
        ("name,student id", ["Jane Doe,jd"], ["Ben Ray,jd", "Max,jd"]),
        # The roster's headings of ids are sure also for short numbers.
        ("sid,points", ["1234,5"], ["99,1234"]),
        ("points,ID number", ["5,1234"], ["1234,99"]),
        ("SIS Login ID,n", ["1234,5"], []),
        ("ID,student", ["1234,"], ["1234,evi77"]),
        # First and last names in columns that are not neighbours.
        ("First name,points,Surname", ["Jane,3,Doe"], ["Jane,3,Roe"]),
        ("a,points,b", [], ["Jane,3,Doe", "Jane,3,Roe"]),
    ],
)
def test_a_row_stays_unless_it_is_certainly_of_the_student(headings, theirs, kept):
    text, left = table(headings, *theirs, *kept), table(headings, *kept)
    mentioned = any(word in left for word in ("jd", "Jane Doe", "Jane,3,Doe"))
    assert redact_csv(text, JANE) == (left, len(theirs), mentioned)
    entries, wanted = (list(csv.DictReader(io.StringIO(part))) for part in (text, left))
    found = redact_json(json.dumps(entries), JANE)
    assert (json.loads(found.text), found.still) == (wanted, mentioned)


OF_BEN = {"ben": {"partner": {"jd@uni.example": 3}}}


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ({"students": ["ben", "jd", "evi77"]}, {"students": ["ben", "evi77"]}),
        ([{"student": "evi77", "partners": ["jd@uni.example"]}], None),
        ([["evi77", "jd@uni.example"], ["Jane", 3, "Doe"]], None),
        ({**OF_BEN, "jd@uni.example": 1}, OF_BEN),
        ([{"x": "Jane", "y": 2, "z": "Doe"}], None),
        ([{"x": "Jane", "y": {"first name": "Jane", "last name": "Roe"}}], None),
    ],
)
def test_in_json_an_entry_within_that_of_another_student_stays(value, kept):
    kept = kept or value
    found = redact_json(json.dumps(value), JANE)
    assert json.loads(found.text) == kept
    assert found.still == any(name in json.dumps(kept) for name in ("jd", '"Doe"'))


def test_a_single_name_counts_in_columns_of_names():
    one = StudentIdentity("s1", build_name_variants("", "Suharto") | {"s1"}, frozenset({"ben"}))
    text = "name,note\nSuharto,late\nben,Suharto\n"
    assert redact_csv(text, one) == ("name,note\nben,Suharto\n", 1, True)
    assert redact_csv("First name,Last name\n,SUHARTO\nAli,Suharto\n", one).removed == 1


@pytest.mark.parametrize("known", ["NFC", "NFD"])
def test_an_id_in_two_unicode_forms_is_one_student(small, known):
    names = {form: unicodedata.normalize(form, "ruíz7") for form in ("NFC", "NFD")}
    with small.gradebook() as gradebook:
        gradebook.add_student(names["NFC"], first_name="José", last_name="Ruiz")
        gradebook.add_student("ben", first_name="José", last_name="Ruiz")
    for form in names:
        small.path("submitted", "hw", names[form]).mkdir(parents=True)
    text = table("student,points", f"{names['NFC']},1", f"{names['NFD']},2", "ben,3", "José Ruiz,4")
    (small.root / "notes.csv").write_text(text, newline="", encoding="utf-8")
    found = forget_student(small, names[known])
    assert Course(small.root).roster == ["ben"]
    assert (small.root / "notes.csv").read_text(encoding="utf-8") == "student,points\nben,3\nJosé Ruiz,4\n"
    # Another student has the same name.
    assert found.left == ["notes.csv"]


def test_every_file_is_searched_or_listed(small):
    with small.gradebook() as gradebook:
        gradebook.add_student("1234", first_name="Jane", last_name="Doe-Smith", email="jds@uni.example")
        gradebook.add_student("5678", first_name="", last_name="Suharto")
    root = small.root
    number = ": may mention the student, because it contains the id as a number"
    mentions = {
        "plan.txt": "ask 1234, please",
        "downloaded/hw/extracted/log.txt": "from jds@uni.example",
        "downloaded/hw/extracted/list.yml": "- Jane Doe-Smith",
        "rows.json": '[["Jane", 1, "Doe-Smith"]]',
        "rows.tsv": "a\tb\tc\nJane\t1\tDoe-Smith\n",
    }
    others = {"points.txt": "12345 or 1.1234", "downloaded/hw/extracted/ann.ipynb": '"jds@uni.example"'}
    for name, text in {**mentions, **others, "names.txt": "Suharto was late"}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    for name, column in (
        ("blob.db", "note BLOB"),
        ("table.db", '"of jds@uni.example" TEXT'),
        ("empty.db", "n"),
    ):
        with contextlib.closing(sqlite3.connect(root / name)) as database, database:
            database.execute(f"CREATE TABLE notes ({column})")
            content = b"\0\1 jds@uni.example" if name == "blob.db" else "late"
            database.execute("INSERT INTO notes VALUES (?)", [content])
    archive(root / "backup.zip", **{"grades.csv": "1234,3"})
    archive(root / "downloaded" / "hw" / "page.zip", **{"page.html": "1234"})
    for name, compress in (
        ("notes.txt.gz", gzip.compress),
        ("old.bz2", bz2.compress),
        ("x.db.xz", lzma.compress),
    ):
        (root / name).write_bytes(compress(b"jds@uni.example"))
    (root / "notes.csv").write_text("sid,points\n1234,1\n5678,2\n")
    found = forget_student(small, "1234")
    wanted = [*mentions, "blob.db", "table.db"]
    assert sorted(found.left) == sorted(f"{name}{number}" if name == "plan.txt" else name for name in wanted)
    packed = ["backup.zip", "downloaded/hw/page.zip", "notes.txt.gz", "old.bz2", "x.db.xz"]
    assert sorted(found.unread) == packed
    assert (root / "notes.csv").read_text() == "sid,points\n5678,2\n"
    assert "names.txt" in forget_student(small, "5678").left


def test_a_name_of_two_students_identifies_neither_and_is_said():
    one = StudentIdentity("mm1", frozenset({"mm1", "Max Muster"}), frozenset({"mm2", "Max Muster"}))
    text = "name,id\nMax Muster,mm2\nMax Muster,\nMax Muster,MM1\n"
    assert redact_csv(text, one) == ("name,id\nMax Muster,mm2\nMax Muster,\n", 1, True)
    # Ids that differ in case only are two students.
    lower, upper = frozenset({"ann"}), frozenset({"Ann"})
    for mine, others, kept in ((lower, upper, "Ann"), (upper, lower, "ann")):
        person = StudentIdentity(*mine, mine, others)
        assert redact_csv("id,points\nann,1\nAnn,2\n", person).text.split()[1][:3] == kept


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("plan.md", "ask JO O'NEIL-IBÁÑEZ", True),
        ("plan.md", "ask Jo O&#39;Neil-Iba\u0301n\u0303ez", True),
        ("plan.md", "mail to <JI@uni.example>", True),
        ("plan.md", "number 4711008", True),
        ("plan.md", "ask Jo O'Neil", False),
        ("plan.md", "Done, and 14711008 steps", False),
        ("plan.md", "this is done", True),
        ("plan.py", "this is done", False),
        ("notes.json", '{"who": "Jo O\'Neil-Ib\\u00e1\\u00f1ez", ', True),
        ("JO.IBÁÑEZ.txt", "", True),
        (".notes.csv~", "jo.ibáñez,1", True),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_what_cannot_be_redacted_is_searched(tmp_path, name, text, found, encoding):
    (tmp_path / name).write_text(text, encoding=encoding)
    assert find_mentions(tmp_path / name, name, JO) is found


def test_what_is_not_text_cannot_be_searched(tmp_path):
    (tmp_path / "scan.pdf").write_bytes(b"%PDF\0jo")
    with pytest.raises(UnsearchableError):
        find_mentions(tmp_path / "scan.pdf", "scan.pdf", JO)
