"""List of students who were removed with `gradebox forget`, so that no command takes them in again.

The gradebook keeps a keyed digest of each id. The key is the course's secret (`course_secret.py`), so a copy
of the gradebook alone does not reveal the ids.
"""

import hmac
import unicodedata
from collections.abc import Collection
from datetime import UTC, datetime
from functools import cached_property

from sqlalchemy import Column, Connection, DateTime, MetaData, String, Table, delete

from gradebox.course import Course
from gradebox.course_secret import load_course_secret
from gradebox.gradebook_transactions import select_rows, upsert_row
from gradebox.printable_text import format_file_name, shorten_list

# person: empty. Rows of earlier versions, with digests of names and numbers, too, have a random value.
FORGOTTEN = Table(
    "gradebox_forgotten",
    MetaData(),
    Column("digest", String(64), primary_key=True),
    Column("person", String(32), nullable=False),
    Column("forgotten", DateTime, nullable=False),
)


class ForgottenStudents:
    """The forgotten students of a course. Reads the gradebook once."""

    def __init__(self, course: Course, connection: Connection) -> None:
        self.course, self.connection = course, connection
        self.digests = {row.digest for row in select_rows(connection, FORGOTTEN)}

    @cached_property
    def key(self) -> bytes:
        return load_course_secret(self.course.root).encode()

    def __contains__(self, student: str) -> bool:
        return bool(self.digests) and not self.digests.isdisjoint(self.make_digests(student))

    def make_digests(self, student: str) -> tuple[str, str]:
        """Return the digest of an exact id, and the one that earlier versions have stored for this id."""
        exact = unicodedata.normalize("NFC", student)
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", student).casefold())
        plain = "".join(sign for sign in folded if unicodedata.category(sign)[0] in "LMN")
        return self.make_digest(f"forgotten id\0{exact}"), self.make_digest(f"forgotten\0\0{plain}")

    def make_digest(self, text: str) -> str:
        return hmac.digest(self.key, text.encode(), "sha256").hex()

    def add(self, student: str) -> None:
        """Record that the student with this id was forgotten now."""
        digest, _ = self.make_digests(student)
        now = datetime.now(UTC).replace(tzinfo=None, microsecond=0)
        upsert_row(self.connection, FORGOTTEN, {"digest": digest, "person": "", "forgotten": now})

    def remove(self, student: str) -> None:
        """Take an id off the list."""
        self.connection.execute(delete(FORGOTTEN).where(FORGOTTEN.c.digest.in_(self.make_digests(student))))


def find_forgotten(course: Course, students: Collection[str]) -> list[str]:
    """Return the forgotten students among these ids."""
    with course.connection() as connection:
        forgotten = ForgottenStudents(course, connection)
        return [student for student in students if student in forgotten]


def describe_forgotten(students: Collection[str]) -> str:
    """Return a line about forgotten students who are left out."""
    names = shorten_list(map(format_file_name, students))
    return (
        f"Left out, because of `gradebox forget`: {names}. `gradebox forget ID` removes new files, too; "
        "`gradebox forget ID --readmit` lets a student in again."
    )
