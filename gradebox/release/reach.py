"""What a test does that does not reach a submission, since that runs in another process.

What a test does to a name of the student's is done there, too (see `judge/proxies.py`), and what it sets of
NumPy's errors, warnings and torch's modes holds there, too (see `judge/settings.py`). What it does to its own
process otherwise is not: other people's modules, global random numbers, standard output, files. An instructor
whose test relies on that should know when it is released.
"""

import ast
import builtins
from collections.abc import Iterator

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.code.calls import OF_THE_SYSTEM, SEEDING, WRITING, dotted, imported, opens_to_write
from gradebox.code.names import parsed
from gradebox.judge.roles import answered
from gradebox.notebook import is_instructors, name_of

PROCESS_WIDE = {
    *SEEDING,
    *OF_THE_SYSTEM,
    "torch.set_default_device",
    *("contextlib.redirect_stdout", "contextlib.redirect_stderr", "contextlib.chdir"),
}


def out_of_reach(source: NotebookNode) -> Iterator[str]:
    """What tests of an instructor's notebook do that submissions won't see, one clause each."""
    cells = [cell for cell in source.cells if cell.cell_type == "code"]
    modules = imported([cell.source for cell in cells])
    students = answered(source)
    for cell in cells:
        if is_instructors(cell) and utils.is_grade(cell):
            for node in ast.walk(parsed(cell.source)):
                what = deed(node, modules, students)
                if what and isinstance(node, ast.expr):
                    yield f"{name_of(cell)}, line {node.lineno}: {what}"


def deed(node: ast.AST, modules: dict[str, str], students: set[str]) -> str | None:
    """What a part of a test does out of reach, or None."""
    if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
        changed = dotted(node, modules)
        return f"it changes {changed}, in its own process only" if changed else None
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and hasattr(builtins, node.id):
        shadows = node.id not in students
        return f"it gives {node.id} another value, in its own process only" if shadows else None
    if not isinstance(node, ast.Call):
        return None
    called = dotted(node.func, modules)
    # A method, of whatever.
    method = node.func.attr if isinstance(node.func, ast.Attribute) else None
    first = node.args[0] if node.args else None
    if called in PROCESS_WIDE:
        return f"{called}() changes its own process only"
    if isinstance(node.func, ast.Name) and node.func.id in ("setattr", "delattr") and first:
        changed = dotted(first, modules)
        return f"it changes {changed}, in its own process only" if changed else None
    if called and called.startswith("unittest.mock.patch"):
        return patched(first, modules)
    if called in WRITING or method in WRITING or opens_to_write(node):
        return "it writes a file, in its own folder only"
    return None


def patched(what: ast.AST | None, modules: dict[str, str]) -> str | None:
    """What mock.patch replaces in the test's own process only."""
    if isinstance(what, ast.Constant) and isinstance(what.value, str):
        # Names of the notebook reach the submission.
        where = None if what.value.startswith("__main__.") else what.value
    else:
        where = dotted(what, modules) if what else None
    return f"it changes {where}, in its own process only" if where else None
