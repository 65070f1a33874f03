"""Which names a test uses, as it is about to run, and where they are."""

import builtins
import contextlib
import types
from collections.abc import Set
from functools import cache
from typing import Any

from gradebox.code.names import changed_in_place, first_mentions, mentioned_names, used_names


def needed(source: str, namespace: dict[str, Any]) -> set[str]:
    """The names that code uses, itself or through functions and classes here, and that are not here."""
    # Not those that a cell gives a value to itself: they would tell what a hidden test is made of.
    names, missing, seen = set(used_names(source) | first_mentions(source)[False]), set(), set()
    while names:
        name = names.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in namespace:
            names |= used_by(namespace[name])
        elif not hasattr(builtins, name):
            missing.add(name)
    return missing


def used_by(value: Any) -> set[str]:
    """The global names that a function, or a class's functions, may use."""
    # A proxy says that it is a function, too.
    functions = [value] if type(value) is types.FunctionType else []
    if issubclass(type(value), type) and value.__module__ == "__main__":
        functions = [f for f in vars(value).values() if type(f) is types.FunctionType]
    codes = [f.__code__ for f in functions if f.__module__ == "__main__"]
    found: set[str] = set()
    while codes:
        code = codes.pop()
        found |= set(code.co_names)
        codes += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return found


@cache
def built_in() -> frozenset[str]:
    """The names that Python itself gives a value to."""
    return frozenset(dir(builtins))


def with_modules(names: Set[str]) -> set[str]:
    """These names, and all those for which a "module.*" stands. Imports the modules."""
    found = set(names)
    for name in names:
        if name.endswith(".*"):
            namespace: dict[str, Any] = {}
            with contextlib.suppress(Exception):
                exec(f"from {name[:-2]} import *", namespace)
            found |= namespace.keys()
    return found


def learn(source: str) -> None:
    """Find out ahead what a judge asks of a cell."""
    for ask in (used_names, first_mentions, mentioned_names, changed_in_place):
        ask(source)
