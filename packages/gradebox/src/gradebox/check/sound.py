"""Tests that run code, or open objects, that a submission may have made: of some students, if not of all.

The judge is out of a submission's reach because what comes from there is data. It runs none of that as a
program (see `judge/texts.py`), and such a test is an incident then.
"""

import ast
from collections.abc import Iterator, Mapping, Set

from nbformat.notebooknode import NotebookNode

from gradebox.check.ways import tests
from gradebox.code.calls import LOADING, OPENING, RUNNING, dotted, imported
from gradebox.code.names import parsed
from gradebox.judge.roles import answered

UNSOUND = "can't be judged where it runs what a submission has made"


def unsound(source: NotebookNode) -> Iterator[tuple[str, str]]:
    """The tests of an instructor's notebook that do so, by grade_id, each with where and how."""
    modules = imported([cell.source for cell in source.cells if cell.cell_type == "code"])
    students = answered(source)
    for name, cell in tests(source).items():
        calls = [node for node in ast.walk(parsed(cell.source)) if isinstance(node, ast.Call)]
        for call in sorted(calls, key=lambda call: call.lineno):
            what = runs(call, modules, students)
            if what:
                yield name, f"line {call.lineno}, {what}"


def runs(call: ast.Call, modules: Mapping[str, str], students: Set[str]) -> str | None:
    """What a call runs or opens that may be a submission's, or None."""
    own = isinstance(call.func, ast.Name) and call.func.id not in students | modules.keys()
    called = dotted(call.func, modules) or (call.func.id if own and isinstance(call.func, ast.Name) else "")
    if called in LOADING:
        # What is written there is the test's own, also if words are put into it.
        constant = all(isinstance(given, ast.Constant | ast.JoinedStr) for given in call.args[:1])
        return None if constant and call.args else f"{called}()"
    if called in OPENING or called.split(".")[0] in RUNNING:
        return f"{called}()"
    return magic(call)


def magic(call: ast.Call) -> str | None:
    """A magic that runs a program, as IPython writes it."""
    if not isinstance(call.func, ast.Attribute) or not isinstance(call.func.value, ast.Call):
        return None
    shell = call.func.value.func
    if not isinstance(shell, ast.Name) or shell.id != "get_ipython":
        return None
    if call.func.attr in ("system", "getoutput"):
        return "a line that begins with !"
    first = call.args[0] if call.args else None
    is_run = call.func.attr == "run_line_magic" and isinstance(first, ast.Constant) and first.value == "run"
    return "%run" if is_run else None
