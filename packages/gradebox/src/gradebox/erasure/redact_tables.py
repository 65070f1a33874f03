"""Redact a student's rows and entries from CSV and JSON text. All other rows are unchanged."""

import csv
import io
import json
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from gradebox.csv_table import MAX_CELL_LENGTH, detect_encoding
from gradebox.erasure.row_owners import RowEntries, is_row_of_student, normalize_heading
from gradebox.erasure.student_identity import StudentIdentity, may_be_word

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
    still = any(person.is_split_in(row) or any(map(person.may_be_named_in, row)) for row, _ in kept)
    return RedactedText("".join(written for _, written in kept), len(read) - len(kept), still)


def holds_ids(heading: object) -> bool:
    return bool(ID_HEADING.search(normalize_heading(heading)))


def redact_json(text: str, person: StudentIdentity) -> RedactedText:
    """Remove a student's entries from JSON. Raises RedactionError."""
    try:
        content = json.loads(text)
        redaction = JsonRedaction(person)
        kept = redaction.redact(content)
    except (ValueError, RecursionError):
        raise RedactionError from None
    removed = redaction.removed
    return RedactedText(json.dumps(kept, indent=2) + "\n" if removed else text, removed, redaction.still)


class JsonRedaction:
    """Redaction of a student's entries from parsed JSON. removed, still: see RedactedText."""

    def __init__(self, person: StudentIdentity) -> None:
        self.person = person
        self.removed = 0
        self.still = False

    def redact(self, value: Any, where: object = None, others: bool = False) -> Any:
        """Return a value without the student's entries.

        where: the key of the value. others: True within an entry of another student, which does not change.
        """
        if isinstance(value, list):
            return self.redact_list(value, where, others)
        if isinstance(value, dict):
            return self.redact_object(value, where, others)
        self.still = self.still or isinstance(value, str) and self.person.may_be_named_in(value)
        return value

    def redact_list(self, values: list[Any], where: object, others: bool) -> list[Any]:
        sure = self.lists_students(where, [item for item in values if isinstance(item, str)])
        kept = values if others else [item for item in values if not self.is_own_item(item, sure)]
        self.removed += len(values) - len(kept)
        self.still = self.still or self.person.is_split_in(kept)
        # A list in a list may be a row of a table without headings, such as a pair of partners.
        return [self.redact(item, None, others or isinstance(item, list)) for item in kept]

    def redact_object(self, entries: dict[str, Any], where: object, others: bool) -> dict[str, Any]:
        sure = self.lists_students(where, entries)
        others = others or bool(RowEntries(list(entries), list(entries.values())).sure)
        kept = {name: item for name, item in entries.items() if others or not self.is_own_key(name, sure)}
        self.removed += len(entries) - len(kept)
        self.still = (
            self.still
            or self.person.is_split_in(list(kept.values()))
            or any(map(self.person.may_be_named_in, kept))
        )
        return {
            name: self.redact(item, name, others or sure or self.person.is_another(name))
            for name, item in kept.items()
        }

    def is_own_item(self, value: Any, sure: bool) -> bool:
        if not isinstance(value, Mapping):
            return self.is_own_key(value, sure)
        single = {name: one for name, one in value.items() if isinstance(one, str | int)}
        listed = [holds_ids(name) for name in single]
        return is_row_of_student(list(single), list(single.values()), listed, self.person)

    def is_own_key(self, value: Any, sure: bool) -> bool:
        return self.person.owns(value) and (sure or not may_be_word(str(value).strip()))

    def lists_students(self, where: object, values: Collection[Any]) -> bool:
        return holds_ids(where) or any(map(self.person.is_another, values))


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
