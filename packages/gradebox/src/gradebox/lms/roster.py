"""Import a class list into the gradebook: ids, names, addresses, sections, and the numbers of a platform."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from gradebox.autograde.discover_submissions import find_name_problem
from gradebox.class_list import read_sections, save_section
from gradebox.course import Course, CourseError
from gradebox.csv_table import (
    EMAIL_HEADINGS,
    FIRST_NAME_HEADINGS,
    FULL_NAME_HEADINGS,
    ID_HEADINGS,
    LAST_NAME_HEADINGS,
    SECTION_HEADINGS,
    CsvTable,
    read_csv_table,
)
from gradebox.forgotten_students import ForgottenStudents
from gradebox.lms.filename_patterns import DownloadOwner, parse_participant_number
from gradebox.lms.ignored_people import CANVAS_TEST_STUDENT, Collect, is_in_setting
from gradebox.lms.match_students import AmbiguousStudentError, LmsStudent, StudentIndex, merge_students
from gradebox.lms.moodle_worksheet_columns import find_participant_column

ROSTER_HEADINGS = {
    "id": (*ID_HEADINGS, "id"),
    "first": FIRST_NAME_HEADINGS,
    "last": LAST_NAME_HEADINGS,
    "name": FULL_NAME_HEADINGS,
    "email": EMAIL_HEADINGS,
    "section": SECTION_HEADINGS,
}
# Names in rows of Canvas that do not belong to a student.
NON_STUDENT_NAMES = {"Points Possible", CANVAS_TEST_STUDENT}
MISSING_ID = "the row has no id of its own: add one to the list, or choose another column with --column id=…"
NEW, UPDATED, SAME, NOT_IMPORTED = "new", "changed", "as it was", "not taken"
# A student who was removed with `gradebox forget`.
FORGOTTEN = "forgotten"


@dataclass(frozen=True)
class RosterResult:
    """Result for a row of the list.

    what: NEW, UPDATED, SAME, NOT_IMPORTED with the problem, or FORGOTTEN.
    """

    student: str
    name: str
    what: str
    problem: str = ""


def import_roster(course: Course, path: Path, columns: Mapping[str, str] | None = None) -> list[RosterResult]:
    """Import a class list into the gradebook, without removing any student.

    path: a table with a row of headings: Moodle's list of participants or grading worksheet, Canvas's
    gradebook, Gradescope's roster or grades, or any other table. columns: the headings of "id", "first",
    "last", "name", "email" or "section", if they are not in ROSTER_HEADINGS. A list without a column of
    sections changes no section. Raises CourseError if the file is not a class list.
    """
    sheet = read_csv_table(path)
    places = {what: find_roster_column(sheet, what, columns or {}) for what in ROSTER_HEADINGS}
    if all(places[what] is None for what in ("name", "first", "last", "id")):
        raise CourseError(
            f'{path} has no column of names or ids: name its columns, as in --column "id=Student number" '
            f'--column "first=Given name" --column "last=Surname" --column "email=Mail" '
            f"(columns: {', '.join(sheet.headings)})"
        )
    if places["name"] is None and places["last"] is None:
        # A name in one column, as "Nome" in Moodle's Italian worksheet.
        places["name"], places["first"] = places["first"], None
    participants = find_participant_column(sheet)
    if places["id"] == participants and "id" not in (columns or {}):
        # German has the heading "ID" for the participants' numbers.
        places["id"] = None
    body = [row for row in sheet.rows[1:] if is_roster_student(sheet, row, places)]
    if not body:
        raise CourseError(f"{path} contains no students")
    chosen = choose_student_ids(sheet, body, places, participants, "id" in (columns or {}))
    numbers = sheet.column(["ID"]) if sheet.is_canvas_gradebook else None
    rows, ignored = [], Collect(parent=course.app).ignored
    with course.gradebook() as gradebook:
        people = StudentIndex(gradebook)
        forgotten = ForgottenStudents(course, people.connection)
        before = set(people.students)
        sections = read_sections(people.connection)
        # Students of the gradebook that no row has matched yet.
        strangers = set(before)
        for row, own in zip(body, chosen, strict=True):
            first, last, sure = read_row_name(sheet, row, places)
            email = sheet.cell(row, places["email"])
            student = LmsStudent(own, first, last, email, sheet.cell(row, numbers))
            there = find_existing_student(people, student, strangers)
            # Canvas's archives have the family name first.
            both = (student.name, f"{last} {first}")
            if not there and any(is_in_setting(DownloadOwner(name, own, email), ignored) for name in both):
                continue
            if not own and not there:
                rows.append(RosterResult("?", student.name or email, NOT_IMPORTED, MISSING_ID))
                continue
            problem = find_name_problem(own) if own else None
            if problem or "/" in own or own.startswith("."):
                what = problem or "the folder's name can't contain a slash or begin with a dot"
                rows.append(
                    RosterResult(own, student.name, NOT_IMPORTED, what.replace("the folder's name", "the id"))
                )
                continue
            student_id = there.id if there else own
            if student_id in forgotten:
                rows.append(RosterResult(student_id, student.name, FORGOTTEN))
                continue
            number = parse_participant_number(sheet.cell(row, participants))
            strangers.discard(student_id)
            if there and there.name and not sure:
                student = replace(student, first_name="", last_name="")
            new = merge_students(there, student) if there else student
            if new != there:
                people.save(new)
            if number:
                people.save_number("moodle", number, new.id)
            people.save_in_roster(new.id)
            section = sections.get(new.id, "")
            if places["section"] is not None:
                section = sheet.cell(row, places["section"])
            moved = section != sections.get(new.id, "")
            if moved:
                save_section(people.connection, new.id, section)
            what = NEW if new.id not in before else UPDATED if moved or new != there else SAME
            rows.append(RosterResult(new.id, new.name, what))
    return rows


def find_roster_column(sheet: CsvTable, what: str, columns: Mapping[str, str]) -> int | None:
    if what not in columns:
        return sheet.email_column() if what == "email" else sheet.column(ROSTER_HEADINGS[what])
    found = sheet.column([columns[what]])
    if found is None:
        raise CourseError(f"no column {columns[what]!r} in the list (columns: {', '.join(sheet.headings)})")
    return found


def is_roster_student(sheet: CsvTable, row: list[str], places: Mapping[str, int | None]) -> bool:
    """Return True if a row is for a person. Canvas also has rows for points and for a test student."""
    said = " ".join(sheet.cell(row, places[what]) for what in ("name", "first", "last", "id", "email"))
    role = sheet.cell(row, sheet.column(["Role"]))
    return bool(said.strip()) and not (
        sheet.cell(row, places["name"]) in NON_STUDENT_NAMES or role.casefold() not in ("", "student")
    )


def read_row_name(sheet: CsvTable, row: list[str], places: Mapping[str, int | None]) -> tuple[str, str, bool]:
    """Return the given name and the family name of a row, and True if the split is certain."""
    if places["first"] is not None or places["last"] is not None:
        return sheet.cell(row, places["first"]), sheet.cell(row, places["last"]), True
    whole = sheet.cell(row, places["name"])
    if "," in whole:
        last, _, first = whole.partition(",")
        return first.strip(), last.strip(), True
    first, _, last = whole.rpartition(" ")
    return first.strip(), last, False


def choose_student_ids(
    sheet: CsvTable,
    body: list[list[str]],
    places: Mapping[str, int | None],
    participants: int | None,
    named: bool,
) -> list[str]:
    """Return the id of each row; "" for a row that has none of its own.

    The ids come from the first column of ids that is complete and without duplicates. If there is none, they
    come from the column with the most ids, if most rows have one, or else from the e-mail addresses.
    participants: the column of Moodle's numbers, which are no ids. named: True to use only the column chosen
    by the user. Raises CourseError if that column has duplicates.
    """
    about = [places[what] for what in ("name", "first", "last", "email")]
    people = [tuple(sheet.cell(row, place) for place in about) for row in body]
    incomplete: list[list[str]] = []
    for heading in ROSTER_HEADINGS["id"]:
        column = places["id"] if named else sheet.column([heading])
        if column == participants and not named:
            continue
        found = [sheet.cell(row, column) for row in body]
        twice = [one for one, count in Counter(found).items() if one and count > 1]
        if named and twice:
            raise CourseError(f"id {twice[0]!r} occurs more than once: each student needs a different id")
        if named or (all(found) and not twice):
            return found
        incomplete.append(remove_shared_ids(found, people))
    best = max(incomplete, key=lambda ids: sum(map(bool, ids)), default=[])
    if 2 * sum(map(bool, best)) > len(body):
        return best
    emails = [sheet.cell(row, places["email"]) for row in body]
    short = [email.partition("@")[0] for email in emails]
    return short if len(set(short)) == len(set(emails)) else emails


def remove_shared_ids(ids: list[str], people: list[tuple[str, ...]]) -> list[str]:
    """Return the ids of rows, with "" in place of an id that several people have."""
    owners: dict[str, set[tuple[str, ...]]] = {}
    for own, person in zip(ids, people, strict=True):
        owners.setdefault(own, set()).add(person)
    return [own if len(owners[own]) == 1 else "" for own in ids]


def find_existing_student(
    people: StudentIndex, student: LmsStudent, strangers: Collection[str]
) -> LmsStudent | None:
    """Return the same student in the gradebook, or None. strangers: ids that may match by name alone."""
    found = people.students.get(student.id) or people.by_email(student.email)
    if not found and student.number:
        found = people.by_number("canvas", student.number)
    if found:
        return found
    try:
        # A student who submitted before a list was imported is in the gradebook with only a name.
        by_name = people.named(student.name) or people.named_without_accents(student.name)
    except AmbiguousStudentError:
        return None
    if not by_name and student.name in people.students and not people.students[student.name].name:
        # A folder that was called by the whole name.
        by_name = people.students[student.name]
    unknown = by_name and by_name.id in strangers and not by_name.email and not by_name.number
    return by_name if unknown else None
