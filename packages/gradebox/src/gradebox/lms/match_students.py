"""Match the names and numbers of a learning platform to the students of the gradebook.

nbgrader's gradebook has a student's id, names, e-mail address and one number of a platform, `lms_user_id`.
Additional tables store the other data of platforms about students and submissions. For example, a student has
a different number in each assignment of Moodle, which also requires its own file names for returned pages.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from nbgrader.api import Gradebook
from nbgrader.api import Student as StudentRow
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    DateTime,
    MetaData,
    Row,
    String,
    Table,
    Text,
    select,
)

from gradebox.autograde.discover_submissions import (
    CSV_SEPARATORS,
    MAX_FOLDER_NAME_BYTES,
    find_name_problem,
)
from gradebox.gradebook_transactions import select_rows, upsert_row
from gradebox.printable_text import format_full_name
from gradebox.spreadsheet_formulas import begins_formula

# Marks of European languages. In other scripts, a different mark is a different letter.
COMBINING_ACCENT = re.compile("[\u0300-\u036f]")

LMS_METADATA = MetaData()
# Additional numbers of students on the platforms.
LMS_NUMBERS = Table(
    "gradebox_lms_number",
    LMS_METADATA,
    Column("platform", String(32), primary_key=True),
    Column("number", String(128), primary_key=True),
    Column("student_id", String(128), nullable=False),
)
# The platform's record of a student's submission. number: the platform's number of the student or of the
# submission. path: the path in the download. late: the platform marks it as late. In gradebooks of earlier
# versions, the table has a column "received", too.
COLLECTED_FILES = Table(
    "gradebox_collected",
    LMS_METADATA,
    Column("student_id", String(128), primary_key=True),
    Column("assignment", String(128), primary_key=True),
    Column("platform", String(32), nullable=False),
    Column("number", String(128)),
    Column("path", Text, nullable=False),
    Column("late", Boolean, nullable=False),
)
# The students of imported class lists.
ROSTER = Table("gradebox_roster", LMS_METADATA, Column("student_id", String(128), primary_key=True))
# Each collected file. name: the path in the student's folder. sha256: the written content, to recognise a
# file that was changed by hand. received: the time of submission in UTC, if the platform gives one.
# upload_order: larger for later uploads, if the platform gives an order. collected: when it was written, UTC.
COLLECTED_CONTENT = Table(
    "gradebox_collected_content",
    LMS_METADATA,
    Column("student_id", String(128), primary_key=True),
    Column("assignment", String(128), primary_key=True),
    Column("name", String(1024), primary_key=True),
    Column("sha256", String(64), nullable=False),
    Column("received", DateTime),
    Column("upload_order", BigInteger, nullable=False),
    Column("collected", DateTime, nullable=False),
)


@dataclass(frozen=True)
class LmsStudent:
    """A student of the gradebook or of a class list; unknown fields are empty. number: `lms_user_id`."""

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    number: str = ""

    @property
    def name(self) -> str:
        return format_full_name(self.first_name, self.last_name)


class AmbiguousStudentError(Exception):
    """Error if a name matches several students; the message lists the candidates, in one clause."""


def normalize_name(name: str) -> str:
    """Return the lower-case letters, vowel signs, accents and digits of a name, which platforms keep."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(sign for sign in folded if unicodedata.category(sign)[0] in "LMN")


def normalize_name_without_accents(name: str) -> str:
    """Return a name as `normalize_name` does, without the accents of Latin letters."""
    found, is_latin = [], False
    for sign in unicodedata.normalize("NFKD", normalize_name(name)):
        if not COMBINING_ACCENT.fullmatch(sign):
            is_latin = unicodedata.name(sign, "").startswith("LATIN ")
        elif is_latin:
            continue
        found.append(sign)
    return "".join(found)


class StudentIndex:
    """Index of the gradebook's students by id, e-mail address, number and name."""

    def __init__(self, gradebook: Gradebook):
        self.gradebook, self.connection = gradebook, gradebook.db.connection()
        self.students: dict[str, LmsStudent] = {}
        # Dictionaries keep lookups fast in a class of thousands: `keys` by id, e-mail address or number.
        self.keys: dict[tuple[str, str], set[str]] = {}
        self.names: dict[str, set[str]] = {}
        self.names_without_accents: dict[str, set[str]] = {}
        for row in self.connection.execute(select(StudentRow.__table__)):
            about = row.id, row.first_name, row.last_name, row.email, row.lms_user_id
            self.add(LmsStudent(*(text or "" for text in about)))
        self.roster = {row.student_id for row in select_rows(self.connection, ROSTER)}
        self.numbers = {
            (row.platform, row.number): row.student_id for row in select_rows(self.connection, LMS_NUMBERS)
        }

    def add(self, student: LmsStudent) -> None:
        self.students[student.id] = student
        for kind, key in (("id", student.id), ("email", student.email), ("number", student.number)):
            self.keys.setdefault((kind, key.casefold()), set()).add(student.id)
        for name in list_both_orders(student):
            self.names.setdefault(normalize_name(name), set()).add(student.id)
            self.names_without_accents.setdefault(normalize_name_without_accents(name), set()).add(student.id)

    def save(self, student: LmsStudent) -> None:
        """Write a student to the gradebook and the index. Unknown fields are unchanged in the gradebook."""
        known = {**vars(student), "lms_user_id": student.number}
        del known["id"], known["number"]
        # nbgrader's columns have the same length limit as an id.
        given = {name: value[:MAX_FOLDER_NAME_BYTES] for name, value in known.items() if value}
        self.gradebook.update_or_create_student(student.id, **given)
        self.add(student)

    def save_in_roster(self, student: str) -> None:
        """Record that a class list has a student."""
        if student not in self.roster:
            self.roster.add(student)
            upsert_row(self.connection, ROSTER, {"student_id": student})

    def by_number(self, platform: str, number: str) -> LmsStudent | None:
        """Return the student with this number on a platform, or None."""
        known = self.students.get(self.numbers.get((platform, number), ""))
        # In Moodle, a student has a different number in each assignment.
        return known or (self.find_unique("number", number) if platform != "moodle" else None)

    def by_email(self, email: str) -> LmsStudent | None:
        return self.find_unique("email", email)

    def by_id(self, name: str) -> LmsStudent | None:
        """Return the student with this id, or a single student whose id differs only in case; else None."""
        return self.students.get(name) or self.find_unique("id", name.strip())

    def find_unique(self, kind: str, key: str) -> LmsStudent | None:
        found = self.keys.get((kind, key.casefold()), set()) if key else set()
        return self.students[next(iter(found))] if len(found) == 1 else None

    def named(self, name: str) -> LmsStudent | None:
        """Return the student with this name (given name first or last), or None.

        Raises AmbiguousStudentError if several students match.
        """
        return self.find_named(self.names, normalize_name(name), name)

    def named_without_accents(self, name: str) -> LmsStudent | None:
        """Return the student whose name differs at most in accents, as `named` does."""
        return self.find_named(self.names_without_accents, normalize_name_without_accents(name), name)

    def find_named(self, names: Mapping[str, set[str]], key: str, name: str) -> LmsStudent | None:
        found = names.get(key, set()) if key else set()
        if len(found) > 1:
            raise AmbiguousStudentError(
                f"{len(found)} students are called {name}: {', '.join(sorted(found))}"
            )
        return self.students[next(iter(found))] if found else None

    def save_number(self, platform: str, number: str, student: str) -> None:
        """Store a student's number on a platform."""
        if self.numbers.get((platform, number)) == student:
            return
        upsert_row(
            self.connection, LMS_NUMBERS, {"platform": platform, "number": number, "student_id": student}
        )
        self.numbers[platform, number] = student


def list_both_orders(student: LmsStudent) -> list[str]:
    """Return a student's name with the given name first and with the family name first, if it is known."""
    first, last = student.first_name, student.last_name
    return [f"{first} {last}", f"{last} {first}"] if first or last else []


def merge_students(student: LmsStudent, other: LmsStudent) -> LmsStudent:
    """Return a student, updated with the known fields of the same student in another source."""
    known = {name: value for name, value in vars(other).items() if value}
    return replace(student, **{**known, "id": student.id})


def make_student_id(name: str) -> str:
    """Return an id made from a name, without characters that a folder's name must not have."""
    name = "".join(sign for sign in unicodedata.normalize("NFC", name) if sign.isprintable())
    name = re.sub(rf"[*?\[<>/\\{re.escape(CSV_SEPARATORS)}]", " ", name)
    name = " ".join(name.split()).lstrip(" .")
    while begins_formula(name):
        name = name[1:].lstrip(" .")
    while len(name.encode()) > MAX_FOLDER_NAME_BYTES:
        name = name[:-1]
    name = name.strip()
    return name if name and not find_name_problem(name) else "unnamed"


def read_collected_rows(connection: Connection, assignments: Collection[str]) -> dict[tuple[str, str], Row]:
    """Return the rows of COLLECTED_FILES for these assignments, by student and assignment."""
    found = select_rows(connection, COLLECTED_FILES, COLLECTED_FILES.c.assignment.in_(assignments))
    return {(one.student_id, one.assignment): one for one in found}
