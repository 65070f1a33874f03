"""Writes a lesson's cell of messages out of its answers: what is right, and what each mistake gives.

A lesson with a locked cell of the grade_id "messages" gets there the function `check` (see `messages/`) and a
table: for each call that visible tests make by it, the reference's result, and of each wrong answer that this
call is the first to catch, its advice and a signature of its result. A call is made again only if an answer,
or a cell that comes before it, has changed.
"""

import ast
import builtins
import hashlib
import inspect
import json
import re
import textwrap
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np
from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.code.names import answered_names, parsed
from gradebox.course import Course, CourseError
from gradebox.messages import check, located, meanings, raised, shapes
from gradebox.notebook import MESSAGES, SHAPES, TABLE, Table, name_of, table_in, visible
from gradebox.release import answers
from gradebox.release.answers import REFERENCE, Answer
from gradebox.release.pair import as_json
from gradebox.run.ahead import needed
from gradebox.run.execute import Execute
from gradebox.run.lesson import Lesson
from gradebox.trial.calls import CHECK, Call
from gradebox.trial.plan import DONE, Task
from gradebox.trial.run import run

ABOVE = (
    "# What visible tests expect, and what known mistakes give. `make release` writes this cell out of\n"
    "# answers/, and nothing in it needs to be read."
)
LINE = "# -----"
GIVEN = 'returns, check = messages()\nInfinity, NaN = float("inf"), float("nan")'
# So many digits count of what a mistake gives; of what is right, more, as a message shows four of them.
DIGITS, RIGHT_DIGITS = 5, 6


def code() -> str:
    """The function that gives a lesson `returns` and `check`."""
    modules = check, located, meanings, raised
    return as_function("messages", modules, "returns, check", "RETURNS = {}")


def as_function(name: str, modules: tuple[ModuleType, ...], gives: str, *begins: str) -> str:
    """A function that gives some functions of modules; no name of a notebook can get in its way."""
    parts = [inspect.getsource(module).partition(LINE) for module in modules]
    imports = {
        line
        for head, _, _ in parts
        for line in head.splitlines()
        if line.startswith(("import", "from")) and line.split()[1].split(".")[0] not in ("typing", "gradebox")
    }
    texts = [re.sub("# fmt: .*\n", "", below.partition("\n")[2]).strip() for _, _, below in parts]
    # After a student's `from numpy import *`, sum and max are others.
    used = {node.id for text in texts for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    imports.add(f"from builtins import {', '.join(sorted(used & set(dir(builtins))))}")
    inside = "\n\n".join(["\n".join(sorted(imports)), *begins, *texts, f"return {gives}"])
    return f"def {name}():\n" + textwrap.indent(re.sub("\n{3,}", "\n\n", inside), "    ")


def follower() -> str:
    """The text of a cell that is tagged `shapes`: it gives a lesson `follow_shapes`."""
    above = "# Runs a method and says whether its comments on shapes are true. Nothing here needs to be read."
    return f"{above}\n{as_function('shapes', (shapes,), 'follow_shapes')}\n\n\nfollow_shapes = shapes()"


def written(table: Table) -> str:
    """The text of a cell of messages."""
    rows = []
    for exercise, known in table.items():
        calls = [
            f"  {said(case)}: [{said(names)}, {said(right)}, ["
            + "".join(f"\n   {said(one)}," for one in wrong).rstrip(",")
            + "]]"
            for case, (names, right, wrong) in known["calls"].items()
        ]
        advice = [f"  {said(name)}: {said(text)}" for name, text in known["advice"].items()]
        rows.append(
            f' {said(exercise)}: {{\n "made of": {said(known["made of"])},'
            f' "defines": {said(known["defines"])},\n "advice": {{\n'
            + ",\n".join(advice)
            + '},\n "calls": {\n'
            + ",\n".join(calls)
            + "}}"
        )
    return f"{ABOVE}\n{code()}\n\n\n{GIVEN}\n{TABLE}{{\n" + ",\n".join(rows) + "}"


def said(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


@dataclass(frozen=True)
class Tried:
    """What came of an answer: the calls of its tests, in their order, and how its process ended."""

    answer: Answer
    calls: list[Call]
    ended: str

    @property
    def name(self) -> str:
        return f"{self.answer.exercise}, {self.answer.title!r}"

    def caught(self, right: dict[str, Call]) -> Iterator[Call]:
        """Of each test cell, the first call, or statement, that stops it. right: the reference's, by case."""
        stopped: set[str] = set()
        for call in self.calls:
            known = right.get(call.case)
            if call.test not in stopped and not (known and agree(call, known)):
                stopped.add(call.test)
                yield call


def agree(call: Call, right: Call) -> bool:
    """Whether a call gives what is right."""
    if call.got is None or right.got is None:
        return call.raised == right.raised != ""
    same = len(call.got) == len(right.got) and not any(check.signature(arrays(call.got), arrays(right.got)))
    return same and not call.changed


def table_of(tried: list[Tried], problems: list[str]) -> dict[str, Any]:
    """The table of one exercise. tried: the reference and all answers. problems: what speaks against it."""
    reference, *others = tried
    right = {call.case: call for call in reference.calls if call.case}
    calls = {case: [list(call.names), result_of(call), list[Any]()] for case, call in right.items()}
    # Answers with the same advice go by the name of the first of them.
    names: dict[str, str] = {}
    for call in reference.calls:
        if not call.case or call.said and not call.raised or call.changed:
            problems.append(f"{reference.name} fails its own visible test: {called(call)}")
    if len(right) < sum(bool(call.case) for call in reference.calls):
        problems.append(f"{reference.name}: two calls have the same name")
    for one in others:
        caught = list(one.caught(right))
        if one.answer.right:
            problems += [f"{one.name} is right, and refused: {called(call)}" for call in caught]
            continue
        if not caught and one.ended == DONE and not one.answer.unseen:
            problems.append(f"{one.name} is seen by no visible call: add one, or say why not, unseen=…")
        for call in caught:
            if call.got is None or call.case not in right:
                continue
            if call.changed and agree(replace(call, changed=False), right[call.case]):
                continue
            if not one.answer.advice:
                problems.append(f"{one.name} lacks its advice=…")
                continue
            mine = check.signature(arrays(call.got), arrays(right[call.case].got or []))
            known = calls[call.case][-1]
            same = check.fitting(mine, known)
            mine_is = names.get(one.answer.advice, one.answer.title)
            differ = [name for name in same if name != mine_is]
            if differ:
                problems.append(
                    f"{one.name} gives what {differ[0]!r} gives in {call.case!r}: "
                    "they need one advice, or another call"
                )
            elif not same:
                names[one.answer.advice] = mine_is
                known.append([mine_is, *(rounded(part, DIGITS) for part in mine)])
    advice = {name: text for text, name in names.items()}
    return {"defines": sorted(answered_names(reference.answer.source)), "advice": advice, "calls": calls}


def arrays(result: list[Any]) -> list[np.ndarray]:
    """What came back, or what is right, from nested lists of numbers."""
    return [np.array(part, dtype=float) for part in result]


def called(call: Call) -> str:
    """A call, or what stopped a test without one, in words."""
    return " ".join(filter(None, (call.case, call.raised, call.said)))


def result_of(call: Call) -> Any:
    """What is right in a call, as the table has it: arrays as lists, or the name of an error."""
    return call.raised if call.got is None else [rounded(part, RIGHT_DIGITS) for part in call.got]


def rounded(value: Any, digits: int) -> Any:
    """A number, or lists of them, with so many digits."""
    if isinstance(value, list):
        return [rounded(one, digits) for one in value]
    number = float(f"{value:.{digits}g}")
    return int(number) if number.is_integer() else number


def calls_in(text: str) -> bool:
    """Whether a test cell calls `check`."""
    names = (node.func for node in ast.walk(parsed(text)) if isinstance(node, ast.Call))
    return any(isinstance(name, ast.Name) and name.id == CHECK for name in names)


def with_texts(source: NotebookNode, texts: dict[str, str]) -> NotebookNode:
    """A notebook with other texts in place of these."""
    new = deepcopy(source)
    for cell in new.cells:
        cell.source = texts.get(cell.source, cell.source)
    return new


def with_sources(source: NotebookNode, texts: dict[str, str]) -> NotebookNode:
    """A notebook with other texts in its cells of these names."""
    new = deepcopy(source)
    for cell in new.cells:
        cell.source = texts.get(name_of(cell) or "", cell.source)
    return new


def make(course: Course, assignment: str) -> list[str]:
    """Write the cells of an assignment that are made: messages of its answers, and `follow_shapes`.

    Returns what was written, which is a lesson's text, or, where there is none, its notebook. Raises
    CourseError, with all that speaks against it.
    """
    done = []
    for name, source in course.sources(assignment).items():
        new = {}
        for cell in source.cells:
            if name_of(cell) == MESSAGES:
                if table_in(cell.source) and not (course.root / "answers" / assignment).is_dir():
                    # A course may have taken over the notebook alone.
                    continue
                new[cell.source] = Messages(course, assignment, source).text(cell.source)
            elif SHAPES in cell.metadata.get("tags", []):
                new[cell.source] = follower()
        if all(before == after for before, after in new.items()):
            continue
        path = course.root / "lessons" / assignment / f"{name}.py"
        if path.exists():
            whole = path.read_text(encoding="utf-8")
            for before, after in new.items():
                if not before or whole.count(before) != 1:
                    raise CourseError(
                        f"{path}: a cell that is made must hold a line that is nowhere else, of any text"
                    )
                whole = whole.replace(before, after)
            path.write_text(whole, encoding="utf-8")
        else:
            path = course.path("source", assignment) / f"{name}.ipynb"
            path.write_text(as_json(with_texts(source, new)), encoding="utf-8")
        done.append(str(path.relative_to(course.root)))
    return done


class Messages:
    """What the table of one notebook is made of."""

    def __init__(self, course: Course, assignment: str, source: NotebookNode):
        self.course, self.lesson = course, Lesson(source)
        marks = ClearHiddenTests(config=course.app.config)
        tests = {name for names in self.lesson.tests.values() for name in names}
        # What is run of each cell: of a solution the reference, of a test what students see.
        self.texts = {
            name: visible(cell, marks) if name in tests else self.lesson.solutions.get(name, cell.source)
            for cell in source.cells
            if cell.cell_type == "code" and (name := name_of(cell))
        }
        # No call stops there.
        self.texts[MESSAGES] = "def check(*arguments, **options):\n    pass\n\n\nreturns = check"
        found = answers.read(course.root / "answers" / assignment, source)
        for test in sorted(tests):
            if not parsed(self.texts[test]).body and re.search(r"^\s*[^\s#]", self.texts[test], re.MULTILINE):
                raise CourseError(f"{assignment}, {test}: what students see of it is no Python")
        self.answers = {
            exercise: [one for one in found if one.exercise == exercise and not one.prose]
            for exercise, tests in self.lesson.tests.items()
            if any(calls_in(self.texts[test]) for test in tests)
        }

    def text(self, before: str) -> str:
        """The text of the cell. before: what it is now."""
        known = table_in(before)
        made_of = {exercise: self.made_of(exercise) for exercise in self.answers}
        again = [name for name in made_of if known.get(name, {}).get("made of") != made_of[name]]
        new = self.made(again) if again else {}
        return written(
            {name: new[name] | {"made of": made_of[name]} if name in new else known[name] for name in made_of}
        )

    def made_of(self, exercise: str) -> str:
        """What the messages of an exercise depend on, as a short hash."""
        last = self.lesson.tests[exercise][-1]
        cells = list(self.texts)
        texts = [self.texts[name] for name in cells[: cells.index(last) + 1]]
        own = [[one.title, one.source, one.right, one.advice, one.unseen] for one in self.answers[exercise]]
        return hashlib.sha256(json.dumps([code(), texts, own]).encode()).hexdigest()[:12]

    def made(self, exercises: list[str]) -> Table:
        """The tables of these exercises."""
        everyone = [
            Answer(exercise, REFERENCE, self.lesson.solutions[exercise], right=True) for exercise in exercises
        ]
        everyone += [one for exercise in exercises for one in self.answers[exercise]]
        tasks = [
            Task(number, one.exercise, one.source, tuple(self.lesson.tests[one.exercise]), calls=True)
            for number, one in enumerate(everyone)
        ]
        lesson = Lesson(with_sources(self.lesson.source, self.texts))
        preload = needed(
            Execute(parent=self.course.app).preload, [*lesson.texts, *(one.source for one in everyone)]
        )
        results = run(lesson, tasks, preload)
        found: dict[str, list[Tried]] = {exercise: [] for exercise in exercises}
        for one, result in zip(everyone, results, strict=True):
            found[one.exercise].append(Tried(one, [Call(**call) for call in result.calls], result.ended))
        problems: list[str] = []
        tables = {exercise: table_of(tried, problems) for exercise, tried in found.items()}
        if problems:
            raise CourseError("messages can't be made: " + "\n".join(problems))
        return tables
