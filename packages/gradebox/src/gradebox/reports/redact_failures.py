"""What a student may be told of how a test, or a cell of theirs, ended."""

import builtins
import re

from nbconvert.filters import strip_ansi
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output

from gradebox.judge.kernel_commands import SUBMISSION_ERROR_NOTE
from gradebox.notebook_metadata import FAILED, OK, TIMED_OUT, find_last_error, read_ending

TIMEOUT_MESSAGE = "This cell did not end in time."
STOPPED_MESSAGE = "Your code stopped with {} when the test called it."
NOT_IMPLEMENTED_MESSAGE = "This is not written yet: your code stopped with NotImplementedError."
# Characters that a page shows of a cell's text, and of each of its outputs: with far more, colouring and
# formulas take minutes.
MAX_SHOWN_LENGTH = 20_000


def shorten_text(text: str) -> str:
    return (
        text if len(text) <= MAX_SHOWN_LENGTH else text[:MAX_SHOWN_LENGTH] + "\n[the rest is left out here]"
    )


def find_test_message(cell: NotebookNode, hidden: set[int]) -> str | None:
    """The message of the assert that failed, or what else ended a test; None if it passed.

    hidden: the numbers of the lines that students don't get to see.
    """
    error = find_last_error(cell)
    if not error:
        return None
    stopped = f"The test stopped with {describe_error_name(error.ename)}."
    if read_ending(cell) == TIMED_OUT:
        return TIMEOUT_MESSAGE
    if any(SUBMISSION_ERROR_NOTE in str(part) for part in error.traceback):
        # Its message, and its name, are the student's: they could tell what a hidden test has passed.
        kind = describe_error_name(find_student_error_name(error))
        return NOT_IMPLEMENTED_MESSAGE if kind == "NotImplementedError" else STOPPED_MESSAGE.format(kind)
    # None: it was graded by nbgrader alone.
    if read_ending(cell) not in (FAILED, None) or not may_be_hidden_error(hidden, cell, error.traceback):
        return error.evalue or stopped
    # Other errors than an assert's may repeat what they have stumbled over.
    return (error.ename == "AssertionError" and extract_first_line(error.evalue)) or stopped


def find_student_error_name(error: NotebookNode) -> str:
    """The name of the error that student code has raised: a course's `check` says it behind the call."""
    said = re.match(r"[^\n]*?: (\w+):(?:\s|$)", error.evalue) if error.ename == "AssertionError" else None
    return said[1] if said and describe_error_name(said[1]) == said[1] else error.ename


def extract_first_line(message: str) -> str:
    """The part of a hidden assert's message that students may read: its first line that says something.

    What follows is for instructors: the numbers of hidden inputs, of right answers, and of what came back.
    """
    return next((line for line in message.splitlines() if line.strip()), "")


def may_be_hidden_error(hidden: set[int], cell: NotebookNode, traceback: list[str]) -> bool:
    """Whether an error of a test cell comes from one of its hidden lines; if that can't be told, it may."""
    trace = strip_ansi("\n".join(map(str, traceback)))
    found = {int(line) for line in re.findall(rf"Cell In\[{cell.execution_count}\], line (\d+)", trace)}
    return bool(hidden) and (not found or not hidden.isdisjoint(found))


def describe_cell_failure(cell: NotebookNode) -> list[NotebookNode]:
    """What a student should know of how a cell of theirs ended in the graded run."""
    error = find_last_error(cell)
    if read_ending(cell) in (OK, None) or not error:
        return []
    if read_ending(cell) == FAILED:
        return [
            create_error_output(
                f"When it was graded, this cell stopped with {describe_error_name(error.ename)}."
            )
        ]
    return [create_error_output(TIMEOUT_MESSAGE if read_ending(cell) == TIMED_OUT else error.evalue)]


def describe_error_name(kind: str) -> str:
    """The name of an error, if it is one of Python's own."""
    known = getattr(builtins, kind, None)
    return kind if isinstance(known, type) and issubclass(known, BaseException) else "an error of its own"


def create_error_output(text: str) -> NotebookNode:
    return new_output("error", ename="", evalue=text, traceback=[text])
