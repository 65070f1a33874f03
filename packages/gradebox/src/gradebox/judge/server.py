"""The student's side: while the judge runs a test, this process serves what the test asks for.

`begin` is called once, ahead of all cells, and `serve` for each test: it returns when the test has ended.
Whatever happens to this file in the student's process, the judge only takes data from it (see `protocol.py`).
"""

import contextlib
import copy
import inspect
import socket
import sys
import threading
import traceback
import typing
from collections.abc import Callable, Iterable
from enum import Enum, Flag
from typing import Any

import cloudpickle
import numpy as np

from gradebox.judge import arguments, around, figures, files, functions, kinds, modules, settings
from gradebox.judge.data import Packer, Unpacker
from gradebox.judge.kinds import MAIN
from gradebox.judge.protocol import (
    LONGEST_TEXT,
    Channel,
    Closed,
    Malformed,
    Node,
    from_words,
    in_words,
)
from gradebox.judge.signs import CALLS
from gradebox.messages.raised import raised_in, students_files

_server: "Server | None" = None
OVER = "a function that a test has passed can be called while that test runs only"


def begin(namespace: dict[str, Any], descriptor: int, libraries: Iterable[str]) -> None:
    """Take up the channel; `namespace` holds the names that tests ask for. libraries: see `Known.values`."""
    global _server
    _server = Server(socket.socket(fileno=descriptor), namespace, frozenset(libraries))


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


def known(name: str) -> Any:
    """The class that a locked cell has defined in both processes."""
    return _running().namespace[name]


# What a value of a subclass is without it; its own methods are not asked.
PLAIN: dict[type, Callable[[Any], Any]] = {
    str: str.__str__,
    int: int.__pos__,
    float: float.__pos__,
    list: lambda thing: [*list.__iter__(thing)],
    tuple: lambda thing: (*tuple.__iter__(thing),),
    dict: lambda thing: dict(dict.items(thing)),
    set: lambda thing: {*set.__iter__(thing)},
    frozenset: lambda thing: frozenset(frozenset.__iter__(thing)),
}


class Whole:
    """Something that is to be sent as an object, not as its parts."""

    def __init__(self, thing: Any):
        self.thing = thing


class Server:
    """Does what the judge asks for with the objects of this process.

    objects: what the judge has a proxy for, by number. kinds: what was said of classes. turn: who holds it
    uses the channel; threads of a submission may call a test's function at the same time. serving: the
    question that is being answered. began: what was set when that began (see `settings.py`).
    """

    def __init__(self, link: socket.socket, namespace: dict[str, Any], libraries: frozenset[str]):
        self.channel, self.namespace, self.libraries = Channel(link), namespace, libraries
        self.objects: dict[int, Any] = {}
        self.numbers: dict[int, int] = {}
        self.kinds: dict[int, tuple[type, Node]] = {}
        self.figures = figures.Figures()
        self.files = files.Written()
        self.tests = self.ended = 0
        self.serving: int | None = None
        self.began = settings.current()
        self.turn = threading.RLock()

    def serve(self) -> None:
        self.tests += 1
        open_before = open_figures()
        with contextlib.suppress(Closed):
            while self.ended < self.tests:
                with self.turn:
                    header, buffers = self.receive()
                    self.serving = header.get("id")
                if "do" in header:
                    self.answer(header, buffers)
        close_figures(open_before)

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
        unpacker = Unpacker(buffers, self.unpack_beyond, classes=self.named)
        before: arguments.Before = {}
        around_it: dict[str, Node] = {}
        try:
            nodes, calls = header["with"], header["do"] in CALLS
            what = [unpacker.unpack(one) for one in (nodes[:-2] if calls else nodes)]
            what += unpacker.call(*nodes[-2:]) if calls else []
            before = arguments.noted(unpacker)
            with settings.taken_over(header["set"]), around.as_asked(header, around_it, self.ask):
                outer, self.began = self.began, settings.current(self.began)
                try:
                    value = getattr(self, "do_" + header["do"])(*what)
                finally:
                    self.began = outer
                    for module, found in unpacker.modules:
                        modules.note_modes(module, found)
            packer, said = self.packed(value, unpacker)
        except Closed:
            raise
        except BaseException as error:
            packer, said = self.packer(unpacker), self.in_words(error)
        said |= around_it
        with self.turn:
            try:
                said["changed"] = arguments.changed_since(before, unpacker, packer)
                self.channel.send({"to": header["id"], **said}, packer.buffers)
            except Closed:
                raise
            except Exception as error:
                said = self.in_words(error) | {"changed": [], "unable": True}
                self.channel.send({"to": header["id"], **said}, [])
            if self.serving == header["id"]:
                # From now on nobody there listens to threads that are left.
                self.serving = None

    def packed(self, value: Any, asked: Unpacker) -> tuple[Packer, dict[str, Node]]:
        """A value as it is to be sent, or that it is too much."""
        packer = self.packer(asked)
        try:
            return packer, {"value": packer.pack(value)}
        except (ValueError, RecursionError) as error:
            # What was packed of it has numbers, too.
            return self.packer(asked), self.in_words(error) | {"unable": True}

    def packer(self, asked: Unpacker | None = None) -> Packer:
        return Packer(self.pack_beyond, asked, True, self.libraries)

    def in_words(self, error: BaseException) -> dict[str, Node]:
        """An error, where it came from, and which class of the notebook's it is of."""
        said: dict[str, Node] = {"error": in_words(error), "trace": trace_of(error), "where": where(error)}
        with contextlib.suppress(Exception):
            line = kinds.line_of(type(error), self.number)
            if line[0][0] not in (MAIN, "builtins"):
                said["library"] = line
            if any(one.__module__ == MAIN for one in type(error).__mro__):
                packer = Packer(self.pack_beyond)
                node = self.pack_beyond(error, packer)
                said["itself"] = {"line": node["kind"]["line"], "object": node}
        return said

    def ask(self, number: int, args: tuple, kwargs: dict[str, Any]) -> Any:
        """Call a function of the judge's; it may ask for something meanwhile."""
        with self.turn:
            if self.serving is None:
                raise RuntimeError(OVER)
            packer = self.packer()
            question = {"call": number, "with": packer.call(args, kwargs)}
            self.channel.send(question | {"set": settings.changed(self.began)}, packer.buffers)
            while self.ended < self.tests:
                header, buffers = self.receive()
                if "do" in header:
                    self.answer(header, buffers)
                    continue
                unpacker = Unpacker(buffers, self.unpack_beyond, packer, self.named)
                value = unpacker.unpack(header["value"]) if "value" in header else None
                arguments.take_over(arguments.unpacked(header["changed"], unpacker), packer.kept)
                if "error" in header:
                    raise from_words(header["error"])
                return value
            raise RuntimeError(OVER)

    def do_names(self, names: list[str], imports: list[list[str]]) -> list:
        """What names stand for, and which of them are what the import of a reference solution gives.

        imports: these, as (name, module, attribute or "").
        """
        same = [name for name, *where in imports if self.is_import(name, *where)]
        there = (name for name in names if name in self.namespace and name not in same)
        return [{name: self.sendable(self.namespace[name]) for name in there}, same]

    def is_import(self, name: str, module: str, attribute: str) -> bool:
        found = functions.found_in(module, attribute) if name in self.namespace else None
        return found is not None and self.namespace[name] is found

    def do_give(self, name: str, value: Any) -> None:
        self.namespace[name] = value

    def do_forget(self, name: str) -> None:
        self.namespace.pop(name, None)

    def sendable(self, value: Any) -> Any:
        try:
            self.packer().pack(value)
        except Exception:
            # It is too much, or will not be looked at.
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

    def do_unset(self, thing: Any, name: str) -> None:
        delattr(thing, name)

    def do_item(self, thing: Any, key: Any) -> Any:
        return thing[key]

    def do_put(self, thing: Any, key: Any, value: Any) -> None:
        thing[key] = value

    def do_remove(self, thing: Any, key: Any) -> None:
        del thing[key]

    def do_length(self, thing: Any) -> int:
        return len(thing)

    def do_truth(self, thing: Any) -> bool:
        return bool(thing)

    def do_text(self, thing: Any) -> str:
        return repr(thing)[:LONGEST_TEXT]

    def do_string(self, thing: Any) -> str:
        return str(thing)[:LONGEST_TEXT]

    def do_formatted(self, thing: Any, how: str) -> str:
        return format(thing, how)[:LONGEST_TEXT]

    def do_iterate(self, thing: Any) -> Any:
        return Whole(iter(thing))

    def do_reversed(self, thing: Any) -> Any:
        return Whole(reversed(thing))

    def do_resume(self, thing: Any, how: str, *what: Any) -> list | tuple:
        """A list with the next value; at the end a tuple with what was returned."""
        try:
            return [getattr(thing, how)(*what)]
        except StopIteration as end:
            return (end.value,)

    def do_names_of(self, thing: Any) -> list[str]:
        return dir(thing)

    def do_copy(self, thing: Any, deep: bool) -> Any:
        return copy.deepcopy(thing) if deep else copy.copy(thing)

    def do_type(self, thing: Any) -> Any:
        return Whole(type(thing))

    def do_is_instance(self, kind: Any, thing: Any) -> bool:
        return isinstance(thing, kind)

    def do_is_subclass(self, kind: Any, other: Any) -> bool:
        return issubclass(other, kind)

    def do_operate(self, thing: Any, name: str, *others: Any) -> list:
        """A list with what an operator gives, or with nothing if it doesn't know what to do."""
        found = getattr(type(thing), name)(thing, *others)
        return [] if found is NotImplemented else [found]

    def do_enter(self, thing: Any) -> Any:
        return type(thing).__enter__(thing)

    def do_leave(self, thing: Any, error: BaseException | None) -> bool:
        trace = error.__traceback__ if error else None
        return bool(type(thing).__exit__(thing, type(error) if error else None, error, trace))

    def do_signature(self, function: Any) -> list | None:
        return functions.parameters(function)

    def do_hints(self, thing: Any) -> dict[str, Any]:
        """The types of parameters or attributes, where some stand as texts."""
        return typing.get_type_hints(thing)

    def do_source(self, function: Any) -> list[str] | None:
        """The text of a function, and its name there."""
        function = inspect.unwrap(function)
        code = getattr(getattr(function, "__func__", function), "__code__", None)
        try:
            return [inspect.getsource(function), code.co_name] if code else None
        except (OSError, TypeError):
            return None

    def do_figure(self) -> Any:
        """The current figure, if there is any."""
        pyplot = sys.modules.get("matplotlib.pyplot")
        return pyplot.gcf() if pyplot and pyplot.get_fignums() else None

    def do_files(self) -> list:
        return self.files.changed()

    def do_read(self, path: str) -> bytes:
        return self.files.read(path)

    def do_write(self, path: str, data: bytes) -> None:
        self.files.write(path, data)

    def do_data(self, thing: Any) -> Any:
        """The numbers in an object, such as a Parameter's, or what it is without its own class."""
        torch = sys.modules.get("torch")
        if torch and isinstance(thing, torch.Tensor):
            return thing.detach().as_subclass(torch.Tensor)
        for kind, plain in PLAIN.items():
            if isinstance(thing, kind):
                return plain(thing)
        data = np.asarray(thing)
        # Objects that are numbers, such as fractions.
        return data.astype(float) if data.dtype == object else data

    def pack_beyond(self, value: Any, packer: Packer) -> Node:
        value = value.thing if type(value) is Whole else value
        part = self.figures.part(value)
        if part:
            return {"is": "part", "of": part}
        node = {"is": "object", "number": self.number(value), "kind": self.kind(type(value))}
        # Not by `isinstance`, which asks the object, too.
        if issubclass(type(value), type):
            node["itself"] = kinds.line_of(value, self.number)
        if issubclass(type(value), Enum):
            node["member"] = value.name
            if issubclass(type(value), Flag) and type(value.value) is int:
                node["flags"] = value.value
        return node

    def number(self, value: Any) -> int:
        """That by which the judge knows an object."""
        found = self.numbers.get(id(value))
        if found is None:
            # It is kept from now on, so that its address stays its own.
            found = self.numbers[id(value)] = len(self.objects)
            self.objects[found] = value
        return found

    def kind(self, kind: type) -> Node:
        """What there is to say of a class; the class is kept, too."""
        if id(kind) not in self.kinds:
            self.kinds[id(kind)] = kind, kinds.of_class(kind, self.number)
        return self.kinds[id(kind)][1]

    def named(self, module: str, name: str) -> type | None:
        """A class of the notebook's."""
        found = self.namespace.get(name) if module == MAIN else None
        return found if isinstance(found, type) else None

    def unpack_beyond(self, node: Node, unpacker: Unpacker) -> Any:
        if node["is"] == "object":
            return self.objects[node["number"]]
        if node["is"] == "part":
            return self.figures.get(*node["of"])
        if node["is"] == "function":
            return functions.told(node["number"], node["signature"], self.ask)
        if node["is"] == "figure":
            figure = figures.settled(cloudpickle.loads(bytes(unpacker.buffers[node["at"]])))
            return self.figures.take(figure, *node["of"])
        if node["is"] in ("pickle", "module"):
            value = figures.settled(cloudpickle.loads(bytes(unpacker.buffers[node["at"]])))
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


def open_figures() -> set[int]:
    pyplot = sys.modules.get("matplotlib.pyplot")
    return set(pyplot.get_fignums()) if pyplot else set()


def close_figures(but: set[int]) -> None:
    """Close the figures that came with a test: nobody will look at them here."""
    with contextlib.suppress(Exception):
        for number in open_figures() - but:
            sys.modules["matplotlib.pyplot"].close(number)
