"""Decide by the headings of a table whether a row belongs to a student. Other students' rows never do."""

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any

from gradebox.csv_table import (
    EMAIL_HEADINGS,
    FIRST_NAME_HEADINGS,
    FULL_NAME_HEADINGS,
    ID_HEADINGS,
    LAST_NAME_HEADINGS,
)
from gradebox.erasure.student_identity import StudentIdentity, fold_text, may_be_word


def normalize_heading(heading: object) -> str:
    return fold_text(heading).replace("_", " ") if isinstance(heading, str) else ""


# Headings of columns, and keys, whose entries are the student of a row.
STUDENT_COLUMNS = {"student id", "student"}
ID_COLUMNS, NAME_COLUMNS, FIRST_NAME_COLUMNS, LAST_NAME_COLUMNS, EMAIL_COLUMNS = (
    {normalize_heading(heading) for heading in headings}
    for headings in (
        ID_HEADINGS,
        FULL_NAME_HEADINGS,
        (*FIRST_NAME_HEADINGS, "first"),
        (*LAST_NAME_HEADINGS, "last"),
        EMAIL_HEADINGS,
    )
)
# May also be the number of a row.
NUMBER_COLUMNS = {"id"}


class RowEntries:
    """Entries of a row that identify a student, by the kind of their headings.

    names: full names, also those made from a column of first names and a column of last names.
    """

    def __init__(self, headings: Sequence[object], cells: Sequence[Any]) -> None:
        pairs = list(zip(map(normalize_heading, headings), cells, strict=False))

        def select(columns: Collection[str]) -> list[Any]:
            return [cell for heading, cell in pairs if heading in columns and is_filled(cell)]

        self.students = select(STUDENT_COLUMNS)
        self.ids = select(ID_COLUMNS - STUDENT_COLUMNS)
        self.emails, self.numbers = select(EMAIL_COLUMNS), select(NUMBER_COLUMNS)
        self.names = select(NAME_COLUMNS - STUDENT_COLUMNS)
        parts = [*select(FIRST_NAME_COLUMNS)[:1], *select(LAST_NAME_COLUMNS)[:1]]
        self.names += [" ".join(map(str, parts))] if parts else []
        self.sure = [*self.students, *self.ids, *self.names, *self.emails]


def is_filled(cell: object) -> bool:
    return isinstance(cell, str | int) and any(sign.isalnum() for sign in str(cell))


def is_row_of_student(
    headings: Sequence[object], cells: Sequence[Any], listed: Sequence[bool], person: StudentIdentity
) -> bool:
    """Return True if a row certainly belongs to a student.

    If the row has entries in columns of students, these decide: a row of an unknown student stays, too. In
    other tables, a row belongs to the student in the first cell with letters, or in the first two. `listed`
    marks columns of ids; an id that may be a common word counts only there.
    """
    found = RowEntries(headings, cells)

    def any_own(entries: list[Any]) -> bool:
        return any(person.owns(one, surely=True) for one in entries)

    def any_unknown(entries: list[Any]) -> bool:
        return not all(map(person.may_be, entries))

    if any(person.is_another(one, surely=True) for one in found.sure) or any(
        map(person.is_another, found.numbers)
    ):
        return False
    if found.students and (any_own(found.students) or any_unknown(found.students)):
        return any_own(found.students)
    if any_own(found.ids):
        return True
    if any_own(found.names):
        # Somebody who is not in the gradebook can have the same name.
        return not found.ids or any_own(found.emails)
    if any_unknown(found.names):
        # A column "Name" may contain last names only.
        return any_own(list_neighbour_pairs(cells, found.names))
    if any_own([*found.emails, *found.numbers]):
        return True
    return not (found.ids or found.names) and begins_with(cells, listed, person)


def list_neighbour_pairs(cells: Sequence[Any], names: Collection[Any]) -> list[str]:
    """Return each name of a row joined with the cell after it and with the cell before it."""
    return [f"{one} {two}" for one, two in pairwise(cells) if one in names or two in names]


def begins_with(cells: Sequence[Any], listed: Sequence[bool], person: StudentIdentity) -> bool:
    """Return True if the first cell with letters is the student, or that cell and the next are the name."""
    for n, cell in enumerate(cells):
        both = f"{cell} {cells[n + 1]}" if n + 1 < len(cells) else ""
        word = may_be_word(str(cell).strip()) and not listed[n]
        if person.owns(both) or person.owns(cell) and not word:
            return True
        if person.is_another(cell) or person.is_another(both) or any(map(str.isalpha, str(cell))):
            return False
    return False
