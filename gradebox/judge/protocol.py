"""What travels between the judge and a student's process: frames of JSON, and the bytes of arrays.

A frame is the length of a JSON header, the number of buffers and their lengths, then the header and the
buffers. In the header, None, booleans, numbers, strings and lists stand for themselves. Everything else is
an object whose "is" says what it is:

    {"is": "array", "type": "<f8", "shape": [2, 3], "at": 0}    the numbers are in buffer 0

The judge asks {"id": 7, "do": "method", "with": [...], "set": {...}}, and is answered by {"to": 7, "changed":
[...]} and a "value", or an "error" with its "trace" and "where" it was raised (see `raised.py`). The
student's process asks for a call of a test's function by {"call": 3, "with": [...], "set": {...}}, and hears
of "changed" and a "value" or an "error". "set" is what the asking side has set (see `settings.py`), "changed"
are the arguments that are not as they were: the number of the question's buffer, and that of the answer's.
{"done": 2} says that the second test has ended.

Only data is in this format: reading it runs no code, allocates no more than was sent, and raises Malformed
over anything that is not as it should be. What one side wants to say beyond data ("this object of mine")
is packed and unpacked by the `beyond` that it brings.
"""

import builtins
import json
import keyword
import math
import socket
import struct
import sys
from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

LARGEST_HEADER, LARGEST_BUFFERS, MOST_BUFFERS = 2**23, 2**29, 100_000
DEEPEST, MOST_PARTS, LONGEST_NUMBER = 50, 10**6, 10**5
LONGEST_NAME, LONGEST_TEXT = 100, 10_000
KINDS = "biufcSUmM"
TENSORS = {
    *("bool", "uint8", "int8", "int16", "int32", "int64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
}
UNKNOWN_TO_NUMPY = "bfloat16"
START, LENGTH = struct.Struct("!QQ"), struct.Struct("!Q")
# Parts of a frame that are smaller than this together travel, and are read, in one piece.
SMALL = 2**16
# What is read at once, ahead of knowing how much it will be: most frames are smaller.
AHEAD = 2**14
encode = json.JSONEncoder(separators=(",", ":")).encode
decode = json.JSONDecoder().decode
Node = Any


class Malformed(Exception):
    """What came is not in this format."""


class Closed(Exception):
    """The other side has gone."""


class Channel:
    """Frames over a socket. ahead: what has come and is not read yet."""

    def __init__(self, link: socket.socket):
        self.link = link
        self.ahead = b""

    def send(self, header: dict[str, Node], buffers: list[Any]) -> None:
        """Raises Closed if nobody is there, ValueError if it is too much."""
        text = encode(header).encode()
        sizes = [memoryview(buffer).nbytes for buffer in buffers]
        if len(text) > LARGEST_HEADER or len(sizes) > MOST_BUFFERS or sum(sizes) > LARGEST_BUFFERS:
            raise ValueError("this is too large to be sent")
        parts = [START.pack(len(text), len(sizes)), *map(LENGTH.pack, sizes), text]
        together = sum(sizes) < SMALL
        try:
            self.link.sendall(b"".join([*parts, *buffers] if together else parts))
            for buffer in [] if together else buffers:
                self.link.sendall(buffer)
        except OSError:
            raise Closed("the other process has ended") from None

    def receive(self) -> tuple[dict[str, Node], list[bytearray]]:
        """Raises Closed at the end, Malformed if it is no frame."""
        length, count = START.unpack(self.exactly(START.size))
        if length > LARGEST_HEADER or count > MOST_BUFFERS:
            raise Malformed("it announces more than can be read")
        head = self.exactly(count * LENGTH.size + length)
        sizes = struct.unpack_from(f"!{count}Q", head)
        if sum(sizes) > LARGEST_BUFFERS:
            raise Malformed("it announces more than can be read")
        if sum(sizes) < SMALL:
            together, ends = self.exactly(sum(sizes)), [0, *accumulate(sizes)]
            buffers = [together[start:end] for start, end in pairwise(ends)]
        else:
            buffers = [self.exactly(size) for size in sizes]
        try:
            header = decode(head[count * LENGTH.size :].decode())
        except (ValueError, RecursionError):
            raise Malformed("it is no JSON") from None
        if type(header) is not dict:
            raise Malformed("it is no message")
        return header, buffers

    def waiting(self) -> bool:
        """Whether something has come that nobody has read."""
        try:
            return bool(self.ahead) or bool(self.link.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
        except OSError:
            return False

    def exactly(self, size: int) -> bytearray:
        """The next so many bytes: out of what is ahead if they are few, and straight into place otherwise."""
        while len(self.ahead) < size <= SMALL:
            self.ahead += self.got(self.link.recv, AHEAD)
        filled = min(size, len(self.ahead))
        data, self.ahead = bytearray(self.ahead[:filled]), self.ahead[filled:]
        while filled < size:
            if filled == len(data):
                # It grows with what has come, not with what was announced.
                data.extend(bytes(min(size - filled, max(filled, 2**20))))
            filled += self.got(self.link.recv_into, memoryview(data)[filled:], 0, socket.MSG_WAITALL)
        return data

    def got(self, receive: Callable[..., Any], *how: Any) -> Any:
        """What a function of the socket has received. Raises Closed at the end."""
        try:
            found = receive(*how)
        except OSError:
            found = None
        if not found:
            raise Closed("the other process has ended")
        return found


def in_words(error: BaseException) -> dict[str, Node]:
    """An error as data: its name, the built-in classes that it is one of, and its message."""
    # Whatever a class says of itself.
    line = type.__dict__["__mro__"].__get__(type(error))
    kinds = [name for kind in line for name, known in vars(builtins).items() if known is kind]
    try:
        message, shown = str.__str__(str(error))[:LONGEST_TEXT], str.__str__(repr(error))[:LONGEST_TEXT]
    except BaseException:
        message, shown = "(its message can't be read)", ""
    return {"name": type(error).__name__[:LONGEST_NAME], "kinds": kinds, "message": message, "shown": shown}


def from_words(said: dict[str, Node]) -> BaseException:
    """The error again, as the built-in class (or classes) that it is one of, under its own name.

    Raises Malformed. What is no Exception comes back as a BaseException: nobody expects it.
    """
    name, kinds, message = said["name"], said["kinds"], said["message"]
    if type(kinds) is not list or {type(part) for part in (name, message, *kinds)} != {str}:
        raise Malformed("an error that is none")
    name, message = name[:LONGEST_NAME], message[:LONGEST_TEXT]
    shown = said.get("shown")
    shown = shown[:LONGEST_TEXT] if type(shown) is str else ""
    found = [getattr(builtins, kind, None) for kind in kinds]
    known: list[type[BaseException]] = [
        kind for kind in found if isinstance(kind, type) and issubclass(kind, BaseException)
    ]
    if {StopIteration, StopAsyncIteration} & set(known):
        # A test that goes through results would take it for their end.
        return RuntimeError(f"it raised {name}")
    if not any(issubclass(kind, Exception) for kind in known):
        return BaseException(name)
    bases = [k for k in known if not any(k is not other and issubclass(other, k) for other in known)]
    if not name.isidentifier() or keyword.iskeyword(name):
        name = bases[0].__name__
    every: list[tuple[type[BaseException], ...]] = [tuple(bases), *((kind,) for kind in known), (Exception,)]
    for classes in every:
        # A KeyError would show its message in quotes, once more.
        body = {"__module__": "builtins", "__str__": BaseException.__str__}
        try:
            plain = classes[0].__name__ == name != "KeyError"
            made = classes[0](message) if plain else type(name, classes, body)(message)
            if shown and repr(made) != shown:
                # It was made of something else than its message.
                made = type(name, classes, body | {"__repr__": lambda error: shown})(message)
            return made
        except TypeError:
            # Some built-in errors want more than a message, and some can't be combined.
            continue
    return Exception(message)


def changed_since(before: dict[int, bytes], now: list[bytearray], packer: "Packer") -> list[Node]:
    """Of received buffers, those that are not as they were before, for the other side to take over."""
    return [[at, packer.buffer(now[at])] for at, data in before.items() if data != now[at]]


def take_over(changed: list, buffers: list[bytearray], arrays: dict[int, Any]) -> None:
    """Change the arguments here that were changed there. arrays: those that were sent, by buffer."""
    for place, at in changed:
        data, array = buffers[at], arrays[place]
        if isinstance(array, np.ndarray):
            if len(data) == array.nbytes and array.flags.writeable:
                array[...] = np.frombuffer(data, array.dtype).reshape(array.shape)
        else:
            import torch

            if len(data) == array.numel() * array.element_size():
                array.data.copy_(torch.frombuffer(data, dtype=array.dtype).reshape(array.shape))


class Packer:
    """Turns values into nodes and buffers.

    beyond: packs what is no data, or raises TypeError. arrays: what was packed as an array or a tensor, by
    buffer, for whoever wants to know whether it is changed afterwards. modules: PyTorch modules, with the
    array that their modes were packed as.
    """

    def __init__(self, beyond: Callable[[Any, "Packer"], Node]):
        self.beyond = beyond
        self.buffers: list[Any] = []
        self.arrays: dict[int, Any] = {}
        self.modules: list[tuple[Any, np.ndarray]] = []
        self.parts = 0

    def pack(self, value: Any, depth: int = 0) -> Node:
        """Raises ValueError for what is nested too deeply or too much, TypeError for what can't be sent."""
        self.parts += 1
        if depth > DEEPEST or self.parts > MOST_PARTS:
            raise ValueError("this is nested too deeply, or too much")
        kind = type(value)
        if value is None or kind is bool or kind is float or kind is str:
            return value
        if kind is int and -(2**63) <= value < 2**63:
            return value
        if kind is list:
            return [self.pack(part, depth + 1) for part in value]
        # A subclass is sent as the plain thing; its own methods are not asked.
        if isinstance(value, np.generic):
            return self.numbers("scalar", np.asarray(value))
        if isinstance(value, np.ndarray):
            return self.numbers("array", value if kind is np.ndarray else value.view(np.ndarray), value)
        if isinstance(value, str):
            return value if kind is str else str.__str__(value)
        if isinstance(value, int):
            plain = int.__pos__(value)
            if plain.bit_length() >= 4 * LONGEST_NUMBER:
                raise ValueError("this number is too large to be sent")
            return plain if -(2**63) <= plain < 2**63 else {"is": "int", "hex": f"{plain:x}"}
        if isinstance(value, float):
            return float.__pos__(value)
        if isinstance(value, complex):
            return {"is": "complex", "of": [value.real, value.imag]}
        if isinstance(value, (bytes, bytearray)):
            return {"is": "bytes", "at": self.buffer(bytes(value))}
        if isinstance(value, list):
            return [self.pack(part, depth + 1) for part in list.__iter__(value)]
        if isinstance(value, tuple):
            return {"is": "tuple", "of": [self.pack(part, depth + 1) for part in tuple.__iter__(value)]}
        if isinstance(value, (set, frozenset)):
            frozen = isinstance(value, frozenset)
            parts = frozenset.__iter__(value) if isinstance(value, frozenset) else set.__iter__(value)
            return {
                "is": "frozenset" if frozen else "set",
                "of": [self.pack(part, depth + 1) for part in parts],
            }
        if isinstance(value, dict):
            pairs = [[self.pack(k, depth + 1), self.pack(v, depth + 1)] for k, v in dict.items(value)]
            return {"is": "dict", "of": pairs}
        torch = sys.modules.get("torch")
        if torch and isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter):
            return self.tensor(value)
        return self.beyond(value, self)

    def buffer(self, data: Any) -> int:
        self.buffers.append(data)
        return len(self.buffers) - 1

    def numbers(self, what: str, plain: np.ndarray, original: Any = None) -> Node:
        if plain.dtype.kind not in KINDS or not plain.dtype.itemsize:
            return self.beyond(plain if original is None else original, self)
        at = self.buffer(in_order(plain))
        if original is not None:
            self.arrays[at] = original
        node = {"is": what, "type": plain.dtype.str, "shape": list(plain.shape), "at": at}
        return node if what == "scalar" or plain.flags.writeable else node | {"fixed": True}

    def tensor(self, value: Any) -> Node:
        torch = sys.modules["torch"]
        name, device = str(value.dtype).removeprefix("torch."), value.device.type
        if name not in TENSORS or value.layout is not torch.strided or device not in ("cpu", "meta"):
            return self.beyond(value, self)
        node = {"is": "tensor", "type": name, "shape": list(value.shape), "on": device}
        if device == "cpu":
            plain = value.detach().resolve_conj().resolve_neg()
            if name == UNKNOWN_TO_NUMPY:
                plain = plain.reshape(-1).view(torch.uint8)
            node["at"] = self.buffer(in_order(plain.numpy()))
            self.arrays[node["at"]] = value
        return node


def in_order(array: np.ndarray) -> Any:
    """The bytes of an array, row by row."""
    small = array.nbytes < SMALL
    return array.tobytes() if small else np.ascontiguousarray(array).reshape(-1).view(np.uint8)


class Unpacker:
    """Turns nodes and buffers into values of plain types. beyond: unpacks what is no data.

    modules: PyTorch modules, with the array that their modes came as.
    """

    def __init__(self, buffers: list[bytearray], beyond: Callable[[Node, "Unpacker"], Any]):
        self.buffers, self.beyond = buffers, beyond
        self.arrays: dict[int, Any] = {}
        self.modules: list[tuple[Any, np.ndarray]] = []
        self.read: set[int] = set()

    def unpack(self, node: Node, depth: int = 0) -> Any:
        """Raises Malformed."""
        if depth > DEEPEST:
            raise Malformed("it is nested too deeply")
        if node is None or type(node) in (bool, int, float, str):
            return node
        if type(node) is list:
            return [self.unpack(part, depth + 1) for part in node]
        if type(node) is not dict or type(node.get("is")) is not str:
            raise Malformed("a part of it is of no known kind")
        read = getattr(self, f"read_{node['is']}", None) if node["is"].isalpha() else None
        try:
            return read(node, depth) if read else self.beyond(node, self)
        except Malformed:
            raise
        except Exception as error:
            raise Malformed(f"a part of it can't be read ({type(error).__name__})") from None

    def parts(self, node: Node, depth: int) -> list[Any]:
        if type(node["of"]) is not list:
            raise Malformed("a part of it is no list")
        return [self.unpack(part, depth + 1) for part in node["of"]]

    def read_tuple(self, node: Node, depth: int) -> tuple:
        return tuple(self.parts(node, depth))

    def read_set(self, node: Node, depth: int) -> set:
        return set(self.parts(node, depth))

    def read_frozenset(self, node: Node, depth: int) -> frozenset:
        return frozenset(self.parts(node, depth))

    def read_dict(self, node: Node, depth: int) -> dict:
        pairs = node["of"]
        if type(pairs) is not list or any(type(pair) is not list or len(pair) != 2 for pair in pairs):
            raise Malformed("a dict of it has something else than pairs")
        return {self.unpack(key, depth + 1): self.unpack(value, depth + 1) for key, value in pairs}

    def read_int(self, node: Node, depth: int) -> int:
        if len(node["hex"]) > LONGEST_NUMBER:
            raise Malformed("a number of it is too long")
        return int(node["hex"], 16)

    def read_complex(self, node: Node, depth: int) -> complex:
        real, imaginary = node["of"]
        if not {type(real), type(imaginary)} <= {int, float}:
            raise Malformed("a number of it is none")
        return complex(real, imaginary)

    def read_bytes(self, node: Node, depth: int) -> bytes:
        return bytes(self.buffers[self.place(node)])

    def read_scalar(self, node: Node, depth: int) -> Any:
        if node["shape"] != []:
            raise Malformed("a number of it has axes")
        return self.array(node)[()]

    def read_array(self, node: Node, depth: int) -> np.ndarray:
        array = self.array(node)
        self.arrays[node["at"]] = array
        if node.get("fixed") is True:
            array.flags.writeable = False
        return array

    def read_tensor(self, node: Node, depth: int) -> Any:
        import torch

        if node["type"] not in TENSORS:
            raise Malformed("a tensor of it has no known type")
        dtype, shape = getattr(torch, node["type"]), self.shape(node)
        if node["on"] == "meta":
            return torch.empty(shape, dtype=dtype, device="meta")
        data = self.buffers[self.place(node)]
        if len(data) != math.prod(shape) * dtype.itemsize:
            raise Malformed("a tensor of it has another size than its shape")
        if dtype is torch.bool:
            # Any other byte than 0 and 1 would be neither true nor false.
            data[:] = np.frombuffer(data, np.uint8).astype(bool).tobytes()
        tensor = (
            torch.frombuffer(data, dtype=dtype).reshape(shape) if data else torch.empty(shape, dtype=dtype)
        )
        self.arrays[node["at"]] = tensor
        return tensor

    def array(self, node: Node) -> np.ndarray:
        """An array that can be written to."""
        if type(node["type"]) is not str or len(node["type"]) > 30:
            raise Malformed("an array of it has no known type")
        dtype, shape = np.dtype(node["type"]), self.shape(node)
        if dtype.kind not in KINDS or dtype.subdtype or dtype.names or not dtype.itemsize:
            raise Malformed("an array of it has no known type")
        data = self.buffers[self.place(node)]
        if len(data) != math.prod(shape) * dtype.itemsize:
            raise Malformed("an array of it has another size than its shape")
        if dtype.kind == "b":
            data[:] = np.frombuffer(data, np.uint8).astype(bool).tobytes()
        return np.frombuffer(data, dtype).reshape(shape) if data else np.empty(shape, dtype)

    def shape(self, node: Node) -> tuple[int, ...]:
        shape = node["shape"]
        if type(shape) is not list or len(shape) > 32 or any(type(n) is not int or n < 0 for n in shape):
            raise Malformed("an array of it has no shape")
        return tuple(shape)

    def place(self, node: Node) -> int:
        at = node["at"]
        if type(at) is not int or not 0 <= at < len(self.buffers) or at in self.read:
            raise Malformed("a part of it is missing, or there twice")
        self.read.add(at)
        return at
