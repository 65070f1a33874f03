"""Who asks to be forgotten is nowhere in the course any more, and nobody else has lost anything."""

import csv
import gzip
import json
import os
import shutil
import subprocess
import sys
import unicodedata
import zipfile
from pathlib import Path

import pytest
from helpers import gradebox, solves, with_settings
from nbgrader.utils import notebook_hash
from sqlalchemy import Column, Integer, MetaData, String, Table, insert, select

from gradebox.course import Course, CourseError
from gradebox.erasure.erase_student import check_student_exists, forget_student
from gradebox.erasure.search_files import UnsearchableError, compile_names, is_named_in_file
from gradebox.lms.match_students import StudentIndex

# None of these is part of another, of a student's or of the course's.
WHO, FIRST, LAST, MAIL = "quetzal7", "Xiomára", "Zhukovska", "xz@quetzal.example"
# The numbers on Canvas and on Moodle.
NUMBERS = ["99887766", "88776655"]
OTHERS = ["ben", "zoe"]
NAMES = [name.encode() for name in (WHO, FIRST, LAST, MAIL, *NUMBERS)]
RIGHT = "def double(x):\n    return 2 * x"
# Tables of earlier and later versions, which no code reads.
NOTES = Table("gradebox_note", MetaData(), Column("student_id", String(128)), Column("note", String(64)))
MARKS = Table("gradebox_mark", MetaData(), Column("grade_id", String(32)), Column("count", Integer))


def table(*lines: str) -> str:
    return "".join(f"{line}\r\n" for line in lines)


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
        connection = gradebook.db.connection()
        for one in (NOTES, MARKS):
            one.create(connection)
        for student in (WHO, *OTHERS):
            found = gradebook.find_submission_notebook("hw", "hw", student)
            for grade in found.grades:
                grade.manual_score = 1
            for comment in found.comments:
                comment.manual_comment = f"Read, {student}."
            connection.execute(insert(NOTES), {"student_id": student, "note": "late"})
            for grade in found.grades:
                connection.execute(insert(MARKS), {"grade_id": grade.id, "count": 1})
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
    (root / "downloaded" / "tables" / "canvas").mkdir(parents=True)
    grades = table("student_id,score", *(f"{student},3" for student in three))
    (exports / "grades.csv").write_text(grades, newline="")
    canvas = (f'"{LAST}, {FIRST}",{NUMBERS[0]},{WHO},3', "Points Possible,,,4", '"Stone, Zoe",4712,zoe,3')
    (exports / "canvas.csv").write_text(table("Student,ID,SIS Login ID,hw", *canvas), newline="")
    platform = table("Student,ID,SIS Login ID,hw", *canvas)
    (root / "downloaded" / "tables" / "canvas" / "hw.csv").write_text(platform, newline="")
    (root / "downloaded" / "collected.csv").write_text(table("student,result", f"{FIRST} {LAST},taken"))
    (exports / "others.csv").write_text(table("student_id,score", "ben,3"), newline="")
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
    # The instructor's own: tables, a plan, a workbook, a scan, and an old gradebook.
    notes = table("last,first,note", f"{LAST.upper()},{FIRST},1", "Stone,Zoe,2")
    (root / "notes.csv").write_text(notes, newline="", encoding="utf-16")
    (root / "points.csv").write_text(table("name,points", f"{FIRST} {LAST}ya,7", f"{WHO}x,8"))
    (root / "plan.md").write_text(f"Ask {FIRST.upper()}  {LAST} about the exam.")
    archive(root / "notes.xlsx", **{"xl/sharedStrings.xml": f"<si><t>{FIRST} </t><t>{LAST}</t></si>"})
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
    # A keyed hash: see tests/lms/test_forgotten_students.py.
    assert len(after.pop("gradebox_forgotten")) == 1 and after.keys() == before.keys()
    assert not [row for rows_of in after.values() for row in rows_of if named(str(row).encode())]
    for name in ("student", "submitted_assignment", "gradebox_note"):
        assert {row for row in before[name] if any(other in row for other in OTHERS)} == after[name]
    for name in ("grade", "comment", "submitted_notebook", "gradebox_mark"):
        assert after[name] < before[name] and 3 * len(after[name]) == 2 * len(before[name])
    left = {"plan.md": "your own file", "notes.csv": "your own file"}
    # On PostgreSQL, the course has the SQLite gradebook from before.
    copy = "gradebook.db.old" if used.engine.dialect.name == "sqlite" else "gradebook.db"
    left[copy] = "a copy of the gradebook"
    lines = done.stdout.splitlines()
    assert {line for line in lines if "check manually" in line} == {
        f"{WHO}: check manually: {name} ({why})" for name, why in left.items()
    }
    unread = ("notes.xlsx", "scan.pdf", "downloaded/hw/archive/moodle.zip")
    assert f"{WHO}: not searched, because they are archives or not text: {', '.join(unread)}" in lines
    for path in course.root.rglob("*"):
        name = path.relative_to(course.root).as_posix()
        if name not in (*left, *unread, "points.csv"):
            assert not named(name.encode()), path
            assert not path.is_file() or not named(path.read_bytes()), path
    for student in OTHERS:
        for step in ("submitted", "autograded", "feedback"):
            assert list(course.path(step, "hw", student).iterdir())
        assert (course.root / "downloaded" / "replaced" / student / "hw" / "hw.ipynb").is_file()
    assert len(lines) < 30, done.stdout


def test_own_lists_lose_the_entries_exports_go_and_other_files_stay_as_they_were(used):
    mine = ("notes.csv", "points.csv", "plan.md", "notes.xlsx", "scan.pdf")
    before = {name: (used.root / name).read_bytes() for name in mine}
    done = gradebox(used, "forget", WHO, "--yes")
    assert {name: (used.root / name).read_bytes() for name in mine} == before
    with (used.root / "removed_points.csv").open(newline="") as file:
        kept = list(csv.DictReader(file))
    assert [(row["student"], row["comment"]) for row in kept] == [(o, f"Two lines,\n{o}") for o in OTHERS]
    told = json.loads((used.root / "incidents.json").read_text())
    assert {one["student"] for one in told} == set(OTHERS)
    # An export that names only others, and is neither a page about the class nor an archive.
    exports = [path.name for path in (used.root / "exports").rglob("*") if path.is_file()]
    assert exports == ["others.csv"]
    for name, remedy in (
        ("exports/pages.zip", "export again"),
        ("downloaded/collected.csv", "collect again"),
        ("downloaded/tables/canvas/hw.csv", "name the platform's table again"),
    ):
        assert f"{WHO}: removed: {name}: the whole file ({remedy})" in done.stdout
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


def test_a_comment_on_another_student_stays_and_is_said(small):
    with small.gradebook() as gradebook:
        gradebook.add_student("done", first_name="Ada", last_name="Stone")
        gradebook.add_student("max", first_name="Max", last_name="Muster")
        gradebook.add_student("ben")
    solves(small, "ben", double=RIGHT, why="Because.")
    assert gradebox(small, "autograde").returncode == 0
    with small.gradebook() as gradebook:
        comment = gradebook.find_submission_notebook("hw", "hw", "ben").comments[0]
        comment.manual_comment = "What ADA  Stone has."
    assert forget_student(small, "max").left == []
    assert forget_student(small, "done").left == ["gradebook table comment (about other students)"]
    assert "ADA  Stone" in str(rows(small)["comment"])


def test_of_two_namesakes_one_is_removed(small):
    with small.gradebook() as gradebook:
        for student in ("a1", "a2"):
            gradebook.add_student(student, first_name="Ada", last_name="Stone")
    for student in ("a1", "a2"):
        solves(small, student, double=RIGHT)
    head = "assignment,notebook,cell,student,points,comment"
    removed = [f"hw,hw,gone,{student},1.0,for Ada Stone" for student in ("a1", "a2", "A1", "a11")]
    (small.root / "removed_points.csv").write_text(table(head, *removed), newline="")
    found = forget_student(small, "a1")
    assert Course(small.root).roster == ["a2"] and small.path("submitted", "hw", "a2").is_dir()
    assert (small.root / "removed_points.csv").read_text().count("for Ada Stone") == 3
    assert found.left == ["removed_points.csv (your own file)"]


def test_a_link_is_removed_and_what_it_leads_to_stays(small, tmp_path):
    elsewhere = tmp_path / "elsewhere" / "hw"
    elsewhere.mkdir(parents=True)
    (elsewhere / "hw.ipynb").write_text("somebody's")
    link = small.root / "submitted" / "ada"
    link.symlink_to(elsewhere.parent)
    assert gradebox(small, "forget", "ada", "--yes").returncode == 0
    assert not os.path.lexists(link) and (elsewhere / "hw.ipynb").read_text() == "somebody's"


@pytest.mark.parametrize("known", ["NFC", "NFD"])
def test_an_id_in_two_unicode_forms_is_one_student(small, known):
    names = {form: unicodedata.normalize(form, "ruíz7") for form in ("NFC", "NFD")}
    with small.gradebook() as gradebook:
        gradebook.add_student(names["NFC"], first_name="José", last_name="Ruiz")
        gradebook.add_student("ben", first_name="José", last_name="Ruiz")
    for form in names:
        small.path("submitted", "hw", names[form]).mkdir(parents=True)
    forget_student(small, names[known])
    assert Course(small.root).roster == ["ben"]


def test_every_file_is_searched_or_listed(small):
    with small.gradebook() as gradebook:
        gradebook.add_student("1234", first_name="Jane", last_name="Doe-Smith", email="jds@uni.example")
        gradebook.add_student("5678", first_name="", last_name="Suharto")
    mentions = {
        "plan.txt": "ask 1234, please",
        "downloaded/hw/extracted/log.txt": "from jds@uni.example",
        "downloaded/hw/extracted/list.yml": "- Jane Doe-Smith",
        "rows.tsv": "a\tb\tc\nJane\t\tDoe-Smith\n",
        "notes.csv": "sid,points\n1234,1\n5678,2\n",
    }
    others = {"points.txt": "12345 or 1_234", "names.txt": "Suharto was late"}
    for name, text in {**mentions, **others}.items():
        (small.root / name).parent.mkdir(parents=True, exist_ok=True)
        (small.root / name).write_text(text, encoding="utf-8")
    # Folders of tools, and programs of the course, name no student.
    for name in (".hypothesis/1234", ".ruff_cache/cache", "packages/grader/tests/names.py"):
        (small.root / name).parent.mkdir(parents=True)
        (small.root / name).write_bytes(b"\0 1234" if "cache" in name else b"1234")
    (small.root / "packages" / "grader" / "pyproject.toml").write_text("[project]")
    copy = small.root / ".ipynb_checkpoints" / "list-checkpoint.txt"
    copy.parent.mkdir()
    copy.write_text("1234")
    mentions[".ipynb_checkpoints/list-checkpoint.txt"] = ""
    archive(small.root / "backup.zip", **{"grades.csv": "1234,3"})
    (small.root / "notes.txt.gz").write_bytes(gzip.compress(b"jds@uni.example"))
    found = forget_student(small, "1234")
    assert sorted(found.left) == sorted(f"{name} (your own file)" for name in mentions)
    assert sorted(found.unread) == ["backup.zip", "notes.txt.gz"]
    assert (small.root / "notes.csv").read_text() == mentions["notes.csv"]
    left = forget_student(small, "5678").left
    assert sorted(left) == ["names.txt (your own file)", "notes.csv (your own file)"]


JO = compile_names({"jo.ibáñez", "Jo O'Neil-Ibáñez", "O'Neil-Ibáñez Jo", "ji@uni.example", "done"})


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("plan.md", "ask JO O'NEIL-IBÁÑEZ", True),
        ("plan.md", "ask Jo O&#39;Neil-Iba\u0301n\u0303ez", True),
        ("plan.csv", "O'Neil-Ibáñez;Jo;3", True),
        ("plan.md", "mail to <JI@uni.example>", True),
        ("plan.md", "ask Jo O'Neil", False),
        ("plan.md", "jo.ibáñezs and undone", False),
        ("plan.md", "this is done", True),
        ("notes.json", '{"who": "Jo O\'Neil-Ib\\u00e1\\u00f1ez", ', True),
        ("JO.IBÁÑEZ.txt", "", True),
        (".notes.csv~", "jo.ibáñez,1", True),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_names_are_found_in_any_case_form_and_encoding(tmp_path, name, text, found, encoding):
    (tmp_path / name).write_text(text, encoding=encoding)
    assert is_named_in_file(tmp_path / name, name, JO) is found


def test_what_is_not_text_cannot_be_searched(tmp_path):
    (tmp_path / "scan.pdf").write_bytes(b"%PDF\0jo")
    with pytest.raises(UnsearchableError):
        is_named_in_file(tmp_path / "scan.pdf", "scan.pdf", JO)
