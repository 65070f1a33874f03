"""What students may see of their graded notebook: points, comments, and what the tests said.

The graded copy has all that instructors need: hidden tests, tracebacks through them, and what the student's
code printed while it met hidden inputs. A page for a student has none of that. Test cells are as they were
released, with the message of the assert that failed; of a hidden assert's message, its first line. The
student's own cells have the outputs that were handed in: those of the graded run could carry what the code
has seen in a test.
"""

import builtins
import re

import nbformat
from nbconvert.filters import strip_ansi
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader import utils
from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme, NbGraderPreprocessor

from gradebox.grade.recognise import submitted
from gradebox.hand_in import read_notebook
from gradebox.harmless.cells import outputs
from gradebox.judge.signs import SUBMISSIONS
from gradebox.notebook import MESSAGES, hidden_lines, name_of
from gradebox.record import FAILED, OK, TIMED_OUT, ending, last_error

TOO_LONG = "This cell did not end in time."
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
        return f"Your code stopped with {named(error.ename)} when the test called it."
    if ending(cell) != FAILED or not may_come_from(hidden, cell, error.traceback):
        return error.evalue or stopped
    # Other errors than an assert's may repeat what they have stumbled over.
    return (error.ename == "AssertionError" and general(error.evalue)) or stopped


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


def outputs_by_source(submitted: NotebookNode) -> dict[str, list[NotebookNode]]:
    """The outputs of a submission, by the text of their cells."""
    found: dict[str, list[NotebookNode]] = {}
    for cell in submitted.cells:
        if cell.cell_type == "code":
            found.setdefault(cell.source, [shortened(output) for output in outputs(cell.get("outputs"))])
    return found


def shortened(output: NotebookNode) -> NotebookNode:
    """An output with no more text than a page shows. How an error is called is in its traceback."""
    if output.output_type == "stream":
        output.text = short(output.text)
    elif output.output_type == "error":
        return new_output("error", ename="", evalue="", traceback=[short("\n".join(output.traceback))])
    elif "text/plain" in output.data:
        output.data["text/plain"] = short(output.data["text/plain"])
    return output


class ForStudents(NbGraderPreprocessor):
    """A step of nbgrader's feedback: takes out of a graded copy what is not for its student."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        path = submitted(self, resources)
        known = outputs_by_source(read_notebook(path) if path else nbformat.v4.new_notebook())
        tests, schemes = ClearHiddenTests(parent=self), ClearMarkScheme(parent=self)
        for number, cell in enumerate(nb.cells):
            if cell.cell_type == "code" and utils.is_grade(cell) and not utils.is_solution(cell):
                hidden = hidden_lines(cell, tests)
                said = what_the_test_said(cell, hidden)
                cell.outputs = [message(said)] if said else []
            elif cell.cell_type == "code":
                cell.outputs = [*known.get(cell.source, []), *what_stopped_it(cell)]
            # Their text is the instructor's, so that the marks are as they were when it was released.
            if utils.is_locked(cell) and not utils.is_solution(cell):
                for step in (tests, schemes):
                    step.preprocess_cell(cell, resources, number)
            if name_of(cell) == MESSAGES or cell.metadata.get("jupyter", {}).get("source_hidden"):
                # Only what it says of itself: it is long, and nobody reads it.
                cell.source = cell.source.partition("\ndef ")[0]
            cell.source = short(cell.source)
        return nb, resources
