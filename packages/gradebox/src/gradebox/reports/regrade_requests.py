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

from gradebox.gradebook import keep, rows
from gradebox.notebook import HEADING, name_of
from gradebox.submission_files import Unreadable, notebook_in, notebooks, read

FILE = "regrade.txt"
WORD = b"regrade"
NUMBER = r"\d+(?:\.\d+)+"
# Of a line without blanks at its ends.
IN_FILE = re.compile(
    rf"(?:regrade )?({NUMBER}) ?[:.–—-]? (\S.*)|(?:regrade )?({NUMBER})[:–—-](\S.*)", re.IGNORECASE
)
IN_CELL = re.compile(rf"regrade(?: ({NUMBER}))? ?[:–—-] ?(\S.*)", re.IGNORECASE)
# Characters of a request that are kept, bytes of a file, and how many requests of one submission.
LONGEST, LONGEST_FILE, MOST = 1_000, 1_000_000, 30
ANSWERS = Table(
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
class Request:
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


def requests(folder: Path, files: Iterable[Path], student: str, assignment: str) -> list[Request]:
    """The requests of a submission. folder: what was handed in. files: the notebooks that are read."""
    found = chain(in_file(folder / FILE), *map(in_notebook, files))
    about = islice(dict.fromkeys((number, text[:LONGEST]) for number, text in found), MOST)
    return [Request(student, assignment, *one) for one in about]


def mentioned(folder: Path) -> bool:
    """Whether a notebook in a folder may hold a request."""
    try:
        return any(WORD in read(folder / name).lower() for name in notebooks(folder))
    except (OSError, Unreadable):
        return False


def lines(text: str) -> Iterator[str]:
    """The lines with something in them, with single blanks, and no longer than a request and its number."""
    for line in text.splitlines():
        # Without what no database takes.
        words = line[: 2 * LONGEST].replace("\0", "").encode(errors="replace").decode().split()
        if words:
            yield " ".join(words)


def in_file(path: Path) -> Iterator[tuple[str, str]]:
    try:
        text = read(path, LONGEST_FILE).decode("utf-8-sig", errors="replace")
    except (OSError, Unreadable):
        return
    for line in islice(lines(text), 2 * MOST):
        known = IN_FILE.fullmatch(line)
        yield (known[1] or known[3], known[2] or known[4]) if known else ("", line)


def in_notebook(path: Path) -> Iterator[tuple[str, str]]:
    """The requests in text cells that are the student's."""
    number = ""
    try:
        raw = read(path)
        # To read a notebook takes long, and few hold one.
        cells = notebook_in(raw).cells if WORD in raw.lower() else []
    except Exception:
        # What was handed in is of any kind; grading says what is wrong with it.
        return
    for cell in cells:
        source = cell.get("source")
        if cell.get("cell_type") != "markdown" or not isinstance(source, str):
            continue
        headings = HEADING.findall(source)
        number = headings[-1][0] if headings else number
        for line in lines(source) if not name_of(cell) else ():
            known = IN_CELL.fullmatch(line)
            if known:
                yield known[1] or number, known[2]


@dataclass(frozen=True)
class Reply:
    """What a reader answered, and when, in UTC."""

    text: str
    reader: str
    at: datetime


def replies(connection: Connection, assignment: str, student: str | None = None) -> dict[str, Reply]:
    """The answers that were given, by the id of their request."""
    wanted = [ANSWERS.c.assignment == assignment, *([ANSWERS.c.student_id == student] if student else [])]
    return {row.id: Reply(row.answer, row.reader, row.at) for row in rows(connection, ANSWERS, *wanted)}


def reply(connection: Connection, request: Request, text: str, reader: str) -> None:
    """Answer a request, anew if it was answered before; without a text, take the answer back."""
    if not text:
        ANSWERS.create(connection, checkfirst=True)
        connection.execute(delete(ANSWERS).where(ANSWERS.c.id == request.id))
    else:
        about = {"id": request.id, "student_id": request.student, "assignment": request.assignment}
        said = {"request": request.text, "answer": text, "reader": reader}
        at = datetime.now(UTC).replace(tzinfo=None)
        keep(connection, ANSWERS, {**about, **said, "at": at})
