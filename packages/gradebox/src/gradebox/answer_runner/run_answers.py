"""Run answers in a separate process (see `answer_process.py`) and collect the results.

Called by `audit/run_audit.py`, `release/generate_checks_cell.py` and `release/store_test_modes.py`.
"""

import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable

from gradebox.answer_runner.answer_tasks import (
    AnswerPlan,
    AnswerTask,
    AnswerTaskResult,
    PlanCell,
    parse_result,
)
from gradebox.autograde.process_pool import count_cores
from gradebox.course import CourseError
from gradebox.execute.cell_roles import IN_PROCESS_TEST, JUDGED_TEST, STUDENT_CELL
from gradebox.execute.lesson import Lesson
from gradebox.kernel.zygote_client import DETERMINISTIC_ENV, MATPLOTLIB_ENV
from gradebox.notebook_exercises import find_grade_id
from gradebox.path_and_home import add_environment_to_path

# fork() takes longer with more memory pages. Huge pages reduce its duration to a fifth. glibc can request
# them from Linux, Python's own allocator can't. Other systems ignore these variables.
LARGE_PAGES = {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}


def collect_plan_cells(lesson: Lesson) -> list[PlanCell]:
    """Return the code cells that are graded or given; solution cells hold the reference."""
    cells = []
    for cell in lesson.source.cells:
        name = find_grade_id(cell)
        if cell.cell_type == "code" and name:
            role, source = lesson.roles.get(name, STUDENT_CELL), lesson.solutions.get(name, cell.source)
            cells.append(
                PlanCell(
                    name,
                    source,
                    students=role != JUDGED_TEST,
                    judges=role not in (STUDENT_CELL, IN_PROCESS_TEST),
                    is_test=role in (JUDGED_TEST, IN_PROCESS_TEST),
                    returned=lesson.returned.get(name, frozenset()),
                    shared=frozenset(lesson.exported.get(name, ())),
                    student_source=lesson.student_sources.get(name),
                )
            )
    return cells


def find_exercise_tests(lesson: Lesson, exercise: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the test cells of an exercise, and all test cells after its solution."""
    names = [find_grade_id(cell) for cell in lesson.source.cells if cell.cell_type == "code"]
    tests = {name for name, role in lesson.roles.items() if role in (JUDGED_TEST, IN_PROCESS_TEST)}
    later = [name for name in names[names.index(exercise) :] if name in tests]
    return tuple(lesson.tests[exercise]), tuple(later)


def run_answers(
    lesson: Lesson, tasks: list[AnswerTask], preload: tuple[str, ...], done: Callable[[], None] = lambda: None
) -> list[AnswerTaskResult]:
    """Run tasks in forks of one process, one fork per core, and return their results in order.

    tasks: the number of each task must be its index. preload: modules that the process imports at its start.
    done: called after each task. Raises CourseError if the process fails or ends early.
    """
    add_environment_to_path()
    plan = AnswerPlan(collect_plan_cells(lesson), tasks, lesson.imports, lesson.facts, count_cores(), preload)
    with tempfile.TemporaryFile() as file:
        pickle.dump(plan, file)
        file.seek(0)
        stage = subprocess.Popen(
            [sys.executable, "-m", "gradebox.answer_runner.answer_process"],
            stdin=file,
            stdout=subprocess.PIPE,
            env={**os.environ, **DETERMINISTIC_ENV, **MATPLOTLIB_ENV, **LARGE_PAGES},
        )
    results: dict[int, AnswerTaskResult] = {}
    with stage:
        try:
            for line in stage.stdout or ():
                said = json.loads(line)
                if "problem" in said:
                    raise CourseError(f"the answers can't be run: {said['problem']}")
                results[said["number"]] = parse_result(said)
                done()
        except BaseException:
            # Nothing reads the remaining results.
            stage.kill()
            raise
    if len(results) < len(tasks):
        raise CourseError("the process that runs the answers ended before all results were received")
    return [results[task.number] for task in tasks]
