"""What stands first on a student's page: what a notebook has earned, exercise by exercise, and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nbformat.notebooknode import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import ClearHiddenTests
from traitlets.config import Configurable

from gradebox.notebook import headline
from gradebox.notebook_metadata import repairs
from gradebox.printable_text import full_name
from gradebox.reports.exercise_results import Exercise, exercises, fill
from gradebox.reports.regrade_requests import Reply, Request, replies, requests
from gradebox.reports.score_tables import entries


@dataclass(frozen=True)
class Overview:
    """What came of a notebook.

    points: after the penalty. whole: points of the whole assignment, and those that it has. waiting: the
    cells that a person has to read; commented: those that a person has commented. others: its other
    notebooks, and whether they were handed in. requests: the student's, answered or not.
    """

    student: str
    title: str
    points: float
    possible: float
    penalty: float
    late: bool
    exercises: list[Exercise]
    repairs: list[str]
    whole: tuple[float, float]
    waiting: set[str]
    commented: set[str]
    others: list[tuple[str, bool]] = field(default_factory=list)
    requests: list[tuple[Request, Reply | None]] = field(default_factory=list)

    @property
    def unread(self) -> int:
        return sum(one.unread for one in self.exercises)


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
        commented = {comment.name for comment in own.comments if comment.manual_comment is not None}
        answered = replies(gradebook.db.connection(), assignment, student)
        others = [one.name for one in own.assignment.notebooks if one.name != notebook]
        total = own.assignment
        whole = total.score - (total.late_submission_penalty or 0), total.max_score
    found = exercises({notebook: source})
    fill(found, entry.grades, {notebook: graded}, ClearHiddenTests(parent=step))
    return Overview(
        *(called, headline(source) or assignment),
        points=sum(one.points for one in found) - penalty,
        possible=sum(one.most for one in found),
        penalty=penalty,
        late=entry.late,
        exercises=found,
        repairs=repairs(graded),
        whole=whole,
        waiting={cell for (of, cell), (_, waits) in entry.grades.items() if of == notebook and waits},
        commented=commented,
        others=sorted((name, name in handed_in) for name in others),
        requests=[(one, answered.get(one.id)) for one in asked],
    )
