"""Around a kernel: the processes that start it, watch over it, and leave nothing of it behind.

A *guard* starts the first process of a kernel's world, and that starts the kernel. What a kernel has
started and forgotten becomes a child of one of them, and ends with the kernel.
"""

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
    """A kernel can't be started here as it has to be; the message says why."""


@dataclass(frozen=True)
class StartedKernel:
    """A kernel (its process number) in its world, and the first process of that."""

    kernel: int
    first: int


def spawn_kernel(
    sandbox: Sandbox | None, scratch: str, run: Callable[[int], None], links: tuple[int, ...] = ()
) -> StartedKernel:
    """Start a kernel from this process, which becomes its guard: `run` is called in it, and must not return.

    `run` gets a descriptor. It closes it once all is well; what it writes there is why it can't go on. A
    guard has one kernel only. links: descriptors that are the kernel's alone. Raises Problem.
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
    """Enter a sandbox in a process that `start` has started; end it, with the reason told, if that fails."""
    try:
        sandbox.enter(scratch, most)
    except Exception as error:
        os.write(ready, libc.format_os_error(error).encode())
        os._exit(1)


def run_as_init(run: Callable[[int], None], writer: int, links: tuple[int, ...]) -> None:
    """The first process of a kernel's world: when it ends, so does everything in it. Never returns."""
    libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
    # Orphans come here, and what has ended of them is let go.
    libc.prctl(libc.PR_SET_CHILD_SUBREAPER, 1)
    kernel = os.fork()
    if kernel == 0:
        os.setsid()
        run(writer)
    # The other ends see when the kernel is gone.
    for descriptor in (writer, *links):
        os.close(descriptor)
    while True:
        process, status = os.wait()
        if process == kernel:
            code = os.waitstatus_to_exitcode(status)
            # A signal's number travels as a shell would say it.
            os._exit(code if code >= 0 else SIGNAL_EXIT_BASE - code)


def kill_kernel_processes(started: StartedKernel) -> int:
    """Kill a kernel and everything that came of it. Returns the kernel's exit status.

    The end of its first process ends all of a world of its own; elsewhere they are hunted. The first
    process is given a moment to go by itself, so that what the kernel has used is counted.
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
            # All that have ended by now: programs that fork an heir and end would outrun a look for each.
            while True:
                process, ended = os.waitpid(-1, os.WNOHANG)
                if process == started.first:
                    code = os.waitstatus_to_exitcode(ended)
                    status = SIGNAL_EXIT_BASE - code if code > SIGNAL_EXIT_BASE else code
                elif process == 0:
                    break
        except ChildProcessError:
            return status
