"""Find the global names that a cell uses and those that it assigns, by Python's scoping rules.

If this depends on run-time values, the result includes every name that the cell may use or assign.
"""

import ast
import builtins
import re
import symtable
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from gradebox.checks_cell import expand_checks_cell
from gradebox.static_analysis.cell_magics import transform_magics
from gradebox.static_analysis.cell_names import is_alias_statement, parse_cell, parse_with_retry
from gradebox.static_analysis.dataflow import DefUseVisitor

# Names in strings: `patch("__main__.f")`, `globals()["f"]`.
NAME_IN_STRING = re.compile(r"""\b__main__\.(\w+)|\bglobals\(\)(?:\[|\.get\()\s*["'](\w+)["']\s*[],)]""")
BUILT_IN = frozenset(dir(builtins))
# Line magics that run a program.
PROGRAM_MAGICS = {"conda", "mamba", "mkdir", "pip", "uv"}


@dataclass(frozen=True)
class Scope:
    """The global names of a cell.

    uses: names that the cell reads, even after assigning them, including built-in names. leaves: names that
    the cell may assign or delete; "module.*" for all names of a module.
    """

    uses: frozenset[str]
    leaves: frozenset[str]


@lru_cache(maxsize=4096)
def analyze_scope(source: str) -> Scope:
    """Return the scope of a cell; magics are allowed.

    If the cell is not valid Python, both sets contain every word of the cell. A name in a string counts if
    the string qualifies the name, as in `"__main__.f"`.
    """
    named = {found.group(1) or found.group(2) for found in NAME_IN_STRING.finditer(source)}
    source = expand_checks_cell(source)
    for text in (lambda: source, lambda: transform_magics(source)):
        # Student code can crash Python's parser and IPython's.
        with suppress(Exception):
            flow, python = DefUseVisitor(), text()
            tree = parse_with_retry(python)
            flow.visit(tree)
            # Python's symbol table does not count `x += 1` and `del x` as references.
            changed = [one.target for one in ast.walk(tree) if isinstance(one, ast.AugAssign)]
            deleted = [one for one in ast.walk(tree) if isinstance(getattr(one, "ctx", None), ast.Del)]
            table = symtable.symtable(python, "cell", "exec")
            outside = {one.get_name() for one in table.get_symbols()}
            here = {one.get_name() for one in table.get_symbols() if one.is_referenced()}
            inner = {name for one in iter_nested_tables(table) for name in global_names(one)}
            here |= {one.id for one in (*changed, *deleted) if isinstance(one, ast.Name)} & outside
            return Scope(frozenset(flow.takes | here | inner | named), frozenset(flow.leaves))
    words = frozenset(re.findall(r"\w+", source))
    return Scope(words, words)


def is_constant_command(node: ast.AST) -> bool:
    """Return True if a statement is a shell command, such as `!mkdir data`, that uses no variable."""
    match node:
        case ast.Expr(ast.Call(ast.Attribute(ast.Call(ast.Name("get_ipython")), method), arguments)):
            match method, [one.value for one in arguments if isinstance(one, ast.Constant)]:
                case ("system", [str(command)]) | ("run_line_magic", [_, str(command)]):
                    runs = method == "system" or ast.literal_eval(arguments[0]) in PROGRAM_MAGICS
                    return runs and not {"$", "{"} & set(command)
    return False


@lru_cache(maxsize=4096)
def find_global_uses(source: str) -> tuple[frozenset[str], dict[str, frozenset[str]]]:
    """Return the global names that a cell uses outside functions, and those that each function uses.

    Built-in names are left out, and `get_ipython` in shell commands without variables. A class counts as a
    function, with all its methods.
    """
    try:
        tree = parse_cell(source)
        using = [one for one in tree.body if not (is_alias_statement(one) or is_constant_command(one))]
        plain = ast.unparse(ast.Module(using, []))
        table = symtable.symtable(plain, "cell", "exec")
    except Exception:
        return analyze_scope(source).uses, {}
    direct = {one.get_name() for one in table.get_symbols() if one.is_referenced()}
    functions: dict[str, frozenset[str]] = {}
    for child in table.get_children():
        used = {
            name for inner in (child, *iter_nested_tables(child)) for name in global_names(inner)
        } - BUILT_IN
        if child.get_name() in direct | {one.get_name() for one in table.get_symbols()}:
            functions[child.get_name()] = functions.get(child.get_name(), frozenset()) | used
        else:
            # A lambda or a comprehension.
            direct |= used
    return frozenset(direct - BUILT_IN), functions


def iter_nested_tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    """Yield all scopes inside a scope, at any depth."""
    for child in table.get_children():
        yield child
        yield from iter_nested_tables(child)


def global_names(table: symtable.SymbolTable) -> set[str]:
    """Return the names that a scope may look up in the global scope."""
    names = {one.get_name() for one in table.get_symbols() if one.is_global() and one.is_referenced()}
    # Python's symbol table does not count `n += 1` as a reference. A class body may read a global name before
    # it assigns a class attribute of the same name.
    names |= {one.get_name() for one in table.get_symbols() if one.is_declared_global()}
    if table.get_type() == "class":
        names |= {one.get_name() for one in table.get_symbols() if one.is_assigned() and one.is_referenced()}
    return names
