"""ipykernel's application, without what only somebody at a keyboard needs: half the time of a small cell."""

import socket
import sys
import threading
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import zmq
from ipykernel import heartbeat
from ipykernel.iostream import OutStream
from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from traitlets import Type, default

from gradebox.kernels import known

# How often the output of one cell is sent at once. Nobody is watching; a cell that flushes each of many lines
# would wait longer for that than for all else, and what is not sent at once is sent after 0.2 s.
FLUSHES = 100


class Stream(OutStream):
    """Standard output or error. To flush takes two threads, and is needed only if something was written.

    ipykernel flushes four times a cell. flushed: how often that was done since the cell began.
    """

    written, flushed = False, 0

    def _schedule_flush(self) -> None:
        self.written = True
        super()._schedule_flush()

    def flush(self) -> None:
        if self.written and self.flushed < FLUSHES:
            self.written = False
            self.flushed += 1
            super().flush()


class Kernel(IPythonKernel):
    """A kernel that gets one cell after the other: it needs no subshells, and no thread to deal them out."""

    _supports_kernel_subshells = False
    compiler_class = Type(known.Compiler)

    def start(self) -> None:
        super().start()
        # A cell with `await` asks which thread it would be.
        self.shell_channel_thread = SimpleNamespace(parent_thread=threading.main_thread())

    async def do_execute(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        try:
            return await super().do_execute(*args, **kwargs)
        finally:
            # What is left has to go out now: the cell is at its end.
            for stream in (sys.stdout, sys.stderr):
                if isinstance(stream, Stream):
                    stream.flushed = 0


class Heartbeat(heartbeat.Heartbeat):
    """One that may have a socket that listens already."""

    listening: socket.socket | None = None

    def _try_bind_socket(self) -> Any:
        take_up(self.socket, self.listening)
        return super()._try_bind_socket()


def take_up(taker: zmq.Socket, listening: socket.socket | None) -> None:
    """Let a socket of ZeroMQ's that is about to be bound use one that is bound already."""
    if listening:
        taker.setsockopt(zmq.USE_FD, listening.fileno())


class KernelApp(IPKernelApp):
    """The application of such a kernel.

    listening: sockets that are bound and listen already, by port.
    """

    listening: Mapping[int, socket.socket] = {}

    def _configure_logging(self) -> None:
        """ipykernel does this nine times as it starts; nobody reads a log here."""

    def load_config_file(self, *args: Any, **kwargs: Any) -> None:
        """No settings of whoever grades."""

    def log_connection_info(self) -> None:
        """Nobody else connects."""

    @default("kernel_class")
    def _kernel_class(self) -> type:
        return Kernel

    @default("outstream_class")
    def _outstream_class(self) -> str:
        return f"{__name__}.{Stream.__name__}"

    def _try_bind_socket(self, s: zmq.Socket, port: int) -> int:
        take_up(s, self.listening.get(port))
        return super()._try_bind_socket(s, port)

    def init_heartbeat(self) -> None:
        Heartbeat.listening = self.listening.get(self.hb_port)
        self.heartbeat = Heartbeat(zmq.Context(), (self.transport, self.ip, self.hb_port))
        self.hb_port = self.heartbeat.port
        self.heartbeat.start()

    def init_control(self, context: Any) -> None:
        super().init_control(context)
        self.shell_channel_thread = None

    def init_shell(self) -> None:
        super().init_shell()
        known.be_used_by(self.shell)
