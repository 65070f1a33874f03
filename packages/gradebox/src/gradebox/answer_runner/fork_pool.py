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

from gradebox.answer_runner.answer_tasks import DIED, ENDLESS, AnswerTask, AnswerTaskResult, parse_result

# A fork that has used so much of the processor is going round in circles.
MIN_CPU_SECONDS, REFERENCE_TIME_FACTOR = 2.0, 20.0
# One that only sleeps ends here.
MAX_WALL_SECONDS = 60.0
MEMORY_LIMIT = 3 * 2**30

# Tries a task in this process. It is told the limit for a process beside this one.
TaskRunner = Callable[[AnswerTask, float], AnswerTaskResult]


def run_tasks(tasks: list[AnswerTask], at_once: int, attempt: TaskRunner) -> Iterator[AnswerTaskResult]:
    """The results of tasks, as they end. The first, alone, says how long the others may take."""
    gc.collect()
    gc.freeze()
    first, *others = tasks
    (result,) = run_in_forks([first], MIN_CPU_SECONDS, 1, attempt)
    yield result
    yield from run_in_forks(
        others, max(MIN_CPU_SECONDS, REFERENCE_TIME_FACTOR * result.seconds), at_once, attempt
    )


def run_in_forks(
    tasks: list[AnswerTask], seconds: float, at_once: int, attempt: TaskRunner
) -> Iterator[AnswerTaskResult]:
    waiting, running = tasks[::-1], dict[int, tuple[AnswerTask, IO[bytes]]]()
    while waiting or running:
        while waiting and len(running) < at_once:
            task = waiting.pop()
            process, file = fork_task(task, MAX_WALL_SECONDS if task.whole else seconds, attempt)
            running[process] = task, file
        process, status = os.wait()
        # Cells may have started processes, too.
        if process in running:
            task, file = running.pop(process)
            with file:
                yield read_fork_result(task, status, file)


def fork_task(task: AnswerTask, seconds: float, attempt: TaskRunner) -> tuple[int, IO[bytes]]:
    """Try a task in a process of its own. Returns that, and the file into which it writes its result."""
    file = tempfile.TemporaryFile()
    process = os.fork()
    if process:
        return process, file
    try:
        set_resource_limits(seconds)
        file.write(json.dumps(asdict(attempt(task, seconds))).encode())
        file.flush()
    finally:
        os._exit(0)


def read_fork_result(task: AnswerTask, status: int, file: IO[bytes]) -> AnswerTaskResult:
    """The result of a fork that has ended."""
    if is_timeout_status(status):
        return AnswerTaskResult(task.number, ENDLESS)
    file.seek(0)
    said = file.read()
    return parse_result(json.loads(said)) if said else AnswerTaskResult(task.number, DIED)


def set_resource_limits(seconds: float) -> None:
    """End this process after so many seconds of the processor, or when it has taken far too long."""
    for timer, limit in ((signal.ITIMER_PROF, seconds), (signal.ITIMER_REAL, MAX_WALL_SECONDS)):
        signal.setitimer(timer, limit)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_LIMIT, MEMORY_LIMIT))


def is_timeout_status(status: int) -> bool:
    """Whether a process was ended by its limit of time."""
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGALRM)
