"""Check a course in parallel: grade its own solutions with gradebox and with stock nbgrader.

Called by the commands in `check_command.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cloudpickle
import nbformat
from nbformat.notebooknode import NotebookNode

from gradebox.autograde.assign_steps_to_processes import select_step_settings
from gradebox.autograde.process_pool import count_cores, open_process_pool, run_all
from gradebox.course import Course, CourseError
from gradebox.execute.detect_test_modes import ensure_record
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.isolation import IsolationError
from gradebox.execute.kernel_specs import KernelError, find_interpreters
from gradebox.execute.lesson import parse_lesson
from gradebox.execute.skip_demonstrations import is_demonstration
from gradebox.execute.test_modes import find_in_process_tests
from gradebox.notebook_exercises import find_graded_cells, map_tests_to_solutions
from gradebox.parity.grade_reference_both_ways import (
    IN_GRADEBOX,
    IN_NBGRADER,
    WITHOUT_SANDBOX,
    CheckTask,
    CheckTaskResult,
    read_max_points,
    run_check_task,
)
from gradebox.parity.parity_results import CheckFinding, NotebookCheck, diagnose_loss
from gradebox.printable_text import format_exception
from gradebox.release.generate_autotests import instantiate_tests
from gradebox.sandbox.scratch_folder import read_supplementary_files


@dataclass(frozen=True)
class CheckJob:
    """A notebook to check, and its results."""

    source: NotebookNode
    task: CheckTask
    checked: NotebookCheck


def run_check(
    course: Course,
    assignments: list[str],
    quick: bool = False,
    report: Callable[[str, int, int], None] = lambda step, done, total: None,
) -> list[NotebookCheck]:
    """Check the notebooks of these assignments, in their order.

    quick: skip stock nbgrader for notebooks whose solutions get all points in gradebox. report: called after
    each step with the step, the number of steps done, and the number of all. Raises CourseError if this
    machine lacks the required isolation.
    """
    execute = Execute(parent=course.app)
    try:
        contained = execute.in_force(course.root).contained
    except (IsolationError, RuntimeError) as error:
        raise CourseError(str(error)) from None
    names = [(assignment, name) for assignment in assignments for name in course.notebooks(assignment)]
    # Preparing takes as long as grading, since both run each notebook several times.
    total, found = 2 * len(names), list[CheckJob | NotebookCheck]()
    for number, (assignment, name) in enumerate(names, 1):
        found.append(prepare_check_job(course, execute, assignment, name, quick, contained))
        report(f"{assignment}/{name} prepared", number, total)
    subjects = {number: one for number, one in enumerate(found) if isinstance(one, CheckJob)}
    if subjects:
        # Parse the lessons before the workers fork, so that the workers inherit the cached result.
        execute.texts = tuple(text for one in subjects.values() for text in parse_lesson(one.task.text).texts)
        interpreters = {one for subject in subjects.values() for one in subject.checked.interpreters}
        jobs = ((number, cloudpickle.dumps(one.task)) for number, one in subjects.items())
        workers, done = min(count_cores(), len(subjects)), total - len(subjects)
        with open_process_pool(workers, execute.modules, interpreters) as executor:
            for number, result in run_all(executor, run_check_task, jobs, workers):
                record_findings(subjects[number], result)
                done += 1
                report("{}/{} checked".format(*names[number]), done, total)
    return [one.checked if isinstance(one, CheckJob) else one for one in found]


def prepare_check_job(
    course: Course, execute: Execute, assignment: str, name: str, quick: bool, contained: bool
) -> CheckJob | NotebookCheck:
    """Prepare the check of a notebook. Return a NotebookCheck with the problem if this is not possible."""
    files, about = (
        read_supplementary_files(course.path("source", assignment)),
        select_step_settings(course.app.config, []),
    )
    try:
        source = course.source(assignment, name)
        interpreters = find_interpreters(execute, [source], contained, course.root)
        source = instantiate_tests(course, assignment, name, source)
        text = ensure_record(nbformat.writes(source), course.root, about, files)
        source = nbformat.reads(text, as_version=4)
        checked = NotebookCheck(
            assignment,
            name,
            read_max_points(source),
            find_in_process_tests(source),
            interpreters=interpreters,
        )
    except (CourseError, KernelError) as error:
        return NotebookCheck(assignment, name, problem=str(error))
    except Exception as error:
        return NotebookCheck(assignment, name, problem=format_exception(error))
    return CheckJob(source, CheckTask(text, files, about, quick), checked)


def number_tests(source: NotebookNode) -> dict[str, str]:
    """Return the exercise number of each test; the grade_id if several solutions have the same number."""
    numbers = {cell.grade_id: cell.number for cell in find_graded_cells(source, "")}
    owners: dict[str, set[str]] = {}
    for solution, tests in map_tests_to_solutions(source).items():
        for test in tests:
            owners.setdefault(numbers[test], set()).add(solution)
    return {test: number if len(owners.get(number, ())) < 2 else test for test, number in numbers.items()}


def record_findings(subject: CheckJob, result: bytes | BaseException) -> None:
    """Add a worker's result to the check of a notebook, in place."""
    checked = subject.checked
    if isinstance(result, BaseException):
        checked.problem = format_exception(result)
        return
    done: CheckTaskResult = cloudpickle.loads(result)
    ran, checked.near_limits = done.outcomes, done.near_limits
    problems = [f"{grader}, {one}" for grader, one in ran.items() if isinstance(one, str)]
    checked.problem = "; ".join(problems) or None
    numbers = number_tests(subject.source)
    demonstrations = any(map(is_demonstration, subject.source.cells))
    for test, most in checked.tests.items():
        graded, stock, uncontained = (
            None if isinstance(one, str) else one[test]
            for one in (ran.get(grader, "") for grader in (IN_GRADEBOX, IN_NBGRADER, WITHOUT_SANDBOX))
        )
        why = diagnose_loss(graded, stock, most, uncontained, demonstrations)
        if why:
            where = checked.assignment, checked.notebook, test, numbers[test]
            here, there = graded.points if graded else None, stock.points if stock else None
            checked.findings.append(CheckFinding(*where, here, there, most, why))
