"""Encode values as JSON nodes and buffers of a frame, and decode them without executing code.

The list of types is closed: None, bool, int, float, complex, str, bytes, list, tuple, named tuple, dict, set,
frozenset, NumPy arrays and scalars, CPU tensors, the types in `STANDARD_LIBRARY_TYPES`, and pandas tables
(`pandas_codec.py`). A subclass is encoded as the plain type, without calling its methods. Any other value is
passed to `beyond`, which encodes a handle (`handles.py`) or a callback (`callbacks.py`), or raises TypeError.

None, booleans, numbers, strings and lists are their own nodes. Any other node is an object, and "is" names
its type: {"is": "array", "type": "<f8", "shape": [2, 3], "at": 0} is an array whose data is in buffer 0.
Mutable values are numbered within a message by first occurrence. {"is": "again", "of": 2} refers to the third
mutable value of the same message. {"is": "yours", "of": 2} in a reply refers to the third of the request.
"""

from __future__ import annotations

import datetime
import keyword
import math
import sys
from array import array
from collections import Counter, OrderedDict, namedtuple
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from pathlib import Path, PosixPath
from typing import Any

import numpy as np

from gradebox.judge import pandas_codec
from gradebox.kernel.frames import MalformedMessageError

Node = Any
MAX_DEPTH, MAX_NODES, MAX_HEX_DIGITS, MAX_INTERNED_LENGTH, MAX_TEXT_FIELD_LENGTH = (
    100,
    2 * 10**6,
    10**6,
    20,
    4000,
)
# Minimum lengths of lists of numbers and of strings that are sent as buffers.
MIN_BUFFERED_LIST, MIN_BUFFERED_TEXT = 100, 10**5
MAX_LIST_LENGTH, MIN_ZERO_COPY_BYTES = 10**7, 2**16
MAIN = "__main__"
# For `bytes.translate`: booleans must be 0 or 1.
BYTE_TO_BOOLEAN = b"\0" + b"\1" * 255
# NumPy's dtype kinds of numbers, strings and dates.
ARRAY_KINDS = "biufcSUmM"
TENSOR_DTYPES = frozenset(
    "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128".split()
)
# Attribute that identifies handle classes (see `handles.py`).
HANDLE_SLOT = "_of_the_submission"
VALUE_TOO_LARGE_MESSAGE = "the value is nested too deeply, or has too many parts"


def make_text_decoder(make: Callable[[str], Any]) -> Callable[[Any], Any]:
    def read(text: Any) -> Any:
        if type(text) is not str or len(text) > MAX_TEXT_FIELD_LENGTH:
            raise MalformedMessageError("a string is missing or too long")
        return make(text)

    return read


# Per type: the name of the node, a function that returns a plain value, and the inverse function.
STANDARD_LIBRARY_TYPES: dict[type, tuple[str, Callable, Callable]] = {
    Decimal: ("decimal", str, make_text_decoder(Decimal)),
    Fraction: ("fraction", lambda v: (v.numerator, v.denominator), lambda p: Fraction(*p)),
    datetime.date: ("date", str, make_text_decoder(datetime.date.fromisoformat)),
    datetime.time: ("time", str, make_text_decoder(datetime.time.fromisoformat)),
    datetime.datetime: ("datetime", str, make_text_decoder(datetime.datetime.fromisoformat)),
    datetime.timedelta: (
        "timedelta",
        lambda v: (v.days, v.seconds, v.microseconds),
        lambda p: datetime.timedelta(*p),
    ),
    PosixPath: ("path", str, make_text_decoder(Path)),
    range: ("range", lambda v: (v.start, v.stop, v.step), lambda p: range(*p)),
    slice: ("slice", lambda v: (v.start, v.stop, v.step), lambda p: slice(*p)),
    type({}.keys()): ("keys", list, lambda p: dict.fromkeys(p).keys()),
    type({}.values()): ("values", list, lambda p: dict(enumerate(p)).values()),
    type({}.items()): ("items", list, lambda p: dict(p).items()),
    type(...): ("ellipsis", lambda v: None, lambda p: ...),
}
STANDARD_DECODERS = {name: make for name, _, make in STANDARD_LIBRARY_TYPES.values()}
MAPPINGS: dict[str, type] = {"dict": dict, "counter": Counter, "ordered": OrderedDict}


def mapping_type(thing: dict) -> type[dict]:
    """Return the built-in type whose methods know the order and the contents of a mapping."""
    return OrderedDict if isinstance(thing, OrderedDict) else dict


class Encoder:
    """Encoder for the values of one message.

    beyond: encodes values of other types, or raises TypeError. asked: for a reply, the mutable values of the
    request that the other process has, by number. handles: True to pass data with additional methods to
    `beyond`, such as a Parameter or an instance of a list subclass from the notebook. kept: mutable values by
    number. shared: the numbers of `asked`, by id.
    """

    def __init__(
        self,
        beyond: Callable[[Any, Encoder], Node],
        asked: Mapping[int, Any] | None = None,
        handles: bool = False,
    ):
        self.beyond, self.handles = beyond, handles
        self.kept: list[Any] = []
        self.buffers: list[Any] = []
        self.numbers: dict[int, int] = {}
        self.shared = {id(thing): number for number, thing in (asked or {}).items()}
        self.parts = 0

    def encode(self, value: Any, depth: int = 0) -> Node:
        """Return the node of a value.

        Raises ValueError if the value is too large, and TypeError if the value can't be sent.
        """
        self.parts += 1
        if depth > MAX_DEPTH or self.parts > MAX_NODES:
            raise ValueError(VALUE_TOO_LARGE_MESSAGE)
        kind = type(value)
        if value is None or kind is bool or kind is float or (kind is str and len(value) < MIN_BUFFERED_TEXT):
            return value
        if kind is int and -(2**63) <= value < 2**63:
            return value
        number = id(value)
        if number in self.shared:
            return {"is": "yours", "of": self.shared[number]}
        if number in self.numbers:
            return {"is": "again", "of": self.numbers[number]}
        if self.handles and type.__getattribute__(kind, "__module__") == MAIN and not is_named_tuple(kind):
            return self.beyond(value, self)
        try:
            encode = find_encoder(kind)  # type: ignore[arg-type]
        except TypeError:
            # The class is not hashable.
            encode = None
        return encode(self, value, depth) if encode else self.beyond(value, self)

    def each(self, parts: Iterable[Any], depth: int) -> list[Node]:
        return [self.encode(part, depth + 1) for part in parts]

    def keep(self, value: Any) -> None:
        self.numbers[id(value)] = len(self.kept)
        self.kept.append(value)

    def buffer(self, data: Any) -> int:
        self.buffers.append(data)
        return len(self.buffers) - 1

    def standard(self, value: Any, depth: int) -> Node:
        name, plain, _ = STANDARD_LIBRARY_TYPES[type(value)]
        return {"is": name, "of": self.encode(plain(value), depth + 1)}

    def text(self, value: str, depth: int) -> Node:
        plain = str.__str__(value)
        if len(plain) < MIN_BUFFERED_TEXT:
            return plain
        return {"is": "text", "at": self.buffer(plain.encode(errors="surrogatepass"))}

    def integer(self, value: int, depth: int) -> Node:
        plain = int.__pos__(value)
        if plain.bit_length() >= 4 * MAX_HEX_DIGITS:
            raise ValueError(VALUE_TOO_LARGE_MESSAGE)
        return plain if -(2**63) <= plain < 2**63 else {"is": "int", "hex": f"{plain:x}"}

    def list(self, value: list, depth: int) -> Node:
        self.keep(value)
        numbers = to_numeric_array(value)
        if numbers is not None:
            kind = "<f8" if numbers.typecode == "d" else "<i8"
            return {"is": "numbers", "type": kind, "at": self.buffer(numbers.tobytes())}
        return self.each(list.__iter__(value), depth)

    def named(self, value: Any, depth: int) -> Node:
        name, fields = type(value).__name__, list(type(value)._fields)
        return {"is": "named", "name": name, "fields": fields, "of": self.each(tuple.__iter__(value), depth)}

    def set(self, value: set, depth: int) -> Node:
        self.keep(value)
        return {"is": "set", "of": self.each(set.__iter__(value), depth)}

    def dict(self, value: dict, depth: int) -> Node:
        self.keep(value)
        name = next((name for name, kind in MAPPINGS.items() if kind is type(value)), "dict")
        return {"is": name, "of": [self.each(pair, depth) for pair in mapping_type(value).items(value)]}

    def scalar(self, value: Any, depth: int) -> Node:
        array = np.asarray(value)
        if array.dtype.kind not in ARRAY_KINDS or not array.dtype.itemsize:
            return self.beyond(value, self)
        return {"is": "scalar", "type": array.dtype.str, "shape": [], "at": self.buffer(array.tobytes())}

    def dtype(self, value: np.dtype, depth: int) -> Node:
        plain = value.names is None and value.subdtype is None and value.kind in ARRAY_KINDS + "O"
        return {"is": "dtype", "of": value.str} if plain else self.beyond(value, self)

    def array(self, value: np.ndarray, depth: int) -> Node:
        plain = np.ndarray.view(value, np.ndarray)
        shape = list(plain.shape)
        if plain.dtype == object:
            self.keep(value)
            return {"is": "objects", "shape": shape, "of": self.each(plain.ravel(), depth)}
        if plain.dtype.kind not in ARRAY_KINDS or not plain.dtype.itemsize:
            return self.beyond(value, self)
        self.keep(value)
        node: dict[str, Node] = {"is": "array", "type": plain.dtype.str, "shape": shape}
        if is_column_major(plain):
            # Results computed from another memory order may differ in the last digit.
            node["order"], plain = "F", plain.T
        node["at"] = self.buffer(to_row_major_bytes(plain))
        return node if plain.flags.writeable else node | {"fixed": True}

    def memory(self, value: memoryview, depth: int) -> Node:
        return self.array(np.asarray(value), depth)

    def torch(self, value: Any, depth: int) -> Node:
        torch, kind = sys.modules["torch"], type(value)
        if kind is torch.Size:
            return {"is": "size", "of": self.each(tuple.__iter__(value), depth)}
        if kind is torch.dtype or kind is torch.device:
            return {"is": kind.__name__, "of": str(value)}
        if not isinstance(value, torch.Tensor) or (self.handles and isinstance(value, torch.nn.Parameter)):
            return self.beyond(value, self)
        name, device = str(value.dtype).removeprefix("torch."), value.device.type
        if name not in TENSOR_DTYPES or value.layout is not torch.strided or device not in ("cpu", "meta"):
            return self.beyond(value, self)
        node = {"is": "tensor", "type": name, "shape": list(value.shape), "on": device}
        if device == "cpu":
            self.keep(value)
            plain = value.detach().resolve_conj().resolve_neg()
            # NumPy has no bfloat16.
            plain = plain.reshape(-1).view(torch.uint8) if name == "bfloat16" else plain
            node["at"] = self.buffer(to_row_major_bytes(plain.numpy()))
        return node

    def table(self, value: Any, depth: int) -> Node:
        try:
            parts = pandas_codec.encode_table(value)
        except pandas_codec.UnsupportedValueError:
            return self.beyond(value, self)
        return {"is": "table", "of": self.each(parts, depth)}


def encode_tuple(encoder: Encoder, value: tuple, depth: int) -> Node:
    return {"is": "tuple", "of": encoder.each(tuple.__iter__(value), depth)}


EXACT_ENCODERS: dict[type, Callable] = {
    **dict.fromkeys(STANDARD_LIBRARY_TYPES, Encoder.standard),
    np.ndarray: Encoder.array,
    list: Encoder.list,
    tuple: encode_tuple,
    dict: Encoder.dict,
}
# A subclass is encoded as its first base class in this list.
SUBCLASS_ENCODERS: tuple[tuple[Any, Callable], ...] = (
    (np.generic, Encoder.scalar),
    (np.ndarray, Encoder.array),
    (np.dtype, Encoder.dtype),
    (memoryview, Encoder.memory),
    (str, Encoder.text),
    (int, Encoder.integer),
    (float, lambda encoder, value, depth: float.__pos__(value)),
    (complex, lambda encoder, value, depth: {"is": "complex", "of": [value.real, value.imag]}),
    (bytes, lambda encoder, value, depth: {"is": "bytes", "at": encoder.buffer(bytes(value))}),
    (list, Encoder.list),
    (tuple, encode_tuple),
    (frozenset, lambda encoder, value, depth: {"is": "frozenset", "of": encoder.each(value, depth)}),
    (set, Encoder.set),
    (dict, Encoder.dict),
)


@lru_cache(maxsize=1000)
def is_sent_as_data(kind: type) -> bool:
    """Return True if all instances of a library's class are sent as data, so that no handle can be one."""
    torch = sys.modules.get("torch")
    tensors = (torch.Tensor, torch.dtype, torch.device) if torch else ()
    plain = (*STANDARD_LIBRARY_TYPES, *(base for base, _ in SUBCLASS_ENCODERS), *tensors)
    # Their base classes count, too: a test may ask for a `Path`.
    is_plain = issubclass(kind, plain) or any(kind in one.__mro__ for one in plain)
    return is_plain and not (torch and issubclass(kind, torch.nn.Parameter))


@lru_cache(maxsize=1000)
def find_encoder(kind: type) -> Callable | None:
    """Return the function that encodes values of a class; None for classes that `beyond` encodes."""
    if kind in EXACT_ENCODERS:
        return EXACT_ENCODERS[kind]
    line = type.__dict__["__mro__"].__get__(kind)
    if any(HANDLE_SLOT in type.__dict__["__dict__"].__get__(one) for one in line) or issubclass(kind, Enum):
        return None
    if is_named_tuple(kind):
        return Encoder.named
    root = str(type.__getattribute__(kind, "__module__")).partition(".")[0]
    if root == "pandas":
        return Encoder.table
    for base, encode in SUBCLASS_ENCODERS:
        if issubclass(kind, base) and not (base is tuple and root == "torch"):
            return encode
    return Encoder.torch if any(one.__module__.partition(".")[0] == "torch" for one in line) else None


def is_named_tuple(kind: type) -> bool:
    """Return True for a named tuple class with valid names."""
    fields = getattr(kind, "_fields", None) if issubclass(kind, tuple) else None
    return isinstance(fields, tuple) and all(map(is_field_name, (*fields, kind.__name__)))


def is_field_name(text: Any) -> bool:
    plain = type(text) is str and text.isidentifier() and not keyword.iskeyword(text)
    return plain and len(text) <= 100 and not text.startswith("_")


class Decoder:
    """Decoder for the nodes of one message.

    beyond: decodes other nodes, or raises MalformedMessageError. asked: for a reply, the encoder of the
    request. classes: finds a named tuple class by name. kept: mutable values by number. places: buffer
    indexes of kept arrays and tensors, by the same number.
    """

    def __init__(
        self,
        buffers: list[bytearray],
        beyond: Callable[[Node, Decoder], Any],
        asked: Encoder | None = None,
        classes: Callable[[str], type | None] = lambda name: None,
    ):
        self.buffers, self.beyond, self.classes = buffers, beyond, classes
        self.kept: list[Any] = []
        self.places: dict[int, int] = {}
        self.asked = asked.kept if asked else []
        self.used: set[int] = set()
        self.parts = 0

    def decode(self, node: Node, depth: int = 0) -> Any:
        """Return the value of a node. Raises MalformedMessageError."""
        self.parts += 1
        if depth > MAX_DEPTH or self.parts > MAX_NODES:
            raise MalformedMessageError(VALUE_TOO_LARGE_MESSAGE)
        if node is None or type(node) in (bool, int, float):
            return node
        if type(node) is str:
            # Python interns short strings in code, and some tests compare strings with `is`.
            return sys.intern(node) if len(node) <= MAX_INTERNED_LENGTH else node
        if type(node) is list:
            return self.fill(list, node, depth)
        name = node.get("is") if type(node) is dict else None
        if type(name) is not str:
            raise MalformedMessageError("a value has an unknown type")
        try:
            if name in STANDARD_DECODERS:
                return STANDARD_DECODERS[name](self.decode(node["of"], depth + 1))
            read = NODE_DECODERS.get(name)
            return read(self, node, depth) if read else self.beyond(node, self)
        except MalformedMessageError:
            raise
        except Exception as error:
            raise MalformedMessageError(f"a value can't be decoded ({type(error).__name__})") from None

    def keep(self, thing: Any, node: Node = None) -> Any:
        if node is not None:
            self.places[len(self.kept)] = node["at"]
        self.kept.append(thing)
        return thing

    def fill(self, kind: Any, nodes: Node, depth: int) -> Any:
        found = self.keep(kind())
        parts = self.each(nodes, depth)
        (kind.update if kind is set else kind.extend)(found, parts)
        return found

    def each(self, nodes: Node, depth: int) -> list[Any]:
        if type(nodes) is not list:
            raise MalformedMessageError("the parts of a value are not a list")
        return [self.decode(one, depth + 1) for one in nodes]

    def get_by_number(self, number: Node, found: list[Any]) -> Any:
        if type(number) is not int or not 0 <= number < len(found):
            raise MalformedMessageError("a reference to an unknown value")
        return found[number]

    def read_named(self, node: Node, depth: int) -> tuple:
        name, fields, parts = node["name"], tuple(node["fields"]), self.each(node["of"], depth)
        if not all(map(is_field_name, (name, *fields))) or len(fields) != len(parts):
            raise MalformedMessageError("a named tuple has invalid names or a wrong number of values")
        kind: Any = self.classes(name)
        if kind is None or getattr(kind, "_fields", None) != fields:
            kind = make_named_tuple(name, fields)
        return tuple.__new__(kind, parts)

    def read_numbers(self, node: Node, depth: int) -> list:
        data = self.buffers[self.place(node)]
        if node["type"] not in ("<f8", "<i8") or len(data) > 8 * MAX_LIST_LENGTH:
            raise MalformedMessageError("a list of numbers is too long or has an unknown type")
        return self.keep(array("d" if node["type"] == "<f8" else "q", bytes(data)).tolist())

    def read_dict(self, node: Node, depth: int) -> dict:
        found = self.keep(MAPPINGS[node["is"]]())
        for key, value in node["of"]:
            # The key first, as in the encoder: mutable values are numbered in this order.
            key = self.decode(key, depth + 1)
            found[key] = self.decode(value, depth + 1)
        return found

    def read_int(self, node: Node, depth: int) -> int:
        if len(node["hex"]) > MAX_HEX_DIGITS:
            raise MalformedMessageError("an integer is too long")
        return int(node["hex"], 16)

    def read_complex(self, node: Node, depth: int) -> complex:
        real, imaginary = node["of"]
        if not {type(real), type(imaginary)} <= {int, float}:
            raise MalformedMessageError("the parts of a complex number are not numbers")
        return complex(real, imaginary)

    def read_scalar(self, node: Node, depth: int) -> Any:
        if node["shape"] != []:
            raise MalformedMessageError("a scalar has a shape")
        return self.numbers(node)[()]

    def read_dtype(self, node: Node, depth: int) -> Any:
        name = make_text_decoder(str)(node["of"])
        if name.removeprefix("torch.") in TENSOR_DTYPES and name.startswith("torch."):
            import torch

            return getattr(torch, name.removeprefix("torch."))
        found = np.dtype(name)
        if found.names or found.subdtype:
            raise MalformedMessageError("a dtype has fields or a subarray")
        return found

    def read_array(self, node: Node, depth: int) -> np.ndarray:
        array = self.keep(self.numbers(node), node)
        if node.get("fixed") is True:
            array.flags.writeable = False
        return array

    def read_objects(self, node: Node, depth: int) -> np.ndarray:
        shape = self.shape(node)
        if type(node["of"]) is not list or math.prod(shape) != len(node["of"]):
            raise MalformedMessageError("the size of an array does not match its shape")
        found = self.keep(np.empty(shape, dtype=object))
        flat = found.reshape(-1)
        for place, part in enumerate(self.each(node["of"], depth)):
            flat[place] = part
        return found

    def read_tensor(self, node: Node, depth: int) -> Any:
        import torch

        if node["type"] not in TENSOR_DTYPES:
            raise MalformedMessageError("a tensor has an unknown dtype")
        dtype, shape = getattr(torch, node["type"]), self.shape(node)
        if node["on"] == "meta":
            return torch.empty(shape, dtype=dtype, device="meta")
        data = self.data(node, dtype.itemsize, shape, dtype is torch.bool)
        if not data:
            return self.keep(torch.empty(shape, dtype=dtype), node)
        return self.keep(torch.frombuffer(data, dtype=dtype).reshape(shape), node)

    def numbers(self, node: Node) -> np.ndarray:
        """Return the array of a node; the array is writable."""
        if type(node["type"]) is not str or len(node["type"]) > 30:
            raise MalformedMessageError("an array has an unknown dtype")
        dtype, shape = np.dtype(node["type"]), self.shape(node)
        if dtype.kind not in ARRAY_KINDS or dtype.subdtype or dtype.names or not dtype.itemsize:
            raise MalformedMessageError("an array has an unknown dtype")
        data = self.data(node, dtype.itemsize, shape, dtype.kind == "b")
        if not data:
            return np.empty(shape, dtype)
        return np.frombuffer(data, dtype).reshape(shape, order="F" if node.get("order") == "F" else "C")

    def shape(self, node: Node) -> tuple[int, ...]:
        shape = node["shape"]
        if type(shape) is not list or len(shape) > 32 or any(type(n) is not int or n < 0 for n in shape):
            raise MalformedMessageError("an array has an invalid shape")
        return tuple(shape)

    def data(self, node: Node, itemsize: int, shape: tuple[int, ...], booleans: bool) -> bytearray:
        data = self.buffers[self.place(node)]
        if len(data) != math.prod(shape) * itemsize:
            raise MalformedMessageError("the size of an array does not match its shape")
        if booleans:
            # Bytes other than 0 and 1 are not valid booleans.
            data[:] = data.translate(BYTE_TO_BOOLEAN)
        return data

    def place(self, node: Node) -> int:
        at = node["at"]
        if type(at) is not int or not 0 <= at < len(self.buffers) or at in self.used:
            raise MalformedMessageError("a buffer is missing or used twice")
        self.used.add(at)
        return at


NODE_DECODERS: dict[str, Callable[[Decoder, Node, int], Any]] = {
    "again": lambda decoder, node, depth: decoder.get_by_number(node["of"], decoder.kept),
    "yours": lambda decoder, node, depth: decoder.get_by_number(node["of"], decoder.asked),
    "tuple": lambda decoder, node, depth: tuple(decoder.each(node["of"], depth)),
    "set": lambda decoder, node, depth: decoder.fill(set, node["of"], depth),
    "frozenset": lambda decoder, node, depth: frozenset(decoder.each(node["of"], depth)),
    "bytes": lambda decoder, node, depth: bytes(decoder.buffers[decoder.place(node)]),
    "text": lambda decoder, node, depth: decoder.buffers[decoder.place(node)].decode(errors="surrogatepass"),
    "size": lambda decoder, node, depth: import_module("torch").Size(decoder.each(node["of"], depth)),
    "device": lambda decoder, node, depth: import_module("torch").device(make_text_decoder(str)(node["of"])),
    "table": lambda decoder, node, depth: pandas_codec.decode_table(decoder.each(node["of"], depth)),
    **dict.fromkeys(MAPPINGS, Decoder.read_dict),
    "named": Decoder.read_named,
    "numbers": Decoder.read_numbers,
    "int": Decoder.read_int,
    "complex": Decoder.read_complex,
    "scalar": Decoder.read_scalar,
    "dtype": Decoder.read_dtype,
    "array": Decoder.read_array,
    "objects": Decoder.read_objects,
    "tensor": Decoder.read_tensor,
}


@lru_cache(maxsize=1000)
def make_named_tuple(name: str, fields: tuple[str, ...]) -> Any:
    return namedtuple(name, fields, module=MAIN)


def to_numeric_array(value: list) -> array | None:
    """Return a long list of floats, or of 64-bit integers, as an array; None for any other list."""
    kinds = set(map(type, value)) if len(value) > MIN_BUFFERED_LIST else set()
    if kinds == {float}:
        return array("d", value)
    whole = kinds == {int} and -(2**63) <= min(value) and max(value) < 2**63
    return array("q", value) if whole else None


def is_column_major(array: np.ndarray) -> bool:
    """Return True if the memory order of an array is column-major, but not also row-major."""
    return array.flags.f_contiguous and not array.flags.c_contiguous


def to_row_major_bytes(array: np.ndarray) -> Any:
    """Return the bytes of an array in row-major order.

    The result for a large contiguous array is a view, to avoid a copy.
    """
    return (
        array.tobytes()
        if array.nbytes < MIN_ZERO_COPY_BYTES
        else np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    )
