"""Results of `gradebox collect`, one for each file of a download."""

from dataclasses import dataclass
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
# Beginnings of remarks that need no action for the file itself, and the line about the students.
# A submission of an earlier download, which this one no longer contains: also the result.
WITHDRAWN = "not in the download"
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
    WITHDRAWN: "Collected before, but not in this download: {}. Submissions and grades stay.",
    LATE: f"Late, but without a time, so that no late penalty applies; {SET_TIME}.",
}
# The student of a file whose owner is not known.
UNKNOWN_OWNER = "?"


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
