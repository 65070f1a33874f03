"""Loop of `gradebox watch`: collects what has arrived, grades it, and returns feedback."""

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from gradebox.autograde.discover_submissions import Submission, check_released, read_submission
from gradebox.autograde.grade_submissions import GradingOutcome, autograde_submissions
from gradebox.autograde.incidents import NOT_GRADED, REPAIRED, update_incidents
from gradebox.course import INCIDENTS, Course, CourseError
from gradebox.gradebook_transactions import GRADEBOOK_ERRORS, describe_gradebook_error
from gradebox.printable_text import format_count, format_exception, format_file_name
from gradebox.reports.page_theme import format_points
from gradebox.reports.terminal_score_tables import read_submission_grades
from gradebox.safe_submission_files import UnreadableSubmissionError
from gradebox.watch.arrival import Arrival, Key
from gradebox.watch.exchange_inbox import ExchangeInbox

# Seconds until a submission is tried again after a problem of the grader.
RETRY_DELAY = 300


class Watcher:
    """Grader of submissions that arrive. Raises CourseError if the exchange can't be used.

    say: prints a line; the second argument is True for a problem. every: seconds between two looks.
    """

    def __init__(
        self, course: Course, assignments: Sequence[str], say: Callable[[str, bool], None], every: float = 2
    ):
        self.course, self.say, self.every = course, say, every
        self.inbox = ExchangeInbox(course, assignments)
        # Submissions to grade, with the time when each was found and the earliest time for grading it.
        self.pending: dict[Key, tuple[Arrival, float, float]] = {}
        # Those that are being graded, with the time when each was found, and the remark on it.
        self.running: dict[Key, tuple[Arrival, float, str]] = {}
        self.problem: str | None = None
        self.next_look = 0.0

    def run(self) -> None:
        """Grade submissions until an interrupt."""
        while True:
            self.grade_arrivals()
            time.sleep(self.every)

    def grade_arrivals(self) -> None:
        """Grade everything that has arrived, and what arrives in the meantime.

        After a problem that is not the submissions', they are tried again later.
        """
        self.next_look = 0.0
        if not (submissions := self.collect_arrivals()):
            return
        try:
            autograde_submissions(
                self.course, submissions, done=self.return_feedback, arriving=self.collect_arrivals
            )
        except Exception as error:
            for arrival, found, _ in list(self.running.values()):
                self.postpone(arrival, found, describe_problem(error))
        # A database server closes connections that are idle for hours.
        self.course.engine.dispose()

    def collect_arrivals(self) -> list[Submission]:
        """Look for new submissions if it is time, and return those that can be graded now."""
        if time.monotonic() < self.next_look:
            return []
        self.next_look = time.monotonic() + self.every
        self.find_arrivals()
        submissions, now = [], time.monotonic()
        for key, (one, found, after) in list(self.pending.items()):
            # A student's next submission waits until the one before it is graded.
            if after > now or key in self.running:
                continue
            del self.pending[key]
            try:
                check_released(self.course, one.assignment)
                remark = self.inbox.collect(one)
                submissions.append(read_submission(self.course, one.assignment, one.student))
                self.running[key] = one, found, remark
            except UnreadableSubmissionError as error:
                self.inbox.close_arrival(one)
                self.print_line(key, f"not collected: {error}", True)
            except (OSError, CourseError, *GRADEBOOK_ERRORS) as error:
                self.postpone(one, found, describe_problem(error))
        return submissions

    def find_arrivals(self) -> None:
        """Add the submissions that have arrived to those to grade; report a problem of the exchange once."""
        try:
            arrivals = self.inbox.find_arrivals()
        except OSError as error:
            problem = format_exception(error)
            if problem != self.problem:
                self.say(f"{format_time()} {self.inbox.where}: {problem}; tried again", True)
            self.problem = problem
            return
        self.problem, now = None, time.monotonic()
        for one in arrivals:
            if one.problem:
                self.print_line(one.key, f"not collected: {one.problem}", True)
            else:
                self.pending[one.key] = one, now, now

    def return_feedback(self, outcome: GradingOutcome) -> None:
        """Return the feedback of a submission, and print its line."""
        submission = outcome.submission
        key = submission.student, submission.assignment
        arrival, found, remark = self.running[key]
        if any(incident.kind == NOT_GRADED for incident in outcome.incidents):
            self.postpone(arrival, found, str(outcome.problem))
            if outcome.unproven:
                self.postpone_assignment(submission.assignment)
            return
        try:
            update_incidents(self.course.root / INCIDENTS, {key}, outcome.incidents)
            gradable = not (outcome.problem or submission.absent)
            done = self.inbox.return_feedback(submission) if gradable else ""
            self.inbox.close_arrival(arrival)
            parts = [*describe_outcome(self.course, outcome), remark, done]
        except (OSError, CourseError, *GRADEBOOK_ERRORS) as error:
            self.postpone(arrival, found, describe_problem(error))
            return
        del self.running[key]
        text = ", ".join(filter(None, parts))
        self.print_line(key, f"{text}, {time.monotonic() - found:.0f} s", bool(outcome.problem))

    def postpone(self, arrival: Arrival, found: float, problem: str) -> None:
        """Try a submission again later, after a problem of the grader."""
        self.running.pop(arrival.key, None)
        # A newer submission may have arrived.
        self.pending.setdefault(arrival.key, (arrival, found, time.monotonic() + RETRY_DELAY))
        self.print_line(
            arrival.key, f"not graded: {problem}; tried again in {RETRY_DELAY // 60} minutes", True
        )

    def postpone_assignment(self, assignment: str) -> None:
        """Grade no submission to an assignment for a while, because its own reference solution fails."""
        later = time.monotonic() + RETRY_DELAY
        for key, (one, found, _) in self.pending.items():
            if one.assignment == assignment:
                self.pending[key] = one, found, later

    def print_line(self, key: Key, text: str, problem: bool) -> None:
        student, assignment = map(format_file_name, key)
        self.say(f"{format_time()} {student} {assignment} {text}", problem)


def describe_outcome(course: Course, outcome: GradingOutcome) -> Iterator[str]:
    """Yield the parts of a line: points, or why there are none, and the kinds of incidents."""
    submission = outcome.submission
    if outcome.problem:
        yield f"not graded: {outcome.problem}"
        return
    if submission.absent:
        yield "no notebook was submitted"
        return
    with course.gradebook() as gradebook:
        entry = read_submission_grades(gradebook, submission.assignment, submission.student)[
            submission.student
        ]
    cells = course.graded_cells(submission.assignment)
    grades = [(cell, *entry.grades.get((cell.notebook, cell.grade_id), (0, True))) for cell in cells]
    earned = sum(score for _, score, _ in grades) - entry.penalty
    unread = [cell for cell, _, waits in grades if waits and cell.manual]
    possible = sum(cell.points for cell in cells) - sum(cell.points for cell in unread)
    yield f"{format_points(earned)} of {format_points(possible)}"
    if unread:
        yield format_count(len(unread), "written answer to read", "written answers to read")
    if entry.late:
        yield "late"
    kinds = {incident.kind for incident in outcome.incidents} - {REPAIRED}
    if kinds:
        yield f"{' and '.join(sorted(kinds))} (see {INCIDENTS})"


def describe_problem(error: Exception) -> str:
    if isinstance(error, CourseError):
        return str(error)
    return describe_gradebook_error(error) if isinstance(error, GRADEBOOK_ERRORS) else format_exception(error)


def format_time() -> str:
    return f"{datetime.now():%H:%M:%S}"
