"""Has `type(x)` in tests, and in the modules that lie beside them, say what it says where x is."""

import ast
import os
import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from typing import Any

# The name by which `type` is called there.
TYPE_OF = "_type_in_the_submission"


class TypesOfObjects(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        called = node.func
        if isinstance(called, ast.Name) and called.id == "type" and len(node.args) == 1 and not node.keywords:
            called.id = TYPE_OF
        return node


def import_with(transformer: ast.NodeTransformer) -> None:
    """Import modules of this folder, which are the instructor's, with their syntax changed like that."""
    here = os.getcwd()

    class Loader(SourceFileLoader):
        def source_to_code(  # type: ignore[override]
            self, data: Any, path: Any, *args: Any, **more: Any
        ) -> Any:
            return compile(transformer.visit(ast.parse(data)), path, "exec", dont_inherit=True)

    def hook(path: str) -> FileFinder:
        if path != here:
            raise ImportError(path)
        return FileFinder(path, (Loader, SOURCE_SUFFIXES))

    if os.path.isdir(here) and any(name.endswith(".py") or os.path.isdir(name) for name in os.listdir(here)):
        sys.path_hooks.insert(0, hook)
        sys.path_importer_cache.pop(here, None)
