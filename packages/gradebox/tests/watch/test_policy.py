"""When `gradebox watch` releases feedback."""

from datetime import datetime

import pytest
from traitlets import TraitError
from traitlets.config import Config

from gradebox.dates import Dates
from gradebox.watch.feedback_policy import Watch, find_delay

NOW = datetime(2026, 10, 24, 21, 30)
BERLIN = Dates(timezone="Europe/Berlin")


def delay(due: datetime | None = None, tries: int = 0, **settings):
    return find_delay(Watch(**settings), BERLIN, NOW, due, tries)


def test_by_default_all_feedback_is_released_at_once():
    assert delay(due=datetime(2027, 1, 1), tries=100) is None


def test_after_the_tries_of_a_day_feedback_waits_until_midnight_of_the_course():
    assert delay(tries=2, tries_per_day=3) is None
    # In Berlin, it is 23:30.
    assert delay(tries=3, tries_per_day=3).until == datetime(2026, 10, 24, 22, 0)
    # The clocks have gone back.
    later = find_delay(Watch(tries_per_day=1), BERLIN, datetime(2026, 10, 25, 12, 0), None, 1)
    assert later.until == datetime(2026, 10, 25, 23, 0)


def test_feedback_waits_for_the_due_date_and_for_one_to_be_set():
    due = datetime(2026, 10, 24, 21, 31)
    assert delay(due=due, after_due_date=True).until == due
    assert delay(due=NOW, after_due_date=True) is None
    unset = delay(after_due_date=True)
    assert unset and unset.until is None


@pytest.mark.parametrize("setting", [{"feedback": "all"}, {"tries_per_day": -1}])
def test_invalid_settings_are_refused(setting):
    with pytest.raises(TraitError):
        Watch(config=Config(Watch=Config(setting)))
