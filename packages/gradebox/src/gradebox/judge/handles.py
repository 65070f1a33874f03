"""Handles: the judge's references to objects of the student's process.

A handle supports calls, attributes, items, length, iteration, `with` and `repr`. Each operation is a request
to the student's process, and the result is a value or another handle. Each set of special methods that an
object's class defines has a separate handle class. Python itself therefore raises the usual TypeError for
unsupported operations.

Operators (`==`, `<`, `+`, `in`, hash) could let an object claim to equal whatever a test expects, so no
handle sends an operator that its class defines: such a test can't be judged. An object whose class does not
define `__eq__` is equal only to itself, as in Python. A Parameter, or an instance of a list or dict subclass,
is compared by its data.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from gradebox.judge.code_run_in_kernels import is_submission_error
from gradebox.judge.codec import HANDLE_SLOT, MAIN, Node, is_sent_as_data
from gradebox.judge.remote_exceptions import MAX_CLASS_NAME_LENGTH, MAX_ERROR_TEXT_LENGTH
from gradebox.kernel.frames import MalformedMessageError

# The MRO of an object's class, as pairs of module and name.
MroNames = tuple[tuple[str, str], ...]
MAX_HANDLE_CLASSES, MAX_MRO_LENGTH = 1000, 40
PROTOCOL_METHODS = (
    *("__call__", "__len__", "__iter__", "__next__", "__getitem__", "__setitem__"),
    *("__delitem__", "__enter__", "__exit__", "__bool__", "__int__", "__float__", "__index__"),
)
_BINARY_OPERATORS = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift divmod"
OPERATOR_METHODS = (
    *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__contains__", "__hash__"),
    *(
        f"__{r}{name}__"
        for r in ("", "r", "i")
        for name in _BINARY_OPERATORS.split()
        if (r, name) != ("i", "divmod")
    ),
    *("__neg__", "__pos__", "__abs__", "__invert__", "__round__"),
)
SPECIAL_METHODS = (*PROTOCOL_METHODS, *OPERATOR_METHODS)
# Ordinary methods that compare values, refused like operators.
COMPARISON_METHODS = frozenset(
    "equals equal allclose array_equal identical isclose is_close isdisjoint issubset issuperset all any "
    "startswith endswith isdigit isnumeric is_integer count find index".split()
)
# Special attributes that are requested like other attributes. The rest are protocols that would run code.
FORWARDED_ATTRIBUTES = {
    f"__{name}__"
    for name in "name doc qualname module wrapped annotations defaults dict bases mro cause init".split()
}
# Data types that students subclass.
DATA_CLASSES = {("torch", "Tensor"), ("numpy", "ndarray")} | {
    ("builtins", name) for name in "str int float list tuple dict set frozenset".split()
}
# Built-in iterator types whose names don't end with "iterator".
ITERATOR_CLASSES = {"generator", "map", "filter", "zip", "enumerate", "reversed"}
# Built-in types of functions, generators and similar objects, for `isinstance` and `inspect`.
BUILTIN_TYPES = {kind.__name__: kind for kind in (type, *vars(types).values()) if isinstance(kind, type)}


class NotJudgeable(BaseException):
    """Error for a test that the judge can't run.

    Not an Exception, so that `except Exception` in the test does not catch the error.
    """


class Handle:
    """Reference to an object of the student's process, by the object's number.

    named: False for a result where the reference returns a plain value, even if a name refers to the same
    object.
    """

    __slots__ = ("__weakref__", HANDLE_SLOT)
    _line: MroNames = (("builtins", "object"),)
    _can: frozenset[str] = frozenset()

    def __init__(self, client: Any, number: Any, named: Any):
        if not isinstance(number, int):
            # Python calls the handle's class as a metaclass; `number` is the tuple of base classes.
            base = next(filter(is_handle, number))
            raise get_reference(base)[0].end_with_not_judgeable(
                "the test defines a subclass of a class of the submission"
            )
        object.__setattr__(self, HANDLE_SLOT, (client, number, named))

    def __getattr__(self, name: str) -> Any:
        if name in COMPARISON_METHODS and not is_data(self):
            raise refuse_operator(self, name)
        if (name.startswith("__") and name not in FORWARDED_ATTRIBUTES) or name.startswith(
            ("_repr_", "_ipython_")
        ):
            raise AttributeError(name)
        if name in COMPARISON_METHODS and is_data(self):
            return getattr(fetch_data(self), name)
        if name in ("send", "throw") and "__next__" in self._can:
            return lambda *what: fetch_next_value(self, name, *what)
        return send_handle_request(self, "get", name)

    def __setattr__(self, name: str, value: Any) -> None:
        send_handle_request(self, "set", name, value)

    def __dir__(self) -> list[str]:
        return send_handle_request(self, "names_of")

    def __repr__(self) -> str:
        return format_handle(self, "text")

    def __str__(self) -> str:
        return format_handle(self, "string")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        import numpy as np

        return np.array(fetch_data(self), dtype)

    def __gradebox_gradients__(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return gradients by name (see `check_engine/check_gradients.py`)."""
        found = send_handle_request(self, "gradients", arguments)
        return found if type(found) is dict else {}

    def __copy__(self) -> Any:
        return send_handle_request(self, "copy", False)

    def __deepcopy__(self, memo: dict) -> Any:
        return send_handle_request(self, "copy", True)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return get_reference(self)[0].class_of(self._line) or type(self)

    def __instancecheck__(self, thing: Any) -> bool:
        return send_handle_request(self, "is_instance", thing) is True

    def __subclasscheck__(self, kind: Any) -> bool:
        return send_handle_request(self, "is_subclass", kind) is True

    def __hash__(self) -> int:
        if "__eq__" not in self._can or is_data(self):
            return hash((Handle, get_reference(self)[1]))
        raise refuse_operator(self, "__hash__")


get_reference: Callable[[Any], tuple[Any, int, bool]] = Handle.__dict__[HANDLE_SLOT].__get__


def is_handle(value: Any) -> bool:
    return issubclass(type(value), Handle)


def send_handle_request(handle: Handle, do: str, *what: Any) -> Any:
    """Send a request about an object and return the result.

    Raises NotAValue if the reference returns a plain value here. Iterating over an iterator is still allowed
    in place of a list, since each item is decoded like any result.
    """
    client = get_reference(handle)[0]
    if is_request_refused(handle, do):
        raise client.end_with_not_a_value(handle._line[0][1])
    return client.send_request(do, handle, *what)


def is_request_refused(handle: Handle, do: str) -> bool:
    client, *key = get_reference(handle)
    return do not in client.unexpected.get(tuple(key), (do,)) and not client.permission.request()


def format_handle(handle: Handle, do: str) -> str:
    """Return the text of an object; only its class name if the reference returns a plain value here.

    A notebook may display such an object, so no error is raised.
    """
    if is_request_refused(handle, do):
        return f"<{handle._line[0][1]} object of the submission>"
    return str(send_handle_request(handle, do))[:MAX_ERROR_TEXT_LENGTH]


def is_iterator(handle: Handle) -> bool:
    module, name = handle._line[0]
    return module == "builtins" and (name in ITERATOR_CLASSES or name.endswith("iterator"))


def refuse_operator(handle: Handle, operator: str) -> BaseException:
    """Return the error for a test that uses an operator of an object, or a method that compares values.

    A test that uses one on an object of the reference is not judged, so in a judged test, only an object that
    takes the place of a value can have the operator.
    """
    client, kind = get_reference(handle)[0], handle._line[0][1]
    if client.permission.allowed is None:
        return client.end_with_not_judgeable(
            f"the test compares or combines objects of class {kind} ({operator})"
        )
    return client.end_with_not_a_value(kind)


def is_data(handle: Handle) -> bool:
    """Return True for an object that holds data, such as a Parameter or an instance of a list subclass."""
    return any(one in DATA_CLASSES for one in handle._line)


def fetch_data(handle: Handle) -> Any:
    """Return the current data of an object. Raises TypeError for an object without data."""
    found = send_handle_request(handle, "data")
    if is_handle(found):
        raise TypeError("an object of the submission can't be converted to an array")
    return found


def iterate_handle(handle: Handle) -> Iterator[Any]:
    iterator = send_handle_request(handle, "iterate")
    while is_handle(iterator):
        try:
            found = fetch_next_value(iterator, "__next__")
        except StopIteration:
            return
        yield found
    raise TypeError("an object of the submission can't be iterated over")


def fetch_next_value(handle: Handle, how: str, *what: Any) -> Any:
    """Return the next value of an iterator or generator. Raises StopIteration at the end."""
    found = send_handle_request(handle, "resume", how, *what)
    if type(found) not in (list, tuple) or len(found) != 1:
        raise TypeError("an iterator of the submission has no next value")
    if type(found) is tuple:
        raise StopIteration(*(one for one in found if one is not None))
    return found[0]


def make_number_converter(kind: type) -> Callable[[Handle], Any]:
    def convert(self: Handle) -> Any:
        found = send_handle_request(self, "number", kind.__name__)
        if type(found) is not kind:
            raise TypeError(f"an object of the submission is not convertible to {kind.__name__}")
        return found

    return convert


def exit_handle_context(self: Handle, kind: Any, error: BaseException | None, trace: Any) -> bool:
    # The student's code must not read or suppress a failed assertion of the test.
    own = error is not None and not is_submission_error(error)
    hidden = own and (isinstance(error, AssertionError) or not isinstance(error, Exception))
    return send_handle_request(self, "leave", AssertionError() if hidden else error) is True and not hidden


def handle_contains(self: Handle, thing: Any) -> bool:
    if "__contains__" in self._can and not is_data(self):
        raise refuse_operator(self, "__contains__")
    return any(one is thing or one == thing for one in self)  # type: ignore[attr-defined]


def make_operator_method(name: str) -> Callable[..., Any]:
    def operate(self: Handle, *others: Any) -> Any:
        if not is_data(self) or (name.startswith("__i") and name != "__invert__"):
            raise refuse_operator(self, name)
        return getattr(fetch_data(self), name)(
            *(fetch_data(one) if is_handle(one) else one for one in others)
        )

    return operate


def call_torch_function(
    kind: type, function: Callable, types: Any, args: tuple = (), kwargs: Any = None
) -> Any:
    """Call a torch function with handles replaced by their data."""

    def numbers(value: Any) -> Any:
        if type(value) in (list, tuple):
            return type(value)(map(numbers, value))
        return fetch_data(value) if is_handle(value) else value

    return function(*map(numbers, args), **{name: numbers(one) for name, one in (kwargs or {}).items()})


HANDLE_METHODS: dict[str, Callable[..., Any]] = {
    "__call__": lambda self, *args, **kwargs: send_handle_request(self, "call", list(args), kwargs),
    "__len__": lambda self: send_handle_request(self, "length"),
    # A generator is its own iterator, and also has the methods `send` and `close`.
    "__iter__": lambda self: self if "__next__" in self._can else iterate_handle(self),
    "__next__": lambda self: fetch_next_value(self, "__next__"),
    "__getitem__": lambda self, key: send_handle_request(self, "item", key),
    "__setitem__": lambda self, key, value: send_handle_request(self, "put", key, value),
    "__delitem__": lambda self, key: send_handle_request(self, "remove", key),
    "__enter__": lambda self: send_handle_request(self, "enter"),
    "__exit__": exit_handle_context,
    "__int__": make_number_converter(int),
    "__index__": make_number_converter(int),
    "__float__": make_number_converter(float),
    **{
        name: make_operator_method(name)
        for name in OPERATOR_METHODS
        if name not in ("__contains__", "__hash__")
    },
}


@lru_cache(maxsize=MAX_HANDLE_CLASSES)
def make_handle_class(line: MroNames, can: frozenset[str]) -> type[Handle]:
    """Return the handle class for objects of a class.

    line: the MRO of the class. can: the special methods that the class defines.
    """
    body: dict[str, Any] = {"__slots__": (), "_line": line, "_can": can}
    body |= {name: HANDLE_METHODS[name] for name in can if name in HANDLE_METHODS}
    if "__eq__" in body:
        body["__hash__"] = Handle.__hash__
    if can & {"__iter__", "__contains__", "__getitem__"}:
        body["__contains__"] = handle_contains
    if can & {"__bool__", "__len__"}:
        body["__bool__"] = lambda self: send_handle_request(self, "truth") is True
    if ("torch", "Tensor") in line:
        body["__torch_function__"] = classmethod(call_torch_function)
    return type(line[0][1] or "object", (Handle,), body)


def decode_handle_class(said: Node, can: Node) -> type[Handle]:
    """Return the handle class for the result of `encode_class`. Raises MalformedMessageError."""
    known = type(said) is list and 0 < len(said) <= MAX_MRO_LENGTH
    if not known or type(can) is not int or not 0 <= can < 1 << len(SPECIAL_METHODS):
        raise MalformedMessageError("an object has an invalid class")
    if any(type(one) is not list or [*map(type, one)] != [str, str] for one in said):
        raise MalformedMessageError("an object's class has an invalid name")
    line = tuple((module[:MAX_CLASS_NAME_LENGTH], name[:MAX_CLASS_NAME_LENGTH]) for module, name in said)
    return make_handle_class(
        line, frozenset(name for place, name in enumerate(SPECIAL_METHODS) if can >> place & 1)
    )


def encode_class(kind: type) -> dict[str, Node]:
    """Return the MRO of a class, and a bit mask of the SPECIAL_METHODS that its classes define."""
    mro = type.__dict__["__mro__"].__get__(kind)
    own: set[str] = set()
    for one in reversed(mro[:-1]):
        for name, value in type.__dict__["__dict__"].__get__(one).items():
            (own.discard if value is None else own.add)(name)
    line = [
        [str(type.__getattribute__(one, "__module__")), type.__dict__["__name__"].__get__(one)]
        for one in mro[:MAX_MRO_LENGTH]
    ]
    return {
        "class": line,
        "can": sum(1 << place for place, name in enumerate(SPECIAL_METHODS) if name in own),
    }


def find_known_class(line: MroNames, find: Callable[[str, str], Any]) -> type | None:
    """Return the class for `isinstance`: the first class of the MRO that the judge has, or None.

    An object can't claim to be plain data, which a test could keep and ask for its truth later.
    """
    for module, name in line:
        found = BUILTIN_TYPES.get(name) if module == "builtins" else find(module, name)
        if isinstance(found, type) and (found.__module__ == MAIN or not is_sent_as_data(found)):
            return found
    return None
