"""Parse the dates that Moodle writes into grading worksheets, in the language of the teacher."""

import re
import unicodedata
from datetime import UTC, datetime
from functools import cache
from zoneinfo import ZoneInfo

# The names of months in these languages never contradict each other.
LOCALES = ("en", "de", "de_AT", "fr", "es", "it", "nl", "pt")
# After lower-casing. Examples: "freitag, 16. oktober 2026, 23:59", "viernes, 16 de octubre de 2026, 23:59",
# "sexta-feira, 16 de outubro de 2026 às 23:59", "friday, october 16, 2026, 11:59 pm".
DATE = re.compile(
    r"\b(?:(?P<day>\d{1,2})\.? (?:de )?(?P<month>[^\W\d_]+)\.?|(?P<first>[^\W\d_]+)\.? (?P<second>\d{1,2}))"
    r",? (?:de )?(?P<year>\d{4}),? (?:às )?(?P<hour>\d{1,2}):(?P<minute>\d\d)(?: (?P<half>[ap])\.? ?m\.?)?"
)


def parse_moodle_date(text: str, zone: ZoneInfo) -> datetime | None:
    """Return a date of a worksheet as naive UTC, or None if the text can't be parsed.

    zone: the time zone of the user who downloaded the worksheet.
    """
    # Non-breaking spaces become plain ones.
    found = DATE.search(" ".join(unicodedata.normalize("NFKC", text).casefold().split()))
    month = list_months().get(found["month"] or found["first"]) if found else None
    if not found or not month:
        return None
    hour = int(found["hour"])
    if found["half"] and hour <= 12:
        hour = hour % 12 + (12 if found["half"] == "p" else 0)
    day, year, minute = int(found["day"] or found["second"]), int(found["year"]), int(found["minute"])
    try:
        local = datetime(year, month, day, hour, minute, tzinfo=zone)
        return local.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        return None


@cache
def list_months() -> dict[str, int]:
    """Return the numbers of the months by their names and abbreviations, in lower case and without dots."""
    from babel.dates import get_month_names

    return {
        name.casefold().rstrip("."): number
        for locale in LOCALES
        for width in ("wide", "abbreviated")
        for number, name in get_month_names(width, "format", locale).items()
    }
