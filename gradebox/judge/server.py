"""The student's side: while the judge runs a test, this process serves what the test asks for.

`begin` is called once, ahead of all cells, and `serve` for each test: it returns when the test has ended.
Whatever happens to this file in the student's process, the judge only takes data from it (see `protocol.py`).
"""

import contextlib
import inspect
import socket
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

import cloudpickle
import numpy as np

from gradebox.judge import modules, settings
from gradebox.judge.protocol import (
    LONGEST_TEXT,
    Channel,
    Closed,
    Malformed,
    Node,
    Packer,
    Unpacker,
    changed_since,
    from_words,
    in_words,
    take_over,
)
from gradebox.messages.raised import raised_in, students_files

_server: "Server | None" = None
SIGNATURE = "__signature__"
OVER = "a function that a test has passed can be called while that test runs only"


def begin(namespace: dict[str, Any], descriptor: int) -> None:
    """Take up the channel; `namespace` holds the names that tests ask for."""
    global _server
    _server = Server(socket.socket(fileno=descriptor), namespace)


def _running() -> "Server":
    if _server is None:
        raise RuntimeError("the channel to the judge has not been taken up")
    return _server


def serve() -> None:
    """Answer the judge until the test has ended."""
    _running().serve()


def own(number: int) -> Any:
    """The object that the judge knows by this number."""
    return _running().objects[number]


def passed(number: int, parameters: list[list] | None) -> Callable:
    """A function that a test has passed: to call it is to ask the judge, as long as that test runs.

    It is a function like any other, and all of them are called alike. parameters: those that it takes, see
    `functions.signature`.
    """

    def function(*args: Any, **kwargs: Any) -> Any:
        return _running().ask(number, args, kwargs)

    function.__module__, function.__qualname__ = "__main__", function.__name__
    if parameters is not None:
        defaults = {"": inspect.Parameter.empty, "None": None}
        found = [
            inspect.Parameter(name, kind, default=defaults.get(default, ...))
            for name, kind, default in parameters
        ]
        setattr(function, SIGNATURE, inspect.Signature(found))
    return function


class Whole:
    """Something that is to be sent as an object, not as its parts."""

    def __init__(self, thing: Any):
        self.thing = thing


class Server:
    """Does what the judge asks for with the objects of this process.

    objects: what the judge has a proxy for, by number. turn: who holds it uses the channel; threads of a
    submission may call a test's function at the same time. serving: the question that is being answered.
    began: what was set when that began (see `settings.py`).
    """

    def __init__(self, link: socket.socket, namespace: dict[str, Any]):
        self.channel, self.namespace = Channel(link), namespace
        self.objects: dict[int, Any] = {}
        self.numbers: dict[int, int] = {}
        self.tests = self.ended = 0
        self.serving: int | None = None
        self.began = settings.current()
        self.turn = threading.RLock()

    def serve(self) -> None:
        self.tests += 1
        figures = open_figures()
        with contextlib.suppress(Closed):
            while self.ended < self.tests:
                with self.turn:
                    header, buffers = self.receive()
                    self.serving = header.get("id")
                if "do" in header:
                    self.answer(header, buffers)
        close_figures(figures)

    def receive(self) -> tuple[dict[str, Node], list[bytearray]]:
        """What the judge says next: to do something, what came of a call, or that a test has ended."""
        if self.ended >= self.tests:
            # A thread has heard it.
            return {}, []
        header, buffers = self.channel.receive()
        self.ended = header.get("done", self.ended)
        return header, buffers

    def answer(self, header: dict[str, Node], buffers: list[bytearray]) -> None:
        """Do one thing, and say what came of it."""
        unpacker, packer = Unpacker(buffers, self.unpack_beyond), Packer(self.pack_beyond)
        before: dict[int, bytes] = {}
        try:
            what = unpacker.unpack(header["with"])
            before = {at: bytes(buffers[at]) for at in unpacker.arrays}
            with settings.taken_over(header["set"]):
                outer, self.began = self.began, settings.current(self.began)
                try:
                    value = getattr(self, "do_" + header["do"])(*what)
                finally:
                    self.began = outer
                    for module, found in unpacker.modules:
                        modules.note_modes(module, found)
            said = {"value": packer.pack(value)}
            self.say(header, said, packer, before, buffers)
        except Closed:
            raise
        except BaseException as error:
            said = {"error": in_words(error), "trace": trace_of(error), "where": where(error)}
            self.say(header, said, Packer(self.pack_beyond), before, buffers)

    def say(
        self,
        header: dict[str, Node],
        said: dict[str, Node],
        packer: Packer,
        before: dict[int, bytes],
        now: list,
    ) -> None:
        """Send an answer, and the arguments that are not as they were before."""
        changed = changed_since(before, now, packer)
        with self.turn:
            self.channel.send({"to": header["id"], "changed": changed, **said}, packer.buffers)
            if self.serving == header["id"]:
                # From now on nobody there listens to threads that are left.
                self.serving = None

    def ask(self, number: int, args: tuple, kwargs: dict[str, Any]) -> Any:
        """Call a function of the judge's; it may ask for something meanwhile."""
        with self.turn:
            if self.serving is None:
                raise RuntimeError(OVER)
            packer = Packer(self.pack_beyond)
            question = {"call": number, "with": packer.pack([args, kwargs])}
            self.channel.send(question | {"set": settings.changed(self.began)}, packer.buffers)
            while self.ended < self.tests:
                header, buffers = self.receive()
                if "do" in header:
                    self.answer(header, buffers)
                    continue
                take_over(header["changed"], buffers, packer.arrays)
                if "error" in header:
                    raise from_words(header["error"])
                return Unpacker(buffers, self.unpack_beyond).unpack(header["value"])
            raise RuntimeError(OVER)

    def do_names(self, names: list[str]) -> dict[str, Any]:
        return {name: self.sendable(self.namespace[name]) for name in names if name in self.namespace}

    def do_give(self, name: str, value: Any) -> None:
        self.namespace[name] = value

    def do_forget(self, name: str) -> None:
        self.namespace.pop(name, None)

    def sendable(self, value: Any) -> Any:
        try:
            Packer(self.pack_beyond).pack(value)
        except ValueError:
            return Whole(value)
        return value

    def do_call(self, function: Callable, args: list, kwargs: dict[str, Any]) -> Any:
        return function(*args, **kwargs)

    def do_get(self, thing: Any, name: str) -> Any:
        return getattr(thing, name)

    def do_method(self, thing: Any, name: str, args: list, kwargs: dict[str, Any]) -> Any:
        return getattr(thing, name)(*args, **kwargs)

    def do_set(self, thing: Any, name: str, value: Any) -> None:
        setattr(thing, name, value)

    def do_item(self, thing: Any, key: Any) -> Any:
        return thing[key]

    def do_put(self, thing: Any, key: Any, value: Any) -> None:
        thing[key] = value

    def do_length(self, thing: Any) -> int:
        return len(thing)

    def do_truth(self, thing: Any) -> bool:
        return bool(thing)

    def do_text(self, thing: Any) -> str:
        return repr(thing)[:LONGEST_TEXT]

    def do_iterate(self, thing: Any) -> Any:
        return iter(thing)

    def do_next(self, thing: Any) -> list:
        """A list with the next value, or with nothing at the end."""
        for value in thing:
            return [value]
        return []

    def do_data(self, thing: Any) -> Any:
        """The numbers in an object, such as a Parameter's."""
        torch = sys.modules.get("torch")
        if torch and isinstance(thing, torch.Tensor):
            return thing.detach().as_subclass(torch.Tensor)
        data = np.asarray(thing)
        # Objects that are numbers, such as fractions.
        return data.astype(float) if data.dtype == object else data

    def pack_beyond(self, value: Any, packer: Packer) -> Node:
        value = value.thing if type(value) is Whole else value
        number = self.numbers.get(id(value))
        if number is None:
            # It is kept from now on, so that its address stays its own.
            number = self.numbers[id(value)] = len(self.objects)
            self.objects[number] = value
        return {"is": "object", "number": number, "type": type(value).__name__[:100]}

    def unpack_beyond(self, node: Node, unpacker: Unpacker) -> Any:
        if node["is"] == "object":
            return self.objects[node["number"]]
        if node["is"] == "function":
            return passed(node["number"], node["signature"])
        if node["is"] in ("pickle", "module"):
            value = settled(cloudpickle.loads(bytes(unpacker.buffers[node["at"]])))
            if node["is"] == "module":
                # Its numbers are those in the buffers, which are compared afterwards.
                for tensor, number in zip(modules.tensors(value), node["numbers"], strict=True):
                    tensor.data = unpacker.unpack(number)
                unpacker.modules.append((value, unpacker.unpack(node["modes"])))
            return value
        raise Malformed("a part of it is of no known kind")


def trace_of(error: BaseException) -> str:
    """Where an error came from, without the frames of this file."""
    try:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
        return "".join(traceback.format_list(frames[-20:]))[:LONGEST_TEXT]
    except BaseException:
        return ""


def where(error: BaseException) -> str:
    """The line of the student's that an error came through, and the sizes there."""
    try:
        return raised_in(error, students_files(_running().namespace))[:LONGEST_TEXT]
    except BaseException:
        return ""


def settled(value: Any) -> Any:
    """A figure, or what is part of one, as it was before its journey.

    Of a figure that was pickled, matplotlib makes other axes current only at the second attempt.
    """
    if "matplotlib.figure" in sys.modules:
        figure = value if hasattr(value, "gca") else getattr(value, "figure", None)
        if isinstance(figure, sys.modules["matplotlib.figure"].Figure) and figure.axes:
            figure.sca(figure.gca())
    return value


def open_figures() -> set[int]:
    pyplot = sys.modules.get("matplotlib.pyplot")
    return set(pyplot.get_fignums()) if pyplot else set()


def close_figures(but: set[int]) -> None:
    """Close the figures that came with a test: nobody will look at them here."""
    with contextlib.suppress(Exception):
        for number in open_figures() - but:
            sys.modules["matplotlib.pyplot"].close(number)
