"""The exercises of a graded submission: what each has earned, and what its student should know of it.

It is what pages for students say (see `feedback_preprocessor.py`), and nothing else of a test.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.execute.second_chance import SECOND_CHANCE_COMMENT
from gradebox.notebook import (
    GradedCell,
    find_grade_id,
    find_graded_cells,
    find_hidden_lines,
    map_tests_to_solutions,
)
from gradebox.notebook_metadata import has_passed_second_chance, read_advice_name
from gradebox.printable_text import printable
from gradebox.reports.redact_failures import describe_cell_failure, find_test_message, shorten_text

UNFINISHED_MESSAGE = "The test did not come to its end."
MISSING_NOTEBOOK_MESSAGE = "Its notebook was not handed in."


@dataclass
class ExerciseResult:
    """One exercise of a notebook: what earns points in it, and what it has earned.

    number: None where its heading has none. tests, solutions: cells, by grade_id. written: the points of
    answers that a person reads; read: those that they have earned; unread: how many of these wait; waiting:
    the points of these; held: those that they had before they had to be read again. words:
    what its student should know of it. mistakes: the names of known ones. second_chance: whether it had one.
    place: the grade_id of the cell to look at.
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

    @property
    def called(self) -> str:
        return self.number or self.title

    @property
    def points(self) -> float:
        """What it has earned, with answers that were read."""
        return self.score + self.read

    @property
    def max_points(self) -> float:
        """The points that it can earn, with answers."""
        return self.possible + self.written


def find_exercises(sources: Mapping[str, NotebookNode]) -> list[ExerciseResult]:
    """The exercises of a lesson's notebooks, in reading order."""
    found: dict[tuple[str, str], ExerciseResult] = {}
    for notebook, source in sources.items():
        tests = map_tests_to_solutions(source)
        for cell in find_graded_cells(source, notebook):
            numbered = cell.number != cell.grade_id
            number, title = cell.number if numbered else None, cell.title or cell.number
            exercise = found.setdefault((notebook, cell.number), ExerciseResult(number, title))
            if cell.manual:
                exercise.written += cell.points
                exercise.answers.append(cell)
                continue
            exercise.possible += cell.points
            exercise.tests.append(cell)
            exercise.solutions |= {name for name, own in tests.items() if cell.grade_id in own}
    return list(found.values())


def fill_exercise_results(
    found: list[ExerciseResult],
    grades: Mapping[tuple[str, str], tuple[float, bool]],
    copies: Mapping[str, NotebookNode],
    marks: ClearHiddenTests,
) -> None:
    """Write into exercises what they have earned, and the words for it.

    grades: as `report.tables.entries` has them. copies: the graded copies by name. marks: what a release
    leaves out.
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
                said = find_test_message(cell, find_hidden_lines(cell, marks))
                words += [*describe_stopped_cells(exercise, test.notebook, cells), said or UNFINISHED_MESSAGE]
                exercise.mistakes += filter(None, [read_advice_name(cell)])
            elif earned < test.points:
                words.append(MISSING_NOTEBOOK_MESSAGE)
        # Several tests of an exercise may have stumbled over the same.
        exercise.words = list(dict.fromkeys(shorten_text(printable(text)) for text in words))


def describe_stopped_cells(
    exercise: ExerciseResult, notebook: str, cells: Mapping[Any, NotebookNode]
) -> Iterator[str]:
    """How the student's own cells of an exercise ended, where that was not at their end."""
    for name in sorted(exercise.solutions):
        if (notebook, name) in cells:
            yield from (output.evalue for output in describe_cell_failure(cells[notebook, name]))
