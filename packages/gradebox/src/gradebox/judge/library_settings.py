"""Process-wide settings that a test makes before a call, sent with the request to the student's process.

In a single process, the call would see these settings: NumPy's error handling and print options, torch's
gradient mode and default dtype, warning filters, the state of random generators, the capturing of output and
warnings, and replacements of `input` and `print`. A pickled record contains the settings that differ from the
beginning of the cell. Records are only sent from the judge (`CallContext`) to the student's process
(`apply_call_context`).
"""

import builtins
import pickle
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any

import numpy as np

from gradebox.judge.codec import Node
from gradebox.kernel.frames import MalformedMessageError

STREAMS = {"stdout": redirect_stdout, "stderr": redirect_stderr}
# Built-in functions that tests may replace.
REPLACEABLE_BUILTINS = ("input", "print")
# Endings of calls that set the state of a random generator.
SEED_CALLS = ("seed(", "seed_all(", "set_state(", "setstate(", "set_rng_state(")
MAX_PRINTED_CHARACTERS, MAX_WARNINGS = 10**6, 1000


def read_library_settings() -> dict[str, Any]:
    """Return NumPy's error handling and print options, and torch's modes and default dtype."""
    found: dict[str, Any] = {"errors": np.geterr(), "printing": np.get_printoptions()}
    torch: Any = sys.modules.get("torch")
    # A partially imported torch lacks some of these functions.
    if hasattr(torch, "set_default_dtype"):
        found |= {"gradients": torch.is_grad_enabled(), "type": torch.get_default_dtype()}
        found["inference"] = torch.is_inference_mode_enabled()
    return found


# Functions that apply a setting. `inference` has none: inference mode needs a context manager.
SETTERS: dict[str, Callable[[Any], Any]] = {
    "errors": lambda value: np.seterr(**value),
    "printing": lambda value: np.set_printoptions(**value),
    "gradients": lambda value: sys.modules["torch"].set_grad_enabled(value),
    "type": lambda value: sys.modules["torch"].set_default_dtype(value),
}


def apply_library_settings(found: dict[str, Any]) -> None:
    for name in found.keys() & SETTERS.keys():
        SETTERS[name](found[name])


# Per library, functions that set the random generator's state and draw a number.
RANDOM_GENERATORS: dict[str, tuple[Callable[[Any], Any], Callable[[], Any]]] = {
    "random": (random.setstate, random.random),
    "numpy": (lambda state: np.random.set_state(state), lambda: np.random.random()),
    "torch": (lambda state: sys.modules["torch"].set_rng_state(state), lambda: sys.modules["torch"].rand(1)),
}


def read_random_states() -> dict[str, bytes]:
    """Return the pickled state of each library's random generator."""
    found: dict[str, Any] = {"random": random.getstate(), "numpy": np.random.get_state()}
    if "torch" in sys.modules:
        found["torch"] = sys.modules["torch"].get_rng_state()
    return {name: pickle.dumps(state) for name, state in found.items()}


def select_changed_items(now: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in now.items() if name not in before or before[name] != value}


class CallContext:
    """Settings in the judge, compared with the beginning of the cell.

    callback: returns the node of a function that stays with the judge.
    """

    def __init__(self, callback: Callable[[Any], Node]):
        self.callback = callback
        self.before("")

    def before(self, source: str) -> None:
        """Record the settings at the beginning of a cell."""
        self.began, self.filters = read_library_settings(), list(warnings.filters)
        self.functions = {name: getattr(builtins, name) for name in REPLACEABLE_BUILTINS}
        self.streams = {name: getattr(sys, name) for name in STREAMS}
        self.shows = warnings._showwarnmsg_impl  # type: ignore[attr-defined]
        self.seeds = any(word in source for word in SEED_CALLS)
        self.sent = read_random_states() if self.seeds else {}

    def after(self) -> None:
        """Restore the settings that the cell has changed."""
        if read_library_settings() != self.began:
            apply_library_settings(self.began)
        if warnings.filters != self.filters:
            warnings.resetwarnings()
            warnings.filters.extend(self.filters)  # type: ignore[attr-defined]

    def changed(self) -> bytes:
        """Return the record for `apply_call_context`, or empty bytes if nothing has changed."""
        record: dict[str, Any] = {}
        found = select_changed_items(read_library_settings(), self.began)
        if found:
            record["settings"] = found
        if warnings.filters != self.filters:
            front = list(warnings.filters)
            rest = len(self.filters) if front[-len(self.filters) :] == self.filters else 0
            record["filters"] = front[: len(front) - rest]
            record["alone"] = not rest and bool(self.filters)
        captured = [name for name, stream in self.streams.items() if getattr(sys, name) is not stream]
        if captured:
            record["captured"] = captured
        replaced = [name for name, was in self.functions.items() if getattr(builtins, name) is not was]
        if replaced:
            record["replaced"] = {name: self.callback(make_builtin_wrapper(name)) for name in replaced}
        if warnings._showwarnmsg_impl is not self.shows:  # type: ignore[attr-defined]
            record["warned"] = True
        if self.seeds:
            now = read_random_states()
            self.sent, record["seeds"] = now, select_changed_items(now, self.sent)
        return pickle.dumps(record) if record else b""

    def repeat(self, header: dict[str, Node]) -> None:
        """Repeat the student's output, warnings and random draws here. Raises MalformedMessageError."""
        printed, warned, drawn = header.get("printed", {}), header.get("warned", []), header.get("drawn", [])
        if [type(printed), type(warned), type(drawn)] != [dict, list, list]:
            raise MalformedMessageError("the captured output is not text")
        # A draw changes the state here, too. Otherwise, seeding again with the same seed would go unnoticed.
        for name in self.sent.keys() & {one for one in drawn if type(one) is str}:
            RANDOM_GENERATORS[name][1]()
            self.sent |= {name: read_random_states()[name]}
        for name, text in printed.items():
            stream = getattr(sys, name) if name in STREAMS and type(text) is str else None
            if stream is not None and stream is not self.streams[name]:
                stream.write(text)
        for module, name, message in warned[:MAX_WARNINGS]:
            kind = getattr(sys.modules.get(module), name, UserWarning)
            if isinstance(kind, type) and issubclass(kind, Warning):
                shown = warnings.WarningMessage(kind(str(message)), kind, "<the submission>", 1)
                warnings._showwarnmsg(shown)  # type: ignore[attr-defined]


def make_builtin_wrapper(name: str) -> Any:
    """Return a function that calls the test's replacement of a built-in function, possibly a mock."""

    def function(*args: Any, **kwargs: Any) -> Any:
        found = getattr(builtins, name)(*args, **kwargs)
        return found if isinstance(found, str) else None

    return function


@contextmanager
def apply_call_context(data: bytes, said: dict[str, Node], stub: Callable[[Node], Any]) -> Iterator[None]:
    """Apply a record in the student's process during a request.

    said: receives the captured output, warnings and random draws. stub: returns a function for the node of a
    function that stays with the judge.
    """
    record = pickle.loads(data)
    for name, state in record.get("seeds", {}).items():
        RANDOM_GENERATORS[name][0](pickle.loads(state))
    began = read_random_states() if "seeds" in record else {}
    with ExitStack() as stack:
        if "settings" in record:
            stack.callback(apply_library_settings, read_library_settings())
            apply_library_settings(record["settings"])
            if record["settings"].get("inference"):
                stack.enter_context(sys.modules["torch"].inference_mode())
        captured = {name: StringIO() for name in record.get("captured", [])}
        for name, stream in captured.items():
            stack.enter_context(STREAMS[name](stream))
        for name, node in record.get("replaced", {}).items():
            stack.callback(setattr, builtins, name, getattr(builtins, name))
            setattr(builtins, name, stub(node))
        warned: Any = None
        if "filters" in record or "warned" in record:
            warned = stack.enter_context(warnings.catch_warnings(record="warned" in record))
            if record.get("alone"):
                warnings.resetwarnings()
            front = record.get("filters", [])
            warnings.filters[:] = [*front, *(one for one in warnings.filters if one not in front)]  # type: ignore
            warnings._filters_mutated()  # type: ignore[attr-defined]
        try:
            yield
        finally:
            if began:
                said["drawn"] = [*select_changed_items(read_random_states(), began)]
            if captured:
                said["printed"] = {
                    name: one.getvalue()[:MAX_PRINTED_CHARACTERS] for name, one in captured.items()
                }
            if warned:
                said["warned"] = [
                    [type(one.message).__module__, type(one.message).__name__, str(one.message)]
                    for one in warned[:MAX_WARNINGS]
                ]
