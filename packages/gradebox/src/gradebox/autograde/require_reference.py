"""Preprocessor that requires a reference proof when nbgrader's own command or Formgrader grades."""

from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from nbformat.notebooknode import NotebookNode
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor

from gradebox.autograde.grading_job import run_job
from gradebox.autograde.reference_proof import ReferenceProof, prove_references
from gradebox.autograde.steps_around_execution import Around
from gradebox.course import Course, CourseError
from gradebox.execute.isolation import IsolationError

# Failed proofs of a run, by the run's exporter: the command converts every submission, and each would repeat
# the proof.
PROOFS_OF_RUNS: WeakKeyDictionary[Any, dict[str, ReferenceProof]] = WeakKeyDictionary()
SETTING_HINT = "set c.Execute.require_reference = False to grade without this check"


class RequireReference(NbGraderPreprocessor):
    """Preprocessor that refuses a submission if the lesson's own reference solution fails here.

    `gradebox autograde` leaves this step out, because it proves the references itself.
    """

    nbgrader_only = True

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        assignment = resources["nbgrader"]["assignment"]
        proofs = PROOFS_OF_RUNS.setdefault(self.parent, {}) if self.parent else {}
        if assignment not in proofs:
            proofs[assignment] = self.prove(assignment)
        if problem := proofs[assignment].problem:
            raise NbGraderException(f"{problem}; {SETTING_HINT}")
        return nb, resources

    def prove(self, assignment: str) -> ReferenceProof:
        course = Course.with_settings(Path(CourseDirectory(parent=self).root), self.config)
        try:
            found = prove_references(course, Around(course), [assignment], run_job)
        except CourseError:
            # The course does not run notebooks with gradebox.
            return ReferenceProof()
        except IsolationError as refusal:
            raise NbGraderException(str(refusal)) from None
        finally:
            course.engine.dispose()
        return found.get(assignment, ReferenceProof())
