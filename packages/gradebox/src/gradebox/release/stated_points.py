"""Compare the points that a notebook's text states with the points of its graded cells.

Points are stated in a heading or at the end of a line, as "(3 points)", or in bold: "**3 points.** Write …",
"**Test 1 of 2 (3 points).**". The cell with the first heading may state a total: "…, 25 points". Only clear
statements are compared, because a false warning costs authors more than a missed one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.exercise_selection import TOTAL
from gradebox.notebook_exercises import CODE_BLOCK, HEADING, MARK_SCHEME, get_grade_id
from gradebox.printable_text import format_point_count

NUMBER = r"(?P<points>\d+(?:\.\d+)?) points?"
IN_HEADING = re.compile(rf"\({NUMBER}\)")
IN_TEXT = (
    # "**★ core · 2 points · about 8 minutes**", but not "**2 points** for an answer with a reason".
    re.compile(rf"^\*\*(?:[^*\n]*·\s*)?{NUMBER}(?=\s*(?:[·.:]|\*\*(?!\s*[a-z])))", re.MULTILINE),
    # "**Question 1 (2 points).**"
    re.compile(rf"\*\*[^*\n]*\({NUMBER}\)[^*\n]*\*\*"),
    # "Write a function. (2 points)", but not an entry of a list or a table.
    re.compile(rf"^(?!\s*(?:[-*+|]|\d+[.)])\s)[^*\n]*\({NUMBER}\)[.:]?[ \t]*$", re.MULTILINE),
)
# "*Lesson 1 · NumPy · 25 points*", but not "5 points each" or "worth 2 points".
IN_TITLE = re.compile(rf"(?:[·|,;:]|\btotal|\bof)\s*{NUMBER}(?=\s*(?:$|[·|.,;*_]))", re.MULTILINE)
# Maximum number of grade_ids in a message.
MAX_LISTED_NAMES = 3


@dataclass(frozen=True)
class TextMark:
    """A heading, a statement of points, or a graded cell, in the order of the notebook.

    cell: the index of its cell. level: of a heading, else 0. points: stated, or of a graded cell. name: the
    grade_id of a graded cell.
    """

    cell: int
    level: int = 0
    points: float | None = None
    name: str | None = None

    @property
    def is_statement(self) -> bool:
        return self.points is not None and self.name is None


def find_contradicted_points(notebook: NotebookNode, is_only: bool = True) -> Iterator[tuple[int, str]]:
    """Yield the cell's index and a message for each statement that contradicts the graded cells.

    is_only: False if the assignment has other notebooks, whose points a total may include.
    """
    marks = list(iterate_marks(notebook))
    graded = [mark for mark in marks if mark.name]
    title = next((mark.cell for mark in marks if mark.level), None)
    heading, section = None, graded
    for number, mark in enumerate(marks):
        if mark.level:
            heading, section = mark.cell, select_section_marks(marks, number)
        if not mark.is_statement or sum(one.is_statement and one.cell == mark.cell for one in marks) > 1:
            # Several statements in a cell may be about the parts of a question.
            continue
        run = find_run(marks, number)
        if mark.cell == heading:
            cells, allowed = section, {sum_cell_points(section), sum_cell_points(run)}
        else:
            cells, allowed = run, {sum_cell_points(run[: count + 1]) for count in range(len(run))}
        if mark.cell == title:
            if not is_only:
                continue
            cells, allowed = cells or ([] if mark.level else graded), {*allowed, sum_cell_points(graded)}
        if cells and mark.points is not None and mark.points not in allowed:
            stated, names = format_point_count(mark.points), ", ".join(str(one.name) for one in cells)
            listed = f" ({names})" if len(cells) <= MAX_LISTED_NAMES else ""
            have = f"the graded cells have {sum_cell_points(cells):g}{listed}"
            yield mark.cell, f"the text states {stated}, but {have}"


def select_section_marks(marks: list[TextMark], heading: int) -> list[TextMark]:
    """Return the graded cells from a heading to the next one of the same or a higher level."""
    level, below = marks[heading].level, marks[heading + 1 :]
    return [one for one in takewhile(lambda one: not 0 < one.level <= level, below) if one.name]


def find_run(marks: list[TextMark], statement: int) -> list[TextMark]:
    """Return the graded cells from a statement to the next statement or heading."""
    below = marks[statement + 1 :]
    return [one for one in takewhile(lambda one: not (one.level or one.is_statement), below) if one.name]


def sum_cell_points(cells: list[TextMark]) -> float:
    return sum(one.points or 0 for one in cells)


def iterate_marks(notebook: NotebookNode) -> Iterator[TextMark]:
    """Yield the marks of a notebook, in order."""
    has_title = False
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            text = CODE_BLOCK.sub("", MARK_SCHEME.sub("", TOTAL.sub("", cell.source)))
            headings = {found.start(): found for found in HEADING.finditer(text)}
            body = HEADING.sub(lambda found: " " * len(found[0]), text)
            stated = {found.start("points"): found for one in IN_TEXT for found in one.finditer(body)}
            if headings and not has_title:
                has_title = True
                total = list(IN_TITLE.finditer(body))
                stated |= {found.start("points"): found for found in total if not stated and len(total) == 1}
            for place in sorted({*headings, *stated}):
                if place in headings:
                    points = IN_HEADING.search(headings[place][0])
                    value = float(points["points"]) if points else None
                    yield TextMark(number, len(headings[place][1]), value)
                else:
                    yield TextMark(number, 0, float(stated[place]["points"]))
        if utils.is_grade(cell) or utils.is_task(cell):
            yield TextMark(number, 0, float(cell.metadata.nbgrader.points), get_grade_id(cell))
