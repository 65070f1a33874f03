"""Whatever a student does with the cells of a written answer, the reader sees the whole answer."""

import re
import shutil
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from html import unescape

import nbformat
import pytest
from helpers import EXERCISE, SAMPLE, cell, grade_id, gradebox, with_settings, write_notebook
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.converters import Autograde

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import GradingOutcome, autograde_submissions
from gradebox.course import Course
from gradebox.manual_grading.written_questions import find_questions, load_answer

Cells = list[NotebookNode]
WHY = "**Question 1.** Why does doubling keep the sign of a number?"
MEAN = "**Question 2.** What is the mean of the shares, and why is it so?\n\nName the sum, too."
PLOT_STUB = "# YOUR CODE HERE\nraise NotImplementedError()"
# What the reader sees of the questions.
SHOWN_WHY = WHY.replace("**", "")
SHOWN_MEAN = MEAN.replace("**", "").replace("\n\n", "|")
STUB = "YOUR ANSWER HERE"
READ, NOTHING = None, 0


def draw_cell() -> NotebookNode:
    essay = cell("essay", "plot", "")
    plain = new_code_cell("### BEGIN SOLUTION\nprint('drawn')\n### END SOLUTION")
    plain.metadata = essay.metadata
    return plain


def locked_text(name: str, text: str) -> NotebookNode:
    made = new_markdown_cell(text)
    made.metadata = cell("given", name, "").metadata
    return made


def lesson() -> Cells:
    return [
        new_markdown_cell("# Lab"),
        cell("solution", "double", EXERCISE),
        cell("test", "double-test", "assert double(2) == 4"),
        new_markdown_cell(WHY),
        cell("essay", "why", "Because 2 is positive."),
        locked_text("about-mean", MEAN),
        cell("essay", "mean", "One over n."),
        new_markdown_cell("**Question 3.** Draw a line."),
        draw_cell(),
        cell("question", "sketch", "**Question 4.** Describe the line."),
        new_markdown_cell("*Your answer*"),
        cell("given", "end", "finished = True"),
        new_markdown_cell("End of the lab."),
    ]


def at(cells: Cells, name: str) -> int:
    return next(n for n, one in enumerate(cells) if grade_id(one) == name)


def copied(one: NotebookNode, text: str) -> NotebookNode:
    made = deepcopy(one)
    made.source = text
    del made["id"]
    return made


def answers(cells: Cells, **texts: str) -> None:
    for name, text in texts.items():
        cells[at(cells, name)].source = text


def split(cells: Cells, name: str, *texts: str) -> None:
    """As JupyterLab does: each part has the metadata of the whole."""
    where = at(cells, name)
    cells[where : where + 1] = [copied(cells[where], text) for text in texts]


def below(cells: Cells, name: str, *new: NotebookNode) -> None:
    where = at(cells, name) + 1
    cells[where:where] = new


def without_metadata(cells: Cells) -> None:
    for one in cells:
        one.metadata = nbformat.NotebookNode()


@dataclass(frozen=True)
class Case:
    """What a student does, and what comes of it.

    shown: what the reader gets, by question. scores: None for an answer that waits for a reader. said: a part
    of an incident, or None for no incident. kind: of the incident.
    """

    does: Callable[[Cells], None]
    shown: dict[str, str]
    scores: dict[str, float | None]
    said: str | None = None
    kind: str = "repaired"


def case(
    does: Callable[[Cells], object], said: str | None = None, kind: str = "repaired", **shown: str
) -> Case:
    return Case(does, shown, dict.fromkeys(shown, READ), said, kind)


T, M = new_markdown_cell, new_code_cell


CASES = {
    # The reviews' names of the cases, where there are any.
    "b01": case(
        lambda cells: (
            answers(cells, why="It does."),
            below(cells, "why", copied(cells[at(cells, "why")], STUB)),
        ),
        "why appeared 2 times: all copies with an answer are shown to the reader",
        why="It does.",
    ),
    "b02": case(
        lambda cells: split(cells, "why", "First half.", "Second half."),
        "why appeared 2 times",
        why="First half.|Second half.",
    ),
    "b03": case(lambda cells: split(cells, "why", "Whole.", ""), "why appeared 2 times", why="Whole."),
    "b03-above": case(
        lambda cells: split(cells, "why", "", STUB, "Whole."), "why appeared 3 times", why="Whole."
    ),
    "b04": case(
        lambda cells: (
            answers(cells, why="Answer."),
            below(cells, "end", copied(cells[at(cells, "why")], "My notes.")),
        ),
        "why appeared 2 times",
        why="Answer.|My notes.",
    ),
    "same-twice": case(
        lambda cells: split(cells, "why", "Same.", "Same."), "why appeared 2 times", why="Same.|Same."
    ),
    "b13": case(
        lambda cells: split(cells, "plot", "x = 'line'", "print(x)"),
        "plot appeared 2 times",
        plot="x = 'line'|print(x)",
    ),
    "b29": case(
        lambda cells: (
            answers(cells, plot="print('line')"),
            below(cells, "plot", copied(cells[at(cells, "plot")], PLOT_STUB)),
        ),
        "plot appeared 2 times",
        plot="print('line')",
    ),
    "a36": case(
        lambda cells: below(cells, "why", T("In a new cell.")),
        "why is as released, but 1 cell beside it may be the answer: a person reads it",
        why="In a new cell.",
    ),
    "any-words-below": case(
        lambda cells: below(cells, "why", T("Regrade 1.1: look again")),
        "why is as released",
        why="Regrade 1.1: look again",
    ),
    "two-below": case(
        lambda cells: below(cells, "why", T("One."), M("print(2)")),
        "but 2 cells beside it",
        why="One.|print(2)",
    ),
    "above": case(
        lambda cells: cells.insert(at(cells, "why"), T("Above.")), "why is as released", why="Above."
    ),
    "above-locked": case(
        lambda cells: cells.insert(at(cells, "mean"), T("Above.")), "mean is as released", mean="Above."
    ),
    "stub-copied-and-answer-below": case(
        lambda cells: below(cells, "why", T(WHY), T("To the copy.")), "why is as released", why="To the copy."
    ),
    "plot-below": case(
        lambda cells: below(cells, "plot", M("print('line')")), "plot is as released", plot="print('line')"
    ),
    "b12": case(
        lambda cells: answers(cells, **{"about-mean": f"{MEAN}\n\nIt is 1/n."}),
        "mean is as released",
        mean=f"{SHOWN_MEAN}|It is 1/n.",
    ),
    "b12-same-line": case(
        lambda cells: answers(cells, **{"about-mean": f"{MEAN} It is 1/n."}),
        "mean is as released",
        mean=f"{SHOWN_MEAN} It is 1/n.",
    ),
    "b12-and-answered": case(
        lambda cells: answers(cells, **{"about-mean": f"{MEAN}\n\nThe sum is 1."}, mean="It is 1/n."),
        mean=f"{SHOWN_MEAN}|The sum is 1.|It is 1/n.",
    ),
    "b12-instead": case(
        lambda cells: answers(cells, **{"about-mean": "1/n"}), "mean is as released", mean="1/n"
    ),
    "b12-unlocked": case(
        lambda cells: setattr(cells[at(cells, "why") - 1], "source", f"{WHY}\n\nIt does."),
        "why is as released",
        why=f"{SHOWN_WHY}|It does.",
    ),
    "b12-unlocked-between-answers": case(
        lambda cells: setattr(cells[at(cells, "plot") - 1], "source", "**Question 3.** A line: /"),
        "plot is as released, but 1 cell beside it may be the answer: a person reads it",
        mean="Question 3. A line: /",
        plot="Question 3. A line: /",
    ),
    "b12-task": case(
        lambda cells: answers(cells, sketch="**Question 4.** Describe the line.\n\nStraight."),
        sketch="Question 4. Describe the line.|Straight.",
    ),
    "b12-and-a36": case(
        lambda cells: (
            answers(cells, **{"about-mean": f"{MEAN}\n\nIt is 1/n."}),
            below(cells, "why", T("In a new cell.")),
        ),
        "why is as released",
        why="In a new cell.",
        mean=f"{SHOWN_MEAN}|It is 1/n.",
    ),
    "continued": case(
        lambda cells: (answers(cells, why="Part 1."), below(cells, "why", T("Part 2."))),
        why="Part 1.|Part 2.",
    ),
    "b05": case(
        lambda cells: cells.__setitem__(at(cells, "why"), T("Retyped.")),
        "why had lost its metadata and was recognised by its place",
        why="Retyped.",
    ),
    "b06": case(
        lambda cells: cells.__setitem__(at(cells, "plot"), M("print('line')")),
        "plot had lost its metadata",
        plot="print('line')",
    ),
    "b09": case(
        lambda cells: cells.__setitem__(
            slice(at(cells, "mean"), at(cells, "mean") + 1), [T("One."), T("Two.")]
        ),
        "mean had lost its metadata",
        mean="One.|Two.",
    ),
    "retyped-after-an-answer": case(
        lambda cells: (
            answers(cells, mean="Mean."),
            cells.__setitem__(slice(at(cells, "plot") - 1, at(cells, "plot") + 1), [M("print('line')")]),
        ),
        "plot was missing, but 1 cell beside it may be the answer",
        mean="Mean.|print('line')",
        plot="print('line')",
    ),
    "retyped-as-code": case(
        lambda cells: cells.__setitem__(at(cells, "why"), M("'Because'")),
        "why was missing, but 1 cell beside it may be the answer",
        why="'Because'",
    ),
    "a19": case(
        lambda cells: (answers(cells, why="A.", mean="B.", plot="print('C')"), without_metadata(cells)),
        "mean had lost its metadata",
        why="A.",
        mean="B.",
        plot="print('C')",
    ),
    "a20": Case(
        lambda cells: (answers(cells, mean="B."), without_metadata(cells)),
        {"why": "", "mean": "B.", "plot": ""},
        {"why": NOTHING, "mean": READ, "plot": NOTHING},
        "why had lost its metadata",
    ),
    "a63": case(
        lambda cells: (
            answers(cells, why="A."),
            cells[at(cells, "why")].metadata.nbgrader.update(grade_id="cell-0123"),
        ),
        "why had lost its metadata",
        why="A.",
    ),
    "deleted": case(
        lambda cells: cells.pop(at(cells, "why")),
        "the answer cell why is missing, and its place contains no other text",
        "missing",
        why="",
    ),
    "untouched": Case(
        lambda cells: None,
        {"why": "", "mean": "", "plot": ""},
        {"why": NOTHING, "mean": NOTHING, "plot": NOTHING},
    ),
    "answered": case(
        lambda cells: answers(cells, why="A.", mean="B.", plot="print('C')"),
        why="A.",
        mean="B.",
        plot="print('C')",
    ),
    # Text of an earlier release, without a history of releases.
    "other-release": case(
        lambda cells: (
            answers(cells, **{"about-mean": MEAN.replace("mean", "average")}, mean="B."),
            setattr(cells[at(cells, "why") - 1], "source", WHY.replace("keep", "retain")),
        ),
        "why is as released",
        why="Question 1. Why does doubling retain the sign of a number?",
        mean=f"{SHOWN_MEAN.replace('mean', 'average')}|B.",
    ),
    # Nothing of these is an answer.
    "empty-below": Case(lambda cells: below(cells, "why", T(" ")), {"why": ""}, {"why": NOTHING}),
    "test-copied-below": Case(
        lambda cells: below(cells, "why", M("assert double(2) == 4")), {"why": ""}, {"why": NOTHING}
    ),
    "space-in-a-question": Case(
        lambda cells: answers(cells, **{"about-mean": f"{MEAN}\n\n"}), {"mean": ""}, {"mean": NOTHING}
    ),
    "task-copied-below": case(
        lambda cells: (
            setattr(cells[at(cells, "sketch") + 1], "source", "Straight."),
            cells.insert(at(cells, "end"), deepcopy(cells[at(cells, "sketch")])),
        ),
        "sketch appeared 2 times: the first copy counts",
        sketch="Straight.|Question 4. Describe the line.",
    ),
    "b10": case(
        lambda cells: cells.__setitem__(
            at(cells, "why"), new_code_cell("It does.", metadata=cells[at(cells, "why")].metadata)
        ),
        "why had been changed to code and is markdown again",
        why="It does.",
    ),
    "removed-question": case(
        lambda cells: (
            answers(cells, why="A."),
            below(cells, "why", cell("essay", "old", "Answer to a removed question"), T("And more.")),
            cells.insert(at(cells, "why"), T("Text of an earlier release.")),
        ),
        why="Text of an earlier release.|A.|Answer to a removed question|And more.",
    ),
    # A test is never moved, joined or read.
    "test-split": Case(
        lambda cells: (
            answers(cells, double="def double(x): return 0"),
            split(cells, "double-test", "assert True", "pass"),
        ),
        {"why": ""},
        {"double-test": 0, "why": NOTHING},
        "double-test appeared 2 times: the last copy counts",
    ),
}


@pytest.fixture(scope="module")
def read_course(tmp_path_factory) -> tuple[Course, dict[str, GradingOutcome]]:
    """A class in which each student is one of the cases, graded."""
    root = tmp_path_factory.mktemp("read") / "course"
    write_notebook(root / "source" / "hw" / "hw.ipynb", lesson())
    (root / "nbgrader_config.py").write_text((SAMPLE / "nbgrader_config.py").read_text())
    course = with_settings(Course(root), "c.Execute.preload = []")
    assert gradebox(course, "release", "--no-check").returncode == 0
    for student, one in CASES.items():
        cells = nbformat.read(root / "release" / "hw" / "hw.ipynb", as_version=4).cells
        one.does(cells)
        path = root / "submitted" / student / "hw" / "hw.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(nbformat.writes(nbformat.v4.new_notebook(cells=cells)))
    course = Course(root)
    outcomes = autograde_submissions(course, list(find_submissions(course, ["hw"], course.roster)))
    return course, {outcome.submission.student: outcome for outcome in outcomes}


def read_scores(course: Course, student: str) -> dict[str, float | None]:
    with course.gradebook() as gradebook:
        grades = gradebook.find_submission_notebook("hw", "hw", student).grades
        return {one.name: None if one.needs_manual_grade else one.auto_score for one in grades}


def shown_text(course: Course, student: str, name: str) -> str:
    """What the reading page shows, a line for each cell, joined with |."""
    (question,) = (one for one in find_questions(course, ["hw"]) if one.cell.grade_id == name)
    found = load_answer(course, question, student)
    assert found is not None and found.empty == (not found.html)
    blocks = re.split(r"</div>|</p>", found.html)
    texts = (" ".join(unescape(re.sub(r"<[^>]*>", "", block)).split()) for block in blocks)
    return "|".join(filter(None, texts))


@pytest.mark.parametrize("name", CASES)
def test_the_reader_gets_the_whole_answer(read_course, name):
    course, outcomes = read_course
    one, outcome = CASES[name], outcomes[name]
    assert outcome.graded, outcome.problem
    for question, text in one.shown.items():
        assert shown_text(course, name, question) == text, question
    scores = read_scores(course, name)
    assert {key: scores[key] for key in one.scores} == one.scores
    found = [(incident.kind, incident.what) for incident in outcome.incidents]
    if one.said is None:
        assert found == []
    else:
        assert any(kind == one.kind and one.said in what for kind, what in found), found


def test_feedback_shows_what_the_reader_got(read_course):
    course, _ = read_course
    assert gradebox(course, "feedback", "--student", "b12-and-a36").returncode == 0
    page = (course.path("feedback", "hw", "b12-and-a36") / "hw.html").read_text()
    assert "In a new cell." in page and "a person reads it" in page
    assert "It is 1/n." in page and page.count("Name the sum, too.") == 2


def test_points_stay_until_another_part_of_the_answer_changes(read_course, tmp_path):
    # A course of its own: other tests may come later.
    course = Course(shutil.copytree(read_course[0].root, tmp_path / "course"))
    path = course.path("submitted", "hw", "a36") / "hw.ipynb"

    def waits() -> bool:
        assert course.convert(Autograde, "hw", "a36") is None
        with course.gradebook() as gradebook:
            return gradebook.find_grade("why", "hw", "hw", "a36").needs_manual_grade

    with course.gradebook() as gradebook:
        grade = gradebook.find_grade("why", "hw", "hw", "a36")
        grade.manual_score, grade.needs_manual_grade = 1, False
        gradebook.db.commit()
    assert not waits()
    path.write_text(path.read_text().replace("In a new cell.", "In a changed cell."))
    assert waits() and shown_text(course, "a36", "why") == "In a changed cell."
