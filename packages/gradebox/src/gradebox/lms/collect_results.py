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


@dataclass(frozen=True)
class CollectResult:
    """Result of the import of a file, or of a student's files of a notebook.

    file: the path in the download. problem: True if an instructor has to act. what: IMPORTED, UNCHANGED,
    EXISTING_KEPT (a different file already exists), REPLACED, NOT_IMPORTED, or LEFT_OUT (an HTML or PDF
    version of a notebook). beside: True for a file beside a notebook.
    """

    student: str
    assignment: str
    what: str
    file: str
    received: datetime | None = None
    remarks: tuple[str, ...] = ()
    problem: bool = False
    beside: bool = False


def refuse_file(student: str, one: DownloadedFile, why: str) -> CollectResult:
    """Return the result for a file that is not imported, which an instructor has to look at."""
    late = ("marked as late",) if one.late else ()
    return CollectResult(student, "", NOT_IMPORTED, one.entry.path, one.received, (why, *late), True)
