"""Results of `gradebox collect`, one for each file of a download."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from gradebox.lms.filename_patterns import DownloadedFile

IMPORTED, UNCHANGED, EXISTING_KEPT, REPLACED, NOT_IMPORTED, LEFT_OUT = (
    "taken",
    "as it was",
    "kept",
    "replaced",
    "not taken",
    "left out",
)
# A submission of an earlier download, which this one no longer contains.
WITHDRAWN = "not in the download"

# Beginnings of remarks that need no action for the file itself, and the line about the students.
NEW_STUDENT = "not in the gradebook until now"
WITHOUT_ACCENTS = "matched by the name without accents"
UNKNOWN_TIME = "the submission time can't be parsed"
LATE = "late, but without a time"
TEST_STUDENT = "Canvas's test student"
IGNORED = "in c.Collect.ignored"
FORGOTTEN = "removed with `gradebox forget`"
SET_TIME = 'set the time with `gradebox due LESSON "2026-10-17 09:00" --student ID --received`: {}'
NOTES = {
    NEW_STUDENT: "New in the gradebook: {}.",
    WITHOUT_ACCENTS: "Matched by the name without accents: {}.",
    UNKNOWN_TIME: f"The submission time can't be parsed, and no late penalty applies; {SET_TIME}.",
    TEST_STUDENT: "Left out: Canvas's test student.",
    IGNORED: "Left out, because of c.Collect.ignored: {}.",
    FORGOTTEN: "Left out, because of `gradebox forget`: {}. "
    "`gradebox forget ID --readmit` lets a student in again.",
    LATE: f"Late, but without a time, so that no late penalty applies; {SET_TIME}.",
}
# The student of a file whose owner is not known.
UNKNOWN_OWNER = "?"
# The number of files of a student with the same result that are listed one by one.
MAX_EQUAL_RESULTS = 5


@dataclass(frozen=True)
class CollectResult:
    """Result of the import of a file, or of a student's files of a notebook.

    file: the path in the download. name: the student's own name of the file. problem: True if an
    instructor has to act. what: IMPORTED, UNCHANGED, EXISTING_KEPT (a different file already exists),
    REPLACED, NOT_IMPORTED, LEFT_OUT (an HTML or PDF version of a notebook, or a file of a person who is
    ignored or forgotten), or WITHDRAWN (without a file).
    beside: True for a file beside a notebook.
    """

    student: str
    assignment: str
    what: str
    file: str
    name: str
    received: datetime | None = None
    remarks: tuple[str, ...] = ()
    problem: bool = False
    beside: bool = False


def refuse_file(student: str, one: DownloadedFile, why: str) -> CollectResult:
    """Return the result for a file that is not imported, which an instructor has to look at."""
    late = ("marked as late",) if one.late else ()
    return CollectResult(
        student, "", NOT_IMPORTED, one.entry.path, one.shown_name, one.received, (why, *late), True
    )


def shorten_results(rows: Iterable[CollectResult]) -> Iterator[CollectResult]:
    """Yield the first results of a student with the same remarks, and the number of further ones in the last.

    A submission with thousands of files then needs only some rows of a table.
    """
    rows = list(rows)

    def get_kind(row: CollectResult) -> CollectResult:
        return replace(row, file="", name="", received=None)

    counts, seen = Counter(map(get_kind, rows)), Counter[CollectResult]()
    for row in rows:
        kind = get_kind(row)
        seen[kind] += 1
        more = counts[kind] - MAX_EQUAL_RESULTS
        if seen[kind] == MAX_EQUAL_RESULTS and more > 0:
            yield replace(row, remarks=(*row.remarks, f"and {more:,} more files"))
        elif seen[kind] <= MAX_EQUAL_RESULTS:
            yield row
