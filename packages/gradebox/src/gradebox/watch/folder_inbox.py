"""Collect submissions from a folder in which files arrive, as `gradebox collect` does, and write pages."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from gradebox.autograde.grade_submissions import GradingOutcome
from gradebox.course import Course, CourseError
from gradebox.lms.collect import collect_submissions
from gradebox.lms.collect_results import UNCHANGED, CollectResult
from gradebox.lms.download_archive import open_download
from gradebox.printable_text import format_file_name
from gradebox.watch.arrival import Arrival, Inbox

# Time of the last change in nanoseconds and size of each file, by path.
Listing = Mapping[str, tuple[int, int]]


class FolderInbox(Inbox):
    """A folder, such as a shared one: see `Inbox`. Raises CourseError if it can't be used."""

    def __init__(self, course: Course, assignments: Sequence[str], folder: Path):
        if not folder.is_dir():
            raise CourseError(f"{folder} is not a folder")
        submitted = course.root / course.directory().submitted_directory
        if folder.resolve() == submitted.resolve():
            raise CourseError(f"submissions are collected in {folder}: name the folder where they arrive")
        super().__init__(course)
        self.assignments, self.folder, self.where = assignments, folder, str(folder)
        self.listed: Listing | None = None
        self.collected: Listing | None = None
        self.reported: set[tuple[str, tuple[str, ...]]] = set()

    def find_arrivals(self) -> list[Arrival]:
        """Collect the files that are new, once they no longer change, and return their submissions."""
        listed, before, self.listed = list_files(self.folder), self.listed, None
        if listed == self.collected:
            return []
        self.listed = listed
        if listed != before:
            # A file may still be written.
            return []
        first, known = self.collected is None, self.collected or {}
        changed = {path for path, status in listed.items() if known.get(path) != status}
        rows = collect_submissions(self.course, self.folder, changed=changed)[1] if changed else []
        self.collected = listed
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

    def return_feedback(self, outcome: GradingOutcome) -> str:
        """Write the pages of a submission to `feedback/`, as `Inbox` says."""
        if not outcome.graded:
            return ""
        self.write_pages(outcome.submission)
        return "feedback page written"


def list_files(folder: Path) -> Listing:
    """Return the files in a folder and below. Raises OSError and CourseError if it can't be read."""
    os.listdir(folder)
    with open_download(folder) as entries:
        return {entry.path: (entry.modified, entry.size) for entry in entries}
