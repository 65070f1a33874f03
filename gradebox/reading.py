"""Which answers a person has read: those whose text is the one that was there when the points were given.

nbgrader's gradebook says that a person gave points, but not for what. So the text that each grade is for is
kept beside it, as a hash, in a table of our own.
"""

import hashlib
from collections.abc import Iterable

from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from nbgrader.api import Grade, Gradebook
from sqlalchemy import Column, MetaData, String, Table, delete, insert, select

from gradebox.cells import name_of

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
            found[name_of(cell)] = hashed(answer_to(cells[number + 1 :]))
        elif utils.is_grade(cell):
            found[name_of(cell)] = hashed([cell]) if utils.is_solution(cell) else code
    return found


def answer_to(following: list[NotebookNode]) -> Iterable[NotebookNode]:
    for cell in following:
        if name_of(cell):
            return
        yield cell


def hashed(cells: Iterable[NotebookNode]) -> str:
    digest = hashlib.sha256()
    for cell in cells:
        for part in (cell.cell_type, cell.source, str(sorted(cell.get("attachments", {}).items()))):
            digest.update(hashlib.sha256(part.encode()).digest())
    return digest.hexdigest()


def known_texts(gradebook: Gradebook, grades: Iterable[Grade]) -> dict[str, str]:
    """What these grades are for, by grade_id, as far as that was kept."""
    gradebook.db.flush()
    connection = gradebook.db.connection()
    TEXTS.create(connection, checkfirst=True)
    names = {grade.id: grade.name for grade in grades}
    rows = connection.execute(select(TEXTS).where(TEXTS.c.grade_id.in_(names)))
    return {names[row.grade_id]: row.text for row in rows}


def keep_texts(gradebook: Gradebook, grades: Iterable[Grade], new: dict[str, str]) -> None:
    """Keep what these grades are for, by grade_id."""
    rows = [{"grade_id": grade.id, "text": new[grade.name]} for grade in grades if grade.name in new]
    connection = gradebook.db.connection()
    if rows:
        connection.execute(delete(TEXTS).where(TEXTS.c.grade_id.in_([row["grade_id"] for row in rows])))
        connection.execute(insert(TEXTS), rows)
