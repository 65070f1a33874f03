"""Executor that runs grading jobs on the workers of an existing Dask scheduler."""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager

from distributed import Client
from distributed.comm import CommClosedError

from gradebox.course import CourseError


@contextmanager
def connect_dask_executor(scheduler: str) -> Iterator[tuple[Executor, int, Callable[[], None]]]:
    """Yield a scheduler's executor, its number of parallel jobs, and a connection check.

    scheduler: its address. The check raises an error once the connection is lost. Raises CourseError if the
    scheduler can't be reached or the connection is lost; results received until then are kept.
    """
    for name in ("distributed", "distributed.client", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(scheduler, timeout=20, set_as_default=False)
    except (OSError, ValueError) as error:
        raise CourseError(f"no Dask scheduler at {scheduler}: {error}") from None

    def check() -> None:
        if client.status != "running":
            raise CommClosedError

    with client:
        try:
            yield client.get_executor(pure=False), max(1, sum(client.nthreads().values())), check
        except (CommClosedError, CancelledError, TimeoutError, OSError):
            raise CourseError(
                "the connection to the Dask scheduler was lost; saved grades are kept: "
                "run the same command again"
            ) from None
