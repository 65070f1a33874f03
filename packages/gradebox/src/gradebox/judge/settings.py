"""What a caller sets around a call, as data for the process in which the function runs.

`with np.errstate(...)`, the filters of warnings, how NumPy prints, `with torch.no_grad()`, torch's default
type. Only what the caller has changed since its baseline is sent, so that otherwise the other side's own
settings hold; and it holds there for the duration of the call.
"""

import builtins
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gradebox.judge.protocol import Malformed, Node

ERRORS = ("divide", "over", "under", "invalid")
# What NumPy does over an error; all else would need a function of the caller's.
RESPONSES = ("ignore", "warn", "raise", "print")
PRINTING = {
    **dict.fromkeys(("edgeitems", "threshold", "precision", "linewidth"), int),
    **dict.fromkeys(("nanstr", "infstr", "sign", "floatmode"), str),
    "suppress": bool,
}
TYPES = ("torch.float16", "torch.bfloat16", "torch.float32", "torch.float64")
ACTIONS = ("default", "error", "ignore", "always", "all", "module", "once")
MOST_FILTERS, LONGEST_PATTERN = 200, 1000
# The fields of a filter: an action, a pattern, a class, a pattern, a line.
Filter = tuple[str, Any, type[Warning], Any, int]


@dataclass(frozen=True)
class Settings:
    """values: settings that have one value each, by name. filters: those of warnings, foremost first.

    seen: what the values were read from, as it was read.
    """

    values: dict[str, Any]
    filters: list[Filter]
    seen: tuple = field(default=(), compare=False, repr=False)

    def put(self) -> None:
        """Set all of it in this process."""
        values = self.values
        np.seterr(**{name: values[name] for name in ERRORS})
        np.set_printoptions(**{name: values[name] for name in PRINTING})
        if "type" in values:
            import torch

            torch.set_grad_enabled(values["gradients"])
            torch.set_default_dtype(getattr(torch, values["type"].removeprefix("torch.")))
        warnings.resetwarnings()
        filters().extend(self.filters)


def filters() -> list[Filter]:
    """The list that `warnings` looks at."""
    looked_at: Any = warnings.filters
    return looked_at


def read() -> tuple:
    """What the values of settings are made from: NumPy's errors, its printing, and torch's modes, if any."""
    torch: Any = sys.modules.get("torch")
    # While torch is being imported, it has not all of them.
    if not hasattr(torch, "set_default_dtype"):
        return np.geterr(), np.get_printoptions(), None
    modes = torch.is_grad_enabled(), torch.is_inference_mode_enabled(), torch.get_default_dtype()
    return np.geterr(), np.get_printoptions(), modes


def current(since: Settings | None = None) -> Settings:
    """What is set now. since: settings that may hold still, and are then what is returned."""
    seen = errors, printing, modes = read()
    # Hardly anybody sets anything, and each question asks whether somebody has.
    if since and since.seen == seen and since.filters == filters():
        return since
    values: dict[str, Any] = {**errors, **{name: printing[name] for name in PRINTING}}
    if modes:
        gradients, inference, default = modes
        values |= {"gradients": gradients, "inference": inference, "type": str(default)}
    return Settings(values, list(filters()), seen)


def changed(since: Settings) -> Node:
    """What is set now and was not at that moment, for `taken_over`; {} for nothing."""
    now = current(since)
    if now is since:
        return {}
    said = {name: value for name, value in now.values.items() if since.values.get(name, value) != value}
    if not said.keys().isdisjoint(ERRORS):
        # Who sets all of them need not change each.
        errors = {name: now.values[name] for name in ERRORS}
        said |= {name: value for name, value in errors.items() if value in RESPONSES}
    if now.filters != since.filters:
        said["filters"] = [in_words(one) for one in ahead(now.filters, since.filters)]
        said["alone"] = not all(one in now.filters for one in since.filters)
    return said


def ahead(now: list[Filter], before: list[Filter]) -> list[Filter]:
    """The filters that stand ahead of those that were there before; all of them if one of those is gone."""
    rest = len(before) if now[len(now) - len(before) :] == before else 0
    return now[: len(now) - rest]


def in_words(one: Filter) -> Node:
    """A filter as data."""
    action, message, category, module, line = one
    return [action, pattern(message), f"{category.__module__}:{category.__name__}", pattern(module), line]


def pattern(found: re.Pattern | str | None) -> Node:
    return [found.pattern, found.flags] if isinstance(found, re.Pattern) else found


def from_words(said: Node) -> Filter | None:
    """The filter again; None if this process knows no such class of warnings. Raises Malformed."""
    action, message, category, module, line = said
    if action not in ACTIONS or type(line) is not int or line < 0 or type(category) is not str:
        raise Malformed("a filter of warnings that is none")
    where, _, name = category.partition(":")
    known = vars(sys.modules.get(where, builtins)).get(name)
    patterns = [from_pattern(message), from_pattern(module)]
    if not isinstance(known, type) or not issubclass(known, Warning):
        return None
    return action, patterns[0], known, patterns[1], line


def from_pattern(said: Node) -> re.Pattern | str | None:
    if said is None:
        return None
    parts: list[Any] = [said, None] if type(said) is str else said
    text, flags = parts
    if type(text) is not str or len(text) > LONGEST_PATTERN or type(flags) not in (int, type(None)):
        raise Malformed("a pattern for warnings that is none")
    return text if flags is None else re.compile(text, flags)


def known(name: str, value: Node) -> bool:
    """Whether a setting can have this value."""
    if name in ERRORS:
        return value in RESPONSES
    if name in PRINTING:
        return type(value) is PRINTING[name]
    return value in TYPES if name == "type" else name in ("gradients", "inference") and type(value) is bool


def taken_over(said: Node) -> AbstractContextManager:
    """For the duration of a `with`, what `changed` said in another process. Raises Malformed."""
    return settings_of(said) if said else nullcontext()


@contextmanager
def settings_of(said: Node) -> Iterator[None]:
    before = current()
    with ExitStack() as stack:
        try:
            said = dict(said)
            words, alone = said.pop("filters", []), said.pop("alone", False)
            if len(words) > MOST_FILTERS or not all(known(name, value) for name, value in said.items()):
                raise Malformed("a setting that is none")
            front = [one for one in map(from_words, words) if one]
            theirs = [] if alone else [one for one in before.filters if one not in front]
            stack.callback(before.put)
            Settings(before.values | said, front + theirs).put()
        except Malformed:
            raise
        except Exception:
            raise Malformed("settings that are none") from None
        if "inference" in said:
            stack.enter_context(sys.modules["torch"].inference_mode(said["inference"]))
        yield
