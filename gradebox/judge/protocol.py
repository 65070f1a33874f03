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
{"done": 2} says that the second test has ended.

Only data is in this format (see `data.py`): reading it runs no code, allocates no more than was sent, and
raises Malformed over anything that is not as it should be.
"""

import builtins
import json
import keyword
import socket
import struct
from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import Any

LARGEST_HEADER, LARGEST_BUFFERS, MOST_BUFFERS = 2**23, 2**29, 100_000
LONGEST_NAME, LONGEST_TEXT = 100, 10_000
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
