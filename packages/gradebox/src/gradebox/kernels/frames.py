"""What travels between a kernel and its driver: frames of JSON over a socket, each behind its length.

The driver says {"do": ...}, see `cells.py`; a kernel answers with Jupyter's messages ({"m": type, "c":
content}) and says how a cell ended ({"end": ...}). Student code can write there what it likes, so a frame
from a kernel is read as data, and is no larger than LARGEST.
"""

import json
import select
import socket
import struct
import time
from typing import Any

LENGTH = struct.Struct("!I")
LARGEST = 2**22
PIECE = 2**18
encode = json.JSONEncoder(separators=(",", ":"), default=str).encode
Frame = dict[str, Any]


class Malformed(Exception):
    """What came is no frame."""


class Closed(Exception):
    """The other side has gone."""


class Slow(Exception):
    """The other side doesn't take what it is sent."""


def packed(frame: Frame) -> bytes:
    """A frame as it travels."""
    text = encode(frame).encode(errors="replace")
    return LENGTH.pack(len(text)) + text


class Frames:
    """One end. largest: what is read in one frame at most; None for an end that trusts the other."""

    def __init__(self, link: socket.socket, largest: int | None = LARGEST):
        self.link, self.largest = link, largest
        self.come = bytearray()

    def fileno(self) -> int:
        return self.link.fileno()

    def send(self, frame: Frame, seconds: float | None = None) -> None:
        """Raises Closed, and Slow if the other side has not taken it within so many seconds."""
        self.send_packed(packed(frame), seconds)

    def send_packed(self, data: bytes, seconds: float | None = None) -> None:
        end = None if seconds is None else time.monotonic() + seconds
        left = memoryview(data)
        while left:
            try:
                left = left[self.link.send(left, 0 if end is None else socket.MSG_DONTWAIT) :]
            except BlockingIOError:
                rest = max(0.0, end - time.monotonic()) if end is not None else None
                poll = select.poll()
                poll.register(self.link.fileno(), select.POLLOUT)
                if not poll.poll(None if rest is None else 1000 * rest):
                    raise Slow("it takes nothing") from None
            except OSError:
                raise Closed("it has gone") from None

    def fill(self) -> None:
        """Take what has come, and wait for something if nothing has. Raises Closed at the end."""
        try:
            data = self.link.recv(PIECE)
        except OSError:
            data = b""
        if not data:
            raise Closed("it has gone")
        self.come += data

    def take(self) -> Frame | None:
        """The next frame of those that have come whole. Raises Malformed."""
        if len(self.come) < LENGTH.size:
            return None
        (length,) = LENGTH.unpack_from(self.come)
        if self.largest is not None and length > self.largest:
            raise Malformed("it announces more than can be read")
        if len(self.come) < LENGTH.size + length:
            return None
        text = self.come[LENGTH.size : LENGTH.size + length]
        del self.come[: LENGTH.size + length]
        try:
            frame = json.loads(text)
        except (ValueError, RecursionError):
            raise Malformed("it is no JSON") from None
        if type(frame) is not dict:
            raise Malformed("it is no message")
        return frame

    def read(self) -> Frame:
        """The next frame, whenever it comes. Raises Closed and Malformed."""
        while (frame := self.take()) is None:
            self.fill()
        return frame

    def close(self) -> None:
        self.link.close()
