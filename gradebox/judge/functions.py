"""The functions that a test passes: which of them stay with the judge, and what is told of these."""

import inspect
import types
from collections.abc import Callable
from functools import partial
from typing import Any

FUNCTIONS = types.FunctionType | types.MethodType | types.BuiltinFunctionType | partial


def importable(function: Any) -> bool:
    """Whether the other side can import this function by its name."""
    if isinstance(function, types.BuiltinFunctionType):
        return isinstance(function.__self__, types.ModuleType) or function.__self__ is None
    return isinstance(function, types.FunctionType) and function.__module__ not in (None, "__main__")


def signature(function: Callable) -> list[tuple[str, int, str]] | None:
    """The parameters of a function, as (name, kind, default): its default is "" for none, "None", or "...".

    What is bound by name in a partial is no parameter any more. None if it can't be told.
    """
    bound = function.keywords if isinstance(function, partial) else {}
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None

    def default(of: inspect.Parameter) -> str:
        return "" if of.default is of.empty else "None" if of.default is None else "..."

    return [(one.name, int(one.kind), default(one)) for one in found if one.name not in bound]
