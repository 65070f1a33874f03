"""nbgrader's Autograde, split into the steps before and after execution.

The steps before read the gradebook, and the steps after write it. The execution can be in another process.
"""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import chdir, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import cloudpickle
import nbformat
from nbformat.v4 import new_notebook
from nbgrader import utils
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import Autograde
from nbgrader.preprocessors import AssignLatePenalties, NbGraderPreprocessor

from gradebox import safe_submission_files
from gradebox.autograde.assign_steps_to_processes import (
    Step,
    import_step_classes,
    plan_steps,
    run_steps,
    select_step_settings,
)
from gradebox.autograde.discover_submissions import Submission
from gradebox.autograde.due_date_extensions import apply_extension
from gradebox.autograde.fingerprint import (
    compute_fingerprint,
    hash_instructor_inputs,
    read_graded_copy,
    serialize_course_inputs,
    to_stable_text,
)
from gradebox.autograde.graded_text_hashes import hash_graded_texts
from gradebox.autograde.grading_context import AssignmentBundle, StepResources, read_gradebook_notebooks
from gradebox.autograde.grading_job import Job, build_resources
from gradebox.autograde.match_notebooks import format_not_released
from gradebox.autograde.release_history import NO_HISTORY, read_release_histories
from gradebox.autograde.repair_notebook import repair_notebook
from gradebox.autograde.restore_outputs import copy_code_cells
from gradebox.autograde.safe_nbgrader_reads import copy_supplement
from gradebox.autograde.save_scores import save_scores
from gradebox.autograde.score import NotebookScores
from gradebox.course import Course, CourseError
from gradebox.course_secret import derive_submission_secret
from gradebox.dates import find_timestamp_zone
from gradebox.execute.detect_test_modes import ensure_record
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.insert_generated_autotests import get_autotest_delimiter, instantiate_autotests
from gradebox.exercise_selection import find_exercise_cells
from gradebox.notebook_json import parse_and_repair
from gradebox.notebook_metadata import RepairRecord, read_record, record_repairs
from gradebox.sandbox.scratch_folder import read_supplementary_files
from gradebox.submission_archives import unpack_archives

# Name of the earlier graded copy while the new copy replaces it.
PREVIOUS_COPY = ".earlier"


class Around(Autograde):
    """Converter that runs the configured steps before and after the execution of notebooks."""

    def __init__(self, course: Course):
        super().__init__(coursedir=course.directory(), parent=course.app)
        self.course = course
        self.log.setLevel("ERROR")
        before, steps = (
            [step for step in import_step_classes(names) if not getattr(step, "nbgrader_only", False)]
            for names in (self.sanitize_preprocessors, self.autograde_preprocessors)
        )
        where = [n for n, step in enumerate(steps) if issubclass(step, Execute)]
        if not where:
            raise CourseError(
                "c.Autograde.autograde_preprocessors in nbgrader_config.py lacks "
                "gradebox.preprocessors.Execute"
            )
        self.execute = steps[where[0]](parent=self)
        self.steps = plan_steps([*before, *steps[: where[0]]], steps[where[0] + 1 :])
        self.made: dict[Step, NbGraderPreprocessor] = {}
        self.rules = serialize_course_inputs(self.config)
        # Cached: these are the same for all submissions to an assignment.
        self.kit = cache(self._build_bundle)
        self.instructors = cache(self._hash_instructor_files)
        self.supplied = cache(self._find_supplied_files)
        self.histories = cache(lambda assignment: read_release_histories(course.root, assignment))
        self.given = cache(lambda assignment: read_supplementary_files(course.path("source", assignment)))

    def _build_bundle(self, assignment: str) -> bytes:
        course, steps = self.course, self.steps
        # A notebook that the instructor removed from source/ is still in the gradebook.
        there, release = course.texts(assignment), course.path("release", assignment)
        try:
            with course.gradebook() as gradebook:
                notebooks = {
                    name: one
                    for name, one in read_gradebook_notebooks(gradebook, assignment).items()
                    if name in there
                }
            released = {name: (release / f"{name}.ipynb").read_text(encoding="utf-8") for name in notebooks}
        except (MissingEntry, FileNotFoundError):
            raise CourseError(format_not_released(assignment)) from None
        for name, text in released.items():
            given, selected = (
                {exercise for exercise, _ in find_exercise_cells(nbformat.reads(one, as_version=4))}
                for one in (text, there[name])
            )
            if given != selected:
                differing = ", ".join(sorted(given ^ selected))
                raise CourseError(
                    f"{assignment} was released with other exercises ({differing}): "
                    f"run `gradebox release {assignment}` first"
                )
        marked = get_autotest_delimiter(self.config)
        made = {
            name: {cell.name: cell.source for cell in one.source_cells} for name, one in notebooks.items()
        }
        files, about = self.given(assignment), select_step_settings(self.config, [])
        sources = {
            name: ensure_record(instantiate_autotests(there[name], cells, marked), course.root, about, files)
            for name, cells in made.items()
        }
        return cloudpickle.dumps(
            AssignmentBundle(
                assignment,
                released,
                sources,
                self.histories(assignment),
                notebooks,
                self.given(assignment),
                tuple(map(to_stable_text, steps.before)),
                tuple(map(to_stable_text, steps.after)),
                select_step_settings(self.config, (*steps.before, *steps.after)),
            )
        )

    def _hash_instructor_files(self, assignment: str, notebook: str) -> bytes:
        with self.course.gradebook() as gradebook:
            source = self.course.path("source", assignment)
            return hash_instructor_inputs(
                gradebook, assignment, source, notebook, self.rules, self.execute.kernel_name
            )

    def _find_supplied_files(self, assignment: str) -> list[tuple[str, str]]:
        """Return the instructor's files that replace submitted files, as (path, relative path)."""
        source = str(self.course.path("source", assignment))
        kept = {os.path.join(source, name) for name in self.exclude_overwriting.get(assignment, [])}
        found = set(utils.find_all_files(source, [*self.coursedir.ignore, "*.ipynb"])) - kept
        return [(path, os.path.relpath(path, source)) for path in sorted(found)]

    def fingerprints(self, submission: Submission, contents: Mapping[str, bytes]) -> dict[str, str]:
        """Return the fingerprints of a submission's notebooks, by name.

        contents: the submitted files, by relative path.
        """
        return {
            name: compute_fingerprint(contents.items(), self.instructors(submission.assignment, name))
            for name in submission.files
        }

    def prepare(self, submission: Submission) -> Job:
        """Build the job that a worker needs to grade a submission.

        Raises UnreadableSubmissionError, CourseError if the assignment has no release, and any error of the
        course's own steps.
        """
        course, assignment = self.course, submission.assignment
        contents = dict(
            safe_submission_files.read_files(course.path("submitted", assignment, submission.student))
        )
        fingerprints = self.fingerprints(submission, contents)
        number = derive_submission_secret(course.root, assignment, submission.student, contents)
        contents = unpack_archives(contents)
        kept = set(self.exclude_overwriting.get(assignment, []))
        paths = submission.relative_paths(course.path("submitted", assignment, submission.student))
        given = {name: content for name, content in self.given(assignment).items() if name not in kept}
        files = safe_submission_files.merge_supplied_files(
            safe_submission_files.select_extra_files(contents, paths.values()), given
        )
        try:
            notebooks = {name: contents[path] for name, path in paths.items()}
        except KeyError as gone:
            raise safe_submission_files.UnreadableSubmissionError(
                f"{gone} was removed during reading"
            ) from None
        prepared = self.run_first_steps(submission, notebooks, fingerprints)
        return Job(self.kit(assignment), submission.student, notebooks, fingerprints, prepared, files, number)

    def run_first_steps(
        self, submission: Submission, notebooks: Mapping[str, bytes], fingerprints: Mapping[str, str]
    ) -> dict[str, str]:
        """Return the notebooks, by name, after the steps that must run here; empty without such steps."""
        prepared, release = {}, self.course.path("release", submission.assignment)
        if self.steps.first:
            with self.course.gradebook(), chdir(self.course.root):
                for name, content in notebooks.items():
                    handed_in, repairs = parse_and_repair(content, f"{name}.ipynb")
                    released = nbformat.read(release / f"{name}.ipynb", as_version=4)
                    history = self.histories(submission.assignment).get(name, NO_HISTORY)
                    known = StepResources(
                        released, history, copy_code_cells(handed_in), fingerprints[name], repairs
                    )
                    nb = self.through(self.steps.first, handed_in, submission, name, known)
                    prepared[name] = nbformat.writes(nb)
        return prepared

    def through(
        self,
        steps: tuple[Step, ...],
        nb: Any,
        submission: Submission,
        name: str,
        known: StepResources | None = None,
    ) -> Any:
        for step in steps:
            if step not in self.made:
                self.made[step] = step(parent=self)
        made = [self.made[step] for step in steps]
        where = build_resources(submission.assignment, submission.student, name, self.coursedir.db_url)
        if known:
            where["gradebox"] = known
        return run_steps(made, nb, where)

    def save(self, submission: Submission, graded: Mapping[str, Mapping[str, Any]]) -> None:
        """Write grades, comments and graded copies of a submission that has been run.

        graded: results of the submission's notebooks, by name (see `grading_job.py`).

        The gradebook is written in one transaction, then the new copy replaces an earlier one. The
        fingerprint in the copy marks the submission as completely saved. An interruption between the two
        leaves a grade without a copy, and the next run writes both again. Raises any error of nbgrader's
        steps; then nothing has changed.
        """
        course, assignment = self.course, submission.assignment
        final = course.path("autograded", assignment, submission.student)
        with (
            self.replace_folder_atomically(final) as folder,
            course.gradebook() as gradebook,
            chdir(course.root),
        ):
            source = course.path("submitted", assignment, submission.student)
            notebooks = submission.relative_paths(source).values()
            copy_supplement(source, folder, self.coursedir.ignore, notebooks)
            for path, name in self.supplied(assignment):
                place_supplied_file(path, folder, name)
            if not self.create_student:
                # Raises MissingEntry for an unknown student.
                gradebook.find_student(submission.student)
            scores = {name: NotebookScores(**one["scores"]) for name, one in graded.items()}
            last = self.steps.last
            entry = save_scores(
                gradebook,
                assignment,
                submission.student,
                scores if last is None else {},
                safe_submission_files.read_timestamp(source, find_timestamp_zone(self.config)),
                submission.files.keys(),
                lambda name: read_previous_texts(
                    final / f"{name}.ipynb", course.path("release", assignment) / f"{name}.ipynb"
                ),
            )
            for name, one in graded.items():
                text = one["copy"]
                if last is not None:
                    nb = nbformat.reads(text, as_version=4)
                    text = nbformat.writes(self.through(last, nb, submission, name)) + "\n"
                elif self.steps.penalties and entry.late:
                    self.through((self.steps.penalties,), new_notebook(), submission, name)
                (folder / f"{name}.ipynb").write_text(text, encoding="utf-8")
            self.set_permissions(assignment, submission.student)

    @contextmanager
    def replace_folder_atomically(self, final: Path) -> Iterator[Path]:
        """Yield a temporary folder that replaces `final` at the end, unless an error is raised."""
        if not final.parent.exists():
            final.parent.mkdir(parents=True, exist_ok=True)
            if self.coursedir.groupshared:
                # nbgrader shares the folders above and below this one.
                add_mode(final.parent, 0o2770)
        with lock_folder(final.parent):
            for left in final.parent.glob(f".{final.name}-*"):
                # Left behind by a run that was killed.
                shutil.rmtree(left, ignore_errors=True)
            self.folder = Path(tempfile.mkdtemp(prefix=f".{final.name}-", dir=final.parent))
            # Before nbgrader's set_permissions, which adds the bits of c.CourseDirectory.groupshared.
            add_mode(self.folder, 0o755)
            try:
                yield self.folder
                if final.exists():
                    final.rename(self.folder / PREVIOUS_COPY)
                self.folder.rename(final)
                shutil.rmtree(final / PREVIOUS_COPY, ignore_errors=True)
            finally:
                shutil.rmtree(self.folder, ignore_errors=True)

    def _format_dest(self, assignment_id: str, student_id: str, escape: bool = False) -> str:
        # All files are first written to a folder next to the earlier copy.
        return str(self.folder)

    def update_late_penalty(self, submission: Submission) -> bool:
        """Recompute the late penalty of a graded submission. Return True if the penalty has changed."""
        return bool(self.update_late_penalties([submission]))

    def update_late_penalties(self, submissions: Iterable[Submission]) -> int:
        """Recompute the late penalties of graded submissions in one transaction.

        Returns how many have changed.
        """
        if self.steps.penalties is None:
            return 0
        with self.course.gradebook() as gradebook, chdir(self.course.root):
            return sum(self.recompute_penalty(gradebook, one) for one in submissions)

    def recompute_penalty(self, gradebook: Gradebook, submission: Submission) -> bool:
        """Recompute the late penalty of a submission. Return True if the penalty has changed."""
        assignment, student, step = submission.assignment, submission.student, self.steps.penalties
        apply_extension(gradebook.db.connection(), assignment, student)
        found = gradebook.find_submission(assignment, student)
        before = {notebook.name: notebook.late_submission_penalty or 0 for notebook in found.notebooks}
        # A course's own step may deduct points for other reasons, and may read the notebook.
        own = step is not AssignLatePenalties
        if not step or not (own or found.total_seconds_late > 0 or any(before.values())):
            return False
        copies = self.course.path("autograded", assignment, student)
        for name in before:
            copy = read_graded_copy(copies / f"{name}.ipynb") if own else None
            self.through((step,), copy or new_notebook(), submission, name)
        return before != {nb.name: nb.late_submission_penalty or 0 for nb in found.notebooks}


def place_supplied_file(path: str, folder: Path, name: str) -> None:
    """Copy an instructor's file into a folder, in place of submitted files that are in the way."""
    for parent in Path(name).parents:
        if (folder / parent).is_file():
            (folder / parent).unlink()
    target = folder / name
    if target.is_dir():
        shutil.rmtree(target)
    target.unlink(missing_ok=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, target)


def add_mode(folder: Path, mode: int) -> None:
    folder.chmod(stat.S_IMODE(folder.stat().st_mode) | mode)


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold a lock on a folder inside a `with` block; another grading process waits for the lock."""
    import fcntl  # Not available on Windows, where this module is imported, too.

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        # Some network file systems have no locks.
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        # Worker processes may have inherited the descriptor, so closing it is not enough.
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def read_previous_texts(path: Path, release: Path) -> dict[str, str]:
    """Return answer hashes for a copy that was graded before hashes were stored."""
    copy, released = read_graded_copy(path), read_graded_copy(release)
    if copy and released and not read_record(copy):
        # Stock nbgrader's copies do not list the parts of written answers.
        record_repairs(copy, RepairRecord(parts=repair_notebook(copy, released).parts))
    return hash_graded_texts(copy) if copy else {}
