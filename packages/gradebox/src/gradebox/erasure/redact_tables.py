"""Redact a student's rows and entries from CSV and JSON text. All other rows are unchanged."""

import csv
import io
import json
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from gradebox.erasure.student_identity import StudentIdentity, is_numeric_text

# Columns of tables, and keys of a list's entries, that identify the student of a row.
STUDENT_COLUMNS = ("student_id", "student id", "student")


class RedactionError(Exception):
    """Error for a file that can't be redacted, such as a table or list that can't be parsed."""


class RedactedText(NamedTuple):
    """Text of a file without a student's data.

    removed: number of removed rows or entries. still: True if other students' rows name the student.
    """

    text: str
    removed: int
    still: bool


def redact_csv(text: str, person: StudentIdentity) -> RedactedText:
    """Remove a student's rows from a CSV table. Raises RedactionError."""
    lines = list(io.StringIO(text, newline=""))
    head = lines[0] if lines else ""
    rows = csv.reader(lines, delimiter=max(",;\t", key=head.count))
    kept, ended, removed, still = "", 0, 0, False
    whose: list[int] = []
    try:
        for number, row in enumerate(rows):
            # A row may span several lines, which are kept as written.
            written, ended = "".join(lines[ended : rows.line_num]), rows.line_num
            if not number:
                whose = [n for n, name in enumerate(row) if name.strip("\ufeff ").lower() in STUDENT_COLUMNS]
            elif is_row_of_student([row[n] for n in whose if n < len(row)], row, person):
                removed += 1
                continue
            still = still or any(person.is_named_in(cell) for cell in row if not is_numeric_text(cell))
            kept += written
    except csv.Error:
        raise RedactionError from None
    return RedactedText(kept, removed, still)


def is_row_of_student(whose: Iterable[Any], all_of_it: Iterable[Any], person: StudentIdentity) -> bool:
    """Return True if a row belongs to a student.

    If the entries `whose` identify a student, they decide; otherwise any entry may match. In a table for
    an LMS, that may be a full name.
    """
    said = list(whose)
    if any(person.matches_value(one, surely=True) for one in said):
        return True
    return not any(one in person.others for one in said) and any(map(person.matches_value, all_of_it))


def redact_json(text: str, person: StudentIdentity) -> RedactedText:
    """Remove a student's entries from JSON. Raises RedactionError."""
    removed, still = 0, False

    def is_theirs(value: Any) -> bool:
        if isinstance(value, dict):
            single = [one for one in value.values() if isinstance(one, str | int)]
            return is_row_of_student(
                [value[name] for name in STUDENT_COLUMNS if value.get(name) in single], single, person
            )
        return person.matches_value(value)

    def without(value: Any) -> Any:
        nonlocal removed, still
        if isinstance(value, list):
            kept = [item for item in value if not is_theirs(item)]
            removed += len(value) - len(kept)
            return [without(item) for item in kept]
        if isinstance(value, dict):
            others = {name: item for name, item in value.items() if not person.matches_value(name)}
            removed += len(value) - len(others)
            return {name: without(item) for name, item in others.items()}
        still = still or isinstance(value, str) and person.is_named_in(value)
        return value

    try:
        kept = without(json.loads(text))
    except (ValueError, RecursionError):
        raise RedactionError from None
    return RedactedText(json.dumps(kept, indent=2) + "\n" if removed else text, removed, still)


REDACTORS: dict[str, Callable[[str, StudentIdentity], RedactedText]] = {
    ".csv": redact_csv,
    ".tsv": redact_csv,
    ".json": redact_json,
}


def redact_content(kind: str, content: bytes, person: StudentIdentity) -> RedactedText:
    """Redact the content of a file whose suffix is in REDACTORS. Raises RedactionError."""
    try:
        return REDACTORS[kind](content.decode("utf-8"), person)
    except UnicodeDecodeError:
        raise RedactionError from None
