"""What travels to a worker and back: a submission as bytes, and its graded copies, scores and incidents."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache, lru_cache
from typing import Any

import cloudpickle
import nbformat
from nbformat.notebooknode import NotebookNode
from traitlets.config import Config

from gradebox.autograde.course_preprocessors import import_step_classes, run_steps
from gradebox.autograde.grading_context import AssignmentBundle, StepResources, replace_gradebook_lookups
from gradebox.autograde.incidents import find_incidents
from gradebox.autograde.restore_outputs import copy_code_cells
from gradebox.autograde.score import ScoreError, score_notebook
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.isolation import IsolationError
from gradebox.execute.lesson import ExecutionInputs, parse_lesson
from gradebox.kernel.kernel_handle import SandboxUnavailableError
from gradebox.printable_text import format_exception
from gradebox.submission_files import UnreadableSubmissionError, parse_notebook


@dataclass(frozen=True)
class Job:
    """One submission, ready to be run.

    kit: a packed Kit. notebooks: the files that were handed in, by released name, and fingerprints: what
    their grades depend on (see `fingerprint.py`). prepared: notebooks that steps of the course's own have
    changed, as JSON. files: what lies beside them, by relative path. secret: what tests know of the course's
    (see `course_secret.py`).
    """

    kit: bytes
    student: str
    notebooks: Mapping[str, bytes]
    fingerprints: Mapping[str, str]
    prepared: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    secret: int | None = None

    def serialize(self) -> bytes:
        return cloudpickle.dumps(self)


class SubmissionGrader:
    """Runs submissions to one assignment, with the steps around that."""

    def __init__(self, kit: AssignmentBundle):
        self.kit, config = kit, Config(kit.settings)
        self.execute = Execute(config=config)
        # Read only, by `repair_notebook.py` and `notebook.py`.
        self.released = cache(lambda name: nbformat.reads(kit.released[name], as_version=4))
        self.before, self.after = (
            [step(config=config) for step in import_step_classes(names)] for names in (kit.before, kit.after)
        )

    def grade(self, job: Job, name: str) -> dict[str, Any]:
        """Grade one notebook.

        Raises Unreadable, ScoreError, what nbgrader's steps raise, Refused and NotContained.
        """
        kit, resources = self.kit, build_resources(self.kit.assignment, job.student, name)
        try:
            nb = self.sanitize_notebook(job, name, resources)
        except Exception as error:
            raise UnreadableSubmissionError(
                f"nbgrader could not grade it: {name}.ipynb: {format_exception(error)}"
            ) from error
        self.execute.execute_in_place(
            nb, ExecutionInputs(parse_lesson(kit.sources[name]), job.files, kit.given, job.secret)
        )
        nb = run_steps(self.after, nb, resources)
        return {
            "copy": nbformat.writes(nb),
            "scores": asdict(score_notebook(nb, f"{kit.assignment}/{name}")),
            "incidents": [asdict(one) for one in find_incidents(job.student, kit.assignment, nb)],
        }

    def sanitize_notebook(self, job: Job, name: str, resources: dict[str, Any]) -> NotebookNode:
        """A notebook that was handed in, as it is run."""
        handed_in = parse_notebook(job.notebooks[name])
        resources["gradebox"] = StepResources(
            self.released(name), copy_code_cells(handed_in), job.fingerprints[name]
        )
        nb = nbformat.reads(job.prepared[name], as_version=4) if name in job.prepared else handed_in
        with replace_gradebook_lookups(self.kit.known):
            return run_steps(self.before, nb, resources)


def build_resources(assignment: str, student: str, notebook: str, db_url: str = "") -> dict[str, Any]:
    """What nbgrader tells its preprocessors of a notebook."""
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
    """Run a packed Job. Returns JSON: {"notebooks": by name, see `Grader.grade`, "in_force": an InForce}, or
    {"problem": why not}, or {"unreadable": what is wrong with what was handed in}.
    """
    job: Job = cloudpickle.loads(packed)
    try:
        found = load_grader(job.kit)
        graded = {name: found.grade(job, name) for name in job.notebooks}
        answer: dict[str, Any] = {"notebooks": graded, "in_force": asdict(found.execute.in_force())}
    except UnreadableSubmissionError as error:
        answer = {"unreadable": str(error)}
    except (SandboxUnavailableError, IsolationError) as error:
        answer = {"problem": f"{error}; nothing is wrong with what was handed in"}
    except ScoreError as error:
        answer = {"problem": str(error)}
    except Exception as error:
        answer = {"problem": f"it could not be run: {format_exception(error)}"}
    return json.dumps(answer).encode()
