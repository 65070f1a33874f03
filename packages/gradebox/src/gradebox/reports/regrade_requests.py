"""What students ask to be looked at again, and what they were answered.

A request is a line: in a file beside the notebook, `1.10: why it is worth more`, or in a text cell of the
student's own, `Regrade: …` below the exercise or `Regrade 1.10: …` anywhere. It stays with the submission.
Answers are kept in a table of ours.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path

from sqlalchemy import Column, Connection, DateTime, MetaData, String, Table, Text, delete

from gradebox.gradebook import select_rows, upsert_row
from gradebox.notebook import EXERCISE_HEADING, find_grade_id
from gradebox.submission_files import UnreadableSubmissionError, list_notebooks, parse_notebook, read_file

REGRADE_FILE = "regrade.txt"
REGRADE_WORD = b"regrade"
EXERCISE_NUMBER = r"\d+(?:\.\d+)+"
# Of a line without blanks at its ends.
REQUEST_LINE = re.compile(
    rf"(?:regrade )?({EXERCISE_NUMBER}) ?[:.–—-]? (\S.*)|(?:regrade )?({EXERCISE_NUMBER})[:–—-](\S.*)",
    re.IGNORECASE,
)
CELL_REQUEST_LINE = re.compile(rf"regrade(?: ({EXERCISE_NUMBER}))? ?[:–—-] ?(\S.*)", re.IGNORECASE)
# Characters of a request that are kept, bytes of a file, and how many requests of one submission.
MAX_REQUEST_LENGTH, MAX_REQUEST_FILE_SIZE, MAX_REQUESTS = 1_000, 1_000_000, 30
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
    """A student's request about an exercise. number: as in its heading, or "" if nobody can tell."""

    student: str
    assignment: str
    number: str
    text: str

    @property
    def id(self) -> str:
        """The same for the same words: a request that is handed in again is answered already."""
        about = f"{self.student}\0{self.assignment}\0{self.number}\0{self.text}"
        return sha256(about.encode(errors="replace")).hexdigest()[:32]


def find_regrade_requests(
    folder: Path, files: Iterable[Path], student: str, assignment: str
) -> list[RegradeRequest]:
    """The requests of a submission. folder: what was handed in. files: the notebooks that are read."""
    found = chain(parse_request_file(folder / REGRADE_FILE), *map(parse_notebook_requests, files))
    about = islice(dict.fromkeys((number, text[:MAX_REQUEST_LENGTH]) for number, text in found), MAX_REQUESTS)
    return [RegradeRequest(student, assignment, *one) for one in about]


def may_contain_request(folder: Path) -> bool:
    """Whether a notebook in a folder may hold a request."""
    try:
        return any(REGRADE_WORD in read_file(folder / name).lower() for name in list_notebooks(folder))
    except (OSError, UnreadableSubmissionError):
        return False


def normalize_request_lines(text: str) -> Iterator[str]:
    """The lines with something in them, with single blanks, and no longer than a request and its number."""
    for line in text.splitlines():
        # Without what no database takes.
        words = line[: 2 * MAX_REQUEST_LENGTH].replace("\0", "").encode(errors="replace").decode().split()
        if words:
            yield " ".join(words)


def parse_request_file(path: Path) -> Iterator[tuple[str, str]]:
    try:
        text = read_file(path, MAX_REQUEST_FILE_SIZE).decode("utf-8-sig", errors="replace")
    except (OSError, UnreadableSubmissionError):
        return
    for line in islice(normalize_request_lines(text), 2 * MAX_REQUESTS):
        known = REQUEST_LINE.fullmatch(line)
        yield (known[1] or known[3], known[2] or known[4]) if known else ("", line)


def parse_notebook_requests(path: Path) -> Iterator[tuple[str, str]]:
    """The requests in text cells that are the student's."""
    number = ""
    try:
        raw = read_file(path)
        # To read a notebook takes long, and few hold one.
        cells = parse_notebook(raw).cells if REGRADE_WORD in raw.lower() else []
    except Exception:
        # What was handed in is of any kind; grading says what is wrong with it.
        return
    for cell in cells:
        source = cell.get("source")
        if cell.get("cell_type") != "markdown" or not isinstance(source, str):
            continue
        headings = EXERCISE_HEADING.findall(source)
        number = headings[-1][0] if headings else number
        for line in normalize_request_lines(source) if not find_grade_id(cell) else ():
            known = CELL_REQUEST_LINE.fullmatch(line)
            if known:
                yield known[1] or number, known[2]


@dataclass(frozen=True)
class RegradeReply:
    """What a reader answered, and when, in UTC."""

    text: str
    reader: str
    at: datetime


def read_regrade_replies(
    connection: Connection, assignment: str, student: str | None = None
) -> dict[str, RegradeReply]:
    """The answers that were given, by the id of their request."""
    wanted = [
        REPLIES_TABLE.c.assignment == assignment,
        *([REPLIES_TABLE.c.student_id == student] if student else []),
    ]
    return {
        row.id: RegradeReply(row.answer, row.reader, row.at)
        for row in select_rows(connection, REPLIES_TABLE, *wanted)
    }


def save_regrade_reply(connection: Connection, request: RegradeRequest, text: str, reader: str) -> None:
    """Answer a request, anew if it was answered before; without a text, take the answer back."""
    if not text:
        REPLIES_TABLE.create(connection, checkfirst=True)
        connection.execute(delete(REPLIES_TABLE).where(REPLIES_TABLE.c.id == request.id))
    else:
        about = {"id": request.id, "student_id": request.student, "assignment": request.assignment}
        said = {"request": request.text, "answer": text, "reader": reader}
        at = datetime.now(UTC).replace(tzinfo=None)
        upsert_row(connection, REPLIES_TABLE, {**about, **said, "at": at})
