"""The executor of a Dask scheduler that exists."""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager

from distributed import Client
from distributed.comm import CommClosedError

from gradebox.course import CourseError


@contextmanager
def connect_dask_executor(scheduler: str) -> Iterator[tuple[Executor, int, Callable[[], None]]]:
    """An executor, how many jobs it runs at once, and what raises CourseError once the scheduler is lost.

    scheduler: its address. Raises CourseError if there is none; what has been done until it is lost stays.
    """
    for name in ("distributed", "distributed.client", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(scheduler, timeout=20, set_as_default=False)
    except (OSError, ValueError) as error:
        raise CourseError(f"there is no Dask scheduler at {scheduler}: {error}") from None

    def check() -> None:
        if client.status != "running":
            raise CommClosedError

    with client:
        try:
            yield client.get_executor(pure=False), max(1, sum(client.nthreads().values())), check
        except (CommClosedError, CancelledError, TimeoutError, OSError):
            raise CourseError(
                "the connection to the scheduler was lost; nothing is lost that was graded: "
                "run the same command again"
            ) from None
