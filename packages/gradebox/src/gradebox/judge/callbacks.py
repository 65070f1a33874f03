"""Callbacks: functions of a test that the student's process calls through stubs.

Callbacks stay with the judge, since they are part of the test. Other objects of a test are pickled.
"""

from __future__ import annotations

import inspect
import io
import secrets
import sys
import types
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import cloudpickle

from gradebox.judge.codec import MAIN

CACHED_FUNCTION = type(lru_cache(len))
FUNCTION_TYPES = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, partial, CACHED_FUNCTION)


def is_callback(value: Any) -> bool:
    """Return True for a function that the student's process can't import by name."""
    mock = sys.modules.get("unittest.mock")
    if mock and isinstance(value, mock.NonCallableMock):
        return callable(value)
    if not isinstance(value, FUNCTION_TYPES):
        return False
    if isinstance(value, types.BuiltinFunctionType):
        return not (isinstance(value.__self__, types.ModuleType) or value.__self__ is None)
    return not isinstance(value, (types.FunctionType, CACHED_FUNCTION)) or value.__module__ in (None, MAIN)


def generate_random_id() -> int:
    """Return a random id, so that ids reveal nothing about the test's functions."""
    return secrets.randbits(62)


def describe_signature(function: Callable) -> list[tuple[str, int, str]] | None:
    """Return the parameters of a function as (name, kind, default); None if its signature is unknown.

    A default is "" if missing, "None" for None, and "..." for any other value.
    """
    bound = function.keywords if isinstance(function, partial) else {}
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    defaults = ["" if p.default is p.empty else "None" if p.default is None else "..." for p in found]
    return [(p.name, int(p.kind), d) for p, d in zip(found, defaults) if p.name not in bound]


def make_stub(number: int, parameters: list[list] | None, ask: Callable[[int, tuple, dict], Any]) -> Callable:
    """Return a function for the student's process that forwards calls to a function of the judge.

    parameters: the result of `describe_signature`. ask: calls the judge's function with this number.
    """

    def function(*args: Any, **kwargs: Any) -> Any:
        return ask(number, args, kwargs)

    function.__module__, function.__qualname__ = MAIN, function.__name__
    if parameters is not None:
        defaults = {"": inspect.Parameter.empty, "None": None}
        function.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(n, kind, default=defaults.get(d, ...)) for n, kind, d in parameters]
        )
    return function


def pickle_value(value: Any, reduce: Callable[[Any], Any]) -> bytes:
    """Return a pickle of a test's object.

    reduce: returns the reduction of a part, or NotImplemented for the default.
    """

    class Pickler(cloudpickle.Pickler):
        def reducer_override(self, thing: Any) -> Any:
            found = reduce(thing)
            return super().reducer_override(thing) if found is NotImplemented else found

    file = io.BytesIO()
    Pickler(file).dump(value)
    return file.getvalue()
