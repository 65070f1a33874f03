"""Figures that a test passes: from then on they are the student's process's, and what was drawn is there.

The judge's own axes and figure become something that asks there, as proxies do: whatever the test has kept of
them, in lists or in other names, then shows what the student's code has drawn.
"""

import io
import secrets
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from gradebox.judge.asker import Asker
from gradebox.judge.data import Packer
from gradebox.judge.protocol import Malformed, Node

# What a test finds a figure by that its own process need not have.
LOOKS = ("gcf(", "gca(", "get_fignums(", "sca(")


class Figures:
    """The student's side. Figures that came, by the number that the judge gave them: the figure, its axes."""

    def __init__(self) -> None:
        self.came: dict[int, list[Any]] = {}
        self.parts: dict[int, list[int]] = {}

    def take(self, thing: Any, number: int, place: int) -> Any:
        """A part of a figure that has just come."""
        figure = root(thing)
        self.came[number] = [figure, *figure.axes]
        self.parts |= {id(part): [number, n] for n, part in enumerate(self.came[number])}
        return self.came[number][place]

    def get(self, number: int, place: int) -> Any:
        return self.came[number][place]

    def part(self, value: Any) -> list[int] | None:
        """By which the judge knows a figure or axes, if they came from there."""
        return self.parts.get(id(value))


class Away:
    """The judge's side: figures and axes that have gone, by number and place."""

    def __init__(self, link: Asker):
        self.link = link
        self.gone: dict[int, list[Any]] = {}
        self.places: dict[int, list[int]] = {}
        self.classes: dict[type, type] = {}
        self.original: dict[str, Callable] = {}

    def is_figure(self, value: Any) -> bool:
        """Whether this is a figure or axes of this process's, or was."""
        if id(value) in self.places:
            return True
        if "matplotlib.figure" not in sys.modules:
            return False
        from matplotlib.axes import Axes
        from matplotlib.figure import Figure

        return issubclass(type(value), Axes | Figure)

    def pack(self, value: Any, packer: Packer, dump: Callable[[Any, io.BytesIO], None]) -> Node:
        """A figure or axes: all of the figure the first time, and which part of it from then on."""
        if id(value) not in self.places:
            figure, file = root(value), io.BytesIO()
            dump(figure, file)
            number = secrets.randbits(62)
            self.gone[number] = [figure, *figure.axes]
            self.places |= {id(part): [number, n] for n, part in enumerate(self.gone[number])}
            for part in self.gone[number]:
                part.__class__ = self.away(type(part))
            return {"is": "figure", "at": packer.buffer(file.getvalue()), "of": self.places[id(value)]}
        return {"is": "part", "of": self.places[id(value)]}

    def get(self, number: Any, place: Any) -> Any:
        if number not in self.gone or type(place) is not int or not 0 <= place < len(self.gone[number]):
            raise Malformed("a part of a figure that was not passed")
        return self.gone[number][place]

    def away(self, kind: type) -> type:
        """A class of the same name whose values ask the student's process for everything."""
        link = self.link
        if kind not in self.classes:

            def get(self: Any, name: str) -> Any:
                if name.startswith("__"):
                    return object.__getattribute__(self, name)
                return link.ask("get", self, name)

            def put(self: Any, name: str, value: Any) -> None:
                link.ask("set", self, name, value)

            body = {"__getattribute__": get, "__setattr__": put, "__module__": kind.__module__}
            body["__repr__"] = lambda self: str(link.ask("text", self))
            self.classes[kind] = type(kind.__name__, (kind,), body)
        return self.classes[kind]

    # -- what a test finds by pyplot ------------------------------------------------------------------

    def before(self, source: str) -> None:
        """Let a test that looks for the current figure find that of the student's process, if it has one."""
        pyplot: Any = sys.modules.get("matplotlib.pyplot")
        if pyplot is None or not any(word in source for word in LOOKS):
            return
        self.original = {name: getattr(pyplot, name) for name in ("gcf", "gca", "get_fignums")}
        gcf, gca, numbers = self.original.values()

        def there() -> Any:
            return self.link.ask("figure")

        pyplot.gcf = lambda: gcf() if (found := there()) is None else found
        pyplot.gca = lambda: gca() if (found := there()) is None else found.gca()
        pyplot.get_fignums = lambda: numbers() or ([] if there() is None else [1])

    def after(self) -> None:
        for name, function in self.original.items():
            setattr(sys.modules["matplotlib.pyplot"], name, function)
        self.original = {}


def root(thing: Any) -> Any:
    """The figure that something is part of."""
    figure: Any = thing if hasattr(thing, "gca") else getattr(thing, "figure", None)
    # A part of a figure may be drawn like one.
    with suppress(AttributeError):
        figure = figure.get_figure(root=True)
    return figure


def settled(value: Any) -> Any:
    """A figure, or what is part of one, as it was before its journey.

    Of a figure that was pickled, matplotlib makes other axes current only at the second attempt.
    """
    if "matplotlib.figure" in sys.modules:
        figure = value if hasattr(value, "gca") else getattr(value, "figure", None)
        if isinstance(figure, sys.modules["matplotlib.figure"].Figure) and figure.axes:
            figure.sca(figure.gca())
    return value
