"""A class list from anywhere becomes the gradebook's students, who are then in every table."""

import pytest
from downloads import Upload, canvas, moodle
from helpers import LESSON, gradebox, hand_in, sample_solved, with_settings

from gradebox.class_list import is_in_section, list_sections, read_sections
from gradebox.course import Course, CourseError
from gradebox.lms.collect import collect_submissions
from gradebox.lms.collect_results import IMPORTED, UNCHANGED
from gradebox.lms.collect_results import NOT_IMPORTED as NOT_COLLECTED
from gradebox.lms.match_students import StudentIndex
from gradebox.lms.roster import NEW, NOT_IMPORTED, SAME, UPDATED, import_roster
from gradebox.notebook_exercises import serialize_notebook

MOODLE = (
    '"First name","Last name","Email address",Groups\r\n'
    'José,"García López",jg@uni.example,\r\n小明,王,wx@uni.example,"A, B"\r\n'
)
WORKSHEET = (
    'Identifier,"Full name","Email address",Status,Grade,"Maximum grade"\r\n'
    '"Participant 1327627","José García López",jg@uni.example,"No submission",,100.00\r\n'
)
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Lesson 1 (77)\r\n"
    "    Points Possible,,,,,25\r\n"
    '"García López, José",501,u-1,jgarcia,A,\r\n'
    '"Student, Test",999,,,A,\r\n'
)
GRADESCOPE = (
    "First Name,Last Name,SID,Email,Role\nJosé,García López,u-1,jg@uni.example,Student\nT,A,,t@x,TA\n"
)
PLAIN = "id;name;email\njgarcia;García López, José;jg@uni.example\n"


def known(course: Course) -> dict[str, tuple]:
    with course.gradebook() as gradebook:
        return {
            one.id: (one.first_name, one.last_name, one.email, one.number)
            for one in StudentIndex(gradebook).students.values()
        }


def listed(course: Course, text: str, name: str = "class.csv", encoding: str = "utf-8", **options):
    path = course.root / name
    path.write_bytes(text.encode(encoding))
    return import_roster(course, path, **options)


@pytest.mark.parametrize(
    ("text", "student"),
    [
        (MOODLE, {"jg": ("José", "García López", "jg@uni.example", "")}),
        (WORKSHEET, {"jg": ("José García", "López", "jg@uni.example", "")}),
        (CANVAS, {"jgarcia": ("José", "García López", "", "501")}),
        (GRADESCOPE, {"u-1": ("José", "García López", "jg@uni.example", "")}),
        (PLAIN, {"jgarcia": ("José", "García López", "jg@uni.example", "")}),
    ],
    ids=["participants", "worksheet", "canvas", "gradescope", "plain"],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_lists_of_platforms(course, text, student, encoding):
    rows = listed(course, text, encoding=encoding)
    assert {row.what for row in rows} == {NEW}
    assert student.items() <= known(course).items() and len(known(course)) == len(rows)
    assert {row.what for row in listed(course, text, encoding=encoding)} == {SAME}


def test_lists_from_several_places_are_of_the_same_people(course):
    listed(course, CANVAS)
    assert [row.what for row in listed(course, GRADESCOPE)] == [NEW]
    # A list with an e-mail address and no more says who both are.
    listed(course, MOODLE)
    with course.gradebook() as gradebook:
        gradebook.remove_student("u-1")
    assert [row.what for row in listed(course, PLAIN)] == [UPDATED]
    assert known(course)["jgarcia"] == ("José", "García López", "jg@uni.example", "501")


def test_who_handed_in_before_there_was_a_list_is_found_by_name(course):
    with course.gradebook() as gradebook:
        gradebook.update_or_create_student("José García López")
    rows = listed(course, CANVAS)
    assert [(row.student, row.what) for row in rows] == [("José García López", UPDATED)]
    assert known(course) == {"José García López": ("José", "García López", "", "501")}


def test_a_list_of_whole_names_does_not_undo_what_is_known(course):
    listed(course, MOODLE)
    assert [row.what for row in listed(course, WORKSHEET)] == [SAME]
    assert known(course)["jg"][:2] == ("José", "García López")


def test_two_of_one_name_are_two(course):
    text = "student_id,first name,last name\na,Max,Muster\nb,Max,Muster\n"
    assert [row.what for row in listed(course, text)] == [NEW, NEW]
    assert [row.what for row in listed(course, text)] == [SAME, SAME] and set(known(course)) == {"a", "b"}


def test_a_row_without_an_id_does_not_change_the_ids_of_the_others(course):
    head = "student_id,name,email\n"
    rows = ["17,Ann Lee,ann@x", "18,Bob Ray,bob@x", ",Cid Roe,cid@x", "19,Dan Fox,dan@x", "19,Eve Fox,eve@x"]
    found = listed(course, head + "\n".join([*rows, "20,Flo Day,flo@x", "20,Flo Day,flo@x"]))
    assert [(one.name, one.what) for one in found if one.what == NOT_IMPORTED] == [
        *(("Cid Roe", NOT_IMPORTED), ("Dan Fox", NOT_IMPORTED), ("Eve Fox", NOT_IMPORTED)),
    ]
    assert set(known(course)) == {"17", "18", "20"}
    run = gradebox(course, "roster", "class.csv")
    assert run.returncode == 1 and "Cid Roe: the row has no id of its own: add one to the list" in run.stdout
    # A known student is recognised by the address.
    found = listed(course, head + "\n".join([rows[0], ",Bob Ray,bob@x", "20,Flo Day,flo@x"]))
    assert [one.what for one in found] == [SAME, SAME, SAME]
    # A column that few have filled in is not the one of the ids.
    listed(course, head + "\n".join([",Gus Low,gus@x", ",Hal Orr,hal@x", "21,Ida Poe,ida@x"]))
    assert set(known(course)) == {"17", "18", "20", "gus", "hal", "ida"}


def test_columns_can_be_named(course):
    text = "Matrikel,Vorname,Nachname\n=1,Max,Muster\n7,Eva,Ähre\n"
    columns = {"id": "Matrikel", "first": "Vorname", "last": "Nachname"}
    rows = listed(course, text, encoding="cp1252", columns=columns)
    assert [(row.student, row.what) for row in rows] == [("=1", NOT_IMPORTED), ("7", NEW)]
    assert "begins with =" in rows[0].problem and known(course)["7"][:2] == ("Eva", "Ähre")
    with pytest.raises(CourseError, match="no column 'Martikel'"):
        listed(course, text, columns={"id": "Martikel"})
    with pytest.raises(CourseError, match="id '7' occurs more than once"):
        listed(course, text.replace("=1", "7"), columns=columns)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not a table"),
        ("just a line", "not a table"),
        ("a,b\n1,2\n", "has no column of names or ids"),
        ("id,name\n", "contains no students"),
        ('id,name\n"a,b\n', "not a table"),
        ("id,name\n\0,x\n", "not a table"),
    ],
)
def test_what_is_no_list_is_said_in_a_sentence(course, text, said):
    with pytest.raises(CourseError, match=said):
        listed(course, text)
    run = gradebox(course, "roster", "class.csv")
    assert run.returncode == 2 and len(run.stderr.splitlines()) == 1 and "Traceback" not in run.stderr
    assert known(course) == {}


def test_who_hands_in_nothing_is_in_the_table(course):
    (course.root / "class.csv").write_text("id,first name,last name\nann,Ann,A\nabsent,Absent,Anna\n")
    run = gradebox(course, "roster", "class.csv")
    assert run.returncode == 0 and "2 new students" in run.stdout, run.stdout + run.stderr
    hand_in(course, LESSON, "ann", sample_solved())
    run = gradebox(course, "autograde")
    assert any("absent" in line and "not handed in" in line for line in run.stdout.splitlines()), run.stdout


@pytest.mark.parametrize(
    "headings",
    [
        "Vorname;Nachname;Matrikelnummer;E-Mail-Adresse",
        "Prénom;Nom;Numéro d’identification;Adresse de courriel",
        "Nombre;Apellido(s);Número de ID;Dirección de correo",
        "Nome;Cognome;Numero ID;Indirizzo email",
        "Voornaam;Achternaam;Nummer (ID);E-mailadres",
        "Nome;Sobrenome;Número de identificação;Endereço de email",
        # The addresses are recognised by their content.
        "Vorname;Nachname;Matrikelnummer;Kontakt",
    ],
)
def test_moodles_headings_are_known_in_the_language_of_the_teacher(course, headings):
    listed(course, f"{headings}\nJosé;García López;1234;jg@uni.example\nAnn;Lee;1235;al@uni.example\n")
    assert known(course)["1234"] == ("José", "García López", "jg@uni.example", "")


def sections(course: Course) -> dict[str, str]:
    with course.connection() as connection:
        return read_sections(connection)


def test_a_list_brings_the_sections(course):
    text = 'id,name,{}\nann,Ann A,Tue\nbob,Bob B,"Tue, Lab 2"\ncid,Cid C,\n'
    assert sections(course) == {}
    listed(course, text.format("Section"))
    assert sections(course) == {"ann": "Tue", "bob": "Tue, Lab 2"}
    assert list_sections(sections(course)) == ["Lab 2", "Tue"]
    assert {row.what for row in listed(course, text.format("Gruppen"))} == {SAME}
    # A student changes the section, or leaves it; another list does not know sections.
    moved = text.replace("A,Tue", "A,Wed").replace('"Tue, Lab 2"', "")
    assert [row.what for row in listed(course, moved.format("Groups"))] == [UPDATED, UPDATED, SAME]
    assert sections(course) == {"ann": "Wed"}
    assert [row.what for row in listed(course, "id,name\nann,Ann A\n")] == [SAME]
    assert sections(course) == {"ann": "Wed"}
    listed(course, text.format("Kurs"), columns={"section": "Kurs"})
    assert sections(course)["bob"] == "Tue, Lab 2"


def test_a_student_can_be_in_several_sections():
    for section in ("Tue", "tue and Lab 2", "Lab 2, Tue", "A|Tue"):
        assert is_in_section(section, "Tue") and not is_in_section(section, "Lab")
    assert is_in_section("Tue and Lab 2", "tue and lab 2")
    assert not is_in_section("", "Tue")


def test_people_who_are_not_in_the_list_are_put_aside(course, tmp_path):
    listed(course, PLAIN)
    right = serialize_notebook(sample_solved())
    people = {501: "García López, José", 999: "Guest, Gary"}
    uploads = [Upload(name, number, "x.ipynb", right) for number, name in people.items()]
    path = canvas(tmp_path / "a.zip", uploads)
    rows = {row.student: row for row in collect_submissions(course, path)[1]}
    assert rows["jgarcia"].what == IMPORTED
    (other,) = (row for name, row in rows.items() if name != "jgarcia")
    assert other.what == NOT_COLLECTED and other.problem and "is not in the class list" in other.remarks[0]
    assert set(known(course)) == {"jgarcia"} and course.students == ["jgarcia"]
    rows = {row.student: row for row in collect_submissions(course, path, add_unknown=True)[1]}
    assert {row.what for row in rows.values()} == {UNCHANGED, IMPORTED}
    assert len(known(course)) == 2


@pytest.mark.parametrize("has_list", [True, False])
def test_canvass_test_student_is_left_out(course, tmp_path, has_list):
    if has_list:
        listed(course, CANVAS)
    right = serialize_notebook(sample_solved())
    uploads = [
        Upload("García López, José", 501, "x.ipynb", right, 1),
        Upload("Student, Test", 999, "x.ipynb", right, 2, late=True),
        Upload("Student, Test", 999, "data.csv", "1,2", 3),
    ]
    path = str(canvas(tmp_path / "a.zip", uploads))
    for options in ([], ["--add-unknown"], ["--force"]):
        run = gradebox(course, "collect", path, *options)
        assert run.returncode == 0 and run.stdout.count("est student") == 1, run.stdout + run.stderr
        assert "Left out: Canvas's test student." in run.stdout and "studenttest" not in run.stdout
        student = "jgarcia" if has_list else "garcíalópezjosé"
        assert course.roster == [student] and set(known(course)) == {student}
        del course.__dict__["students"]


def test_people_in_the_settings_are_left_out_but_never_a_student_of_the_list(course, tmp_path):
    listed(course, CANVAS)
    right = serialize_notebook(sample_solved())
    people = {501: "García López, José", 701: "Guest, Gary", 702: "Other, Olga"}
    uploads = [Upload(name, number, "x.ipynb", right) for number, name in people.items()]
    path = str(canvas(tmp_path / "a.zip", uploads))
    course = with_settings(course, "c.Collect.ignored = ['guestgary', 'García López, José']")
    run = gradebox(course, "collect", path)
    assert run.returncode == 1 and "1 taken, 1 not taken" in run.stdout
    assert "Left out, because of c.Collect.ignored: guestgary." in run.stdout
    assert "name the person in c.Collect.ignored" in " ".join(run.stdout.replace("│", " ").split())
    course = with_settings(course, "c.Collect.ignored.append('Other, Olga')")
    run = gradebox(course, "collect", path)
    assert run.returncode == 0 and "1 as it was" in run.stdout
    assert "Left out, because of c.Collect.ignored: guestgary, otherolga." in run.stdout
    assert course.students == ["jgarcia"]


def test_people_in_the_settings_are_not_imported_from_a_newer_list(course, tmp_path):
    listed(course, CANVAS)
    course = with_settings(course, "c.Collect.ignored = ['Guest, Gary', 'García López, José']")
    listed(course, CANVAS + '"Guest, Gary",701,u-7,gary,A,\n"Other, Olga",702,u-8,olga,A,\n')
    with course.gradebook() as gradebook:
        assert {student.id for student in gradebook.students} == {"jgarcia", "olga"}


def test_guests_and_namesakes_are_put_aside(course, tmp_path):
    """A namesake of a student has another number. Without it, nobody can tell the two apart."""
    listed(course, CANVAS + '"Roth, Eva",502,u-2,eva,A,\n')
    right = serialize_notebook(sample_solved())
    people = {502: "Roth, Eva", 700: "Roth, Eva", 701: "Guest Person", 501: "García López, José"}
    path = canvas(tmp_path / "a.zip", [Upload(people[n], n, "x.ipynb", right, n) for n in people])
    rows = collect_submissions(course, path)[1]
    assert sorted(row.student for row in rows if row.what == IMPORTED) == ["eva", "jgarcia"]
    problems = {row.file: row.remarks[0] for row in rows if row.problem}
    assert problems.keys() == {"rotheva_700_700_x.ipynb", "guestperson_701_701_x.ipynb"}
    assert "has the number 700, not 502" in problems["rotheva_700_700_x.ipynb"]
    assert "is not in the class list" in problems["guestperson_701_701_x.ipynb"]
    moodle_rows = collect_submissions(
        course, moodle(tmp_path / "b.zip", [Upload("Eva Roth", n, "x.ipynb", right) for n in (71, 72)])
    )[1]
    assert all(row.problem and "one of 2 with the name of eva" in row.remarks[0] for row in moodle_rows)
    assert set(known(course)) == set(course.students) == {"eva", "jgarcia"}


@pytest.mark.parametrize("name", ["report.pdf", "other.ipynb", "hw.7z"])
def test_a_person_whose_file_is_not_taken_does_not_become_a_student(course, tmp_path, name):
    """Without a class list, too."""
    contents = {"other.ipynb": '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'}
    right = serialize_notebook(sample_solved())
    uploads = [
        Upload("Zip, Anna", 501, name, contents.get(name, b"%PDF"), 1),
        Upload("Lee, Bo", 502, "x.ipynb", right, 2),
    ]
    rows = {row.student: row for row in collect_submissions(course, canvas(tmp_path / "a.zip", uploads))[1]}
    assert rows["zipanna"].what == NOT_COLLECTED and rows["leebo"].what == IMPORTED
    assert known(course) == {"leebo": ("", "", "", "502")} and course.students == ["leebo"]
    # The next hand-in makes a student of the person.
    again = canvas(tmp_path / "b.zip", [Upload("Zip, Anna", 501, "x.ipynb", right, 3)])
    assert [row.what for row in collect_submissions(course, again)[1]] == [IMPORTED]
    assert known(course)["zipanna"] == ("", "", "", "501")
