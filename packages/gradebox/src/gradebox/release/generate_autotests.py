"""Generate asserts from nbgrader's AUTOTEST comments in test cells, for `gradebox release`.

The instructor's notebook is executed for this. An `autotests.yml` next to the notebook, or in the course's
folder, defines the checks for each type of value. Students and the gradebook get the asserts; `source/` keeps
the comments.
"""

import subprocess
from collections.abc import Mapping
from contextlib import chdir
from typing import Any

import yaml
from jupyter_client.manager import start_new_kernel
from nbclient.exceptions import CellExecutionError
from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from nbgrader.converters import GenerateAssignment
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import InstantiateTests as StockInstantiateTests
from nbgrader.preprocessors import NbGraderPreprocessor

from gradebox.autograde.assign_steps_to_processes import import_step_classes
from gradebox.course import Course, CourseError
from gradebox.notebook_exercises import find_grade_id
from gradebox.printable_text import format_exception


class AutotestReleaseError(NbGraderException):
    """Tests can't be generated from AUTOTEST lines; the message names notebook, cell and reason."""


class AutotestError(Exception):
    """Tests can't be generated from AUTOTEST lines; the message has the reason without the place."""


class InstantiateTests(StockInstantiateTests):
    """nbgrader's InstantiateTests, with kernels only where needed, shutdown on errors, and clear messages."""

    kc: Any = None
    # The index of the current cell.
    at: int | None = None

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        kernel = nb.metadata.get("kernelspec", {}).get("name", "")
        comment = self.comment_strs.get(kernel, "#")
        self.at = next((number for number, cell in enumerate(nb.cells) if self.asks(cell, comment)), None)
        if self.at is None:
            return nb, resources
        try:
            return self.made(nb, resources, kernel)
        except Exception as error:
            names, cell = resources["nbgrader"], find_grade_id(nb.cells[self.at]) or f"cell {self.at + 1}"
            where = f"{names['assignment']}/{names['notebook']}, {cell}: {self.autotest_delimiter}"
            raise AutotestReleaseError(f"{where}: {describe_autotest_error(error)}") from None

    def made(self, nb: NotebookNode, resources: dict, kernel: str) -> tuple[NotebookNode, dict]:
        """Run nbgrader's step with a kernel that is silent and always shut down.

        nbgrader's own kernel writes to the terminal, and keeps running after an error.
        """
        if kernel not in self.comment_strs or kernel not in self.sanitizers:
            of = f"the kernel {kernel!r}" if kernel else "a notebook without a kernel name"
            raise AutotestError(f"nbgrader can't generate tests for {of}")
        resources["kernel_name"] = kernel
        self.read_templates(resources)
        self.global_tests_loaded, self.sanitizer = True, self.sanitizers[kernel]
        folder = resources["metadata"]["path"]
        manager, self.kc = start_new_kernel(kernel_name=kernel, cwd=folder, stderr=subprocess.DEVNULL)
        try:
            return NbGraderPreprocessor.preprocess(self, nb, resources)
        finally:
            self.kc.stop_channels()
            manager.shutdown_kernel(now=True)

    def asks(self, cell: NotebookNode, comment: str) -> bool:
        """Return True if a code cell has an AUTOTEST comment."""
        lines = cell.source.splitlines() if cell.cell_type == "code" else []
        return any(self.autotest_delimiter in line and line.strip().startswith(comment) for line in lines)

    def read_templates(self, resources: dict) -> None:
        """Validate that nbgrader can read the test templates. Raises AutotestError."""
        file = self.autotest_filename
        try:
            self._load_test_template_file(resources)
        except FileNotFoundError:
            raise AutotestError(
                f"no {file} found: add the file, which defines the tests to generate, to the course's folder"
            ) from None
        except (yaml.YAMLError, AttributeError) as error:
            # nbgrader reads an attribute that some YAML errors lack, which raises AttributeError.
            said = error if isinstance(error, yaml.YAMLError) else error.__context__
            raise AutotestError(f"{file} is not valid YAML: {' '.join(str(said).split())}") from None
        except KeyError as error:
            raise AutotestError(f"{file} has no {error} for the kernel {resources['kernel_name']}") from None
        except TypeError:
            raise AutotestError(f"{file} is empty, or not a mapping of kernels") from None

    def preprocess_cell(self, cell: NotebookNode, resources: dict, index: int) -> tuple[NotebookNode, dict]:
        self.at = index
        asks = self.asks(cell, self.comment_strs[resources["kernel_name"]])
        if asks and self.enforce_metadata and not utils.is_grade(cell):
            raise AutotestError("only a cell with autograded points may have these lines")
        return super().preprocess_cell(cell, resources, index)


def describe_autotest_error(error: Exception) -> str:
    """Return the reason why tests can't be generated, in one line."""
    if isinstance(error, CellExecutionError):
        said = next(iter(error.evalue.strip().splitlines()), "")
        return f"running the notebook stopped with {error.ename}: {said}"
    return str(error) if isinstance(error, AutotestError) else format_exception(error)


def get_autotest_step(course: Course) -> InstantiateTests | None:
    """Return the InstantiateTests step if the course's release steps include one, ours or nbgrader's."""
    steps = import_step_classes(
        GenerateAssignment(coursedir=course.directory(), parent=course.app).preprocessors
    )
    made = any(issubclass(step, StockInstantiateTests) for step in steps)
    return InstantiateTests(parent=course.app) if made else None


def list_ignored_autotests(course: Course, source: NotebookNode) -> list[str]:
    """Return a warning for each cell with AUTOTEST lines if the course has no step that instantiates them."""
    asks = InstantiateTests(parent=course.app).asks
    cells = [cell for cell in source.cells if asks(cell, "#")] if get_autotest_step(course) is None else []
    what = "AUTOTEST lines stay comments, because c.GenerateAssignment.preprocessors lacks InstantiateTests"
    return [f"{find_grade_id(cell)}: {what}" for cell in cells]


def instantiate_tests(course: Course, assignment: str, name: str, source: NotebookNode) -> NotebookNode:
    """Return an instructor's notebook with instantiated tests, or `source` itself without such a step.

    Raises CourseError.
    """
    step = get_autotest_step(course)
    if step is None:
        return source
    resources: dict[str, Any] = {
        "metadata": {"path": str(course.path("source", assignment))},
        "nbgrader": {"assignment": assignment, "notebook": name},
    }
    try:
        with chdir(course.root):
            return step.preprocess(source, resources)[0]
    except Exception as error:
        raise CourseError(
            str(error) if isinstance(error, AutotestReleaseError) else format_exception(error)
        ) from None


def instantiate_all_tests(
    course: Course, assignment: str, sources: Mapping[str, NotebookNode]
) -> dict[str, NotebookNode]:
    """Return the given notebooks of an assignment with instantiated tests, by name. Raises CourseError."""
    return {name: instantiate_tests(course, assignment, name, source) for name, source in sources.items()}
