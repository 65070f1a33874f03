"""Find the names that code uses and that are not defined yet, from its text and the functions it calls."""

import builtins
import contextlib
import types
from collections.abc import Set
from typing import Any

from gradebox.static_analysis.cell_names import (
    group_by_first_mention,
    mentioned_names,
    names_assigned_before_use,
    used_names,
)

MAIN = "__main__"


def find_missing_names(source: str, namespace: dict[str, Any], answered: Set[str] = frozenset()) -> set[str]:
    """Return the names that code uses, directly or through functions, and that `namespace` lacks.

    answered: names that solutions define. They may be names of built-ins, or occur in strings as in
    `patch("__main__.f")`.
    """
    # Leave out names that the cell itself defines: they would reveal parts of a hidden test.
    names, missing, seen = set(used_names(source) | group_by_first_mention(source)[False]), set(), set()
    names |= (mentioned_names(source) & answered) - names_assigned_before_use(source)
    while names:
        name = names.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in namespace:
            names |= find_used_globals(namespace[name])
        elif name in answered or not hasattr(builtins, name):
            missing.add(name)
    return missing


def find_used_globals(value: Any) -> set[str]:
    """Return the global names that a function, or the functions of a class, may use."""
    # Compare the exact type, because a handle also claims to be a function.
    functions = [value] if type(value) is types.FunctionType else []
    if issubclass(type(value), type) and value.__module__ == MAIN:
        functions = [f for f in vars(value).values() if type(f) is types.FunctionType]
    codes = [f.__code__ for f in functions if f.__module__ == MAIN]
    found: set[str] = set()
    while codes:
        code = codes.pop()
        found |= set(code.co_names)
        codes += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return found


def expand_star_names(names: Set[str]) -> set[str]:
    """Return these names, and for "module.*" all names that `from module import *` binds."""
    found = set(names)
    for name in names:
        if name.endswith(".*"):
            namespace: dict[str, Any] = {}
            with contextlib.suppress(Exception):
                exec(f"from {name[:-2]} import *", namespace)
            found |= namespace.keys()
    return found
