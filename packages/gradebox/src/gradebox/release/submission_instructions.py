"""Preprocessor of nbgrader's release step: completes a released notebook for students.

Run All runs all cells, the last code cell shows the points of the visible tests, and the submission
instructions follow.
"""

import re

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader import utils
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Enum, Unicode

from gradebox.autograde.late_policy import LatePolicy
from gradebox.autograde.reference_proof import ERROR_TAG
from gradebox.execute.skip_demonstrations import DEMONSTRATION_TAG, has_demonstration_tag
from gradebox.execute.test_modes import drop_record
from gradebox.notebook_exercises import HAND_IN_CELL_ID, POINTS_CELL_ID, find_checks_source
from gradebox.release.launch_badges import Links

# What students do after saving, by the kind of submission, and the default places.
HAND_IN_STEPS = {
    "lms": "upload the `.ipynb` file {where} (Colab gives it to you by *File → Download → Download .ipynb*, "
    "a JupyterHub by *File → Download*{lite}; on your own computer it is the file that you have opened).",
    "exchange": "choose *Nbgrader → Assignment List* in JupyterLab's menu, and press *Submit* at "
    "{assignment}.",
    "folder": "put the `.ipynb` file {where}.",
}
# JupyterLite's *File* menu has no *Download*.
JUPYTERLITE_STEP = ", JupyterLite by a right click on it in the list of files, and *Download*"
DEFAULT_PLACES = {
    "lms": "where your course's page asks for this lesson",
    "folder": "where your teacher asks for it",
}
HAND_IN_TEMPLATE = """## Hand it in

Save this notebook, and {how}

What the file is called doesn't matter: it is recognised by its cells. Exercises that you leave open cost \
their own points, and no others."""
SOLUTIONS_SENTENCE = "\n\nAfter the deadline, you will get this notebook with all solutions."


# The first line of a test cell, if it states exercise and points: "# Test of 1.1 Softmax (2 points)".
FIRST_LINE = re.compile(r"# Test of (\d+(?:\.\d+)*) .* \(\d+ points?\)")
POINTS_CELL = """# Points of the visible tests. For each test: show_points(..., by_exercise=True)
show_points("{}")"""


class HandIn(NbGraderPreprocessor):
    """Preprocessor that lets Run All continue after errors, and adds points and submission instructions.

    Instructions are added if the course configures them. The preprocessor also removes the record of tests,
    which would show students what the tests do.
    """

    through = Enum(
        ["", *HAND_IN_STEPS],
        "",
        help="How students submit: lms, exchange (nbgrader's) or folder. If empty, no instructions.",
    ).tag(config=True)
    where = Unicode("", help='The place to submit, such as "on Moodle, under *Homework*".').tag(config=True)
    solutions = Bool(False, help="Say that students get the solutions after the deadline.").tag(config=True)
    late_rules = Bool(False, help="Add the rules for late submissions (see c.LatePolicy).").tag(config=True)
    sentence = Unicode("", help="What students do after saving, in your own words.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        drop_record(nb)
        tests = [cell for cell in nb.cells if utils.is_grade(cell) and cell.cell_type == "code"]
        for cell in nb.cells:
            # In source/, the tag says that errors are intended.
            if cell in tests or has_demonstration_tag(cell):
                tags = cell.metadata.setdefault("tags", [])
                cell.metadata.tags = [*tags, *{ERROR_TAG} - {*tags}]
        titled = [(cell, found[1]) for cell in tests if (found := FIRST_LINE.match(cell.source))]
        for cell, _ in titled:
            cell.metadata.setdefault("jupyter", {}).setdefault("source_hidden", True)
        if titled and find_checks_source(nb):
            text = POINTS_CELL.format(" ".join(dict.fromkeys(number for _, number in titled)))
            nb.cells.append(
                new_code_cell(text, id=POINTS_CELL_ID, metadata={"tags": [DEMONSTRATION_TAG, ERROR_TAG]})
            )
        lite = JUPYTERLITE_STEP if Links(parent=self).runs_in_lite(nb) else ""
        how = self.format_instructions(f"`{resources['nbgrader']['assignment']}`", lite)
        if how:
            rules = LatePolicy(parent=self).describe() if self.late_rules else ""
            text = HAND_IN_TEMPLATE.format(how=how) + (f"\n\n{rules}" if rules else "")
            text += SOLUTIONS_SENTENCE if self.solutions else ""
            nb.cells.append(new_markdown_cell(text, id=HAND_IN_CELL_ID))
        return nb, resources

    def format_instructions(self, assignment: str, lite: str = "") -> str:
        """Return a sentence on what to do after saving; empty if the course does not configure one."""
        where = self.where or DEFAULT_PLACES.get(self.through, "")
        way = HAND_IN_STEPS.get(self.through, "")
        return self.sentence or way.format(where=where, assignment=assignment, lite=lite)
