"""The student's end of the channel: while the judge runs a test, this process serves its requests.

`begin` is called once, before all cells, and `serve` for each test: it returns when the test has ended.
Whatever the student's code does to this module, the judge only reads data (see `codec.py`).
"""

import contextlib
import copy
import operator
import pickle
import socket
import sys
import threading
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from gradebox.check_engine.traceback_location import raised_in, students_files
from gradebox.judge import call_context, callbacks, handles, remote_figures, torch_modules, writeback
from gradebox.judge.codec import MAIN, TOO_MUCH, Decoder, Encoder, Node
from gradebox.judge.remote_exceptions import LONGEST_TEXT, Errors, classes, to_node
from gradebox.kernel.frames import MOST_BUFFERS, Closed, Frames

_server: "Server | None" = None
# Of these, an object of a subclass is sent as plain data where its data is asked for.
DATA = (str, int, float, list, tuple, dict, set, frozenset)
OVER = "a function that a test has passed can be called during that test only"


class Object:
    """Marks a result that is sent as a handle, not as its parts."""

    def __init__(self, thing: Any):
        self.thing = thing


def begin(namespace: dict[str, Any], descriptor: int) -> None:
    """Open the channel; `namespace` holds the names that tests ask for."""
    global _server
    _server = Server(socket.socket(fileno=descriptor), namespace)


def running() -> "Server":
    if _server is None:
        raise RuntimeError("the channel to the judge has not been opened")
    return _server


def serve() -> None:
    """Serve the judge until the test has ended."""
    running().serve()


def own(number: int) -> Any:
    """Return the object that the judge knows by this number."""
    return running().objects[number]


def known(name: str) -> Any:
    """Return the class that a locked cell has defined in both processes."""
    return running().namespace[name]


class Server:
    """Serves requests with the objects of this process.

    objects: those that the judge has a handle for, by number. turn: held by the thread that uses the channel;
    several threads of a submission may call a test's function. serving: the request that is being served.
    handles: whether the test can use handles of objects that hold data (see `Encoder`).
    """

    def __init__(self, link: socket.socket, namespace: dict[str, Any]):
        self.channel, self.namespace = Frames(link, None, MOST_BUFFERS), namespace
        self.objects: dict[int, Any] = {}
        self.numbers: dict[int, int] = {}
        self.classes: dict[int, tuple[type, dict[str, Node]]] = {}
        self.figures = remote_figures.Borrowed()
        self.tests = self.ended = 0
        self.handles = False
        self.serving: int | None = None
        self.turn = threading.RLock()
        self.requests = REQUESTS | {
            "names": self.names,
            "give": namespace.__setitem__,
            "forget": lambda name: namespace.pop(name, None),
            "get_of": lambda number, name: getattr(self.objects[number], name),
        }

    def serve(self) -> None:
        self.tests += 1
        before = remote_figures.open_figures()
        with contextlib.suppress(Closed):
            while self.ended < self.tests:
                with self.turn:
                    header, buffers = self.receive()
                    self.serving = header.get("id")
                if "do" in header:
                    self.answer(header, buffers)
        remote_figures.close_figures(but=before)

    def receive(self) -> tuple[dict[str, Node], list[bytearray]]:
        if self.ended >= self.tests:
            # Another thread has received the end.
            return {}, []
        header, buffers = self.channel.receive()
        self.ended = header.get("done", self.ended)
        return header, buffers

    def answer(self, header: dict[str, Node], buffers: list[bytearray]) -> None:
        """Do what a request asks for, and reply."""
        modules: list[tuple[Any, Any]] = []
        decoder = Decoder(buffers, partial(self.decode_beyond, modules), classes=self.class_named)
        self.handles = header.get("handles", False)
        handles = self.handles and header["do"] != "data"
        before: list[Any] = []
        captured: dict[str, Node] = {}
        context: Any = contextlib.nullcontext()
        if "context" in header:
            context = call_context.applied(bytes(buffers[header["context"]]), captured, self.stub)
        try:
            changed = [(number, decoder.decode(node)) for number, node in header.get("track", ())]
            what = [decoder.decode(one) for one in header["with"]]
            before = writeback.snapshot(decoder)
            for number, now in changed:
                self.put(self.objects[number], now)
            with context:
                try:
                    value = self.requests[header["do"]](*what)
                finally:
                    for module, modes in modules:
                        torch_modules.note_modes(module, modes)
            encoder = Encoder(self.encode_beyond, decoder, handles)
            said = {"value": encoder.encode(value)}
        except Closed:
            raise
        except BaseException as error:
            encoder, said = Encoder(self.encode_beyond, decoder, handles), self.error(error)
        if "track" in header:
            said["numbers"] = [self.number(thing) for thing in encoder.kept]
        with self.turn:
            try:
                said["changed"] = writeback.changes(before, decoder, encoder)
                self.channel.send_with({"to": header["id"], **said, **captured}, encoder.buffers)
            except Closed:
                raise
            except Exception as error:
                said = self.error(error) | {"changed": [], "unable": True}
                self.channel.send({"to": header["id"], **said})
            if self.serving == header["id"]:
                # Threads that still run can't reach the judge any more.
                self.serving = None

    def put(self, thing: Any, now: Any) -> None:
        """Give an object the contents that a test has given its copy."""
        torch = sys.modules.get("torch")
        if torch and isinstance(thing, torch.Tensor):
            thing.data.copy_(now)
        else:
            writeback.put(thing, now)

    def error(self, error: BaseException) -> dict[str, Node]:
        """Return an error as data, and where it was raised."""
        try:
            frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename != __file__]
            trace = "".join(traceback.format_list(frames[-20:]))[:LONGEST_TEXT]
            where = raised_in(error, students_files(self.namespace))[:LONGEST_TEXT]
        except BaseException:
            trace = where = ""
        unable = isinstance(error, ValueError) and str(error) == TOO_MUCH
        return {"error": to_node(error, self.number), "trace": trace, "where": where, "unable": unable}

    def ask(self, number: int, args: tuple, kwargs: dict[str, Any]) -> Any:
        """Call a function of the judge's, which may send requests meanwhile."""
        with self.turn:
            if self.serving is None:
                raise RuntimeError(OVER)
            encoder = Encoder(self.encode_beyond, handles=self.handles)
            nodes = (
                [encoder.encode(one) for one in args],
                {n: encoder.encode(one) for n, one in kwargs.items()},
            )
            self.channel.send_with({"call": number, "with": nodes}, encoder.buffers)
            while self.ended < self.tests:
                header, buffers = self.receive()
                if "do" in header:
                    self.answer(header, buffers)
                elif "changed" in header:
                    decoder = Decoder(buffers, partial(self.decode_beyond, []), encoder, self.class_named)
                    value = decoder.decode(header["value"]) if "value" in header else None
                    writeback.write_back(header["changed"], decoder)
                    if "error" in header:
                        raise Errors(find_here, getattr).from_node(header["error"]) or RuntimeError(OVER)
                    return value
            raise RuntimeError(OVER)

    def stub(self, node: Node) -> Callable:
        return callbacks.stub(node["number"], node["signature"], self.ask)

    def number(self, value: Any) -> int:
        """Return the number of an object, which is kept from now on, so that its id stays its own."""
        found = self.numbers.get(id(value))
        if found is None:
            found = self.numbers[id(value)] = len(self.objects)
            self.objects[found] = value
        return found

    def class_named(self, name: str) -> type | None:
        found = self.namespace.get(name)
        return found if isinstance(found, type) else None

    def encode_beyond(self, value: Any, encoder: Encoder) -> Node:
        value = value.thing if type(value) is Object else value
        part = self.figures.parts.get(id(value))
        if part:
            return {"is": "part", "of": part}
        kind = type(value)
        if id(kind) not in self.classes:
            self.classes[id(kind)] = kind, handles.class_to_node(kind)
        node = {"is": "object", "number": self.number(value), **self.classes[id(kind)][1]}
        if issubclass(kind, type) and issubclass(value, Exception) and value.__module__ == MAIN:
            node["error"] = classes(value, self.number)
        return node

    def decode_beyond(self, modules: list, node: Node, decoder: Decoder) -> Any:
        if node["is"] == "object":
            return self.objects[node["number"]]
        if node["is"] == "part":
            return self.figures.get(*node["of"])
        if node["is"] == "function":
            return self.stub(node)
        value = pickle.loads(bytes(decoder.buffers[node["at"]]))
        if node["is"] == "figure":
            return self.figures.take(value, *node["of"])
        if node["is"] == "module":
            # Its numbers are those in the buffers, which are compared after the call.
            for tensor, number in zip(torch_modules.tensors(value), node["numbers"], strict=True):
                tensor.data = decoder.decode(number)
            modules.append((value, decoder.decode(node["modes"])))
        return value

    # -- requests -------------------------------------------------------------------------------------

    def names(self, names: list[str]) -> list:
        return [{name: self.sendable(self.namespace[name]) for name in names if name in self.namespace}]

    def sendable(self, value: Any) -> Any:
        try:
            Encoder(self.encode_beyond).encode(value)
        except Exception:
            return Object(value)
        return value


def resume(thing: Any, how: str, *what: Any) -> list | tuple:
    """Return a list with the next value; at the end a tuple with the generator's result."""
    try:
        return [getattr(thing, how)(*what)]
    except StopIteration as end:
        return (end.value,)


def operate(thing: Any, name: str, *others: Any) -> list:
    """Return a list with the result of an operator; empty if the object does not support the operand."""
    found = getattr(type(thing), name)(thing, *others)
    return [] if found is NotImplemented else [found]


def leave(thing: Any, error: BaseException | None) -> bool:
    return bool(type(thing).__exit__(thing, type(error) if error else None, error, None))


def data(thing: Any) -> Any:
    """Return the data in an object, such as the numbers of a Parameter."""
    torch = sys.modules.get("torch")
    if torch and isinstance(thing, torch.Tensor):
        return thing.detach().as_subclass(torch.Tensor)
    if isinstance(thing, DATA):
        return thing
    array = np.asarray(thing)
    # Objects that are numbers, such as fractions.
    return array.astype(float) if array.dtype == object else array


# What each request does; for those about names see `Server`.
REQUESTS: dict[str, Callable[..., Any]] = {
    "call": lambda function, args, kwargs: function(*args, **kwargs),
    "get": getattr,
    "set": setattr,
    "item": operator.getitem,
    "put": operator.setitem,
    "remove": operator.delitem,
    "length": len,
    "truth": bool,
    "names_of": dir,
    "text": lambda thing: repr(thing)[:LONGEST_TEXT],
    "string": lambda thing: str(thing)[:LONGEST_TEXT],
    "number": lambda thing, kind: {"int": int, "float": float}[kind](thing),
    "is_instance": lambda kind, thing: isinstance(thing, kind),
    "is_subclass": lambda kind, other: issubclass(other, kind),
    "iterate": lambda thing: Object(iter(thing)),
    "copy": lambda thing, deep: copy.deepcopy(thing) if deep else copy.copy(thing),
    "enter": lambda thing: type(thing).__enter__(thing),
    "leave": leave,
    "resume": resume,
    "operate": operate,
    "data": data,
}


def find_here(module: str, name: str) -> Any:
    return getattr(sys.modules.get(module), name, None)
