"""A date is read in one way, or refused with the reason."""

from datetime import datetime

import pytest

from gradebox.dates import Dates, find_timestamp_zone, parse_iso_date

READ = {
    "2026-10-16 23:59": "2026-10-16 21:59",
    "2026-10-16T23:59:30": "2026-10-16 21:59:30",
    "2026-12-16 23:59": "2026-12-16 22:59",
    "2026-10-16 23:59 UTC": "2026-10-16 23:59",
    "2026-10-16 23:59Z": "2026-10-16 23:59",
    "2026-10-16 23:59 +02:00": "2026-10-16 21:59",
    "2026-10-16 23:59 +0200": "2026-10-16 21:59",
    # As Python writes zones without an abbreviation.
    "2026-10-16 23:59 +02": "2026-10-16 21:59",
    "2026-10-16 23:59 -03": "2026-10-17 02:59",
    "2026-10-16 23:59:00.123456 -0330": "2026-10-17 03:29:00.123456",
    "2026-10-16 23:59 America/New_York": "2026-10-17 03:59",
    # The abbreviation of the course's zone on that date.
    "2026-10-16 23:59 CEST": "2026-10-16 21:59",
    "2026-12-16 23:59 CET": "2026-12-16 22:59",
    # It tells apart what exists twice.
    "2026-10-25 02:30 CEST": "2026-10-25 00:30",
    "2026-10-25 02:30 CET": "2026-10-25 01:30",
}
REFUSED = {
    "": "is not a date",
    "2026-10-16": "is not a date: write 2026-10-16 23:59",
    "05.11.2026 12:00": "year, month and day in this order",
    "10/11/2026 12:00": "year, month and day in this order",
    "2026-13-01 12:00": "month must be in 1..12",
    "2026-02-30 12:00": "day",
    "2026-10-16 24:00": "hour must be in 0..23",
    "2026-10-16 23:59 PST": "the time zone PST, which is ambiguous",
    "2026-10-16 23:59 CET": "the time zone CET, which is ambiguous",
    "2026-10-16 23:59 Europe/Nowhere": "'Europe/Nowhere' is not a time zone",
    "2026-10-25 02:30": "exists twice in Europe/Berlin",
    "2026-03-29 02:30": "does not exist in Europe/Berlin",
    "0001-01-01 00:00 +10:00": "out of range",
    "2026-10-16 23:59 ../etc/passwd": "is not a date",
}


@pytest.mark.parametrize("text", READ)
def test_a_date_is_read_in_the_zone_of_the_course(text):
    found = Dates(timezone="Europe/Berlin").parse(text)
    assert found == datetime.fromisoformat(READ[text])


@pytest.mark.parametrize("text", REFUSED)
def test_what_could_be_read_in_two_ways_is_refused(text):
    with pytest.raises(ValueError) as refused:
        Dates(timezone="Europe/Berlin").parse(text)
    assert REFUSED[text] in str(refused.value)


def test_an_exchange_may_write_the_abbreviation_of_its_zone():
    from traitlets.config import Config

    config = Config()
    assert find_timestamp_zone(config) == "UTC"
    config.Dates.timezone = "Europe/Berlin"
    assert find_timestamp_zone(config) == "Europe/Berlin"
    config.Exchange.timezone = "America/Los_Angeles"
    found = parse_iso_date("2026-01-16 23:59:00.123456 PST", find_timestamp_zone(config))
    assert found == datetime(2026, 1, 17, 7, 59, 0, 123456)
