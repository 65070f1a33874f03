"""nbgrader's Autograde, cut in two where the notebooks run: before, and after.

What comes before reads the gradebook, what comes after writes it; what lies between can happen elsewhere.
"""

import shutil
import tempfile
from contextlib import chdir, suppress
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader.api import Grade, Gradebook, MissingEntry
from nbgrader.converters import Autograde
from nbgrader.preprocessors import AssignLatePenalties, NbGraderPreprocessor
from traitlets.utils.importstring import import_item

from gradebox import hand_in, secret
from gradebox.course import Course, CourseError
from gradebox.execute import Execute
from gradebox.fingerprint import rules
from gradebox.jobs import Job, settings
from gradebox.kernels.scratch import supplement
from gradebox.reading import keep_texts, known_texts, texts
from gradebox.submissions import Submission

# Where an earlier copy stands while the new one takes its place.
EARLIER = ".earlier"


class Marking(Autograde):
    """The steps that the course's configuration names, around the one that runs notebooks."""

    def __init__(self, course: Course):
        super().__init__(coursedir=course.directory(), parent=course.app)
        self.course = course
        self.log.setLevel("ERROR")
        self.before = [self.step(name) for name in self.sanitize_preprocessors]
        steps = [self.step(name) for name in self.autograde_preprocessors]
        where = [n for n, step in enumerate(steps) if isinstance(step, Execute)]
        if not where:
            raise CourseError(
                "c.Autograde.autograde_preprocessors in nbgrader_config.py lacks gradebox.execute.Execute"
            )
        (self.execute,) = (steps[n] for n in where)
        self.before += steps[: where[0]]
        self.after = steps[where[0] + 1 :]
        self.rules = rules(self.config)

    def step(self, name: str | type) -> NbGraderPreprocessor:
        cls = import_item(name) if isinstance(name, str) else name
        return cls(parent=self)

    def resources(self, submission: Submission, notebook: str) -> dict:
        """What nbgrader tells its preprocessors of a notebook."""
        return {
            "unique_key": notebook,
            "output_files_dir": f"{notebook}_files",
            "metadata": {"name": notebook},
            "nbgrader": {
                "student": submission.student,
                "assignment": submission.assignment,
                "notebook": notebook,
                "db_url": self.coursedir.db_url,
            },
        }

    def through(
        self, steps: list[NbGraderPreprocessor], nb: NotebookNode, submission: Submission, name: str
    ) -> NotebookNode:
        resources = self.resources(submission, name)
        for step in steps:
            nb, resources = step(nb, resources)
        return nb

    def prepare(self, submission: Submission) -> Job:
        """Sanitise a submission. Raises what nbgrader's steps raise, and Unreadable."""
        course, assignment = self.course, submission.assignment
        submitted = course.path("submitted", assignment, submission.student)
        source = course.path("source", assignment)
        kept, given = set(self.exclude_overwriting.get(assignment, [])), supplement(source)
        files = hand_in.supplement(submitted)
        files |= {name: content for name, content in given.items() if name not in kept}
        notebooks, sources = {}, {}
        with course.gradebook(), chdir(course.root):
            for name, path in submission.files.items():
                nb = hand_in.read_notebook(path)
                notebooks[name] = nbformat.writes(self.through(self.before, nb, submission, name))
                sources[name] = (source / f"{name}.ipynb").read_text(encoding="utf-8")
        number = secret.for_student(course.root, assignment, submission.student)
        return Job(notebooks, sources, files, given, number, settings(self.config))

    def save(self, submission: Submission, executed: dict[str, str]) -> dict[str, NotebookNode]:
        """Write grades, comments and the graded copy of a submission that has been run.

        executed: the notebooks as JSON, by name. Returns the graded copies, by name.

        The gradebook is written in one transaction, then the copy takes the place of an earlier one; its
        fingerprint says that all is done. Who stops this between the two has a grade without a copy, and the
        next run makes both again. Raises what nbgrader's steps raise, and then nothing has changed.
        """
        course = self.course
        final = course.path("autograded", submission.assignment, submission.student)
        final.parent.mkdir(parents=True, exist_ok=True)
        for left in final.parent.glob(f".{final.name}-*"):
            # A run that was killed here.
            shutil.rmtree(left, ignore_errors=True)
        self.folder = Path(tempfile.mkdtemp(prefix=f".{final.name}-", dir=final.parent))
        try:
            graded = {}
            with course.gradebook() as gradebook, chdir(course.root):
                self.notebooks = [f"{name}.ipynb" for name in executed]
                self.begin(gradebook, submission)
                self.remember(gradebook, submission, final)
                for name, text in executed.items():
                    nb = nbformat.reads(text, as_version=4)
                    graded[name] = self.through(self.after, nb, submission, name)
                    nbformat.write(graded[name], self.folder / f"{name}.ipynb")
                self.set_permissions(submission.assignment, submission.student)
            self.folder.chmod(0o755)
            if final.exists():
                final.rename(self.folder / EARLIER)
            self.folder.rename(final)
            shutil.rmtree(final / EARLIER, ignore_errors=True)
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
        return graded

    def begin(self, gradebook: Gradebook, submission: Submission) -> None:
        """nbgrader's `init_assignment`, which takes a notebook under another name for one that is missing: it
        gives it 0 points, also for what a person is to read.
        """
        where = submission.assignment, submission.student

        def grades() -> list[Grade]:
            renamed = [name for name, path in submission.files.items() if path.stem != name]
            with suppress(MissingEntry):
                return [
                    g for name in renamed for g in gradebook.find_submission_notebook(name, *where).grades
                ]
            return []

        before = {grade.id: (grade.auto_score, grade.needs_manual_grade) for grade in grades()}
        self.init_assignment(*where)
        for grade in grades():
            grade.auto_score, grade.needs_manual_grade = before.get(grade.id, (None, True))

    def remember(self, gradebook: Gradebook, submission: Submission, graded: Path) -> None:
        """Keep what a person has read in the copies that were graded before such texts were kept."""
        for name in submission.files:
            path = graded / f"{name}.ipynb"
            where = name, submission.assignment, submission.student
            grades = gradebook.find_submission_notebook(*where).grades
            read = any(grade.manual_score is not None for grade in grades)
            if read and path.is_file() and not known_texts(gradebook, grades):
                keep_texts(gradebook, grades, texts(nbformat.read(path, as_version=4)))

    def penalise(self, submission: Submission) -> bool:
        """Work out anew what lateness costs a submission that is graded. Returns whether that has changed."""
        late = [step for step in self.after if isinstance(step, AssignLatePenalties)]
        with self.course.gradebook() as gradebook, chdir(self.course.root):
            found = gradebook.find_submission(submission.assignment, submission.student)
            before = {notebook.name: notebook.late_submission_penalty or 0 for notebook in found.notebooks}
            if not late or not (found.total_seconds_late > 0 or any(before.values())):
                return False
            for name in before:
                self.through(late, new_notebook(), submission, name)
            return before != {nb.name: nb.late_submission_penalty or 0 for nb in found.notebooks}

    def _format_dest(self, assignment_id: str, student_id: str, escape: bool = False) -> str:
        # Everything is written beside the earlier copy first.
        return str(self.folder)
