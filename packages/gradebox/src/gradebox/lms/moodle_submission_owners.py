"""Moodle's grading worksheet: the owners and times of submissions, which Moodle's archives do not contain."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from gradebox.course import CourseError
from gradebox.csv_table import ID_HEADINGS, read_csv_table
from gradebox.dates import find_zone
from gradebox.lms.filename_patterns import parse_participant_number
from gradebox.lms.moodle_dates import parse_moodle_date
from gradebox.lms.moodle_worksheet_columns import find_worksheet_columns

EXAMPLES = {"number": "Identifier", "submitted": "Last modified (submission)"}
# A student has a different number in each assignment.
OTHER_WORKSHEET = "it belongs to another assignment"


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


def read_worksheet(
    path: Path, zone: str, columns: Mapping[str, str] | None = None
) -> dict[str, WorksheetRow]:
    """Return the rows of a worksheet, by Moodle's number of the student.

    zone: the time zone of the user who downloaded the worksheet, such as Europe/Berlin. columns: the headings
    of "number" and "submitted", if they are in an unknown language. Raises CourseError if the file is not a
    worksheet, or the time zone is unknown.
    """
    sheet = read_csv_table(path)
    chosen = columns or {}
    unknown = chosen.keys() - EXAMPLES.keys()
    if unknown:
        raise CourseError(f"--column takes {' and '.join(EXAMPLES)}, not {min(unknown)}")
    places = find_worksheet_columns(path, sheet, tuple(EXAMPLES), chosen, EXAMPLES)
    here = parse_time_zone(zone)
    own, email = sheet.column(ID_HEADINGS), sheet.email_column()
    # Older packs for Portuguese have the heading of students' ids for the participants' numbers.
    own = None if own == places["number"] else own
    found = {}
    for row in sheet.rows[1:]:
        said = sheet.cell(row, places["submitted"])
        said = "" if said == "-" else said
        key = parse_participant_number(sheet.cell(row, places["number"]))
        found[key] = WorksheetRow(
            sheet.cell(row, own), sheet.cell(row, email), parse_moodle_date(said, here), said
        )
    return found


def parse_time_zone(name: str) -> ZoneInfo:
    found = find_zone(name)
    if found is None:
        raise CourseError(f"unknown time zone {name!r}: expected a name such as Europe/Berlin")
    return found
