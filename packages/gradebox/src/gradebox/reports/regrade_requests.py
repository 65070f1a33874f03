"""Read students' regrade requests, and store replies in the gradebook.

A request is a line in a file next to the notebook, `1.10: why it is worth more`, or in a text cell that the
student added, `Regrade: …` below the exercise or `Regrade 1.10: …` anywhere. Requests stay in the submission.
Replies are stored in a separate table of the gradebook.
"""

import os
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path
from typing import Any

from nbformat.notebooknode import NotebookNode
from sqlalchemy import Column, Connection, DateTime, MetaData, String, Table, Text, delete

from gradebox.autograde.match_notebooks import match_notebooks
from gradebox.course import Course
from gradebox.gradebook_transactions import select_rows, upsert_row
from gradebox.notebook_exercises import (
    CELL_REQUEST_LINE,
    EXERCISE_HEADING,
    EXERCISE_NUMBER,
    find_grade_id,
)
from gradebox.notebook_json import parse_and_repair
from gradebox.printable_text import format_count
from gradebox.safe_submission_files import (
    MAX_NOTEBOOK_SIZE,
    UnreadableSubmissionError,
    may_be_notebook,
)
from gradebox.submission_archives import iterate_submission, read_submitted_file

REGRADE_FILE = "regrade.txt"
REGRADE_WORD = b"regrade"
# Patterns for a line without surrounding spaces.
REQUEST_LINE = re.compile(
    rf"(?:regrade )?({EXERCISE_NUMBER}) ?[:.–—-]? (\S.*)|(?:regrade )?({EXERCISE_NUMBER})[:–—-](\S.*)",
    re.IGNORECASE,
)
# Maximum characters of a request, bytes of a request file, and requests per submission.
MAX_REQUEST_LENGTH, MAX_REQUEST_FILE_SIZE, MAX_REQUESTS = 1_000, 1_000_000, 30
# File names of a folder with their modification times in nanoseconds.
FolderState = tuple[tuple[str, int], ...]
REPLIES_TABLE = Table(
    "gradebox_answer",
    MetaData(),
    Column("id", String(32), primary_key=True),
    Column("student_id", String(128), nullable=False),
    Column("assignment", String(128), nullable=False),
    Column("request", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("reader", String(128), nullable=False),
    Column("at", DateTime, nullable=False),
)


@dataclass(frozen=True)
class RegradeRequest:
    """A student's request about an exercise. number: as in the exercise's heading, or "" if unknown."""

    student: str
    assignment: str
    number: str
    text: str

    @property
    def id(self) -> str:
        """Hash of the request. A request that is submitted again unchanged keeps its id, and so its reply."""
        about = f"{self.student}\0{self.assignment}\0{self.number}\0{self.text}"
        return sha256(about.encode(errors="replace")).hexdigest()[:32]


def find_regrade_requests(
    folder: Path, files: Iterable[Path], student: str, assignment: str
) -> list[RegradeRequest]:
    """Return the requests of a submission. folder: the submission. files: the notebooks to search."""
    files = list(files)
    places = dict.fromkeys([folder, *(path.parent for path in files)])
    found = chain(
        *(parse_request_file(place / REGRADE_FILE, folder) for place in places),
        *(parse_notebook_requests(path, folder) for path in files),
    )
    about = islice(dict.fromkeys((number, text[:MAX_REQUEST_LENGTH]) for number, text in found), MAX_REQUESTS)
    return [RegradeRequest(student, assignment, *one) for one in about]


def may_contain_request(folder: Path) -> bool:
    """Return True if a notebook in a folder may contain a request."""
    try:
        return any(
            path.endswith(f"/{REGRADE_FILE}") or REGRADE_WORD in read(MAX_NOTEBOOK_SIZE).lower()
            for path, read in iterate_submission(folder)
            if may_be_notebook(path)
        )
    except (OSError, UnreadableSubmissionError):
        return False


@cache
def load_folder_requests(
    folder: Path, _stamp: FolderState, released: Path, student: str, assignment: str
) -> list[RegradeRequest]:
    """Return the regrade requests of a submission, cached until a file in the folder changes."""
    # Matching notebooks is slow, and few submissions contain a request.
    files = match_notebooks(folder, released).files.values() if may_contain_request(folder) else ()
    return find_regrade_requests(folder, files, student, assignment)


def read_folder_state(folder: Path) -> FolderState:
    """Return names and modification times of a folder's entries; empty if the folder can't be read."""
    try:
        with os.scandir(folder) as entries:
            return tuple(sorted((one.name, one.stat(follow_symlinks=False).st_mtime_ns) for one in entries))
    except OSError:
        return ()


def list_regrade_requests(course: Course, assignment: str, students: Collection[str]) -> list[RegradeRequest]:
    """Return the regrade requests of these students for an assignment; empty if it is not released."""
    found: list[RegradeRequest] = []
    released = course.path("release", assignment)
    for student in students if released.is_dir() else ():
        folder = course.path("submitted", assignment, student)
        found += load_folder_requests(folder, read_folder_state(folder), released, student, assignment)
    return found


def describe_waiting_requests(
    course: Course, assignments: Iterable[str], students: Collection[str]
) -> str | None:
    """Return a sentence with the number of these students' requests without a reply, or None."""
    waiting = 0
    with course.connection() as connection:
        for assignment in assignments:
            replies = read_regrade_replies(connection, assignment)
            found = list_regrade_requests(course, assignment, students)
            waiting += sum(one.id not in replies for one in found)
    requests = format_count(waiting, "regrade request waits", "regrade requests wait")
    return f"{requests} for a reply: `gradebox read` shows them." if waiting else None


def normalize_request_lines(text: str) -> Iterator[str]:
    """Yield the lines that are not blank, with single spaces, shortened to a request with its number."""
    for line in text.splitlines():
        # Remove null characters and lone surrogates, which databases reject.
        words = line[: 2 * MAX_REQUEST_LENGTH].replace("\0", "").encode(errors="replace").decode().split()
        if words:
            yield " ".join(words)


def parse_request_file(path: Path, folder: Path) -> Iterator[tuple[str, str]]:
    try:
        text = read_submitted_file(path, MAX_REQUEST_FILE_SIZE, folder).decode("utf-8-sig", errors="replace")
    except (OSError, UnreadableSubmissionError):
        return
    for line in islice(normalize_request_lines(text), 2 * MAX_REQUESTS):
        known = REQUEST_LINE.fullmatch(line)
        yield (known[1] or known[3], known[2] or known[4]) if known else ("", line)


def parse_notebook_requests(path: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the requests in text cells that the student added, as (number, text)."""
    number = ""
    try:
        raw = read_submitted_file(path, folder=folder)
        # Parsing a notebook is slow, and few contain a request.
        cells = parse_and_repair(raw, path.name)[0].cells if REGRADE_WORD in raw.lower() else []
    except (OSError, UnreadableSubmissionError):
        # A submission can be any file; grading reports what is wrong.
        return
    for cell in cells:
        source = cell.get("source")
        if cell.get("cell_type") != "markdown" or not isinstance(source, str):
            continue
        headings = EXERCISE_HEADING.findall(source)
        number = headings[-1][0] if headings else number
        for known in match_cell_requests(cell):
            yield known[1] or number, known[2]


def match_cell_requests(cell: NotebookNode) -> list[re.Match[str]]:
    """Return the requests in a text cell that the student added, as matches; empty for other cells."""
    source = cell.get("source")
    if cell.get("cell_type") != "markdown" or not isinstance(source, str) or find_grade_id(cell):
        return []
    return [known for known in map(CELL_REQUEST_LINE.fullmatch, normalize_request_lines(source)) if known]


def adds_only_requests(new: bytes, old: bytes) -> bool:
    """Return True if a notebook differs from its earlier version only in regrade requests and outputs."""
    if REGRADE_WORD not in new.lower():
        return False
    try:
        return list_cells_without_requests(new) == list_cells_without_requests(old)
    except UnreadableSubmissionError:
        return False


def list_cells_without_requests(raw: bytes) -> list[tuple[Any, Any]]:
    """Return the types and sources of a notebook's cells without cells that contain a request."""
    cells = parse_and_repair(raw, "notebook")[0].cells
    return [(one.get("cell_type"), one.get("source")) for one in cells if not match_cell_requests(one)]


@dataclass(frozen=True)
class RegradeReply:
    """A reader's reply to a request. at: time in UTC."""

    text: str
    reader: str
    at: datetime


def read_regrade_replies(
    connection: Connection, assignment: str, student: str | None = None
) -> dict[str, RegradeReply]:
    """Return the replies for an assignment (and student), by request id."""
    wanted = [
        REPLIES_TABLE.c.assignment == assignment,
        *([REPLIES_TABLE.c.student_id == student] if student else []),
    ]
    return {
        row.id: RegradeReply(row.answer, row.reader, row.at)
        for row in select_rows(connection, REPLIES_TABLE, *wanted)
    }


def save_regrade_reply(connection: Connection, request: RegradeRequest, text: str, reader: str) -> None:
    """Store the reply to a request, replacing an earlier reply; delete the reply if the text is empty."""
    if not text:
        REPLIES_TABLE.create(connection, checkfirst=True)
        connection.execute(delete(REPLIES_TABLE).where(REPLIES_TABLE.c.id == request.id))
    else:
        about = {"id": request.id, "student_id": request.student, "assignment": request.assignment}
        said = {"request": request.text, "answer": text, "reader": reader}
        at = datetime.now(UTC).replace(tzinfo=None)
        upsert_row(connection, REPLIES_TABLE, {**about, **said, "at": at})
