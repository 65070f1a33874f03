"""Build the overview at the top of a student page: points and messages by exercise."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from nbformat.notebooknode import NotebookNode
from nbgrader.api import Gradebook, SubmittedAssignment
from nbgrader.preprocessors import ClearHiddenTests
from traitlets.config import Configurable

from gradebox.autograde.adjustments import Adjustment, find_dropped_cells, read_adjustments
from gradebox.autograde.late_policy import LatePolicy
from gradebox.dates import Dates
from gradebox.notebook_exercises import find_title
from gradebox.notebook_metadata import read_missing_answers, read_repairs
from gradebox.printable_text import format_full_name
from gradebox.reports.exercise_results import (
    ExerciseResult,
    fill_exercise_results,
    find_exercises,
    is_shown_at_exercise,
)
from gradebox.reports.terminal_score_tables import read_submission_grades


@dataclass(frozen=True)
class Overview:
    """Overview of a graded notebook.

    points: after the penalty. whole: points earned in the whole assignment, and their maximum. waiting: cells
    that a person has to read. commented: cells with a manual comment. others: the other notebooks of the
    assignment, each with True if the notebook was handed in. adjustments: of the whole assignment. dropped:
    cells that do not count. dates: the course's time zone. timing: see `LatePolicy.describe_submission`.
    """

    student: str
    title: str
    points: float
    possible: float
    penalty: float
    late: bool
    exercises: list[ExerciseResult]
    repairs: list[str]
    whole: tuple[float, float]
    waiting: set[str]
    commented: set[str]
    others: list[tuple[str, bool]] = field(default_factory=list)
    adjustments: list[Adjustment] = field(default_factory=list)
    dropped: set[str] = field(default_factory=set)
    dates: Dates = field(default_factory=Dates)
    timing: str = ""

    @property
    def unread(self) -> int:
        return sum(one.unread for one in self.exercises)

    @property
    def not_started(self) -> str:
        """The exercises that were not started, such as "1.1, 1.3 to 1.5"."""
        runs = [list(run) for missing, run in groupby(self.exercises, attrgetter("not_started")) if missing]
        return ", ".join(" to ".join(dict.fromkeys((run[0].called, run[-1].called))) for run in runs)

    @property
    def waiting_points(self) -> float:
        """Maximum points of the written answers that are not read yet."""
        return sum(one.waiting for one in self.exercises)


def build_overview(
    step: Configurable,
    graded: NotebookNode,
    source: NotebookNode,
    resources: dict,
    handed_in: Mapping[str, Path],
) -> Overview:
    """Return the overview of a graded copy, for an nbgrader preprocessor.

    handed_in: the submitted files, by notebook.
    """
    names = resources["nbgrader"]
    notebook, assignment, student = names["notebook"], names["assignment"], names["student"]
    with Gradebook(names["db_url"]) as gradebook:
        entry = read_submission_grades(gradebook, assignment, student)[student]
        person = gradebook.find_student(student)
        called = format_full_name(person.first_name, person.last_name) or student
        own = gradebook.find_submission_notebook(notebook, assignment, student)
        penalty = own.late_submission_penalty or 0
        commented = {comment.name for comment in own.comments if comment.manual_comment is not None}
        others = [one.name for one in own.assignment.notebooks if one.name != notebook]
        total = own.assignment
        adjustments = read_adjustments(gradebook.db.connection(), assignment)
        dropped = find_dropped_cells(adjustments)
        possible = total.max_score - sum_maximum_points(total, dropped)
        timing = LatePolicy(parent=step).describe_submission(gradebook.db, student, assignment)
        whole = total.score - (total.late_submission_penalty or 0), possible
    found = find_exercises({notebook: source}, adjustments)
    fill_exercise_results(found, entry.grades, {notebook: graded}, ClearHiddenTests(parent=step))
    return Overview(
        *(called, find_title(source) or assignment),
        points=sum(one.points - one.held for one in found) - penalty,
        possible=sum(one.max_points for one in found),
        penalty=penalty,
        late=entry.late,
        exercises=found,
        repairs=[*read_repairs(graded), *read_missing_answers(graded)],
        whole=whole,
        waiting={cell for (of, cell), (_, waits) in entry.grades.items() if of == notebook and waits},
        commented=commented,
        others=sorted((name, name in handed_in) for name in others),
        adjustments=[one for one in adjustments if not is_shown_at_exercise(one)],
        dropped={cell for of, cell in dropped if of == notebook},
        dates=Dates(parent=step),
        timing=timing,
    )


def sum_maximum_points(submission: SubmittedAssignment, cells: Collection[tuple[str, str]]) -> float:
    """Return the maximum points of cells of a submission. cells: as (notebook, grade_id)."""
    return sum(
        cell.max_score
        for one in submission.notebooks
        for cell in (*one.notebook.grade_cells, *one.notebook.task_cells)
        if (one.name, cell.name) in cells
    )
