"""Moodle's grading worksheet: the owners and times of submissions, which Moodle's archives do not contain."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from nbgrader.utils import parse_utc

from gradebox.course import CourseError
from gradebox.csv_table import read_csv_table
from gradebox.dates import find_zone
from gradebox.lms.filename_patterns import parse_participant_number


@dataclass(frozen=True)
class WorksheetRow:
    """A student's row of the worksheet.

    received: the time of the last change of the submission, in UTC; None if the time can't be parsed. said:
    the time as Moodle wrote it; empty without a submission.
    """

    id: str
    email: str
    received: datetime | None
    said: str


def read_worksheet(path: Path, zone: str) -> dict[str, WorksheetRow]:
    """Return the rows of a worksheet, by Moodle's number of the student.

    zone: the time zone of the user who downloaded the worksheet, such as Europe/Berlin. Raises CourseError if
    the file is not a worksheet, or the time zone is unknown.
    """
    sheet = read_csv_table(path)
    headings = "Identifier", "Last modified (submission)"
    number, when = sheet.require_columns(path, "Moodle grading worksheet in English", *headings)
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


def parse_time_zone(name: str) -> ZoneInfo:
    found = find_zone(name)
    if found is None:
        raise CourseError(f"unknown time zone {name!r}: expected a name such as Europe/Berlin")
    return found


def parse_moodle_date(said: str, zone: ZoneInfo) -> datetime | None:
    """Parse a date in Moodle's English format, such as "Tuesday, 3 March 2026, 2:05 PM"."""
    try:
        found = parse_utc(said) if said else None
    except (ValueError, OverflowError):
        return None
    return found and found.replace(tzinfo=zone).astimezone(UTC).replace(tzinfo=None)
