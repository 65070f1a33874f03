"""Executor of local worker processes, with the interface of `concurrent.futures`.

Each thread drives one process, so a process that dies does not affect the others. All workers share the
zygotes from which kernels are forked.
"""

import gc
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

from gradebox.kernel.interpreter import OWN_INTERPRETER, Interpreter
from gradebox.kernel.zygote_client import build_sharing_environment, can_fork_kernels

# Submitted jobs per worker, so that no worker is idle while the gradebook is written.
QUEUED_JOBS_PER_WORKER = 2
# Attempts for a job whose worker dies, for example when the machine runs out of memory.
MAX_JOB_ATTEMPTS = 3
# Seconds between a worker's checks that its grader is alive, and a grader's checks of its executor.
POLL_INTERVAL = 0.5
# A fork inherits the imported modules. Outside Linux, a process that has used them can't fork safely.
START_METHOD = "fork" if can_fork_kernels() else "spawn"


class WorkerDiedError(RuntimeError):
    """Error for a job whose worker has died repeatedly."""


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def assign_cores(workers: int) -> list[int | None]:
    """Return the core to which each worker is pinned; None for any core.

    The processes of a submission take turns, so sharing one core avoids waking a process on another core.
    If there are more cores than workers, nothing is pinned, because the other cores may be the idle ones.
    """
    return (
        [*sorted(os.sched_getaffinity(0))]
        if can_fork_kernels() and workers == count_cores()
        else [None] * workers
    )


def run_worker(jobs: Connection, grader: int, environment: dict[str, str], core: int | None) -> None:
    """Run a worker's loop: receive a function call, and send back the result or exception."""
    import gradebox.stub_heavy_packages  # noqa: F401

    if core is not None:
        os.sched_setaffinity(0, {core})

    # Modules that the grader has imported are never garbage.
    gc.freeze()
    os.environ.update(environment)
    # An interrupt from the terminal is for the grader, which ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A grader that handles this signal (`gradebox watch`) ends its workers, too.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=exit_with_parent, args=(grader,), daemon=True).start()
    while True:
        function, arguments = pickle.loads(jobs.recv_bytes())
        answer: tuple[Any, Exception | None]
        try:
            answer = function(*arguments), None
        except Exception as error:
            answer = None, error
        jobs.send(answer)


def exit_with_parent(grader: int) -> None:
    """End this process once the grader has ended for any reason."""
    while os.getppid() == grader:
        time.sleep(POLL_INTERVAL)
    os._exit(1)


class Worker:
    """Process that runs one job after another.

    environment: variables in addition to the grader's. core: the core to run on; None for any core.
    """

    def __init__(self, environment: dict[str, str], core: int | None):
        self.environment, self.core = environment, core
        self.start(START_METHOD)

    def start(self, method: str) -> None:
        context: Any = get_context(method)
        self.jobs, theirs = context.Pipe()
        arguments = theirs, os.getpid(), self.environment, self.core
        self.process = context.Process(target=run_worker, args=arguments, daemon=True)
        self.process.start()
        # Without our copy, this end of the pipe closes when the worker dies.
        theirs.close()

    def do(self, job: bytes) -> tuple[Any, Exception | None]:
        """Run a job. Return its value and its exception. Raises EOFError or OSError if the process dies."""
        self.jobs.send_bytes(job)
        return self.jobs.recv()

    def end(self) -> None:
        self.process.kill()
        self.process.join()


class ProcessPool(ThreadPoolExecutor):
    """Executor with a fixed number of worker processes."""

    def __init__(self, workers: int, environment: dict[str, str]):
        super().__init__(workers)
        # Fork before any thread starts: a fork must not happen in the middle of a thread's work.
        self.workers = [Worker(environment, core) for core in assign_cores(workers)]
        self.closed = False
        self.free: SimpleQueue[Worker] = SimpleQueue()
        for worker in self.workers:
            self.free.put(worker)

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future:
        return super().submit(self.do, pickle.dumps((function, args)))

    def do(self, job: bytes) -> Any:
        worker = self.free.get()
        try:
            for _ in range(MAX_JOB_ATTEMPTS):
                try:
                    value, error = worker.do(job)
                except (EOFError, OSError):
                    worker.end()
                    if self.closed:
                        break
                    worker.start("spawn")
                    continue
                if error:
                    raise error
                return value
        finally:
            self.free.put(worker)
        raise WorkerDiedError(f"the worker process died {MAX_JOB_ATTEMPTS} times, perhaps out of memory")

    def close(self) -> None:
        """End the workers and everything they run."""
        self.closed = True
        self.shutdown(wait=False, cancel_futures=True)
        for worker in self.workers:
            worker.end()


@contextmanager
def open_process_pool(
    workers: int, preload: tuple[str, ...], interpreters: Iterable[Interpreter] = ()
) -> Iterator[ProcessPool]:
    """Open a pool of workers that share zygotes.

    preload: modules that lessons import, which are thus not imported by each worker. interpreters: those of
    the lessons' kernels; the zygotes of gradebox's own interpreter also probe the sandbox.
    """
    environment: dict[str, str] = {}
    if can_fork_kernels():
        for interpreter in dict.fromkeys((OWN_INTERPRETER, *interpreters)):
            environment |= build_sharing_environment(preload, interpreter)
    own = ProcessPool(workers, environment)
    try:
        yield own
    finally:
        own.close()


def run_all(
    executor: Executor,
    function: Callable[[Any], Any],
    jobs: Iterator[tuple[Any, Any] | None],
    workers: int,
    check: Callable[[], None] = lambda: None,
) -> Iterator[tuple[Any, Any]]:
    """Run jobs as they are generated, with a few submitted ahead.

    jobs: yields None if the next job depends on a result of the running ones. check: raises an error if the
    executor is lost. Yields the key of each finished job, with the job's result or exception.
    """
    running: dict[Future, Any] = {}
    while True:
        for keyed in islice(jobs, QUEUED_JOBS_PER_WORKER * workers - len(running)):
            if keyed is None:
                break
            key, job = keyed
            running[executor.submit(function, job)] = key
        if not running:
            return
        for future in wait(running, POLL_INTERVAL, FIRST_COMPLETED).done:
            yield running.pop(future), future.exception() or future.result()
        check()
