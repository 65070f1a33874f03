"""What a test does around a call and means for it, too, besides settings (see `settings.py`).

It may listen to what is printed (`redirect_stdout`), answer in the place of a person (another `input`), or
set where random numbers begin. In one process the call would find all that; so it is told with each question.
"""

import builtins
import random
import sys
import warnings
from collections.abc import Iterator
from contextlib import (
    AbstractContextManager,
    ExitStack,
    contextmanager,
    nullcontext,
    redirect_stderr,
    redirect_stdout,
)
from io import StringIO
from typing import Any

from gradebox.judge.asker import Asker
from gradebox.judge.functions import told
from gradebox.judge.protocol import Malformed, Node, from_words, in_words

STREAMS = {"stdout": redirect_stdout, "stderr": redirect_stderr}
# Functions of Python's own that tests put others in the place of.
REPLACED = ("input", "print")
# How calls end that set where random numbers begin.
SEEDS = ("seed(", "seed_all(", "set_state(", "setstate(", "set_rng_state(")
# What a question says of all this.
TOLD = {"heard", "replaced", "warned", "seeds"}
# More than anybody prints in a call that a test listens to.
MOST_PRINTED, MOST_WARNINGS = 10**6, 1000


class Around:
    """The judge's side.

    functions, streams, shows: Python's own functions, standard output and error, and what shows warnings, as
    a cell has found them. seeds: whether it sets where random numbers begin; said: the state of these, as it
    was told last.
    """

    def __init__(self, link: Asker):
        self.link = link
        self.before("")

    def before(self, source: str) -> None:
        """Ahead of a cell: see what it finds."""
        self.functions = {name: getattr(builtins, name) for name in REPLACED}
        self.streams = {name: getattr(sys, name) for name in STREAMS}
        self.shows = warnings._showwarnmsg_impl  # type: ignore[attr-defined]
        self.seeds = any(word in source for word in SEEDS)
        self.said = states() if self.seeds else {}

    def question(self) -> dict[str, Node]:
        """What to say with a question; mostly nothing."""
        said: dict[str, Node] = {}
        heard = [name for name, stream in self.streams.items() if getattr(sys, name) is not stream]
        if heard:
            said["heard"] = heard
        replaced = [name for name, was in self.functions.items() if getattr(builtins, name) is not was]
        if replaced:
            said["replaced"] = {name: self.link.function(passing(name)) for name in replaced}
        if warnings._showwarnmsg_impl is not self.shows:  # type: ignore[attr-defined]
            said["warned"] = True
        if self.seeds:
            now = states()
            changed = {name: state for name, state in now.items() if self.said.get(name) != state}
            self.said = now
            if changed:
                said["seeds"] = changed
        return said

    def said_in(self, header: dict[str, Node]) -> tuple[dict[str, str], list[Warning]]:
        """What was printed there, and warned of. Raises Malformed."""
        printed = header.get("printed", {})
        if type(printed) is not dict or not all(type(text) is str for text in printed.values()):
            raise Malformed("what was printed is no text")
        warned = header.get("warned", [])
        if type(warned) is not list:
            raise Malformed("what was warned of is no list")
        errors = map(from_words, warned[:MOST_WARNINGS])
        return printed, [one for one in errors if isinstance(one, Warning)]

    def repeat(self, printed: dict[str, str], warned: list[Warning]) -> None:
        """Print and warn here, where the test listens."""
        for name, text in printed.items():
            stream = getattr(sys, name) if name in self.streams else None
            if stream is not None and stream is not self.streams[name]:
                stream.write(text)
        for one in warned:
            # Whether it is to be shown was decided there, by the filters of here.
            shown = warnings.WarningMessage(one, type(one), "<the submission>", 1)
            warnings._showwarnmsg(shown)  # type: ignore[attr-defined]


def passing(name: str) -> Any:
    """A function that calls what stands there at that moment, perhaps a mock, which gives back another."""

    def function(*args: Any, **kwargs: Any) -> Any:
        found = getattr(builtins, name)(*args, **kwargs)
        return found if isinstance(found, str) else None

    return function


def states() -> dict[str, Node]:
    """Where the random numbers of each library are, as data."""
    version, numbers, gauss = random.getstate()
    found: dict[str, Node] = {"random": [version, list(numbers), gauss]}
    if "numpy" in sys.modules:
        name, keys, *rest = sys.modules["numpy"].random.get_state()
        found["numpy"] = [name, keys.tolist(), *rest]
    if "torch" in sys.modules:
        found["torch"] = sys.modules["torch"].get_rng_state().tolist()
    return found


# -- the student's side -------------------------------------------------------------------------------


def as_asked(header: dict[str, Node], said: dict[str, Node], ask: Any) -> AbstractContextManager:
    """What a test has around a question, for the duration of that; mostly nothing. See `told_around`."""
    return nullcontext() if TOLD.isdisjoint(header) else told_around(header, said, ask)


@contextmanager
def told_around(header: dict[str, Node], said: dict[str, Node], ask: Any) -> Iterator[None]:
    """said: takes what the answer is to say of it.

    ask: what a function of the judge's is called by, with its number.
    """
    begin(header.get("seeds", {}))
    with ExitStack() as stack:
        heard = {name: StringIO() for name in header.get("heard", [])}
        for name, stream in heard.items():
            stack.enter_context(STREAMS[name](stream))
        for name, node in header.get("replaced", {}).items():
            stack.callback(setattr, builtins, name, getattr(builtins, name))
            setattr(builtins, name, told(node["number"], node["signature"], ask))
        caught = stack.enter_context(warnings.catch_warnings(record=True)) if "warned" in header else []
        try:
            yield
        finally:
            if heard:
                said["printed"] = {name: one.getvalue()[:MOST_PRINTED] for name, one in heard.items()}
            if caught:
                said["warned"] = [
                    in_words(one.message)
                    for one in caught[:MOST_WARNINGS]
                    if isinstance(one.message, Warning)
                ]


def begin(seeds: dict[str, Node]) -> None:
    """Let random numbers go on from there."""
    if "random" in seeds:
        version, numbers, gauss = seeds["random"]
        random.setstate((version, tuple(numbers), gauss))
    if "numpy" in seeds:
        import numpy as np

        name, keys, *rest = seeds["numpy"]
        np.random.set_state((name, np.array(keys, dtype=np.uint32), *rest))
    if "torch" in seeds:
        import torch

        torch.set_rng_state(torch.tensor(seeds["torch"], dtype=torch.uint8))
