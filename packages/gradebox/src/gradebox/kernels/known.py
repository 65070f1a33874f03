"""Cells that are known ahead, in the process that kernels are forked from: parsed and compiled once.

What a kernel does with such a cell is what it would do with it anyway; it only need not find out anew what
the cell means. So a cell is not taken from here in a shell whose transformers or flags are not as they come.
"""

import ast
import codeop
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from types import CodeType
from typing import Any
from warnings import catch_warnings

from ipykernel.compiler import XCachingCompiler
from IPython.core.compilerop import CachingCompiler
from IPython.core.inputtransformer2 import TransformerManager

# As each shell begins, and with what it compiles.
PLAIN = codeop.Compile().flags
AWAITING = PLAIN | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
TRANSFORMERS = "cleanup_transforms", "line_transforms", "token_transformers"

# Cells by what they become as Python, their syntax by that, and the code of each of its statements.
transformed: dict[str, str] = {}
trees: dict[str, ast.Module] = {}
codes: dict[tuple[int, str], CodeType] = {}


def learn(cell: str) -> str:
    """Have a cell known from now on. Returns it as Python."""
    if cell in transformed:
        return transformed[cell]
    python = transformed[cell] = TransformerManager().transform_cell(cell)
    # What sets flags for the cells after it, or awaits, is for the shell itself.
    if python not in trees and not any(word in python for word in ("__future__", "await", "async")):
        # Nor what Python warns of as it is compiled, or refuses.
        with suppress(Exception), catch_warnings(action="error"):
            tree = compile(python, "", "exec", PLAIN | ast.PyCF_ONLY_AST, True)
            codes.update(statements(tree))
            trees[python] = tree
    return python


def statements(tree: ast.Module) -> list[tuple[tuple[int, str], CodeType]]:
    """The code of each statement of a cell, by its place in memory and by how it is run: IPython runs one
    after the other, and shows what the last one is.
    """
    found = []
    for node in tree.body:
        last = node is tree.body[-1] and isinstance(node, ast.Expr)
        mode, whole = ("single", ast.Interactive([node])) if last else ("exec", ast.Module([node], []))
        found.append(((id(node), mode), compile(whole, "", mode, AWAITING, True)))
    return found


def named(code: CodeType, filename: str) -> CodeType:
    """The same code, as if it had been compiled from a file of this name."""
    inner = [named(one, filename) if isinstance(one, CodeType) else one for one in code.co_consts]
    return code.replace(co_filename=filename, co_consts=tuple(inner))


class Compiler(XCachingCompiler):
    """A shell's compiler, which takes what is known from here."""

    shell: Any = None
    # ipykernel hashes each cell in Python, so that a debugger finds it.
    get_code_name = CachingCompiler.get_code_name

    def ast_parse(self, source: str, filename: str = "<unknown>", symbol: str = "exec") -> ast.AST:
        plain = symbol == "exec" and self.flags == PLAIN and not self.shell.ast_transformers
        return trees[source] if plain and source in trees else super().ast_parse(source, filename, symbol)

    def __call__(self, source: Any, filename: str, symbol: str, **options: Any) -> CodeType:
        body = getattr(source, "body", None)
        if isinstance(body, list) and len(body) == 1 and self.flags == AWAITING and not options:
            code = codes.get((id(body[0]), symbol))
            if code:
                return named(code, filename)
        return super().__call__(source, filename, symbol, **options)


def be_used_by(shell: Any) -> None:
    """Have a shell take what is known from here."""
    shell.compile.shell = shell
    manager = shell.input_transformer_manager
    began = transformers(manager)
    # A kernel has each cell transformed twice.
    anew = lru_cache(1)(manager.transform_cell)

    def transform_cell(cell: str) -> str:
        known = transformed.get(cell)
        return known if known is not None and transformers(manager) == began else anew(cell)

    def should_run_async(cell: str, *, transformed_cell: str | None = None, **more: Any) -> bool:
        return transformed_cell not in trees and awaits(cell, transformed_cell=transformed_cell, **more)

    awaits: Callable[..., bool] = shell.should_run_async
    manager.transform_cell, shell.should_run_async = transform_cell, should_run_async


def transformers(manager: TransformerManager) -> list[list]:
    return [list(getattr(manager, kind)) for kind in TRANSFORMERS]
