"""Classes of errors that a submission defines, so that a test can expect them by their name."""

import builtins
import keyword
from typing import Any

from gradebox.judge import kinds
from gradebox.judge.asker import Asker
from gradebox.judge.kinds import MAIN, Line
from gradebox.judge.protocol import Node

# Their classes do more than to say what was wrong.
NEVER = (StopIteration, StopAsyncIteration)


class Errors:
    """In the judge they are classes of its own, below the built-in ones that they are said to be below."""

    def __init__(self, link: Asker):
        self.link = link
        self.classes: dict[int, type[Exception]] = {}

    def number(self, kind: type) -> int | None:
        """That of the student's class which a class here stands for."""
        return next((number for number, one in self.classes.items() if one is kind), None)

    def is_one(self, line: Line) -> bool:
        """Whether a class of the submission's is one of errors that tests can expect."""
        above = built_in(line)
        return line[0].number is not None and above is not None and not issubclass(above, NEVER)

    def class_of(self, line: Line) -> type[Exception]:
        """What stands here for a class of the submission's."""
        first = line[0]
        if first.number is None or not self.is_one(line):
            return built_in(line) or Exception
        if first.number not in self.classes:
            base = self.class_of(line[1:])
            name = (
                first.name
                if first.name.isidentifier() and not keyword.iskeyword(first.name)
                else base.__name__
            )
            body: dict[str, Any] = {"__module__": MAIN, "__getattr__": attribute}
            self.classes[first.number] = type(name, (base,), body)
        return self.classes[first.number]

    def of(self, plain: Exception, said: Node) -> Exception:
        """An error as one of the submission's class. said: its object, with the class that it has."""
        line = kinds.read_line(said["line"])
        if not self.is_one(line) or not issubclass(type(plain), built_in(line) or ()):
            return plain
        if isinstance(plain, BaseExceptionGroup):
            return plain
        message, shown = str(plain), repr(plain)
        kind = self.class_of(line)
        body = {"__module__": MAIN, "__str__": lambda error: message, "__repr__": lambda error: shown}
        found: Any = type(kind.__name__, (kind,), body)
        error: Exception = found.__new__(found, *plain.args)
        vars(error)["_of_the_submission"] = self.link.unpack_beyond(said["object"], None)
        return error

    def of_library(self, plain: Exception, said: Node) -> Exception:
        """An error as the class of a library's that it is one of, if that is known here."""
        line = [one for one in kinds.read_line(said) if one.module != "builtins"]
        known = next(filter(None, map(self.link.found, line)), None)
        if known is None or not issubclass(known, Exception) or issubclass(known, NEVER):
            return plain
        message, shown = str(plain), repr(plain)
        body = {"__module__": known.__module__, "__str__": lambda error: message}
        found: Any = type(known.__name__, (known,), body | {"__repr__": lambda error: shown})
        error: Exception = found.__new__(found)
        error.args = plain.args
        return error


def attribute(error: Exception, name: str) -> Any:
    """An attribute of an error that the submission has given it."""
    there = vars(error).get("_of_the_submission")
    if there is None or name.startswith("__"):
        raise AttributeError(f"{type(error).__name__!r} object has no attribute {name!r}")
    return getattr(there, name)


def built_in(line: Line) -> type[Exception] | None:
    """The nearest of Python's own errors among classes; None if there is none that a test could expect."""
    for one in line:
        found = getattr(builtins, one.name, None) if one.module == "builtins" else None
        if isinstance(found, type) and issubclass(found, BaseException):
            return found if issubclass(found, Exception) else None
    return None
