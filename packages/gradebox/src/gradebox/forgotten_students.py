"""Recognise students who were removed with `gradebox forget`, so that nobody takes them in again by mistake.

The gradebook keeps keyed hashes of a forgotten student's id, names, e-mail address and platform numbers. The
key is the course's secret (`course_secret.py`), so a copy of the gradebook alone does not reveal the names.
"""

import hmac
import secrets
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cached_property

from sqlalchemy import Column, Connection, DateTime, MetaData, String, Table, delete

from gradebox.course import Course
from gradebox.course_secret import load_course_secret
from gradebox.gradebook_transactions import select_rows, upsert_row

# person: a random value, the same for all hashes of a student.
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
        self.rows = {row.digest: row for row in select_rows(connection, FORGOTTEN)}

    @cached_property
    def key(self) -> bytes:
        return load_course_secret(self.course.root).encode()

    def make_digest(self, text: str, platform: str = "") -> str:
        """Return the hash of an id, a name or an address, or of a platform's number.

        Only letters and digits count, because platforms write names in different ways.
        """
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
        plain = "".join(sign for sign in folded if unicodedata.category(sign)[0] in "LMN")
        return (
            hmac.digest(self.key, f"forgotten\0{platform}\0{plain}".encode(), "sha256").hex() if plain else ""
        )

    def find_date(self, texts: Iterable[str], numbers: Iterable[tuple[str, str]] = ()) -> datetime | None:
        """Return when the student was forgotten who has one of these identities (UTC), or None.

        texts: ids, names and addresses. numbers: platforms with the student's number.
        """
        if not self.rows:
            return None
        found = [self.make_digest(text) for text in texts]
        found += [self.make_digest(number, platform) for platform, number in numbers]
        return next((self.rows[one].forgotten for one in found if one in self.rows), None)

    def add(self, texts: Iterable[str], numbers: Iterable[tuple[str, str]] = ()) -> None:
        """Record that a student with all of these identities was forgotten now."""
        digests = {self.make_digest(text) for text in texts}
        digests |= {self.make_digest(number, platform) for platform, number in numbers}
        digests.discard("")
        # `gradebox forget` can be repeated for the same student.
        known = [self.rows[digest].person for digest in digests if digest in self.rows]
        person = known[0] if known else secrets.token_hex(16)
        now = datetime.now(UTC).replace(tzinfo=None, microsecond=0)
        for digest in digests:
            upsert_row(self.connection, FORGOTTEN, {"digest": digest, "person": person, "forgotten": now})

    def remove(self, text: str) -> bool:
        """Delete the hashes of the student with this id, name or address. Return False if nobody has it."""
        found = self.rows.get(self.make_digest(text))
        if found is None:
            return False
        self.connection.execute(delete(FORGOTTEN).where(FORGOTTEN.c.person == found.person))
        return True


def find_forgotten(course: Course, students: Iterable[str]) -> dict[str, datetime]:
    """Return the forgotten students among these ids, and when each was forgotten (UTC)."""
    with course.connection() as connection:
        forgotten = ForgottenStudents(course, connection)
        return {student: when for student in students if (when := forgotten.find_date([student]))}
