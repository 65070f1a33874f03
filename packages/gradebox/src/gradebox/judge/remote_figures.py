"""Matplotlib figures that a test passes: the student's process gets them, and what it draws is there.

The judge's own figure and axes then send requests there, as handles do: whatever the test has kept of them
shows what the student's code has drawn.
"""

import contextlib
import sys
from typing import Any

from gradebox.judge import callbacks
from gradebox.judge.codec import Encoder, Node
from gradebox.kernel.frames import MalformedMessageError


class ReceivedFigures:
    """The student's side. figures: by the judge's number, each figure and its axes."""

    def __init__(self) -> None:
        self.figures: dict[int, list[Any]] = {}
        self.parts: dict[int, list[int]] = {}

    def take(self, figure: Any, number: int, place: int) -> Any:
        """Return a part of a figure that has just been received."""
        # Matplotlib makes other axes of an unpickled figure current than before.
        if figure.axes:
            figure.sca(figure.gca())
        self.figures[number] = [figure, *figure.axes]
        self.parts |= {id(part): [number, n] for n, part in enumerate(self.figures[number])}
        return self.get(number, place)

    def get(self, number: int, place: int) -> Any:
        return self.figures[number][place]


class SentFigures:
    """The judge's side: figures and axes that were sent, by number and place."""

    def __init__(self, client: Any):
        self.client = client
        self.figures: dict[int, list[Any]] = {}
        self.places: dict[int, list[int]] = {}

    def is_figure(self, value: Any) -> bool:
        if id(value) in self.places or "matplotlib.figure" not in sys.modules:
            return id(value) in self.places
        from matplotlib.axes import Axes
        from matplotlib.figure import Figure

        return issubclass(type(value), Axes | Figure)

    def encode(self, value: Any, encoder: Encoder) -> Node:
        """Send a whole figure the first time, and from then on which part of it is meant."""
        if id(value) in self.places:
            return {"is": "part", "of": self.places[id(value)]}
        figure = value if hasattr(value, "gca") else value.figure
        at, number = encoder.buffer(self.client.pickle_value(figure)), callbacks.generate_random_id()
        self.figures[number] = [figure, *figure.axes]
        self.places |= {id(part): [number, n] for n, part in enumerate(self.figures[number])}
        for part in self.figures[number]:
            part.__class__ = self.remote(type(part))
        return {"is": "figure", "at": at, "of": self.places[id(value)]}

    def get(self, number: Any, place: Any) -> Any:
        parts = self.figures.get(number, [])
        if type(place) is not int or not 0 <= place < len(parts):
            raise MalformedMessageError("a part of a figure that was not passed")
        return parts[place]

    def remote(self, kind: type) -> type:
        """Return a class of the same name whose attributes are requested from the student's process."""

        def get(this: Any, name: str) -> Any:
            own = name.startswith("__")
            return object.__getattribute__(this, name) if own else self.client.send_request("get", this, name)

        body = {"__getattribute__": get, "__module__": kind.__module__}
        body["__setattr__"] = lambda this, name, value: self.client.send_request("set", this, name, value)
        body["__repr__"] = lambda this: str(self.client.send_request("text", this))
        return type(kind.__name__, (kind,), body)


def open_figures() -> set[int]:
    pyplot = sys.modules.get("matplotlib.pyplot")
    return set(pyplot.get_fignums()) if pyplot else set()


def close_figures(but: set[int]) -> None:
    """Close the figures that a test has sent: nobody looks at them in the student's process."""
    with contextlib.suppress(Exception):
        for number in open_figures() - but:
            sys.modules["matplotlib.pyplot"].close(number)
