"""What stands in the judge for an object of the student's process.

A proxy asks that process for each thing that is done with it, and only data, or another proxy, comes back
(see `data.py`). It can do what the object's class can (see `kinds.py`), and Python's own errors say the rest.

What tells values from each other (==, <, +, in, hash) would let an object agree with whatever a test expects.
So it is asked for only where the course's own solutions define it for such objects; what is data otherwise,
such as a Parameter, is compared as data; and for all else the test fails as one that can't be judged. The
same holds for methods that compare, such as `equals`.
"""

import dataclasses
import inspect
import sys
import types
from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial, wraps
from types import FrameType
from typing import Any

import numpy as np

from gradebox.judge import decoys, server
from gradebox.judge.asker import Asker
from gradebox.judge.code import code_of
from gradebox.judge.kinds import BINARY, COMPARES, COMPARING, MAIN, UNARY, Class, Kind, Line
from gradebox.judge.lookups import called_at_once
from gradebox.judge.protocol import LONGEST_TEXT
from gradebox.judge.signs import is_submissions

# Attributes with such names that are asked for like others. Protocols of NumPy, torch, pickle and IPython
# would take addresses or code from some that are not here.
ALLOWED = frozenset(
    f"__{name}__"
    for name in (
        "name doc qualname module wrapped annotations defaults kwdefaults dict bases mro self func closure "
        "version file cause context notes traceback init new post_init call len iter next getitem setitem "
        "delitem contains enter exit bool int float complex index str repr format bytes reversed "
        "slots members subclasses match_args abstractmethods"
    ).split()
) | {*COMPARES, *BINARY, *UNARY, "__hash__"}
# How many classes of proxies there may be: each object may claim another one.
MOST_CLASSES = 1000
OWN = "_of_the_submission"
FUNCTION = Class("builtins", "function")
# What is made anew each time that it is looked up.
BOUND = {("builtins", name) for name in ("method", "builtin_function_or_method", "method-wrapper")}
# Classes of data, whose values come as objects if their own class is below.
ARE_DATA = {("torch", "Tensor"), ("numpy", "ndarray")} | {
    ("builtins", name) for name in ("str", "int", "float", "list", "tuple", "dict", "set", "frozenset")
}
# Methods of numbers that say how far from others they are.
DIFFER = {"sub", "subtract", "dist"}
# What makes a Flag of Flags.
OF_FLAGS = frozenset(("__or__", "__and__", "__xor__", "__ror__", "__rand__", "__rxor__", "__invert__"))
# By which a generator goes on, besides `next`.
RESUMES = ("send", "throw")


class Unable(BaseException):
    """The judge can't do what a test asks for. It passes any `except Exception` of a test."""


class Proxy:
    """An object of the student's process."""

    __slots__ = ("__weakref__", OWN)
    _kind_in_the_submission = Kind((Class("builtins", "object"),), frozenset())

    def __init__(self, link: Asker, number: int, itself: Line | None = None):
        """itself: of an object that is a class, that class and those above it."""
        if isinstance(link, str) and isinstance(number, tuple):
            # Python makes a class below one that a proxy stands for.
            base = next(one for one in number if is_proxy(one))
            raise unable(base, "defines a class below")
        object.__setattr__(self, OWN, (link, number, itself))

    def __getattribute__(self, name: str) -> Any:
        # What a test looks up by name is the object's, also where a proxy has something of that name.
        if name in ALLOWED:
            return Proxy.__getattr__(self, name)
        return object.__getattribute__(self, name)

    def __getattr__(self, name: str) -> Any:
        if name == "__signature__":
            return signature(self)
        if name == "__code__":
            return code(self)
        if name in TELLS or (name in DIFFER and is_data(self)):
            return telling(self, name)
        if name not in ALLOWED and name.startswith(("__", "_repr_", "_ipython_")):
            raise AttributeError(name)
        if name in RESUMES and "__next__" in type(self)._kind_in_the_submission.can:
            return lambda *what: resumed(self, name, *what)
        if name.startswith("_") and name not in ALLOWED and is_librarys(sys._getframe(1)):
            raise AttributeError(name)
        if called_at_once(name, sys._getframe(1)):
            return Method(self, name)
        return ask(self, "get", name)

    def __setattr__(self, name: str, value: Any) -> None:
        ask(self, "set", name, value)

    def __delattr__(self, name: str) -> None:
        ask(self, "unset", name)

    def __dir__(self) -> list[str]:
        found = ask(self, "names_of")
        return [name for name in found if type(name) is str] if type(found) is list else []

    def __repr__(self) -> str:
        return str(ask(self, "text"))[:LONGEST_TEXT]

    def __str__(self) -> str:
        return str(ask(self, "string"))[:LONGEST_TEXT]

    def __format__(self, how: str) -> str:
        return str(ask(self, "formatted", how))[:LONGEST_TEXT]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(plain(self), dtype)

    def __reduce__(self) -> tuple:
        return server.own, (owned(self)[1],)

    def __copy__(self) -> Any:
        return ask(self, "copy", False)

    def __deepcopy__(self, memo: dict) -> Any:
        return ask(self, "copy", True)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return class_of(self)

    def __instancecheck__(self, thing: Any) -> bool:
        return ask(self, "is_instance", thing) is True

    def __subclasscheck__(self, kind: Any) -> bool:
        return ask(self, "is_subclass", kind) is True

    def __eq__(self, other: Any) -> Any:
        return equal(self, other)

    def __hash__(self) -> int:
        return hashed(self)


# Past what attributes of a proxy are otherwise: its link, its number there, and of a class itself.
owned: Callable[[Proxy], tuple[Asker, int, Line | None]] = Proxy.__dict__[OWN].__get__


def ask(proxy: Proxy, do: str, *what: Any) -> Any:
    return owned(proxy)[0].ask(do, proxy, *what)


def is_librarys(frame: FrameType) -> bool:
    """Whether code is of a library that takes some private attributes for a sign of its own objects."""
    return str(frame.f_globals.get("__name__")).partition(".")[0] in ("pandas", "numpy", "scipy", "sympy")


def is_proxy(value: Any) -> bool:
    """Whether this is one; what its class says of itself is not asked."""
    return issubclass(type(value), Proxy)


def unable(proxy: Proxy, what: str) -> BaseException:
    """What to raise where a test wants what can't be judged."""
    link, name = owned(proxy)[0], type(proxy)._kind_in_the_submission.name
    return link.note_unable(f"the test {what} an object of the submission's class {name}, which is no data")


# -- what it is -------------------------------------------------------------------------------------


def class_of(proxy: Proxy) -> type:
    """The class that a proxy's object has: one that is known here, or a stand-in for the submission's."""
    link, _, itself = owned(proxy)
    if itself is not None:
        return type
    line = type(proxy)._kind_in_the_submission.line
    if link.travels(line):
        raise unable(proxy, "looks at the class of")
    # What is no class here is passed over by `isinstance`.
    return link.class_of(line) or asked_type(proxy)


def type_of(value: Any) -> Any:
    """What `type` says of a value, or says there of an object of the submission's."""
    if not is_proxy(value):
        return type(value)
    link, _, itself = owned(value)
    if itself is not None:
        return type
    line = type(value)._kind_in_the_submission.line
    if link.travels(line):
        raise unable(value, "looks at the class of")
    return link.known(line[0]) or asked_type(value)


def asked_type(proxy: Proxy) -> Any:
    """What stands here for a class of the submission's."""
    found = ask(proxy, "type")
    if is_proxy(found) and owned(found)[2] is not None:
        return found
    # Classes of errors are classes here, too.
    if isinstance(found, type) and found.__module__ == MAIN and issubclass(found, Exception):
        return found
    raise owned(proxy)[0].tampered("the submission's process has sent a class that is none")


def signature(proxy: Proxy) -> inspect.Signature:
    """The parameters of a function of the student's. Raises AttributeError if they can't be told."""
    said = ask(proxy, "signature")
    if type(said) is not list:
        raise AttributeError("__signature__")
    empty = inspect.Parameter.empty
    try:
        found = [
            inspect.Parameter(
                name, kind, default=default[0] if default else empty, annotation=about[0] if about else empty
            )
            for name, kind, default, about in said[1:]
        ]
        returns = said[0][0] if said[0] else inspect.Signature.empty
        return inspect.Signature(found, return_annotation=returns)
    except (TypeError, ValueError, LookupError):
        raise AttributeError("__signature__") from None


def hints_of(original: Callable[..., dict]) -> Callable[..., dict]:
    """What `typing.get_type_hints` is in a judge: types that stand as texts mean what they do there."""

    @wraps(original)
    def get_type_hints(thing: Any, *args: Any, **kwargs: Any) -> dict:
        return ask(thing, "hints") if is_proxy(thing) else original(thing, *args, **kwargs)

    return get_type_hints


def code(proxy: Proxy) -> Any:
    """The code of a function of the student's, compiled from its text, and not run. Raises AttributeError."""
    said = ask(proxy, "source")
    found = code_of(*said) if type(said) is list and [*map(type, said)] == [str, str] else None
    if found is None:
        raise AttributeError("__code__")
    return found


# -- what tells values from each other --------------------------------------------------------------


def may_ask(proxy: Proxy, name: str) -> bool:
    """Whether the course's own solutions define this for objects of such a class."""
    link, _, itself = owned(proxy)
    line = itself or type(proxy)._kind_in_the_submission.line
    return any(one.module == MAIN and (one.name, name) in link.notebook.operators for one in line)


def telling(proxy: Proxy, name: str) -> Any:
    """What tells values from each other, looked up by its name."""
    kind, itself = type(proxy)._kind_in_the_submission, owned(proxy)[2]
    if itself is None and name in METHODS_THAT_TELL:
        if name not in kind.can and name not in COMPARES:
            raise AttributeError(f"{kind.name!r} object has no attribute {name!r}")
        return METHODS_THAT_TELL[name].__get__(proxy)
    if itself is None and is_data(proxy):
        return getattr(plain(proxy), name)
    found = ask(proxy, "get", name)
    if may_ask(proxy, name) or not is_proxy(found):
        return found

    return partial(refused, proxy, name)


def refused(proxy: Proxy, name: str, *args: Any, **kwargs: Any) -> Any:
    """What a test calls that would tell values from each other by the submission's word alone."""
    raise unable(proxy, f"uses {name} of")


def is_data(proxy: Proxy) -> bool:
    """Whether an object is data besides, such as a Parameter, or a list with methods of its own."""
    line = type(proxy)._kind_in_the_submission.line
    return any((one.module, one.name) in ARE_DATA for one in line)


def plain(proxy: Proxy) -> Any:
    """The numbers in an object. Raises TypeError if there are none."""
    data = ask(proxy, "data")
    if is_proxy(data):
        raise TypeError("this can't be made an array")
    return data


def operate(proxy: Proxy, name: str, *other: Any) -> Any:
    """What comes of an operator, in the student's process or on the numbers here."""
    if may_ask(proxy, name) or (is_data(proxy) and name.startswith("__i") and name != "__invert__"):
        found = ask(proxy, "operate", name, *other)
        found = found[0] if found else NotImplemented
        if is_data_of_test(*other) and not is_proxy(found) and found is not NotImplemented:
            # Of two numbers the object would say what is between them.
            raise unable(proxy, f"makes data by {name} and other data of")
        return found
    if is_data(proxy):
        return getattr(plain(proxy), name)(*(plain(one) if is_proxy(one) else one for one in other))
    if type(proxy)._kind_in_the_submission.is_one_of("enum", "Flag") and name in OF_FLAGS:
        found = ask(proxy, "operate", name, *other)
        if found and isinstance(found[0], Enum | Proxy):
            return found[0]
    raise unable(proxy, f"uses {name} of")


def is_data_of_test(*values: Any) -> bool:
    return any(not is_proxy(one) and type(one).__module__ != MAIN for one in values)


def compare(proxy: Proxy, other: Any, name: str) -> Any:
    """What an object says of another one: of data only if it does not say the same of any other."""

    def said(how: str, value: Any) -> Any:
        found = ask(proxy, "operate", how, value)
        return found[0] if found else NotImplemented

    if is_proxy(other) or owned(proxy)[0].is_courses(type(other)):
        return said(name, other)
    tells, found = decoys.tells(name, other, said, type(proxy)._kind_in_the_submission.can)
    if not tells:
        raise unable(proxy, "compares data with")
    return found


def equal(proxy: Proxy, other: Any, name: str = "__eq__") -> Any:
    kind = type(proxy)._kind_in_the_submission
    if owned(proxy)[2] is not None:
        return same_class(proxy, other)
    if kind.line[0] == FUNCTION and isinstance(other, types.FunctionType) and not is_proxy(other):
        return same_function(proxy, other)
    if name not in kind.can:
        # As Python has it: the very same object, or what the other one says.
        return NotImplemented
    if (kind.line[0].module, kind.line[0].name) in BOUND:
        return same_method(proxy, other)
    if may_ask(proxy, name):
        return compare(proxy, other, name)
    fields = fields_of(proxy)
    return operate(proxy, name, other) if fields is None else by_fields(proxy, other, name, fields)


def fields_of(proxy: Proxy) -> tuple[str, ...] | None:
    """By which the values of a dataclass are equal, as the course's own cells define it."""
    line, fields = type(proxy)._kind_in_the_submission.line, owned(proxy)[0].notebook.fields_of
    return next((fields[one.name] for one in line if one.module == MAIN and one.name in fields), None)


def same_class(proxy: Proxy, other: Any) -> Any:
    """Whether a class of the student's process is another class."""
    link, number, itself = owned(proxy)
    if is_proxy(other):
        return number == owned(other)[1]
    if itself is None or not isinstance(other, type):
        return NotImplemented
    return other in (link.known(itself[0]), link.below.get(itself[0]))


def same_function(proxy: Proxy, other: types.FunctionType) -> Any:
    """Whether this is what the student's process has of a function of a module that both have imported."""
    if other.__module__ in (None, MAIN):
        return NotImplemented
    return proxy.__module__ == other.__module__ and proxy.__qualname__ == other.__qualname__


def same_method(proxy: Proxy, other: Any) -> Any:
    """Whether two methods are the same one of the same object."""
    if type(other) is not type(proxy):
        return NotImplemented
    return proxy.__self__ is other.__self__ and proxy.__name__ == other.__name__


def by_fields(proxy: Proxy, other: Any, name: str, fields: tuple[str, ...]) -> Any:
    """What a dataclass says of two of its values, from their fields."""
    mine, theirs = type(proxy), type(other) if is_proxy(other) else None
    if theirs is not mine and not (theirs is None and class_of(proxy) is type(other)):
        return NotImplemented
    one, two = (tuple(getattr(thing, field) for field in fields) for thing in (proxy, other))
    return getattr(one, name)(two)


def hashed(proxy: Proxy) -> int:
    kind = type(proxy)._kind_in_the_submission
    numbers, own = kind.is_one_of("torch", "Tensor"), hash(("the submission's", owned(proxy)[1]))
    if owned(proxy)[2] is not None:
        return own
    if "__hash__" not in kind.can or numbers:
        if "__eq__" in kind.can and not numbers:
            raise TypeError(f"unhashable type: {kind.name!r}")
        return own
    if may_ask(proxy, "__hash__"):
        return int(ask(proxy, "operate", "__hash__")[0])
    fields = fields_of(proxy)
    if fields is not None:
        return hash(tuple(getattr(proxy, field) for field in fields))
    if is_data(proxy):
        return hash(plain(proxy))
    if "__eq__" not in kind.can:
        # It is equal to itself alone, as a member of an Enum is.
        return own
    raise unable(proxy, "hashes")


# -- what only some can do --------------------------------------------------------------------------


def asks(do: str) -> Callable[..., Any]:
    return lambda self, *what: ask(self, do, *what)


def call(self: Proxy, *args: Any, **kwargs: Any) -> Any:
    return ask(self, "call", list(args), kwargs)


def iterated(do: str) -> Callable[[Proxy], Iterator[Any]]:
    def values(self: Proxy) -> Iterator[Any]:
        iterator = ask(self, do)
        found: Any
        while True:
            found = ask(iterator, "resume", "__next__") if is_proxy(iterator) else None
            if type(found) not in (list, tuple) or len(found) != 1:
                raise TypeError("this can't be iterated over")
            if type(found) is tuple:
                return
            yield found[0]

    def iterate(self: Proxy) -> Iterator[Any]:
        # What is its own iterator has more to it than values: `send`, `close`.
        own = do == "iterate" and "__next__" in type(self)._kind_in_the_submission.can
        return self if own else values(self)  # type: ignore[return-value]

    return iterate


def next_one(self: Proxy) -> Any:
    return resumed(self, "__next__")


def resumed(proxy: Proxy, how: str, *what: Any) -> Any:
    """What comes next of a generator. It is at its end only if it says so in the place of a value."""
    found = ask(proxy, "resume", how, *what)
    if type(found) not in (list, tuple) or len(found) != 1:
        raise TypeError("this has no next value")
    if type(found) is tuple:
        raise StopIteration(*(one for one in found if one is not None))
    return found[0]


def number(kind: type, name: str) -> Callable[[Proxy], Any]:
    def convert(self: Proxy) -> Any:
        found = ask(self, "operate", name)
        if type(found) is not list or len(found) != 1 or type(found[0]) is not kind:
            raise TypeError(f"{name} returned no {kind.__name__}")
        return found[0]

    return convert


def leave(self: Proxy, kind: Any, error: BaseException | None, trace: Any) -> bool:
    own = error is not None and not is_submissions(error)
    found = type(error) is Exception or isinstance(error, AssertionError) or not isinstance(error, Exception)
    if own and found:
        # What the test has found wrong is for nobody to hear of, or to pass over.
        ask(self, "leave", AssertionError())
        return False
    return ask(self, "leave", error) is True


def contains(self: Proxy, thing: Any) -> bool:
    if may_ask(self, "__contains__"):
        return compare(self, thing, "__contains__") is True
    # As for a list: it is one of the values.
    return any(one is thing or one == thing for one in self)  # type: ignore[attr-defined]


def compares(name: str) -> Callable[[Proxy, Any], Any]:
    return lambda self, other: equal(self, other, name)


def operates(name: str) -> Callable[..., Any]:
    return lambda self, *other: operate(self, name, *other)


def torch_function(kind: type, function: Callable, types: Any, args: tuple = (), kwargs: Any = None) -> Any:
    """Have a function of torch's take the numbers in the place of proxies."""

    def numbers(value: Any) -> Any:
        if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
            return type(value)(map(numbers, value))
        return plain(value) if is_proxy(value) else value

    return function(*map(numbers, args), **{name: numbers(one) for name, one in (kwargs or {}).items()})


METHODS: dict[str, Callable[..., Any]] = {
    "__call__": call,
    "__len__": asks("length"),
    "__length_hint__": lambda self: NotImplemented,
    "__iter__": iterated("iterate"),
    "__reversed__": iterated("reversed"),
    "__next__": next_one,
    "__getitem__": asks("item"),
    "__setitem__": asks("put"),
    "__delitem__": asks("remove"),
    "__contains__": contains,
    "__enter__": asks("enter"),
    "__exit__": leave,
    "__int__": number(int, "__int__"),
    "__index__": number(int, "__index__"),
    "__float__": number(float, "__float__"),
    "__complex__": number(complex, "__complex__"),
    "__bytes__": number(bytes, "__bytes__"),
    **{name: compares(name) for name in COMPARES[1:]},
    **{name: operates(name) for name in (*BINARY, *UNARY)},
}


METHODS_THAT_TELL: dict[str, Callable[..., Any]] = {
    "__eq__": equal,
    "__hash__": hashed,
    "__contains__": contains,
    **{name: METHODS[name] for name in (*COMPARES[1:], *BINARY, *UNARY)},
}
TELLS = COMPARING | METHODS_THAT_TELL.keys()


def truth(self: Proxy) -> bool:
    return ask(self, "truth") is True


def made(kind: Kind) -> type[Proxy]:
    """The class of proxies for objects of this kind."""
    body: dict[str, Any] = {"__slots__": (), "_kind_in_the_submission": kind}
    body |= {name: METHODS[name] for name in kind.can if name in METHODS}
    if kind.can & {"__bool__", "__len__"}:
        body["__bool__"] = truth
    if kind.is_one_of("torch", "Tensor"):
        body["__torch_function__"] = classmethod(torch_function)
    if kind.fields is not None:
        fields = dataclasses.make_dataclass("Fields", dict.fromkeys(kind.fields, object))
        body["__dataclass_fields__"] = fields.__dataclass_fields__  # type: ignore[attr-defined]
    return type(kind.name or "object", (Proxy,), body)


class Method:
    """What a test looks up only to call it, which is one question if it asks for nothing else in between.

    If it does, as in `one.method(other.method())`, it is looked up ahead of that.
    """

    def __init__(self, of: Proxy, name: str):
        self.of, self.name = of, name
        self.link: Asker = owned(of)[0]
        self.link.methods[self] = None
        self.found: Any = None
        self.error: Exception | None = None
        self.looked_up = False

    def look_up(self) -> None:
        self.looked_up = True
        try:
            self.found = ask(self.of, "get", self.name)
        except Exception as error:
            # It is the caller's, and not of whoever asks for something else.
            self.error = error

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.error:
            raise self.error
        if self.looked_up:
            return self.found(*args, **kwargs)
        self.link.methods.pop(self, None)
        return ask(self.of, "method", self.name, list(args), kwargs)
