"""Execute released lessons with their reference solutions, and keep the results for the next site.

A lesson is executed again only if it has changed: training a model takes minutes.
"""

import hashlib
from copy import deepcopy
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode

from gradebox.atomic_write import write_atomically
from gradebox.course import Course
from gradebox.notebook_exercises import extract_reference_solutions, insert_answers, serialize_notebook
from gradebox.release.write_solutions import execute_notebook

# In the course's folder; the notebooks in it contain solutions.
CACHE_FOLDER = ".gradebox_site"
DIGEST_LENGTH = 16


def execute_lesson(course: Course, assignment: str, name: str, released: NotebookNode) -> NotebookNode:
    """Return a released notebook with its reference solutions and their outputs.

    Raises CourseError if a cell fails.
    """
    path = course.release_path(assignment, name)
    solved = insert_answers(deepcopy(released), extract_reference_solutions(course.source(assignment, name)))
    folder = course.root / CACHE_FOLDER / assignment
    kept = folder / f"{name}-{hash_inputs(solved, path)}.ipynb"
    if kept.is_file():
        return nbformat.read(kept, as_version=4)
    executed = execute_notebook(solved, path)
    folder.mkdir(parents=True, exist_ok=True)
    # The folder is not for git, wherever the course is.
    (folder.parent / ".gitignore").write_text("*\n", encoding="utf-8")
    for outdated in folder.glob(f"{name}-{'?' * DIGEST_LENGTH}.ipynb"):
        outdated.unlink()
    with write_atomically(kept) as scratch:
        scratch.write_text(serialize_notebook(executed), encoding="utf-8")
    return executed


def hash_inputs(solved: NotebookNode, path: Path) -> str:
    """Return a hash of a notebook and of the files beside it, which its cells may read."""
    digest = hashlib.sha256(serialize_notebook(solved).encode())
    for file in sorted(path.parent.rglob("*")):
        hidden = any(part.startswith(".") for part in file.relative_to(path.parent).parts)
        if file.is_file() and file.suffix != path.suffix and not hidden:
            digest.update(str(file.relative_to(path.parent)).encode() + file.read_bytes())
    return digest.hexdigest()[:DIGEST_LENGTH]
