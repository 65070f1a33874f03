"""How a lesson is handed in, at the end of a released notebook: a preprocessor of nbgrader's release step."""

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Enum, Unicode

from gradebox.execute.test_modes import drop_record
from gradebox.notebook import HAND_IN_CELL_ID
from gradebox.release.launch_badges import Links

# What is to be done after saving, and where, if the course does not say where.
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


class HandIn(NbGraderPreprocessor):
    """Ends a released notebook with how it is handed in, if the course says how that is.

    It also removes the record of tests, which would tell students what the tests do.
    """

    through = Enum(
        ["", *HAND_IN_STEPS],
        "",
        help="The way of a hand-in: lms, exchange (nbgrader's) or folder. Empty: not told.",
    ).tag(config=True)
    where = Unicode("", help='Where that is, such as "on Moodle, under *Homework*".').tag(config=True)
    sentence = Unicode("", help="What is to be done after saving, in words of your own.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        drop_record(nb)
        lite = JUPYTERLITE_STEP if Links(parent=self).runs_in_lite(nb) else ""
        how = self.format_instructions(f"`{resources['nbgrader']['assignment']}`", lite)
        if how:
            nb.cells.append(new_markdown_cell(HAND_IN_TEMPLATE.format(how=how), id=HAND_IN_CELL_ID))
        return nb, resources

    def format_instructions(self, assignment: str, lite: str = "") -> str:
        """What is to be done after saving, in a sentence; empty if the course says nothing of it."""
        where = self.where or DEFAULT_PLACES.get(self.through, "")
        way = HAND_IN_STEPS.get(self.through, "")
        return self.sentence or way.format(where=where, assignment=assignment, lite=lite)
