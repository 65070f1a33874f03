"""What Moodle's grading worksheet tells of hand-ins, which its archives don't: who they are of, and when."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from nbgrader.utils import parse_utc

from gradebox.course import CourseError
from gradebox.lms.csv_table import read_csv_table
from gradebox.lms.filename_patterns import parse_participant_number


@dataclass(frozen=True)
class WorksheetRow:
    """What it says of one student.

    received: when their hand-in was last changed, in UTC; None if that can't be read. said: that in its own
    words; empty where nothing was handed in.
    """

    id: str
    email: str
    received: datetime | None
    said: str


def read_worksheet(path: Path, zone: str | None) -> dict[str, WorksheetRow]:
    """The lines of a worksheet, by Moodle's number of the student.

    zone: the time zone of whoever has downloaded it, such as Europe/Berlin; this machine's if not given.
    Raises CourseError if it is no worksheet.
    """
    sheet = read_csv_table(path)
    headings = "Identifier", "Last modified (submission)"
    number, when = sheet.require_columns(path, "grading worksheet of Moodle's in English", *headings)
    here = parse_time_zone(zone)
    own, email = sheet.column(["ID number", "Username"]), sheet.column(["Email address"])
    found = {}
    for row in sheet.rows[1:]:
        said = sheet.cell(row, when)
        said = "" if said == "-" else said
        key = parse_participant_number(sheet.cell(row, number))
        found[key] = WorksheetRow(
            sheet.cell(row, own), sheet.cell(row, email), parse_moodle_date(said, here), said
        )
    return found


def parse_time_zone(name: str | None) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, KeyError):
        raise CourseError(f"there is no time zone {name!r}, such as Europe/Berlin") from None


def parse_moodle_date(said: str, zone: ZoneInfo | None) -> datetime | None:
    """A date as Moodle writes it in English: "Tuesday, 3 March 2026, 2:05 PM"."""
    try:
        found = parse_utc(said) if said else None
    except (ValueError, OverflowError):
        return None
    # Without a zone, it is this machine's.
    return found and found.replace(tzinfo=zone).astimezone(UTC).replace(tzinfo=None)
