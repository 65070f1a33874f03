"""Preprocessor of nbgrader's release step: adds submission instructions at the end of a released notebook."""

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Enum, Unicode

from gradebox.autograde.late_policy import LatePolicy
from gradebox.execute.test_modes import drop_record
from gradebox.notebook_exercises import HAND_IN_CELL_ID
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


class HandIn(NbGraderPreprocessor):
    """Preprocessor that adds a cell with the submission instructions, if the course configures them.

    The preprocessor also removes the record of tests, which would show students what the tests do.
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
