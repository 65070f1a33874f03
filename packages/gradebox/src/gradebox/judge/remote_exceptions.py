"""Encode exceptions as data, and decode them for both ends of the channel.

A test can expect a built-in class, a class of a library, or a class that the student defines.
"""

from __future__ import annotations

import builtins
import keyword
import sys
from collections.abc import Callable
from typing import Any

from gradebox.judge.codec import MAIN, Node
from gradebox.kernel.frames import MalformedMessageError

MAX_CLASS_NAME_LENGTH, MAX_ERROR_TEXT_LENGTH, MAX_ERROR_ARGUMENTS, MAX_BASE_CLASSES = 100, 10_000, 20, 40
# Exceptions that control loops: a test that iterates over results would mistake them for the end.
LOOP_CONTROL_ERRORS = (StopIteration, StopAsyncIteration)


def encode_error(error: BaseException, number: Callable[[Any], int]) -> dict[str, Node]:
    """Return an error as data: its classes, message and arguments.

    number: returns the number of an object of this process.
    """
    try:
        message = str.__str__(str(error))[:MAX_ERROR_TEXT_LENGTH]
    except BaseException:
        message = "(the message can't be read)"
    said: dict[str, Node] = {"classes": encode_error_classes(type(error), number), "message": message}
    args = BaseException.args.__get__(error)  # type: ignore[attr-defined]
    if len(args) <= MAX_ERROR_ARGUMENTS and all(map(is_json_scalar, args)):
        said["args"] = list(args)
    if any(one.__module__ == MAIN for one in type(error).__mro__):
        said["number"] = number(error)
    return said


def encode_error_classes(kind: type, number: Callable[[Any], int]) -> list[Node]:
    """Return an exception class and its bases as [module, name]; classes of students also have a number."""
    found: list[Node] = []
    for one in type.__dict__["__mro__"].__get__(kind)[:MAX_BASE_CLASSES]:
        # A class may have a false name, so a built-in class is recognized by identity.
        module, name = (str(type.__getattribute__(one, of)) for of in ("__module__", "__name__"))
        if module == "builtins" and getattr(builtins, name, None) is not one:
            module = MAIN
        module, name = module[:MAX_CLASS_NAME_LENGTH], name[:MAX_CLASS_NAME_LENGTH]
        found.append([module, name, number(one)] if module == MAIN else [module, name])
    return found


def is_json_scalar(value: Any) -> bool:
    """Return True for a short value that JSON represents exactly."""
    if type(value) is str:
        return len(value) <= MAX_ERROR_TEXT_LENGTH
    return value is None or type(value) in (bool, float) or (type(value) is int and abs(value) < 2**63)


class ErrorDecoder:
    """Decoder of errors, with local copies of the exception classes that a submission defines.

    find: returns a library's class, by module and name. attribute: returns an attribute of the student's
    object with this number. classes: the local copies, by the number of the student's class.
    """

    def __init__(self, find: Callable[[str, str], Any], attribute: Callable[[int, str], Any]):
        self.find, self.attribute = find, attribute
        self.classes: dict[int, type[Exception]] = {}

    def number(self, kind: Any) -> int | None:
        """Return the number of the student's class for a local copy; None for any other class."""
        return next((number for number, one in self.classes.items() if one is kind), None)

    def class_of(self, line: Node) -> type[Exception] | None:
        """Return the local class for a list of `classes`; None for a class that no test can expect.

        Raises MalformedMessageError.
        """
        if type(line) is not list or len(line) > MAX_BASE_CLASSES:
            raise MalformedMessageError("the classes of an error are not a list, or too many")
        if not line:
            return None
        if type(line[0]) is not list or [*map(type, line[0])] not in ([str, str], [str, str, int]):
            raise MalformedMessageError("an error's class has an invalid name")
        module, name, *number = line[0]
        if not number:
            found = getattr(builtins, name, None) if module == "builtins" else self.find(module, name)
            if isinstance(found, type) and issubclass(found, BaseException):
                return (
                    found
                    if issubclass(found, Exception) and not issubclass(found, LOOP_CONTROL_ERRORS)
                    else None
                )
            return self.class_of(line[1:])
        if number[0] not in self.classes:
            base = self.class_of(line[1:])
            if base is None:
                return None
            if not name.isidentifier() or keyword.iskeyword(name):
                name = base.__name__
            body = {"__module__": MAIN, "__getattr__": self.make_attribute_getter()}
            self.classes[number[0]] = type(name, (base,), body)
        return self.classes[number[0]]

    def make_attribute_getter(self) -> Callable[[Any, str], Any]:
        def get(error: Any, name: str) -> Any:
            number = vars(error).get("_number")
            # IPython asks errors for `_render_traceback_`, which would be the student's.
            if number is None or name.startswith("_"):
                raise AttributeError(f"{type(error).__name__!r} object has no attribute {name!r}")
            return self.attribute(number, name)

        return get

    def decode_error(self, said: Node) -> BaseException | None:
        """Return the decoded error; None for an error that no test can expect, such as SystemExit.

        Raises MalformedMessageError.
        """
        message, args = said["message"], said.get("args")
        if type(message) is not str:
            raise MalformedMessageError("an error has no message")
        message = message[:MAX_ERROR_TEXT_LENGTH]
        if type(args) is not list or len(args) > MAX_ERROR_ARGUMENTS or not all(map(is_json_scalar, args)):
            args = [message]
        kind = self.class_of(said["classes"])
        if kind is None:
            line = [name for _, name, *_ in said["classes"]]
            return RuntimeError(f"the function raised {line[0]}") if "StopIteration" in line else None
        try:
            error: Any = kind(*args) if kind.__module__ in ("builtins", MAIN) else None
            if str(error) != message:
                raise ValueError
        except Exception:
            # Constructors of a library are not called, and other constructors may take other arguments.
            try:
                body = {"__module__": kind.__module__, "__str__": lambda error: message}
                made: Any = type(kind.__name__, (kind,), body)
                error = made.__new__(made, *args)
                error.args = tuple(args)
            except TypeError:
                error = Exception(message)
        if type(said.get("number")) is int:
            vars(error)["_number"] = said["number"]
        return error


def make_class_finder(libraries: frozenset[str]) -> Callable[[str, str], Any]:
    """Return a function that finds a class of these libraries by module and name; None if not found."""

    def find(module: str, name: str) -> Any:
        if module.partition(".")[0] not in libraries:
            return None
        return getattr(sys.modules.get(module), name, None)

    return find
