"""Redact a student's rows and entries from CSV and JSON text. All other rows are unchanged."""

import csv
import io
import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from gradebox.csv_table import MAX_CELL_LENGTH, detect_encoding
from gradebox.erasure.student_identity import StudentIdentity, fold_text, may_be_word

# Headings of columns, and keys of a list's entries, that identify the student of a row.
STUDENT_COLUMNS = ("student_id", "student id", "student")
# Headings of columns, and keys, that may contain an id.
ID_HEADING = re.compile(r"\b(?:students?|s?ids?|net ?id|user ?(?:name)?|log ?in|account|name)\b")


class RedactionError(Exception):
    """Error for a file that can't be redacted, such as a table or list that can't be parsed."""


class RedactedText(NamedTuple):
    """Text of a file without a student's data.

    removed: number of removed rows or entries. still: True if other students' rows name the student.
    """

    text: str
    removed: int
    still: bool


class RedactedContent(NamedTuple):
    """Content of a file without a student's data, in the encoding of the file; see RedactedText."""

    content: bytes
    removed: int
    still: bool


def redact_csv(text: str, person: StudentIdentity) -> RedactedText:
    """Remove a student's rows from a CSV table. Raises RedactionError."""
    lines = list(io.StringIO(text, newline=""))
    head = lines[0] if lines else ""
    csv.field_size_limit(MAX_CELL_LENGTH)
    rows = csv.reader(lines, delimiter=max(",;\t", key=head.count))
    read: list[tuple[list[str], str]] = []
    ended = 0
    try:
        for row in rows:
            # A row may span several lines, which are kept as written.
            read.append((row, "".join(lines[ended : rows.line_num])))
            ended = rows.line_num
    except csv.Error:
        raise RedactionError from None
    headings = read[0][0] if read else []
    listed = [holds_ids(heading) for heading in headings]
    for row, _ in read[1:]:
        # A column with another student's name is a column of students, whatever its heading.
        listed += [False] * (len(row) - len(listed))
        listed = [known or n < len(row) and person.is_another(row[n]) for n, known in enumerate(listed)]
    kept = [
        one for n, one in enumerate(read) if not n or not is_row_of_student(headings, one[0], listed, person)
    ]
    still = any(person.may_be_named_in(cell) for row, _ in kept for cell in row)
    return RedactedText("".join(written for _, written in kept), len(read) - len(kept), still)


def holds_ids(heading: object) -> bool:
    return isinstance(heading, str) and bool(ID_HEADING.search(fold_text(heading).replace("_", " ")))


def is_row_of_student(
    headings: Sequence[object], cells: Sequence[Any], listed: Sequence[bool], person: StudentIdentity
) -> bool:
    """Return True if a row belongs to a student.

    If a column of STUDENT_COLUMNS identifies a student, that column decides; otherwise the first cell, or the
    first pair of cells with a given name and a family name, that identifies a student. In a table for an LMS,
    that may be a full name. An id that may be a common word counts only in a column of ids (`listed`).
    """
    known = [fold_text(one) if isinstance(one, str) else "" for one in headings[: len(cells)]]
    said = [cell for heading, cell in zip(known, cells, strict=False) if heading in STUDENT_COLUMNS]
    if any(person.owns(one, surely=True) for one in said):
        return True
    if any(person.is_another(one, surely=True) for one in said):
        return False
    for n, cell in enumerate(cells):
        both = f"{cell} {cells[n + 1]}" if n + 1 < len(cells) else ""
        for value in (cell, both):
            if person.is_another(value):
                return False
            word = value is cell and may_be_word(str(value).strip())
            if person.owns(value) and (not word or listed[n]):
                return True
    return False


def redact_json(text: str, person: StudentIdentity) -> RedactedText:
    """Remove a student's entries from JSON. Raises RedactionError."""
    removed, still = 0, False

    def is_theirs(value: Any, sure: bool) -> bool:
        if isinstance(value, Mapping):
            single = {name: one for name, one in value.items() if isinstance(one, str | int)}
            headings = list(single)
            return is_row_of_student(
                headings, list(single.values()), [holds_ids(name) for name in headings], person
            )
        return person.owns(value) and (sure or not may_be_word(str(value).strip()))

    def lists_students(where: object, values: Collection[Any]) -> bool:
        return holds_ids(where) or any(map(person.is_another, values))

    def without(value: Any, where: object = None) -> Any:
        nonlocal removed, still
        if isinstance(value, list):
            sure = lists_students(where, [item for item in value if isinstance(item, str)])
            kept = [item for item in value if not is_theirs(item, sure)]
            removed += len(value) - len(kept)
            return [without(item) for item in kept]
        if isinstance(value, dict):
            sure = lists_students(where, value)
            others = {name: item for name, item in value.items() if not is_theirs(name, sure)}
            removed += len(value) - len(others)
            still = still or any(person.may_be_named_in(name) for name in others)
            return {name: without(item, name) for name, item in others.items()}
        still = still or isinstance(value, str) and person.may_be_named_in(value)
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


def redact_content(kind: str, content: bytes, person: StudentIdentity) -> RedactedContent:
    """Redact the content of a file whose suffix is in REDACTORS. Raises RedactionError."""
    encoding = detect_encoding(content)
    found = REDACTORS[kind](content.decode(encoding), person)
    return RedactedContent(
        found.text.encode(encoding) if found.removed else content, found.removed, found.still
    )
