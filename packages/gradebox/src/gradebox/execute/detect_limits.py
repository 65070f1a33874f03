"""Detect that a cell has reached a limit of the submission, or is near a time limit, and describe the limit.

Called by `notebook_runner.py` and by `gradebox check`.
"""

import errno
import re
from collections.abc import Mapping

from nbformat.notebooknode import NotebookNode

from gradebox.execute.execution_settings import Settings
from gradebox.notebook_exercises import find_grade_id
from gradebox.notebook_metadata import FAILED, NOT_RUN, TIMED_OUT, find_last_error, read_ending

# The names of the limits in `sandbox/resource_monitor.py`.
MEMORY, PROCESSES, FILES = "memory", "processes", "files"
SETTINGS_BY_LIMIT = {MEMORY: "memory_limit", PROCESSES: "process_limit", FILES: "file_limit"}
LIMITS_BY_ERRNO = {
    errno.ENOMEM: MEMORY,
    errno.EAGAIN: PROCESSES,
    errno.ENOSPC: FILES,
    errno.EFBIG: FILES,
}
# NumPy's error is `_ArrayMemoryError`. Python's error for a thread and PyTorch's error have no number.
LIMITS_BY_TEXT = {
    "MemoryError": MEMORY,
    "can't allocate memory": MEMORY,
    "can't start new thread": PROCESSES,
}


def describe_reached_limit(
    settings: Settings, cell: NotebookNode, contained: bool, broken: str | None = None
) -> str | None:
    """Return a clause about the limit that an executed cell has reached, with its setting; None if none.

    contained: True for a sandbox; without one, there are only time limits. broken: the limit for which the
    cell's process was ended, if any.
    """
    ended = read_ending(cell)
    if ended == NOT_RUN:
        return describe_notebook_timeout(settings)
    if ended == TIMED_OUT:
        return f"the cell reached its time limit of {describe_cell_timeout(settings, cell)}"
    if ended == FAILED and contained:
        broken = broken or find_limit_of_error(cell)
    if broken is None:
        return None
    setting = SETTINGS_BY_LIMIT[broken]
    return f"the cell reached the limit of {describe_amount(settings, broken)} (`c.Execute.{setting}`)"


def describe_notebook_timeout(settings: Settings) -> str:
    seconds = settings.notebook_timeout
    return f"the notebook reached its time limit of {seconds} seconds (`c.Execute.notebook_timeout`)"


def describe_cell_timeout(settings: Settings, cell: NotebookNode) -> str:
    setting = "timeout_func" if settings.timeout_func else "timeout"
    return f"{settings.find_cell_timeout(cell)} seconds (`c.Execute.{setting}`)"


def find_near_time_limits(
    settings: Settings, notebook: NotebookNode, seconds: Mapping[int, float]
) -> list[str]:
    """Return a clause for each time limit of which an executed notebook has used more than half.

    seconds: the time that each cell took, by index.
    """
    found = []
    for number, took in seconds.items():
        cell = notebook.cells[number]
        if took > (settings.find_cell_timeout(cell) or float("inf")) / 2:
            name = find_grade_id(cell) or f"cell {number + 1}"
            found.append(f"{name} took {took:.0f} of its {describe_cell_timeout(settings, cell)}")
    total, limit = sum(seconds.values()), settings.notebook_timeout
    if total > limit / 2:
        found.append(f"all cells took {total:.0f} of {limit} seconds (`c.Execute.notebook_timeout`)")
    return found


def describe_amount(settings: Settings, limit: str) -> str:
    """Return the amount that a limit permits, with its unit."""
    return {
        MEMORY: f"{settings.memory_limit / 2**30:g} GiB of memory",
        PROCESSES: f"{settings.process_limit} processes",
        FILES: f"{settings.file_limit / 10**6:g} MB of files",
    }[limit]


def find_limit_of_error(cell: NotebookNode) -> str | None:
    """Return the limit that probably caused a failed cell's last error, or None."""
    error = find_last_error(cell)
    if error is None:
        return None
    # A check's message contains the name of the student's error.
    text = f"{error.ename}: {error.evalue}"
    if number := re.search(r"\[Errno (\d+)\]", text):
        return LIMITS_BY_ERRNO.get(int(number[1]))
    return next((limit for words, limit in LIMITS_BY_TEXT.items() if words in text), None)
