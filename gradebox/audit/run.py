"""The audit of a course: every answer in `answers/`, and mutants of the right ones, against the tests."""

import time
from collections.abc import Callable
from dataclasses import replace

import nbformat

from gradebox.audit import equivalents
from gradebox.audit.subjects import CHEAT, Subject, run, subjects
from gradebox.audit.verdicts import Audited, Verdicts
from gradebox.course import Course, CourseError
from gradebox.notebook import own_tests
from gradebox.release import answers
from gradebox.run.ahead import needed
from gradebox.run.execute import Execute


def audit(
    course: Course,
    assignments: list[str],
    exercise: str | None = None,
    mutants: bool = True,
    begun: Callable[[str, int], None] = lambda assignment, subjects: None,
    done: Callable[[], None] = lambda: None,
    judged: bool = False,
    cheats: bool = True,
) -> list[Audited]:
    """Audit the assignments that have answers; one result for each of their notebooks.

    exercise: only the one whose solution cell is called so. mutants, cheats: whether to try these. `begun` is
    called with the number of what will be tried in a notebook, `done` after each. judged: whether all is
    tried once more with the tests in a process of their own, as when students are graded, and compared.
    Raises CourseError if there is nothing to audit, or what is there can't be used.
    """
    # All of them: arguments of other forms are torch's, too.
    results, preload = [], needed(Execute(parent=course.app).preload, [])
    for assignment in assignments:
        for source, tried, declared in plans(course, assignment, exercise, mutants):
            start = time.monotonic()
            tried = [subject for subject in tried if cheats or subject.kind != CHEAT]
            verdicts = Verdicts(assignment, source, declared)
            apart = [replace(subject, judged=True) for subject in tried if judged and not subject.judged]
            begun(assignment, len(tried) + len(apart))
            ended = run(source, [*tried, *apart], preload, done)
            tried, apart = ended[: len(tried)], ended[len(tried) :]
            if judged:
                verdicts.compare([subject for subject in tried if not subject.judged], apart)
            results.append(verdicts.on(tried, mutants))
            results[-1].seconds = time.monotonic() - start
    if not results:
        raise CourseError(f"there are no answers{f' to {exercise!r}' if exercise else ''} to audit")
    return results


def plans(
    course: Course, assignment: str, exercise: str | None, mutants: bool
) -> list[tuple[nbformat.NotebookNode, list[Subject], equivalents.Declared]]:
    """For each notebook of an assignment, what is to be tried in it, and what the author says of that."""
    folder = course.root / "answers" / assignment
    if not folder.is_dir():
        return []
    sources = [
        nbformat.read(course.path("source", assignment) / f"{name}.ipynb", as_version=4)
        for name in course.notebooks(assignment)
    ]
    try:
        declared = equivalents.read(folder)
        known = {name for source in sources for name in own_tests(source)}
        for name in [*declared.inputs, *(reason[0] for reason in declared.reasons)]:
            if name not in known:
                raise CourseError(f"{folder / equivalents.FILE}: there is no exercise {name!r}")
        written = [answer for answer in answers.read(folder, *sources) if not answer.written]
        found = []
        for source in sources:
            exercises = own_tests(source)
            own = [answer for answer in written if answer.exercise in exercises]
            tried = subjects(source, own, declared, exercise, mutants)
            if tried:
                found.append((source, tried, declared))
    except answers.AnswerError as error:
        raise CourseError(str(error)) from None
    return found
