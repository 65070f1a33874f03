"""Brings a submission back into the shape in which it was released, before anything of it runs.

Students paste cells twice, delete tests, turn code into text, and use editors that drop metadata. What
was released says how it should be; cells are matched by grade_id, else by their text. Every repair is
recorded in the notebook (`metadata.gradebox.repairs`), for the instructor.
"""

import re
from copy import deepcopy
from pathlib import Path

import nbformat
from nbformat.corpus.words import generate_corpus_id
from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor

from gradebox.cells import name_of
from gradebox.recognise import recognise

DEFINITION = re.compile(r"^(?:def|class)\s+(\w+)", re.MULTILINE)


def repairs(notebook: NotebookNode) -> list[str]:
    """What was repaired in a graded copy, one clause each."""
    return list(notebook.metadata.get("gradebox", {}).get("repairs", []))


def graded_or_given(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells of a released notebook that nbgrader knows."""
    return [cell for cell in notebook.cells if name_of(cell)]


def same_text(cell: NotebookNode, released: NotebookNode) -> bool:
    """Whether a cell without metadata is a released one, by its text.

    A solution has changed, so it is recognised by what it defines.
    """
    if utils.is_solution(released) and released.cell_type == "code":
        names = DEFINITION.findall(released.source)
        return cell.cell_type == "code" and bool(names) and names[0] in DEFINITION.findall(cell.source)
    return cell.source.split() == released.source.split()


def mend(notebook: NotebookNode, released: NotebookNode) -> list[str]:
    """Repair a submitted notebook in place, after what was released. Returns what was done."""
    done: list[str] = []
    notebook.metadata.pop("gradebox", None)
    for cell in notebook.cells:
        cell.metadata.pop("gradebox", None)
        # Tags can make a runner skip a cell, or fail on it.
        cell.metadata.pop("tags", None)
        if cell.cell_type == "code":
            cell.setdefault("outputs", [])
            cell.setdefault("execution_count", None)
    expected = graded_or_given(released)
    known = {name_of(cell) for cell in expected}
    for cell in notebook.cells:
        if "nbgrader" in cell.metadata and name_of(cell) not in known:
            del cell.metadata["nbgrader"]
    after = -1
    for wanted in expected:
        where = place(notebook, wanted, done)
        if where is None:
            if utils.is_solution(wanted):
                done.append(f"the solution cell {name_of(wanted)} is missing")
                continue
            where = after + 1
            notebook.cells.insert(where, deepcopy(wanted))
            done.append(f"{name_of(wanted)} was missing and has been put back")
        restore(notebook.cells[where], wanted, done)
        after = max(after, where)
    unique_ids(notebook)
    return done


def place(notebook: NotebookNode, wanted: NotebookNode, done: list[str]) -> int | None:
    """Where a released cell stands in the submission: the last of its copies counts."""
    found = [n for n, cell in enumerate(notebook.cells) if name_of(cell) == name_of(wanted)]
    for copy in found[:-1]:
        del notebook.cells[copy].metadata["nbgrader"]
    if len(found) > 1:
        done.append(f"{name_of(wanted)} was there {len(found)} times: the last one counts")
    if found:
        return found[-1]
    found = [n for n, cell in enumerate(notebook.cells) if not name_of(cell) and same_text(cell, wanted)]
    if found:
        done.append(f"{name_of(wanted)} had lost its metadata and was recognised by its text")
        return found[-1]
    return None


def restore(cell: NotebookNode, wanted: NotebookNode, done: list[str]) -> None:
    """Give a cell the type and the nbgrader metadata that it was released with."""
    if cell.cell_type != wanted.cell_type:
        done.append(f"{name_of(wanted)} was {cell.cell_type}, and is {wanted.cell_type} again")
        cell.cell_type = wanted.cell_type
        for key in ("outputs", "execution_count", "attachments"):
            cell.pop(key, None)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    found = cell.metadata.get("nbgrader", {})
    released = dict(wanted.metadata.nbgrader)
    # nbgrader adds keys of its own as it goes; those that decide over points must be as released.
    decisive = ("grade", "locked", "points", "schema_version", "solution", "task")
    changed = [key for key in decisive if found and found.get(key) != released.get(key)]
    if changed:
        done.append(f"{name_of(wanted)} had other settings than released ({', '.join(changed)})")
    cell.metadata["nbgrader"] = deepcopy(wanted.metadata.nbgrader)


def unique_ids(notebook: NotebookNode) -> None:
    """Every cell has an id of its own, as notebooks of today's format must."""
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    taken: set[str] = set()
    for cell in notebook.cells:
        own = cell.get("id")
        if not isinstance(own, str) or not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", own) or own in taken:
            cell["id"] = generate_corpus_id()
        taken.add(cell["id"])


class Repair(NbGraderPreprocessor):
    """Repairs as the first step of sanitising, after the notebook in `release/`."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        names = resources["nbgrader"]
        directory = CourseDirectory(parent=self)
        folder = Path(directory.format_path(directory.release_directory, ".", names["assignment"]))
        handed_in = directory.format_path(
            directory.submitted_directory, names["student"], names["assignment"]
        )
        problem = recognise(Path(handed_in), folder).problem
        if problem:
            raise NbGraderException(f"{names['student']}/{names['assignment']}: {problem}")
        done = mend(nb, nbformat.read(folder / f"{names['notebook']}.ipynb", as_version=4))
        for repair in done:
            self.log.warning("%s/%s: %s", names["student"], names["assignment"], repair)
        nb.metadata["gradebox"] = {"repairs": done}
        return nb, resources
