"""What a test sets up around a call: in one process the call would find it, so it is sent with the request.

NumPy's error handling and print options, torch's gradient mode and default type, warning filters, the state
of random generators, whether output and warnings are captured, and replacements of `input` and `print`. All
of it is one pickled record, sent only from the judge to the student's process, and only what differs from the
beginning of the cell.
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
# Built-in functions that tests replace.
REPLACEABLE_BUILTINS = ("input", "print")
# Calls in a cell that set random generators end like this.
SEED_CALLS = ("seed(", "seed_all(", "set_state(", "setstate(", "set_rng_state(")
MAX_PRINTED_CHARACTERS, MAX_WARNINGS = 10**6, 1000


def read_library_settings() -> dict[str, Any]:
    """Return NumPy's error handling and print options, and torch's modes."""
    found: dict[str, Any] = {"errors": np.geterr(), "printing": np.get_printoptions()}
    torch: Any = sys.modules.get("torch")
    # While torch is being imported, it lacks some of them.
    if hasattr(torch, "set_default_dtype"):
        found |= {"gradients": torch.is_grad_enabled(), "type": torch.get_default_dtype()}
        found["inference"] = torch.is_inference_mode_enabled()
    return found


# How each setting is set again; `inference` can't be.
SETTERS: dict[str, Callable[[Any], Any]] = {
    "errors": lambda value: np.seterr(**value),
    "printing": lambda value: np.set_printoptions(**value),
    "gradients": lambda value: sys.modules["torch"].set_grad_enabled(value),
    "type": lambda value: sys.modules["torch"].set_default_dtype(value),
}


def apply_library_settings(found: dict[str, Any]) -> None:
    for name in found.keys() & SETTERS.keys():
        SETTERS[name](found[name])


# How the state of each library's random generator is set, and how a number is drawn.
RANDOM_GENERATORS: dict[str, tuple[Callable[[Any], Any], Callable[[], Any]]] = {
    "random": (random.setstate, random.random),
    "numpy": (np.random.set_state, np.random.random),
    "torch": (lambda state: sys.modules["torch"].set_rng_state(state), lambda: sys.modules["torch"].rand(1)),
}


def read_random_states() -> dict[str, bytes]:
    """Return the state of each library's random generator."""
    found: dict[str, Any] = {"random": random.getstate(), "numpy": np.random.get_state()}
    if "torch" in sys.modules:
        found["torch"] = sys.modules["torch"].get_rng_state()
    return {name: pickle.dumps(state) for name, state in found.items()}


def select_changed_items(now: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in now.items() if name not in before or before[name] != value}


class CallContext:
    """The judge's side. callback: returns the node of a function that stays with the judge."""

    def __init__(self, callback: Callable[[Any], Node]):
        self.callback = callback
        self.before("")

    def before(self, source: str) -> None:
        """Note what a cell begins with."""
        self.began, self.filters = read_library_settings(), list(warnings.filters)
        self.functions = {name: getattr(builtins, name) for name in REPLACEABLE_BUILTINS}
        self.streams = {name: getattr(sys, name) for name in STREAMS}
        self.shows = warnings._showwarnmsg_impl  # type: ignore[attr-defined]
        self.seeds = any(word in source for word in SEED_CALLS)
        self.sent = read_random_states() if self.seeds else {}

    def after(self) -> None:
        """Reset what the cell has set."""
        if read_library_settings() != self.began:
            apply_library_settings(self.began)
        if warnings.filters != self.filters:
            warnings.resetwarnings()
            warnings.filters.extend(self.filters)  # type: ignore[attr-defined]

    def changed(self) -> bytes:
        """Return the record for `applied`; empty if all is as it was."""
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
        """Print, warn and draw random numbers here as was done there. Raises Malformed."""
        printed, warned, drawn = header.get("printed", {}), header.get("warned", []), header.get("drawn", [])
        if [type(printed), type(warned), type(drawn)] != [dict, list, list]:
            raise MalformedMessageError("the captured output is not text")
        # From now on the states differ: a test that seeds once more is noticed.
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
    """Return a function that calls the replacement of a built-in one, perhaps a mock."""

    def function(*args: Any, **kwargs: Any) -> Any:
        found = getattr(builtins, name)(*args, **kwargs)
        return found if isinstance(found, str) else None

    return function


@contextmanager
def apply_call_context(data: bytes, said: dict[str, Node], stub: Callable[[Node], Any]) -> Iterator[None]:
    """Apply a record in the student's process during a request.

    said: receives what was captured. stub: makes a function of the node of one that stays with the judge.
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
