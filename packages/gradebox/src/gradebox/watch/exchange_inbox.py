"""Collect submissions from nbgrader's exchange, and release their feedback there.

`nbgrader submit` writes a folder STUDENT+ASSIGNMENT+TIME+RANDOM to the exchange's `inbound`. Every user can
write there, and students can change their folders later. So the files are read without following links, the
folder's owner is checked, and claimed times are compared with the file system's.
"""

import os
import pwd
import shutil
import stat
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory

from nbgrader.exchange.default import ExchangeCollect

from gradebox.autograde.discover_submissions import Submission, find_name_problem
from gradebox.course import Course, CourseError, run_nbgrader_step
from gradebox.dates import find_timestamp_zone, parse_iso_date
from gradebox.erasure.exchange_files import find_exchange_folder
from gradebox.reports.feedback_pages import PageWriter
from gradebox.safe_submission_files import (
    TIMESTAMP,
    UnreadableSubmissionError,
    is_hidden,
    parse_timestamp,
    read_files,
)
from gradebox.watch.arrival import Arrival, Key
from gradebox.watch.exchange_feedback import release_pages
from gradebox.watch.feedback_records import FeedbackRecords

# The permissions that `nbgrader submit` gives a folder when everything is written.
COMPLETE_MODE = 0o777
# Seconds without a change after which any folder counts as complete.
SETTLE_SECONDS = 60
# Tolerance for slow copies, and for clocks of students' machines that are slow.
ARRIVAL_TOLERANCE = timedelta(minutes=5)
get_time = attrgetter("handed_in")


class SafeCollect(ExchangeCollect):
    """nbgrader's collect for one submission, whose files were read before.

    contents: the files, by relative path. target: the folder in `submitted/`, where the copy appears when it
    is complete.
    """

    contents: Mapping[str, bytes] = {}
    target = Path()

    def init_src(self) -> None:
        """Don't look for submissions: one of any name, from any account, could stop nbgrader here."""

    def copy_files(self) -> None:
        beside = self.target.with_name(f".{self.target.name}-collected")
        shutil.rmtree(beside, ignore_errors=True)
        with TemporaryDirectory(prefix="gradebox-") as scratch:
            # nbgrader copies the permissions, too.
            os.chmod(scratch, 0o755)
            for name, content in self.contents.items():
                path = Path(scratch, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            self.do_copy(scratch, str(beside))
        shutil.rmtree(self.target, ignore_errors=True)
        beside.rename(self.target)


class ExchangeInbox:
    """The exchange of a course, where submissions arrive, and where their students get feedback.

    Raises CourseError if the exchange can't be used. where: the place, in words.
    """

    def __init__(self, course: Course, assignments: Sequence[str]):
        collect = ExchangeCollect(coursedir=course.directory(), parent=course.app)
        folder = find_exchange_folder(course)
        if folder is None or not (folder / "inbound").is_dir():
            raise CourseError(
                f"the exchange {collect.root} has no folder for this course: set c.Exchange.root and "
                "c.CourseDirectory.course_id, and run `nbgrader release_assignment` first"
            )
        for place in (Path(collect.root), folder):
            if not os.access(place, os.W_OK | os.X_OK):
                raise CourseError(f"{place} can't be written, but feedback is released there")
        self.inbound, self.where = folder / "inbound", f"the exchange in {folder}"
        self.course, self.writer = course, PageWriter()
        self.assignments, self.records = assignments, FeedbackRecords(course)
        self.checks_owner, self.zone = collect.check_owner, find_timestamp_zone(course.app.config)
        # Names of folders that need no second look.
        self.seen: set[str] = set()

    def find_arrivals(self) -> list[Arrival]:
        """Return the submissions that have arrived since the last call, the oldest first.

        Of several from a student, only the newest counts. A folder that another account owns never counts.
        Raises OSError if the exchange can't be read.
        """
        newest: dict[Key, Arrival] = {}
        refused: list[Arrival] = []
        for name in sorted(set(os.listdir(self.inbound)) - self.seen):
            arrival = parse_folder_name(self.inbound / name, self.assignments, self.zone)
            if arrival and self.records.is_newer(arrival):
                if not is_complete(self.inbound / name):
                    continue
                if problem := self.find_owner_problem(arrival):
                    refused.append(replace(arrival, problem=problem))
                else:
                    newest[arrival.key] = max(arrival, newest.get(arrival.key, arrival), key=get_time)
            self.seen.add(name)
        return sorted([*newest.values(), *refused], key=get_time)

    def find_owner_problem(self, arrival: Arrival) -> str | None:
        """Return the reason to refuse the folder of another account, or None."""
        # An account without a name tells nothing.
        with suppress(KeyError, OSError):
            owner = pwd.getpwuid(arrival.folder.lstat().st_uid).pw_name
            if self.checks_owner and owner != arrival.student:
                return (
                    f"the folder belongs to the account {owner}; if accounts don't have the ids of students, "
                    "set c.ExchangeCollect.check_owner = False"
                )
        return None

    def collect(self, arrival: Arrival) -> str:
        """Copy a submission to `submitted/` with nbgrader's own collect. Return a remark, or "".

        Raises UnreadableSubmissionError for a submission that is refused, CourseError for other problems.
        """
        student, folder = arrival.student, arrival.folder
        problem = "the student's id begins with a dot" if is_hidden(student) else find_name_problem(student)
        if problem:
            raise UnreadableSubmissionError(problem)
        directory = self.course.directory(assignment_id=arrival.assignment, student_id=student)
        step = SafeCollect(coursedir=directory, parent=self.course.app)
        files = dict(read_files(folder))
        remark = self.correct_timestamp(arrival, files, find_last_change(folder))
        step.contents, step.target = files, self.course.path("submitted", arrival.assignment, student)
        if failed := run_nbgrader_step(step):
            raise CourseError(f"nbgrader can't collect the submission: {failed}")
        return remark

    def correct_timestamp(self, arrival: Arrival, files: dict[str, bytes], changed: float) -> str:
        """Replace a timestamp.txt that is early, or not the folder's time. Return a remark, or "".

        changed: the time of the last change in the folder, which students can't set. Raises
        UnreadableSubmissionError.
        """
        try:
            written = parse_timestamp(files.get(TIMESTAMP, b""), self.zone)
        except UnreadableSubmissionError as error:
            raise UnreadableSubmissionError(f"{TIMESTAMP} {error}") from None
        latest = convert_seconds(changed)
        # Folders are graded in the order of their times, so none is graded with the bytes of an earlier one.
        if written and written == arrival.handed_in and latest - written <= ARRIVAL_TOLERANCE:
            return ""
        files[TIMESTAMP] = f"{latest:%Y-%m-%d %H:%M:%S.%f} UTC\n".encode()
        return f"counted as submitted at {latest:%Y-%m-%d %H:%M:%S} UTC ({TIMESTAMP}: {written or 'no time'})"

    def return_feedback(self, submission: Submission) -> str:
        """Write and release the feedback pages of a submission. Return what was done, in a few words.

        Raises CourseError if the feedback has to be returned later.
        """
        problem = self.writer.write(self.course, submission.assignment, submission.student)
        if problem:
            raise CourseError(f"no feedback page: {problem}")
        return release_pages(self.course, submission)

    def close_arrival(self, arrival: Arrival) -> None:
        """Record that everything is done for a submission."""
        self.records.close_arrival(arrival)


def parse_folder_name(folder: Path, assignments: Sequence[str], zone: str) -> Arrival | None:
    """Return the submission of a folder in `inbound`; None for other assignments and other names.

    A student's id may contain a plus sign, and so may the time. A time after the folder's last change is that
    of a fast clock, and would outdate later submissions.
    """
    for assignment in assignments:
        student, found, rest = folder.name.partition(f"+{assignment}+")
        for text in (rest.rpartition("+")[0], rest) if student and found else ():
            with suppress(ValueError, FileNotFoundError):
                named = parse_iso_date(text, zone)
                return Arrival(
                    student, assignment, min(named, convert_seconds(folder.lstat().st_ctime)), folder
                )
    return None


def convert_seconds(time: float) -> datetime:
    return datetime.fromtimestamp(time, UTC).replace(tzinfo=None)


def is_complete(folder: Path) -> bool:
    """Return True if `nbgrader submit` has written all files of a folder."""
    try:
        # Not of what a link points to, which could be any part of the disk.
        if stat.S_IMODE(folder.lstat().st_mode) & COMPLETE_MODE == COMPLETE_MODE:
            return True
        return time.time() - find_last_change(folder) > SETTLE_SECONDS
    except OSError:
        # The folder is being written, or was removed.
        return False


def find_last_change(folder: Path) -> float:
    """Return the time of the last change of a folder or of anything inside it.

    Copies keep the modification times of the originals, and users can set these, so `st_ctime` is used.
    """
    return max(path.lstat().st_ctime for path in (folder, *folder.rglob("*")))
