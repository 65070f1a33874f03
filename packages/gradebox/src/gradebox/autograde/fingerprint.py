"""What a grade was made from, written into the graded copy, so that nothing is graded twice in vain.

All that a grade depends on is listed here: what was handed in, what the instructor supplies, the settings
that change a result, and the versions of what computes it. Lateness and what a person has read change points,
too, and are looked at anew each time; see `grade_submissions.py`.
"""

import hashlib
import json
import os
import platform
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from importlib import metadata
from pathlib import Path
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import reads_json
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties, NbGraderPreprocessor
from traitlets.config import Config
from traitlets.utils.importstring import import_item

from gradebox import notebook_metadata
from gradebox.autograde.manual_grades import hash_parts
from gradebox.autograde.match_notebooks import resolve_step_folder
from gradebox.course import Course
from gradebox.execute.isolation import JUDGE_LEVELS
from gradebox.submission_files import read_files

# Settings of preprocessors by which nobody's points and nobody's graded copy can differ.
IGNORED_TRAITS = {
    *("display_data_priority", "extra_arguments", "interrupt_on_timeout", "ipython_hist_file"),
    *("record_timing", "shutdown_kernel", "startup_timeout", "store_widget_state"),
}


@cache
def hash_package() -> str:
    """A hash of this package: its version, also while somebody works on it."""
    return hash_parts(path.read_bytes() for path in sorted(Path(__file__).parents[1].rglob("*.py"))).hex()


def read_library_versions(modules: tuple[str, ...]) -> dict[str, str]:
    """The versions of Python and of the libraries that a course imports ahead: its numbers are theirs."""
    found = {"Python": platform.python_version()}
    for module in sorted({"numpy", *modules}):
        name = module.split(" if ")[0].split(".")[0]
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "unknown"
    return found


def read_grading_settings(config: Config) -> dict[str, dict[str, Any]]:
    """The settings that change a result, by value: those of every step of grading, but for lateness."""
    lists = Autograde(coursedir=CourseDirectory(config=config), config=config)
    steps = [*lists.sanitize_preprocessors, *lists.autograde_preprocessors]
    classes = [import_item(step) if isinstance(step, str) else step for step in steps]
    classes = [cls for cls in classes if not issubclass(cls, AssignLatePenalties)]
    found: dict[str, dict[str, Any]] = {
        "Autograde": {
            "exclude_overwriting": lists.exclude_overwriting,
            "steps": list(map(to_stable_text, classes)),
        }
    }
    for cls in classes:
        step = cls(config=config)
        values = {trait: getattr(step, trait) for trait in step.trait_names(config=True)}
        if "isolation" in values:
            # A sandbox changes nothing of a result.
            values["isolation"] = values["isolation"] in JUDGE_LEVELS
        found[to_stable_text(cls)] = {
            trait: value for trait, value in values.items() if trait not in IGNORED_TRAITS
        }
    return found


def to_stable_text(value: Any) -> str:
    """A value as text that is the same in every process."""
    if hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, set | frozenset):
        return json.dumps(sorted(map(str, value)))
    return str(value)


def serialize_course_inputs(config: Config) -> str:
    """What the grades of a whole course depend on: its settings, this package, the libraries' versions."""
    of_course = read_grading_settings(config)
    modules = tuple(module for step in of_course.values() for module in step.get("preload", ()))
    return json.dumps(
        [of_course, hash_package(), read_library_versions(modules)], sort_keys=True, default=to_stable_text
    )


def read_folder_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The files in an instructor's folder, by relative path."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and ".ipynb_checkpoints" not in parts:
            yield "/".join(parts), path.read_bytes()


def hash_files(files: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
    for name, content in files:
        yield os.fsencode(name) + b"\0" + hashlib.sha256(content).digest()


def hash_instructor_inputs(
    gradebook: Gradebook, assignment: str, source: Path, notebook: str, rules: str
) -> bytes:
    """A hash of what the grades of all students depend on in one notebook: the instructor's `source` folder,
    the tests as the gradebook holds them, and the `rules`. Raises MissingEntry if it does not know them.
    """
    cells = sorted(gradebook.find_notebook(notebook, assignment).source_cells, key=lambda cell: cell.name)
    texts = [text.encode() for cell in cells for text in (cell.name, cell.source or "")]
    return hash_parts([rules.encode(), *hash_files(read_folder_files(source)), b"", *texts])


def compute_fingerprint(handed_in: Iterable[tuple[str, bytes]], instructors: bytes) -> str:
    """A hash of all that the grade of one notebook depends on: every file that was handed in with it, by
    relative path, and what is the instructor's.
    """
    return hash_parts([instructors, *hash_files(handed_in)]).hex()


def read_graded_copy(path: Path) -> NotebookNode | None:
    """A graded copy as it was written, or None if there is none that can be read."""
    try:
        return reads_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def read_graded_copies(course: Course, assignment: str, student: str) -> dict[str, NotebookNode]:
    """Return the graded copies of a submission that can be read, by notebook name."""
    folder = course.path("autograded", assignment, student)
    found = {name: read_graded_copy(folder / f"{name}.ipynb") for name in course.notebooks(assignment)}
    return {name: copy for name, copy in found.items() if copy}


class Begin(NbGraderPreprocessor):
    """Computes the fingerprint before anything runs: a file that is replaced meanwhile is not this one."""

    @cached_property
    def rules(self) -> str:
        return serialize_course_inputs(self.config)

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        known = resources.get("gradebox")
        notebook_metadata.set_pending_fingerprint(
            nb, known.fingerprint if known else self.fingerprint(resources)
        )
        return nb, resources

    def fingerprint(self, resources: dict) -> str:
        """The fingerprint of a submission of which nbgrader tells this."""
        names, source = resources["nbgrader"], resolve_step_folder(self, "source", resources)
        with Gradebook(names["db_url"]) as gradebook:
            own = hash_instructor_inputs(
                gradebook, names["assignment"], source, names["notebook"], self.rules
            )
        return compute_fingerprint(read_files(resolve_step_folder(self, "submitted", resources)), own)


class Stamp(NbGraderPreprocessor):
    """Confirms the fingerprint. Must come after everything that saves grades."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        notebook_metadata.confirm_fingerprint(nb)
        return nb, resources
