"""Driver's handle of a forked kernel: its frames, printed output, lease and exit status."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gradebox.kernel.frames import FrameSocket
from gradebox.kernel.interpreter import OWN_INTERPRETER, Interpreter
from gradebox.kernel.zygote_client import DETERMINISTIC_ENV, HEALTH_CHECK, MATPLOTLIB_ENV, connect_to_template
from gradebox.sandbox.rlimits import ResourceLimits

# Seconds for a response that normally takes a moment; the machine may be busy.
RESPONSE_TIMEOUT = 10.0
READ_CHUNK_SIZE = 2**16
# Limits for reading endless output: the number of reads, and seconds.
MAX_READS, DRAIN_TIMEOUT = 32, 0.2
# pip reports a missing network soon.
PIP_ENV = {"PIP_RETRIES": "0", "PIP_DEFAULT_TIMEOUT": "5", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


class SandboxUnavailableError(RuntimeError):
    """Error for a machine that can't contain a kernel, regardless of the code that would run in it."""


@dataclass(frozen=True)
class KernelConfig:
    """Configuration of a kernel: its zygote, template, folders and limits.

    interpreter: the Python that runs the kernel. preload: modules that the zygote has imported. needs: those
    that the kernel needs; None for all. owner: STUDENT or JUDGE (see `zygote_client.py`). setup: sources that
    the template has executed. scratch: the kernel's folder. cwd: the working directory in it. limits:
    resource limits; None for no sandbox. link: a descriptor to pass to the kernel.
    """

    preload: tuple[str, ...]
    owner: str
    scratch: str
    cwd: str
    limits: ResourceLimits | None = None
    link: int | None = None
    setup: tuple[str, ...] = ()
    interpreter: Interpreter = OWN_INTERPRETER
    needs: tuple[str, ...] | None = None


class KernelHandle:
    """Handle of a kernel, from the request for the kernel until its end.

    frames: messages from the kernel (see `frames.py`). printed: descriptors with the output of its programs,
    by stream. reason: the limit that the kernel broke ("memory", "processes", "files"), once it has ended;
    else None. Raises RuntimeError if the zygote is not running.
    """

    def __init__(self, place: KernelConfig):
        self.place = place
        self.process: int | None = None
        self.lease = connect_to_template(
            place.preload, place.owner, place.setup, place.interpreter, place.needs
        )
        ours, theirs = socket.socketpair()
        pipes = [os.pipe() for _ in ("stdout", "stderr")]
        self.frames = FrameSocket(ours)
        self.printed = dict(zip(("stdout", "stderr"), (reader for reader, _ in pipes), strict=True))
        for reader in self.printed.values():
            os.set_blocking(reader, False)
        links = [theirs.fileno(), *(writer for _, writer in pipes)]
        request = {
            "cwd": place.cwd,
            "scratch": place.scratch,
            "env": build_environment(place),
            "limits": asdict(place.limits) if place.limits else None,
            # The kernel runs on the same CPU cores as its driver.
            "cores": sorted(os.sched_getaffinity(0)),
        }
        text = json.dumps(request).encode() + b"\n"
        try:
            sent = socket.send_fds(self.lease, [text], links if place.link is None else [*links, place.link])
            self.lease.sendall(text[sent:])
        except OSError:
            self.lease.close()
            self.release()
            self.close_output_pipes()
            raise RuntimeError("the process that forks kernels has ended") from None
        finally:
            theirs.close()
            for _, writer in pipes:
                os.close(writer)
        self.lines = self.lease.makefile()
        self.reason: str | None = None
        self.status: int | None = None
        self.pid = self.first = 0

    def wait_until_ready(self) -> None:
        """Wait until the kernel has started. Raises SandboxUnavailableError and RuntimeError."""
        try:
            answer = self.lines.readline()
        except OSError:
            answer = ""
        if not answer:
            raise RuntimeError("the process that forks kernels has ended")
        said = json.loads(answer)
        if "failed" in said:
            raise RuntimeError(f"can't start a kernel: {said['failed']}")
        if "problem" in said:
            raise SandboxUnavailableError(
                f"student code could not be contained on this machine: {said['problem']}"
            )
        self.pid, self.first = said["pid"], said["first"]
        try:
            self.process = os.pidfd_open(self.pid)
        except ProcessLookupError:
            raise RuntimeError("the kernel ended during startup") from None

    def send(self, **frame: Any) -> None:
        """Send a request to the kernel (see `main_loop.py`). Raises ConnectionClosedError."""
        self.frames.send(frame, RESPONSE_TIMEOUT)

    def close_output_pipes(self) -> None:
        while self.printed:
            os.close(self.printed.popitem()[1])

    def release(self) -> None:
        """Close the frame socket and the process descriptor of the kernel."""
        self.frames.close()
        if self.process is not None:
            os.close(self.process)

    def forget(self) -> None:
        """Discard pending output. Raises ConnectionClosedError and MalformedMessageError."""
        end = time.monotonic() + DRAIN_TIMEOUT
        # Output that continues after the timeout is received during the next cell.
        while wait_readable(self.frames, 0) and time.monotonic() < end:
            self.frames.fill()
            # The start of an incomplete frame stays in the buffer.
            while self.frames.take() is not None:
                pass
        for name in list(self.printed):
            self.read_output(name)

    def read_output(self, name: str) -> bytes:
        """Return unread output of the kernel's programs on a stream, at most MAX_READS chunks."""
        parts: list[bytes] = []
        for _ in range(MAX_READS):
            try:
                parts.append(os.read(self.printed[name], READ_CHUNK_SIZE))
            except BlockingIOError:
                break
            if not parts[-1]:
                # No process has the stream open any more.
                os.close(self.printed.pop(name))
                break
        return b"".join(parts)

    def is_healthy(self) -> bool:
        """Return True if the kernel is alive and within its limits."""
        if self.status is None:
            with contextlib.suppress(OSError):
                self.lease.sendall(HEALTH_CHECK)
            answer = self.lines.readline()
            if answer and "well" in json.loads(answer):
                return True
            self.ended(answer)
        return False

    def wait(self) -> None:
        """Wait until the kernel has ended and everything that it left behind is removed."""
        while self.status is None:
            answer = self.lines.readline()
            if not answer or "exit" in json.loads(answer):
                self.ended(answer)

    def ended(self, last: str) -> None:
        # Without a last message the guard is gone, and the kernel with it.
        said: dict[str, Any] = json.loads(last) if last else {"exit": -signal.SIGKILL, "reason": None}
        self.status, self.reason = said["exit"], said["reason"]

    def signal(self, number: int) -> None:
        if self.process is not None:
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self.process, number)

    def close(self) -> None:
        """End the kernel, and wait until everything that it left behind is removed."""
        with contextlib.suppress(OSError):
            self.lease.shutdown(socket.SHUT_WR)
        self.release()
        self.close_output_pipes()
        self.wait()
        self.lines.close()
        self.lease.close()


def wait_readable(frames: FrameSocket, seconds: float) -> bool:
    """Return True if data arrives within `seconds`."""
    poll = select.poll()
    poll.register(frames.fileno(), select.POLLIN)
    return bool(poll.poll(max(0.0, 1000 * seconds)))


def build_environment(place: KernelConfig) -> dict[str, str]:
    """Return the environment variables of a kernel.

    In a sandbox, nothing is inherited from the grader. Without a sandbox, everything is inherited except the
    variables of nbgrader, gradebox and Jupyter. Variables of the kernel spec are set in both cases. No other
    variable reveals that this is the grader.
    """
    specified = dict(place.interpreter.environment)
    hidden = ("NBGRADER_", "GRADEBOX_", "JPY_")
    if not place.limits:
        grader = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
        return {**MATPLOTLIB_ENV, **PIP_ENV, **grader, **specified, **DETERMINISTIC_ENV}
    own = ("HOME", "TMPDIR", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR")
    return {
        "PATH": f"{Path(place.interpreter.executable).parent}:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "USER": "student",
        "LOGNAME": "student",
        **specified,
        **dict.fromkeys(own, place.scratch),
        **MATPLOTLIB_ENV,
        **PIP_ENV,
        **DETERMINISTIC_ENV,
    }
