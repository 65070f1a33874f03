"""Preprocessor of nbgrader's feedback step: reduces a graded copy to what its student may see.

The graded copy is for instructors: it has hidden tests, tracebacks through them, and output that the
student's code printed while running on hidden inputs. A student page has none of these. Test cells are as
released, with the message of the failed assert; of a hidden assert's message, only the first line. The
student's own cells have the submitted outputs, because outputs of the graded run could contain data from
hidden tests.
"""

import re
from collections.abc import Collection
from itertools import groupby

import nbformat
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader import utils
from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme, NbGraderPreprocessor

from gradebox.autograde.match_notebooks import find_submitted_files, resolve_step_folder
from gradebox.exercise_selection import Lessons
from gradebox.notebook_exercises import (
    CHECKS_CELL_ID,
    END_CELL_IDS,
    HEADING,
    LINKS_CELL_ID,
    find_grade_id,
    find_hidden_lines,
)
from gradebox.notebook_json import read_notebook
from gradebox.notebook_metadata import read_answer_parts, read_given_cells
from gradebox.reports.redact_failures import (
    create_error_outputs,
    describe_cell_failure,
    find_test_message,
    shorten_text,
)
from gradebox.reports.student_page_summary import build_overview
from gradebox.sanitize.html import NO_DESCRIPTION
from gradebox.sanitize.markdown import MarkdownBudget
from gradebox.sanitize.notebook_cells import sanitize_outputs

# Cells that a release adds, and that the instructor's notebook does not have.
RELEASE_CELL_IDS = {*END_CELL_IDS, LINKS_CELL_ID}
# Labels of cells: the student's answers and added cells; the course's questions, tests, folded cells and all
# other cells.
CELL_OWNERS = "answer own question test folded given".split()
ANSWER, ADDED_CELL, QUESTION, TEST, FOLDED, PROVIDED_CELL = CELL_OWNERS


def map_outputs_by_source(submitted: NotebookNode) -> dict[str, list[NotebookNode]]:
    """Return the sanitized outputs of a submission, by cell source; of equal cells, those of the first."""
    cells = [cell for cell in reversed(submitted.cells) if cell.cell_type == "code"]
    return {cell.source: [*map(shorten_output, sanitize_outputs(cell.get("outputs")))] for cell in cells}


def shorten_output(output: NotebookNode) -> NotebookNode:
    """Return an output with its text shortened for the page.

    The name and message of an error are dropped, because the traceback contains them.
    """
    if output.output_type == "stream":
        output.text = shorten_text(output.text)
    elif output.output_type == "error":
        return new_output("error", ename="", evalue="", traceback=[shorten_text("\n".join(output.traceback))])
    elif "text/plain" in output.data:
        output.data["text/plain"] = shorten_text(output.data["text/plain"])
    return output


def limit_output(output: NotebookNode, budget: MarkdownBudget) -> NotebookNode:
    """Return an output whose Markdown renders quickly."""
    text = output.get("data", {}).get("text/markdown")
    if text is None:
        return output
    return NotebookNode(output, data=NotebookNode({**output.data, "text/markdown": budget.limit(text)}))


def find_given_texts(source: NotebookNode) -> frozenset[str]:
    """Return the texts of the course's cells without a grade_id."""
    return frozenset(cell.source for cell in source.cells if not find_grade_id(cell))


def label_cell_owners(nb: NotebookNode, given: Collection[str]) -> None:
    """Write into the metadata of each cell of a graded copy who wrote the cell; see CELL_OWNERS.

    The first and the last cell of each run of the course's cells also get marks: the page folds the run under
    the title of its last exercise, or else under its first heading. given: see `find_given_texts`.
    """
    parts, earlier = {part for ids in read_answer_parts(nb).values() for part in ids}, read_given_cells(nb)
    asked = False
    for cell in nb.cells:
        is_code = cell.cell_type == "code"
        if utils.is_solution(cell) or cell.id in parts or (asked and not find_grade_id(cell)):
            whose = ANSWER
        elif utils.is_task(cell):
            whose = QUESTION
        elif utils.is_grade(cell) and is_code:
            whose = TEST
        elif is_code and (
            find_grade_id(cell) == CHECKS_CELL_ID or cell.metadata.get("jupyter", {}).get("source_hidden")
        ):
            whose = FOLDED
        else:
            ours = find_grade_id(cell) or cell.source in given or cell.id in RELEASE_CELL_IDS | earlier
            whose = PROVIDED_CELL if ours else ADDED_CELL
        asked = utils.is_task(cell)
        cell.metadata["whose"] = whose
    for ours, group in groupby(nb.cells, lambda cell: cell.metadata.whose in (FOLDED, PROVIDED_CELL)):
        run = list(group)
        if ours:
            texts = "\n".join(cell.source for cell in run if cell.cell_type == "markdown")
            found = [(number, f"{number} {title}".strip()) for _, number, title in HEADING.findall(texts)]
            *_, (_, title) = ("", ""), *found[:1], *(one for one in found if one[0])
            run[0].metadata["opens"], run[-1].metadata["closes"] = title or "The course's text", True


class ForStudents(NbGraderPreprocessor):
    """Preprocessor that removes from a graded copy what its student may not see.

    The preprocessor also stores the overview for the top of the page in the resources, and labels each cell
    with its owner.
    """

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        name, handed_in = resources["nbgrader"]["notebook"], find_submitted_files(self, resources)
        every = nbformat.read(resolve_step_folder(self, "source", resources) / f"{name}.ipynb", as_version=4)
        source = Lessons(parent=self).select(every, resources["nbgrader"]["assignment"])
        resources["overview"] = build_overview(self, nb, source, resources, handed_in)
        label_cell_owners(nb, find_given_texts(source))
        path = handed_in.get(name)
        folder = resolve_step_folder(self, "submitted", resources)
        submitted = read_notebook(path, folder) if path else nbformat.v4.new_notebook()
        known = map_outputs_by_source(submitted)
        tests, schemes = ClearHiddenTests(parent=self), ClearMarkScheme(parent=self)
        budget = MarkdownBudget()
        for number, cell in enumerate(nb.cells):
            # Of the pictures in the cell's outputs.
            cell.metadata.setdefault("alt", NO_DESCRIPTION)
            if cell.cell_type == "code" and utils.is_grade(cell) and not utils.is_solution(cell):
                hidden = find_hidden_lines(cell, tests)
                cell.outputs = create_error_outputs(find_test_message(cell, hidden, nb))
            elif cell.cell_type == "code":
                shown = [limit_output(output, budget) for output in known.get(cell.source, [])]
                cell.outputs = [*shown, *create_error_outputs(describe_cell_failure(cell))]
            # The text of locked cells is the instructor's, so the delimiters are intact.
            if utils.is_locked(cell) and not utils.is_solution(cell):
                for step in (tests, schemes):
                    step.preprocess_cell(cell, resources, number)
            if cell.metadata.whose == FOLDED:
                # Keep only the comment or code at the beginning: folded cells are long, and rarely read.
                cell.source = re.split(r"\n(?:def |from base64 )", cell.source, maxsplit=1)[0]
            if cell.cell_type != "markdown":
                cell.source = shorten_text(cell.source)
            elif cell.metadata.whose in (ANSWER, ADDED_CELL):
                cell.source = budget.limit(cell.source)
        return nb, resources
