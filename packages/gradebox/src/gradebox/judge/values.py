"""Values of Python's own library, of NumPy and of torch that cross as what they are, and not as plain data.

Each has a word, a function that packs it, and one that reads it. Those of other libraries are in `tables.py`
and `formulas.py`.
"""

import builtins
import datetime
import sys
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Iterable
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from pathlib import Path, PosixPath, PurePath, PurePosixPath, PureWindowsPath
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import numpy as np

from gradebox.judge import formulas, tables
from gradebox.judge.forms import Packs, Unpacks
from gradebox.judge.protocol import LONGEST_NAME, Malformed, Node

Pack = Callable[[Packs, Any, int], Node]
Read = Callable[[Unpacks, Node, int], Any]
# By which the classes of proxies are known (see `proxies.py`).
STANDS_IN = "_kind_in_the_submission"
# Longer than any number that is written out, and short enough to be read at once.
LONGEST_DIGITS = 4000
# A list that is longer than this is looked at as a whole, up to so many.
LONG, LONGEST_LIST = 100, 10**7
PATHS: dict[str, type] = {
    "Path": Path,
    **{kind.__name__: kind for kind in (PosixPath, PurePosixPath, PureWindowsPath)},
}
# Classes that are values themselves, such as `int` in a list of types. To call one makes data, no more.
CLASSES: dict[str, type] = {
    f"{kind.__module__}.{kind.__qualname__}": kind
    for kind in (
        *(bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, slice),
        *(object, type(None), Counter, OrderedDict, defaultdict, deque, Decimal, Fraction, np.ndarray),
        *(datetime.date, datetime.time, datetime.datetime, datetime.timedelta),
        *(one for one in vars(builtins).values() if isinstance(one, type) and issubclass(one, Exception)),
        *(kind for kind in np.sctypeDict.values() if isinstance(kind, type)),
    )
}
FACTORIES = {kind.__name__: kind for kind in (int, float, str, bool, list, dict, set, tuple)}
# What packs the values of other libraries.
ELSEWHERE: dict[str, Pack] = {"pandas": tables.pack, **dict.fromkeys(("scipy", "sympy"), formulas.pack)}


# -- Python's own -----------------------------------------------------------------------------------


def pack_list(packer: Packs, value: list, depth: int) -> Node:
    """A list; a long one of whole numbers, or of others, as their bytes."""
    if len(value) > LONG and (kind := numbers_of(value)):
        packer.take_note_of_plain(value)
        return {"is": "numbers", "type": kind, "at": packer.buffer(np.array(value, dtype=kind).tobytes())}
    return packer.container(value, value, depth)


def numbers_of(value: list) -> str | None:
    """The type of the numbers in a list, if they are all of one."""
    kinds = set(map(type, value))
    if kinds == {float}:
        return "<f8"
    return "<i8" if kinds == {int} and -(2**63) <= min(value) and max(value) < 2**63 else None


def read_numbers(unpacker: Unpacks, node: Node, depth: int) -> list:
    data = unpacker.buffers[unpacker.place(node)]
    if node["type"] not in ("<f8", "<i8") or len(data) % 8 or len(data) > 8 * LONGEST_LIST:
        raise Malformed("a list of it has no known type")
    found = np.frombuffer(data, node["type"]).tolist()
    unpacker.end(unpacker.begin(found), depth)
    return found


def read_text(make: Callable[[str], Any]) -> Read:
    def read(unpacker: Unpacks, node: Node, depth: int) -> Any:
        said = node["of"]
        if type(said) is not str or len(said) > LONGEST_DIGITS:
            raise Malformed("a text of it is none, or too long")
        return make(said)

    return read


def pack_decimal(packer: Packs, value: Decimal, depth: int) -> Node:
    said = str(value)
    return {"is": "decimal", "of": said} if len(said) <= LONGEST_DIGITS else packer.beyond(value, packer)


def pack_fraction(packer: Packs, value: Fraction, depth: int) -> Node:
    return {"is": "fraction", "of": packer.each((value.numerator, value.denominator), depth)}


def read_fraction(unpacker: Unpacks, node: Node, depth: int) -> Fraction:
    over, under = unpacker.parts_of(node["of"], depth)
    if type(over) is not int or type(under) is not int:
        raise Malformed("a fraction of it is none")
    return Fraction(over, under)


def pack_moment(packer: Packs, value: Any, depth: int) -> Node:
    """A date, a time, or both; its zone as an offset in seconds, or by its name."""
    word = "date" if type(value) is datetime.date else "time" if type(value) is datetime.time else "datetime"
    node: dict[str, Node] = {
        "is": word,
        "of": value.isoformat() if word != "datetime" else str(value.replace(tzinfo=None)),
    }
    zone = getattr(value, "tzinfo", None)
    if zone is None:
        return node
    if word == "time":
        node["of"] = value.replace(tzinfo=None).isoformat()
    name = getattr(zone, "key", None)
    if type(zone) is datetime.timezone:
        offset = zone.utcoffset(None)
        return node | {"zone": [offset.days, offset.seconds, offset.microseconds], "fold": value.fold}
    if type(zone).__module__.startswith("zoneinfo") and type(name) is str:
        return node | {"zone": name, "fold": value.fold}
    return packer.beyond(value, packer)


def read_moment(kind: Any) -> Read:
    def read(unpacker: Unpacks, node: Node, depth: int) -> Any:
        found = read_text(kind.fromisoformat)(unpacker, node, depth)
        zone = node.get("zone")
        if zone is None:
            return found
        if type(zone) is str:
            from zoneinfo import ZoneInfo

            return found.replace(tzinfo=ZoneInfo(zone), fold=node["fold"])
        offset = datetime.timezone(datetime.timedelta(*zone))
        return found.replace(tzinfo=offset, fold=node["fold"])

    return read


def pack_span(packer: Packs, value: datetime.timedelta, depth: int) -> Node:
    return {"is": "timedelta", "of": [value.days, value.seconds, value.microseconds]}


def pack_path(packer: Packs, value: PurePath, depth: int) -> Node:
    return {"is": "path", "kind": type(value).__name__, "of": str(value)}


def read_path(unpacker: Unpacks, node: Node, depth: int) -> PurePath:
    return read_text(PATHS[node["kind"]])(unpacker, node, depth)


def pack_range(packer: Packs, value: Any, depth: int) -> Node:
    word = type(value).__name__
    return {"is": word, "of": packer.each((value.start, value.stop, value.step), depth)}


def read_range(unpacker: Unpacks, node: Node, depth: int) -> Any:
    return range(*unpacker.parts_of(node["of"], depth))


def read_slice(unpacker: Unpacks, node: Node, depth: int) -> slice:
    return slice(*unpacker.parts_of(node["of"], depth))


def pack_bytearray(packer: Packs, value: bytearray, depth: int) -> Node:
    packer.take_note_of_plain(value)
    return {"is": "bytearray", "at": packer.buffer(bytes(value))}


def read_bytearray(unpacker: Unpacks, node: Node, depth: int) -> bytearray:
    found = bytearray(unpacker.buffers[unpacker.place(node)])
    unpacker.keep_at(found, node)
    return found


def pack_deque(packer: Packs, value: deque, depth: int) -> Node:
    return {"is": "deque", "most": value.maxlen, "of": packer.container(value, deque.__iter__(value), depth)}


def read_deque(unpacker: Unpacks, node: Node, depth: int) -> deque:
    return unpacker.fill(deque(maxlen=node["most"]), node["of"], depth)


def pack_pairs(word: str) -> Pack:
    return lambda packer, value, depth: {"is": word, "of": packer.pairs(value, dict.items(value), depth)}


def read_pairs(kind: Any) -> Read:
    return lambda unpacker, node, depth: unpacker.fill_pairs(kind(), node["of"], depth)


def pack_defaults(packer: Packs, value: defaultdict, depth: int) -> Node:
    factory = value.default_factory
    name = next((name for name, kind in FACTORIES.items() if kind is factory), None)
    if name is None and factory is not None:
        return packer.beyond(value, packer)
    return {"is": "defaults", "new": name, "of": packer.pairs(value, dict.items(value), depth)}


def read_defaults(unpacker: Unpacks, node: Node, depth: int) -> defaultdict:
    found: defaultdict = defaultdict(None)
    unpacker.fill_pairs(found, node["of"], depth)
    found.default_factory = FACTORIES[node["new"]] if node["new"] is not None else None
    return found


def pack_view(word: str) -> Pack:
    """What `keys`, `values` and `items` of a dict give."""
    return lambda packer, value, depth: {"is": word, "of": packer.each(list(value), depth)}


def read_keys(unpacker: Unpacks, node: Node, depth: int) -> Any:
    return dict.fromkeys(unpacker.parts_of(node["of"], depth)).keys()


def read_values(unpacker: Unpacks, node: Node, depth: int) -> Any:
    return dict(enumerate(unpacker.parts_of(node["of"], depth))).values()


def read_items(unpacker: Unpacks, node: Node, depth: int) -> Any:
    return dict(unpacker.parts_of(node["of"], depth)).items()


def pack_uuid(packer: Packs, value: UUID, depth: int) -> Node:
    return {"is": "uuid", "of": str(value)}


def pack_namespace(packer: Packs, value: SimpleNamespace, depth: int) -> Node:
    return {"is": "namespace", "of": packer.pairs(value, vars(value).items(), depth)}


def read_namespace(unpacker: Unpacks, node: Node, depth: int) -> SimpleNamespace:
    found = SimpleNamespace()
    begun = unpacker.begin(found)
    for name, value in unpacker.pairs_of(node["of"], depth):
        if type(name) is not str or not name.isidentifier() or name.startswith("__"):
            raise Malformed("an attribute of it has no name")
        setattr(found, name, value)
    unpacker.end(begun, depth)
    return found


def pack_class(packer: Packs, value: type, depth: int) -> Node:
    name = f"{value.__module__}.{value.__qualname__}"
    return {"is": "class", "of": name} if CLASSES.get(name) is value else packer.beyond(value, packer)


def pack_one(word: str) -> Pack:
    return lambda packer, value, depth: {"is": word}


def pack_named(packer: Packs, value: tuple, depth: int) -> Node:
    """A named tuple, with the names of its fields and of its class."""
    kind = type(value)
    fields, name = list(kind._fields), kind.__name__  # type: ignore[attr-defined]
    try:
        tuple_of(name, str(kind.__module__), tuple(fields))
    except (ValueError, TypeError):
        return packer.plain(value, depth)
    about = {"name": name[:LONGEST_NAME], "module": str(kind.__module__), "fields": fields}
    return {"is": "named", **about, "of": packer.each(tuple.__iter__(value), depth)}


def read_named(unpacker: Unpacks, node: Node, depth: int) -> tuple:
    name, module, fields = node["name"], node["module"], tuple(node["fields"])
    parts = unpacker.parts_of(node["of"], depth)
    if {type(one) for one in (name, module, *fields)} != {str} or len(parts) != len(fields):
        raise Malformed("a named tuple of it is none")
    known: Any = unpacker.classes(module, name)
    if not (known and issubclass(known, tuple) and getattr(known, "_fields", None) == fields):
        known = tuple_of(name, module, fields)
    return tuple.__new__(known, parts)


@lru_cache(maxsize=1000)
def tuple_of(name: str, module: str, fields: tuple[str, ...]) -> Any:
    """A class of named tuples. Raises ValueError if it can't have such names."""
    return namedtuple(name, fields, module=module)


def pack_beyond(packer: Packs, value: Any, depth: int) -> Node:
    return packer.beyond(value, packer)


# -- NumPy's and torch's ----------------------------------------------------------------------------


def pack_array(packer: Packs, plain: np.ndarray, original: Any, depth: int) -> Node:
    """An array of objects, or with fields. What else there may be is no data."""
    if plain.dtype == object:
        packer_node = {"is": "objects", "shape": list(plain.shape)}
        return packer_node | {"of": packer.container(original, list(plain.ravel()), depth)}
    fields = plain.dtype.fields
    if not fields or any(kind[0].base.kind not in "biufcSUmM" for kind in fields.values()):
        return packer.beyond(original, packer)
    names = plain.dtype.names or ()
    kinds = [[name, plain.dtype[name].base.str, list(plain.dtype[name].shape)] for name in names]
    parts = packer.each((plain[name] for name in names), depth)
    node = {"is": "records", "shape": list(plain.shape), "fields": kinds, "of": parts}
    return node | {"as": "recarray"} if type(original) is np.recarray else node


def read_objects(unpacker: Unpacks, node: Node, depth: int) -> np.ndarray:
    nodes, shape = node["of"], unpacker.shape(node)
    if type(nodes) is not list or len(nodes) != int(np.prod(shape, dtype=object)):
        raise Malformed("an array of it has another size than its shape")
    found = np.empty(shape, dtype=object)
    flat, begun = found.reshape(-1), unpacker.begin(found)
    for place, part in enumerate(unpacker.parts_of(nodes, depth)):
        flat[place] = part
    unpacker.end(begun, depth)
    return found


def read_records(unpacker: Unpacks, node: Node, depth: int) -> np.ndarray:
    shape, kinds = unpacker.shape(node), []
    parts = unpacker.parts_of(node["of"], depth)
    for (name, kind, inner), part in zip(node["fields"], parts, strict=True):
        if type(name) is not str or type(part) is not np.ndarray or part.dtype != np.dtype(kind):
            raise Malformed("an array of it has no known type")
        if part.shape != (*shape, *inner):
            raise Malformed("an array of it has another size than its shape")
        kinds.append((name, part.dtype, tuple(inner)))
    found = np.empty(shape, dtype=kinds)
    for (name, *_), part in zip(kinds, parts, strict=True):
        found[name] = part
    return found.view(np.recarray) if node.get("as") == "recarray" else found


def pack_dtype(packer: Packs, value: np.dtype, depth: int) -> Node:
    plain = value.names is None and value.subdtype is None and value.kind in "biufcSUmMO"
    return {"is": "dtype", "of": value.str} if plain else packer.beyond(value, packer)


def read_dtype(name: str) -> np.dtype:
    found = np.dtype(name)
    if found.names or found.subdtype:
        raise Malformed("a type of it is none")
    return found


def pack_torch(packer: Packs, value: Any, depth: int) -> Node:
    """What torch has besides tensors: types, sizes and devices."""
    torch, kind = sys.modules["torch"], type(value)
    if kind is torch.dtype:
        return {"is": "torchtype", "of": str(value).removeprefix("torch.")}
    if kind is torch.Size:
        return {"is": "torchsize", "of": packer.each(tuple.__iter__(value), depth)}
    if kind is torch.device:
        return {"is": "device", "of": str(value)}
    return packer.plain(value, depth)


def read_torchtype(name: str) -> Any:
    import torch

    found = getattr(torch, name)
    if type(found) is not torch.dtype:
        raise Malformed("a type of it is none")
    return found


def read_torchsize(unpacker: Unpacks, node: Node, depth: int) -> Any:
    import torch

    return torch.Size(unpacker.parts_of(node["of"], depth))


def read_device(name: str) -> Any:
    import torch

    return torch.device(name)


# -- all of them ------------------------------------------------------------------------------------


def put_parts(found: Any, parts: Iterable[Any]) -> None:
    """Fill a list, a deque or a set that is empty."""
    found.update(parts) if isinstance(found, set) else found.extend(parts)


EXACT: dict[type, Pack] = {
    list: pack_list,
    Decimal: pack_decimal,
    Fraction: pack_fraction,
    **dict.fromkeys((datetime.date, datetime.time, datetime.datetime), pack_moment),
    datetime.timedelta: pack_span,
    **dict.fromkeys((PosixPath, PurePosixPath, PureWindowsPath), pack_path),
    **dict.fromkeys((range, slice), pack_range),
    bytearray: pack_bytearray,
    UUID: pack_uuid,
    SimpleNamespace: pack_namespace,
    deque: pack_deque,
    Counter: pack_pairs("counter"),
    OrderedDict: pack_pairs("ordered"),
    defaultdict: pack_defaults,
    type({}.keys()): pack_view("keys"),
    type({}.values()): pack_view("values"),
    type({}.items()): pack_view("items"),
    type: pack_class,
    type(...): pack_one("ellipsis"),
    type(NotImplemented): pack_one("notimplemented"),
}
READERS: dict[str, Read] = {
    "numbers": read_numbers,
    "decimal": read_text(Decimal),
    "fraction": read_fraction,
    "date": read_moment(datetime.date),
    "time": read_moment(datetime.time),
    "datetime": read_moment(datetime.datetime),
    "timedelta": lambda unpacker, node, depth: datetime.timedelta(*node["of"]),
    "path": read_path,
    "range": read_range,
    "slice": read_slice,
    "bytearray": read_bytearray,
    "deque": read_deque,
    "uuid": read_text(UUID),
    "namespace": read_namespace,
    "counter": read_pairs(Counter),
    "ordered": read_pairs(OrderedDict),
    "defaults": read_defaults,
    "keys": read_keys,
    "values": read_values,
    "items": read_items,
    "class": read_text(CLASSES.__getitem__),
    "ellipsis": lambda unpacker, node, depth: ...,
    "notimplemented": lambda unpacker, node, depth: NotImplemented,
    "named": read_named,
    "objects": read_objects,
    "records": read_records,
    "dtype": read_text(read_dtype),
    "torchtype": read_text(read_torchtype),
    "torchsize": read_torchsize,
    "device": read_text(read_device),
    "table": tables.read,
    "sparse": formulas.read,
    "formula": formulas.read,
}


def travels(kind: type) -> bool:
    """Whether values of a class, and of those below it, come as what they are, and as nothing that asks.

    Not so lists and arrays, which may have a class of a notebook's own: what stands for these is compared as
    the data that they are (see `proxies.py`).
    """
    if issubclass(kind, Decimal | Fraction | PurePath | datetime.date | datetime.time | datetime.timedelta):
        return True
    return kind.__module__.partition(".")[0] in ("pandas", "sympy") or formulas.is_sparse(kind)


def packer_of(kind: type) -> Pack | None:
    """What packs values of exactly this class as what they are; None for all that has no word of its own."""
    try:
        return known_packer(kind)
    except TypeError:
        # Even its class can't be hashed.
        return pack_beyond


@lru_cache(maxsize=1000)
def known_packer(kind: type) -> Pack | None:
    if kind in EXACT:
        return EXACT[kind]
    if any(STANDS_IN in vars(one) for one in kind.__mro__):
        # Whatever it says of its class, and of the module of that.
        return pack_beyond
    if issubclass(kind, Enum):
        # It may be a number or a text, too.
        return pack_beyond
    modules = (type.__getattribute__(one, "__module__") for one in kind.__mro__)
    # Classes that SymPy makes as it goes have none.
    module = next((one for one in modules if type(one) is str), "")
    root = module.partition(".")[0]
    if root == "torch":
        return pack_torch
    if root in ELSEWHERE:
        return ELSEWHERE[root]
    if issubclass(kind, np.dtype):
        return pack_dtype
    if issubclass(kind, tuple) and isinstance(getattr(kind, "_fields", None), tuple):
        return pack_named
    return None
