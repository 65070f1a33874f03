"""Write collected files to `submitted/`, without following links or overwriting other files."""

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Row

from gradebox import safe_submission_files
from gradebox.autograde.discover_submissions import find_name_problem, is_linked
from gradebox.course import REPLACED_FOLDER, Course, CourseError
from gradebox.csv_table import write_bytes
from gradebox.gradebook_transactions import select_rows, upsert_row
from gradebox.lms.collect_results import (
    EXISTING_KEPT,
    IMPORTED,
    LATE,
    NEW_STUDENT,
    NOT_IMPORTED,
    REPLACED,
    UNCHANGED,
    UNKNOWN_TIME,
    WITHOUT_ACCENTS,
    CollectResult,
)
from gradebox.lms.filename_patterns import DownloadedFile
from gradebox.lms.match_students import COLLECTED_CONTENT, COLLECTED_FILES
from gradebox.lms.owner_matching import OwnerMatcher
from gradebox.safe_submission_files import TIMESTAMP, UnreadableSubmissionError
from gradebox.submission_archives import MAX_FILE_NAME_BYTES

OLDER = "older than the file in submitted/, which stays"
# A longer ending is part of the name.
MAX_SUFFIX_LENGTH = 20


@dataclass(frozen=True)
class SubmissionWriter:
    """Writer of the files of one download.

    force: replace files that differ even if it is not known which is newer. students: the only students whose
    files are written; empty for all. With `force`, files of these students that were changed by hand are
    replaced, too.
    """

    course: Course
    owners: OwnerMatcher
    force: bool
    students: frozenset[str] = frozenset()

    def write(
        self,
        student: str,
        one: DownloadedFile,
        assignment: str,
        name: str,
        remarks: list[str],
        problem: bool = False,
        beside: bool = False,
    ) -> CollectResult:
        """Write a file to a student's folder, and record a notebook's time of submission.

        name: the path in the folder. An existing file is replaced by a newer one: see
        `find_reason_to_keep`.
        """
        remarks = remarks if beside else [*remarks, *self.describe(student)]

        def row(what: str, *more: str) -> CollectResult:
            said = dict.fromkeys((*remarks, *more))
            wrong = problem or what == NOT_IMPORTED or what == EXISTING_KEPT and OLDER not in more
            file = student, assignment, what, one.entry.path, one.shown_name
            return CollectResult(*file, one.received, tuple(said), wrong, beside=beside)

        try:
            return self.store(student, one, assignment, name, beside, row)
        except (UnreadableSubmissionError, CourseError) as error:
            return row(NOT_IMPORTED, str(error))
        except OSError as error:
            # The other files of the download are still written.
            return row(NOT_IMPORTED, f"can't be written: {error.strerror}")

    def store(
        self,
        student: str,
        one: DownloadedFile,
        assignment: str,
        name: str,
        beside: bool,
        row: Callable[..., CollectResult],
    ) -> CollectResult:
        """Write a file as `write` does. row: returns a result.

        Raises UnreadableSubmissionError, CourseError and OSError for a file that can't be written.
        """
        wrong = find_name_problem(student)
        if wrong:
            return row(NOT_IMPORTED, wrong)
        raw = one.entry.read()
        folder = self.course.path("submitted", assignment, student)
        path = folder / name
        if is_linked(folder):
            return row(NOT_IMPORTED, "the student's folder in submitted/ is a link")
        for parent in reversed(path.relative_to(folder).parents[:-1]):
            above = folder / parent
            if above.is_symlink() or (above.exists() and not above.is_dir()):
                return row(NOT_IMPORTED, f"{parent} in submitted/ is not a folder: remove it first")
        for place in (path, *path.parents[: len(path.relative_to(folder).parts) - 1]):
            if place.parent.is_dir():
                safe_submission_files.check_names([*sorted(os.listdir(place.parent)), place.name])
        try:
            exists = path.exists() or path.is_symlink()
            there = safe_submission_files.read_file(path, folder=folder) if exists else None
        except UnreadableSubmissionError as error:
            return row(NOT_IMPORTED, f"the existing file in submitted/ {error}")
        connection = self.owners.people.connection
        about = {"student_id": student, "assignment": assignment}
        more: list[str] = []
        what = IMPORTED if there is None else UNCHANGED if there == raw else REPLACED
        if there is not None and what == REPLACED:
            matches = (COLLECTED_CONTENT.c[key] == value for key, value in {**about, "name": name}.items())
            before = select_rows(connection, COLLECTED_CONTENT, *matches)
            keep = self.find_reason_to_keep(there, before[0] if before else None, one, student)
            if keep:
                return row(EXISTING_KEPT, keep)
            more.append(f"the earlier file is in {self.keep(student, assignment, path)}")
        if what != UNCHANGED:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(path, raw)
        written = {
            "name": name,
            "sha256": hashlib.sha256(raw).hexdigest(),
            "received": one.received,
            "upload_order": one.order,
            "collected": datetime.now(UTC).replace(tzinfo=None),
        }
        self.owners.save_new_student(student)
        upsert_row(connection, COLLECTED_CONTENT, about | written)
        if not beside:
            # A platform's time changes with any other file. The time of an unchanged notebook stays.
            if what != UNCHANGED or self.force or not (folder / TIMESTAMP).is_file():
                write_submission_timestamp(folder, one.received, what)
            if not (folder / TIMESTAMP).is_file():
                more += [f"{UNKNOWN_TIME}: {one.unread}"] if one.unread else []
                more += [LATE] if one.late else []
            said = {
                "platform": self.owners.platform,
                "number": one.number,
                "path": (one.archive or one.entry).path,
                "late": one.late,
            }
            upsert_row(connection, COLLECTED_FILES, about | said)
        return row(what, *more)

    def find_reason_to_keep(
        self, there: bytes, before: Row[Any] | None, one: DownloadedFile, student: str
    ) -> str | None:
        """Return why an existing file stays, or None if the downloaded file replaces it.

        there: the content of the existing file. before: the row of the last collected file, or None.
        """
        if self.force and student in self.students:
            return None
        if before is None or hashlib.sha256(there).hexdigest() != before.sha256:
            return f"the file in submitted/ is not the collected one: --force --student {student} replaces it"
        if one.received and one.received > (before.received or before.collected):
            return None
        if one.order > before.upload_order > 0:
            return None
        if one.received and before.received and one.received < before.received:
            return OLDER
        if 0 < one.order < before.upload_order:
            return OLDER
        if self.force:
            return None
        return "a different file was collected before, and which is newer is not known: --force replaces it"

    def describe(self, student: str) -> Iterator[str]:
        if student in self.owners.new:
            yield NEW_STUDENT
        if student in self.owners.without_accents:
            yield WITHOUT_ACCENTS

    def keep(self, student: str, assignment: str, path: Path) -> str:
        """Copy a file to REPLACED_FOLDER before its replacement. Returns the copy's path in the course."""
        folder = self.course.root / REPLACED_FOLDER / student / assignment
        folder.mkdir(parents=True, exist_ok=True)
        content = path.read_bytes()
        suffix = path.suffix if len(path.suffix) < MAX_SUFFIX_LENGTH else ""
        ending = f"-{hashlib.sha256(content).hexdigest()[:8]}{suffix}"
        stem = path.name.removesuffix(suffix).encode(errors="replace")
        stem = stem[: MAX_FILE_NAME_BYTES - len(ending.encode(errors="replace"))]
        kept = folder / f"{stem.decode(errors='ignore')}{ending}"
        write_bytes(kept, content)
        return kept.relative_to(self.course.root).as_posix()


def write_submission_timestamp(folder: Path, received: datetime | None, what: str) -> None:
    """Write the time of submission for nbgrader, or delete the outdated time of a replaced file."""
    path = folder / TIMESTAMP
    if received:
        text = f"{received:%Y-%m-%d %H:%M:%S} UTC\n"
        if not path.is_file() or path.read_text(errors="replace") != text:
            write_bytes(path, text.encode())
    elif what == REPLACED:
        path.unlink(missing_ok=True)
