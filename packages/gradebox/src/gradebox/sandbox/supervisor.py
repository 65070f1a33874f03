"""Start and supervise a kernel's processes, and remove them when the kernel ends.

A *guard* process starts the first process of the kernel's namespace, which starts the kernel. Orphans of the
kernel become children of one of these two processes, and are killed when the kernel ends.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
from collections.abc import Callable
from dataclasses import dataclass

from gradebox.sandbox import libc
from gradebox.sandbox.resource_monitor import iterate_descendants
from gradebox.sandbox.rlimits import ResourceLimits
from gradebox.sandbox.sandbox import Sandbox

SIGNAL_EXIT_BASE = 128


class KernelStartError(Exception):
    """Error for a kernel that can't be started as requested; the message is the reason."""


@dataclass(frozen=True)
class StartedKernel:
    """Process IDs of a kernel and of the first process in the kernel's namespace."""

    kernel: int
    first: int


def spawn_kernel(
    sandbox: Sandbox | None, scratch: str, run: Callable[[int], None], links: tuple[int, ...] = ()
) -> StartedKernel:
    """Start a kernel and turn this process into its guard.

    `run` is called in the kernel with a descriptor, and must not return. It closes the descriptor when the
    kernel is ready, or writes the reason for a failure there. A guard can start only one kernel. links:
    descriptors that only the kernel keeps. Raises KernelStartError.
    """
    os.setsid()
    libc.prctl(libc.PR_SET_CHILD_SUBREAPER, 1)
    if sandbox:
        try:
            sandbox.create_namespaces(scratch)
        except OSError as error:
            raise KernelStartError(libc.format_os_error(error)) from error
    reader, writer = os.pipe()
    first = os.fork()
    if first == 0:
        os.close(reader)
        run_as_init(run, writer, links)
    for descriptor in (writer, *links):
        os.close(descriptor)
    with open(reader) as said:
        problem = said.read()
    if problem:
        kill_kernel_processes(StartedKernel(first, first))
        if sandbox:
            sandbox.left(scratch)
        raise KernelStartError(problem)
    return StartedKernel(next(iterate_descendants(first), first), first)


def enter_sandbox(sandbox: Sandbox, scratch: str, most: ResourceLimits, ready: int) -> None:
    """Enter a sandbox in a process of `spawn_kernel`.

    On failure, write the reason to `ready` and end the process.
    """
    try:
        sandbox.enter(scratch, most)
    except Exception as error:
        os.write(ready, libc.format_os_error(error).encode())
        os._exit(1)


def run_as_init(run: Callable[[int], None], writer: int, links: tuple[int, ...]) -> None:
    """Run as the first process of a namespace, whose end ends all others. Never returns."""
    libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
    # Orphans become children of this process, which reaps them.
    libc.prctl(libc.PR_SET_CHILD_SUBREAPER, 1)
    kernel = os.fork()
    if kernel == 0:
        os.setsid()
        run(writer)
    # Close these copies, so that the other ends detect the end of the kernel.
    for descriptor in (writer, *links):
        os.close(descriptor)
    while True:
        process, status = os.wait()
        if process == kernel:
            code = os.waitstatus_to_exitcode(status)
            # Encode a signal number as shells do.
            os._exit(code if code >= 0 else SIGNAL_EXIT_BASE - code)


def kill_kernel_processes(started: StartedKernel) -> int:
    """Kill a kernel and all of its descendants. Return the kernel's exit status.

    In a namespace, the end of the first process ends all others. Without one, each descendant is killed. The
    first process gets a second to end by itself, so that the resources used by the kernel are counted.
    """
    status = 0
    with contextlib.suppress(ProcessLookupError):
        os.kill(started.kernel, signal.SIGKILL)
    select.select([os.pidfd_open(started.first)], [], [], 1)
    with contextlib.suppress(ProcessLookupError):
        os.kill(started.first, signal.SIGKILL)
    while True:
        for process in iterate_descendants(os.getpid()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        try:
            # Reap all ended children at once: programs that fork and exit repeatedly could outrun the loop.
            while True:
                process, ended = os.waitpid(-1, os.WNOHANG)
                if process == started.first:
                    code = os.waitstatus_to_exitcode(ended)
                    status = SIGNAL_EXIT_BASE - code if code > SIGNAL_EXIT_BASE else code
                elif process == 0:
                    break
        except ChildProcessError:
            return status
