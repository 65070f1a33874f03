"""Has tasks run in a process of their own (see `answer_process.py`), and hears what came of each."""

import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable

from gradebox.answer_runner.answer_tasks import Cell, Plan, Result, Task, result_in
from gradebox.autograde.process_pool import cores
from gradebox.course import CourseError
from gradebox.execute.cell_roles import IN_PROCESS, STUDENTS, TEST
from gradebox.execute.lesson import Lesson
from gradebox.kernel.zygote_client import DRAWING, FIXED
from gradebox.notebook import name_of
from gradebox.process_environment import put_on_path

# To fork takes as long as there are pages of memory. Large ones, which glibc asks Linux for and Python's own
# allocator doesn't, are a fifth of the work; other systems make nothing of these words.
LARGE_PAGES = {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}


def cells_of(lesson: Lesson) -> list[Cell]:
    """The code cells that are graded or given, with the reference in the place of solutions."""
    cells = []
    for cell in lesson.source.cells:
        name = name_of(cell)
        if cell.cell_type == "code" and name:
            role, source = lesson.roles.get(name, STUDENTS), lesson.solutions.get(name, cell.source)
            cells.append(
                Cell(
                    name,
                    source,
                    students=role != TEST,
                    judges=role not in (STUDENTS, IN_PROCESS),
                    is_test=role in (TEST, IN_PROCESS),
                    returned=lesson.returned.get(name, frozenset()),
                    shared=frozenset(lesson.exported.get(name, ())),
                )
            )
    return cells


def tests_of(lesson: Lesson, exercise: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """An exercise's own test cells, and all that follow its solution."""
    names = [name_of(cell) for cell in lesson.source.cells if cell.cell_type == "code"]
    tests = {name for name, role in lesson.roles.items() if role in (TEST, IN_PROCESS)}
    later = [name for name in names[names.index(exercise) :] if name in tests]
    return tuple(lesson.tests[exercise]), tuple(later)


def run(
    lesson: Lesson, tasks: list[Task], preload: tuple[str, ...], done: Callable[[], None] = lambda: None
) -> list[Result]:
    """The results of tasks, whose numbers are their places, from forks of one process, one for each core.

    preload: modules that this process imports at its start. done: is called after each task. Raises
    CourseError if the process ends before its time.
    """
    put_on_path()
    plan = Plan(cells_of(lesson), tasks, lesson.imports, lesson.facts, cores(), preload)
    with tempfile.TemporaryFile() as file:
        pickle.dump(plan, file)
        file.seek(0)
        stage = subprocess.Popen(
            [sys.executable, "-m", "gradebox.answer_runner.answer_process"],
            stdin=file,
            stdout=subprocess.PIPE,
            env={**os.environ, **FIXED, **DRAWING, **LARGE_PAGES},
        )
    results: dict[int, Result] = {}
    with stage:
        try:
            for line in stage.stdout or ():
                said = json.loads(line)
                if "problem" in said:
                    raise CourseError(f"the answers can't be run: {said['problem']}")
                results[said["number"]] = result_in(said)
                done()
        except BaseException:
            # It would go on for nobody.
            stage.kill()
            raise
    if len(results) < len(tasks):
        raise CourseError("the process that runs the answers has ended before its time")
    return [results[task.number] for task in tasks]
