"""Many submissions at once: Dask tasks, on workers of this machine or on a cluster that exists."""

import asyncio
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import dask
from distributed import CancelledError, Client, LocalCluster, as_completed
from distributed.comm import CommClosedError

from gradebox.course import CourseError
from gradebox.kernels.server import SHARED, available, server
from gradebox.start import METHOD, run_ahead

# Submissions that wait at each worker, so that none is idle while the gradebook is written.
AHEAD = 2
# Dask's own bookkeeping of what takes how long, which nobody looks at here; and its memory of what was sent,
# which would keep every submission.
QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.log-length": 0,
    "distributed.admin.low-level-log-length": 0,
    "distributed.diagnostics.computations.max-history": 0,
}


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def connected(workers: int, scheduler: str | None, preload: tuple[str, ...]) -> Iterator[Client]:
    """A client of the scheduler at this address, or of as many workers of our own.

    Workers of our own share warm processes, so what lessons import is not imported by each.
    """
    for name in ("distributed", "distributed.client", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if scheduler:
        try:
            client = Client(scheduler, timeout=20, set_as_default=False)
        except (OSError, ValueError) as error:
            raise CourseError(f"there is no Dask scheduler at {scheduler}: {error}") from None
        with client:
            yield client
        return
    environment = {}
    if available():
        run_ahead(preload)
        environment = {SHARED[role]: path for role, path in server(preload).paths.items()}
    with (
        dask.config.set(QUIET | {"distributed.worker.multiprocessing-method": METHOD}),
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=None,
            dashboard_address="127.0.0.1:0",
            processes=True,
            env=environment,
        ) as own,
        Client(own, set_as_default=False) as client,
    ):
        client.run(logging.disable, logging.CRITICAL)
        yield client


def run_all(
    client: Client, function: Callable[[bytes], bytes], jobs: Iterator[tuple[Any, bytes]]
) -> Iterator[tuple[Any, bytes | Exception]]:
    """Run jobs as they come, a few ahead. Yields each one's key, and its result or what went wrong.

    What goes wrong is a worker that dies again and again; `function` must not raise. Raises CourseError if
    the scheduler is lost; what has been yielded until then is done.
    """
    keys: dict[str, Any] = {}
    room = AHEAD * max(1, sum(client.nthreads().values()))

    def submit(key: Any, job: bytes) -> Any:
        future = client.submit(function, job, pure=False)
        keys[future.key] = key
        return future

    running = as_completed([submit(*job) for job in islice(jobs, room)], loop=client.loop)
    try:
        for future in running:
            result = future.exception() or future.result()
            yield keys.pop(future.key), result
            for job in islice(jobs, 1):
                running.add(submit(*job))
    except (CommClosedError, CancelledError, asyncio.CancelledError, TimeoutError, OSError):
        raise CourseError(
            "the connection to the scheduler was lost; nothing is lost that was graded: "
            "run the same command again"
        ) from None
