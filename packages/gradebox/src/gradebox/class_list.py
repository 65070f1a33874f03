"""Names and sections of the students, for tables, filters and exports.

A section is a group of students, such as a tutorial. `gradebox roster` stores sections from class lists.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from nbgrader.api import Student
from sqlalchemy import Column, Connection, MetaData, String, Table, delete, select

from gradebox.gradebook_transactions import select_rows, upsert_row
from gradebox.printable_text import format_file_name, format_full_name, printable

# Maximum number of characters of a section; longer texts are cut.
MAX_SECTION_LENGTH = 255
# A student's section, as in the class list; with several sections, the text names all of them.
SECTIONS = Table(
    "gradebox_section",
    MetaData(),
    Column("student_id", String(128), primary_key=True),
    Column("section", String(MAX_SECTION_LENGTH), nullable=False),
)
# Canvas joins a student's sections with commas and "and", Moodle the groups with commas.
SEPARATOR = re.compile(r"\s*(?:[,;|]|\band\b)\s*")


@dataclass(frozen=True)
class ClassMember:
    """A student's names, e-mail address and section; unknown fields are empty."""

    first_name: str = ""
    last_name: str = ""
    email: str = ""
    section: str = ""

    @property
    def name(self) -> str:
        return format_full_name(self.first_name, self.last_name)


def read_class_members(connection: Connection) -> dict[str, ClassMember]:
    """Return the students of the gradebook, by id."""
    sections = read_sections(connection)
    people = connection.execute(select(Student.__table__))
    return {
        row.id: ClassMember(
            row.first_name or "", row.last_name or "", row.email or "", sections.get(row.id, "")
        )
        for row in people
    }


def format_student(student: str, members: Mapping[str, ClassMember]) -> str:
    """Return a student's name and id for a table, or only the id without a name."""
    name = printable(members.get(student, ClassMember()).name)
    return f"{name} ({format_file_name(student)})" if name else format_file_name(student)


def read_distinct_names(connection: Connection) -> dict[str, str]:
    """Return each student's name, by id.

    The id follows a name that several students have, and is in place of an empty name.
    """
    names = {student: one.name for student, one in read_class_members(connection).items()}
    counts = Counter(name.casefold() for name in names.values())
    return {
        student: f"{name} ({student})" if name and counts[name.casefold()] > 1 else name or student
        for student, name in names.items()
    }


def read_sections(connection: Connection) -> dict[str, str]:
    """Return the section of each student who has one, by id."""
    return {row.student_id: row.section for row in select_rows(connection, SECTIONS)}


def save_section(connection: Connection, student: str, section: str) -> None:
    """Store a student's section; "" for a student without a section."""
    if section:
        upsert_row(connection, SECTIONS, {"student_id": student, "section": section[:MAX_SECTION_LENGTH]})
    else:
        SECTIONS.create(connection, checkfirst=True)
        connection.execute(delete(SECTIONS).where(SECTIONS.c.student_id == student))


def list_sections(sections: Mapping[str, str]) -> list[str]:
    """Return the different sections of a class, sorted. sections: by student, as `read_sections`."""
    return sorted({part for section in sections.values() for part in SEPARATOR.split(section) if part})


def is_in_section(section: str, wanted: str) -> bool:
    """Return True if a student's section is the wanted one, or one of several, ignoring case."""
    found = {one.strip().casefold() for one in (section, *SEPARATOR.split(section))}
    return bool(section) and wanted.strip().casefold() in found
