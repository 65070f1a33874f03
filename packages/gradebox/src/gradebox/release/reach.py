"""What a test does that does not reach a submission, since that runs in another process.

What a test does to a name of the student's is done there, too (see `judge/lent.py`), and what it has around a
call holds there, too (see `judge/settings.py` and `judge/around.py`). What it does to its own process
otherwise is not: other people's modules, the environment, the current folder. An instructor whose test relies
on that should know when it is released.
"""

import ast
from collections.abc import Iterator

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.code.calls import OF_THE_SYSTEM, dotted, imported
from gradebox.code.names import parsed
from gradebox.judge.around import REPLACED, STREAMS
from gradebox.notebook import is_instructors, name_of

PROCESS_WIDE = {*OF_THE_SYSTEM, "torch.set_default_device", "contextlib.chdir"}
# What a test may put in the place of these holds around its calls.
REACHES = {f"sys.{name}" for name in STREAMS} | {f"builtins.{name}" for name in REPLACED}


def out_of_reach(source: NotebookNode) -> Iterator[str]:
    """What tests of an instructor's notebook do that submissions won't see, one clause each."""
    cells = [cell for cell in source.cells if cell.cell_type == "code"]
    modules = imported([cell.source for cell in cells])
    for cell in cells:
        if is_instructors(cell) and utils.is_grade(cell):
            for node in ast.walk(parsed(cell.source)):
                what = deed(node, modules)
                if what and isinstance(node, ast.expr):
                    yield f"{name_of(cell)}, line {node.lineno}: {what}"


def deed(node: ast.AST, modules: dict[str, str]) -> str | None:
    """What a part of a test does out of reach, or None."""
    if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return changes(dotted(node, modules))
    if not isinstance(node, ast.Call):
        return None
    called = dotted(node.func, modules)
    first = node.args[0] if node.args else None
    if called in PROCESS_WIDE:
        return f"{called}() changes its own process only"
    if isinstance(node.func, ast.Name) and node.func.id in ("setattr", "delattr") and first:
        return changes(dotted(first, modules))
    if called and called.startswith("unittest.mock.patch"):
        return patched(first, modules)
    return None


def changes(what: str | None) -> str | None:
    """How to say that a test changes something of a library's, if it does."""
    return f"it changes {what}, in its own process only" if what and what not in REACHES else None


def patched(what: ast.AST | None, modules: dict[str, str]) -> str | None:
    """What mock.patch replaces in the test's own process only."""
    if isinstance(what, ast.Constant) and isinstance(what.value, str):
        # Names of the notebook reach the submission.
        where = None if what.value.startswith("__main__.") else what.value
    else:
        where = dotted(what, modules) if what else None
    return changes(where)
