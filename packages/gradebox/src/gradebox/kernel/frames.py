"""Length-prefixed JSON messages over a socket, each with optional binary buffers.

Kernels and their drivers exchange messages without buffers. The driver sends {"do": ...} (see
`main_loop.py`). A kernel sends Jupyter's messages ({"m": type, "c": content}) and the result of a cell
({"end": ...}). A judge and a student's process exchange values, whose arrays are buffers (see
`gradebox/judge/codec.py`).

A frame consists of the length of its JSON header, the number of its buffers, the length of each buffer, the
header and the buffers. Student code can write any bytes to the socket. Reading a frame therefore runs no code
and allocates no more memory than was received.
"""

from __future__ import annotations

import json
import select
import socket
import struct
import time
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

FRAME_PREFIX, BUFFER_LENGTH = struct.Struct("!II"), struct.Struct("!Q")
# Limits in bytes for a kernel's frame, and for the header and all buffers of a frame with buffers; then the
# largest number of buffers.
MAX_FRAME_SIZE, MAX_HEADER_SIZE, MAX_BUFFERS_SIZE, MAX_BUFFER_COUNT = 2**22, 2**23, 2**29, 100_000
# Bytes to receive at once: most frames are smaller than the first; large frames arrive in large pieces.
READ_SIZE, MAX_READ_SIZE = 2**14, 2**20
encode = json.JSONEncoder(separators=(",", ":"), default=str).encode
decode = json.JSONDecoder().decode
Frame = dict[str, Any]


class MalformedMessageError(Exception):
    """Error for received bytes that are not a frame."""


class ConnectionClosedError(Exception):
    """Error for a socket whose other end was closed or does not read."""


def pack_frame(frame: Frame, buffers: Sequence[Any] = ()) -> bytes:
    """Return a frame as bytes, without the contents of its buffers."""
    text = encode(frame).encode(errors="replace")
    if not buffers:
        return FRAME_PREFIX.pack(len(text), 0) + text
    sizes = [BUFFER_LENGTH.pack(memoryview(buffer).nbytes) for buffer in buffers]
    return b"".join([FRAME_PREFIX.pack(len(text), len(sizes)), *sizes, text])


class FrameSocket:
    """Reader and writer of frames for one end of a socket.

    largest: the limit in bytes for a received header; None if the other end is trusted. buffers: the largest
    number of buffers in a received frame.
    """

    def __init__(self, link: socket.socket, largest: int | None = MAX_FRAME_SIZE, buffers: int = 0):
        self.link, self.largest, self.most_buffers = link, largest, buffers
        self.received = bytearray()
        # Missing bytes of the frame being received, as far as its length is known.
        self.missing = 0

    def fileno(self) -> int:
        return self.link.fileno()

    def send(self, frame: Frame, seconds: float | None = None) -> None:
        """Send a frame.

        Raises ConnectionClosedError if the other end is closed, or does not read the frame within `seconds`.
        """
        self.send_packed(pack_frame(frame), seconds)

    def send_with_buffers(self, frame: Frame, buffers: Sequence[Any]) -> None:
        """Send a frame with buffers.

        Raises ConnectionClosedError, and ValueError if the frame is too large.
        """
        head, size = (
            pack_frame(frame, buffers),
            sum(memoryview(one).nbytes for one in buffers) if buffers else 0,
        )
        if len(head) > MAX_HEADER_SIZE or len(buffers) > MAX_BUFFER_COUNT or size > MAX_BUFFERS_SIZE:
            raise ValueError("the frame is too large to send")
        try:
            if size < MAX_READ_SIZE:
                self.link.sendall(b"".join([head, *buffers]) if buffers else head)
            else:
                for part in (head, *buffers):
                    self.link.sendall(part)
        except OSError:
            raise ConnectionClosedError("the other process has ended") from None

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
                    raise ConnectionClosedError("the other process does not read its socket") from None
            except OSError:
                raise ConnectionClosedError("the other process has ended") from None

    def fill(self) -> None:
        """Wait for bytes and receive them. Raises ConnectionClosedError at the end of the stream."""
        try:
            data = self.link.recv(min(max(self.missing, READ_SIZE), MAX_READ_SIZE))
        except OSError:
            data = b""
        if not data:
            raise ConnectionClosedError("the other process has ended")
        self.received += data
        self.missing -= len(data)

    def take(self) -> Frame | None:
        """Return the next complete frame without its buffers, or None. Raises MalformedMessageError."""
        found = self.take_with_buffers()
        return found[0] if found else None

    def take_with_buffers(self) -> tuple[Frame, list[bytearray]] | None:
        """Return the next complete frame and its buffers, or None. Raises MalformedMessageError."""
        data = self.received
        if len(data) < FRAME_PREFIX.size:
            return None
        length, count = FRAME_PREFIX.unpack_from(data)
        if (self.largest is not None and length > self.largest) or count > self.most_buffers:
            raise MalformedMessageError("a frame is larger than the limit")
        begin = FRAME_PREFIX.size + count * BUFFER_LENGTH.size
        self.missing = begin + length - len(data)
        if self.missing > 0:
            return None
        sizes = struct.unpack_from(f"!{count}Q", data, FRAME_PREFIX.size) if count else ()
        if sum(sizes) > MAX_BUFFERS_SIZE:
            raise MalformedMessageError("a frame is larger than the limit")
        self.missing += sum(sizes)
        if self.missing > 0:
            return None
        ends = [*accumulate(sizes, initial=begin + length)] if count else [begin + length]
        text, buffers = data[begin : ends[0]], [data[start:end] for start, end in zip(ends, ends[1:])]
        if len(data) == ends[-1]:
            self.received = bytearray()
        else:
            del data[: ends[-1]]
        try:
            header = decode(text.decode())
        except (ValueError, RecursionError):
            raise MalformedMessageError("a frame's header is not JSON") from None
        if type(header) is not dict:
            raise MalformedMessageError("a frame's header is not an object")
        return header, buffers

    def receive(self) -> tuple[Frame, list[bytearray]]:
        """Wait for the next frame and return the frame and its buffers.

        Raises ConnectionClosedError and MalformedMessageError.
        """
        if not self.received:
            self.fill()
        while (found := self.take_with_buffers()) is None:
            self.fill()
        return found

    def waiting(self) -> bool:
        """Return True if unread bytes are available."""
        try:
            return bool(self.received) or bool(self.link.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
        except OSError:
            return False

    def close(self) -> None:
        self.link.close()
