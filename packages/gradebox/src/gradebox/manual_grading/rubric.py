"""Rubric of a question: items with a sentence and points, which readers apply to answers.

The answers that an item was applied to are recorded, so that a change of the item changes all of them. Used
by `grading_service.py`.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from nbgrader.api import new_uuid
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Float,
    MetaData,
    String,
    Table,
    Text,
    delete,
    insert,
    inspect,
    text,
    update,
)

from gradebox.gradebook_transactions import select_rows, upsert_row
from gradebox.manual_grading.written_questions import Question

METADATA = MetaData()
# The items of each question. The column `points` is younger than the table, and null for a sentence only.
ITEMS = Table(
    "gradebox_phrase",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("assignment", String(128), nullable=False),
    Column("cell", String(255), nullable=False),
    Column("text", Text, nullable=False),
    Column("points", Float),
)
# The items that were applied to each answer.
APPLIED = Table(
    "gradebox_applied_item",
    METADATA,
    Column("grade_id", String(32), primary_key=True),
    Column("item_id", String(32), primary_key=True),
)
# Questions whose points start at the maximum. All others start at 0.
STARTS = Table(
    "gradebox_rubric_start",
    METADATA,
    Column("assignment", String(128), primary_key=True),
    Column("cell", String(255), primary_key=True),
    Column("full", Boolean, nullable=False),
)


@dataclass(frozen=True)
class RubricItem:
    """Sentence for the comment, with the points that it adds (negative: deducts); None for no points."""

    id: str
    text: str
    points: float | None


@dataclass(frozen=True)
class Rubric:
    """Rubric of a question. full: True if points start at the maximum, False if they start at 0."""

    items: list[RubricItem]
    full: bool
    possible: float

    def compute_points(self, applied: Collection[str]) -> float:
        """Return the points of an answer with these items, from 0 to the maximum."""
        earned = sum(one.points or 0 for one in self.items if one.id in applied)
        return min(max(earned + (self.possible if self.full else 0), 0), self.possible)

    def change(self, item: RubricItem) -> "Rubric":
        """Return the rubric with another text and other points of an item."""
        items = [item if one.id == item.id else one for one in self.items]
        return replace(self, items=items)


def update_points(points: float | None, applied: Collection[str], old: Rubric, new: Rubric) -> float | None:
    """Return an answer's points after a change of its rubric.

    Points that are the sum of the rubric are computed again. A person has chosen all others, so they change
    by the difference.
    """
    if points is None:
        return None
    if points == old.compute_points(applied):
        return new.compute_points(applied)
    change = sum(
        (one.points or 0) - (before.points or 0)
        for one, before in zip(new.items, old.items, strict=True)
        if one.id in applied
    )
    return min(max(points + change, 0), new.possible)


def update_comment(comment: str, old: str, new: str) -> str:
    """Return a comment with an item's sentence replaced, where the sentence is a line of the comment."""
    return "\n".join(new if line == old else line for line in comment.split("\n"))


def read_rubric(connection: Connection, question: Question) -> Rubric:
    """Return the rubric of a question, oldest item first."""
    add_points_column(connection)
    mine = ITEMS.c.assignment == question.assignment, ITEMS.c.cell == question.cell.grade_id
    items = [RubricItem(row.id, row.text, row.points) for row in select_rows(connection, ITEMS, *mine)]
    mine = STARTS.c.assignment == question.assignment, STARTS.c.cell == question.cell.grade_id
    starts = select_rows(connection, STARTS, *mine)
    return Rubric(items, any(row.full for row in starts), question.cell.points)


def add_points_column(connection: Connection) -> None:
    """Add the column of points to a table from a time when items had none."""
    known = inspect(connection)
    if known.has_table(ITEMS.name) and "points" not in {one["name"] for one in known.get_columns(ITEMS.name)}:
        connection.execute(text(f"ALTER TABLE {ITEMS.name} ADD COLUMN points FLOAT"))


def read_applied(connection: Connection, items: Iterable[RubricItem]) -> dict[str, set[str]]:
    """Return the items that were applied to answers, by grade id."""
    found: dict[str, set[str]] = {}
    for row in select_rows(connection, APPLIED, APPLIED.c.item_id.in_([one.id for one in items])):
        found.setdefault(row.grade_id, set()).add(row.item_id)
    return found


def save_applied(connection: Connection, grade: str, items: Collection[str]) -> None:
    """Store the items that are applied to an answer, replacing those before."""
    APPLIED.create(connection, checkfirst=True)
    connection.execute(delete(APPLIED).where(APPLIED.c.grade_id == grade))
    if items:
        connection.execute(insert(APPLIED), [{"grade_id": grade, "item_id": one} for one in items])


def add_item(connection: Connection, question: Question, sentence: str, points: float | None) -> None:
    row = {"id": new_uuid(), "assignment": question.assignment, "cell": question.cell.grade_id}
    upsert_row(connection, ITEMS, {**row, "text": sentence, "points": points})


def change_item(connection: Connection, item: RubricItem) -> None:
    values = {"text": item.text, "points": item.points}
    connection.execute(update(ITEMS).where(ITEMS.c.id == item.id).values(values))


def delete_item(connection: Connection, item: RubricItem) -> None:
    """Delete an item. The points and comments of answers stay."""
    connection.execute(delete(ITEMS).where(ITEMS.c.id == item.id))
    APPLIED.create(connection, checkfirst=True)
    connection.execute(delete(APPLIED).where(APPLIED.c.item_id == item.id))


def save_start(connection: Connection, question: Question, full: bool) -> None:
    row = {"assignment": question.assignment, "cell": question.cell.grade_id, "full": full}
    upsert_row(connection, STARTS, row)
