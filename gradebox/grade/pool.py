"""Many submissions at once: workers of this machine, which share the processes that kernels come from."""

import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from typing import Any

from gradebox.kernels.client import SHARED, available, server

# Submissions that wait at each worker, so that none is idle while the gradebook is written.
AHEAD = 2
# How often a submission is tried whose worker has died, as when the machine runs out of memory.
TRIES = 3
# How often a worker looks whether its grader is still there, in seconds.
LOOK = 0.5
# A fork has imported what it needs. Elsewhere than on Linux, a program that has used libraries can't fork.
METHOD = "fork" if available() else "spawn"


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def begin(grader: int, environment: dict[str, str]) -> None:
    """What a worker does first."""
    import gradebox.own_process  # noqa: F401

    # What the grader has imported is never garbage.
    gc.freeze()
    os.environ.update(environment)
    # An interrupt from the terminal is for the grader, which ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with, args=(grader,), daemon=True).start()


def end_with(grader: int) -> None:
    """End this process when the grader has, however that ended."""
    while os.getppid() == grader:
        time.sleep(LOOK)
    os._exit(1)


class Pool:
    """So many workers. environment: what they have in their environment besides the grader's."""

    def __init__(self, workers: int, environment: dict[str, str]):
        self.workers, self.environment = workers, environment
        self.start()

    def start(self) -> None:
        arguments = os.getpid(), self.environment
        self.executor = ProcessPoolExecutor(self.workers, get_context(METHOD), begin, arguments)

    def start_again(self) -> None:
        self.close()
        self.start()

    def close(self) -> None:
        """End the workers, and what they run."""
        # What Python 3.14 calls terminate_workers().
        processes = list((self.executor._processes or {}).values())
        self.executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()

    def run(
        self, function: Callable[[bytes], bytes], jobs: Iterator[tuple[Any, bytes]]
    ) -> Iterator[tuple[Any, bytes | Exception]]:
        """Run jobs as they come, a few ahead. Yields each one's key, and its result or what went wrong.

        What goes wrong is a worker that dies again and again; `function` must not raise.
        """
        running: dict[Future[bytes], tuple[Any, bytes]] = {}
        waiting: list[tuple[Any, bytes]] = []
        while True:
            waiting += islice(jobs, AHEAD * self.workers - len(running) - len(waiting))
            if not waiting and not running:
                return
            done: list[Future[bytes]] = []
            try:
                while waiting:
                    running[self.executor.submit(function, waiting[0][1])] = waiting[0]
                    del waiting[0]
                done = list(wait(running, return_when=FIRST_COMPLETED).done)
                broken = any(isinstance(future.exception(), BrokenProcessPool) for future in done)
            except BrokenProcessPool:
                # Since somebody was waited for.
                broken = True
            if broken:
                done = [future for future in running if future.done() and not future.exception()]
            for future in done:
                yield running.pop(future)[0], future.result()
            if broken:
                # All others have lost their workers, too. One by one, each finds out whether it was to blame.
                lost, running = list(running.values()), {}
                self.start_again()
                for key, job in lost:
                    yield key, self.alone(function, job)

    def alone(self, function: Callable[[bytes], bytes], job: bytes) -> bytes | Exception:
        """Run a job while nothing else runs."""
        for _ in range(TRIES - 1):
            try:
                return self.executor.submit(function, job).result()
            except BrokenProcessPool as error:
                broken = error
                self.start_again()
        return broken


@contextmanager
def pool(workers: int, preload: tuple[str, ...]) -> Iterator[Pool]:
    """A pool of workers that share warm processes, so that what lessons import is not imported by each."""
    environment = {SHARED[role]: path for role, path in server(preload).paths.items()} if available() else {}
    own = Pool(workers, environment)
    try:
        yield own
    finally:
        own.close()
