"""What students may see of their graded notebook: points, comments, and what the tests said.

The graded copy has all that instructors need: hidden tests, tracebacks through them, and what the student's
code printed while it met hidden inputs. A page for a student has none of that. Test cells are as they were
released, with the message of the assert that failed. The student's own cells have the outputs that were
handed in: those of the graded run could carry what the code has seen in a test.
"""

import builtins

import nbformat
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader import utils
from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme, NbGraderPreprocessor

from gradebox.endings import FAILED, OK, TIMED_OUT, ending
from gradebox.judge.standins import SUBMISSIONS
from gradebox.pictures import picture
from gradebox.recognise import submitted

TOO_LONG = "This cell did not end in time."
# Characters that a page shows of a cell's text, and of each of its outputs: with far more, colouring and
# formulas take minutes.
LONGEST = 20_000


def short(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + "\n[the rest is left out here]"


def what_the_test_said(cell: NotebookNode) -> str | None:
    """The message of the assert that failed, or what else ended a test; None if it passed."""
    errors = [output for output in cell.get("outputs", []) if output.output_type == "error"]
    if not errors:
        return None
    error = errors[-1]
    if ending(cell) == TIMED_OUT:
        return TOO_LONG
    if any(SUBMISSIONS in str(part) for part in error.traceback):
        # Its message, and its name, are the student's: they could tell what a hidden test has passed.
        return f"Your code stopped with {named(error.ename)} when the test called it."
    return error.evalue or f"The test stopped with {named(error.ename)}."


def what_stopped_it(cell: NotebookNode) -> list[NotebookNode]:
    """What a student should know of how a cell of theirs ended in the graded run."""
    errors = [output for output in cell.get("outputs", []) if output.output_type == "error"]
    if ending(cell) in (OK, None) or not errors:
        return []
    if ending(cell) == FAILED:
        return [message(f"When it was graded, this cell stopped with {named(errors[-1].ename)}.")]
    return [message(TOO_LONG if ending(cell) == TIMED_OUT else errors[-1].evalue)]


def named(kind: str) -> str:
    """The name of an error, if it is one of Python's own."""
    known = getattr(builtins, kind, None)
    return kind if isinstance(known, type) and issubclass(known, BaseException) else "an error of its own"


def message(text: str) -> NotebookNode:
    return new_output("error", ename="", evalue=text, traceback=[text])


def handed_in(submitted: NotebookNode) -> dict[str, list[NotebookNode]]:
    """The outputs of a submission, by the text of their cells: text and pictures, no pages and scripts."""
    found: dict[str, list[NotebookNode]] = {}
    for cell in submitted.cells:
        if cell.cell_type == "code":
            found.setdefault(cell.source, [kept for kept in map(harmless, cell.get("outputs", [])) if kept])
    return found


def harmless(output: NotebookNode) -> NotebookNode | None:
    """An output as text or as a picture."""
    if output.get("output_type") == "stream":
        name = "stderr" if output.get("name") == "stderr" else "stdout"
        return new_output("stream", name=name, text=text_of(output.get("text", "")))
    if output.get("output_type") == "error":
        lines = output.get("traceback")
        lines = lines if isinstance(lines, list) else [lines]
        return new_output("error", ename="", evalue="", traceback=[short("\n".join(map(text_of, lines)))])
    drawn, data = picture(output), output.get("data", {})
    shown = {"image/png": drawn} if drawn else {}
    if isinstance(data, dict) and "text/plain" in data:
        shown["text/plain"] = text_of(data["text/plain"])
    return new_output("display_data", data=shown) if shown else None


def text_of(text: object) -> str:
    return short("".join(map(str, text)) if isinstance(text, list) else str(text))


def for_student(graded: NotebookNode, submitted: NotebookNode) -> None:
    """Take out of a graded copy what is not for its student."""
    known = handed_in(submitted)
    for cell in graded.cells:
        if cell.cell_type == "code" and utils.is_grade(cell) and not utils.is_solution(cell):
            said = what_the_test_said(cell)
            cell.outputs = [message(said)] if said else []
        elif cell.cell_type == "code":
            cell.outputs = [*known.get(cell.source, []), *what_stopped_it(cell)]
        cell.source = short(cell.source)


class ForStudents(NbGraderPreprocessor):
    """`for_student` as a step of nbgrader's feedback, and what releasing takes out of locked cells."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        for step in (ClearHiddenTests(parent=self), ClearMarkScheme(parent=self)):
            for number, cell in enumerate(nb.cells):
                # Their text is the instructor's, so that the marks are as they were when it was released.
                if utils.is_locked(cell) and not utils.is_solution(cell):
                    step.preprocess_cell(cell, resources, number)
        path = submitted(self, resources)
        for_student(nb, nbformat.read(path, as_version=4) if path else nbformat.v4.new_notebook())
        return nb, resources
