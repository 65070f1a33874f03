"""Run tasks in concurrent forks of this process, each with a time and a memory limit."""

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

# CPU time limit of a fork: the larger of MIN_CPU_SECONDS and this factor times the first task's CPU time.
MIN_CPU_SECONDS, REFERENCE_TIME_FACTOR = 2.0, 20.0
# Elapsed-time limit, for forks that sleep and so use no CPU time.
MAX_WALL_SECONDS = 60.0
MEMORY_LIMIT = 3 * 2**30

# Runs a task in this process. The second argument is the CPU time limit for any process that the task starts.
TaskRunner = Callable[[AnswerTask, float], AnswerTaskResult]


def run_tasks(tasks: list[AnswerTask], at_once: int, attempt: TaskRunner) -> Iterator[AnswerTaskResult]:
    """Run tasks and yield their results as they end.

    The first task runs alone: its CPU time sets the limit for the others.
    """
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
    """Run tasks in at most `at_once` forks and yield their results. seconds: CPU time limit of each fork."""
    waiting, running = tasks[::-1], dict[int, tuple[AnswerTask, IO[bytes]]]()
    while waiting or running:
        while waiting and len(running) < at_once:
            task = waiting.pop()
            process, file = fork_task(task, MAX_WALL_SECONDS if task.whole else seconds, attempt)
            running[process] = task, file
        process, status = os.wait()
        # `os.wait` also returns processes that a cell has started.
        if process in running:
            task, file = running.pop(process)
            with file:
                yield read_fork_result(task, status, file)


def fork_task(task: AnswerTask, seconds: float, attempt: TaskRunner) -> tuple[int, IO[bytes]]:
    """Start a task in a fork. Return the fork's process id, and the file that receives the result."""
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
    """Return the result of a fork that has ended. status: as returned by `os.wait`."""
    if is_timeout_status(status):
        return AnswerTaskResult(task.number, ENDLESS)
    file.seek(0)
    said = file.read()
    return parse_result(json.loads(said)) if said else AnswerTaskResult(task.number, DIED)


def set_resource_limits(seconds: float) -> None:
    """Limit this process's CPU time (to `seconds`), elapsed time and memory."""
    for timer, limit in ((signal.ITIMER_PROF, seconds), (signal.ITIMER_REAL, MAX_WALL_SECONDS)):
        signal.setitimer(timer, limit)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_LIMIT, MEMORY_LIMIT))


def is_timeout_status(status: int) -> bool:
    """Return True if a time limit ended the process."""
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGALRM)
