"""Serialized jobs for workers, and their results: graded copies, scores and incidents."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache, lru_cache
from typing import Any

import cloudpickle
import nbformat
from nbformat.notebooknode import NotebookNode
from traitlets.config import Config

from gradebox.autograde.assign_steps_to_processes import import_step_classes, run_steps
from gradebox.autograde.grading_context import AssignmentBundle, StepResources, replace_gradebook_lookups
from gradebox.autograde.incidents import find_incidents
from gradebox.autograde.release_history import NO_HISTORY
from gradebox.autograde.restore_outputs import copy_code_cells
from gradebox.autograde.score import score_notebook
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.isolation import IsolationError
from gradebox.execute.kernel_specs import KernelError, find_interpreters
from gradebox.execute.lesson import ExecutionInputs, parse_lesson
from gradebox.gradebook_transactions import GRADEBOOK_ERRORS
from gradebox.kernel.interpreter import Interpreter
from gradebox.kernel.kernel_handle import SandboxUnavailableError
from gradebox.notebook_exercises import find_grade_id
from gradebox.notebook_json import parse_and_repair
from gradebox.notebook_metadata import update_record
from gradebox.printable_text import format_exception
from gradebox.safe_submission_files import UnreadableSubmissionError


@dataclass(frozen=True)
class Job:
    """One submission, ready to be run.

    kit: a serialized AssignmentBundle. notebooks: the submitted notebook files, by released name.
    fingerprints: hashes of the inputs of their grades (see `fingerprint.py`). prepared: notebooks that the
    course's own steps have changed, as JSON. files: the files next to the notebooks, by relative path.
    secret: the submission's number derived from the course secret (see `course_secret.py`). unproven:
    the tests that the reference solution fails, with the cause, by notebook and grade_id.
    """

    kit: bytes
    student: str
    notebooks: Mapping[str, bytes]
    fingerprints: Mapping[str, str]
    prepared: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    secret: int | None = None
    unproven: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def serialize(self) -> bytes:
        return cloudpickle.dumps(self)


class SubmissionGrader:
    """Grader of one assignment: runs submissions, and the steps before and after execution."""

    def __init__(self, kit: AssignmentBundle):
        self.kit, config = kit, Config(kit.settings)
        self.execute = Execute(config=config)
        # Shared by all submissions: `repair_notebook.py` and `notebook_exercises.py` only read these
        # notebooks.
        self.released = cache(lambda name: nbformat.reads(kit.released[name], as_version=4))
        self.before, self.after = (
            [step(config=config) for step in import_step_classes(names)] for names in (kit.before, kit.after)
        )

    def grade(self, job: Job, name: str) -> dict[str, Any]:
        """Grade one notebook. Return the graded copy, scores and incidents.

        Raises UnreadableSubmissionError, IsolationError, SandboxUnavailableError, and any error of
        nbgrader's steps.
        """
        kit, resources = self.kit, build_resources(self.kit.assignment, job.student, name)
        try:
            nb = self.sanitize_notebook(job, name, resources)
        except (*GRADEBOOK_ERRORS, UnreadableSubmissionError):
            # A gradebook error is raised by a course's own step; nothing is wrong with the submission.
            raise
        except Exception as error:
            raise UnreadableSubmissionError(
                f"nbgrader could not grade the submission: {name}.ipynb: {format_exception(error)}"
            ) from error
        self.execute.execute_in_place(
            nb, ExecutionInputs(parse_lesson(kit.sources[name]), job.files, kit.given, job.secret)
        )
        causes = job.unproven.get(name, {})
        for cell in nb.cells:
            if cause := causes.get(find_grade_id(cell) or ""):
                update_record(cell, reference=cause)
        nb = run_steps(self.after, nb, resources)
        return {
            "copy": nbformat.writes(nb),
            "scores": asdict(score_notebook(nb)),
            "incidents": [asdict(one) for one in find_incidents(job.student, kit.assignment, nb)],
        }

    def find_interpreters(self) -> tuple[Interpreter, ...]:
        """Return the interpreters of the assignment's kernels."""
        sources = (parse_lesson(text).source for text in self.kit.sources.values())
        return find_interpreters(self.execute, sources, contained=False)

    def sanitize_notebook(self, job: Job, name: str, resources: dict[str, Any]) -> NotebookNode:
        """Return a submitted notebook after the steps before execution."""
        handed_in, repairs = parse_and_repair(job.notebooks[name], f"{name}.ipynb")
        history = self.kit.histories.get(name, NO_HISTORY)
        resources["gradebox"] = StepResources(
            self.released(name), history, copy_code_cells(handed_in), job.fingerprints[name], repairs
        )
        nb = nbformat.reads(job.prepared[name], as_version=4) if name in job.prepared else handed_in
        with replace_gradebook_lookups(self.kit.known):
            return run_steps(self.before, nb, resources)


def build_resources(assignment: str, student: str, notebook: str, db_url: str = "") -> dict[str, Any]:
    """Build the `resources` that nbgrader passes to preprocessors of a notebook."""
    names = {"student": student, "assignment": assignment, "notebook": notebook, "db_url": db_url}
    return {
        "unique_key": notebook,
        "output_files_dir": f"{notebook}_files",
        "metadata": {"name": notebook},
        "nbgrader": names,
    }


@lru_cache(maxsize=4)
def load_grader(kit: bytes) -> SubmissionGrader:
    return SubmissionGrader(cloudpickle.loads(kit))


def run_job(packed: bytes) -> bytes:
    """Run a serialized Job. Return the result as JSON.

    The result is {"notebooks": results of `SubmissionGrader.grade` by name, "in_force": fields of an
    ActiveIsolation, "interpreters": descriptions of the kernels' interpreters}, or {"problem": why the run
    failed}, or {"unreadable": the problem of the submission}.
    """
    job: Job = cloudpickle.loads(packed)
    try:
        found = load_grader(job.kit)
        graded = {name: found.grade(job, name) for name in job.notebooks}
        answer: dict[str, Any] = {
            "notebooks": graded,
            "in_force": asdict(found.execute.in_force()),
            "interpreters": [str(one) for one in found.find_interpreters()],
        }
    except UnreadableSubmissionError as error:
        answer = {"unreadable": str(error)}
    except (SandboxUnavailableError, IsolationError, KernelError) as error:
        answer = {"problem": f"{error}; nothing is wrong with the submission"}
    except Exception as error:
        answer = {"problem": f"the submission could not be run: {format_exception(error)}"}
    return json.dumps(answer).encode()
