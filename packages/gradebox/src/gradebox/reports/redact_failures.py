"""Reduce errors of tests and of student cells to messages that students may read."""

import builtins
import re

from nbconvert.filters import strip_ansi
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader import utils

from gradebox.check_engine.explain_errors import MEANINGS
from gradebox.judge.code_run_in_kernels import SUBMISSION_ERROR_NOTE
from gradebox.notebook_metadata import (
    FAILED,
    OK,
    TIMED_OUT,
    find_last_error,
    has_asked_for_network,
    read_ending,
    read_missing_module,
    read_reference_problem,
)

TIMEOUT_MESSAGE = "This cell did not finish in time."
STOPPED_MESSAGE = "Your code stopped with {} when the test called it."
# A line of a traceback: the number of the line, its function and its code.
TRACEBACK_LINE = re.compile(r'File "[^"\n]*", line (\d+), in (\w+)\n +(.+)')
NOT_SCORED_MESSAGE = "This test could not be scored automatically. Your instructor has a note about it."
NOT_IMPLEMENTED_MESSAGE = "This is not written yet: your code stopped with NotImplementedError."
MISSING_MODULE_NOTE = (
    "A module that it needs is not installed on the grading machine. Your instructor has a note about it."
)
NO_NETWORK_NOTE = "It needs the network, which is not available during grading."
# Maximum characters of a code cell, and of each output, on a page: highlighting far longer texts takes
# minutes.
MAX_SHOWN_LENGTH = 20_000


def shorten_text(text: str) -> str:
    if len(text) <= MAX_SHOWN_LENGTH:
        return text
    return text[:MAX_SHOWN_LENGTH] + "\n[the rest is left out here]"


def find_test_message(cell: NotebookNode, hidden: set[int], copy: NotebookNode) -> str | None:
    """Return the message of the failed assert, or of another error that ended a test; None for a pass.

    hidden: the numbers of the lines that students do not see. copy: the graded copy with the cell.
    """
    error = find_last_error(cell)
    if not error:
        return None
    if read_reference_problem(cell):
        return NOT_SCORED_MESSAGE
    trace = strip_ansi("\n".join(map(str, error.traceback)))
    stopped = f"The test stopped with {describe_error_name(error.ename)}."
    if read_ending(cell) == TIMED_OUT:
        return TIMEOUT_MESSAGE
    if SUBMISSION_ERROR_NOTE in trace:
        # Student code sets the message, name and traceback of this error, and could put hidden inputs there.
        kind = describe_error_name(find_student_error_name(error))
        if kind == "NotImplementedError":
            return NOT_IMPLEMENTED_MESSAGE
        stopped = STOPPED_MESSAGE.format(kind)
        line, advice = find_student_line(trace, copy), error.evalue.rpartition("\n")[2]
        if not line or may_be_hidden_error(hidden, cell, trace):
            return stopped
        return "\n".join([stopped, line, *([advice] if advice in MEANINGS.values() else [])])
    # None: the copy was graded by nbgrader alone.
    if read_ending(cell) not in (FAILED, None) or not may_be_hidden_error(hidden, cell, trace):
        return error.evalue or stopped
    # Messages of errors other than AssertionError may contain hidden inputs.
    return (error.ename == "AssertionError" and extract_first_line(error.evalue)) or stopped


def find_student_line(trace: str, copy: NotebookNode) -> str:
    """Return the last line in a traceback that is a line of the student's cells, or "".

    copy: the graded copy.
    """
    cells = [cell.source for cell in copy.cells if cell.cell_type == "code" and not utils.is_locked(cell)]
    lines = {(str(n), line.strip()) for text in cells for n, line in enumerate(text.splitlines(), 1)}
    for number, function, line in reversed(TRACEBACK_LINE.findall(trace)):
        if (number, line) in lines and f"def {function}(" in "\n".join(cells):
            return f"in line {number} of {function}: {line}"
    return ""


def find_student_error_name(error: NotebookNode) -> str:
    """Return the name of the error that student code raised: `check` writes this name after the call."""
    said = re.findall(r"(\w+):(?:\s|$)", error.evalue.partition("\n")[0])
    named = (name for name in said if describe_error_name(name) == name)
    return next(named, error.ename) if error.ename == "AssertionError" else error.ename


def extract_first_line(message: str) -> str:
    """Return the part of a hidden assert's message that students may read: the first line that is not blank.

    The rest is for instructors: numbers of hidden inputs, of right answers, and of results.
    """
    return next((line for line in message.splitlines() if line.strip()), "")


def may_be_hidden_error(hidden: set[int], cell: NotebookNode, trace: str) -> bool:
    """Return True if an error of a test cell comes from a hidden line, or if its line is unknown."""
    found = {int(line) for line in re.findall(rf"Cell In\[{cell.execution_count}\], line (\d+)", trace)}
    return bool(hidden) and (not found or not hidden.isdisjoint(found))


def describe_cell_failure(cell: NotebookNode) -> str | None:
    """Return the message for a student's cell that failed in the graded run; None otherwise."""
    error = find_last_error(cell)
    if read_ending(cell) in (OK, None) or not error:
        return None
    if read_ending(cell) == FAILED:
        stopped = f"During grading, this cell stopped with {describe_error_name(error.ename)}."
        # Fixed text: student code could put hidden inputs into the name of a module.
        why = f" {MISSING_MODULE_NOTE}" if read_missing_module(cell) else ""
        why += f" {NO_NETWORK_NOTE}" if has_asked_for_network(cell) else ""
        return stopped + why
    return TIMEOUT_MESSAGE if read_ending(cell) == TIMED_OUT else str(error.evalue)


def describe_error_name(kind: str) -> str:
    """Return the name of a built-in error; a general phrase for all other names."""
    known = getattr(builtins, kind, None)
    return kind if isinstance(known, type) and issubclass(known, BaseException) else "a custom error"


def create_error_outputs(text: str | None) -> list[NotebookNode]:
    return [new_output("error", ename="", evalue=text, traceback=[text])] if text else []
