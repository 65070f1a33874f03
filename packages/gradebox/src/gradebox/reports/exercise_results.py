"""Results of a graded submission by exercise: points, and the messages that the student may read.

The student page (see `feedback_preprocessor.py`) shows no other information about a test.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.autograde.adjustments import BONUS, Adjustment, find_dropped_cells, read_adjustments
from gradebox.autograde.partial_credit import find_invalid_points
from gradebox.course import Course
from gradebox.execute.second_chance import SECOND_CHANCE_COMMENT
from gradebox.notebook_exercises import (
    GradedCell,
    find_grade_id,
    find_graded_cells,
    find_hidden_lines,
    map_tests_to_solutions,
)
from gradebox.notebook_metadata import OK, has_passed_second_chance, read_advice_name, read_ending
from gradebox.printable_text import printable
from gradebox.reports.redact_failures import (
    NOT_SCORED_MESSAGE,
    describe_cell_failure,
    find_test_message,
    shorten_text,
)
from gradebox.reports.terminal_score_tables import read_submission_grades

UNFINISHED_MESSAGE = "The test did not finish."
PARTIAL_CREDIT_MESSAGE = "The test gives {:g} of {:g} points."
MISSING_NOTEBOOK_MESSAGE = "The notebook of this exercise was not handed in."


@dataclass
class ExerciseResult:
    """One exercise of a notebook: its graded cells and the points earned.

    number: None if the heading has no number. score, possible: points earned by tests, and their maximum.
    written: maximum points of the written answers, which a person grades. read: points earned by these
    answers. unread: how many of these answers are not read yet. waiting: maximum points of the unread
    answers. held: points that the unread answers had before. tests, answers: graded cells.
    solutions: grade_ids of the solution cells. words: messages for the student. mistakes: names of known
    mistakes. second_chance: True if a test passed on a second chance. place: grade_id of the cell that the
    page links to. adjustments: those to show at this exercise.
    """

    number: str | None
    title: str
    score: float = 0
    possible: float = 0
    written: float = 0
    read: float = 0
    unread: int = 0
    waiting: float = 0
    held: float = 0
    tests: list[GradedCell] = field(default_factory=list)
    answers: list[GradedCell] = field(default_factory=list)
    solutions: set[str] = field(default_factory=set)
    words: list[str] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)
    second_chance: bool = False
    place: str = ""
    adjustments: list[Adjustment] = field(default_factory=list)

    @property
    def called(self) -> str:
        return self.number or self.title

    @property
    def not_started(self) -> bool:
        """True if every message is that the code is not written yet."""
        missing = all("NotImplementedError" in text for text in self.words)
        return bool(self.words) and missing and not self.score

    @property
    def points(self) -> float:
        """Points earned, including written answers that were read."""
        return self.score + self.read

    @property
    def max_points(self) -> float:
        """Maximum points, including written answers."""
        return self.possible + self.written


def is_shown_at_exercise(one: Adjustment) -> bool:
    """Return True if an adjustment is of one exercise, or in the points of one; else it is of the lesson."""
    return bool(one.exercise) or one.kind == BONUS


def find_exercises(
    sources: Mapping[str, NotebookNode], adjustments: Sequence[Adjustment] = ()
) -> list[ExerciseResult]:
    """Return the exercises of a lesson's notebooks, in reading order, with the points that count."""
    dropped = find_dropped_cells(adjustments)
    found: dict[tuple[str, str], ExerciseResult] = {}
    for notebook, source in sources.items():
        tests = map_tests_to_solutions(source)
        for cell in find_graded_cells(source, notebook):
            numbered = cell.number != cell.grade_id
            number, title = cell.number if numbered else None, cell.title or cell.number
            exercise = found.setdefault((notebook, cell.number), ExerciseResult(number, title))
            key = notebook, cell.grade_id
            cell = replace(cell, points=0.0) if key in dropped else cell
            own = [one for one in adjustments if is_shown_at_exercise(one) and key in one.cells]
            exercise.adjustments += [one for one in own if one not in exercise.adjustments]
            if cell.manual:
                exercise.written += cell.points
                exercise.answers.append(cell)
                continue
            exercise.possible += cell.points
            exercise.tests.append(cell)
            exercise.solutions |= {name for name, own in tests.items() if cell.grade_id in own}
    return list(found.values())


def load_exercise_results(
    course: Course, assignment: str, student: str, notebooks: Iterable[str]
) -> list[ExerciseResult]:
    """Return the exercises of a graded submission, with points and messages.

    notebooks: those that were handed in.
    """
    with course.gradebook() as gradebook:
        grades = read_submission_grades(gradebook, assignment, student)[student].grades
        adjustments = read_adjustments(gradebook.db.connection(), assignment)
    found = find_exercises(course.sources(assignment), adjustments)
    folder = course.path("autograded", assignment, student)
    copies = {name: nbformat.read(folder / f"{name}.ipynb", as_version=4) for name in notebooks}
    fill_exercise_results(found, grades, copies, ClearHiddenTests(parent=course.app))
    return found


def fill_exercise_results(
    found: list[ExerciseResult],
    grades: Mapping[tuple[str, str], tuple[float, bool]],
    copies: Mapping[str, NotebookNode],
    marks: ClearHiddenTests,
) -> None:
    """Fill exercises (in place) with the points earned and the messages for the student.

    grades: as in `SubmissionGrades.grades`. copies: the graded copies, by name. marks: the preprocessor with
    the delimiters of hidden tests.
    """
    cells = {(name, find_grade_id(cell)): cell for name, copy in copies.items() for cell in copy.cells}
    for exercise in found:
        words = []
        own = [*exercise.tests, *exercise.answers]
        short_of = (one for one in own if grades.get((one.notebook, one.grade_id), (0, True))[0] < one.points)
        exercise.place = next(short_of, own[0]).grade_id
        for answer in exercise.answers:
            earned, waits = grades.get((answer.notebook, answer.grade_id), (0, True))
            exercise.read += earned
            exercise.unread += waits
            exercise.waiting += answer.points * waits
            exercise.held += earned * waits
        for test in exercise.tests:
            earned = grades.get((test.notebook, test.grade_id), (0, False))[0]
            exercise.score += earned
            cell = cells.get((test.notebook, test.grade_id))
            if cell and has_passed_second_chance(cell):
                words.append(SECOND_CHANCE_COMMENT)
                exercise.second_chance = True
            elif cell and earned < test.points:
                said = describe_test(cell, find_hidden_lines(cell, marks), copies[test.notebook])
                said = said or PARTIAL_CREDIT_MESSAGE.format(earned, test.points)
                words += [*describe_stopped_cells(exercise, test.notebook, cells), said]
                exercise.mistakes += filter(None, [read_advice_name(cell)])
            elif earned < test.points:
                words.append(MISSING_NOTEBOOK_MESSAGE)
        # Several tests of an exercise may fail with the same message.
        exercise.words = list(dict.fromkeys(shorten_text(printable(text)) for text in words))


def describe_test(cell: NotebookNode, hidden: set[int], copy: NotebookNode) -> str | None:
    """Return the message for the student of a test; None if the test passed at once.

    hidden: the numbers of the lines that students do not see. copy: the graded copy with the cell.
    """
    if has_passed_second_chance(cell):
        return SECOND_CHANCE_COMMENT
    said = find_test_message(cell, hidden, copy)
    if not said and find_invalid_points(cell):
        return NOT_SCORED_MESSAGE
    return said or (None if read_ending(cell) in (OK, None) else UNFINISHED_MESSAGE)


def describe_stopped_cells(
    exercise: ExerciseResult, notebook: str, cells: Mapping[Any, NotebookNode]
) -> Iterator[str]:
    """Yield a message for each solution cell of an exercise that did not run to the end."""
    found = (cells[key] for name in sorted(exercise.solutions) if (key := (notebook, name)) in cells)
    yield from filter(None, map(describe_cell_failure, found))
