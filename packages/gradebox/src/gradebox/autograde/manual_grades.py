"""Which answers a person has read: those whose text is the one that was there when the points were given.

nbgrader's gradebook says that a person gave points, but not for what. So the text that each grade is for is
kept beside it, as a hash, in a table of our own.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping

from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from sqlalchemy import Column, Connection, MetaData, String, Table, delete, insert, select

from gradebox.notebook import HAND_IN, grade_id, name_of

TEXTS = Table(
    "gradebox_text",
    MetaData(),
    Column("grade_id", String(32), primary_key=True),
    Column("text", String(64), nullable=False),
)


def texts(notebook: NotebookNode) -> dict[str, str]:
    """A hash of what each graded cell's points are for, by grade_id.

    For a question, that is what follows, up to the next cell of the instructor's; for an answer, itself; for
    a test, all code that is the student's.
    """
    found, cells = {}, notebook.cells
    code = hashed(cell for cell in cells if cell.cell_type == "code" and not utils.is_locked(cell))
    for number, cell in enumerate(cells):
        if utils.is_task(cell):
            found[grade_id(cell)] = hashed(answer_to(cells[number + 1 :]))
        elif utils.is_grade(cell):
            found[grade_id(cell)] = hashed([cell]) if utils.is_solution(cell) else code
    return found


def answer_to(following: list[NotebookNode]) -> Iterable[NotebookNode]:
    for cell in following:
        if name_of(cell) or cell.get("id") == HAND_IN:
            return
        yield cell


def hashed(cells: Iterable[NotebookNode]) -> str:
    return digest(
        part.encode()
        for cell in cells
        for part in (cell.cell_type, cell.source, str(sorted(cell.get("attachments", {}).items())))
    ).hex()


def digest(parts: Iterable[bytes]) -> bytes:
    """Return a hash of several parts, which also says where one ends."""
    found = hashlib.sha256()
    for part in parts:
        found.update(hashlib.sha256(part).digest())
    return found.digest()


def known_texts(connection: Connection, grades: Collection[str]) -> dict[str, str]:
    """What the grades with these ids are for, as far as that was kept."""
    TEXTS.create(connection, checkfirst=True)
    rows = connection.execute(select(TEXTS).where(TEXTS.c.grade_id.in_(grades)))
    return {row.grade_id: row.text for row in rows}


def keep_texts(connection: Connection, new: Mapping[str, str]) -> None:
    """Keep what grades are for, by their ids."""
    if new:
        connection.execute(delete(TEXTS).where(TEXTS.c.grade_id.in_(new)))
        rows = [{"grade_id": grade, "text": text} for grade, text in new.items()]
        connection.execute(insert(TEXTS), rows)
