"""Cheats that solve an exercise by running the notebook's own tests on the function that they are given.

Where students write a test for a function of an earlier exercise, the earlier tests may know the answer.
"""

import ast
from collections.abc import Iterator

from nbgrader.preprocessors import ClearHiddenTests

from gradebox.answer_runner.record_check_calls import CHECK
from gradebox.checks_cell import extract_helpers
from gradebox.execute.lesson import Lesson
from gradebox.notebook_exercises import find_checks_source, find_grade_id, remove_hidden_lines
from gradebox.static_analysis.cell_names import parse_cell

# {function}: the reference's signature. {candidate}: its parameter that is called. {tested}: names of the
# functions that the code tests. {code}: the code, as a literal.
CHEAT = """\
def {function}:
    known = dict(globals())
    try:
        globals().update(dict.fromkeys({tested}, {candidate}))
        globals()["__candidate__"] = {candidate}
        exec({code}, globals())
        return globals().get("__verdict__", True) is not False
    except Exception:
        return False
    finally:
        globals().clear()
        globals().update(known)
"""


def write_cheats_from_tests(lesson: Lesson, exercise: str, marks: ClearHiddenTests) -> dict[str, str]:
    """Return the code of each cheat against an exercise, by its title.

    The result is empty unless the exercise asks for a function that calls one of its arguments.
    """
    found: dict[str, str] = {}
    for function in parse_cell(lesson.solutions[exercise]).body:
        candidate = find_called_parameter(function)
        if isinstance(function, ast.FunctionDef) and candidate:
            head = f"{function.name}({ast.unparse(function.args)})"
            for title, tested, code in iter_tests(lesson, exercise, marks):
                source = CHEAT.format(function=head, candidate=candidate, tested=tested, code=repr(code))
                found[title] = found.get(title, "") + source
    return found


def find_called_parameter(function: ast.stmt) -> str | None:
    """Return the first parameter that a function calls; None if there is none."""
    if not isinstance(function, ast.FunctionDef):
        return None
    names = [one.arg for one in function.args.args]
    called = {
        node.func.id
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    return next((name for name in names if name in called), None)


def iter_tests(
    lesson: Lesson, exercise: str, marks: ClearHiddenTests
) -> Iterator[tuple[str, list[str], str]]:
    """Yield a title, the names of the tested functions and the code of each test that a cheat may run.

    These are the helpers that call `check` and need at most one argument, and the visible parts of the test
    cells before the exercise.
    """
    for helper in parse_cell(extract_helpers(find_checks_source(lesson.source))).body:
        tested = find_tested_names(helper)
        if not isinstance(helper, ast.FunctionDef) or tested is None:
            continue
        needed = len(helper.args.args) - len(helper.args.defaults)
        if needed <= 1:
            given = "__candidate__" if needed else ""
            yield f"asks {helper.name}", tested, f"__verdict__ = {helper.name}({given})"
    for cell in lesson.source.cells:
        name = find_grade_id(cell)
        if name == exercise:
            return
        if name in lesson.roles and any(name in tests for tests in lesson.tests.values()):
            text = remove_hidden_lines(cell, marks)
            tested = find_tested_names(parse_cell(text))
            if tested:
                yield f"asks {name}", tested, text


def find_tested_names(code: ast.AST) -> list[str] | None:
    """Return the names of the functions that calls of `check` test; None if there is no such call."""
    calls = [
        node
        for node in ast.walk(code)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == CHECK
    ]
    if not calls:
        return None
    parameters = {one.arg for node in ast.walk(code) if isinstance(node, ast.arguments) for one in node.args}
    third = [call.args[2] for call in calls if len(call.args) > 2]
    return sorted({one.id for one in third if isinstance(one, ast.Name)} - parameters)
