"""What a cell prints, on its way to the driver: standard output and error, in the order of both."""

import io
import os
import threading
import time
from collections.abc import Callable

# Of what a cell prints, so many writes are sent at once, in the order with what other programs write; then
# what has gathered for a moment, or is large.
IMMEDIATE_WRITES, FLUSH_INTERVAL, MAX_BUFFERED_SIZE = 100, 0.05, 2**15
# A text travels in pieces that are smaller than the largest frame, however its characters are written.
TEXT_CHUNK_SIZE = 2**18


class OutputBuffer:
    """What both streams have printed and nobody has been sent.

    send: takes the name of a stream and a text. owner: the process that talks to the driver. A fork of it
    writes to the descriptors instead, which the driver reads, too.
    """

    def __init__(self, send: Callable[[str, str], None]):
        self.send, self.owner = send, os.getpid()
        self.name, self.parts, self.size = "", list[str](), 0
        self.sent, self.last = 0, 0.0
        self.lock = threading.RLock()
        os.register_at_fork(after_in_child=self.anew)

    def anew(self) -> None:
        """In a fork: what the other process has gathered is that one's, and so is who held the lock."""
        self.lock, self.parts, self.size = threading.RLock(), [], 0

    def begin(self) -> None:
        """At the beginning of a cell."""
        self.sent = 0

    def write(self, name: str, text: str) -> None:
        with self.lock:
            if name != self.name:
                self.flush()
                self.name = name
            self.parts.append(text)
            self.size += len(text)
            # A line is most often written in two parts, the text and its end.
            if self.size > MAX_BUFFERED_SIZE or (text.endswith("\n") and self.is_flush_due()):
                self.flush()

    def is_flush_due(self) -> bool:
        """Whether something may be sent at once."""
        return self.sent < IMMEDIATE_WRITES or time.monotonic() - self.last > FLUSH_INTERVAL

    def flush(self) -> None:
        """Send all of it."""
        with self.lock:
            text = "".join(self.parts)
            self.parts, self.size = [], 0
            if text:
                self.sent, self.last = self.sent + 1, time.monotonic()
                for start in range(0, len(text), TEXT_CHUNK_SIZE):
                    self.send(self.name, text[start : start + TEXT_CHUNK_SIZE])


class OutputStream(io.TextIOBase):
    """sys.stdout or sys.stderr of a kernel. number: the descriptor that other programs write to."""

    encoding, errors = "UTF-8", "replace"

    def __init__(self, name: str, number: int, printed: OutputBuffer):
        self.name, self.number, self.printed = name, number, printed

    def write(self, text: str) -> int:
        if self.closed:
            raise ValueError("I/O operation on closed file")
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text)}")
        if os.getpid() == self.printed.owner:
            self.printed.write(self.name, text)
        else:
            os.write(self.number, text.encode(errors="replace"))
        return len(text)

    def flush(self) -> None:
        # Nobody is watching: who flushes each of many lines would wait longer for that than for all else.
        if os.getpid() == self.printed.owner and self.printed.is_flush_due():
            self.printed.flush()

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.number
