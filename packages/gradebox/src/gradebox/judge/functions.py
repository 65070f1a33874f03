"""The functions that a test passes: which of them stay with the judge, and what is told of these."""

import importlib
import inspect
import sys
import types
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

SIGNATURE = "__signature__"
CACHED = type(lru_cache(len))
FUNCTIONS = types.FunctionType | types.MethodType | types.BuiltinFunctionType | partial | CACHED


def stays(value: Any) -> bool:
    """Whether this is a function, or acts as one, that stays with the judge."""
    mock = sys.modules.get("unittest.mock")
    if mock and issubclass(type(value), mock.NonCallableMock):
        if not callable(value):
            return False
        told = value._mock_return_value is not mock.DEFAULT or value._mock_side_effect is not None
        if not told or value._mock_children:
            # It may be meant as an object, whose attributes are looked at.
            raise TypeError("a mock that is no function with a result")
        return True
    return isinstance(value, FUNCTIONS) and not importable(value)


def importable(function: Any) -> bool:
    """Whether the other side can import this function by its name."""
    if isinstance(function, types.BuiltinFunctionType):
        return isinstance(function.__self__, types.ModuleType) or function.__self__ is None
    named = isinstance(function, types.FunctionType | CACHED)
    return named and function.__module__ not in (None, "__main__")


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


def parameters(function: Callable) -> list | None:
    """A function's signature as data, for whoever is to show it: what it returns, and for each parameter its
    name, kind, default and annotation. What may be missing is a list with it, or with nothing.

    None if it can't be told.
    """
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        return None

    def given(value: Any) -> list:
        return [] if value is inspect.Parameter.empty else [value]

    every = found.parameters.values()
    return [
        given(found.return_annotation),
        *([one.name, int(one.kind), given(one.default), given(one.annotation)] for one in every),
    ]


def found_in(module: str, attribute: str) -> Any:
    """What `import module`, or `from module import attribute`, gives; None if it gives nothing."""
    try:
        found: Any = importlib.import_module(module)
        return getattr(found, attribute) if attribute else found
    except Exception:
        return None


def told(number: int, parameters: list[list] | None, ask: Callable[[int, tuple, dict], Any]) -> Callable:
    """A function that a test has passed, on the student's side: to call it is to ask the judge.

    It is a function like any other, and all of them are called alike. parameters: those that it takes, see
    `signature`.
    """

    def function(*args: Any, **kwargs: Any) -> Any:
        return ask(number, args, kwargs)

    function.__module__, function.__qualname__ = "__main__", function.__name__
    if parameters is not None:
        defaults = {"": inspect.Parameter.empty, "None": None}
        found = [
            inspect.Parameter(name, kind, default=defaults.get(default, ...))
            for name, kind, default in parameters
        ]
        setattr(function, SIGNATURE, inspect.Signature(found))
    return function
