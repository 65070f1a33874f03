"""Generate a lesson's checks cell: helper functions, expected results, and the results of common mistakes.

A locked cell with the grade_id "messages" becomes the checks cell. It defines `returns` and `check` (see
`check_engine/`), the names in `answers/LESSON/checks.py`, and a table. For each call of `check` in a visible
test, the table has the reference's result. For each wrong answer that the call is the first to catch, the
table has the advice and a signature of the wrong result. The table is stored in
`answers/LESSON/messages.json`. An exercise's part is generated again only if an answer, a helper or an
earlier cell has changed.
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
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.answer_runner.answer_tasks import DONE, AnswerTask
from gradebox.answer_runner.record_check_calls import CHECK, CheckCall
from gradebox.answer_runner.run_answers import run_answers
from gradebox.check_engine import (
    array_diff,
    check,
    check_gradients,
    check_shape_comments,
    explain_errors,
    grade_shape_comments,
    result_display,
    source_hints,
    submitted_texts,
    traceback_location,
)
from gradebox.checks_cell import (
    CHECK_DEFINITION,
    DEFINITIONS_HEADING,
    HELPERS_HEADING,
    TABLE_MARKER,
    build_checks_cell,
    expand_checks_cell,
    is_generated,
    unpack_code,
)
from gradebox.course import Course, CourseError
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.lesson import Lesson
from gradebox.execute.preload_modules import select_preload_modules
from gradebox.notebook_exercises import (
    CHECKS_CELL_ID,
    ChecksTable,
    find_checks_source,
    find_grade_id,
    find_graded_cells,
    find_prerequisites,
    map_tests_to_solutions,
    parse_checks_table,
    remove_hidden_lines,
    serialize_notebook,
)
from gradebox.release import read_answers_folder
from gradebox.release.read_answers_folder import HELPERS_FILE, REFERENCE, Answer
from gradebox.static_analysis.cell_names import assigned_names, parse_cell

SOURCE_SEPARATOR = "# -----"
NON_FINITE_NAMES = 'Infinity, NaN = float("inf"), float("nan")'
# The content of the checks cell in the text of a lesson.
PLACEHOLDER = "# `gradebox release` writes the checks here, from the folder of this lesson in answers/."
# File name in answers/LESSON/.
TABLE_FILE = "messages.json"
FOLLOW_SHAPES, CHECK_SHAPE_COMMENTS = "follow_shapes", "check_shape_comments"
CHECK_GRADIENTS = "check_gradients"
# The first line of a test cell, if it states exercise and points: "# Test of 1.1 Softmax (2 points)".
FIRST_LINE = re.compile(r"^# Test of .* \(\d+ points?\).*$", re.MULTILINE)
# Key in an exercise's table, for a hash of the inputs of the exercise's messages.
INPUT_HASH_KEY = "made of"
CHECK_STUB = (
    "def check(*arguments, **options):\n    pass\n\n\n"
    "returns = check_gradients = follow_shapes = check_shape_comments = check"
)
# Significant digits of stored results. Expected results need more digits, because messages show four.
MISTAKE_DIGITS, REFERENCE_DIGITS = 5, 6


def build_check_runtime() -> str:
    """Return the code that defines `returns` and `check`."""
    modules = (
        check,
        array_diff,
        explain_errors,
        traceback_location,
        source_hints,
        submitted_texts,
        result_display,
    )
    gives = "returns, check, show_points, display_results"
    return wrap_modules_in_function(
        "make_checks", modules, gives, "RETURNS, FAILED, EARNED, PASSED = {}, {}, {}, []"
    )


@cache
def wrap_modules_in_function(name: str, modules: tuple[ModuleType, ...], gives: str, *begins: str) -> str:
    """Return the code of a function that defines the modules' functions and returns those named in `gives`.

    The function's scope protects these functions from names in the notebook.
    """
    parts = [inspect.getsource(module).partition(SOURCE_SEPARATOR) for module in modules]
    imports = {
        line
        for head, _, _ in parts
        for line in head.splitlines()
        if line.startswith(("import", "from")) and line.split()[1].split(".")[0] not in ("typing", "gradebox")
    }
    texts = [re.sub("# fmt: .*\n", "", below.partition("\n")[2]).strip() for _, _, below in parts]
    # A student's `from numpy import *` replaces sum and max, so import the builtins.
    used = {node.id for text in texts for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    imports.add(f"from builtins import {', '.join(sorted(used & set(dir(builtins))))}")
    inside = "\n\n".join(["\n".join(sorted(imports)), *begins, *texts, f"return {gives}"])
    return f"def {name}():\n" + textwrap.indent(re.sub("\n{3,}", "\n\n", inside), "    ")


def build_checks_code(table: ChecksTable, helpers: str, used: str) -> tuple[str, list[str]]:
    """Return the code of a checks cell, and the names that this code defines for the notebook.

    helpers: code that the lesson's tests share. used: the code of the other cells.
    """
    parts, names = [build_check_runtime(), CHECK_DEFINITION], ["returns", "check", "show_points"]
    for modules, new in (
        (
            (submitted_texts, check_shape_comments, grade_shape_comments),
            [FOLLOW_SHAPES, CHECK_SHAPE_COMMENTS],
        ),
        ((check_shape_comments,), [FOLLOW_SHAPES]),
    ):
        if f"{new[-1]}(" in helpers + used:
            given = ", ".join(new)
            parts += [wrap_modules_in_function("make_shapes", modules, given), f"{given} = make_shapes()"]
            names += new
            break
    if f"{CHECK_GRADIENTS}(" in helpers + used:
        needed = check_gradients, explain_errors, source_hints, submitted_texts, traceback_location
        parts += [
            wrap_modules_in_function("make_gradients", needed, CHECK_GRADIENTS),
            f"{CHECK_GRADIENTS} = make_gradients()",
        ]
        names.append(CHECK_GRADIENTS)
    names += [name for name in list_defined_names(helpers) if name not in names]
    parts += [
        HELPERS_HEADING,
        helpers.strip(),
        DEFINITIONS_HEADING,
        f"checks = ({', '.join(names)})",
        f"{NON_FINITE_NAMES}\nTESTS = {FIRST_LINE.findall(used)}\n{TABLE_MARKER}{format_table(table)}",
    ]
    return "\n\n\n".join(filter(None, parts)) + "\n", names


def list_defined_names(helpers: str) -> list[str]:
    """Return the names that helper code assigns, in order, without imports and private names."""
    given = assigned_names(helpers)
    nodes = [node for statement in parse_cell(helpers).body for node in iter_assigned_names(statement)]
    return list(dict.fromkeys(name for name in nodes if name in given and not name.startswith("_")))


def iter_assigned_names(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a top-level statement may assign."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        yield statement.name
    else:
        yield from (node.id for node in ast.walk(statement) if isinstance(node, ast.Name))


def format_table(table: ChecksTable) -> str:
    """Serialize a table to JSON, with a line for each call and for each mistake."""
    rows = []
    for exercise, known in table.items():
        calls = [
            f"  {dump_compact_json(case)}: [{dump_compact_json(names)}, {dump_compact_json(right)}, ["
            + "".join(f"\n   {dump_compact_json(one)}," for one in wrong).rstrip(",")
            + "]]"
            for case, (names, right, wrong) in known["calls"].items()
        ]
        advice = [
            f"  {dump_compact_json(name)}: {dump_compact_json(text)}"
            for name, text in known["advice"].items()
        ]
        others = [
            f" {dump_compact_json(key)}: {dump_compact_json(known[key])},"
            for key in (INPUT_HASH_KEY, "defines", "number", "builds on")
            if key in known
        ]
        rows.append(
            f" {dump_compact_json(exercise)}: {{\n"
            + "\n".join(others)
            + '\n "advice": {\n'
            + ",\n".join(advice)
            + '},\n "calls": {\n'
            + ",\n".join(calls)
            + "}}"
        )
    return "{\n" + ",\n".join(rows) + "}"


def dump_compact_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


@dataclass(frozen=True)
class AnswerResult:
    """Result of running an answer.

    calls: the calls of `check` in the answer's tests, in order. ended: how the answer's process ended.
    """

    answer: Answer
    calls: list[CheckCall]
    ended: str

    @property
    def name(self) -> str:
        return f"{self.answer.exercise}, {self.answer.title!r}"

    def caught(self, right: dict[str, CheckCall]) -> Iterator[CheckCall]:
        """Yield the first failing call or statement of each test cell. right: reference calls, by case."""
        stopped: set[str] = set()
        for call in self.calls:
            known = right.get(call.case)
            if call.test not in stopped and not (known and matches_reference(call, known)):
                stopped.add(call.test)
                yield call


def matches_reference(call: CheckCall, right: CheckCall) -> bool:
    """Return True if a call has the same result as the reference's call, and changes no argument."""
    if call.got is None or right.got is None:
        return call.raised == right.raised != ""
    same = len(call.got) == len(right.got) and not any(
        check.signature(convert_to_arrays(call.got), convert_to_arrays(right.got))
    )
    return same and not call.changed


def build_exercise_table(tried: list[AnswerResult], problems: list[str]) -> dict[str, Any]:
    """Return the table of one exercise.

    tried: the results of the reference and of all answers. problems: list to which problems are added.
    """
    reference, *others = tried
    right = {call.case: call for call in reference.calls if call.case}
    calls = {case: [list(call.names), get_expected_result(call), list[Any]()] for case, call in right.items()}
    # Answers with the same advice share the name of the first answer.
    names: dict[str, str] = {}
    for call in reference.calls:
        if not call.case or call.said and not call.raised or call.changed:
            problems.append(f"{reference.name} fails its own visible test: {describe_call(call)}")
        if len(call.names) < call.arguments:
            problems.append(f"{reference.name}: in {call.case!r}, not every argument has a name")
    if len(right) < sum(bool(call.case) for call in reference.calls):
        problems.append(f"{reference.name}: two calls have the same name")
    for one in others:
        caught = list(one.caught(right))
        if one.answer.right:
            problems += [f"{one.name} is right, but fails: {describe_call(call)}" for call in caught]
            continue
        if not caught and one.ended == DONE and not one.answer.unseen:
            problems.append(
                f"{one.name} is caught by no visible call: add a call, or give the reason with unseen=…"
            )
        for call in caught:
            if call.got is None or call.case not in right:
                continue
            if call.changed and matches_reference(replace(call, changed=False), right[call.case]):
                continue
            if not one.answer.advice:
                problems.append(f"{one.name} needs advice=…")
                continue
            mine = check.signature(convert_to_arrays(call.got), convert_to_arrays(right[call.case].got or []))
            known = calls[call.case][-1]
            same = check.fitting(mine, known)
            mine_is = names.get(one.answer.advice, one.answer.title)
            differ = [name for name in same if name != mine_is]
            if differ:
                problems.append(
                    f"{one.name} has the same result as {differ[0]!r} in {call.case!r}: "
                    "give both the same advice, or add a call with different results"
                )
            elif not same:
                names[one.answer.advice] = mine_is
                known.append([mine_is, *(round_significant(part, MISTAKE_DIGITS) for part in mine)])
    advice = {name: text for text, name in names.items()}
    return {"defines": sorted(assigned_names(reference.answer.source)), "advice": advice, "calls": calls}


def convert_to_arrays(result: list[Any]) -> list[np.ndarray]:
    """Convert a result from nested lists of numbers to arrays."""
    return [np.array(part, dtype=float) for part in result]


def describe_call(call: CheckCall) -> str:
    """Describe a call of `check`, or the error that stopped a test outside of calls."""
    return " ".join(filter(None, (call.case, call.raised, call.said)))


def get_expected_result(call: CheckCall) -> Any:
    """Return the expected result of a call for the table: arrays as lists, or the name of an error."""
    return (
        call.raised if call.got is None else [round_significant(part, REFERENCE_DIGITS) for part in call.got]
    )


def round_significant(value: Any, digits: int) -> Any:
    """Round a number, or nested lists of numbers, to significant digits."""
    if isinstance(value, list):
        return [round_significant(one, digits) for one in value]
    number = float(f"{value:.{digits}g}")
    return int(number) if number.is_integer() else number


def has_check_call(text: str) -> bool:
    """Return True if a test cell calls `check`."""
    names = (node.func for node in ast.walk(parse_cell(text)) if isinstance(node, ast.Call))
    return any(isinstance(name, ast.Name) and name.id == CHECK for name in names)


def read_stored_table(folder: Path) -> ChecksTable:
    """Return the table in a lesson's folder of answers; empty if no table is stored yet."""
    path = folder / TABLE_FILE
    try:
        return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}
    except ValueError as error:
        raise CourseError(
            f"{path} is not JSON: delete the file, and `gradebox release` writes it again ({error})"
        ) from None


def read_helpers(folder: Path) -> str:
    """Return the helper code that a lesson's tests share; "" if the lesson has no such file."""
    path = folder / HELPERS_FILE
    return path.read_text(encoding="utf-8") if path.exists() else ""


def write_checks_cell(course: Course, assignment: str, notebook: NotebookNode, before: str = "") -> None:
    """Write the checks cell of a notebook (in place) from the stored table, if the notebook has one.

    before: the last written checks cell, which is kept if its code is the same: another version of zlib may
    compress the same code differently. Raises CourseError if the cell contains other code, or if the lesson's
    folder of answers is missing.
    """
    folder = course.root / "answers" / assignment
    for cell in notebook.cells:
        if find_grade_id(cell) != CHECKS_CELL_ID:
            continue
        made = is_generated(cell.source) or bool(parse_checks_table(cell.source))
        if not made and parse_cell(cell.source).body:
            what = (
                f"`gradebox release` writes this cell; move its code to answers/{assignment}/{HELPERS_FILE}"
            )
            raise CourseError(f"{assignment}, cell {CHECKS_CELL_ID!r}: {what}")
        if not folder.is_dir():
            if made:
                # A course may have copied the notebook without the answers.
                continue
            raise CourseError(
                f"answers/{assignment} does not exist: the checks cell is generated from this folder"
            )
        helpers, table = read_helpers(folder), read_stored_table(folder)
        tests = map_tests_to_solutions(notebook)
        numbers = {graded.grade_id: graded.number for graded in find_graded_cells(notebook, "")}
        earlier = find_prerequisites(notebook)
        needed_here = {
            name: {key: value for key, value in table[name].items() if key != INPUT_HASH_KEY}
            | {"number": numbers[tests[name][0]], "builds on": [*filter(earlier[name].__contains__, table)]}
            for name in tests
            if name in table
        }
        used = "\n".join(one.source for one in notebook.cells if one is not cell)
        text, names = build_checks_code(needed_here, helpers, used)
        new = build_checks_cell(assignment, text, names)
        same = unpack_code(before) is not None and expand_checks_cell(before) == expand_checks_cell(new)
        cell.source = before if same else new
        # Static pages (nbconvert, nbviewer, Formgrader) ignore the collapsed state and show all.
        cell.metadata["transient"] = {"remove_source": True}


def update_checks(course: Course, assignment: str) -> list[str]:
    """Update the checks of an assignment: the table, and the cell in its source notebooks.

    Return the files that were written. Raises CourseError with all problems.
    """
    folder, done = course.root / "answers" / assignment, []
    sources = course.full_sources(assignment)
    exercises = {exercise for source in sources.values() for exercise in map_tests_to_solutions(source)}
    for name, source in sources.items():
        if not folder.is_dir() or all(find_grade_id(cell) != CHECKS_CELL_ID for cell in source.cells):
            continue
        known = read_stored_table(folder)
        kept = {exercise: one for exercise, one in known.items() if exercise in exercises}
        table = kept | MessageTableBuilder(course, assignment, source).table(known)
        if format_table(table) != format_table(known):
            (folder / TABLE_FILE).write_text(format_table(table) + "\n", encoding="utf-8")
            done.append(f"answers/{assignment}/{TABLE_FILE}")
        new = deepcopy(source)
        write_checks_cell(course, assignment, new, find_checks_source(source))
        if serialize_notebook(new) != serialize_notebook(source):
            path = course.path("source", assignment) / f"{name}.ipynb"
            path.write_text(serialize_notebook(new), encoding="utf-8")
            done.append(str(path.relative_to(course.root)))
    return done


class MessageTableBuilder:
    """Builder of one notebook's message table, from the lesson and its answers."""

    def __init__(self, course: Course, assignment: str, source: NotebookNode):
        self.course, self.lesson = course, Lesson(source)
        folder = course.root / "answers" / assignment
        marks = ClearHiddenTests(config=course.app.config)
        tests = {name for names in self.lesson.tests.values() for name in names}
        # The code to run for each cell: the reference of a solution, the visible part of a test.
        self.texts = {
            name: remove_hidden_lines(cell, marks)
            if name in tests
            else self.lesson.solutions.get(name, cell.source)
            for cell in source.cells
            if cell.cell_type == "code" and (name := find_grade_id(cell))
        }
        # The stub of `check` never raises, so every call is recorded.
        self.texts[CHECKS_CELL_ID] = f"{CHECK_STUB}\n{read_helpers(folder)}"
        found = read_answers_folder.read_answers(folder, source)
        for test in sorted(tests):
            if not parse_cell(self.texts[test]).body and re.search(
                r"^\s*[^\s#]", self.texts[test], re.MULTILINE
            ):
                raise CourseError(f"{assignment}, {test}: the visible part is not valid Python")
        self.answers = {
            exercise: [one for one in found if one.exercise == exercise and not one.prose]
            for exercise, tests in self.lesson.tests.items()
            if any(has_check_call(self.texts[test]) for test in tests)
        }

    def table(self, known: ChecksTable) -> ChecksTable:
        """Return the table, generating only the exercises whose inputs have changed."""
        made_of = {exercise: self.hash_inputs(exercise) for exercise in self.answers}
        again = [name for name in made_of if known.get(name, {}).get(INPUT_HASH_KEY) != made_of[name]]
        new = self.made(again) if again else {}
        return {
            name: {INPUT_HASH_KEY: made_of[name]} | new[name] if name in new else known[name]
            for name in made_of
        }

    def hash_inputs(self, exercise: str) -> str:
        """Return a short hash of the inputs of an exercise's messages."""
        last = self.lesson.tests[exercise][-1]
        cells = list(self.texts)
        texts = [self.texts[name] for name in cells[: cells.index(last) + 1]]
        own = [[one.title, one.source, one.right, one.advice, one.unseen] for one in self.answers[exercise]]
        return hashlib.sha256(json.dumps([build_check_runtime(), texts, own]).encode()).hexdigest()[:12]

    def made(self, exercises: list[str]) -> ChecksTable:
        """Run the answers of these exercises and return their tables. Raises CourseError."""
        everyone = [
            Answer(exercise, REFERENCE, self.lesson.solutions[exercise], right=True) for exercise in exercises
        ]
        everyone += [one for exercise in exercises for one in self.answers[exercise]]
        tasks = [
            AnswerTask(number, one.exercise, one.source, tuple(self.lesson.tests[one.exercise]), calls=True)
            for number, one in enumerate(everyone)
        ]
        source = deepcopy(self.lesson.source)
        for cell in source.cells:
            cell.source = self.texts.get(find_grade_id(cell) or "", cell.source)
        lesson = Lesson(source)
        preload = select_preload_modules(
            Execute(parent=self.course.app).preload, [*lesson.texts, *(one.source for one in everyone)]
        )
        results = run_answers(lesson, tasks, preload)
        found: dict[str, list[AnswerResult]] = {exercise: [] for exercise in exercises}
        done = [
            AnswerResult(one, [CheckCall(**call) for call in result.calls], result.ended)
            for one, result in zip(everyone, results, strict=True)
        ]
        for one in done:
            found[one.answer.exercise].append(one)
        problems: list[str] = []
        tables = {exercise: build_exercise_table(tried, problems) for exercise, tried in found.items()}
        if problems:
            raise CourseError("messages can't be generated: " + "\n".join(problems))
        return tables
