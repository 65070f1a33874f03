"""Find the cells of written answers that are outside of the answers' own cells.

A person reads these answers, so no text of the student may be lost. Students copy or split the cell, write in
a new cell or into the question's cell, and use editors that drop metadata. So the student's cells beside an
answer belong to the answer. `repair_notebook` uses this module for manually graded solution cells only.
"""

from collections.abc import Collection, Iterable, Mapping

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader import utils

from gradebox.autograde.match_notebooks import normalize_cell_text
from gradebox.autograde.release_history import ReleaseHistory
from gradebox.notebook_exercises import END_CELL_IDS, find_grade_id, get_grade_id


def is_written_answer(cell: NotebookNode) -> bool:
    """Return True for a solution cell that a person grades."""
    return utils.is_grade(cell) and utils.is_solution(cell)


def has_content(cell: NotebookNode) -> bool:
    return bool(cell.source.strip() or cell.get("attachments"))


def is_answered(cell: NotebookNode, released: NotebookNode) -> bool:
    """Return True if a copy of a released answer cell is neither empty nor as released."""
    changed = normalize_cell_text(cell) != normalize_cell_text(released)
    return has_content(cell) and (changed or bool(cell.get("attachments")))


def keep_changed_texts(
    cells: list[NotebookNode], released: NotebookNode, history: ReleaseHistory
) -> list[NotebookNode]:
    """Return the cells, with the student's version of each changed locked text in a new cell after the text.

    nbgrader replaces the text of locked cells by the released text. The text of an earlier release is not a
    student's version.
    """
    locked = {
        get_grade_id(cell): normalize_cell_text(cell)
        for cell in released.cells
        if cell.cell_type == "markdown" and find_grade_id(cell) and utils.is_locked(cell)
    }
    found = []
    for cell in cells:
        found.append(cell)
        name = find_grade_id(cell) or ""
        is_changed = name in locked and normalize_cell_text(cell) != locked[name]
        if is_changed and has_content(cell) and not history.had_text(cell, name):
            found.append(new_markdown_cell(cell.source))
            if cell.get("attachments"):
                found[-1]["attachments"] = cell["attachments"]
    return found


def locate_unnamed_cells(
    cells: list[NotebookNode], released: NotebookNode, located: dict[int, NotebookNode]
) -> None:
    """Locate the released cells without grade_id by their text. Later copies are the student's.

    located: the submitted cell of each released cell that was found, by `id` of the released cell.
    """
    wanted: dict[str, list[NotebookNode]] = {}
    for cell in reversed(released.cells):
        if not find_grade_id(cell) and (text := normalize_cell_text(cell)):
            wanted.setdefault(text, []).append(cell)
    for cell in cells:
        if not find_grade_id(cell) and (same := wanted.get(normalize_cell_text(cell))):
            located[id(same.pop())] = cell


def find_answer_place(
    cells: list[NotebookNode], wanted: NotebookNode, released: NotebookNode, located: dict[int, NotebookNode]
) -> tuple[int, int]:
    """Return the place of a missing answer cell: from the last released cell above to the next released cell.

    located: see `locate_unnamed_cells`. The cells of the student in this place are `cells[start:end]`.
    """
    numbers = {id(cell): number for number, cell in enumerate(cells)}
    fixed = {numbers[id(cell)] for cell in located.values()}
    fixed |= {number for number, cell in enumerate(cells) if cell.get("id") in END_CELL_IDS}
    earlier = released.cells[: next(n for n, cell in enumerate(released.cells) if cell is wanted)]
    above = (numbers[id(located[id(cell)])] for cell in reversed(earlier) if id(cell) in located)
    start = next(above, -1) + 1
    return start, min((number for number in fixed if number >= start), default=len(cells))


def find_lost_answer(
    cells: list[NotebookNode], start: int, end: int, wanted: NotebookNode
) -> NotebookNode | None:
    """Return the cell in the place of an answer cell whose metadata was lost, or None.

    The cells after a task or another answer belong to these. start, end: see `find_answer_place`.
    """
    named = next((cell for cell in reversed(cells[:start]) if find_grade_id(cell)), None)
    after_task = named is not None and utils.is_task(named)
    if after_task or (start and is_written_answer(cells[start - 1])):
        return None
    own = (cell for cell in cells[start:end] if cell.cell_type == wanted.cell_type and has_content(cell))
    return next(own, None)


def assign_added_cells(
    cells: list[NotebookNode],
    fixed_cells: Iterable[NotebookNode],
    removed_questions: Collection[int],
    missing: Collection[str],
) -> dict[str, list[NotebookNode]]:
    """Return the student's cells beside each written answer, by grade_id of the answer.

    fixed_cells: the cells of the course, also of earlier releases. The cells between two of these belong to
    both, if these are written answers. The cells after a task are the answer to the task, and not to an
    answer below that has its own cell. removed_questions: the `id` of the tasks and the written answers of
    earlier releases, which own the cells after them, too. missing: the grade_ids of answers without a cell.
    """
    fixed = {id(cell) for cell in fixed_cells}
    found: dict[str, list[NotebookNode]] = {}
    between: list[NotebookNode] = []
    above, after_question = None, False
    for cell in [*cells, None]:
        if cell is not None and id(cell) not in fixed and cell.get("id") not in END_CELL_IDS:
            between.append(cell)
            continue
        for beside in (above, cell):
            if beside is not None and is_written_answer(beside):
                name = get_grade_id(beside)
                found.setdefault(name, []).extend(between if not after_question or name in missing else [])
        if cell is not None and find_grade_id(cell):
            after_question = utils.is_task(cell)
        elif cell is not None and id(cell) in removed_questions:
            after_question = True
        above, between = cell, []
    return found


def select_parts(
    beside: Mapping[str, list[NotebookNode]],
    copies: Mapping[str, list[NotebookNode]],
    released: NotebookNode,
    history: ReleaseHistory,
) -> dict[str, list[NotebookNode]]:
    """Return the cells with other text than the released cells, by grade_id of the answer.

    beside: see `assign_added_cells`. copies: the further copies of each answer's cell.
    """
    texts = set(map(normalize_cell_text, released.cells))

    def is_released(cell: NotebookNode) -> bool:
        same = normalize_cell_text(cell) in texts and not cell.get("attachments")
        return same or history.had_text(cell)

    found = {}
    for name in beside.keys() | copies.keys():
        every = {id(cell): cell for cell in (*beside.get(name, ()), *copies.get(name, ()))}.values()
        if parts := [cell for cell in every if has_content(cell) and not is_released(cell)]:
            found[name] = parts
    return found
