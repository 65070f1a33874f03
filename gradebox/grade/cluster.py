"""Many submissions at once: Dask tasks, on the workers of a scheduler that exists."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from distributed import CancelledError, Client, as_completed
from distributed.comm import CommClosedError

from gradebox.course import CourseError
from gradebox.grade.pool import AHEAD


def run_on(
    scheduler: str, function: Callable[[bytes], bytes], jobs: Iterator[tuple[Any, bytes]]
) -> Iterator[tuple[Any, bytes | Exception]]:
    """Run jobs as they come, a few ahead. Yields each one's key, and its result or what went wrong.

    scheduler: its address. What goes wrong is a worker that dies again and again; `function` must not raise.
    Raises CourseError if there is no scheduler, or it is lost; what has been yielded until then is done.
    """
    for name in ("distributed", "distributed.client", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(scheduler, timeout=20, set_as_default=False)
    except (OSError, ValueError) as error:
        raise CourseError(f"there is no Dask scheduler at {scheduler}: {error}") from None
    with client:
        yield from run_all(client, function, jobs)


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
