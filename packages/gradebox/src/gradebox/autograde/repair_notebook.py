"""Restore a submission to the structure of the released notebook, before any of its code runs.

Students paste cells twice, delete tests, turn code into text, and use editors that drop metadata. The
released notebook defines the structure. Cells are matched by grade_id, or else by text. Each repair is
recorded in the notebook (`metadata.gradebox.repairs`) for the instructor. A cell of an earlier release (see
`release_history.py`) becomes current, too, and is recorded as a change by the course.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import nbformat
from nbformat.corpus.words import generate_corpus_id
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader import utils
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor

from gradebox.autograde.match_notebooks import (
    MatchNotebooks,
    format_not_released,
    match_notebooks,
    normalize_cell_text,
    resolve_step_folder,
)
from gradebox.autograde.release_history import (
    ADDED,
    DECISIVE_SETTINGS,
    NO_HISTORY,
    POINTS_CHANGED,
    REMOVED,
    SETTINGS_CHANGED,
    TEXT_CHANGED,
    ReleaseHistory,
    hash_cell_text,
    read_release_histories,
)
from gradebox.autograde.written_answers import (
    assign_added_cells,
    find_answer_place,
    find_lost_answer,
    has_content,
    is_answered,
    is_written_answer,
    keep_changed_texts,
    locate_unnamed_cells,
    select_parts,
)
from gradebox.notebook_exercises import find_grade_id, get_grade_id
from gradebox.notebook_metadata import RepairRecord, record_repairs
from gradebox.printable_text import format_count
from gradebox.sanitize.notebook_cells import sanitize_notebook

# Key of the resources with the repairs that `notebook_json.py` made when nbgrader's command read the file.
READ_REPAIRS = "gradebox_repairs"
DEFINITION = re.compile(r"^(?:def|class)\s+(\w+)", re.MULTILINE)


class CellIndex:
    """Index of a submission's cells by grade_id, by definition and by text, built in one pass."""

    def __init__(self, cells: list[NotebookNode]):
        self.cells = cells
        self.named: dict[str, list[int]] = {}
        self.defining: dict[str, list[int]] = {}
        self.saying: dict[str, list[int]] = {}
        for number, cell in enumerate(cells):
            own = find_grade_id(cell)
            if own:
                self.named.setdefault(own, []).append(number)
            for name in DEFINITION.findall(cell.source) if cell.cell_type == "code" else []:
                self.defining.setdefault(name, []).append(number)
            self.saying.setdefault(" ".join(cell.source.split()), []).append(number)

    def find_by_text(self, wanted: NotebookNode) -> int | None:
        """Return the number of the last cell without metadata that has a released cell's text, or None.

        The text of a solution has changed, so a solution is matched by the first name that it defines.
        """
        if utils.is_solution(wanted) and wanted.cell_type == "code":
            found = [self.defining.get(name, []) for name in DEFINITION.findall(wanted.source)[:1]]
        else:
            found = [self.saying.get(" ".join(wanted.source.split()), [])]
        return next(
            (n for numbers in found for n in reversed(numbers) if not find_grade_id(self.cells[n])), None
        )


def repair_notebook(
    notebook: NotebookNode, released: NotebookNode, history: ReleaseHistory = NO_HISTORY
) -> RepairRecord:
    """Repair a submitted notebook in place to match the released notebook. Return the repairs made.

    history: the releases of the notebook. All other contents of the cells are left to `sanitize_notebook`,
    which runs next.
    """
    record = RepairRecord()
    expected = [cell for cell in released.cells if find_grade_id(cell)]
    known = set(map(get_grade_id, expected))
    removed = [cell for cell in notebook.cells if find_grade_id(cell) in history.versions.keys() - known]
    questions = {id(cell) for cell in removed if utils.is_task(cell) or is_written_answer(cell)}
    earlier = history.find_earlier_release(notebook.cells, released.cells)
    added = known - earlier.keys() if earlier is not None else set()
    given = update_earlier_cells(notebook, released, history, record)
    for cell in notebook.cells:
        if "nbgrader" in cell.metadata and find_grade_id(cell) not in known:
            del cell.metadata["nbgrader"]
    notebook.cells = keep_changed_texts(notebook.cells, released, history)
    cells, after = CellIndex(notebook.cells), -1
    located: dict[int, NotebookNode] = {}
    copies: dict[str, list[NotebookNode]] = {}
    missing: dict[int, list[NotebookNode]] = {}
    for wanted in expected:
        written, name = is_written_answer(wanted), get_grade_id(wanted)
        if name in added:
            record.add_change(ADDED, name)
        done = [] if name in added else record.done
        where = locate_answer(cells, wanted, copies, done) if written else locate_cell(cells, wanted, done)
        if where is not None:
            after = max(after, where)
            restore_cell_metadata(notebook.cells[where], wanted, history, record)
            located[id(wanted)] = notebook.cells[where]
        elif written:
            # See `restore_answers`.
            continue
        elif utils.is_solution(wanted):
            if name not in added:
                record.missing.append(f"the solution cell {name} is missing")
        else:
            done.append(f"{name} was missing and has been put back")
            located[id(wanted)] = deepcopy(wanted)
            missing.setdefault(after, []).append(located[id(wanted)])
    whole = missing.get(-1, [])
    for number, cell in enumerate(notebook.cells):
        whole += [cell, *missing.get(number, [])]
    notebook.cells = whole
    locate_unnamed_cells(whole, released, located)
    missing_answers = restore_answers(whole, released, located, removed, added, history, record)
    fixed = [*located.values(), *removed]
    parts = select_parts(
        assign_added_cells(whole, fixed, questions, missing_answers), copies, released, history
    )
    answers = [cell for cell in expected if is_written_answer(cell) and get_grade_id(cell) not in added]
    describe_answers(located, answers, missing_answers, parts, record)
    make_cell_ids_unique(notebook)
    record.parts = {name: [cell.id for cell in found] for name, found in parts.items()}
    record.given = [cell.id for cell in given]
    return record


def update_earlier_cells(
    notebook: NotebookNode, released: NotebookNode, history: ReleaseHistory, record: RepairRecord
) -> list[NotebookNode]:
    """Record the cells that were removed since an earlier release, and return those that the course wrote.

    An untouched written answer of an earlier release gets its current text, so that it counts as untouched.
    """
    wanted = {get_grade_id(cell): cell for cell in released.cells if find_grade_id(cell)}
    texts = {normalize_cell_text(cell) for cell in released.cells if not find_grade_id(cell)}
    given = []
    for cell in notebook.cells:
        name = find_grade_id(cell)
        if name is None:
            if history.had_text(cell) and normalize_cell_text(cell) not in texts:
                given.append(cell)
        elif name in wanted:
            untouched = history.had_text(cell, name) and not cell.get("attachments")
            if untouched and is_written_answer(wanted[name]):
                cell.source = wanted[name].source
        elif name in history.versions:
            record.add_change(REMOVED, name)
            if history.had_text(cell, name):
                given.append(cell)
    return given


def restore_answers(
    cells: list[NotebookNode],
    released: NotebookNode,
    located: dict[int, NotebookNode],
    removed: Collection[NotebookNode],
    added: Collection[str],
    history: ReleaseHistory,
    record: RepairRecord,
) -> set[str]:
    """Locate the written answers that have lost their metadata, and insert empty cells for the others.

    An empty cell does not have the released text: a person decides about an answer that may be in another
    cell. removed: the cells of an earlier release: the course may have renamed a question. added: the
    grade_ids of cells that the submission's release did not have. Returns the grade_ids of the missing
    answers.
    """
    missing, earlier = set(), set(map(id, removed))
    for wanted in filter(is_written_answer, released.cells):
        if id(wanted) in located:
            continue
        name, (start, end) = get_grade_id(wanted), find_answer_place(cells, wanted, released, located)
        if name in added:
            renamed = (cell for cell in cells[start:end] if id(cell) in earlier)
            own = next((cell for cell in renamed if cell.cell_type == wanted.cell_type), None)
        else:
            own = find_lost_answer(cells, start, end, wanted)
        if own is None:
            own = (new_code_cell if wanted.cell_type == "code" else new_markdown_cell)("")
            cells.insert(end, own)
            missing.add(name)
        elif name not in added:
            record.done.append(f"{name} had lost its metadata and was recognised by its place")
        restore_cell_metadata(own, wanted, history, record)
        located[id(wanted)] = own
    return missing


def describe_answers(
    located: dict[int, NotebookNode],
    answers: Iterable[NotebookNode],
    missing: Collection[str],
    parts: Mapping[str, list[NotebookNode]],
    record: RepairRecord,
) -> None:
    """Record which answers have no cell, and which may be in other cells.

    answers: the released cells. missing: see `restore_answers`. parts: see `select_parts`.
    """
    for wanted in answers:
        name = get_grade_id(wanted)
        found = parts.get(name, [])
        if name in missing and not found:
            record.missing.append(f"the answer cell {name} is missing, and its place contains no other text")
        elif found and not is_answered(located[id(wanted)], wanted):
            state = "was missing" if name in missing else "is as released"
            count = format_count(len(found), "cell", "cells")
            record.done.append(f"{name} {state}, but {count} beside it may be the answer: a person reads it")


def locate_cell(cells: CellIndex, wanted: NotebookNode, done: list[str]) -> int | None:
    """Return the number of a released cell in the submission, or None.

    The last copy counts. Of a task, the first copy counts, because the answer is below it.
    """
    found = cells.named.get(get_grade_id(wanted), [])
    if not found:
        where = cells.find_by_text(wanted)
        if where is not None:
            done.append(f"{find_grade_id(wanted)} had lost its metadata and was recognised by its text")
        return where
    kept, which = (found[0], "first") if utils.is_task(wanted) else (found[-1], "last")
    for copy in found:
        if copy != kept:
            del cells.cells[copy].metadata["nbgrader"]
    if len(found) > 1:
        done.append(f"{find_grade_id(wanted)} appeared {len(found)} times: the {which} copy counts")
    return kept


def locate_answer(
    cells: CellIndex, wanted: NotebookNode, copies: dict[str, list[NotebookNode]], done: list[str]
) -> int | None:
    """Return the number of a written answer's cell, or None. The first copy with an answer counts.

    Adds the other copies to `copies`.
    """
    name = get_grade_id(wanted)
    found = cells.named.get(name, [])
    if not found:
        # Without metadata, the released text of one question is often that of another, too.
        defines = wanted.cell_type == "code" and DEFINITION.search(wanted.source)
        return locate_cell(cells, wanted, done) if defines else None
    ranked = sorted(
        found,
        key=lambda number: (
            not is_answered(cells.cells[number], wanted),
            not has_content(cells.cells[number]),
        ),
    )
    for number in ranked[1:]:
        del cells.cells[number].metadata["nbgrader"]
        copies.setdefault(name, []).append(cells.cells[number])
    if len(found) > 1:
        done.append(f"{name} appeared {len(found)} times: all copies with an answer are shown to the reader")
    return ranked[0]


def restore_cell_metadata(
    cell: NotebookNode, wanted: NotebookNode, history: ReleaseHistory, record: RepairRecord
) -> None:
    """Restore the released type and nbgrader metadata of a cell.

    A difference is a repair, unless an earlier release of the cell had it.
    """
    name = get_grade_id(wanted)
    earlier = history.versions.get(name, [])
    if cell.cell_type != wanted.cell_type:
        if any(one.cell_type == cell.cell_type for one in earlier):
            record.add_change(SETTINGS_CHANGED, name)
        else:
            record.done.append(f"{name} had been changed to {cell.cell_type} and is {wanted.cell_type} again")
        cell.cell_type = wanted.cell_type
        for key in ("outputs", "execution_count", "attachments"):
            cell.pop(key, None)
    found, released = cell.metadata.get("nbgrader", {}), wanted.metadata.nbgrader
    changed = [key for key in DECISIVE_SETTINGS if found and found.get(key) != released.get(key)]
    if changed and any(one.has_settings(found) for one in earlier):
        record.add_change(POINTS_CHANGED if changed == ["points"] else SETTINGS_CHANGED, name)
    elif changed:
        record.done.append(f"{name} had settings that differ from the released ones ({', '.join(changed)})")
    # nbgrader's step OverwriteCells replaces the text.
    if (
        utils.is_locked(wanted)
        and hash_cell_text(cell) != hash_cell_text(wanted)
        and history.had_text(cell, name)
    ):
        record.add_change(TEXT_CHANGED, name)
    cell.metadata["nbgrader"] = deepcopy(wanted.metadata.nbgrader)


def make_cell_ids_unique(notebook: NotebookNode) -> None:
    """Give each cell a unique id, which nbformat 4.5 requires."""
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    taken: set[str] = set()
    for cell in notebook.cells:
        own = cell.get("id")
        while not isinstance(own, str) or not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", own) or own in taken:
            own = cell["id"] = generate_corpus_id()
        taken.add(cell["id"])


class Repair(NbGraderPreprocessor):
    """Preprocessor that repairs a notebook as the first sanitizing step, using the one in `release/`."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        if "gradebox" in resources:
            # The submission was already checked.
            known = resources["gradebox"]
            self.repair_notebook(nb, known.released, known.history, known.repairs, resources)
            return nb, resources
        names, release = resources["nbgrader"], resolve_step_folder(self, "release", resources)
        folder = resolve_step_folder(self, "submitted", resources)
        by_name = MatchNotebooks(parent=self).released_name_counts
        found = match_notebooks(folder, release, by_name)
        path = release / f"{names['notebook']}.ipynb"
        matched = found.files.get(names["notebook"], folder / path.name)
        problem = found.problem
        if matched != folder / path.name:
            # nbgrader reads only the file with the released name.
            own = matched.relative_to(folder).as_posix()
            problem = f"the answers are in {own}, not in {path.name}: grade with `gradebox autograde`"
        if problem:
            raise NbGraderException(f"{names['student']}/{names['assignment']}: {problem}")
        if not path.is_file():
            raise NbGraderException(f"{path.name}: {format_not_released(names['assignment'])}")
        released = nbformat.read(path, as_version=4)
        histories = read_release_histories(Path(CourseDirectory(parent=self).root), names["assignment"])
        history = histories.get(names["notebook"], NO_HISTORY)
        self.repair_notebook(nb, released, history, resources.get(READ_REPAIRS, []), resources)
        return nb, resources

    def repair_notebook(
        self,
        nb: NotebookNode,
        released: NotebookNode,
        history: ReleaseHistory,
        earlier: list[str],
        resources: dict,
    ) -> None:
        made, names = repair_notebook(nb, released, history), resources["nbgrader"]
        done = [*earlier, *made.done]
        student_texts = sanitize_notebook(nb, released)
        for repair in (*done, *made.missing):
            self.log.warning("%s/%s: %s", names["student"], names["assignment"], repair)
        record_repairs(nb, replace(made, done=done, student_texts=student_texts))
