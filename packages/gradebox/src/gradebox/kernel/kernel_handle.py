"""A kernel that was forked, as its driver has it: frames, what it prints, its lease, and its end."""

import contextlib
import json
import os
import select
import signal
import socket
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gradebox.kernel.frames import FrameSocket
from gradebox.kernel.zygote_client import DETERMINISTIC_ENV, HEALTH_CHECK, MATPLOTLIB_ENV, connect_to_template
from gradebox.sandbox.rlimits import ResourceLimits

# Seconds that a kernel may take for what takes it a moment; a machine may be busy.
RESPONSE_TIMEOUT = 10.0
READ_CHUNK_SIZE = 2**16
# How often, and for how many seconds, something is read that may never end.
MAX_READS, DRAIN_TIMEOUT = 32, 0.2


class SandboxUnavailableError(RuntimeError):
    """This machine can't contain a kernel, whatever is to run in it."""


@dataclass(frozen=True)
class KernelConfig:
    """Where a kernel is to run.

    preload: modules that its zygote has imported. owner: whose kernel it is. setup: what its template has
    executed. scratch: its folder; cwd: where in it. limits: what it may use; None for no sandbox. link: a
    descriptor that it is to have.
    """

    preload: tuple[str, ...]
    owner: str
    scratch: str
    cwd: str
    limits: ResourceLimits | None = None
    link: int | None = None
    setup: tuple[str, ...] = ()


class KernelHandle:
    """One, from the moment that it is asked for.

    frames: what it says (see `frames.py`). printed: the descriptors that its programs write to, by stream.
    reason: the limit that it broke ("memory", "processes", "files"), once it has ended; else None. Raises
    RuntimeError if there is nobody to ask.
    """

    def __init__(self, place: KernelConfig):
        self.place = place
        self.process: int | None = None
        self.lease = connect_to_template(place.preload, place.owner, place.setup)
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
            # It keeps to where its driver may run.
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
        """Wait until it is there. Raises NotContained and RuntimeError."""
        try:
            answer = self.lines.readline()
        except OSError:
            answer = ""
        if not answer:
            raise RuntimeError("the process that forks kernels has ended")
        said = json.loads(answer)
        if "failed" in said:
            raise RuntimeError(f"no kernel could be made: {said['failed']}")
        if "problem" in said:
            raise SandboxUnavailableError(
                f"student code could not be contained on this machine: {said['problem']}"
            )
        self.pid, self.first = said["pid"], said["first"]
        try:
            self.process = os.pidfd_open(self.pid)
        except ProcessLookupError:
            raise RuntimeError("the kernel ended as it began") from None

    def send(self, **frame: Any) -> None:
        """Have it do something (see `main_loop.py`). Raises Closed."""
        self.frames.send(frame, RESPONSE_TIMEOUT)

    def close_output_pipes(self) -> None:
        while self.printed:
            os.close(self.printed.popitem()[1])

    def release(self) -> None:
        """Close what leads to the process that is driven."""
        self.frames.close()
        if self.process is not None:
            os.close(self.process)

    def forget(self) -> None:
        """What it has said until now is not wanted. Raises Closed and Malformed."""
        end = time.monotonic() + DRAIN_TIMEOUT
        # Who goes on without end is heard in the next cell.
        while wait_readable(self.frames, 0) and time.monotonic() < end:
            self.frames.fill()
            # What is left of a frame is the beginning of it.
            while self.frames.take() is not None:
                pass
        for name in list(self.printed):
            self.read_output(name)

    def read_output(self, name: str) -> bytes:
        """What its programs have written to a stream and nobody has read, or much of it."""
        parts: list[bytes] = []
        for _ in range(MAX_READS):
            try:
                parts.append(os.read(self.printed[name], READ_CHUNK_SIZE))
            except BlockingIOError:
                break
            if not parts[-1]:
                # Nobody has it open any more.
                os.close(self.printed.pop(name))
                break
        return b"".join(parts)

    def is_healthy(self) -> bool:
        """Whether it lives and keeps its limits at this moment."""
        if self.status is None:
            with contextlib.suppress(OSError):
                self.lease.sendall(HEALTH_CHECK)
            answer = self.lines.readline()
            if answer and "well" in json.loads(answer):
                return True
            self.ended(answer)
        return False

    def wait(self) -> None:
        """Wait until it has ended and all that it left behind is gone."""
        while self.status is None:
            answer = self.lines.readline()
            if not answer or "exit" in json.loads(answer):
                self.ended(answer)

    def ended(self, last: str) -> None:
        # Without a last word its guard is gone, and the kernel with it.
        said: dict[str, Any] = json.loads(last) if last else {"exit": -signal.SIGKILL, "reason": None}
        self.status, self.reason = said["exit"], said["reason"]

    def signal(self, number: int) -> None:
        if self.process is not None:
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self.process, number)

    def close(self) -> None:
        """End it, and wait until nothing of it is left."""
        with contextlib.suppress(OSError):
            self.lease.shutdown(socket.SHUT_WR)
        self.release()
        self.close_output_pipes()
        self.wait()
        self.lines.close()
        self.lease.close()


def wait_readable(frames: FrameSocket, seconds: float) -> bool:
    """Whether something comes within so many seconds."""
    poll = select.poll()
    poll.register(frames.fileno(), select.POLLIN)
    return bool(poll.poll(max(0.0, 1000 * seconds)))


def build_environment(place: KernelConfig) -> dict[str, str]:
    """The environment of a kernel: in a sandbox nothing of the grader's, else all but its own marks.

    No variable tells that this is the grader.
    """
    hidden = ("NBGRADER_", "GRADEBOX_", "JPY_")
    if not place.limits:
        grader = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
        return {**MATPLOTLIB_ENV, **grader, **DETERMINISTIC_ENV}
    own = ("HOME", "TMPDIR", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR")
    return {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "USER": "student",
        "LOGNAME": "student",
        **dict.fromkeys(own, place.scratch),
        **MATPLOTLIB_ENV,
        **DETERMINISTIC_ENV,
    }
