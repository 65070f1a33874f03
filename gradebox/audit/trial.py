"""Tries subjects: has them run in a process of their own (see `stage.py`), and hears what came of each."""

import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

from gradebox.audit.plan import DIED, Cell, Plan, Result, result_in
from gradebox.audit.subjects import Mutated, Subject
from gradebox.course import CourseError
from gradebox.grade.pool import cores
from gradebox.judge.roles import STUDENTS, TEST
from gradebox.kernels.client import DRAWING, FIXED
from gradebox.notebook import name_of
from gradebox.run.lesson import Lesson
from gradebox.system import put_on_path

# To fork takes as long as there are pages of memory. Large ones, which glibc asks Linux for and Python's own
# allocator doesn't, are a fifth of the work; other systems make nothing of these words.
LARGE_PAGES = {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}


@dataclass(frozen=True)
class Tried:
    """A subject, and what came of it."""

    subject: Subject
    result: Result

    @property
    def problem(self) -> str | None:
        """Why it was the audit that failed, and not the answer; None if it wasn't."""
        problem = "its process died" if self.result.ended == DIED else None
        for test, attempt in self.result.attempts.items():
            if not attempt.passed and attempt.origin is None:
                problem = f"{test}: {attempt.error}: {attempt.message}, in no cell's code"
        if problem and isinstance(self.subject, Mutated):
            return f"{self.subject.mutant.was!r} to {self.subject.mutant.becomes!r}: {problem}"
        return problem


def cells_of(lesson: Lesson) -> list[Cell]:
    """The code cells that are graded or given, with the reference in the place of solutions."""
    cells = []
    for cell in lesson.source.cells:
        name = name_of(cell)
        if cell.cell_type == "code" and name:
            role, source = lesson.roles.get(name, STUDENTS), lesson.solutions.get(name, cell.source)
            cells.append(Cell(name, source, students=role != TEST, judges=role != STUDENTS))
    return cells


def plan_of(lesson: Lesson, subjects: list[Subject], preload: tuple[str, ...]) -> Plan:
    cells = cells_of(lesson)
    places = {cell.name: n for n, cell in enumerate(cells)}
    tasks = []
    for number, subject in enumerate(subjects):
        own = tuple(lesson.tests[subject.exercise])
        later = tuple(cell.name for cell in cells[places[subject.exercise] :] if cell.is_test)
        tasks.append(subject.task(number, own, later))
    return Plan(cells, tasks, lesson.imports, set(lesson.own), lesson.answered, cores(), preload)


def tried(
    lesson: Lesson, subjects: list[Subject], preload: tuple[str, ...], done: Callable[[], None]
) -> list[Tried]:
    """Try subjects in forks of one process, as many at once as there are cores.

    preload: modules that this process imports at its start. done: is called after each subject. Raises
    CourseError if the process ends before its time.
    """
    put_on_path()
    with tempfile.TemporaryFile() as plan:
        pickle.dump(plan_of(lesson, subjects, preload), plan)
        plan.seek(0)
        stage = subprocess.Popen(
            [sys.executable, "-m", "gradebox.audit.stage"],
            stdin=plan,
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
    if len(results) < len(subjects):
        raise CourseError("the process that runs the answers has ended before its time")
    return [Tried(subject, results[number]) for number, subject in enumerate(subjects)]
