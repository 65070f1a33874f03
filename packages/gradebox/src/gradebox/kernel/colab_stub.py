"""Stub of `google.colab`, for cells written in Colab: its functions print a sentence, and the cell continues.

The kernel's shell rewrites imports of `google.colab` in cells. The stub is not a module that can be imported:
`try: import google.colab` and `"google.colab" in sys.modules` still detect that a notebook is not in Colab.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

PACKAGE = "google.colab"
# Statements whose imports are kept. Python 3.9 and 3.10 have no `except*`.
GUARDING_STATEMENTS = (ast.Try, getattr(ast, "TryStar", ast.Try), ast.With, ast.AsyncWith)
# Results of the functions whose result cells use at once; the others return None.
RESULTS: dict[str, Callable[[], Any]] = {
    "google.colab.files.upload": dict,
    "google.colab.userdata.get": str,
}


class ColabStub:
    """Stub of a module or function of `google.colab`; its attributes are stubs, too."""

    def __init__(self, path: str):
        self._path = path

    def __getattr__(self, name: str) -> ColabStub:
        if name.startswith("_"):
            raise AttributeError(name)
        return ColabStub(f"{self._path}.{name}")

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        print(f"{self._path}() is not available during grading. The cell continues.")
        return RESULTS.get(self._path, lambda: None)()


google = SimpleNamespace(colab=ColabStub(PACKAGE))


class ColabImports(ast.NodeTransformer):
    """AST transformer of the shell: replaces imports of `google.colab` if the package is not installed."""

    def visit(self, node: ast.AST) -> ast.AST:
        # Only statements are visited, because most nodes of a cell are expressions.
        if isinstance(node, ast.Module):
            node.body = replace_imports(node.body)
        return node


def replace_imports(block: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements with the stub in place of `google.colab`.

    Imports in `try` and `with suppress(ImportError)` are kept: there, the cell handles the missing package.
    """
    kept: list[ast.stmt] = []
    for statement in block:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            kept += replace_import(statement)
            continue
        if not isinstance(statement, GUARDING_STATEMENTS):
            for name in ("body", "orelse"):
                if isinstance(inner := getattr(statement, name, None), list):
                    setattr(statement, name, replace_imports(inner))
        kept.append(statement)
    return kept


def replace_import(statement: ast.Import | ast.ImportFrom) -> list[ast.stmt]:
    """Return an import without `google.colab`, and an assignment for each name imported from there."""
    others: list[ast.alias] = []
    replaced: list[ast.stmt] = []
    for alias in statement.names:
        path = f"{statement.module}.{alias.name}" if isinstance(statement, ast.ImportFrom) else alias.name
        if not f"{path}.".startswith(f"{PACKAGE}.") or alias.name == "*" or is_installed():
            others.append(alias)
            continue
        name = alias.asname or alias.name
        if isinstance(statement, ast.Import) and not alias.asname:
            # `import google.colab.drive` binds the first name.
            name = path = "google"
        assignment = ast.parse(f"{name} = __import__('sys').modules[{__name__!r}].{path}").body[0]
        for node in ast.walk(assignment):
            ast.copy_location(node, statement)
        replaced.append(assignment)
    if others:
        statement.names = others
        return [statement, *replaced]
    return replaced


def is_installed() -> bool:
    """Return True if the real package can be imported."""
    try:
        return find_spec(PACKAGE) is not None
    except ImportError:
        return False
