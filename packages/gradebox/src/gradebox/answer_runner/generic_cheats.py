"""Generic cheats: answers that solve nothing, whatever the exercise is. None of them may earn a point.

Each stands in the place of the functions of a right answer, and of the methods of its classes. Some ask the
right one for the shape of what is wanted, or for one answer; an error of the right one is swallowed, since to
raise it can be worth points.
"""

import inspect
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial, wraps
from itertools import count
from typing import Any

import numpy as np

# What a cheat gives back: by the right function, what was passed, and how often it was called before.
Cheat = Callable[[Callable, tuple, dict[str, Any], int], Any]
CALLS_PREFIX = "calls "


class AlwaysEqual:
    """Has every attribute, can be called, and agrees with everything."""

    def __getattr__(self, name: str) -> Any:
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter([self, self])

    def __eq__(self, other: object) -> bool:
        return True

    __getitem__ = __add__ = __sub__ = __rsub__ = __abs__ = __call__
    __le__ = __lt__ = __ge__ = __gt__ = __contains__ = __eq__
    __hash__ = object.__hash__

    def __len__(self) -> int:
        return 2

    def __float__(self) -> float:
        return 0.0


def fill_like(value: Any, number: float) -> Any:
    """Something of the same shape with this number everywhere; 0.0 for what has no shape."""
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
    """What the right function gives, with this number everywhere.

    Where functions are passed, the right one isn't asked: what it does through them may be the whole answer.
    """
    if any(map(callable, (*args, *kwargs.values()))):
        return number
    try:
        return fill_like(right(*args, **kwargs), number)
    except Exception:
        return number


def zero_in_place(value: Any) -> None:
    """Overwrite the numbers in what was passed."""
    torch = sys.modules.get("torch")
    if isinstance(value, np.ndarray) and value.flags.writeable:
        value[...] = 0
    elif torch and isinstance(value, torch.Tensor):
        value.detach().zero_()
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            zero_in_place(part)


def zero_arguments(right: Callable, args: tuple, kwargs: dict[str, Any], calls: int) -> Any:
    zeros = fill_result_shape(right, args, kwargs, 0.0)
    zero_in_place([args, kwargs])
    return zeros


def return_first_argument(right: Callable, args: tuple, kwargs: dict[str, Any], calls: int) -> Any:
    return next(iter((*args, *kwargs.values())), None)


def repeat_first_result() -> Cheat:
    """One that is right at its first call, and says the same ever after."""
    known: list[Any] = []

    def cheat(right: Callable, args: tuple, kwargs: dict[str, Any], calls: int) -> Any:
        if not known:
            try:
                known.append(right(*args, **kwargs))
            except Exception:
                return None
        return known[0]

    return cheat


def raise_value_error(right: Callable, args: tuple, kwargs: dict[str, Any], calls: int) -> Any:
    raise ValueError("no")


def return_constant(value: Any) -> Callable[[], Cheat]:
    return lambda: lambda right, args, kwargs, calls: value


def return_filled(number: float) -> Callable[[], Cheat]:
    return lambda: lambda right, args, kwargs, calls: fill_result_shape(right, args, kwargs, number)


def return_by_call_count(says: Callable[[int], Any]) -> Callable[[], Cheat]:
    return lambda: lambda right, args, kwargs, calls: says(calls)


CHEATS: dict[str, Callable[[], Cheat]] = {
    "returns 0": return_constant(0.0),
    "returns nan": return_constant(math.nan),
    "returns nothing": return_constant(None),
    "returns True": return_constant(True),
    "returns False": return_constant(False),
    "returns no numbers": return_constant([]),
    "returns an object that agrees with everything": lambda: lambda *_: AlwaysEqual(),
    "returns its first argument": lambda: return_first_argument,
    "zeros of the right shape": return_filled(0.0),
    "ones of the right shape": return_filled(1.0),
    "nan of the right shape": return_filled(math.nan),
    "changes what it was given to 0": lambda: zero_arguments,
    "remembers its first answer": repeat_first_result,
    "counts its calls": return_by_call_count(float),
    "every second time True": return_by_call_count(lambda calls: calls % 2 == 0),
    "True at first": return_by_call_count(lambda calls: calls < 4),
    "False at first": return_by_call_count(lambda calls: calls >= 4),
    "always raises ValueError": lambda: raise_value_error,
}


def replace_functions(title: str, namespace: dict[str, Any], names: Iterable[str]) -> None:
    """Put a cheat in the place of the functions and the classes' methods among these names.

    title: one of `CHEATS`, or `CALLS` and the name of what to call instead.
    """
    for name in names:
        value = namespace[name]
        if title.startswith(CALLS_PREFIX):
            if inspect.isfunction(value) or inspect.isclass(value):
                namespace[name] = namespace[title.removeprefix(CALLS_PREFIX)]
        elif inspect.isfunction(value):
            namespace[name] = wrap_with_cheat(CHEATS[title](), value)
        elif inspect.isclass(value):
            for method, function in list(vars(value).items()):
                if inspect.isfunction(function) and not method.startswith("_"):
                    setattr(value, method, wrap_with_cheat(CHEATS[title](), function, owned=True))
            if CHEATS[title]() is zero_arguments and hasattr(value, "load_state_dict"):
                value.load_state_dict = zero_then_load_state


def wrap_with_cheat(cheat: Cheat, right: Callable, owned: bool = False) -> Callable:
    """The cheat, where `right` was. owned: whether its first argument is the object whose method it is."""
    numbers = count()

    @wraps(right)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if owned:
            return cheat(partial(right, args[0]), args[1:], kwargs, next(numbers))
        return cheat(right, args, kwargs, next(numbers))

    return wrapper


def zero_then_load_state(module: Any, state: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
    """A module's `load_state_dict` that overwrites what it is given, then takes it over."""
    zero_in_place(state)
    return super(type(module), module).load_state_dict(state, *args, **kwargs)
