"""Store the mode of each test in the notebooks in `source/` (see `execute/detect_test_modes.py`)."""

from collections import defaultdict

import nbformat
from nbformat.notebooknode import NotebookNode

from gradebox.answer_runner.answer_tasks import DONE, AnswerTask
from gradebox.answer_runner.run_answers import find_exercise_tests, run_answers
from gradebox.autograde.assign_steps_to_processes import select_step_settings
from gradebox.course import Course
from gradebox.execute.detect_test_modes import TestModeRecorder
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.insert_generated_autotests import get_autotest_delimiter, instantiate_autotests
from gradebox.execute.lesson import Lesson
from gradebox.execute.preload_modules import select_preload_modules
from gradebox.execute.test_modes import TestMode, build_record, put_record, read_modes
from gradebox.notebook_exercises import serialize_notebook
from gradebox.release import read_answers_folder
from gradebox.sandbox.scratch_folder import read_supplementary_files

# The number of right and of wrong answers per exercise that are run with and without the judge.
# `gradebox audit --judge` runs all.
ANSWERS_PER_EXERCISE = 2


def record_tests(course: Course, assignment: str) -> list[str]:
    """Record the test modes of a released assignment, unless nothing has changed since the last record.

    Return the notebooks that were written.
    """
    written, marked = [], get_autotest_delimiter(course.app.config)
    folder = course.path("source", assignment)
    files = read_supplementary_files(folder)
    for name, text in course.texts(assignment).items():
        with course.gradebook() as gradebook:
            cells = {
                cell.name: cell.source for cell in gradebook.find_notebook(name, assignment).source_cells
            }
        graded = nbformat.reads(instantiate_autotests(text, cells, marked), as_version=4)
        if read_modes(graded) is None:
            modes = TestModeRecorder(graded, select_step_settings(course.app.config, []), files).record()
            put_record(graded, build_record(graded, modes))
            modes |= find_differing_tests(course, assignment, graded)
            source = course.full_source(assignment, name)
            put_record(source, build_record(graded, modes))
            (folder / f"{name}.ipynb").write_text(serialize_notebook(source), encoding="utf-8")
            written.append(str((folder / f"{name}.ipynb").relative_to(course.root)))
    return written


def find_differing_tests(course: Course, assignment: str, source: NotebookNode) -> dict[str, TestMode]:
    """Return modes for the tests whose result differs between judge and student process for some answers."""
    folder, lesson = course.root / "answers" / assignment, Lesson(source)
    written = (
        read_answers_folder.read_answers(folder, *course.full_sources(assignment).values())
        if folder.is_dir()
        else []
    )
    chosen: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for answer in written:
        if not answer.prose and answer.exercise in lesson.tests:
            chosen[answer.exercise, answer.right].append(answer.source)
    tasks: list[AnswerTask] = []
    for (exercise, _), texts in chosen.items():
        for text in texts[:: -(-len(texts) // ANSWERS_PER_EXERCISE)]:
            for judged in (True, False):
                tests = find_exercise_tests(lesson, exercise)[0]
                tasks.append(AnswerTask(len(tasks), exercise, text, tests, judged=judged))
    if not tasks:
        return {}
    results = run_answers(
        lesson, tasks, select_preload_modules(Execute(parent=course.app).preload, lesson.texts)
    )
    found: dict[str, TestMode] = {}
    for there, here in zip(results[::2], results[1::2], strict=True):
        for test, attempt in there.attempts.items():
            if there.ended == here.ended == DONE and attempt.passed != here.attempts[test].passed:
                found[test] = TestMode(reason="a written answer has another result in the judge")
    return found
