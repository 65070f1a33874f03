"""Restore a submission to the structure of the released notebook, before any of its code runs.

Students paste cells twice, delete tests, turn code into text, and use editors that drop metadata. The
released notebook defines the structure. Cells are matched by grade_id, or else by text. Each repair is
recorded in the notebook (`metadata.gradebox.repairs`) for the instructor.
"""

import re
from copy import deepcopy

import nbformat
from nbformat.corpus.words import generate_corpus_id
from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import NbGraderPreprocessor

from gradebox.autograde.match_notebooks import format_not_released, match_notebooks, resolve_step_folder
from gradebox.notebook_exercises import find_grade_id, get_grade_id
from gradebox.notebook_metadata import record_repairs
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


def repair_notebook(notebook: NotebookNode, released: NotebookNode) -> list[str]:
    """Repair a submitted notebook in place to match the released notebook. Return the repairs made.

    All other contents of the cells are left to `sanitize_notebook`, which runs next.
    """
    done: list[str] = []
    expected = [cell for cell in released.cells if find_grade_id(cell)]
    known = {find_grade_id(cell) for cell in expected}
    for cell in notebook.cells:
        if "nbgrader" in cell.metadata and find_grade_id(cell) not in known:
            del cell.metadata["nbgrader"]
    cells, after = CellIndex(notebook.cells), -1
    missing: dict[int, list[NotebookNode]] = {}
    for wanted in expected:
        where = locate_cell(cells, wanted, done)
        if where is not None:
            after = max(after, where)
            restore_cell_metadata(notebook.cells[where], wanted, done)
        elif utils.is_solution(wanted):
            done.append(f"the solution cell {find_grade_id(wanted)} is missing")
        else:
            done.append(f"{find_grade_id(wanted)} was missing and has been put back")
            missing.setdefault(after, []).append(deepcopy(wanted))
    whole = missing.get(-1, [])
    for number, cell in enumerate(notebook.cells):
        whole += [cell, *missing.get(number, [])]
    notebook.cells = whole
    make_cell_ids_unique(notebook)
    return done


def locate_cell(cells: CellIndex, wanted: NotebookNode, done: list[str]) -> int | None:
    """Return the number of a released cell in the submission, or None. The last copy counts."""
    found = cells.named.get(get_grade_id(wanted), [])
    for copy in found[:-1]:
        del cells.cells[copy].metadata["nbgrader"]
    if len(found) > 1:
        done.append(f"{find_grade_id(wanted)} appeared {len(found)} times: the last copy counts")
    if found:
        return found[-1]
    where = cells.find_by_text(wanted)
    if where is not None:
        done.append(f"{find_grade_id(wanted)} had lost its metadata and was recognised by its text")
    return where


def restore_cell_metadata(cell: NotebookNode, wanted: NotebookNode, done: list[str]) -> None:
    """Restore the released type and nbgrader metadata of a cell."""
    if cell.cell_type != wanted.cell_type:
        done.append(
            f"{find_grade_id(wanted)} had been changed to {cell.cell_type} and is {wanted.cell_type} again"
        )
        cell.cell_type = wanted.cell_type
        for key in ("outputs", "execution_count", "attachments"):
            cell.pop(key, None)
    found = cell.metadata.get("nbgrader", {})
    released = dict(wanted.metadata.nbgrader)
    # nbgrader adds keys over time. The keys that decide points must be as released.
    decisive = ("grade", "locked", "points", "schema_version", "solution", "task")
    changed = [key for key in decisive if found and found.get(key) != released.get(key)]
    if changed:
        done.append(
            f"{find_grade_id(wanted)} had settings that differ from the released ones ({', '.join(changed)})"
        )
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
            self.repair_notebook(nb, known.released, known.repairs, resources)
            return nb, resources
        names, release = resources["nbgrader"], resolve_step_folder(self, "release", resources)
        folder = resolve_step_folder(self, "submitted", resources)
        found = match_notebooks(folder, release)
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
        self.repair_notebook(nb, released, resources.get(READ_REPAIRS, []), resources)
        return nb, resources

    def repair_notebook(
        self, nb: NotebookNode, released: NotebookNode, earlier: list[str], resources: dict
    ) -> None:
        done, names = [*earlier, *repair_notebook(nb, released)], resources["nbgrader"]
        sanitize_notebook(nb, released)
        for repair in done:
            self.log.warning("%s/%s: %s", names["student"], names["assignment"], repair)
        record_repairs(nb, done)
