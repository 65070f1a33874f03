"""Whether an object of a class that students write agrees with anything.

Such an object says itself what it is equal to. With data of a test's it is asked about values that are not in
the test, too: what agrees with these tells nothing.
"""

import datetime
import random
import string
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

chance = random.SystemRandom()
# How many values are asked about besides the test's.
MANY = 3
ORDERS = ("__lt__", "__le__", "__gt__", "__ge__")
NUMBERS = int | float | complex | np.number


def tells(name: str, other: Any, said: Callable[[str, Any], Any], can: frozenset[str]) -> tuple[bool, Any]:
    """Whether what an object says of a value is worth something, and what it says.

    name: of the comparison, or "__contains__". said: asks the object. can: what it has.
    """
    if name in ORDERS:
        if not can.issuperset(ORDERS):
            return False, None
        # Whoever does not know which one the test asks for has to choose.
        answers = {one: said(one, other) for one in chance.sample(ORDERS, len(ORDERS))}
        less, most, more, least = (answers[one] for one in ORDERS)
        sure = less == (not least) and more == (not most) and not (less and more)
        return sure and all(holds(one) is not None for one in answers.values()), answers[name]
    beside = decoys(other, far=name == "__contains__")
    if not beside:
        # There is nothing to ask about besides.
        return False, None
    values = [other, *beside]
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


def is_number(value: Any) -> bool:
    return isinstance(value, NUMBERS | Fraction | Decimal) and not isinstance(value, bool)


def decoys(value: Any, far: bool = False) -> list[Any]:
    """Values of the same class that are not this one; none if there are none to be made. far: nor near it."""
    if isinstance(value, bool) or value is None:
        return [not value, *([0] if value is None else [])]
    found = [another(value, far) for _ in range(MANY)]
    return [] if any(one is NotImplemented for one in found) else found


def another(value: Any, far: bool = False) -> Any:
    """A value of the same class, on either side; NotImplemented where there is none to be made."""
    step = chance.choice((-1, 1)) * chance.randrange(1, 20) * (10**6 if far else 1)
    if isinstance(value, float | np.floating):
        near = float(value) if np.isfinite(value) else 0.0
        return type(value)(near + step * max(1.0, abs(near)))
    if is_number(value):
        unsigned = isinstance(value, np.unsignedinteger)
        return value ^ type(value)(abs(step)) if unsigned else value + type(value)(step)
    if isinstance(value, str):
        return "".join(chance.choices(string.ascii_letters, k=max(len(value), 12 if far else 3)))
    if isinstance(value, bytes):
        return chance.randbytes(max(len(value), 3))
    if isinstance(value, np.ndarray) and value.dtype.kind in "iufc" and value.size:
        return value + value.dtype.type(abs(step))
    if isinstance(value, np.ndarray) and value.dtype.kind == "b" and value.size:
        return ~value
    if type(value) in (list, tuple) and value:
        parts, place = list(value), chance.randrange(len(value))
        parts[place] = next(iter(decoys(parts[place])), None)
        return type(value)(parts)
    if type(value) in (list, tuple):
        return type(value)([step])
    if type(value) is dict:
        key = chance.choice(list(value)) if value else "".join(chance.choices(string.ascii_letters, k=5))
        return {**value, key: step}
    if type(value) in (set, frozenset):
        return value | {another("")}
    if isinstance(value, datetime.date):
        return value + datetime.timedelta(days=step)
    return NotImplemented
