"""What a student may be told of how a test, or a cell of theirs, ended."""

import builtins
import re

from nbconvert.filters import strip_ansi
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output

from gradebox.judge.kernel_commands import SUBMISSIONS
from gradebox.notebook_metadata import FAILED, OK, TIMED_OUT, ending, last_error

TOO_LONG = "This cell did not end in time."
STOPPED = "Your code stopped with {} when the test called it."
NOT_WRITTEN = "This is not written yet: your code stopped with NotImplementedError."
# Characters that a page shows of a cell's text, and of each of its outputs: with far more, colouring and
# formulas take minutes.
LONGEST = 20_000


def short(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + "\n[the rest is left out here]"


def what_the_test_said(cell: NotebookNode, hidden: set[int]) -> str | None:
    """The message of the assert that failed, or what else ended a test; None if it passed.

    hidden: the numbers of the lines that students don't get to see.
    """
    error = last_error(cell)
    if not error:
        return None
    stopped = f"The test stopped with {named(error.ename)}."
    if ending(cell) == TIMED_OUT:
        return TOO_LONG
    if any(SUBMISSIONS in str(part) for part in error.traceback):
        # Its message, and its name, are the student's: they could tell what a hidden test has passed.
        kind = named(blamed(error))
        return NOT_WRITTEN if kind == "NotImplementedError" else STOPPED.format(kind)
    # None: it was graded by nbgrader alone.
    if ending(cell) not in (FAILED, None) or not may_come_from(hidden, cell, error.traceback):
        return error.evalue or stopped
    # Other errors than an assert's may repeat what they have stumbled over.
    return (error.ename == "AssertionError" and general(error.evalue)) or stopped


def blamed(error: NotebookNode) -> str:
    """The name of the error that student code has raised: a course's `check` says it behind the call."""
    said = re.match(r"[^\n]*?: (\w+):(?:\s|$)", error.evalue) if error.ename == "AssertionError" else None
    return said[1] if said and named(said[1]) == said[1] else error.ename


def general(message: str) -> str:
    """The part of a hidden assert's message that students may read: its first line that says something.

    What follows is for instructors: the numbers of hidden inputs, of right answers, and of what came back.
    """
    return next((line for line in message.splitlines() if line.strip()), "")


def may_come_from(hidden: set[int], cell: NotebookNode, traceback: list[str]) -> bool:
    """Whether an error of a test cell comes from one of its hidden lines; if that can't be told, it may."""
    trace = strip_ansi("\n".join(map(str, traceback)))
    found = {int(line) for line in re.findall(rf"Cell In\[{cell.execution_count}\], line (\d+)", trace)}
    return bool(hidden) and (not found or not hidden.isdisjoint(found))


def what_stopped_it(cell: NotebookNode) -> list[NotebookNode]:
    """What a student should know of how a cell of theirs ended in the graded run."""
    error = last_error(cell)
    if ending(cell) in (OK, None) or not error:
        return []
    if ending(cell) == FAILED:
        return [message(f"When it was graded, this cell stopped with {named(error.ename)}.")]
    return [message(TOO_LONG if ending(cell) == TIMED_OUT else error.evalue)]


def named(kind: str) -> str:
    """The name of an error, if it is one of Python's own."""
    known = getattr(builtins, kind, None)
    return kind if isinstance(known, type) and issubclass(known, BaseException) else "an error of its own"


def message(text: str) -> NotebookNode:
    return new_output("error", ename="", evalue=text, traceback=[text])
