"""The check of a course: its own solutions, graded in each way, many notebooks at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import cloudpickle
import nbformat
from nbformat.notebooknode import NotebookNode

from gradebox.check.findings import Checked, Finding
from gradebox.check.reasons import reason
from gradebox.check.sound import UNSOUND, unsound
from gradebox.check.ways import JUDGED, PLAIN, STOCK, Ran, Task, run, tests
from gradebox.course import Course, CourseError
from gradebox.grade.pool import cores, processes, run_all
from gradebox.grade.steps import settings
from gradebox.judge.roles import is_unjudged
from gradebox.kernels.scratch import supplement
from gradebox.notebook import graded_cells
from gradebox.release.autotests import with_tests
from gradebox.run.execute import Execute
from gradebox.run.isolation import UNCONTAINED, WHOLE, Refused
from gradebox.run.lesson import lesson_of
from gradebox.words import in_words


@dataclass(frozen=True)
class Subject:
    """A notebook that can be checked, and what will be known of it."""

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

    quick: whether a notebook is left alone if its solutions get all points as students are graded: more than
    that stock nbgrader can't give. `begun` is called with the number of notebooks, `done` after each. Raises
    CourseError if nothing can be graded here.
    """
    execute = Execute(parent=course.app)
    found = [one for assignment in assignments for one in plans(course, assignment, execute, quick)]
    subjects = {number: one for number, one in enumerate(found) if isinstance(one, Subject)}
    begun(len(subjects))
    if subjects:
        # Workers are forks of this process, and find them read.
        execute.texts = tuple(text for one in subjects.values() for text in lesson_of(one.task.text).texts)
        jobs = ((number, one.task.packed()) for number, one in subjects.items())
        workers = min(cores(), len(subjects))
        with processes(workers, execute.modules) as executor:
            for number, result in run_all(executor, run, jobs, workers):
                conclude(subjects[number], result)
                done()
    return [one.checked if isinstance(one, Subject) else one for one in found]


def levels(course: Course, execute: Execute) -> dict[str, str]:
    """What is asked of this machine with the judge and without it, by what the course asks for.

    Raises CourseError if the machine can't give that.
    """
    try:
        if execute.isolation in UNCONTAINED:
            return {JUDGED: "judge", PLAIN: "none"}
        if execute.isolation in WHOLE:
            execute.in_force(course.root)
            return {JUDGED: "full", PLAIN: "sandbox"}
        force = execute.in_force(course.root)
        # A sandbox without a judge is there as a whole, or not at all.
        whole = force.contained and not force.warning
        return {JUDGED: "auto", PLAIN: "sandbox" if whole else "none"}
    except (Refused, RuntimeError) as error:
        raise CourseError(str(error)) from None


def plans(course: Course, assignment: str, execute: Execute, quick: bool) -> list[Subject | Checked]:
    """What is to be checked of an assignment, by notebook; and what can't be, with the reason."""
    isolation, files = levels(course, execute), supplement(course.path("source", assignment))
    ways = (JUDGED, PLAIN, STOCK) if execute.judged or not quick else (PLAIN, STOCK)
    found: list[Subject | Checked] = []
    for name in course.notebooks(assignment):
        checked = Checked(assignment, name)
        try:
            source = with_tests(course, assignment, name, course.source(assignment, name))
            checked.tests = {
                test: float(cell.metadata.nbgrader.points) for test, cell in tests(source).items()
            }
            checked.unjudged = [test for test, cell in tests(source).items() if is_unjudged(cell)]
            said = [
                f"{test}, {what}: {UNSOUND}" for test, what in unsound(source) if test not in checked.unjudged
            ]
            checked.warnings = said
        except CourseError as error:
            found.append(Checked(assignment, name, problem=str(error)))
        except Exception as error:
            found.append(Checked(assignment, name, problem=in_words(error)))
        else:
            of_course = settings(course.app.config, [])
            task = Task(nbformat.writes(source), files, of_course, isolation, ways, quick)
            found.append(Subject(source, task, checked))
    return found


def conclude(subject: Subject, result: bytes | BaseException) -> None:
    """Write down what a worker has found."""
    checked = subject.checked
    if isinstance(result, BaseException):
        checked.problem = in_words(result)
        return
    ran: Mapping[str, Ran] = cloudpickle.loads(result)
    problems = [f"{way}, {came}" for way, came in ran.items() if isinstance(came, str)]
    checked.problem = "; ".join(problems) or None
    by_way = {way: came for way, came in ran.items() if not isinstance(came, str)}
    numbers = {cell.grade_id: cell.number for cell in graded_cells(subject.source, checked.notebook)}
    for test, most in checked.tests.items():
        came = {way: tests[test] for way, tests in by_way.items()}
        why = reason(came, most, test in checked.unjudged)
        if why:
            points = {way: one.points for way, one in came.items()}
            scores = points.get(JUDGED), points.get(PLAIN), points.get(STOCK)
            where = checked.assignment, checked.notebook, test, numbers[test]
            checked.findings.append(Finding(*where, *scores, most, *why))
