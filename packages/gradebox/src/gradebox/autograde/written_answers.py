"""Find the parts of written answers that are outside of the answers' own cells.

A person reads these answers, so no text of the student may be lost. Students copy or split the cell, write
in a new cell or into the question's cell, and use editors that drop metadata. `repair_notebook` uses this
module for manually graded solution cells only. It never changes code of the student.
"""

from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher
from itertools import islice, takewhile

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader import utils

from gradebox.autograde.match_notebooks import normalize_cell_text
from gradebox.autograde.release_history import ReleaseHistory
from gradebox.notebook_exercises import HAND_IN_CELL_ID, find_grade_id, get_grade_id

# Longer texts, and further cells in one place, are not compared with the released text.
MAX_COMPARED_WORDS, MAX_COMPARED_CELLS = 2_000, 10
# Minimum share of a released text's words in an edited version of the text.
MIN_SHARED_WORDS = 0.5
# A passage that replaces released words and has this many more words is an addition. Others are corrections,
# also of the instructor in a later release.
MIN_ADDED_WORDS = 3


def is_written_answer(cell: NotebookNode) -> bool:
    """Return True for a solution cell that a person grades."""
    return utils.is_grade(cell) and utils.is_solution(cell)


def has_content(cell: NotebookNode) -> bool:
    return bool(cell.source.strip() or cell.get("attachments"))


def is_answered(cell: NotebookNode, released: NotebookNode) -> bool:
    """Return True if a copy of a released answer cell is neither empty nor as released."""
    changed = normalize_cell_text(cell) != normalize_cell_text(released)
    return has_content(cell) and (changed or bool(cell.get("attachments")))


def find_added_text(released: str, written: str) -> str | None:
    """Return the lines of an edited text that contain words added by the student; "" if there are none.

    Returns None if `written` is not an edited version of the released text.
    """
    before, after = released.split(), written.split()
    shared = sum((Counter(before) & Counter(after)).values())
    if max(len(before), len(after)) > MAX_COMPARED_WORDS or shared < MIN_SHARED_WORDS * len(before):
        return None
    compared = SequenceMatcher(None, before, after, autojunk=False)
    if sum(block.size for block in compared.get_matching_blocks()) < MIN_SHARED_WORDS * len(before):
        return None
    added: set[int] = set()
    for kind, start, end, first, last in compared.get_opcodes():
        if kind == "insert" or (kind == "replace" and last - first >= end - start + MIN_ADDED_WORDS):
            added.update(range(first, last))
    lines, number = [], 0
    for line in written.splitlines():
        count = len(line.split())
        if not added.isdisjoint(range(number, number + count)):
            lines.append(line)
        elif not count and lines:
            lines.append("")
        number += count
    return "\n".join(lines).strip("\n")


def separate_text_in_locked_cells(
    cells: list[NotebookNode], released: NotebookNode, history: ReleaseHistory
) -> list[NotebookNode]:
    """Return the cells, with text that was typed into locked text cells in new cells after these.

    nbgrader replaces the text of locked cells by the released text. The text of an earlier release was not
    typed by the student.
    """
    locked = {
        get_grade_id(cell): cell
        for cell in released.cells
        if cell.cell_type == "markdown" and find_grade_id(cell) and utils.is_locked(cell)
    }
    found = []
    for cell in cells:
        found.append(cell)
        name = find_grade_id(cell) or ""
        wanted = locked.get(name)
        differs = wanted and normalize_cell_text(cell) != normalize_cell_text(wanted)
        if wanted and differs and not history.had_text(cell, name):
            added = find_added_text(wanted.source, cell.source)
            found += create_text_cell(cell.source if added is None else added, cell)
    return found


def create_text_cell(text: str, origin: NotebookNode) -> list[NotebookNode]:
    """Return a text cell with text and attachments of another cell; an empty list without text."""
    if not text.strip():
        return []
    made = new_markdown_cell(text)
    if origin.get("attachments"):
        made["attachments"] = origin["attachments"]
    return [made]


class AnswerFinder:
    """Search for written answers between the released cells of a submission.

    cells: the submission's cells; the search inserts cells. located: the submitted cell of each released cell
    that was found, by `id` of the released cell. unknown: cells with a grade_id that was not released: cells
    of an earlier release, or of an editor that changes grade_ids. history: the releases of the notebook.
    """

    def __init__(
        self,
        cells: list[NotebookNode],
        released: NotebookNode,
        located: dict[int, NotebookNode],
        unknown: list[NotebookNode],
        history: ReleaseHistory,
    ) -> None:
        self.cells, self.released, self.located = cells, released.cells, located
        self.history = history
        self.unknown = {id(cell) for cell in unknown}
        self.numbers = {id(cell): number for number, cell in enumerate(self.released)}
        self.texts = set(map(normalize_cell_text, released.cells))
        self.find_unnamed_cells()
        self.fixed = {id(cell) for cell in located.values()}
        self.fixed |= {id(cell) for cell in cells if cell.get("id") == HAND_IN_CELL_ID}
        self.update_positions()
        for number, wanted in enumerate(self.released):
            self.separate_text(number, wanted)

    def find_unnamed_cells(self) -> None:
        """Locate the released cells without grade_id by their text. Later copies are the student's."""
        wanted: dict[str, list[NotebookNode]] = {}
        for cell in reversed(self.released):
            if not find_grade_id(cell) and (text := normalize_cell_text(cell)):
                wanted.setdefault(text, []).append(cell)
        for cell in self.cells:
            if not find_grade_id(cell) and (same := wanted.get(normalize_cell_text(cell))):
                self.located[id(same.pop())] = cell

    def update_positions(self) -> None:
        self.positions = {id(cell): number for number, cell in enumerate(self.cells)}

    def insert(self, position: int, cells: list[NotebookNode]) -> None:
        self.cells[position:position] = cells
        self.update_positions()

    def add_fixed(self, wanted: NotebookNode, cell: NotebookNode) -> None:
        self.located[id(wanted)] = cell
        self.fixed.add(id(cell))

    def find_position_before(self, number: int) -> int:
        """Return the position of the last released cell before released cell `number`; -1 without one."""
        above = (self.located.get(id(cell)) for cell in reversed(self.released[:number]))
        return next((self.positions[id(cell)] for cell in above if cell is not None), -1)

    def list_cells_after(self, position: int) -> list[NotebookNode]:
        """Return the student's cells from a position to the next released cell."""
        return self.take_unfixed(islice(self.cells, position + 1, None))

    def list_cells_before(self, position: int) -> list[NotebookNode]:
        """Return the student's cells before a position, unless they belong to the answer above them."""
        found = self.take_unfixed(self.cells[at] for at in range(position - 1, -1, -1))[::-1]
        above = position - len(found) - 1
        if self.follows_task(above) or (above >= 0 and is_written_answer(self.cells[above])):
            return []
        return found

    def take_unfixed(self, cells: Iterable[NotebookNode]) -> list[NotebookNode]:
        found = []
        for cell in cells:
            if id(cell) in self.fixed:
                break
            found.append(cell)
        return found

    def follows_task(self, position: int) -> bool:
        """Return True if cells after this position are the answer to a task."""
        above = (self.cells[at] for at in range(position, -1, -1))
        named = next((cell for cell in above if find_grade_id(cell)), None)
        return named is not None and utils.is_task(named)

    def separate_text(self, number: int, wanted: NotebookNode) -> None:
        """Put text that was typed into the course's unlocked text into a new cell after this text."""
        if wanted.cell_type != "markdown" or find_grade_id(wanted) or id(wanted) in self.located:
            return
        position = self.find_position_before(number)
        if not has_content(wanted) or self.follows_task(position):
            # The text after a task is a prompt for the answer.
            return
        for cell in self.list_cells_after(position)[:MAX_COMPARED_CELLS]:
            added = find_added_text(wanted.source, cell.source) if cell.cell_type == "markdown" else None
            if added is not None:
                self.add_fixed(wanted, cell)
                if self.history.had_text(cell):
                    cell.source = wanted.source
                elif added.strip():
                    self.insert(self.positions[id(cell)] + 1, create_text_cell(added, cell))
                    cell.source = wanted.source
                return

    def find_lost_cell(self, wanted: NotebookNode) -> NotebookNode | None:
        """Return the cell in the place of an answer cell whose metadata was lost, or None."""
        number = self.numbers[id(wanted)]
        position = self.find_position_before(number)
        found = list(filter(has_content, self.list_cells_after(position)))
        if self.follows_task(position):
            # The first cells are the answer to the task, in the place of the released prompts.
            found = found[self.count_task_answers(number) :]
        elif not found:
            below = (self.located.get(id(cell)) for cell in self.released[number + 1 :])
            following = next((cell for cell in below if cell is not None), None)
            if following is not None:
                found = list(filter(has_content, self.list_cells_before(self.positions[id(following)])))
        text = normalize_cell_text(wanted)
        own = [cell for cell in found if cell.cell_type == wanted.cell_type and not self.is_released(cell)]
        untouched = [cell for cell in found if normalize_cell_text(cell) == text]
        return next(iter([*own, *untouched]), None)

    def count_task_answers(self, number: int) -> int:
        """Return the number of cells that a task's answer needs at least, before released cell `number`."""
        prompts = list(takewhile(lambda cell: not find_grade_id(cell), reversed(self.released[:number])))
        return sum(id(cell) not in self.located for cell in prompts) if prompts else 1

    def put_back(self, wanted: NotebookNode) -> NotebookNode:
        """Insert an empty cell in the place of an answer cell that was deleted, and return the new cell."""
        position = self.find_position_before(self.numbers[id(wanted)])
        if self.follows_task(position):
            position += len(self.list_cells_after(position))
        # Not the released text: a person decides about an answer that may be elsewhere.
        made = (new_code_cell if wanted.cell_type == "code" else new_markdown_cell)("")
        self.insert(position + 1, [made])
        return made

    def is_released(self, cell: NotebookNode) -> bool:
        same = normalize_cell_text(cell) in self.texts and not cell.get("attachments")
        return same or self.history.had_text(cell)

    def find_parts(self, wanted: NotebookNode, copies: list[NotebookNode]) -> list[NotebookNode]:
        """Return the other cells with text of a located answer: copies, and new cells beside the answer."""
        own = self.located[id(wanted)]
        position = self.positions[id(own)]
        self.fixed |= self.unknown
        # In a lesson that has changed, the answer to a removed question may be above.
        above = [] if is_answered(own, wanted) else self.list_cells_before(position)
        beside = [*above, *self.list_cells_after(position), *copies]
        beside = list({id(cell): cell for cell in beside}.values())
        parts, seen = [], {normalize_cell_text(own)}
        for cell in sorted(beside, key=lambda one: self.positions[id(one)]):
            text = normalize_cell_text(cell)
            repeated = text in seen and not cell.get("attachments")
            if has_content(cell) and not (repeated or self.is_released(cell)):
                seen.add(text)
                parts.append(cell)
        return parts
