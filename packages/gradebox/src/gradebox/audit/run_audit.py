"""Run the audit of a course for `gradebox audit`: plan the candidates, run them and classify the results."""

import time
from collections.abc import Callable

from nbgrader.preprocessors import ClearHiddenTests

from gradebox.answer_runner.run_answers import find_exercise_tests, run_answers
from gradebox.audit import equivalent_mutants_file
from gradebox.audit.audit_candidates import Candidate, CandidateResult, build_candidates
from gradebox.audit.audit_results import NotebookAudit
from gradebox.audit.classify_results import ResultClassifier
from gradebox.audit.test_points_and_visibility import AuditTestCells
from gradebox.course import Course, CourseError
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.lesson import Lesson
from gradebox.execute.preload_modules import select_preload_modules
from gradebox.notebook_exercises import find_comment_tests
from gradebox.release import read_answers_folder
from gradebox.release.generate_autotests import instantiate_all_tests

# Modules that other modules import lazily. Without a preload, each fork would import them again.
LAZY_IMPORTS = ("numpy.random if random", "matplotlib.backends.backend_agg")


def run_audit(
    course: Course,
    assignments: list[str],
    exercise: str | None = None,
    mutants: bool = True,
    begun: Callable[[str, int], None] = lambda assignment, subjects: None,
    done: Callable[[], None] = lambda: None,
) -> list[NotebookAudit]:
    """Audit the assignments that have answers. Return one result per notebook.

    exercise: audit only the exercise with this solution cell. mutants: False to skip mutants. begun: called
    with the assignment and the number of candidates of a notebook. done: called after each candidate. Raises
    CourseError if no answers were found, or a file is invalid.
    """
    audited, marks = list[NotebookAudit](), ClearHiddenTests(config=course.app.config)
    modules = [*Execute(parent=course.app).preload, *LAZY_IMPORTS]
    for assignment in assignments:
        for lesson, found, declared in plan_audits(course, assignment, exercise, mutants, marks):
            start = time.monotonic()
            verdicts = ResultClassifier(assignment, lesson, AuditTestCells(lesson.source, marks), declared)
            comment_tests = find_comment_tests(lesson.source)
            begun(assignment, len(found))
            # fork() takes longer with more memory in use, so skip modules that the code does not name.
            preload = select_preload_modules(modules, [*lesson.texts, *(one.source for one in found)])
            tasks = [
                one.task(n, *find_exercise_tests(lesson, one.exercise), comment_tests)
                for n, one in enumerate(found)
            ]
            results = run_answers(lesson, tasks, preload, done)
            tried = [CandidateResult(*both) for both in zip(found, results, strict=True)]
            audited.append(verdicts.on(tried, mutants))
            audited[-1].seconds = time.monotonic() - start
    if not audited:
        raise CourseError(f"no answers{f' to {exercise!r}' if exercise else ''} found: nothing to audit")
    return audited


def plan_audits(
    course: Course, assignment: str, exercise: str | None, mutants: bool, marks: ClearHiddenTests
) -> list[tuple[Lesson, list[Candidate], equivalent_mutants_file.AuditDeclarations]]:
    """Return the lesson, the candidates and the declarations of each notebook of an assignment.

    Notebooks without candidates are left out. Raises CourseError if the declarations name an unknown
    exercise.
    """
    folder = course.root / "answers" / assignment
    if not folder.is_dir():
        return []
    every = course.full_sources(assignment)
    lessons = [Lesson(source) for source in instantiate_all_tests(course, assignment, every).values()]
    declared = equivalent_mutants_file.read_declarations(folder)
    known = {name for lesson in lessons for name in lesson.tests}
    for name in [*declared.inputs, *(reason[0] for reason in declared.reasons)]:
        if name not in known:
            raise CourseError(
                f"{folder / equivalent_mutants_file.EQUIVALENTS_FILE}: unknown exercise {name!r}"
            )
    everything = read_answers_folder.read_answers(folder, *(lesson.source for lesson in lessons))
    code = [answer for answer in everything if not answer.prose]
    found = [
        (lesson, build_candidates(lesson, code, declared, exercise, mutants, marks)) for lesson in lessons
    ]
    return [(lesson, tried, declared) for lesson, tried in found if tried]
