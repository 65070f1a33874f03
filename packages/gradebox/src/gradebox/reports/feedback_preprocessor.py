"""What students may see of their graded notebook: points, comments, and what the tests said.

The graded copy has all that instructors need: hidden tests, tracebacks through them, and what the student's
code printed while it met hidden inputs. A page for a student has none of that. Test cells are as they were
released, with the message of the assert that failed; of a hidden assert's message, its first line. The
student's own cells have the outputs that were handed in: those of the graded run could carry what the code
has seen in a test.
"""

import re

import nbformat
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader import utils
from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme, NbGraderPreprocessor

from gradebox.autograde.match_notebooks import all_submitted, folder_of
from gradebox.notebook import MESSAGES, hidden_lines, name_of
from gradebox.reports.grade_summary import overview
from gradebox.reports.redact_failures import message, short, what_stopped_it, what_the_test_said
from gradebox.sanitize.notebook_cells import outputs
from gradebox.submission_files import read_notebook

# Whose a cell is: the student's, as an answer or added; the course's, that asks, tests, is long, or all else.
WHOSE = ANSWER, OWN, QUESTION, TEST, FOLDED, GIVEN = "answer", "own", "question", "test", "folded", "given"


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


def tell_whose(nb: NotebookNode, source: NotebookNode) -> None:
    """Write into each cell of a graded copy whose it is; see WHOSE."""
    given = {cell.source for cell in source.cells if not name_of(cell)}
    asked = False
    for cell in nb.cells:
        is_code = cell.cell_type == "code"
        if utils.is_solution(cell) or (asked and not name_of(cell)):
            whose = ANSWER
        elif utils.is_task(cell):
            whose = QUESTION
        elif utils.is_grade(cell) and is_code:
            whose = TEST
        elif is_code and (name_of(cell) == MESSAGES or cell.metadata.get("jupyter", {}).get("source_hidden")):
            whose = FOLDED
        else:
            whose = GIVEN if name_of(cell) or cell.source in given else OWN
        asked = utils.is_task(cell)
        cell.metadata["whose"] = whose


class ForStudents(NbGraderPreprocessor):
    """A step of nbgrader's feedback: takes out of a graded copy what is not for its student.

    Before that, it writes what the page begins with into the resources, and into each cell whose it is.
    """

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        name, handed_in = resources["nbgrader"]["notebook"], all_submitted(self, resources)
        source = nbformat.read(folder_of(self, "source", resources) / f"{name}.ipynb", as_version=4)
        resources["overview"] = overview(self, nb, source, resources, handed_in)
        tell_whose(nb, source)
        path = handed_in.get(name)
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
            if cell.metadata.whose == FOLDED:
                # Only the comment or the code at its beginning: it is long, and nobody reads more.
                cell.source = re.split(r"\n(?:def |from base64 )", cell.source, maxsplit=1)[0]
            cell.source = short(cell.source)
        return nb, resources
