"""Resolve imported names to their qualified names."""

import ast
from collections.abc import Iterable

from gradebox.static_analysis.cell_names import parse_cell
from gradebox.static_analysis.dataflow import iter_statements

DEFINITION_NODES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def resolve_imports(sources: Iterable[str]) -> dict[str, str]:
    """Return the qualified name of each name that cells import: {"np": "numpy", "sleep": "time.sleep"}."""
    found = {}
    for source in sources:
        for node in iter_statements(parse_cell(source)):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    first = alias.name.split(".")[0]
                    found[alias.asname or first] = alias.name if alias.asname else first
            elif isinstance(node, ast.ImportFrom) and node.module:
                found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found
