"""Collect submissions from a folder in which files arrive, as `gradebox collect` does, and write pages."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from gradebox.autograde.grade_submissions import GradingOutcome
from gradebox.course import Course, CourseError
from gradebox.lms.collect import collect_submissions
from gradebox.lms.collect_results import UNCHANGED, CollectResult
from gradebox.printable_text import format_file_name
from gradebox.reports.feedback_pages import PageWriter
from gradebox.watch.arrival import Arrival, Key
from gradebox.watch.feedback_policy import NONE, Watch

# Path, time of the last change in nanoseconds, and size of each file.
Listing = dict[str, tuple[int, int]]


class FolderInbox:
    """A folder, such as a shared one: see `Inbox`. Raises CourseError if it can't be used."""

    def __init__(self, course: Course, assignments: Sequence[str], folder: Path):
        self.course, self.assignments, self.folder = course, assignments, folder
        self.where = str(folder)
        if not folder.is_dir():
            raise CourseError(f"{folder} is not a folder")
        submitted = self.course.root / self.course.directory().submitted_directory
        if folder.resolve() == submitted.resolve():
            raise CourseError(f"submissions are collected in {folder}: name the folder where they arrive")
        self.listed: Listing | None = None
        self.collected: Listing | None = None
        self.reported: set[tuple[str, tuple[str, ...]]] = set()

    def find_arrivals(self) -> list[Arrival]:
        """Collect files that have arrived, once they no longer change, and return their submissions."""
        listed, before, self.listed = list_files(self.folder), self.listed, None
        if listed == self.collected:
            return []
        self.listed = listed
        if listed != before:
            # A file may still be written.
            return []
        _, rows = collect_submissions(self.course, self.folder)
        first, self.collected = self.collected is None, listed
        # At the start, submissions may be collected that are not graded yet.
        found = {
            (row.student, row.assignment)
            for row in rows
            if row.assignment in self.assignments and not row.problem and (first or row.what != UNCHANGED)
        }
        return [*self.list_problems(rows), *(Arrival(*key) for key in sorted(found))]

    def list_problems(self, rows: list[CollectResult]) -> Iterator[Arrival]:
        """Yield an arrival for each new problem of a file."""
        for row in rows:
            if row.problem and (row.file, row.remarks) not in self.reported:
                self.reported.add((row.file, row.remarks))
                why = f"{format_file_name(row.file)}: {'; '.join(row.remarks)}"
                yield Arrival(row.student, row.assignment or "?", problem=why)

    def collect(self, arrival: Arrival) -> str:
        """Do nothing, because `find_arrivals` has collected the files."""
        return ""


class FeedbackFolder:
    """Feedback pages in `feedback/`: see `Outbox`."""

    def __init__(self, course: Course, settings: Watch, writer: PageWriter):
        self.course, self.settings, self.writer = course, settings, writer

    def return_feedback(self, outcome: GradingOutcome, arrival: Arrival) -> str:
        """Write the pages of a submission. Return what was done, as `Outbox` says."""
        if not outcome.graded or self.settings.feedback == NONE:
            return ""
        problem = self.writer.write(self.course, arrival.assignment, arrival.student)
        return f"no feedback page: {problem}" if problem else "feedback page written"

    def refuse(self, arrival: Arrival) -> None:
        """Do nothing, because `gradebox collect` remembers its files."""

    def release_waiting(self) -> Iterator[tuple[Key, str]]:
        """Return nothing, because no page waits."""
        yield from ()


def list_files(folder: Path) -> Listing:
    """Return the files in a folder and below. Raises OSError if the folder can't be read."""
    os.listdir(folder)
    found: Listing = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            try:
                status = os.lstat(path)
            except FileNotFoundError:
                # The file has just been removed or renamed.
                continue
            found[path] = status.st_mtime_ns, status.st_size
    return found
