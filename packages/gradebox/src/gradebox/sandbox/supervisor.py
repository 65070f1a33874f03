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
from gradebox.sandbox.resource_monitor import descendants
from gradebox.sandbox.rlimits import Limits
from gradebox.sandbox.sandbox import Sandbox

SIGNALLED = 128


class Problem(Exception):
    """A kernel can't be started here as it has to be; the message says why."""


@dataclass(frozen=True)
class Started:
    """A kernel (its process number) in its world, and the first process of that."""

    kernel: int
    first: int


def start(
    sandbox: Sandbox | None, scratch: str, run: Callable[[int], None], links: tuple[int, ...] = ()
) -> Started:
    """Start a kernel from this process, which becomes its guard: `run` is called in it, and must not return.

    `run` gets a descriptor. It closes it once all is well; what it writes there is why it can't go on. A
    guard has one kernel only. links: descriptors that are the kernel's alone. Raises Problem.
    """
    os.setsid()
    libc.prctl(libc.PR_SET_CHILD_SUBREAPER, 1)
    if sandbox:
        try:
            sandbox.surround(scratch)
        except OSError as error:
            raise Problem(libc.in_words(error)) from error
    reader, writer = os.pipe()
    first = os.fork()
    if first == 0:
        os.close(reader)
        be_first(run, writer, links)
    for descriptor in (writer, *links):
        os.close(descriptor)
    with open(reader) as said:
        problem = said.read()
    if problem:
        sweep(Started(first, first))
        if sandbox:
            sandbox.left(scratch)
        raise Problem(problem)
    return Started(next(descendants(first), first), first)


def enter(sandbox: Sandbox, scratch: str, most: Limits, ready: int) -> None:
    """Enter a sandbox in a process that `start` has started; end it, with the reason told, if that fails."""
    try:
        sandbox.enter(scratch, most)
    except Exception as error:
        os.write(ready, libc.in_words(error).encode())
        os._exit(1)


def be_first(run: Callable[[int], None], writer: int, links: tuple[int, ...]) -> None:
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
            os._exit(code if code >= 0 else SIGNALLED - code)


def sweep(started: Started) -> int:
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
        for process in descendants(os.getpid()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        try:
            # All that have ended by now: programs that fork an heir and end would outrun a look for each.
            while True:
                process, ended = os.waitpid(-1, os.WNOHANG)
                if process == started.first:
                    code = os.waitstatus_to_exitcode(ended)
                    status = SIGNALLED - code if code > SIGNALLED else code
                elif process == 0:
                    break
        except ChildProcessError:
            return status
