"""Many submissions at once: an executor of processes of this machine, as `concurrent.futures` has them.

Each of its threads drives a process, so that one which dies costs no other anything. They share the processes
that kernels come from.
"""

import gc
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

from gradebox.kernel.zygote_client import SHARED_ZYGOTE_VARIABLES, can_fork_kernels, get_zygote

# Jobs that wait for each worker, so that none is idle while the gradebook is written.
QUEUED_JOBS_PER_WORKER = 2
# How often a job is tried whose worker has died, as when the machine runs out of memory.
MAX_JOB_ATTEMPTS = 3
# How often a worker looks for its grader, and a grader for its executor, in seconds.
POLL_INTERVAL = 0.5
# A fork has imported what it needs. Elsewhere than on Linux, a program that has used libraries can't fork.
START_METHOD = "fork" if can_fork_kernels() else "spawn"


class WorkerDiedError(RuntimeError):
    """A job whose worker has died again and again."""


def count_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def assign_cores(workers: int) -> list[int | None]:
    """The core that each of so many workers keeps to; None for any.

    The processes of a submission take turns, and on one core none has to be woken from afar for its turn.
    Where cores are left over, those might be the idle ones.
    """
    return (
        [*sorted(os.sched_getaffinity(0))]
        if can_fork_kernels() and workers == count_cores()
        else [None] * workers
    )


def run_worker(jobs: Connection, grader: int, environment: dict[str, str], core: int | None) -> None:
    """What a worker does: it calls what it is sent, and sends back what that returns or raises."""
    import gradebox.stub_packages  # noqa: F401

    if core is not None:
        os.sched_setaffinity(0, {core})

    # What the grader has imported is never garbage.
    gc.freeze()
    os.environ.update(environment)
    # An interrupt from the terminal is for the grader, which ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
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
    """End this process when the grader has, however that ended."""
    while os.getppid() == grader:
        time.sleep(POLL_INTERVAL)
    os._exit(1)


class Worker:
    """A process that does one job after the other.

    environment: what it has besides the grader's. core: where it runs; None for anywhere.
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
        # Now its end is closed when it dies.
        theirs.close()

    def do(self, job: bytes) -> tuple[Any, Exception | None]:
        """What came of a job. Raises EOFError or OSError if the process dies."""
        self.jobs.send_bytes(job)
        return self.jobs.recv()

    def end(self) -> None:
        self.process.kill()
        self.process.join()


class ProcessPool(ThreadPoolExecutor):
    """An executor of so many processes."""

    def __init__(self, workers: int, environment: dict[str, str]):
        super().__init__(workers)
        # Ahead of all threads, which a fork must not be in the middle of.
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
        raise WorkerDiedError(f"its process died {MAX_JOB_ATTEMPTS} times, perhaps for want of memory")

    def close(self) -> None:
        """End the workers, and what they run."""
        self.closed = True
        self.shutdown(wait=False, cancel_futures=True)
        for worker in self.workers:
            worker.end()


@contextmanager
def open_process_pool(workers: int, preload: tuple[str, ...]) -> Iterator[ProcessPool]:
    """So many workers that share zygotes, so that what lessons import is not imported by each."""
    environment = (
        {SHARED_ZYGOTE_VARIABLES[owner]: path for owner, path in get_zygote(preload).paths.items()}
        if can_fork_kernels()
        else {}
    )
    own = ProcessPool(workers, environment)
    try:
        yield own
    finally:
        own.close()


def run_all(
    executor: Executor,
    function: Callable[[bytes], bytes],
    jobs: Iterator[tuple[Any, bytes]],
    workers: int,
    check: Callable[[], None] = lambda: None,
) -> Iterator[tuple[Any, bytes | BaseException]]:
    """Run jobs as they come, a few ahead. Yields each one's key, and its result or what went wrong.

    check: raises something if the executor is lost.
    """
    running: dict[Future[bytes], Any] = {}
    while True:
        for key, job in islice(jobs, QUEUED_JOBS_PER_WORKER * workers - len(running)):
            running[executor.submit(function, job)] = key
        if not running:
            return
        for future in wait(running, POLL_INTERVAL, FIRST_COMPLETED).done:
            yield running.pop(future), future.exception() or future.result()
        check()
