"""Check at a release that no test depends on demonstrations, by running the lesson with and without them.

A demonstration (see `execute/skip_demonstrations.py`) is skipped when a submission is graded. The lesson is
run with its reference solutions and all tests, in one process, without the judge. A released notebook keeps a
hash of the lesson that was checked, so that the same lesson is not run again.
"""

import hashlib
import json
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode

from gradebox.autograde.partial_credit import find_invalid_points
from gradebox.autograde.score import compute_points
from gradebox.course import Course, CourseError
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.lesson import ExecutionInputs
from gradebox.execute.notebook_runner import NotebookRunner
from gradebox.execute.skip_demonstrations import has_demonstration_tag, is_demonstration
from gradebox.execute.test_modes import drop_record
from gradebox.notebook_exercises import find_grade_id, scored_cells, serialize_notebook
from gradebox.notebook_metadata import KEY, OK, find_last_error, read_ending, read_record
from gradebox.printable_text import format_exception
from gradebox.sandbox.scratch_folder import read_supplementary_files

# The key in the metadata of a released notebook, below "gradebox", and the time limit in seconds.
DIGEST_KEY, NOTEBOOK_TIMEOUT = "demonstrations", 3600


def check_demonstrations(course: Course, assignment: str, name: str, source: NotebookNode) -> str | None:
    """Check the demonstrations of an instructor's notebook, unless the last release checked the same.

    Return the hash to store in the released notebook; None without demonstrations. Raises CourseError
    with the tests that depend on a demonstration.
    """
    for cell in filter(has_demonstration_tag, source.cells):
        if not is_demonstration(cell):
            raise CourseError(
                f"{find_grade_id(cell)} is graded: only an ungraded cell can be a demonstration"
            )
    if not any(map(is_demonstration, source.cells)):
        return None
    files = read_supplementary_files(course.path("source", assignment))
    digest = hash_check_inputs(source, files)
    path = get_released_path(course, assignment, name)
    if path.exists():
        if read_record(nbformat.read(path, as_version=4)).get(DIGEST_KEY) == digest:
            return digest
    without = deepcopy(source)
    without.cells = [cell for cell in without.cells if not is_demonstration(cell)]
    try:
        results, with_all = (
            run_reference_notebook(course, one, files) for one in (without, deepcopy(source))
        )
    except Exception as error:
        raise CourseError(f"the demonstrations can't be checked: {format_exception(error)}") from error
    different = [
        f"{test} {with_all[test]} after the demonstrations, but {result} without them"
        for test, result in results.items()
        if result != with_all[test]
    ]
    if different:
        what = "grading skips demonstrations, so remove the tag from the cells that these tests need"
        raise CourseError(f"{'; '.join(different)} ({what})")
    return digest


def get_released_path(course: Course, assignment: str, name: str) -> Path:
    """Return the path of a released notebook."""
    return course.path("release", assignment) / f"{name}.ipynb"


def hash_check_inputs(source: NotebookNode, files: Mapping[str, bytes]) -> str:
    """Return a short hash of the inputs of the check: code cells, and files next to the notebook."""
    cells = [
        [cell.source, cell.metadata.get("tags", []), cell.metadata.get("nbgrader", {})]
        for cell in source.cells
        if cell.cell_type == "code"
    ]
    hashes = {path: hashlib.sha256(content).hexdigest() for path, content in files.items()}
    text = json.dumps([cells, hashes], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def run_reference_notebook(
    course: Course, notebook: NotebookNode, files: Mapping[str, bytes]
) -> dict[str, str]:
    """Run an instructor's notebook (in place). Return the result of each test, in words."""
    execute = Execute(
        parent=course.app, isolation="none", second_chances=False, notebook_timeout=NOTEBOOK_TIMEOUT
    )
    execute.texts = tuple(cell.source for cell in notebook.cells if cell.cell_type == "code")
    NotebookRunner(execute, ExecutionInputs(files=files), contained=False).execute_in_place(notebook)
    return {name: describe_test_result(cell) for name, cell in scored_cells(notebook).items()}


def describe_test_result(cell: NotebookNode) -> str:
    """Describe the result of a test: its points, or the error that stopped it."""
    if read_ending(cell) != OK and cell.source.strip():
        error = find_last_error(cell)
        return f"fails with {error.ename}" if error else "does not end"
    if find_invalid_points(cell):
        return "gives an invalid number of points"
    return f"gives {compute_points(cell):g} of {float(cell.metadata.nbgrader.points):g} points"


def write_digests(course: Course, assignment: str, digests: Mapping[str, str | None]) -> None:
    """Write the hashes (by notebook name) into the released notebooks, and remove the records of tests."""
    for name, digest in digests.items():
        path = get_released_path(course, assignment, name)
        notebook = nbformat.read(path, as_version=4) if path.exists() else None
        if notebook and (drop_record(notebook) or digest is not None):
            if digest is not None:
                notebook.metadata.setdefault(KEY, {})[DIGEST_KEY] = digest
            path.write_text(serialize_notebook(notebook), encoding="utf-8")
