"""Values as nodes and buffers of a frame (see `protocol.py`), and back: data, and nothing that runs.

What one side wants to say beyond data ("this object of mine") is packed and unpacked by the `beyond` that it
brings.
"""

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any

import numpy as np

from gradebox.judge import values
from gradebox.judge.kinds import MAIN, of_type
from gradebox.judge.protocol import SMALL, Malformed, Node

LONGEST_WORD = 20
DEEPEST, MOST_PARTS, LONGEST_NUMBER = 100, 2 * 10**6, 10**6
# A text that is longer than this travels as its bytes.
LONG_TEXT = 10**5
TOO_MUCH = "this is nested too deeply, or too much"
KINDS = "biufcSUmM"
TENSORS = {
    *("bool", "uint8", "int8", "int16", "int32", "int64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
}
UNKNOWN_TO_NUMPY = "bfloat16"


class Numbered:
    """The parts of a message. kept: what can be changed where it is, by number.

    spans: for each of these how many parts it has, and how deep they go; None while it is gone through.
    """

    def __init__(self) -> None:
        self.kept: list[Any] = []
        self.spans: list[tuple[int, int] | None] = []
        self.parts = self.deepest = 0

    def count(self, depth: int, parts: int = 1, height: int = 0) -> None:
        """Take note of a part. Raises ValueError if that is one too many, or too deep."""
        self.parts += parts
        lowest = depth + height
        if lowest > DEEPEST or self.parts > MOST_PARTS:
            raise ValueError(TOO_MUCH)
        if lowest > self.deepest:
            self.deepest = lowest

    def begin(self, thing: Any) -> tuple[int, int, int]:
        """Take note of a container, whose parts come next. Returns what `end` wants to know."""
        self.kept.append(thing)
        self.spans.append(None)
        outer, self.deepest = self.deepest, 0
        return len(self.spans) - 1, self.parts, outer

    def end(self, begun: tuple[int, int, int], depth: int) -> None:
        number, before, outer = begun
        self.spans[number] = self.parts - before, max(0, self.deepest - depth)
        self.deepest = max(self.deepest, outer)

    def keep(self, thing: Any) -> None:
        """Take note of something that can be changed, and has no parts."""
        self.kept.append(thing)
        self.spans.append((0, 0))

    def repeat(self, number: int, depth: int) -> None:
        """Take note that something is there once more. Raises ValueError for what is in itself."""
        span = self.spans[number]
        if span is None:
            raise ValueError(TOO_MUCH)
        self.count(depth, *span)


class Packer(Numbered):
    """Turns values into nodes and buffers.

    beyond: packs what is no data, or raises TypeError. asked: in an answer, what came with the question.
    offers: whether a value of a notebook's own class is sent as an object, too, for the other side to choose.
    libraries: of which values come as data, of those in `values.ELSEWHERE`.
    modules: PyTorch modules, with the array that their modes were packed as.
    """

    def __init__(
        self,
        beyond: Callable[[Any, "Packer"], Node],
        asked: "Unpacker | None" = None,
        offers: bool = False,
        libraries: Set[str] = values.ELSEWHERE.keys(),
    ):
        super().__init__()
        self.beyond, self.offers, self.libraries = beyond, offers, libraries
        self.buffers: list[Any] = []
        self.numbers: dict[int, int] = {}
        self.asked = {id(thing): number for number, thing in enumerate(asked.kept)} if asked else {}
        self.modules: list[tuple[Any, np.ndarray]] = []

    def pack(self, value: Any, depth: int = 0) -> Node:
        """Raises ValueError for what is nested too deeply or too much, TypeError for what can't be sent."""
        self.count(depth)
        kind = type(value)
        if value is None or kind is bool or kind is float:
            return value
        if kind is str:
            return value if len(value) < LONG_TEXT else {"is": "text", "at": self.buffer(encoded(value))}
        if kind is int and -(2**63) <= value < 2**63:
            return value
        number = id(value)
        if number in self.asked:
            return {"is": "yours", "of": self.asked[number]}
        if number in self.numbers:
            self.repeat(self.numbers[number], depth)
            return {"is": "again", "of": self.numbers[number]}
        known = values.packer_of(kind)
        node = known(self, value, depth) if known else self.plain(value, depth)
        if self.offers and of_type("__module__", kind) == MAIN and not is_object(node):
            return {"is": "both", "plain": node, "object": self.beyond(value, self)}
        return node

    def call(self, args: Iterable[Any], kwargs: Mapping[str, Any]) -> list[Node]:
        """The arguments of a call: the list and the dict of them are nobody's, and have no numbers."""
        return [[self.pack(one) for one in args], {name: self.pack(one) for name, one in kwargs.items()}]

    def plain(self, value: Any, depth: int) -> Node:
        """A subclass is sent as the plain thing; its own methods are not asked."""
        kind = type(value)
        if isinstance(value, np.generic):
            return self.scalar(np.asarray(value))
        if isinstance(value, np.ndarray):
            return self.numbers_in(value if kind is np.ndarray else value.view(np.ndarray), value, depth)
        if isinstance(value, str):
            return self.pack(str.__str__(value), depth)
        if isinstance(value, int):
            plain = int.__pos__(value)
            if plain.bit_length() >= 4 * LONGEST_NUMBER:
                raise ValueError("this number is too large to be sent")
            return plain if -(2**63) <= plain < 2**63 else {"is": "int", "hex": f"{plain:x}"}
        if isinstance(value, float):
            return float.__pos__(value)
        if isinstance(value, complex):
            return {"is": "complex", "of": [value.real, value.imag]}
        if isinstance(value, bytes):
            return {"is": "bytes", "at": self.buffer(bytes(value))}
        if isinstance(value, list):
            return self.container(value, list.__iter__(value), depth)
        if isinstance(value, tuple):
            return {"is": "tuple", "of": self.each(tuple.__iter__(value), depth)}
        if isinstance(value, frozenset):
            return {"is": "frozenset", "of": self.each(frozenset.__iter__(value), depth)}
        if isinstance(value, set):
            return {"is": "set", "of": self.container(value, set.__iter__(value), depth)}
        if isinstance(value, dict):
            return {"is": "dict", "of": self.pairs(value, dict.items(value), depth)}
        torch = sys.modules.get("torch")
        if torch and isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter):
            return self.tensor(value)
        return self.beyond(value, self)

    def each(self, parts: Iterable[Any], depth: int) -> list[Node]:
        return [self.pack(part, depth + 1) for part in parts]

    def container(self, value: Any, parts: Iterable[Any], depth: int) -> list[Node]:
        """The parts of something that can be changed."""
        begun = self.take_note(value)
        found = self.each(parts, depth)
        self.end(begun, depth)
        return found

    def pairs(self, value: Any, items: Iterable[tuple[Any, Any]], depth: int) -> list[Node]:
        """The keys and values of something that can be changed."""
        begun = self.take_note(value)
        found = [[self.pack(key, depth + 1), self.pack(one, depth + 1)] for key, one in items]
        self.end(begun, depth)
        return found

    def take_note(self, value: Any) -> tuple[int, int, int]:
        self.numbers[id(value)] = len(self.kept)
        return self.begin(value)

    def take_note_of_plain(self, value: Any) -> None:
        self.numbers[id(value)] = len(self.kept)
        self.keep(value)

    def buffer(self, data: Any) -> int:
        self.buffers.append(data)
        return len(self.buffers) - 1

    def scalar(self, plain: np.ndarray) -> Node:
        if plain.dtype.kind not in KINDS or not plain.dtype.itemsize:
            return self.beyond(plain[()], self)
        return {"is": "scalar", "type": plain.dtype.str, "shape": [], "at": self.buffer(plain.tobytes())}

    def numbers_in(self, plain: np.ndarray, original: Any, depth: int) -> Node:
        if plain.dtype.kind not in KINDS or not plain.dtype.itemsize:
            return values.pack_array(self, plain, original, depth)
        self.take_note_of_plain(original)
        node: dict[str, Node] = {"is": "array", "type": plain.dtype.str, "shape": list(plain.shape)}
        if by_column(plain):
            # What is computed from it may differ in the last digit otherwise.
            node["order"] = "F"
        node["at"] = self.buffer(in_order(plain.T if by_column(plain) else plain))
        if type(original) is np.matrix:
            node["as"] = "matrix"
        return node if plain.flags.writeable else node | {"fixed": True}

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
            self.take_note_of_plain(value)
            node["at"] = self.buffer(in_order(plain.numpy()))
        return node


def encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")


def is_object(node: Node) -> bool:
    return type(node) is dict and node["is"] == "object"


def by_column(array: np.ndarray) -> bool:
    """Whether an array lies in memory column by column."""
    return array.flags.f_contiguous and not array.flags.c_contiguous


def in_order(array: np.ndarray) -> Any:
    """The bytes of an array, row by row."""
    small = array.nbytes < SMALL
    return array.tobytes() if small else np.ascontiguousarray(array).reshape(-1).view(np.uint8)


class Unpacker(Numbered):
    """Turns nodes and buffers into values of plain types. beyond: unpacks what is no data.

    asked: for an answer, the question that it is to. classes: finds a class that this process knows by its
    module and name. libraries: as for a Packer. places: the buffers of what is kept. modules: of PyTorch,
    with the array that their modes came as.
    """

    def __init__(
        self,
        buffers: list[bytearray],
        beyond: Callable[[Node, "Unpacker"], Any],
        asked: Packer | None = None,
        classes: Callable[[str, str], type | None] = lambda module, name: None,
        libraries: Set[str] = values.ELSEWHERE.keys(),
    ):
        super().__init__()
        self.buffers, self.beyond, self.classes, self.libraries = buffers, beyond, classes, libraries
        self.asked = asked.kept if asked else []
        self.places: dict[int, int] = {}
        self.modules: list[tuple[Any, np.ndarray]] = []
        self.read: set[int] = set()

    def unpack(self, node: Node, depth: int = 0) -> Any:
        """Raises Malformed."""
        try:
            self.count(depth)
        except ValueError:
            raise Malformed("it is nested too deeply, or too much") from None
        if node is None or type(node) in (bool, int, float):
            return node
        if type(node) is str:
            # As the same words in code are: some compare them by `is`.
            return sys.intern(node) if len(node) <= LONGEST_WORD else node
        if type(node) is list:
            found: list[Any] = []
            begun = self.begin(found)
            found += [self.unpack(part, depth + 1) for part in node]
            self.end(begun, depth)
            return found
        if type(node) is not dict or type(node.get("is")) is not str:
            raise Malformed("a part of it is of no known kind")
        word = node["is"]
        read = getattr(self, f"read_{word}", None) if word.isalpha() else None
        try:
            if read:
                return read(node, depth)
            known = values.READERS.get(word)
            return known(self, node, depth) if known else self.beyond(node, self)
        except Malformed:
            raise
        except Exception as error:
            raise Malformed(f"a part of it can't be read ({type(error).__name__})") from None

    def call(self, args: Node, kwargs: Node) -> tuple[list[Any], dict[str, Any]]:
        """The arguments of a call. Raises Malformed."""
        if type(args) is not list or type(kwargs) is not dict:
            raise Malformed("a call without arguments")
        return [self.unpack(one) for one in args], {name: self.unpack(one) for name, one in kwargs.items()}

    def read_again(self, node: Node, depth: int) -> Any:
        number = node["of"]
        if type(number) is not int or not 0 <= number < len(self.kept):
            raise Malformed("a part of it is missing")
        self.repeat(number, depth)
        return self.kept[number]

    def read_yours(self, node: Node, depth: int) -> Any:
        number = node["of"]
        if type(number) is not int or not 0 <= number < len(self.asked):
            raise Malformed("a part of it is missing")
        return self.asked[number]

    def parts_of(self, nodes: Node, depth: int) -> list[Any]:
        if type(nodes) is not list:
            raise Malformed("a part of it is no list")
        return [self.unpack(part, depth + 1) for part in nodes]

    def fill(self, found: Any, nodes: Node, depth: int) -> Any:
        """Something that can be changed, filled with its parts."""
        begun = self.begin(found)
        values.put_parts(found, self.parts_of(nodes, depth))
        self.end(begun, depth)
        return found

    def fill_pairs(self, found: Any, nodes: Node, depth: int) -> Any:
        """Something that can be changed, filled with its keys and values."""
        begun = self.begin(found)
        for key, value in self.pairs_of(nodes, depth):
            found[key] = value
        self.end(begun, depth)
        return found

    def pairs_of(self, nodes: Node, depth: int) -> list[tuple[Any, Any]]:
        if type(nodes) is not list or any(type(pair) is not list or len(pair) != 2 for pair in nodes):
            raise Malformed("a dict of it has something else than pairs")
        return [(self.unpack(key, depth + 1), self.unpack(value, depth + 1)) for key, value in nodes]

    def read_tuple(self, node: Node, depth: int) -> tuple:
        return tuple(self.parts_of(node["of"], depth))

    def read_set(self, node: Node, depth: int) -> set:
        return self.fill(set(), node["of"], depth)

    def read_frozenset(self, node: Node, depth: int) -> frozenset:
        return frozenset(self.parts_of(node["of"], depth))

    def read_dict(self, node: Node, depth: int) -> dict:
        return self.fill_pairs({}, node["of"], depth)

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

    def read_text(self, node: Node, depth: int) -> str:
        return bytes(self.buffers[self.place(node)]).decode(errors="surrogatepass")

    def read_scalar(self, node: Node, depth: int) -> Any:
        if node["shape"] != []:
            raise Malformed("a number of it has axes")
        return self.array(node)[()]

    def read_array(self, node: Node, depth: int) -> np.ndarray:
        array = self.array(node)
        if node.get("as") == "matrix":
            array = array.view(np.matrix)
        self.keep_at(array, node)
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
        self.keep_at(tensor, node)
        return tensor

    def keep_at(self, thing: Any, node: Node) -> None:
        """Take note of something that can be changed, whose bytes are in a buffer."""
        self.places[len(self.kept)] = node["at"]
        self.keep(thing)

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
        order: Any = "F" if node.get("order") == "F" else "C"
        return np.frombuffer(data, dtype).reshape(shape, order=order) if data else np.empty(shape, dtype)

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
