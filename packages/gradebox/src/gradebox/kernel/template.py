"""Template process: keeps a shell ready for one lesson and one owner, and forks a kernel on request.

The zygote forks templates (see `zygote.py`). A client opens a connection for each kernel. The client sends
one line of JSON (cwd, env, scratch, limits, cores) with descriptors: the kernel's end of the frames, standard
output and error, and optionally a socket for the kernel (see `gradebox/judge`). The client then reads lines
of JSON: first {"pid": ...}, and {"exit": ..., "reason": ...} when the kernel has ended and its remains are
removed. The connection is the kernel's lease: when the connection closes, the kernel is killed.

Each kernel has a guard, a process between the kernel and the template. The guard monitors the resources of
the kernel and its children, and removes them when the kernel ends. It answers the byte HEALTH_CHECK from the
client with {"well": true}, or with the kernel's exit message if a limit is broken.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
import tempfile
import traceback
from dataclasses import dataclass
from typing import Any

from gradebox.kernel import torch_reducer
from gradebox.kernel.kernel_shell import create_shell, set_profile_folder
from gradebox.kernel.main_loop import KernelMainLoop
from gradebox.kernel.zygote_client import HEALTH_CHECK, LINK_DESCRIPTOR
from gradebox.sandbox import libc
from gradebox.sandbox.resource_monitor import ResourceMonitor
from gradebox.sandbox.rlimits import ResourceLimits
from gradebox.sandbox.sandbox import Sandbox
from gradebox.sandbox.supervisor import (
    KernelStartError,
    StartedKernel,
    enter_sandbox,
    kill_kernel_processes,
    spawn_kernel,
)

# Seconds between two measurements of a kernel's resources by its guard.
MONITOR_INTERVAL = 0.1


@dataclass(frozen=True)
class KernelRequest:
    """Request for a kernel; links are the descriptors that came with the request."""

    cwd: str
    scratch: str
    env: dict[str, str]
    limits: dict[str, int] | None
    cores: list[int]
    links: tuple[int, ...]


class Template:
    """Server that forks kernels, in the template's process."""

    def __init__(
        self, setup: tuple[str, ...], server: socket.socket, sandbox: Sandbox | None, problem: str | None
    ):
        """server: socket for clients. problem: the reason for a missing sandbox."""
        self.server, self.sandbox, self.problem = server, sandbox, problem
        self.shell, self.messages = create_shell()
        self.cells = KernelMainLoop(self.shell, self.messages)
        for source in setup:
            self.cells.run(source, quiet=True)

    def serve(self) -> None:
        """Fork a guard for each client. Never returns."""
        # The present objects are never garbage. Scanning them would cost each kernel time and copies of
        # pages.
        gc.collect()
        gc.freeze()
        gc.enable()
        while True:
            client, _ = self.server.accept()
            reap_children()
            if os.fork() == 0:
                self.server.close()
                self.guard(client)
            client.close()

    def guard(self, client: socket.socket) -> None:
        """Start a kernel, monitor the kernel, and remove its remains. Never returns."""
        try:
            request = receive_request(client)
            with contextlib.suppress(OSError):
                os.sched_setaffinity(0, request.cores)
            limits = ResourceLimits(**request.limits) if request.limits else None
            if limits and not self.sandbox:
                raise KernelStartError(self.problem)
            inside = self.sandbox if limits else None

            def run(ready: int) -> None:
                client.close()
                self.become_kernel(request, inside, limits, ready)

            started = spawn_kernel(inside, request.scratch, run, request.links)
            reason = None
            try:
                fixed = inside is not None and inside.rung.namespaces
                send_message(client, pid=started.kernel, first=started.first)
                reason = monitor_kernel(client, started, request.scratch, limits, fixed)
            finally:
                # Clean up, whatever the client does.
                status = kill_kernel_processes(started)
                if inside:
                    inside.left(request.scratch)
            send_message(client, exit=status, reason=reason)
        except KernelStartError as error:
            send_message(client, problem=str(error))
        except Exception:
            traceback.print_exc(file=sys.__stderr__)
        finally:
            os._exit(0)

    def become_kernel(
        self, request: KernelRequest, sandbox: Sandbox | None, limits: ResourceLimits | None, ready: int
    ) -> None:
        """Turn this fork into a kernel that closes `ready` when it is ready. Never returns."""
        try:
            libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
            frames, *printed = request.links[:3]
            redirect_standard_streams(*printed)
            if sandbox and limits:
                enter_sandbox(sandbox, request.scratch, limits, ready)
                torch_reducer.register_storage_reducer()
            os.environ.clear()
            os.environ.update(request.env)
            self.shell.init_environment()
            os.chdir(request.cwd)
            self.cells.renew_loop()
            set_profile_folder(self.shell, request.scratch)
            # The folder was cached when modules were imported, and has changed since.
            tempfile.tempdir = None
            for link in request.links[3:]:
                os.dup2(link, LINK_DESCRIPTOR, inheritable=False)
                os.close(link)
            os.close(ready)
            self.cells.serve(socket.socket(fileno=frames))
        except BaseException:
            traceback.print_exc(file=sys.__stderr__)
        finally:
            os._exit(0)


def receive_request(client: socket.socket) -> KernelRequest:
    """Receive a client's request. Raises SystemExit if the client closes the connection first."""
    text, links, *_ = socket.recv_fds(client, 2**16, 4)
    for link in links:
        os.set_inheritable(link, False)
    with client.makefile() as lines:
        while not text.endswith(b"\n"):
            more = lines.readline()
            if not more:
                # The client is gone and has sent no complete request.
                raise SystemExit
            text += more.encode()
    return KernelRequest(**json.loads(text), links=tuple(links))


def reject_clients(server: socket.socket, why: str) -> None:
    """Send the reason for a missing template to all clients that wait at a socket."""
    server.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while True:
            client, _ = server.accept()
            with client, contextlib.suppress(OSError, SystemExit):
                receive_request(client)
                send_message(client, failed=why)


def send_message(client: socket.socket, **message: Any) -> None:
    with contextlib.suppress(OSError):
        client.sendall(json.dumps(message, default=str).encode() + b"\n")


def monitor_kernel(
    client: socket.socket, started: StartedKernel, scratch: str, limits: ResourceLimits | None, fixed: bool
) -> str | None:
    """Wait until the kernel ends or must be ended. Return the limit that the kernel broke, or None.

    The kernel must be ended if a limit is broken or the client has closed the connection. fixed: True if the
    scratch folder has a fixed size.
    """
    ended = os.pidfd_open(started.first)
    look = ResourceMonitor(os.getpid(), scratch, limits, fixed) if limits else None
    while True:
        watched: list[int | socket.socket] = [ended, client]
        found = select.select(watched, [], [], MONITOR_INTERVAL if look else None)[0]
        said = b""
        if client in found:
            with contextlib.suppress(ConnectionError):
                said = client.recv(1)
        reason = look.broken() if look else None
        if reason or ended in found or (client in found and not said):
            return reason
        if said == HEALTH_CHECK:
            send_message(client, well=True)


def redirect_standard_streams(out: int, err: int) -> None:
    """Detach from the grader's terminal. out, err: descriptors to write to instead."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor, number in ((nothing, 0), (out, 1), (err, 2)):
        os.dup2(descriptor, number)
    for descriptor in {nothing, out, err}:
        os.close(descriptor)


def reap_children(how: int = os.WEXITED | os.WNOHANG) -> None:
    """Reap guards that have ended, which adds the resources of their kernels to this process's usage."""
    with contextlib.suppress(ChildProcessError):
        while os.waitid(os.P_ALL, 0, how):
            pass
