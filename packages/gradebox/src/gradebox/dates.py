"""Dates as people write them: ISO dates in a known time zone (`c.Dates`). Nothing is guessed."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from traitlets import Dict, TraitError, Unicode, validate
from traitlets.config import Config, Configurable

DATE = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d)[ T](?P<time>\d\d:\d\d(?::\d\d)?)(?P<fraction>\.\d{1,9})? ?"
    r"(?:(?P<utc>Z|UTC|GMT)|(?P<offset>[+-]\d\d)(?::?(?P<minutes>\d\d))?|(?P<zone>[A-Za-z]+(?:[/_+-]\w+)+)|(?P<short>[A-Z]{2,5}))?",
    re.ASCII,
)
EXAMPLE = "2026-10-16 23:59"


class AmbiguousZoneError(ValueError):
    """Error for an abbreviation of a time zone that is not the course's."""


class Dates(Configurable):
    """The time zone of a course, in which dates are read and shown, and the due dates of its assignments."""

    timezone = Unicode(
        "UTC", help="The course's time zone, such as 'Europe/Berlin', for due dates and extensions."
    ).tag(config=True)
    due = Dict(
        value_trait=Unicode(),
        key_trait=Unicode(),
        help="Due dates by assignment, such as {'ps1': '2026-10-16 23:59'}.",
    ).tag(config=True)

    @validate("timezone")
    def _check_timezone(self, proposal):
        if find_zone(proposal["value"]) is None:
            raise TraitError(
                f"Dates.timezone must be the name of a time zone such as 'Europe/Berlin', "
                f"not {proposal['value']!r}"
            )
        return proposal["value"]

    @validate("due")
    def _check_due(self, proposal):
        for assignment, text in proposal["value"].items():
            try:
                self.parse(text)
            except ValueError as error:
                raise TraitError(f"Dates.due of {assignment!r}: {error}") from None
        return proposal["value"]

    def parse(self, text: str) -> datetime:
        """Return a date as naive UTC. Raises ValueError with the reason."""
        return parse_iso_date(text, self.timezone)

    def localize(self, when: datetime) -> datetime:
        """Return a date in naive UTC as a date in the course's time zone."""
        return when.replace(tzinfo=UTC).astimezone(ZoneInfo(self.timezone))

    def describe(self, when: datetime) -> str:
        """Describe a date in naive UTC, in the course's time zone and in UTC."""
        if self.timezone == "UTC":
            return f"{when:%a %d %b %Y, %H:%M} UTC"
        here = self.localize(when)
        day = f"{when:%a %d %b, }" if when.date() != here.date() else ""
        return f"{here:%a %d %b %Y, %H:%M} {self.timezone} = {day}{when:%H:%M} UTC"


def find_timestamp_zone(config: Config) -> str:
    """Return the time zone whose abbreviations `timestamp.txt` may have: the exchange's, or the course's."""
    return str(config.Exchange.get("timezone") or Dates(config=config).timezone)


def find_zone(name: str) -> ZoneInfo | None:
    """Return the time zone with a name of the IANA database, or None."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return None


def parse_iso_date(text: str, timezone: str | None = "UTC") -> datetime:
    """Return a date as naive UTC. Raises ValueError with the reason.

    text: an ISO date with a time, and with "UTC", an offset or the name of a time zone after it, or none. An
    abbreviation such as CEST counts only if it is that of `timezone` on this date, since most are ambiguous.
    timezone: that of a date without one; None for UTC, and to accept any abbreviation.
    """
    found = DATE.fullmatch(text.strip())
    if not found:
        raise ValueError(f"{text!r} is not a date: write {EXAMPLE}, with year, month and day in this order")
    try:
        try:
            # Gradescope writes nine decimal places.
            local = datetime.fromisoformat(f"{found['date']} {found['time']}")
            local += timedelta(seconds=float(found["fraction"] or 0))
        except ValueError as error:
            raise ValueError(f"{text!r} is not a date: {error}") from None
        if found["offset"]:
            ahead = timedelta(hours=int(found["offset"][1:]), minutes=int(found["minutes"] or 0))
            return local - (ahead if found["offset"][0] == "+" else -ahead)
        if found["utc"] or timezone is None and not found["zone"]:
            return local
        zone = find_zone(found["zone"] or timezone or "UTC")
        if zone is None:
            raise ValueError(f"{found['zone']!r} is not a time zone: write one such as Europe/Berlin")
        return to_utc(local, zone, found["short"])
    except OverflowError:
        raise ValueError(f"{text!r} is not a date: out of range") from None


def to_utc(local: datetime, zone: ZoneInfo, abbreviation: str | None = None) -> datetime:
    """Return a time of a zone as naive UTC. Raises ValueError if it does not exist, or exists twice.

    abbreviation: the abbreviation that the zone must have then. It distinguishes the two times of an hour
    that exists twice.
    """
    both = [local.replace(tzinfo=zone, fold=fold) for fold in (0, 1)]
    fits = [one for one in both if abbreviation in (None, one.tzname())]
    if not fits:
        raise AmbiguousZoneError(
            f"the time zone {abbreviation}, which is ambiguous: write an offset such as +02:00, "
            "or a name such as Europe/Berlin"
        )
    times = {one.astimezone(UTC).replace(tzinfo=None) for one in fits}
    back = fits[0].astimezone(UTC).astimezone(zone).replace(tzinfo=None)
    if back != local:
        raise ValueError(
            f"{local:%Y-%m-%d %H:%M} does not exist in {zone}: the clocks go forward; write another time"
        )
    if len(times) > 1:
        raise ValueError(
            f"{local:%Y-%m-%d %H:%M} exists twice in {zone}, since the clocks go back: "
            "write an offset such as +01:00"
        )
    return times.pop()
