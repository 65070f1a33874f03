"""Questions, tests and their answers, rendered as HTML for the reading page."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme

from gradebox.autograde.fingerprint import read_graded_copy
from gradebox.autograde.graded_text_hashes import find_answers, hash_cells, hash_graded_texts
from gradebox.course import Course
from gradebox.notebook_exercises import (
    GradedCell,
    find_grade_id,
    find_graded_cells,
    find_hidden_lines,
    map_tests_to_solutions,
)
from gradebox.printable_text import printable
from gradebox.reports.exercise_results import describe_test
from gradebox.reports.feedback_preprocessor import ADDED_CELL, find_given_texts, label_cell_owners
from gradebox.reports.page_theme import highlight_code
from gradebox.reports.redact_failures import describe_cell_failure, shorten_text
from gradebox.sanitize.html import EmbeddedImageFilter, convert_markdown, rendered
from gradebox.sanitize.markdown import MarkdownBudget

# Number of cached answers, enough for several lessons of a class.
ANSWER_CACHE_SIZE = 2_000
# Number of cached graded copies: a submission is shown exercise by exercise.
COPY_CACHE_SIZE = 10
ADDED_TEXT_NOTE = (
    "<p><em>Nothing is in the place of this answer. The student added this text to the notebook:</em></p>"
)
BLANK_LINES = re.compile(r"\A(?:[ \t]*\n)+")


@dataclass(frozen=True)
class Question:
    """Graded cell of an assignment: a question with a written answer, or a test.

    asks: the question, as HTML. scheme: the mark scheme, or the test's code, as HTML. released: the released
    text of each answer cell. solutions: grade_ids of the solution cells that a test tests. given: the texts
    of the course's cells without a grade_id.
    """

    assignment: str
    cell: GradedCell
    asks: str
    scheme: str
    released: tuple[str, ...]
    solutions: tuple[str, ...] = ()
    given: frozenset[str] = frozenset()

    @property
    def id(self) -> str:
        """Identifier of the question in URLs."""
        about = f"{self.assignment}\0{self.cell.notebook}\0{self.cell.grade_id}"
        return hashlib.sha256(about.encode()).hexdigest()[:16]

    @property
    def commented(self) -> str:
        """The grade_id of the cell with the comment: nbgrader has no comments on tests."""
        return self.cell.grade_id if self.cell.manual or not self.solutions else self.solutions[0]


@dataclass(frozen=True)
class AnswerText:
    """Student's answer, as HTML.

    empty: True if the student wrote nothing. mark: a hash of the answer's cells. messages: what the student's
    page says about a failed test. alike: a hash that answers with the same text share; None for an empty
    answer and for one with attachments.
    """

    html: str
    empty: bool
    mark: str
    messages: tuple[str, ...] = ()
    alike: str | None = None


def find_questions(course: Course, assignments: Iterable[str]) -> Iterator[Question]:
    """Find the questions and the tests of assignments, in reading order."""
    scheme = ClearMarkScheme(parent=course.app)
    for assignment in assignments:
        released = course.released(assignment)
        for name, source in course.sources(assignment).items():
            cells = {find_grade_id(cell): number for number, cell in enumerate(source.cells)}
            known = find_answers(released[name]) if name in released else {}
            owners = map_tests_to_solutions(source)
            texts = find_given_texts(source)
            for cell in find_graded_cells(source, name):
                number = cells[cell.grade_id]
                if cell.manual:
                    asks, told = split_mark_scheme(source.cells, number, scheme)
                    stubs = tuple(one.source for one in known.get(cell.grade_id, []))
                    yield Question(assignment, cell, asks, told, stubs, given=texts)
                else:
                    own = tuple(owner for owner, tests in owners.items() if cell.grade_id in tests)
                    asks = render_text_above(source.cells, cells[own[0]] if own else number)
                    test = highlight_code(shorten_text(source.cells[number].source))
                    yield Question(assignment, cell, asks, test, (), own)


def split_mark_scheme(cells: list[NotebookNode], number: int, scheme: ClearMarkScheme) -> tuple[str, str]:
    """Split a question into its text and its mark scheme, both rendered as HTML.

    For a manually graded solution cell, the question is the nearest Markdown cell above.
    """
    asking = cells[number]
    if utils.is_solution(asking):
        asking = find_text_above(cells, number) or asking
    asks: list[str] = []
    told: list[str] = []
    inside = False
    for line in asking.source.splitlines():
        if scheme.begin_mark_scheme_delimeter in line:
            inside = True
        elif scheme.end_mark_scheme_delimeter in line:
            inside = False
        else:
            (told if inside else asks).append(line)
    return render_markdown("\n".join(asks), asking.get("attachments")), render_markdown("\n".join(told))


def find_text_above(cells: list[NotebookNode], number: int) -> NotebookNode | None:
    return next((cell for cell in reversed(cells[:number]) if cell.cell_type == "markdown"), None)


def render_text_above(cells: list[NotebookNode], number: int) -> str:
    asking = find_text_above(cells, number)
    return render_markdown(asking.source, asking.get("attachments")) if asking else ""


def load_answer(course: Course, question: Question, student: str) -> AnswerText | None:
    """Load a student's answer from the graded copy; None without a graded copy."""
    folder = course.path("autograded", question.assignment, student)
    path = folder / f"{question.cell.notebook}.ipynb"
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        return None
    render = render_answer if question.cell.manual else render_tested_code
    return render(path, changed, question)


@lru_cache(maxsize=COPY_CACHE_SIZE)
def load_copy(path: Path, _changed: int) -> NotebookNode | None:
    return read_graded_copy(path)


@lru_cache(maxsize=ANSWER_CACHE_SIZE)
def render_answer(path: Path, changed: int, question: Question) -> AnswerText | None:
    copy = load_copy(path, changed)
    if not copy:
        return None
    cells = find_answers(copy).get(question.cell.grade_id, [])
    prompt, *given = question.released or ("",)
    parts, texts, budget = [], list[str](), MarkdownBudget()
    for cell in cells:
        # Skip the course's own text between a question and the next.
        if cell.source in given:
            continue
        text = remove_prompt(cell.source, prompt)
        if text or cell.get("attachments"):
            texts.append(text)
            parts.append(
                highlight_code(shorten_text(text))
                if cell.cell_type == "code"
                else render_markdown(budget.limit(text), cell.get("attachments"))
            )
    if not parts and (added := find_added_texts(copy, question.given)):
        # The answer may be anywhere in the notebook, so a person decides.
        parts = [ADDED_TEXT_NOTE, *(render_markdown(budget.limit(text)) for text in added)]
    # Spaces, line breaks and capital letters make no difference in text.
    words = " ".join("\n".join(texts).split()).casefold()
    is_code = any(cell.cell_type == "code" for cell in cells)
    attached = any(cell.get("attachments") for cell in cells)
    alike = None if attached or not words else hash_text("\n".join(texts) if is_code else words)
    return AnswerText("\n".join(parts), not parts, hash_cells(cells), alike=alike)


def find_added_texts(copy: NotebookNode, given: frozenset[str]) -> list[str]:
    """Return the texts of the cells that the student added to the notebook, outside of all answers."""
    label_cell_owners(copy, given)
    added = (one for one in copy.cells if one.metadata.whose == ADDED_CELL and one.cell_type == "markdown")
    return [one.source for one in added if one.source.strip()]


def hash_text(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:16]


@lru_cache(maxsize=ANSWER_CACHE_SIZE)
def render_tested_code(path: Path, changed: int, question: Question) -> AnswerText | None:
    """Return the code that a test tests, with the messages on the student's page."""
    copy = load_copy(path, changed)
    cells = {find_grade_id(cell): cell for cell in copy.cells} if copy else {}
    test = cells.get(question.cell.grade_id)
    if not copy or not test:
        return None
    own = [cells[name] for name in question.solutions if name in cells]
    hidden = find_hidden_lines(test, ClearHiddenTests())
    said = [*map(describe_cell_failure, own), describe_test(test, hidden, copy)]
    return AnswerText(
        "\n".join(highlight_code(shorten_text(cell.source)) for cell in own),
        not any(cell.source.strip() for cell in own),
        hash_graded_texts(copy)[question.cell.grade_id],
        tuple(shorten_text(printable(text)) for text in said if text),
        hash_text("\n".join(cell.source.strip() for cell in own)),
    )


def remove_prompt(source: str, prompt: str) -> str:
    """Return a cell's text without the released prompt and without blank lines at both ends.

    The indentation of the first line stays: indented text is a code block.
    """
    released, written = prompt.strip(), source.strip()
    text = written.removeprefix(released) if released and written.startswith(released) else source
    return BLANK_LINES.sub("", text.rstrip())


def render_markdown(text: str, attachments: dict | None = None) -> str:
    """Render Markdown with formulas as sanitized HTML, with embedded images only."""
    return rendered(convert_markdown(text, attachments), EmbeddedImageFilter) if text.strip() else ""
