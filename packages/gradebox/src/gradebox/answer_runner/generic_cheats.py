"""Generic cheats: answers that solve no exercise and so may not earn a point. Used by the audit.

A cheat replaces the functions of a right answer and the methods of its classes, and begins with the hidden
part of a test: the results of the visible part could be typed in. Some cheats call the right function to get
the shape of the result, or a single result. They suppress errors of the right function, because raising an
error can earn points.
"""

import inspect
import math
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial, wraps
from itertools import count
from typing import Any

import numpy as np

# A cheat's arguments: the right function, args, kwargs, and the number of earlier calls.
Cheat = Callable[[Callable, tuple, dict[str, Any], int], Any]
CALLS_PREFIX = "calls "
# Name in the student's namespace: True while cheats act, False in the visible part of a test.
CHEATING_KEY = "__cheating__"


def fill_like(value: Any, number: float) -> Any:
    """Return a copy of `value` in which every element is `number`; a number if `value` has no shape.

    Subclasses of tuple and list become 0.0.
    """
    torch = sys.modules.get("torch")
    if isinstance(value, tuple | list):
        return type(value)(fill_like(part, number) for part in value) if type(value) in (tuple, list) else 0.0
    if isinstance(value, dict):
        return {key: fill_like(part, number) for key, part in value.items()}
    if isinstance(value, np.ndarray):
        return np.full(value.shape, number)
    if torch and isinstance(value, torch.Tensor):
        return torch.full(value.shape, number)
    return type(value)(number) if type(value) in (float, int) and math.isfinite(number) else number


def fill_result_shape(right: Callable, args: tuple, kwargs: dict[str, Any], number: float) -> Any:
    """Return the right function's result with every element replaced by `number`.

    If an argument is callable, the right function is not called: it would call the argument, and that may be
    all that the tests check.
    """
    if any(map(callable, (*args, *kwargs.values()))):
        return number
    try:
        return fill_like(right(*args, **kwargs), number)
    except Exception:
        return number


def zero_in_place(value: Any) -> None:
    """Overwrite all numbers in `value` with 0, in place."""
    torch = sys.modules.get("torch")
    if isinstance(value, np.ndarray) and value.flags.writeable:
        value[...] = 0
    elif torch and isinstance(value, torch.Tensor):
        value.detach().zero_()
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            zero_in_place(part)


def zero_arguments(right: Callable, args: tuple, kwargs: dict[str, Any], calls: int) -> Any:
    """Return zeros in the shape of the result, and overwrite the arguments with 0."""
    zeros = fill_result_shape(right, args, kwargs, 0.0)
    zero_in_place([args, kwargs])
    return zeros


def return_first_argument(right: Callable, args: tuple, kwargs: dict[str, Any], calls: int) -> Any:
    """Return the first argument; None if the call has no arguments."""
    return next(iter((*args, *kwargs.values())), None)


class RepeatedResult:
    """A cheat that repeats the first result of the right function, which the visible part may have shown."""

    def __init__(self) -> None:
        self.results: list[Any] = []

    def __call__(self, right: Callable, args: tuple, kwargs: dict[str, Any], calls: int = 0) -> Any:
        if not self.results:
            with suppress(Exception):
                self.results.append(right(*args, **kwargs))
        return next(iter(self.results), None)


def raise_value_error(right: Callable, args: tuple, kwargs: dict[str, Any], calls: int) -> Any:
    """Raise ValueError at every call."""
    raise ValueError("no")


def return_constant(value: Any) -> Callable[[], Cheat]:
    """Return a factory of cheats that always return `value`."""
    return lambda: lambda right, args, kwargs, calls: value


def return_filled(number: float) -> Callable[[], Cheat]:
    """Return a factory of cheats that return `number` in the shape of the result."""
    return lambda: lambda right, args, kwargs, calls: fill_result_shape(right, args, kwargs, number)


def return_by_call_count(says: Callable[[int], Any]) -> Callable[[], Cheat]:
    """Return a factory of cheats whose result depends only on the number of earlier calls."""
    return lambda: lambda right, args, kwargs, calls: says(calls)


CHEATS: dict[str, Callable[[], Cheat]] = {
    "returns 0": return_constant(0.0),
    "returns nothing": return_constant(None),
    "returns True": return_constant(True),
    "returns False": return_constant(False),
    "returns no numbers": return_constant([]),
    "returns its first argument": lambda: return_first_argument,
    "zeros of the right shape": return_filled(0.0),
    "ones of the right shape": return_filled(1.0),
    "nan of the right shape": return_filled(math.nan),
    "changes what it was given to 0": lambda: zero_arguments,
    "remembers its first answer": RepeatedResult,
    "counts its calls": return_by_call_count(float),
    "True every second time": return_by_call_count(lambda calls: calls % 2 == 0),
    "True at first": return_by_call_count(lambda calls: calls < 4),
    "False at first": return_by_call_count(lambda calls: calls >= 4),
    "always raises ValueError": lambda: raise_value_error,
}


def replace_functions(title: str, namespace: dict[str, Any], names: Iterable[str]) -> None:
    """Replace the functions and the methods of classes among these names by a cheat.

    title: a key of `CHEATS`, or `CALLS_PREFIX` and the name of the function or class to use instead.
    """
    for name in names:
        value = namespace[name]
        if title.startswith(CALLS_PREFIX):
            if inspect.isfunction(value) or inspect.isclass(value):
                namespace[name] = namespace[title.removeprefix(CALLS_PREFIX)]
        elif inspect.isfunction(value):
            namespace[name] = wrap_with_cheat(namespace, CHEATS[title](), value)
        elif inspect.isclass(value):
            for method, function in list(vars(value).items()):
                if inspect.isfunction(function) and not method.startswith("_"):
                    setattr(value, method, wrap_with_cheat(namespace, CHEATS[title](), function, owned=True))
            if CHEATS[title]() is zero_arguments and hasattr(value, "load_state_dict"):
                load = value.load_state_dict
                value.load_state_dict = wrap_with_cheat(namespace, zero_then_load_state, load, owned=True)


def wrap_with_cheat(namespace: dict, cheat: Cheat, right: Callable, owned: bool = False) -> Callable:
    """Return a function that calls the cheat instead of `right`. owned: True if `right` is a method."""
    numbers = count()

    @wraps(right)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        function, given = (partial(right, args[0]), args[1:]) if owned else (right, args)
        if namespace[CHEATING_KEY]:
            return cheat(function, given, kwargs, next(numbers))
        if isinstance(cheat, RepeatedResult):
            cheat(function, given, kwargs)
        return function(*given, **kwargs)

    return wrapper


def zero_then_load_state(right: Callable, args: tuple, kwargs: dict[str, Any], calls: int) -> Any:
    """Overwrite a state dict with 0, then load it: a replacement for a module's `load_state_dict`."""
    zero_in_place([args, kwargs])
    return right(*args, **kwargs)
