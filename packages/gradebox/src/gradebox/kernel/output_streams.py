"""Standard output and error of a cell, sent to the driver in the order of writing."""

import io
import os
import threading
import time
from collections.abc import Callable

# The first writes of a cell are sent immediately, which keeps their order relative to the output of other
# programs. Later output is sent when the interval (seconds) has passed or the buffer is large (characters).
IMMEDIATE_WRITES, FLUSH_INTERVAL, MAX_BUFFERED_SIZE = 100, 0.05, 2**15
# Characters per frame: small enough for the largest frame in any encoding of the characters.
TEXT_CHUNK_SIZE = 2**18


class OutputBuffer:
    """Buffer for the unsent output of both streams.

    send: function of a stream's name and a text. owner: the process that is connected to the driver. Forks of
    that process write to the descriptors instead, which the driver reads, too.
    """

    def __init__(self, send: Callable[[str, str], None]):
        self.send, self.owner = send, os.getpid()
        self.name, self.parts, self.size = "", list[str](), 0
        self.sent, self.last = 0, 0.0
        self.lock = threading.RLock()
        os.register_at_fork(after_in_child=self.anew)

    def anew(self) -> None:
        """Reset the buffer in a fork: the buffered text and the lock belong to the parent process."""
        self.lock, self.parts, self.size = threading.RLock(), [], 0

    def begin(self) -> None:
        """Reset the count of immediate writes at the beginning of a cell."""
        self.sent = 0

    def write(self, name: str, text: str) -> None:
        with self.lock:
            if name != self.name:
                self.flush()
                self.name = name
            self.parts.append(text)
            self.size += len(text)
            # A line is usually written in two parts: the text and the line break.
            if self.size > MAX_BUFFERED_SIZE or (text.endswith("\n") and self.is_flush_due()):
                self.flush()

    def is_flush_due(self) -> bool:
        """Return True if the buffer may be sent immediately."""
        return self.sent < IMMEDIATE_WRITES or time.monotonic() - self.last > FLUSH_INTERVAL

    def flush(self) -> None:
        """Send the whole buffer."""
        with self.lock:
            text = "".join(self.parts)
            self.parts, self.size = [], 0
            if text:
                self.sent, self.last = self.sent + 1, time.monotonic()
                for start in range(0, len(text), TEXT_CHUNK_SIZE):
                    self.send(self.name, text[start : start + TEXT_CHUNK_SIZE])


class OutputStream(io.TextIOBase):
    """Text stream for sys.stdout or sys.stderr of a kernel.

    number: the descriptor that other programs write to.
    """

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
        # No user is watching, and flushing after each of many lines would dominate the run time.
        if os.getpid() == self.printed.owner and self.printed.is_flush_due():
            self.printed.flush()

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.number
