"""Matplotlib figures that a test passes and the student's code draws on, for both ends of the channel.

The student's process receives a copy of the figure. From then on, the judge's figure and axes forward
attribute access to this copy, as handles do. References that the test has kept therefore show what the
student's code has drawn.
"""

import contextlib
import sys
from typing import Any

from gradebox.judge import callbacks
from gradebox.judge.codec import Encoder, Node
from gradebox.kernel.frames import MalformedMessageError


class ReceivedFigures:
    """Figures that the student's process has received.

    figures: each figure and its axes, by the judge's number. parts: number and place of each part, by id.
    """

    def __init__(self) -> None:
        self.figures: dict[int, list[Any]] = {}
        self.parts: dict[int, list[int]] = {}

    def take(self, figure: Any, number: int, place: int) -> Any:
        """Register a figure that was just received, and return its part at `place`."""
        # Unpickling changes which axes of the figure are current.
        if figure.axes:
            figure.sca(figure.gca())
        self.figures[number] = [figure, *figure.axes]
        self.parts |= {id(part): [number, n] for n, part in enumerate(self.figures[number])}
        return self.get(number, place)

    def get(self, number: int, place: int) -> Any:
        return self.figures[number][place]


class SentFigures:
    """Figures and axes that the judge has sent.

    figures: each figure and its axes, by number. places: number and place of each part, by id.
    """

    def __init__(self, client: Any):
        self.client = client
        self.figures: dict[int, list[Any]] = {}
        self.places: dict[int, list[int]] = {}

    def is_figure(self, value: Any) -> bool:
        if id(value) in self.places or "matplotlib.figure" not in sys.modules:
            return id(value) in self.places
        from matplotlib.axes import Axes
        from matplotlib.figure import Figure

        return issubclass(type(value), (Axes, Figure))

    def encode(self, value: Any, encoder: Encoder) -> Node:
        """Return a node with the whole figure the first time, and with a reference to the part afterwards."""
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
            raise MalformedMessageError("a reference to an unknown part of a figure")
        return parts[place]

    def remote(self, kind: type) -> type:
        """Return a class of the same name that requests its attributes from the student's process."""

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
    """Close the figures that a test has sent, which are not displayed in the student's process.

    but: numbers of the figures that were open before the test.
    """
    with contextlib.suppress(Exception):
        for number in open_figures() - but:
            sys.modules["matplotlib.pyplot"].close(number)
