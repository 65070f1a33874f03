"""What is tried: the written answers, right answers with other inputs, and mutants; and how they are run."""

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.audit.cheats import CALLS, CHEATS
from gradebox.audit.equivalents import Declared
from gradebox.audit.inputs import CHANGES
from gradebox.audit.mutants import Mutant, mutants
from gradebox.audit.stage import GIVEN, SOLUTION, TEST, Attempt, Cell, Plan, Result, Task
from gradebox.code.names import answered_names
from gradebox.course import CourseError
from gradebox.grade.pool import cores
from gradebox.kernels.client import DRAWING, FIXED
from gradebox.notebook import name_of, own_tests, reference
from gradebox.release.answers import REFERENCE, Answer
from gradebox.run.lesson import builds_on
from gradebox.system import put_on_path

RIGHT, WRONG, INPUTS, MUTANT, CHEAT = "right", "wrong", "other_inputs", "mutant", "cheat"


@dataclass(frozen=True)
class Subject:
    """One thing to try in the place of a solution, and what came of it.

    kind: RIGHT, WRONG, INPUTS (a right answer with arguments of another form), MUTANT or CHEAT (one that
    solves nothing). answer: the title of the answer, or "reference"; of a cheat, its own. written: the
    answer, for RIGHT and WRONG. inputs, mutant: for these kinds. judged: whether the tests run in a process
    of their own; a cheat that is in theirs could agree with everything.
    """

    kind: str
    exercise: str
    answer: str
    source: str
    written: Answer | None = None
    inputs: str | None = None
    mutant: Mutant | None = None
    judged: bool = False
    result: Result | None = None


def cells_of(source: NotebookNode) -> list[Cell]:
    """The code cells that are graded or given, with the reference in the place of solutions."""
    solutions = reference(source)
    cells = []
    for cell in source.cells:
        name = name_of(cell)
        if cell.cell_type == "code" and name:
            role = SOLUTION if name in solutions else TEST if utils.is_grade(cell) else GIVEN
            cells.append(Cell(name, solutions.get(name, cell.source), role))
    return cells


def subjects(
    source: NotebookNode, written: list[Answer], declared: Declared, only: str | None, with_mutants: bool
) -> list[Subject]:
    """Everything to try in a notebook, the reference first in each exercise. only: of this exercise."""
    tests, found, solutions, needed = own_tests(source), [], reference(source), builds_on(source)
    for exercise, solution in solutions.items():
        if not tests[exercise] or only not in (None, exercise):
            continue
        own = [answer for answer in written if answer.exercise == exercise]
        right = [(REFERENCE, solution), *((answer.title, answer.source) for answer in own if answer.right)]
        found.append(Subject(RIGHT, exercise, REFERENCE, solution))
        for answer in own:
            kind = RIGHT if answer.right else WRONG
            found.append(Subject(kind, exercise, answer.title, answer.source, answer))
        for title, text in right:
            for inputs in declared.inputs.get(exercise, CHANGES):
                found.append(Subject(INPUTS, exercise, title, text, inputs=inputs))
            try:
                changed = mutants(text) if with_mutants else []
            except SyntaxError as error:
                raise CourseError(f"{exercise}, {title!r} is no Python: {error}") from None
            found += [Subject(MUTANT, exercise, title, one.source, mutant=one) for one in changed]
        called = answered_names(*(solutions[earlier] for earlier in sorted(needed[exercise])))
        for cheat in [*CHEATS, *(CALLS + name for name in sorted(called))]:
            found.append(Subject(CHEAT, exercise, cheat, solution, judged=True))
    return found


def run(
    source: NotebookNode,
    tried: list[Subject],
    preload: tuple[str, ...],
    done: Callable[[], None],
) -> list[Subject]:
    """Run subjects in forks of one process, as many at once as there are cores. Returns them with results.

    preload: modules that this process imports at its start. done: is called after each subject. Raises
    CourseError if the process ends before its time.
    """
    cells, tests = cells_of(source), own_tests(source)
    places = {cell.name: n for n, cell in enumerate(cells)}
    tasks = []
    for number, subject in enumerate(tried):
        own = tuple(tests[subject.exercise])
        later = tuple(cell.name for cell in cells[places[subject.exercise] :] if cell.role == TEST)
        whole = subject.written is not None
        cheat = subject.answer if subject.kind == CHEAT else None
        tasks.append(
            Task(
                number,
                subject.exercise,
                subject.source,
                later if whole else own,
                subject.inputs,
                cheat,
                whole,
                subject.judged,
            )
        )
    put_on_path()
    stage = subprocess.Popen(
        [sys.executable, "-m", "gradebox.audit.stage"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **FIXED, **DRAWING},
    )
    try:
        stage.stdin.write(pickle.dumps(Plan(cells, tasks, cores(), preload)))
        stage.stdin.close()
        results = {}
        for line in stage.stdout:
            said = json.loads(line)
            if "problem" in said:
                raise CourseError(f"the answers can't be run: {said['problem']}")
            attempts = {name: Attempt(**attempt) for name, attempt in said.pop("attempts").items()}
            results[said["number"]] = Result(**said, attempts=attempts)
            done()
    finally:
        # After an error of ours, or an interrupt, it would go on for nobody.
        stage.kill() if sys.exc_info()[0] else stage.wait()
    if len(results) < len(tried):
        raise CourseError("the process that runs the answers has ended before its time")
    return [replace(subject, result=results[number]) for number, subject in enumerate(tried)]
