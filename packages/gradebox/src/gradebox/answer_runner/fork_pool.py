"""Tries tasks in forks of this process, several at once, each with a limit of time and memory."""

import gc
import json
import os
import resource
import signal
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import IO

from gradebox.answer_runner.answer_tasks import DIED, ENDLESS, Result, Task, result_in

# A fork that has used so much of the processor is going round in circles.
SECONDS, TIMES_THE_REFERENCE = 2.0, 20.0
# One that only sleeps ends here.
LONGEST = 60.0
MEMORY = 3 * 2**30

# Tries a task in this process. It is told the limit for a process beside this one.
Try = Callable[[Task, float], Result]


def results(tasks: list[Task], at_once: int, attempt: Try) -> Iterator[Result]:
    """The results of tasks, as they end. The first, alone, says how long the others may take."""
    gc.collect()
    gc.freeze()
    first, *others = tasks
    (result,) = in_forks([first], SECONDS, 1, attempt)
    yield result
    yield from in_forks(others, max(SECONDS, TIMES_THE_REFERENCE * result.seconds), at_once, attempt)


def in_forks(tasks: list[Task], seconds: float, at_once: int, attempt: Try) -> Iterator[Result]:
    waiting, running = tasks[::-1], dict[int, tuple[Task, IO[bytes]]]()
    while waiting or running:
        while waiting and len(running) < at_once:
            task = waiting.pop()
            process, file = fork(task, LONGEST if task.whole else seconds, attempt)
            running[process] = task, file
        process, status = os.wait()
        # Cells may have started processes, too.
        if process in running:
            task, file = running.pop(process)
            with file:
                yield finished(task, status, file)


def fork(task: Task, seconds: float, attempt: Try) -> tuple[int, IO[bytes]]:
    """Try a task in a process of its own. Returns that, and the file into which it writes its result."""
    file = tempfile.TemporaryFile()
    process = os.fork()
    if process:
        return process, file
    try:
        be_limited(seconds)
        file.write(json.dumps(asdict(attempt(task, seconds))).encode())
        file.flush()
    finally:
        os._exit(0)


def finished(task: Task, status: int, file: IO[bytes]) -> Result:
    """The result of a fork that has ended."""
    if was_endless(status):
        return Result(task.number, ENDLESS)
    file.seek(0)
    said = file.read()
    return result_in(json.loads(said)) if said else Result(task.number, DIED)


def be_limited(seconds: float) -> None:
    """End this process after so many seconds of the processor, or when it has taken far too long."""
    for timer, limit in ((signal.ITIMER_PROF, seconds), (signal.ITIMER_REAL, LONGEST)):
        signal.setitimer(timer, limit)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def was_endless(status: int) -> bool:
    """Whether a process was ended by its limit of time."""
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGALRM)
