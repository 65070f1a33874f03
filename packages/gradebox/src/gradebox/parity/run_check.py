"""The check of a course: its own solutions, graded by gradebox and by stock nbgrader, many at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import cloudpickle
import nbformat
from nbformat.notebooknode import NotebookNode

from gradebox.autograde.course_preprocessors import settings
from gradebox.autograde.process_pool import cores, processes, run_all
from gradebox.course import Course, CourseError
from gradebox.execute.detect_test_modes import recorded
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.isolation import Refused
from gradebox.execute.lesson import lesson_of
from gradebox.execute.test_modes import in_process
from gradebox.notebook import graded_cells
from gradebox.parity.grade_both_ways import GRADED, STOCK, Ran, Task, points_of, run
from gradebox.parity.parity_results import Checked, Finding, reason
from gradebox.printable_text import in_words
from gradebox.release.generate_autotests import with_tests
from gradebox.sandbox.scratch_folder import supplement


@dataclass(frozen=True)
class Subject:
    """A notebook that can be checked, and its findings."""

    source: NotebookNode
    task: Task
    checked: Checked


def check(
    course: Course,
    assignments: list[str],
    quick: bool = False,
    begun: Callable[[int], None] = lambda notebooks: None,
    done: Callable[[], None] = lambda: None,
) -> list[Checked]:
    """Check the notebooks of these assignments, in their order.

    quick: skip stock nbgrader for notebooks whose solutions get all points as students are graded. `begun` is
    called with the number of notebooks, `done` after each. Raises CourseError if nothing can be graded here.
    """
    execute = Execute(parent=course.app)
    try:
        execute.in_force(course.root)
    except (Refused, RuntimeError) as error:
        raise CourseError(str(error)) from None
    found = [
        subject(course, assignment, name, quick)
        for assignment in assignments
        for name in course.notebooks(assignment)
    ]
    subjects = {number: one for number, one in enumerate(found) if isinstance(one, Subject)}
    begun(len(subjects))
    if subjects:
        # Workers are forks of this process, and find them read.
        execute.texts = tuple(text for one in subjects.values() for text in lesson_of(one.task.text).texts)
        jobs = ((number, cloudpickle.dumps(one.task)) for number, one in subjects.items())
        workers = min(cores(), len(subjects))
        with processes(workers, execute.modules) as executor:
            for number, result in run_all(executor, run, jobs, workers):
                conclude(subjects[number], result)
                done()
    return [one.checked if isinstance(one, Subject) else one for one in found]


def subject(course: Course, assignment: str, name: str, quick: bool) -> Subject | Checked:
    """Prepare the check of a notebook. Returns what is wrong with one that can't be checked."""
    files, about = supplement(course.path("source", assignment)), settings(course.app.config, [])
    try:
        source = with_tests(course, assignment, name, course.source(assignment, name))
        text = recorded(nbformat.writes(source), course.root, about, files)
        source = nbformat.reads(text, as_version=4)
        checked = Checked(assignment, name, points_of(source), in_process(source))
    except CourseError as error:
        return Checked(assignment, name, problem=str(error))
    except Exception as error:
        return Checked(assignment, name, problem=in_words(error))
    return Subject(source, Task(text, files, about, quick), checked)


def conclude(subject: Subject, result: bytes | BaseException) -> None:
    """Write down what a worker has found."""
    checked = subject.checked
    if isinstance(result, BaseException):
        checked.problem = in_words(result)
        return
    ran: Mapping[str, Ran] = cloudpickle.loads(result)
    problems = [f"{grader}, {one}" for grader, one in ran.items() if isinstance(one, str)]
    checked.problem = "; ".join(problems) or None
    numbers = {cell.grade_id: cell.number for cell in graded_cells(subject.source, checked.notebook)}
    for test, most in checked.tests.items():
        graded, stock = (
            None if isinstance(one, str) else one[test] for one in (ran.get(GRADED, ""), ran.get(STOCK, ""))
        )
        why = reason(graded, stock, most)
        if why:
            where = checked.assignment, checked.notebook, test, numbers[test]
            here, there = graded.points if graded else None, stock.points if stock else None
            checked.findings.append(Finding(*where, here, there, most, why))
