"""The step by which nbgrader, and gradebox, have a notebook run."""

from pathlib import Path
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory

from gradebox import submission_files
from gradebox.course_secret import for_student
from gradebox.execute.autotest_cells import as_in_gradebook, mark
from gradebox.execute.detect_test_modes import recorded
from gradebox.execute.execution_settings import Settings
from gradebox.execute.isolation import Refused
from gradebox.execute.lesson import Given, lesson_of
from gradebox.execute.notebook_runner import Player
from gradebox.sandbox.scratch_folder import supplement


class Execute(Settings):
    """nbgrader's Execute, by sessions that are ready at once, contained, and begun again if need be."""

    def play(self, notebook: NotebookNode, given: Given) -> None:
        """Play a sanitised notebook in place.

        Raises Refused if this machine can't do what was asked for, and NotContained if it fails at what it
        could do.
        """
        if given.lesson:
            self.texts = given.lesson.texts
        Player(self, given, self.in_force().contained).play(notebook)

    def preprocess(self, nb: NotebookNode, resources: Any = None, km: Any = None) -> tuple[NotebookNode, Any]:
        """What nbgrader's own command does with a notebook. It has laid out its files beside it."""
        names, directory = resources.get("nbgrader"), CourseDirectory(parent=self)
        root, folder = Path(directory.root), resources.get("metadata", {}).get("path")
        try:
            in_force = self.in_force(root)
        except Refused as refusal:
            raise NbGraderException(str(refusal)) from None
        self.log.info(in_force.line)
        if in_force.warning:
            self.log.warning(in_force.warning)
        files = submission_files.supplement(Path(folder)) if folder else {}
        given = Given(files=files)
        if names:
            source = Path(directory.format_path(directory.source_directory, ".", names["assignment"]))
            text = (source / f"{names['notebook']}.ipynb").read_text(encoding="utf-8")
            text = as_in_gradebook(text, names, mark(self.config))
            supplied = supplement(source)
            text = recorded(text, root, self.config, supplied)
            secret = for_student(root, names["assignment"], names["student"])
            given = Given(lesson_of(text), files, supplied, secret)
        self.play(nb, given)
        return nb, resources
