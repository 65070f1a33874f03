"""What a grade was made from, written into the graded copy, so that nothing is graded twice in vain."""

import hashlib
from functools import cache
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor


@cache
def grader() -> bytes:
    """A hash of this package."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


def fingerprint(gradebook: Gradebook, assignment: str, submitted: Path, source: Path, settings: Path) -> str:
    """A hash of all that a grade depends on.

    These are every file that was handed in with the notebook `submitted`, the `source` notebook, the tests
    as the gradebook holds them, the course's settings, and the grader itself. Raises MissingEntry if the
    gradebook does not know the notebook.
    """
    digest = hashlib.sha256(grader())

    def add(*parts: bytes) -> None:
        for part in parts:
            digest.update(hashlib.sha256(part).digest())

    for path in sorted(submitted.parent.rglob("*")):
        if path.is_file() and ".ipynb_checkpoints" not in path.parts:
            add(str(path.relative_to(submitted.parent)).encode(), path.read_bytes())
    add(source.read_bytes(), settings.read_bytes())
    for cell in sorted(gradebook.find_notebook(source.stem, assignment).source_cells, key=lambda c: c.name):
        add(cell.name.encode(), cell.source.encode())
    return digest.hexdigest()


def stamped(graded: Path) -> str | None:
    """The fingerprint in a graded copy, or None if there is no such copy or no fingerprint in it."""
    try:
        return nbformat.read(graded, as_version=4).metadata.get("gradebox", {}).get("fingerprint")
    except (OSError, ValueError, nbformat.reader.NotJSONError):
        return None


class Begin(NbGraderPreprocessor):
    """Computes the fingerprint before anything runs: a file that is replaced meanwhile is not this one."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        names = resources["nbgrader"]
        directory = CourseDirectory(parent=self)

        def path(step: str, student: str) -> Path:
            folder = Path(directory.format_path(step, student, names["assignment"]))
            return folder / f"{names['notebook']}.ipynb"

        submitted = path(directory.submitted_directory, names["student"])
        source = path(directory.source_directory, ".")
        settings = Path(directory.root) / "nbgrader_config.py"
        with Gradebook(names["db_url"]) as gradebook:
            mark = fingerprint(gradebook, names["assignment"], submitted, source, settings)
        nb.metadata.setdefault("gradebox", {})["begun"] = mark
        return nb, resources


class Stamp(NbGraderPreprocessor):
    """Confirms the fingerprint. Must come after everything that saves grades."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        marks = nb.metadata.get("gradebox", {})
        if "begun" in marks:
            marks["fingerprint"] = marks.pop("begun")
        return nb, resources
