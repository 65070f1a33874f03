"""Process-wide settings that a test makes before a call, sent with the request to the student's process.

In a single process, the call would see these settings: NumPy's error handling and print options, torch's
gradient mode and default dtype, and the state of random generators. While a test redirects its stdout, as
`check` does when it repeats a call, the submission's output is discarded. A pickled record contains the
settings that differ from the beginning of the cell. Records are only sent from the judge (`CallContext`) to
the student's process (`apply_call_context`).
"""

import pickle
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from io import StringIO
from typing import Any

import numpy as np

from gradebox.judge.codec import Node
from gradebox.kernel.frames import MalformedMessageError

# Endings of calls that set the state of a random generator.
SEED_CALLS = ("seed(", "seed_all(", "set_state(", "setstate(", "set_rng_state(", "check_gradients(")


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
    """Settings in the judge, compared with the beginning of the cell."""

    def __init__(self) -> None:
        self.before("")

    def before(self, source: str) -> None:
        """Record the settings at the beginning of a cell."""
        self.began, self.stdout = read_library_settings(), sys.stdout
        self.seeds = any(word in source for word in SEED_CALLS)
        self.sent = read_random_states() if self.seeds else {}

    def after(self) -> None:
        """Restore the settings that the cell has changed."""
        if read_library_settings() != self.began:
            apply_library_settings(self.began)

    def changed(self) -> bytes:
        """Return the record for `apply_call_context`, or empty bytes if nothing has changed."""
        record: dict[str, Any] = {}
        found = select_changed_items(read_library_settings(), self.began)
        if found:
            record["settings"] = found
        if sys.stdout is not self.stdout:
            record["silent"] = True
        if self.seeds:
            now = read_random_states()
            self.sent, record["seeds"] = now, select_changed_items(now, self.sent)
        return pickle.dumps(record) if record else b""

    def repeat(self, drawn: Node) -> None:
        """Draw a number from each generator that the student's process has used.

        The draw changes the state here, too. Otherwise, seeding again with the same seed would go unnoticed.
        Raises MalformedMessageError.
        """
        if type(drawn) is not list:
            raise MalformedMessageError("the used random generators are not a list")
        for name in self.sent.keys() & {one for one in drawn if type(one) is str}:
            RANDOM_GENERATORS[name][1]()
            self.sent |= {name: read_random_states()[name]}


@contextmanager
def apply_call_context(data: bytes, drawn: list[str]) -> Iterator[None]:
    """Apply a record in the student's process during a request.

    drawn: receives the names of the random generators that the request has used.
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
        if "silent" in record:
            stack.enter_context(redirect_stdout(StringIO()))
        try:
            yield
        finally:
            if began:
                drawn += select_changed_items(read_random_states(), began)
