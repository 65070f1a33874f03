"""Fingerprint of a grade's inputs, stored in the graded copy so that unchanged submissions are not rerun.

All inputs of a grade are listed here: the submitted files, the instructor's files, the settings that change a
result, and the versions of the code that computes the result. Lateness and manual grading change points, too,
and are checked again on each run; see `grade_submissions.py`.
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
from gradebox.autograde.graded_text_hashes import hash_parts
from gradebox.autograde.match_notebooks import resolve_step_folder
from gradebox.course import Course
from gradebox.execute.isolation import JUDGE_LEVELS
from gradebox.execute.kernel_specs import DEFAULT_KERNEL, KernelError, find_interpreter_of
from gradebox.safe_submission_files import read_files

# Settings of preprocessors that change neither points nor graded copies.
IGNORED_TRAITS = {
    *("display_data_priority", "extra_arguments", "interrupt_on_timeout", "ipython_hist_file"),
    *("record_timing", "require_reference", "shutdown_kernel", "startup_timeout", "store_widget_state"),
}


@cache
def hash_package() -> str:
    """Return a hash of this package's code, which also serves as a version during development."""
    return hash_parts(path.read_bytes() for path in sorted(Path(__file__).parents[1].rglob("*.py"))).hex()


def read_library_versions(modules: tuple[str, ...]) -> dict[str, str]:
    """Return the versions of Python, NumPy and the libraries that a course preloads.

    Numerical results depend on these versions.
    """
    found = {"Python": platform.python_version()}
    for module in sorted({"numpy", *modules}):
        name = module.split(" if ")[0].split(".")[0]
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "unknown"
    return found


def read_grading_settings(config: Config) -> dict[str, dict[str, Any]]:
    """Return the values of settings that change a result, for all grading steps except late penalties."""
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
            # Results depend on the use of a judge, but not on the sandbox.
            values["isolation"] = values["isolation"] in JUDGE_LEVELS
        found[to_stable_text(cls)] = {
            trait: value for trait, value in values.items() if trait not in IGNORED_TRAITS
        }
    return found


def to_stable_text(value: Any) -> str:
    """Convert a value to text that is the same in every process."""
    if hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, set | frozenset):
        return json.dumps(sorted(map(str, value)))
    return str(value)


def serialize_course_inputs(config: Config) -> str:
    """Serialize the inputs of all grades of a course: settings, package hash and library versions."""
    of_course = read_grading_settings(config)
    modules = tuple(module for step in of_course.values() for module in step.get("preload", ()))
    return json.dumps(
        [of_course, hash_package(), read_library_versions(modules)], sort_keys=True, default=to_stable_text
    )


def read_folder_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files in an instructor's folder, as (relative path, content)."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and ".ipynb_checkpoints" not in parts:
            yield "/".join(parts), path.read_bytes()


def hash_files(files: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
    for name, content in files:
        yield os.fsencode(name) + b"\0" + hashlib.sha256(content).digest()


def hash_instructor_inputs(
    gradebook: Gradebook, assignment: str, source: Path, notebook: str, rules: str, kernel_name: str
) -> bytes:
    """Return a hash of the instructor's inputs for one notebook, which are the same for all students.

    The inputs are the `source` folder, the cells stored in the gradebook, the `rules` (see
    `serialize_course_inputs`), and the environment of the kernel. kernel_name: the course's setting. Raises
    MissingEntry if the gradebook does not have the notebook.
    """
    known = gradebook.find_notebook(notebook, assignment)
    cells = sorted(known.source_cells, key=lambda cell: cell.name)
    texts = [text.encode() for cell in cells for text in (cell.name, cell.source or "")]
    kernel = kernel_name or json.loads(known.kernelspec or "{}").get("name") or ""
    environment = describe_kernel_environment(kernel).encode()
    parts = [*hash_files(read_folder_files(source)), b"", *texts]
    return hash_parts([rules.encode(), *parts, *([environment] if environment else [])])


def describe_kernel_environment(kernel: str) -> str:
    """Return the interpreter and a hash of the packages of a kernel; empty for gradebox's own environment."""
    try:
        interpreter = find_interpreter_of(kernel or DEFAULT_KERNEL)
    except KernelError:
        # The reason is reported before anything is graded.
        return ""
    return "" if interpreter is None or interpreter.is_own else f"{interpreter} {interpreter.packages}"


def compute_fingerprint(handed_in: Iterable[tuple[str, bytes]], instructors: bytes) -> str:
    """Return a hash of all inputs for the grade of one notebook.

    handed_in: all files of the submission, by relative path. instructors: the result of
    `hash_instructor_inputs`.
    """
    return hash_parts([instructors, *hash_files(handed_in)]).hex()


def read_graded_copy(path: Path) -> NotebookNode | None:
    """Return a graded copy as written, or None if the file is missing or unreadable."""
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
    """Preprocessor that computes the fingerprint before execution.

    A file that is replaced during the run therefore counts as changed.
    """

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
        """Return the fingerprint of the submission that nbgrader's `resources` describe."""
        names, source = resources["nbgrader"], resolve_step_folder(self, "source", resources)
        kernel_name = self.config.Execute.get("kernel_name", "")
        with Gradebook(names["db_url"]) as gradebook:
            own = hash_instructor_inputs(
                gradebook, names["assignment"], source, names["notebook"], self.rules, kernel_name
            )
        return compute_fingerprint(read_files(resolve_step_folder(self, "submitted", resources)), own)


class Stamp(NbGraderPreprocessor):
    """Preprocessor that confirms the fingerprint. Must come after all steps that save grades."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        notebook_metadata.confirm_fingerprint(nb)
        return nb, resources
