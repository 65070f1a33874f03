"""The student's end of the channel: serve the judge's requests while the judge runs a test.

The student's kernel calls `start_server` once, before all cells, and `serve` for each test. The student's
code may change this module in any way: the judge only decodes data (see `codec.py`).
"""

from __future__ import annotations

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

from gradebox.check_engine.check_gradients import compute_gradients
from gradebox.check_engine.traceback_location import raised_in, students_files
from gradebox.judge import callbacks, handles, library_settings, received_figures, torch_modules, writeback
from gradebox.judge.codec import MAIN, VALUE_TOO_LARGE_MESSAGE, Decoder, Encoder, Node
from gradebox.judge.remote_exceptions import (
    MAX_ERROR_TEXT_LENGTH,
    ErrorDecoder,
    encode_error,
    encode_error_classes,
)
from gradebox.kernel.frames import MAX_BUFFER_COUNT, ConnectionClosedError, FrameSocket

_server: SubmissionServer | None = None
# Types whose subclasses are sent as plain data in reply to a `data` request.
PLAIN_DATA_TYPES = (str, int, float, list, tuple, dict, set, frozenset)
CALLBACK_AFTER_TEST_MESSAGE = "a function passed by a test can be called only during that test"


class ForcedHandle:
    """Marker for a result that is sent as a handle, not as plain data."""

    def __init__(self, thing: Any):
        self.thing = thing


def start_server(namespace: dict[str, Any], descriptor: int) -> None:
    """Open the channel to the judge.

    namespace: the variables that tests request. descriptor: the file descriptor of the socket.
    """
    global _server
    _server = SubmissionServer(socket.socket(fileno=descriptor), namespace)


def get_server() -> SubmissionServer:
    if _server is None:
        raise RuntimeError("the channel to the judge has not been opened")
    return _server


def serve() -> None:
    """Serve the judge until the test has ended."""
    get_server().serve()


def get_object_by_number(number: int) -> Any:
    """Return the object that the judge refers to by this number."""
    return get_server().objects[number]


def get_shared_class(name: str) -> Any:
    """Return the class that a locked cell has defined in both processes."""
    return get_server().namespace[name]


class SubmissionServer:
    """Server for requests about the objects of this process.

    objects: the objects that the judge has a handle for, by number. turn: lock of the channel, since several
    threads of a submission may call a test's function. serving: the id of the current request, or None.
    handles: True if the test can use handles of objects that hold data (see `Encoder`).
    """

    def __init__(self, link: socket.socket, namespace: dict[str, Any]):
        self.channel, self.namespace = FrameSocket(link, None, MAX_BUFFER_COUNT), namespace
        self.objects: dict[int, Any] = {}
        self.numbers: dict[int, int] = {}
        self.classes: dict[int, tuple[type, dict[str, Node]]] = {}
        self.tests = self.ended = 0
        self.handles = False
        self.serving: int | None = None
        self.turn = threading.RLock()
        self.requests = REQUEST_HANDLERS | {
            "names": self.names,
            "give": namespace.__setitem__,
            "forget": lambda name: namespace.pop(name, None),
            "get_of": lambda number, name: getattr(self.objects[number], name),
        }

    def serve(self) -> None:
        self.tests += 1
        figures = received_figures.list_open_figures()
        with contextlib.suppress(ConnectionClosedError):
            while self.ended < self.tests:
                with self.turn:
                    header, buffers = self.receive()
                    self.serving = header.get("id")
                if "do" in header:
                    self.answer(header, buffers)
        received_figures.close_figures(figures)

    def receive(self) -> tuple[dict[str, Node], list[bytearray]]:
        if self.ended >= self.tests:
            # Another thread has received the end of the test.
            return {}, []
        header, buffers = self.channel.receive()
        self.ended = header.get("done", self.ended)
        return header, buffers

    def answer(self, header: dict[str, Node], buffers: list[bytearray]) -> None:
        """Execute a request, and send the reply."""
        modules: list[tuple[Any, Any]] = []
        decoder = Decoder(buffers, partial(self.decode_default, modules), classes=self.find_class_by_name)
        self.handles = header.get("handles", False)
        handles = self.handles and header["do"] != "data"
        before: list[Any] = []
        drawn: list[str] = []
        context: Any = contextlib.nullcontext()
        if "context" in header:
            context = library_settings.apply_call_context(bytes(buffers[header["context"]]), drawn)
        try:
            what = [decoder.decode(one) for one in header["with"]]
            before = writeback.snapshot_arguments(decoder)
            with context:
                try:
                    value = self.requests[header["do"]](*what)
                finally:
                    for module, modes in modules:
                        torch_modules.update_training_modes(module, modes)
            asked = writeback.list_current_arguments(before, decoder)
            encoder = Encoder(self.encode_default, asked, handles)
            said = {"value": encoder.encode(value)}
        except ConnectionClosedError:
            raise
        except BaseException as error:
            encoder, said = Encoder(self.encode_default, handles=handles), self.error(error)
        with self.turn:
            try:
                said["changed"] = writeback.encode_changed_arguments(before, decoder, encoder)
                said["drawn"] = drawn
                self.channel.send_with_buffers({"to": header["id"], **said}, encoder.buffers)
            except ConnectionClosedError:
                raise
            except Exception as error:
                said = self.error(error) | {"changed": [], "unable": True}
                self.channel.send({"to": header["id"], **said})
            if self.serving == header["id"]:
                # From now on, remaining threads can't call the judge.
                self.serving = None

    def error(self, error: BaseException) -> dict[str, Node]:
        """Return an error as data, with its traceback and location."""
        try:
            frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename != __file__]
            trace = "".join(traceback.format_list(frames[-20:]))[:MAX_ERROR_TEXT_LENGTH]
            where = raised_in(error, students_files(self.namespace))[:MAX_ERROR_TEXT_LENGTH]
        except BaseException:
            trace = where = ""
        unable = isinstance(error, ValueError) and str(error) == VALUE_TOO_LARGE_MESSAGE
        return {"error": encode_error(error, self.number), "trace": trace, "where": where, "unable": unable}

    def send_request(self, number: int, args: tuple, kwargs: dict[str, Any]) -> Any:
        """Call a function of the judge, and serve the judge's requests in the meantime.

        Raises the function's error, or RuntimeError after the end of the test.
        """
        with self.turn:
            if self.serving is None:
                raise RuntimeError(CALLBACK_AFTER_TEST_MESSAGE)
            encoder = Encoder(self.encode_default, handles=self.handles)
            nodes = (
                [encoder.encode(one) for one in args],
                {n: encoder.encode(one) for n, one in kwargs.items()},
            )
            self.channel.send_with_buffers({"call": number, "with": nodes}, encoder.buffers)
            while self.ended < self.tests:
                header, buffers = self.receive()
                if "do" in header:
                    self.answer(header, buffers)
                elif "changed" in header:
                    decoder = Decoder(
                        buffers, partial(self.decode_default, []), encoder, self.find_class_by_name
                    )
                    value = decoder.decode(header["value"]) if "value" in header else None
                    writeback.apply_changed_arguments(header["changed"], decoder)
                    if "error" in header:
                        raise ErrorDecoder(find_loaded_class, getattr).decode_error(
                            header["error"]
                        ) or RuntimeError(CALLBACK_AFTER_TEST_MESSAGE)
                    return value
            raise RuntimeError(CALLBACK_AFTER_TEST_MESSAGE)

    def make_stub(self, node: Node) -> Callable:
        return callbacks.make_stub(node["number"], node["signature"], self.send_request)

    def number(self, value: Any) -> int:
        """Return the number of an object.

        A reference to the object is kept, so that no other object gets the same id.
        """
        found = self.numbers.get(id(value))
        if found is None:
            found = self.numbers[id(value)] = len(self.objects)
            self.objects[found] = value
        return found

    def find_class_by_name(self, name: str) -> type | None:
        found = self.namespace.get(name)
        return found if isinstance(found, type) else None

    def encode_default(self, value: Any, encoder: Encoder) -> Node:
        value = value.thing if type(value) is ForcedHandle else value
        kind = type(value)
        if id(kind) not in self.classes:
            self.classes[id(kind)] = kind, handles.encode_class(kind)
        node = {"is": "object", "number": self.number(value), **self.classes[id(kind)][1]}
        if issubclass(kind, type) and issubclass(value, Exception) and value.__module__ == MAIN:
            node["error"] = encode_error_classes(value, self.number)
        return node

    def decode_default(self, modules: list, node: Node, decoder: Decoder) -> Any:
        if node["is"] == "object":
            return self.objects[node["number"]]
        if node["is"] == "function":
            return self.make_stub(node)
        value = pickle.loads(bytes(decoder.buffers[node["at"]]))
        received_figures.restore_current_axes(value)
        if node["is"] == "module":
            # The tensors share memory with the buffers, which are compared after the call.
            for tensor, number in zip(torch_modules.list_module_tensors(value), node["numbers"]):
                tensor.data = decoder.decode(number)
            modules.append((value, decoder.decode(node["modes"])))
        return value

    # -- requests -------------------------------------------------------------------------------------

    def names(self, names: list[str]) -> list:
        return [
            {name: self.wrap_if_unsendable(self.namespace[name]) for name in names if name in self.namespace}
        ]

    def wrap_if_unsendable(self, value: Any) -> Any:
        try:
            Encoder(self.encode_default).encode(value)
        except Exception:
            return ForcedHandle(value)
        return value


def advance_iterator(thing: Any, how: str, *what: Any) -> list | tuple:
    """Return a list with the next value, or at the end a tuple with the generator's return value."""
    try:
        return [getattr(thing, how)(*what)]
    except StopIteration as end:
        return (end.value,)


def call_exit_method(thing: Any, error: BaseException | None) -> bool:
    return bool(type(thing).__exit__(thing, type(error) if error else None, error, None))


def extract_data(thing: Any) -> Any:
    """Return the data that an object holds, such as the tensor of a Parameter."""
    torch = sys.modules.get("torch")
    if torch and isinstance(thing, torch.Tensor):
        return thing.detach().as_subclass(torch.Tensor)
    if isinstance(thing, PLAIN_DATA_TYPES):
        return thing
    array = np.asarray(thing)
    # An array of number objects, such as fractions.
    return array.astype(float) if array.dtype == object else array


# Handlers of requests. `SubmissionServer` adds the requests about names.
REQUEST_HANDLERS: dict[str, Callable[..., Any]] = {
    "call": lambda function, args, kwargs: function(*args, **kwargs),
    "get": getattr,
    "set": setattr,
    "item": operator.getitem,
    "put": operator.setitem,
    "remove": operator.delitem,
    "length": len,
    "truth": bool,
    "names_of": dir,
    "text": lambda thing: repr(thing)[:MAX_ERROR_TEXT_LENGTH],
    "string": lambda thing: str(thing)[:MAX_ERROR_TEXT_LENGTH],
    "number": lambda thing, kind: {"int": int, "float": float}[kind](thing),
    "is_instance": lambda kind, thing: isinstance(thing, kind),
    "is_subclass": lambda kind, other: issubclass(other, kind),
    "iterate": lambda thing: ForcedHandle(iter(thing)),
    "copy": lambda thing, deep: copy.deepcopy(thing) if deep else copy.copy(thing),
    "enter": lambda thing: type(thing).__enter__(thing),
    "leave": call_exit_method,
    "resume": advance_iterator,
    "data": extract_data,
    "gradients": compute_gradients,
}


def find_loaded_class(module: str, name: str) -> Any:
    return getattr(sys.modules.get(module), name, None)
