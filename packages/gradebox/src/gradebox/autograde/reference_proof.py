"""Prove that a lesson's own reference solution gets full points on this machine, before anybody is graded.

The reference is graded like a submission: same sandbox, judge and settings. Otherwise a missing library, or a
sandbox that lacks something, would cost every student the points. A proof is repeated after any change of
the lesson, the settings or the environment. Only success is remembered: the cause of a failure may be
mended outside of everything that is compared.

Nothing is required from the first exercise without a solution on, nor of a cell with nbgrader's tag
`raises-exception`.
"""

import json
import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import cloudpickle
import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.api import MissingEntry
from nbgrader.preprocessors import ClearSolutions

from gradebox.atomic_write import write_atomically
from gradebox.autograde.discover_submissions import Submission
from gradebox.autograde.graded_text_hashes import hash_parts
from gradebox.autograde.grading_context import AssignmentBundle
from gradebox.autograde.grading_job import Job
from gradebox.autograde.partial_credit import find_invalid_points
from gradebox.autograde.reference_submission import build_reference_notebook, find_unsolved_exercises
from gradebox.autograde.steps_around_execution import Around
from gradebox.course import Course, CourseError
from gradebox.execute.detect_test_modes import RECORDING_SECRET
from gradebox.execute.isolation import IsolationError
from gradebox.notebook_exercises import find_grade_id, find_graded_cells, scored_cells
from gradebox.notebook_metadata import (
    FAILED,
    OK,
    SKIPPED,
    find_last_error,
    format_last_error,
    has_asked_for_network,
    has_passed_second_chance,
    read_ending,
    read_flag,
    read_missing_module,
    read_unable_reason,
)
from gradebox.printable_text import format_count, format_exception

# File in the course's folder with the keys of the proofs (see `compute_proof_key`). It names no students.
PROOFS_FILE = ".gradebox_proofs.json"
# Number of keys that the file keeps.
MAX_PROOFS = 1000
# The student's id in the reference's job, which is never saved.
REFERENCE_STUDENT = "reference"
ERROR_TAG = "raises-exception"
DEMONSTRATION_HINT = " (`gradebox check` shows if the test needs a demonstration, which grading skips)"
# Names on PyPI that differ from the module's name.
PYPI_NAMES = {
    **{"PIL": "pillow", "bs4": "beautifulsoup4", "cv2": "opencv-python-headless", "skimage": "scikit-image"},
    **{"sklearn": "scikit-learn", "yaml": "pyyaml"},
}


@dataclass(frozen=True)
class ReferenceProof:
    """Result of grading a lesson's own reference solution.

    problem: the failure and its cause, in one sentence; None if nothing has failed. failed: the cause for
    each failed test, by notebook and grade_id.
    """

    problem: str | None = None
    failed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class ReferenceFailure:
    """A cell of the reference that failed.

    name: the grade_id, or the cell's number. where: the cell in words. points, maximum: None if the cell is
    not a test.
    """

    notebook: str
    name: str
    where: str
    cause: str
    points: float | None = None
    maximum: float | None = None


class ReferenceProofs:
    """Proofs of a grading run, one lesson at a time.

    scheduler: the address of the scheduler that grades, if any. found: the results that are new, by
    assignment. running: the assignments whose jobs have begun and not ended, with the keys of their proofs.
    """

    def __init__(self, course: Course, around: Around, scheduler: str | None = None):
        self.course, self.around, self.scheduler = course, around, scheduler
        self.known = read_proofs(course.root)
        self.found: dict[str, ReferenceProof] = {}
        self.running: dict[str, str] = {}

    def begin(self, assignment: str) -> bytes | None:
        """Return the job that grades an assignment's reference (see `grading_job.py`).

        Returns None if nothing has to be run: the assignment has a proof, or its job can't be prepared, or
        the assignment can't be graded for another reason, such as a missing release, which grading reports.
        Raises IsolationError if this machine lacks the required isolation.
        """
        if not self.around.execute.require_reference:
            return None
        try:
            key = compute_proof_key(self.course, self.around, assignment, self.scheduler)
            if key in self.known:
                return None
            job = build_reference_job(self.around, assignment)
        except IsolationError:
            raise
        except (CourseError, MissingEntry, FileNotFoundError):
            return None
        except Exception as error:
            self.found[assignment] = fail_proof(assignment, f"can't be prepared: {format_exception(error)}")
            return None
        self.running[assignment] = key
        return job

    def end(self, assignment: str, result: bytes | BaseException) -> None:
        """Examine the result of an assignment's job, and remember a success."""
        proof = self.found[assignment] = examine_result(self.course, self.around, assignment, result)
        key = self.running.pop(assignment)
        if not proof.problem:
            store_proof(self.course.root, key)


def prove_references(
    course: Course, around: Around, assignments: Iterable[str], run_job: Callable[[bytes], bytes]
) -> dict[str, ReferenceProof]:
    """Grade the reference solutions of assignments without a proof. Return the results that are new.

    run_job: runs a serialized job (see `grading_job.py`). Raises IsolationError, see `ReferenceProofs`.
    """
    proofs = ReferenceProofs(course, around)
    for assignment in assignments:
        if job := proofs.begin(assignment):
            proofs.end(assignment, run_job(job))
    return proofs.found


def compute_proof_key(course: Course, around: Around, assignment: str, scheduler: str | None) -> str:
    """Return a hash of everything that a proof depends on: lesson, settings and environment.

    Raises MissingEntry or FileNotFoundError if the assignment is not released.
    """
    released = course.path("release", assignment)
    names = course.notebooks(assignment)
    isolation = "" if scheduler else around.execute.in_force(course.root).line
    return hash_parts(
        [
            *(around.instructors(assignment, name) for name in names),
            *((released / f"{name}.ipynb").read_bytes() for name in names),
            *map(str.encode, (assignment, isolation, scheduler or "", *list_environment())),
        ]
    ).hex()


@cache
def list_environment() -> tuple[str, ...]:
    """Return the interpreter, and the installed distributions with their versions."""
    found = set()
    for folder in map(Path, sys.path):
        with suppress(OSError):
            found |= {name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info"))}
    return (sys.executable, platform.python_version(), platform.machine(), *sorted(found))


def build_reference_job(around: Around, assignment: str) -> bytes:
    """Return the serialized job that grades an assignment's reference solution."""
    kit = around.kit(assignment)
    bundle: AssignmentBundle = cloudpickle.loads(kit)
    notebooks = {}
    for name, text in bundle.released.items():
        released, source = (nbformat.reads(one, as_version=4) for one in (text, bundle.sources[name]))
        notebooks[name] = nbformat.writes(build_reference_notebook(released, source)).encode()
    fingerprints = dict.fromkeys(notebooks, "")
    prepared = around.run_first_steps(Submission(REFERENCE_STUDENT, assignment), notebooks, fingerprints)
    files = around.given(assignment)
    return Job(kit, REFERENCE_STUDENT, notebooks, fingerprints, prepared, files, RECORDING_SECRET).serialize()


def examine_result(
    course: Course, around: Around, assignment: str, result: bytes | BaseException
) -> ReferenceProof:
    """Return the proof, given the result of the reference's job."""
    if isinstance(result, BaseException):
        return fail_proof(assignment, f"could not be run: {format_exception(result)}")
    said = json.loads(result)
    if reason := said.get("problem") or said.get("unreadable"):
        return fail_proof(assignment, f"could not be graded: {reason}")
    marks, failures = ClearSolutions(parent=around), list[ReferenceFailure]()
    for name, graded in said["notebooks"].items():
        copy = nbformat.reads(graded["copy"], as_version=4)
        failures += find_failures(
            course.source(assignment, name), name, copy, graded["scores"]["points"], marks
        )
    if not failures:
        return ReferenceProof()
    tests = [one for one in failures if one.maximum is not None]
    failed: dict[str, dict[str, str]] = {}
    for one in tests:
        failed.setdefault(one.notebook, {})[one.name] = one.cause
    if not tests:
        (first, *_) = failures
        return fail_proof(assignment, f"fails in {first.where}: {first.cause}")
    (first, *others) = tests
    more = f" and fails {format_count(len(others), 'more test', 'more tests')}" if others else ""
    points = f"{first.points:g} of {first.maximum:g} points"
    return fail_proof(assignment, f"gets {points} in {first.where}{more}: {first.cause}", failed)


def fail_proof(
    assignment: str, what: str, failed: Mapping[str, Mapping[str, str]] | None = None
) -> ReferenceProof:
    return ReferenceProof(f"{assignment} is not graded: its own reference solution {what}", failed or {})


def find_failures(
    source: NotebookNode,
    notebook: str,
    copy: NotebookNode,
    points: Mapping[str, float | None],
    marks: ClearSolutions,
) -> Iterator[ReferenceFailure]:
    """Yield the failed cells of a reference's graded copy, in order.

    points: of its graded cells. A cell that fails because of an earlier one has the cause of the earlier one.
    """
    unsolved, tests = find_unsolved_exercises(source, marks), scored_cells(source)
    numbers = {cell.grade_id: cell.number for cell in find_graded_cells(source, notebook)}
    expected = {cell.source for cell in source.cells if ERROR_TAG in cell.metadata.get("tags", [])}
    root, skipped = None, False
    score: tuple[float, float] | tuple[None, None]
    for place, cell in enumerate(copy.cells, 1):
        name = find_grade_id(cell)
        if name in unsolved:
            return
        if cell.cell_type != "code":
            continue
        skipped = skipped or read_ending(cell) == SKIPPED
        if name in tests:
            earned, most = points.get(name) or 0.0, float(tests[name].metadata.nbgrader.points)
            if earned >= most and not has_passed_second_chance(cell) and not find_last_error(cell):
                continue
            number = f" (exercise {numbers[name]})" if numbers[name] != name else ""
            where, score = f"`{name}`{number}", (earned, most)
        else:
            if read_ending(cell) in (None, OK, SKIPPED) or cell.source in expected:
                continue
            where = f"the cell `{name}`" if name else f"cell {place} of {notebook}.ipynb"
            score = (None, None)
        cause = describe_cause(cell, skipped and name in tests)
        if root and is_consequence(cell):
            cause = root
        root = root or cause
        yield ReferenceFailure(notebook, name or f"cell {place}", where, cause, *score)


def is_consequence(cell: NotebookNode) -> bool:
    """Return True if a cell failed because an earlier cell has not defined a name."""
    error = find_last_error(cell)
    return error is not None and "NameError" in f"{error.ename} {error.evalue}"


def describe_cause(cell: NotebookNode, may_need_demonstration: bool) -> str:
    """Return why a cell of the reference failed, in words."""
    if module := read_missing_module(cell):
        return f"{module} is not installed here: pip install {PYPI_NAMES.get(module, module)}"
    if has_asked_for_network(cell):
        return "it asks for the network, which submissions do not have"
    error = find_last_error(cell)
    # An error of the grader has a complete sentence.
    stopped = error and read_ending(cell) not in (OK, FAILED) and error.evalue.rstrip(".")
    hint = DEMONSTRATION_HINT if may_need_demonstration else ""
    return (
        read_flag(cell)
        or read_unable_reason(cell)
        or find_invalid_points(cell)
        or stopped
        or (format_last_error(cell) or "its last line gives fewer points") + hint
    )


def read_proofs(root: Path) -> list[str]:
    """Return the keys of a course's proofs, oldest first; none if the file can't be read."""
    with suppress(OSError, ValueError):
        found = json.loads((root / PROOFS_FILE).read_text(encoding="utf-8"))
        if isinstance(found, list):
            return [key for key in found if isinstance(key, str)]
    return []


def store_proof(root: Path, key: str) -> None:
    """Add a key to the course's file. In a read-only folder, the proof is repeated next time."""
    # Read again: another run may have added keys in the meantime.
    keys = dict.fromkeys([*read_proofs(root), key])
    with suppress(OSError), write_atomically(root / PROOFS_FILE) as path:
        path.write_text(json.dumps([*keys][-MAX_PROOFS:], indent=1) + "\n", encoding="utf-8")
