"""Whether an object of a class that students write agrees with anything.

Such an object says itself what it is equal to. With data of a test's it is asked about values that are not in
the test, too: what agrees with these tells nothing.
"""

import random
import string
from collections.abc import Callable
from typing import Any

import numpy as np

chance = random.SystemRandom()
# How many values are asked about besides the test's.
MANY = 3
# What is true of two values if the other is not.
OPPOSITE = {"__lt__": "__ge__", "__ge__": "__lt__", "__gt__": "__le__", "__le__": "__gt__"}
NUMBERS = int | float | complex | np.number


def tells(name: str, other: Any, said: Callable[[str, Any], Any], can: frozenset[str]) -> tuple[bool, Any]:
    """Whether what an object says of a value is worth something, and what it says.

    name: of the comparison, or "__contains__". said: asks the object. can: what it has.
    """
    if name in OPPOSITE:
        both = [name, OPPOSITE[name]]
        if both[1] not in can:
            return False, None
        answers = {one: said(one, other) for one in chance.sample(both, 2)}
        return answers[both[0]] in (True, False) and answers[both[0]] != answers[both[1]], answers[name]
    values = [other, *decoys(other, far=name == "__contains__")]
    found: dict[int, Any] = {}
    for place in chance.sample(range(len(values)), len(values)):
        try:
            found[place] = said(name, values[place])
        except Exception:
            if place == 0:
                raise
            # What it does not take, it is not equal to.
            found[place] = name == "__ne__"
    agrees = name != "__ne__"
    lies = all(holds(one) is agrees for one in found.values())
    return not lies and holds(found[0]) is not None, found[0]


def holds(answer: Any) -> bool | None:
    """What a comparison says, of all parts if there are some; None if it is no such answer."""
    if answer is NotImplemented:
        return False
    if type(answer) is np.ndarray and answer.dtype == bool:
        return bool(answer.all())
    return bool(answer) if isinstance(answer, bool | np.bool_) else None


def decoys(value: Any, far: bool = False) -> list[Any]:
    """Values of the same kind that are not this one. far: nor anywhere near."""
    if isinstance(value, bool) or value is None:
        return [not value, *([0] if value is None else [])]
    return [another(value, far) for _ in range(MANY)]


def another(value: Any, far: bool) -> Any:
    if isinstance(value, NUMBERS):
        return value + type(value)(chance.randrange(10**6, 10**9) if far else chance.randrange(1, 20))
    if isinstance(value, str):
        return "".join(chance.choices(string.ascii_letters, k=max(len(value), 12 if far else 3)))
    if isinstance(value, bytes):
        return chance.randbytes(max(len(value), 3))
    if isinstance(value, np.ndarray) and value.dtype.kind in "iufc" and value.size:
        return value + chance.randrange(1, 20)
    if isinstance(value, list | tuple) and value:
        parts, place = list(value), chance.randrange(len(value))
        parts[place] = another(parts[place], far)
        return parts if isinstance(value, list) else tuple(parts)
    if isinstance(value, dict) and value:
        key = chance.choice(list(value))
        return {**value, key: another(value[key], far)}
    if isinstance(value, set | frozenset):
        return value | {another("", far)}
    return another("", far)
