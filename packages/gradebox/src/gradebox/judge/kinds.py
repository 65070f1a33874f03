"""What an object is and can do, as its process says it: what a proxy of it looks like in the other one.

All of this is a claim of the student's process. It decides which questions a proxy asks, and what
`isinstance` says of it, as any object's class says of itself in one process; it makes no answer right.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from gradebox.judge.protocol import LONGEST_NAME, Malformed, Node

# What classes have of their own, and objects of Python's don't.
ASKED = (
    *("__call__", "__len__", "__iter__", "__next__", "__reversed__", "__contains__", "__length_hint__"),
    *("__getitem__", "__setitem__", "__delitem__", "__enter__", "__exit__", "__bool__"),
    *("__int__", "__float__", "__complex__", "__index__", "__bytes__"),
)
# What is told from other values of a class by these: they are asked of the student's process only where the
# course's own solutions define them (see `Proxy`).
COMPARES = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
_BOTH = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift divmod"
REFLECTED = {f"__{name}__": f"__r{name}__" for name in _BOTH.split()}
BINARY = (*REFLECTED, *REFLECTED.values(), *(f"__i{name}__" for name in _BOTH.split() if name != "divmod"))
UNARY = ("__neg__", "__pos__", "__abs__", "__invert__", "__round__", "__trunc__", "__floor__", "__ceil__")
OPERATORS = frozenset((*COMPARES, "__hash__", *BINARY, *UNARY, "__contains__"))
# Methods of other names that do the same.
COMPARING = frozenset(
    "equals equal allclose array_equal identical isclose is_close eq ne lt le gt ge issubset issuperset "
    "isdisjoint startswith endswith isin match fullmatch search find rfind count".split()
)
CAN = (*ASKED, *COMPARES, "__hash__", *BINARY, *UNARY)
# The module of what a notebook defines.
MAIN = "__main__"
# How many classes an object may have above its own, and how many fields.
LONGEST_LINE, MOST_FIELDS = 40, 200


class Class(NamedTuple):
    """The name of a class. number: what it is known by as an object, if a notebook defines it."""

    module: str
    name: str
    number: int | None = None


Line = tuple[Class, ...]


@dataclass(frozen=True)
class Kind:
    """A class of the student's process.

    line: itself and the classes above it. can: which of CAN it has of its own. fields: of a dataclass; None
    for anything else.
    """

    line: Line
    can: frozenset[str]
    fields: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        return self.line[0].name

    def is_one_of(self, module: str, name: str) -> bool:
        return any(one.module == module and one.name == name for one in self.line)


def of_class(kind: type, number: Callable[[type], int]) -> dict[str, Node]:
    """What there is to say of a class. number: gives one to a class that a notebook defines."""
    can = sum(1 << place for place, one in enumerate(CAN) if has(kind, one))
    said: dict[str, Node] = {"line": line_of(kind, number), "can": can}
    if compared_by_fields(kind):
        said["fields"] = [one.name for one in dataclasses.fields(kind)][:MOST_FIELDS]
    return said


def line_of(kind: type, number: Callable[[type], int]) -> list[Node]:
    found: list[Node] = []
    for one in of_type("__mro__", kind)[:LONGEST_LINE]:
        module, name = str(of_type("__module__", one))[:LONGEST_NAME], of_type("__name__", one)[:LONGEST_NAME]
        found.append([module, name, number(one)] if module == MAIN else [module, name])
    return found


def has(kind: type, name: str) -> bool:
    """Whether a class has something of its own by this name, and not just what every object has."""
    for one in of_type("__mro__", kind):
        own = of_type("__dict__", one)
        if one is not object and name in own:
            return own[name] is not None
    return False


def of_type(name: str, kind: type) -> Any:
    """What Python knows of a class, whatever the class of that class says."""
    return type.__dict__[name].__get__(kind)


def compared_by_fields(kind: type) -> bool:
    """Whether a class has the comparison that `dataclass` has made, and none that somebody wrote."""
    own = of_type("__dict__", kind)
    code = getattr(own.get("__eq__"), "__code__", None)
    return "__dataclass_fields__" in own and code is not None and code.co_filename == "<string>"


def read(said: Node) -> Kind:
    """The same, as it was sent. Raises Malformed."""
    if type(said) is not dict or type(said.get("can")) is not int or not 0 <= said["can"] < 1 << len(CAN):
        raise Malformed("an object of it is of no kind")
    can, fields = said["can"], said.get("fields")
    if fields is not None:
        if type(fields) is not list or not all(type(one) is str and one.isidentifier() for one in fields):
            raise Malformed("an object of it has fields without a name")
        fields = tuple(fields[:MOST_FIELDS])
    return Kind(read_line(said.get("line")), names_in(can), fields)


def read_line(said: Node) -> Line:
    """Raises Malformed."""
    if type(said) is not list or not 0 < len(said) <= LONGEST_LINE:
        raise Malformed("an object of it is of no kind")
    for one in said:
        if type(one) is not list or [*map(type, one)] not in ([str, str], [str, str, int]):
            raise Malformed("an object of it has a class without a name")
    return tuple(Class(module[:LONGEST_NAME], name[:LONGEST_NAME], *number) for module, name, *number in said)


@lru_cache(maxsize=1000)
def names_in(can: int) -> frozenset[str]:
    return frozenset(name for place, name in enumerate(CAN) if can >> place & 1)
