"""Hashes of graded answers, to detect answers that have changed since a person gave points.

nbgrader's gradebook records that a person gave points, but not for which text. So gradebox stores a hash of
the graded text for each grade, in a separate table.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping

from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from sqlalchemy import Column, Connection, MetaData, String, Table, delete, insert, select

from gradebox.notebook_exercises import END_CELL_IDS, find_grade_id, get_grade_id
from gradebox.notebook_metadata import read_answer_parts

TEXT_HASHES_TABLE = Table(
    "gradebox_text",
    MetaData(),
    Column("grade_id", String(32), primary_key=True),
    Column("text", String(64), nullable=False),
)


def hash_graded_texts(notebook: NotebookNode) -> dict[str, str]:
    """Return a hash of the text that each graded cell's points are for, by grade_id.

    For a task, this is the text of the following cells, up to the instructor's next cell. For an answer, it
    is the answer itself. For a test, it is all code of the student.
    """
    found, cells = {}, notebook.cells
    code = hash_cells(cell for cell in cells if cell.cell_type == "code" and not utils.is_locked(cell))
    for name, answer in find_answers(notebook).items():
        found[name] = hash_cells(answer)
    for cell in cells:
        if utils.is_grade(cell) and not utils.is_solution(cell):
            found[get_grade_id(cell)] = code
    return found


def find_answers(notebook: NotebookNode) -> dict[str, list[NotebookNode]]:
    """Return the answer cells of each manually graded cell, in notebook order, by grade_id.

    These are the cells after a task, or a solution cell and the other parts of the answer.
    """
    cells, found = notebook.cells, dict[str, list[NotebookNode]]()
    # Cells between two answers are parts of both.
    answers_of: dict[str, list[str]] = {}
    for answer, parts in read_answer_parts(notebook).items():
        for part in parts:
            answers_of.setdefault(part, []).append(answer)
    for number, cell in enumerate(cells):
        name = find_grade_id(cell)
        if name and utils.is_task(cell):
            found[name] = list(select_answer_cells(cells[number + 1 :]))
        elif name and utils.is_grade(cell) and utils.is_solution(cell):
            found.setdefault(name, []).append(cell)
        elif not name:
            for answer in answers_of.get(cell.get("id"), ()):
                found.setdefault(answer, []).append(cell)
    return found


def select_answer_cells(following: list[NotebookNode]) -> Iterable[NotebookNode]:
    for cell in following:
        if find_grade_id(cell) or cell.get("id") in END_CELL_IDS:
            return
        yield cell


def hash_cells(cells: Iterable[NotebookNode]) -> str:
    return hash_parts(
        part.encode()
        for cell in cells
        for part in (cell.cell_type, cell.source, str(sorted(cell.get("attachments", {}).items())))
    ).hex()


def hash_parts(parts: Iterable[bytes]) -> bytes:
    """Return a hash of several parts, which also depends on the boundaries of the parts."""
    found = hashlib.sha256()
    for part in parts:
        found.update(hashlib.sha256(part).digest())
    return found.digest()


def read_text_hashes(connection: Connection, grades: Collection[str]) -> dict[str, str]:
    """Return the stored text hashes of the grades with these ids, by id."""
    TEXT_HASHES_TABLE.create(connection, checkfirst=True)
    rows = connection.execute(select(TEXT_HASHES_TABLE).where(TEXT_HASHES_TABLE.c.grade_id.in_(grades)))
    return {row.grade_id: row.text for row in rows}


def store_text_hashes(connection: Connection, new: Mapping[str, str]) -> None:
    """Store text hashes of grades, by grade id."""
    if new:
        connection.execute(delete(TEXT_HASHES_TABLE).where(TEXT_HASHES_TABLE.c.grade_id.in_(new)))
        rows = [{"grade_id": grade, "text": text} for grade, text in new.items()]
        connection.execute(insert(TEXT_HASHES_TABLE), rows)
