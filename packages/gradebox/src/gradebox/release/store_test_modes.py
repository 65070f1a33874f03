"""Write into the notebooks in `source/` how each of their tests runs (see `execute/detect_test_modes.py`)."""

from collections import defaultdict

import nbformat
from nbformat.notebooknode import NotebookNode

from gradebox.answer_runner.answer_tasks import DONE, Task
from gradebox.answer_runner.run_answers import run, tests_of
from gradebox.autograde.course_preprocessors import settings
from gradebox.course import Course
from gradebox.execute.autotest_cells import as_graded, mark
from gradebox.execute.detect_test_modes import Recorder
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.lesson import Lesson
from gradebox.execute.preload_modules import needed
from gradebox.execute.test_modes import TestMode, modes_of, put_record, record_of
from gradebox.notebook import as_json
from gradebox.release import answer_files
from gradebox.sandbox.scratch_folder import supplement

# How many written answers of an exercise are tried both ways, right and wrong ones. `gradebox audit --judge`
# tries all.
TRIED = 2


def record_tests(course: Course, assignment: str) -> list[str]:
    """Record the tests of a released assignment, unless nothing has changed since the last time.

    Returns the notebooks that were written.
    """
    written, marked = [], mark(course.app.config)
    folder = course.path("source", assignment)
    files = supplement(folder)
    for name, text in course.texts(assignment).items():
        with course.gradebook() as gradebook:
            cells = {
                cell.name: cell.source for cell in gradebook.find_notebook(name, assignment).source_cells
            }
        graded = nbformat.reads(as_graded(text, cells, marked), as_version=4)
        if modes_of(graded) is None:
            modes = Recorder(graded, settings(course.app.config, []), files).record()
            put_record(graded, record_of(graded, modes))
            modes |= differing(course, assignment, graded)
            source = nbformat.reads(text, as_version=4)
            put_record(source, record_of(graded, modes))
            (folder / f"{name}.ipynb").write_text(as_json(source), encoding="utf-8")
            written.append(str((folder / f"{name}.ipynb").relative_to(course.root)))
    return written


def differing(course: Course, assignment: str, source: NotebookNode) -> dict[str, TestMode]:
    """Return the modes of tests that have another result in the judge for some written answers."""
    folder, lesson = course.root / "answers" / assignment, Lesson(source)
    written = answer_files.read(folder, *course.sources(assignment).values()) if folder.is_dir() else []
    chosen: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for answer in written:
        if not answer.prose and answer.exercise in lesson.tests:
            chosen[answer.exercise, answer.right].append(answer.source)
    tasks: list[Task] = []
    for (exercise, _), texts in chosen.items():
        for text in texts[:: -(-len(texts) // TRIED)]:
            for judged in (True, False):
                tests = tests_of(lesson, exercise)[0]
                tasks.append(Task(len(tasks), exercise, text, tests, judged=judged))
    if not tasks:
        return {}
    results = run(lesson, tasks, needed(Execute(parent=course.app).preload, lesson.texts))
    found: dict[str, TestMode] = {}
    for there, here in zip(results[::2], results[1::2], strict=True):
        for test, attempt in there.attempts.items():
            if there.ended == here.ended == DONE and attempt.passed != here.attempts[test].passed:
                found[test] = TestMode(reason="a written answer has another result in the judge")
    return found
