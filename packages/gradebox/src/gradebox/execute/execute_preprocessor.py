"""Preprocessor that executes a notebook, for both nbgrader and gradebox."""

from pathlib import Path
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory

from gradebox import safe_submission_files
from gradebox.course_secret import derive_submission_secret
from gradebox.execute.detect_test_modes import ensure_record
from gradebox.execute.execution_settings import Settings
from gradebox.execute.insert_generated_autotests import (
    get_autotest_delimiter,
    instantiate_autotests_from_gradebook,
)
from gradebox.execute.isolation import IsolationError
from gradebox.execute.kernel_specs import find_interpreters
from gradebox.execute.lesson import ExecutionInputs, parse_lesson
from gradebox.execute.notebook_runner import NotebookRunner
from gradebox.sandbox.scratch_folder import read_supplementary_files


class Execute(Settings):
    """nbgrader's Execute, but in prestarted, sandboxed sessions that are restarted after a crash."""

    def execute_in_place(self, notebook: NotebookNode, given: ExecutionInputs) -> dict[int, float]:
        """Execute a sanitized notebook in place. Return the seconds that each cell took, by index.

        Raises IsolationError if this machine does not support the required isolation, and
        SandboxUnavailableError if a sandbox that worked in the probe fails.
        """
        if given.lesson:
            self.texts = given.lesson.texts
        runner = NotebookRunner(self, given, self.in_force().contained)
        runner.execute_in_place(notebook)
        return runner.seconds

    def preprocess(self, nb: NotebookNode, resources: Any = None, km: Any = None) -> tuple[NotebookNode, Any]:
        """Execute a notebook for nbgrader's own command.

        nbgrader has copied the submission's other files beside the notebook.
        """
        names, directory = resources.get("nbgrader"), CourseDirectory(parent=self)
        root, folder = Path(directory.root), resources.get("metadata", {}).get("path")
        try:
            in_force = self.in_force(root)
        except IsolationError as refusal:
            raise NbGraderException(str(refusal)) from None
        for interpreter in find_interpreters(self, [nb], in_force.contained, root):
            self.log.info("runs in %s", interpreter)
        self.log.info(in_force.line)
        if in_force.warning:
            self.log.warning(in_force.warning)
        files = safe_submission_files.read_extra_files(Path(folder)) if folder else {}
        given = ExecutionInputs(files=files)
        if names:
            source = Path(directory.format_path(directory.source_directory, ".", names["assignment"]))
            text = (source / f"{names['notebook']}.ipynb").read_text(encoding="utf-8")
            text = instantiate_autotests_from_gradebook(text, names, get_autotest_delimiter(self.config))
            supplied = read_supplementary_files(source)
            text = ensure_record(text, root, self.config, supplied)
            assignment, student = names["assignment"], names["student"]
            submitted = Path(directory.format_path(directory.submitted_directory, student, assignment))
            handed_in = dict(safe_submission_files.read_files(submitted))
            secret = derive_submission_secret(root, assignment, student, handed_in)
            given = ExecutionInputs(parse_lesson(text), files, supplied, secret)
        self.execute_in_place(nb, given)
        return nb, resources
