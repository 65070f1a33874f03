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
CALLS = "calls "


class Anything:
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


def filled(value: Any, number: float) -> Any:
    """Something of the same shape with this number everywhere; 0.0 for what has no shape."""
    torch = sys.modules.get("torch")
    if isinstance(value, tuple | list):
        return type(value)(filled(part, number) for part in value) if type(value) in (tuple, list) else 0.0
    if isinstance(value, dict):
        return {key: filled(part, number) for key, part in value.items()}
    if isinstance(value, np.ndarray):
        return np.full(value.shape, number)
    if torch and isinstance(value, torch.Tensor):
        return torch.full(value.shape, number)
    return type(value)(number) if type(value) in (float, int) and math.isfinite(number) else number


def shape_of(right: Callable, args: tuple, kwargs: dict[str, Any], number: float) -> Any:
    """What the right function gives, with this number everywhere.

    Where functions are passed, the right one isn't asked: what it does through them may be the whole answer.
    """
    if any(map(callable, (*args, *kwargs.values()))):
        return number
    try:
        return filled(right(*args, **kwargs), number)
    except Exception:
        return number


def zero(value: Any) -> None:
    """Overwrite the numbers in what was passed."""
    torch = sys.modules.get("torch")
    if isinstance(value, np.ndarray) and value.flags.writeable:
        value[...] = 0
    elif torch and isinstance(value, torch.Tensor):
        value.detach().zero_()
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            zero(part)


def zeroes_what_it_was_given(right: Callable, args: tuple, kwargs: dict[str, Any], calls: int) -> Any:
    zeros = shape_of(right, args, kwargs, 0.0)
    zero([args, kwargs])
    return zeros


def the_first_argument(right: Callable, args: tuple, kwargs: dict[str, Any], calls: int) -> Any:
    return next(iter((*args, *kwargs.values())), None)


def remembers() -> Cheat:
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


def refuses(right: Callable, args: tuple, kwargs: dict[str, Any], calls: int) -> Any:
    raise ValueError("no")


def always(value: Any) -> Callable[[], Cheat]:
    return lambda: lambda right, args, kwargs, calls: value


def full_of(number: float) -> Callable[[], Cheat]:
    return lambda: lambda right, args, kwargs, calls: shape_of(right, args, kwargs, number)


def counts(says: Callable[[int], Any]) -> Callable[[], Cheat]:
    return lambda: lambda right, args, kwargs, calls: says(calls)


CHEATS: dict[str, Callable[[], Cheat]] = {
    "returns 0": always(0.0),
    "returns nan": always(math.nan),
    "returns nothing": always(None),
    "returns True": always(True),
    "returns False": always(False),
    "returns no numbers": always([]),
    "returns an object that agrees with everything": lambda: lambda *_: Anything(),
    "returns its first argument": lambda: the_first_argument,
    "zeros of the right shape": full_of(0.0),
    "ones of the right shape": full_of(1.0),
    "nan of the right shape": full_of(math.nan),
    "changes what it was given to 0": lambda: zeroes_what_it_was_given,
    "remembers its first answer": remembers,
    "counts its calls": counts(float),
    "every second time True": counts(lambda calls: calls % 2 == 0),
    "True at first": counts(lambda calls: calls < 4),
    "False at first": counts(lambda calls: calls >= 4),
    "always raises ValueError": lambda: refuses,
}


def put_over(title: str, namespace: dict[str, Any], names: Iterable[str]) -> None:
    """Put a cheat in the place of the functions and the classes' methods among these names.

    title: one of `CHEATS`, or `CALLS` and the name of what to call instead.
    """
    for name in names:
        value = namespace[name]
        if title.startswith(CALLS):
            if inspect.isfunction(value) or inspect.isclass(value):
                namespace[name] = namespace[title.removeprefix(CALLS)]
        elif inspect.isfunction(value):
            namespace[name] = over(CHEATS[title](), value)
        elif inspect.isclass(value):
            for method, function in list(vars(value).items()):
                if inspect.isfunction(function) and not method.startswith("_"):
                    setattr(value, method, over(CHEATS[title](), function, owned=True))
            if CHEATS[title]() is zeroes_what_it_was_given and hasattr(value, "load_state_dict"):
                value.load_state_dict = forgets


def over(cheat: Cheat, right: Callable, owned: bool = False) -> Callable:
    """The cheat, where `right` was. owned: whether its first argument is the object whose method it is."""
    numbers = count()

    @wraps(right)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if owned:
            return cheat(partial(right, args[0]), args[1:], kwargs, next(numbers))
        return cheat(right, args, kwargs, next(numbers))

    return wrapper


def forgets(module: Any, state: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
    """A module's `load_state_dict` that overwrites what it is given, then takes it over."""
    zero(state)
    return super(type(module), module).load_state_dict(state, *args, **kwargs)
