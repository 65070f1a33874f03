"""What stands first on a student's page: what a notebook has earned, exercise by exercise, and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nbformat.notebooknode import NotebookNode
from nbgrader.api import BaseCell, Comment, Gradebook
from nbgrader.preprocessors import ClearHiddenTests
from sqlalchemy import select
from traitlets.config import Configurable

from gradebox.notebook import headline
from gradebox.record import repairs
from gradebox.report.exercises import Exercise, exercises, fill
from gradebox.report.requests import Reply, Request, replies, requests
from gradebox.report.tables import entries
from gradebox.words import full_name


@dataclass(frozen=True)
class Line:
    """An exercise: what it has earned, and the words for it.

    points: with those of answers that were read. place, comment: the grade_ids of the cells to look at, and
    of a cell with a person's comment.
    """

    number: str | None
    title: str
    points: float
    possible: float
    unread: int
    words: list[str]
    place: str
    comment: str | None


@dataclass(frozen=True)
class Overview:
    """What came of a notebook.

    points: after the penalty. whole: points of the whole assignment, and those that it has. waiting: the
    cells that a person has to read. others: its other notebooks, and whether they were handed in.
    requests: the student's, answered or not.
    """

    student: str
    title: str
    points: float
    possible: float
    penalty: float
    late: bool
    lines: list[Line]
    repairs: list[str]
    whole: tuple[float, float]
    waiting: set[str]
    others: list[tuple[str, bool]] = field(default_factory=list)
    requests: list[tuple[Request, Reply | None]] = field(default_factory=list)

    @property
    def unread(self) -> int:
        return sum(line.unread for line in self.lines)


def overview(
    step: Configurable,
    graded: NotebookNode,
    source: NotebookNode,
    resources: dict,
    handed_in: Mapping[str, Path],
) -> Overview:
    """The overview of a graded copy, for a step of nbgrader's. handed_in: the files, by their notebooks."""
    names = resources["nbgrader"]
    notebook, assignment, student = names["notebook"], names["assignment"], names["student"]
    path = handed_in.get(notebook)
    asked = requests(path.parent, [path], student, assignment) if path else []
    with Gradebook(names["db_url"]) as gradebook:
        entry = entries(gradebook, assignment, student)[student]
        person = gradebook.find_student(student)
        called = full_name(person.first_name, person.last_name) or student
        own = gradebook.find_submission_notebook(notebook, assignment, student)
        penalty = own.late_submission_penalty or 0
        commented = comments(gradebook, own.id)
        answered = replies(gradebook.db.connection(), assignment, student)
        others = [one.name for one in own.assignment.notebooks if one.name != notebook]
        total = own.assignment
        whole = total.score - (total.late_submission_penalty or 0), total.max_score
    found = exercises({notebook: source})
    fill(found, entry.grades, {notebook: graded}, ClearHiddenTests(parent=step))
    lines = [line(one, entry.grades, commented) for one in found]
    return Overview(
        *(called, headline(source) or assignment),
        points=sum(one.points for one in lines) - penalty,
        possible=sum(one.possible for one in lines),
        penalty=penalty,
        late=entry.late,
        lines=lines,
        repairs=repairs(graded),
        whole=whole,
        waiting={cell for (of, cell), (_, waits) in entry.grades.items() if of == notebook and waits},
        others=sorted((name, name in handed_in) for name in others),
        requests=[(one, answered.get(one.id)) for one in asked],
    )


def line(
    exercise: Exercise, grades: Mapping[tuple[str, str], tuple[float, bool]], commented: set[str]
) -> Line:
    cells = [*exercise.tests, *exercise.answers]
    short = (one for one in cells if grades.get((one.notebook, one.grade_id), (0, True))[0] < one.points)
    said = [one.grade_id for one in exercise.answers if one.grade_id in commented]
    return Line(
        *(exercise.number, exercise.title),
        points=exercise.score + exercise.read,
        possible=exercise.possible + exercise.written,
        unread=exercise.unread,
        words=exercise.words,
        place=next(short, cells[0]).grade_id,
        comment=said[0] if said else None,
    )


def comments(gradebook: Gradebook, submitted: str) -> set[str]:
    """The cells of a submitted notebook that a person has commented."""
    comment, cell = Comment.__table__, BaseCell.__table__
    rows = gradebook.db.connection().execute(
        select(cell.c.name)
        .select_from(comment.join(cell, cell.c.id == comment.c.cell_id))
        .where(comment.c.notebook_id == submitted, comment.c.manual_comment.is_not(None))
    )
    return {row.name for row in rows}
