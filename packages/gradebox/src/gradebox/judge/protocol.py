"""What travels between the judge and a student's process: frames of JSON, and the bytes of arrays.

A frame is the length of a JSON header, the number of buffers and their lengths, then the header and the
buffers. In the header, None, booleans, numbers, strings and lists stand for themselves. Everything else is
an object whose "is" says what it is:

    {"is": "array", "type": "<f8", "shape": [2, 3], "at": 0}    the numbers are in buffer 0

What can be changed where it is (a list, an array) has a number in its message, in the order of its first
mention: {"is": "again", "of": 2} is the third of them once more, and {"is": "yours", "of": 2} in an answer is
the third of those in the question.

The judge asks {"id": 7, "do": "method", "with": [...], "set": {...}}, and is answered by {"to": 7, "changed":
[...]} and a "value", or an "error" with its "trace" and "where" it was raised (see `raised.py`). The
student's process asks for a call of a test's function by {"call": 3, "with": [...], "set": {...}}, and hears
of "changed" and a "value" or an "error". "set" is what the asking side has set (see `settings.py`), "changed"
are the arguments that are not as they were: their numbers, and what they are now (see `arguments.py`).
"with" are the parts of the question, of a call at last its arguments as a list, and those by name as an
object. {"done": 2} says that the second test has ended.

Only data is in this format (see `data.py`): reading it runs no code, allocates no more than was sent, and
raises Malformed over anything that is not as it should be.
"""

import builtins
import json
import keyword
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from itertools import accumulate, pairwise
from typing import Any

LARGEST_HEADER, LARGEST_BUFFERS, MOST_BUFFERS = 2**23, 2**29, 100_000
LONGEST_NAME, LONGEST_TEXT = 100, 10_000
# How many arguments an error has, and how many others a group of them.
MOST_ARGUMENTS, DEEPEST_GROUP = 20, 3
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
        self.fill(START.size)
        length, count = START.unpack_from(self.ahead)
        if length > LARGEST_HEADER or count > MOST_BUFFERS:
            raise Malformed("it announces more than can be read")
        head = self.exactly(START.size + count * LENGTH.size + length)
        sizes = struct.unpack_from(f"!{count}Q", head, START.size)
        if sum(sizes) > LARGEST_BUFFERS:
            raise Malformed("it announces more than can be read")
        if not count:
            buffers = []
        elif sum(sizes) < SMALL:
            together, ends = self.exactly(sum(sizes)), [0, *accumulate(sizes)]
            buffers = [together[start:end] for start, end in pairwise(ends)]
        else:
            buffers = [self.exactly(size) for size in sizes]
        try:
            header = decode(head[START.size + count * LENGTH.size :].decode())
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

    def fill(self, size: int) -> None:
        """Have so many bytes ahead. Raises Closed."""
        while len(self.ahead) < size:
            self.ahead += self.got(self.link.recv, AHEAD)

    def exactly(self, size: int) -> bytearray:
        """The next so many bytes: out of what is ahead if they are few, and straight into place otherwise."""
        if size <= SMALL:
            self.fill(size)
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


def in_words(error: BaseException, depth: int = 0) -> dict[str, Node]:
    """An error as data: its name, the built-in classes that it is one of, its message and its arguments.

    depth: of groups of errors that it is in.
    """
    # Whatever a class says of itself.
    line = type.__dict__["__mro__"].__get__(type(error))
    kinds = [name for kind in line for name, known in vars(builtins).items() if known is kind]
    try:
        message, shown = str.__str__(str(error))[:LONGEST_TEXT], str.__str__(repr(error))[:LONGEST_TEXT]
    except BaseException:
        message, shown = "(its message can't be read)", ""
    said: dict[str, Node]
    said = {"name": type(error).__name__[:LONGEST_NAME], "kinds": kinds, "message": message, "shown": shown}
    with suppress(Exception):
        made_of = BaseException.args.__get__(error)  # type: ignore[attr-defined]
        if isinstance(error, BaseExceptionGroup):
            inner = error.exceptions[:MOST_ARGUMENTS] if depth < DEEPEST_GROUP else ()
            said["parts"] = [in_words(one, depth + 1) for one in inner]
        elif len(made_of) <= MOST_ARGUMENTS and all(map(is_plain, made_of)):
            said["args"] = list(made_of)
    return said


def is_plain(value: Any) -> bool:
    """Whether a value stands for itself in a header, and is short."""
    if type(value) is str:
        return len(value) <= LONGEST_TEXT
    return value is None or type(value) in (bool, float) or (type(value) is int and abs(value) < 2**63)


def from_words(said: dict[str, Node], depth: int = 0) -> BaseException:
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
    args, parts = said.get("args", [message]), said.get("parts", [])
    if type(args) is not list or len(args) > MOST_ARGUMENTS or not all(map(is_plain, args)):
        raise Malformed("an error that is none")
    if type(parts) is not list or len(parts) > MOST_ARGUMENTS or any(type(one) is not dict for one in parts):
        raise Malformed("an error that is none")
    if any(issubclass(kind, BaseExceptionGroup) for kind in bases):
        errors = [from_words(one, depth + 1) for one in parts] if depth < DEEPEST_GROUP else []
        inner = [one for one in errors if isinstance(one, Exception)]
        return ExceptionGroup(args[0] if args and type(args[0]) is str else message, inner or [Exception()])
    every: list[tuple[type[BaseException], ...]] = [tuple(bases), *((kind,) for kind in known), (Exception,)]
    for classes in every:
        kind = classes[0] if classes[0].__name__ == name else type(name, classes, {"__module__": "builtins"})
        try:
            made = kind(*args)
            if str(made) != message or (shown and repr(made) != shown):
                # It says it otherwise.
                body = {"__module__": "builtins", "__str__": lambda error: message}
                body |= {"__repr__": lambda error: shown} if shown else {}
                made = type(name, classes, body)(*args)
            return made
        except (TypeError, ValueError):
            # Some built-in errors want more than what crosses, and some can't be combined.
            with suppress(TypeError):
                body = {"__module__": "builtins", "__str__": lambda error: message}
                own: Any = type(name, classes, body)
                made = own.__new__(own)
                made.args = (message,)
                return made
    return Exception(message)
