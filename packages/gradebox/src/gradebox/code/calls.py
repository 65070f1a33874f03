"""The full names of what code imports and calls, and what it defines."""

import ast
from collections.abc import Iterable

from gradebox.code.names import parsed

DEFINES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def imported(sources: list[str]) -> dict[str, str]:
    """What the imported names of cells stand for: {"np": "numpy", "sleep": "time.sleep"}."""
    found = {}
    for source in sources:
        for node in ast.walk(parsed(source)):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    first = alias.name.split(".")[0]
                    found[alias.asname or first] = alias.name if alias.asname else first
            elif isinstance(node, ast.ImportFrom) and node.module:
                found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found


def definitions(sources: Iterable[str]) -> dict[str, list[ast.AST]]:
    """The functions and classes that cells define, by name."""
    found: dict[str, list[ast.AST]] = {}
    for source in sources:
        for node in parsed(source).body:
            if isinstance(node, DEFINES):
                found.setdefault(node.name, []).append(node)
    return found
