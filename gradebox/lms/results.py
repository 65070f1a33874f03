"""What Gradescope reads of a graded submission: `results.json`, with a test for each exercise.

Students get to see it: it has the sentences that pages for students have (see `report/feedback.py`), and
nothing else of a test.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.notebook import GradedCell, graded_cells, hidden_lines, name_of, own_tests
from gradebox.record import passed_on_second_chance
from gradebox.report.feedback import short, what_stopped_it, what_the_test_said
from gradebox.run.second_chance import COMMENT
from gradebox.words import printable

HEADING = re.compile(r"^#{1,6}\s+(\d+(?:\.\d+)+)\s+(\S.*?)[\s#]*$", re.MULTILINE)
# What is shown as it is written. Gradescope would take other formats for HTML or Markdown.
PLAIN = "text"
NO_END = "The test did not come to its end."
LOST = "Its notebook was not handed in."


@dataclass
class Exercise:
    """One exercise of a notebook: what earns points in it, and what it has earned.

    number: None where its heading has none. tests, solutions: cells, by grade_id. written: the points of
    answers that a person reads. words: what its student should know of it.
    """

    number: str | None
    title: str
    score: float = 0
    possible: float = 0
    written: float = 0
    tests: list[GradedCell] = field(default_factory=list)
    solutions: set[str] = field(default_factory=set)
    words: list[str] = field(default_factory=list)

    @property
    def called(self) -> str:
        return self.number or self.title


def exercises(sources: Mapping[str, NotebookNode]) -> list[Exercise]:
    """The exercises of a lesson's notebooks, in reading order."""
    found: dict[tuple[str, str], Exercise] = {}
    for notebook, source in sources.items():
        texts = [cell.source for cell in source.cells if cell.cell_type == "markdown"]
        titles = dict(HEADING.findall("\n\n".join(texts)))
        tests = own_tests(source)
        for cell in graded_cells(source, notebook):
            numbered = cell.number != cell.grade_id
            number, title = cell.number if numbered else None, titles.get(cell.number) or cell.number
            exercise = found.setdefault((notebook, cell.number), Exercise(number, title))
            if cell.manual:
                exercise.written += cell.points
                continue
            exercise.possible += cell.points
            exercise.tests.append(cell)
            exercise.solutions |= {name for name, own in tests.items() if cell.grade_id in own}
    return list(found.values())


def fill(
    found: list[Exercise],
    grades: Mapping[tuple[str, str], tuple[float, bool]],
    copies: Mapping[str, NotebookNode],
    marks: ClearHiddenTests,
) -> None:
    """Write into exercises what they have earned, and the words for it.

    grades: as `report.tables.entries` has them. copies: the graded copies by name. marks: what a release
    leaves out.
    """
    cells = {(name, name_of(cell)): cell for name, copy in copies.items() for cell in copy.cells}
    for exercise in found:
        words = []
        for test in exercise.tests:
            earned = grades.get((test.notebook, test.grade_id), (0, False))[0]
            exercise.score += earned
            cell = cells.get((test.notebook, test.grade_id))
            if cell and passed_on_second_chance(cell):
                words.append(COMMENT)
            elif cell and earned < test.points:
                said = what_the_test_said(cell, hidden_lines(cell, marks))
                words += [*stopped(exercise, test.notebook, cells), said or NO_END]
            elif earned < test.points:
                words.append(LOST)
        # Several tests of an exercise may have stumbled over the same.
        exercise.words = list(dict.fromkeys(short(printable(text)) for text in words))


def stopped(exercise: Exercise, notebook: str, cells: Mapping[Any, NotebookNode]) -> Iterator[str]:
    """How the student's own cells of an exercise ended, where that was not at their end."""
    for name in sorted(exercise.solutions):
        if (notebook, name) in cells:
            yield from (output.evalue for output in what_stopped_it(cells[notebook, name]))


def lines(exercise: Exercise, points: str, words: str) -> Iterator[dict[str, Any]]:
    """What `results.json` has for an exercise. points, words: when students see these, in Gradescope's words.

    A test has one such word. Where the two differ, what is said is a test of its own, without points.
    """
    about = {"name": exercise.title, "name_format": PLAIN, "output_format": PLAIN}
    if exercise.number:
        about["number"] = exercise.number
    said = "\n\n".join(exercise.words)
    if exercise.tests:
        score = {"score": rounded(exercise.score), "max_score": rounded(exercise.possible)}
        with_points = {**about, **score, "visibility": points}
        yield {**with_points, "output": said} if said and points == words else with_points
        if said and points != words:
            status = "failed" if exercise.score < exercise.possible else "passed"
            yield {**about, "output": said, "status": status, "visibility": words}


def results(
    found: list[Exercise], noted: list[str], points: str, words: str, seconds: float, for_instructors: Any
) -> dict[str, Any]:
    """`results.json` of a submission that was graded. noted: what was put right, and the like."""
    tested = [exercise.called for exercise in found if exercise.tests]
    said = [f"{counted(len(tested), 'exercise')} graded by tests: {', '.join(tested)}."]
    written = [exercise for exercise in found if exercise.written]
    if written:
        some, points_for = sum(one.written for one in written), ", ".join(one.called for one in written)
        said.append(f"A person reads {points_for}: {some:g} points that are not part of this score.")
    if noted:
        said.append(f"Noted: {'; '.join(noted)}.")
    return {
        "score": rounded(sum(exercise.score for exercise in found)),
        "tests": [line for exercise in found for line in lines(exercise, points, words)],
        **rest(" ".join(said), seconds, for_instructors),
    }


def nothing(problem: str, seconds: float, for_instructors: Any) -> dict[str, Any]:
    """`results.json` of what can't be graded, by its student's doing. problem: why, in one clause."""
    said = f"Nothing could be graded, so the score is 0: {problem}."
    return {"score": 0, "tests": [], **rest(said, seconds, for_instructors)}


def rest(output: str, seconds: float, for_instructors: Any) -> dict[str, Any]:
    return {
        "output": short(printable(output)),
        "output_format": PLAIN,
        "execution_time": round(seconds, 1),
        "stdout_visibility": "hidden",
        "extra_data": {"gradebox": for_instructors},
    }


def counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def rounded(points: float) -> float:
    """Points without what sums of fractions leave behind."""
    return round(float(points), 6)
