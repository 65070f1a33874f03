"""Collect the outcomes of a class per exercise of a lesson, from the gradebook and the graded copies."""

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from functools import cached_property

from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.autograde.adjustments import Adjustment, read_adjustments
from gradebox.autograde.due_date_extensions import read_due_date
from gradebox.autograde.fingerprint import read_graded_copies
from gradebox.autograde.graded_text_hashes import find_answers
from gradebox.autograde.incidents import EARLIER_RELEASE, Incident, find_incidents
from gradebox.course import Course
from gradebox.notebook_exercises import find_grade_id, find_title
from gradebox.notebook_metadata import FAILED, TIMED_OUT, read_ending
from gradebox.reports.exercise_results import ExerciseResult, fill_exercise_results, find_exercises
from gradebox.reports.student_standings import GRADED, UNREAD, Standing, find_standings
from gradebox.reports.terminal_score_tables import read_submission_grades

# Numbers in messages, which differ between students with the same mistake.
NUMBER_IN_MESSAGE = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
# Number of ranges in the distribution of the totals.
RANGES = 10
# Cells and texts, by notebook and grade_id.
CellsByKey = Mapping[tuple[str, str | None], NotebookNode]
TextsByKey = Mapping[tuple[str, str | None], tuple[str, ...]]


class Outcome(Enum):
    """The outcome of an attempt at an exercise, in the order of the page."""

    FULL = "full points"
    SECOND_CHANCE = "full points on a second chance"
    PARTIAL = "part of the points"
    NO_POINTS = "no points"
    NOT_TRIED = "not tried"


@dataclass(frozen=True)
class ExerciseAttempt:
    """A student's outcome in one exercise.

    points, possible: earned and maximum points, including written answers, except unread ones. tried:
    True if a cell has text that the released cells do not have. second_chance: True if the exercise had a
    second chance. unread: number of unread written answers. stopped: True if a solution cell stopped with an
    error. timed_out: True if one of its cells or tests timed out. mistakes: the names of known mistakes.
    said: the messages of tests, without numbers. answer: the student's code or text.
    """

    student: str
    points: float
    possible: float
    tried: bool
    second_chance: bool
    unread: int
    stopped: bool
    timed_out: bool
    mistakes: tuple[str, ...]
    said: tuple[str, ...]
    answer: str

    @property
    def full(self) -> bool:
        """True if the exercise earned full points."""
        return self.points >= self.possible

    @property
    def outcome(self) -> Outcome:
        """The outcome of the attempt, if no answer is unread."""
        if self.full:
            return Outcome.SECOND_CHANCE if self.second_chance else Outcome.FULL
        if self.points:
            return Outcome.PARTIAL
        return Outcome.NO_POINTS if self.tried else Outcome.NOT_TRIED


@dataclass(frozen=True)
class CommonMistake:
    """A mistake that students made.

    name: the name of a known mistake, or else the message of a test. known: True for a known mistake.
    example: the attempt of one of the students.
    """

    name: str
    known: bool
    students: tuple[str, ...]
    example: ExerciseAttempt


@dataclass
class ExerciseOutcomes:
    """An exercise of a lesson and the attempts of the class."""

    number: str | None
    title: str
    possible: float
    attempts: list[ExerciseAttempt] = field(default_factory=list)
    adjustments: list[Adjustment] = field(default_factory=list)

    @property
    def share(self) -> float | None:
        """The share of points earned, without unread answers; None if nothing is graded."""
        possible = sum(one.possible for one in self.attempts)
        return sum(one.points for one in self.attempts) / possible if possible else None

    @property
    def waiting(self) -> int:
        """The number of unread written answers."""
        return sum(one.unread for one in self.attempts)

    @property
    def outcomes(self) -> dict[Outcome, int]:
        """The number of students by outcome, in the order of the page, without zeros.

        The outcome of an unread answer is unknown, and an exercise that was dropped has none.
        """
        counts = Counter(one.outcome for one in self.attempts if self.possible and not one.unread)
        return {outcome: counts[outcome] for outcome in Outcome if counts[outcome]}

    def count(self, what: str) -> int:
        """Return the number of attempts in which this field is true or not 0."""
        return sum(bool(getattr(one, what)) for one in self.attempts)

    @property
    def mistakes(self) -> list[CommonMistake]:
        """The mistakes of the class, the most common first."""
        by_name: dict[tuple[str, bool], list[ExerciseAttempt]] = {}
        for one in self.attempts:
            for name in one.mistakes:
                by_name.setdefault((name, True), []).append(one)
            if not one.mistakes and one.tried and not one.full:
                for name in one.said:
                    by_name.setdefault((name, False), []).append(one)
        found = []
        for (name, known), those in by_name.items():
            # Show the attempt with the fewest other mistakes and the shortest code.
            example = min(those, key=lambda one: (len(one.mistakes), len(one.answer), one.answer))
            found.append(CommonMistake(name, known, tuple(one.student for one in those), example))
        return sorted(found, key=lambda one: (-len(one.students), not one.known, one.name))


@dataclass
class LessonOutcomes:
    """The outcomes of a lesson: the status of each student, the exercises and the incidents.

    overdue: the due date, without extensions, is past.
    """

    name: str
    title: str
    standings: Mapping[str, Standing]
    items: list[ExerciseOutcomes]
    incidents: list[Incident]
    overdue: bool = False

    @cached_property
    def possible(self) -> float:
        """The maximum points of the lesson."""
        return sum(item.possible for item in self.items)

    @cached_property
    def totals(self) -> dict[str, float]:
        """Points after penalties, by student, of all graded submissions; unread answers count 0."""
        is_graded = GRADED, UNREAD
        return {name: one.points for name, one in self.standings.items() if one.state in is_graded}

    @cached_property
    def shares(self) -> dict[str, float]:
        """The share of points earned after penalties, by student, without unread answers."""
        possible: dict[str, float] = {}
        for one in (one for item in self.items for one in item.attempts):
            possible[one.student] = possible.get(one.student, 0) + one.possible
        return {name: total / possible[name] for name, total in self.totals.items() if possible.get(name)}

    @property
    def distribution(self) -> list[tuple[float, float, int]]:
        """The lower and upper limit of each of RANGES ranges of points, and the number of totals in it.

        A total that is a limit belongs to the upper range. The maximum belongs to the last range.
        """
        low, high = min([0.0, *self.totals.values()]), max([self.possible, *self.totals.values()])
        width = (high - low) / RANGES or 1
        # Round, because quotients of fractions have rounding errors.
        places = (math.floor(round((total - low) / width, 6)) for total in self.totals.values())
        counts = Counter(min(place, RANGES - 1) for place in places)
        return [(low + n * width, low + (n + 1) * width, counts[n]) for n in range(RANGES)]

    def states(self) -> Counter[str]:
        """Return the number of students in each state."""
        return Counter(one.state for one in self.standings.values())


def collect_lesson_outcomes(
    course: Course, assignment: str, students: Collection[str] | None = None
) -> LessonOutcomes:
    """Return the outcomes of a class in an assignment. students: only these."""
    standings = find_standings(course, assignment)
    where = {name: one for name, one in standings.items() if students is None or name in students}
    sources = course.sources(assignment)
    released = collect_answer_texts(course.released(assignment))
    marks = ClearHiddenTests(parent=course.app)
    with course.gradebook() as gradebook:
        due = read_due_date(gradebook, assignment)
        adjustments = read_adjustments(gradebook.db.connection(), assignment)
        grades = {
            student: entry.grades for student, entry in read_submission_grades(gradebook, assignment).items()
        }
    items = [
        ExerciseOutcomes(one.number, one.title, one.max_points, adjustments=one.adjustments)
        for one in find_exercises(sources, adjustments)
    ]
    incidents = []
    for student, standing in where.items():
        if standing.state not in (GRADED, UNREAD):
            continue
        copies = read_graded_copies(course, assignment, student)
        found = find_exercises(sources, adjustments)
        fill_exercise_results(found, grades[student], copies, marks)
        cells = {(name, find_grade_id(cell)): cell for name, copy in copies.items() for cell in copy.cells}
        for item, one in zip(items, found, strict=True):
            item.attempts.append(build_attempt(student, one, cells, collect_answer_texts(copies), released))
        every = [one for copy in copies.values() for one in find_incidents(student, assignment, copy)]
        incidents += [one for one in every if one.kind != EARLIER_RELEASE]
    title = next(filter(None, map(find_title, sources.values())), assignment)
    overdue = due is not None and due < datetime.now(UTC).replace(tzinfo=None)
    return LessonOutcomes(assignment, title, where, items, incidents, overdue)


def collect_answer_texts(notebooks: Mapping[str, NotebookNode]) -> TextsByKey:
    """Return the student's texts for each cell, by notebook and grade_id.

    For a manually graded cell, these are the texts of all answer cells; for another cell, its own text.
    """
    found = {}
    for name, notebook in notebooks.items():
        answers = find_answers(notebook)
        for cell in notebook.cells:
            asked = answers.get(find_grade_id(cell) or "", [cell])
            found[name, find_grade_id(cell)] = tuple(one.source.strip() for one in asked)
    return found


def build_attempt(
    student: str, exercise: ExerciseResult, cells: CellsByKey, texts: TextsByKey, released: TextsByKey
) -> ExerciseAttempt:
    """Return a student's attempt at an exercise.

    cells, texts: of the graded copies. released: texts of the released notebooks.
    """
    notebooks = {one.notebook for one in (*exercise.tests, *exercise.answers)}
    asked = [(name, own) for name in notebooks for own in sorted(exercise.solutions)]
    asked += [(one.notebook, one.grade_id) for one in exercise.answers]
    asked = [key for key in asked if key in texts]
    own = [cells[key] for key in asked]
    tests = [cells[key] for one in exercise.tests if (key := (one.notebook, one.grade_id)) in cells]
    return ExerciseAttempt(
        student,
        points=exercise.points - exercise.held,
        possible=exercise.max_points - exercise.waiting,
        # The cells of an answer include the course's own text below it.
        tried=any(text and text not in released.get(key, ()) for key in asked for text in texts[key]),
        second_chance=exercise.second_chance,
        unread=exercise.unread,
        stopped=any(read_ending(cell) == FAILED for cell in own if utils.is_solution(cell)),
        timed_out=any(read_ending(cell) == TIMED_OUT for cell in (*own, *tests)),
        mistakes=tuple(dict.fromkeys(exercise.mistakes)),
        said=tuple(dict.fromkeys(normalize_message(text) for text in exercise.words)),
        answer="\n\n".join(text for key in asked for text in texts[key]),
    )


def normalize_message(said: str) -> str:
    """Return the first line of a test's message, with numbers replaced by "…"."""
    first = next((line for line in said.splitlines() if line.strip()), "")
    return NUMBER_IN_MESSAGE.sub("…", first)
