"""Release feedback pages through nbgrader's exchange, for the submission that was graded.

The exchange names a page after the student's file and the secret that `nbgrader submit` has written beside
it. So each submission has its own pages, and a renamed notebook has a page with its own name.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from nbgrader.api import MissingEntry
from nbgrader.coursedir import CourseDirectory

from gradebox.autograde.discover_submissions import Submission, read_submission
from gradebox.autograde.grade_submissions import GradingOutcome
from gradebox.course import Course, run_nbgrader_step
from gradebox.reports.feedback_pages import PageWriter
from gradebox.reports.release_feedback import EXCHANGE_FILES, ReleaseFeedback
from gradebox.safe_submission_files import UnreadableSubmissionError, read_file, read_files
from gradebox.watch.arrival import Arrival, Key
from gradebox.watch.feedback_policy import MESSAGES, NONE, POINTS, Delay, Watch, find_day, find_delay
from gradebox.watch.feedback_records import FeedbackRecords
from gradebox.watch.short_pages import render_notice, render_points

# In bytes; the files of the exchange are shorter.
MAX_EXCHANGE_FILE_SIZE = 1000
RELEASED = {MESSAGES: "feedback released", POINTS: "points released"}
LAST_ONE_COUNTS = "If you submit again before then, only your last submission gets feedback."


class ExchangeFeedback:
    """Feedback through the exchange: see `Outbox`. settings: what students get, and when.

    writer: writes the feedback pages.
    """

    def __init__(self, course: Course, settings: Watch, records: FeedbackRecords, writer: PageWriter):
        self.course, self.settings, self.records, self.writer = course, settings, records, writer

    def return_feedback(self, outcome: GradingOutcome, arrival: Arrival) -> str:
        """Release pages as `Outbox` says, and record the submission."""
        submission, now = outcome.submission, read_clock()
        said, waits, day = "", False, None
        if self.settings.feedback == NONE or submission.absent:
            pass
        elif outcome.problem:
            notice = f"Your submission could not be graded: {outcome.problem}."
            said = self.release_notice(submission, notice) or "the student gets the reason"
        elif delay := self.find_delay_of(arrival.key, now):
            said, waits = self.release_delay(submission, delay), True
        elif problem := self.release_graded(submission):
            # The pages are released later, with those that wait for their time.
            said, waits = problem, True
        else:
            said, day = RELEASED[self.settings.feedback], find_day(self.course.dates, now)
        self.records.close_arrival(arrival, waits, day)
        return said

    def refuse(self, arrival: Arrival) -> None:
        """Record a refused submission as `Outbox` says."""
        self.records.close_arrival(arrival, waits=False)

    def release_waiting(self) -> Iterator[tuple[Key, str]]:
        """Release pages as `Outbox` says, and record the submissions."""
        now = read_clock()
        for record in self.records.list_waiting():
            if record.assignment not in self.course.assignments or self.find_delay_of(record.key, now):
                continue
            submission = read_submission(self.course, record.assignment, record.student_id)
            if submission.problem or submission.absent or self.settings.feedback == NONE:
                # The submission, or the setting, was changed.
                self.records.close_waiting(record.key)
            elif not self.release_graded(submission):
                self.records.close_waiting(record.key)
                yield record.key, RELEASED[self.settings.feedback]

    def find_delay_of(self, key: Key, now: datetime) -> Delay | None:
        """Return why a student's feedback is released later than now, or None."""
        student, assignment = key
        due = None
        with suppress(MissingEntry), self.course.gradebook() as gradebook:
            entry = gradebook.find_submission(assignment, student)
            # nbgrader can't add an extension to a due date that is not set.
            due = entry.duedate if entry.assignment.duedate else None
        tries = self.records.count_tries(key, find_day(self.course.dates, now))
        return find_delay(self.settings, self.course.dates, now, due, tries)

    def release_delay(self, submission: Submission, delay: Delay) -> str:
        """Release a page with the reason of a delay. Return what was done."""
        until = self.course.dates.describe(delay.until) if delay.until else ""
        when = f"Feedback for this one comes on {until}." if until else "The due date is not set yet."
        failed = self.release_notice(
            submission, f"Your submission was graded. {delay.reason} {when}", LAST_ONE_COUNTS
        )
        return failed or (f"feedback waits until {until}" if until else "feedback waits for a due date")

    def release_notice(self, submission: Submission, *paragraphs: str) -> str | None:
        """Release a page without points for each submitted notebook. Return the problem, or None."""
        page = render_notice(self.course, submission, paragraphs)
        try:
            names = list_notebook_names(self.course, submission)
        except UnreadableSubmissionError as error:
            return f"no page for the student: {error}"
        if not names:
            return "no page for the student, because there is no notebook"
        return self.release_pages(submission, dict.fromkeys(names, page))

    def release_graded(self, submission: Submission) -> str | None:
        """Write and release the pages of a graded submission. Return the problem in one line, or None."""
        folder = self.course.path("submitted", submission.assignment, submission.student)
        written = self.course.path("feedback", submission.assignment, submission.student)
        graded = ", ".join(sorted(submission.relative_paths(folder).values()))
        try:
            names = list_notebook_names(self.course, submission)
        except UnreadableSubmissionError as error:
            return str(error)
        # JupyterLab's list offers feedback only if each submitted notebook has a page.
        left_out = f"This notebook was not graded. Graded: {graded}."
        pages = dict.fromkeys(names, render_notice(self.course, submission, [left_out]))
        if self.settings.feedback == MESSAGES:
            if problem := self.writer.write(self.course, submission.assignment, submission.student):
                return f"no feedback page: {problem}"
            pages |= {
                path.stem: (written / f"{name}.html").read_text(encoding="utf-8")
                for name, path in submission.files.items()
            }
        else:
            points = render_points(self.course, submission)
            pages |= {path.stem: points for path in submission.files.values()}
        return self.release_pages(submission, pages)

    def release_pages(self, submission: Submission, pages: Mapping[str, str]) -> str | None:
        """Release pages for the submission in `submitted/`, by file name. Return the problem, or None."""
        submitted = self.course.path("submitted", submission.assignment, submission.student)
        with TemporaryDirectory(prefix="gradebox-") as scratch:
            directory = CourseDirectory(
                parent=self.course.app,
                root=scratch,
                assignment_id=submission.assignment,
                student_id=submission.student,
            )
            folder = Path(
                directory.format_path(directory.feedback_directory, submission.student, submission.assignment)
            )
            folder.mkdir(parents=True)
            for name in EXCHANGE_FILES:
                try:
                    content = read_file(submitted / name, MAX_EXCHANGE_FILE_SIZE)
                except UnreadableSubmissionError as error:
                    return f"feedback can't be released: {name} {error}"
                (folder / name).write_bytes(content)
            for name, page in pages.items():
                (folder / f"{name}.html").write_text(page, encoding="utf-8")
            failed = run_nbgrader_step(ReleaseFeedback(coursedir=directory, parent=self.course.app))
        return f"feedback can't be released: {failed}" if failed else None


def list_notebook_names(course: Course, submission: Submission) -> list[str]:
    """Return the names of the notebooks that a student has submitted, as the exchange knows them.

    Raises UnreadableSubmissionError.
    """
    folder = course.path("submitted", submission.assignment, submission.student)
    paths = (Path(name) for name, _ in read_files(folder))
    return [path.stem for path in paths if path.suffix == ".ipynb" and path.parent == Path()]


def read_clock() -> datetime:
    """Return the time in naive UTC."""
    return datetime.now(UTC).replace(tzinfo=None)
