"""People whose files `gradebox collect` leaves out without asking: Canvas's test student, and a setting."""

from collections.abc import Iterable

from traitlets import List, Unicode
from traitlets.config import Configurable

from gradebox.lms.collect_results import IGNORED, TEST_STUDENT
from gradebox.lms.filename_patterns import DownloadOwner
from gradebox.lms.match_students import normalize_name

# Canvas's name of the student in *Student View*, as in its tables. File names have it without the comma.
CANVAS_TEST_STUDENT = "Student, Test"


class Collect(Configurable):
    """Settings of `gradebox collect`."""

    ignored = List(
        Unicode(),
        help="People whose files are left out, such as guests: the names that `gradebox collect` prints. "
        "`gradebox roster` leaves them out, too, but not those who are students already.",
    ).tag(config=True)


def find_reason_to_ignore(owner: DownloadOwner, platform: str, ignored: Iterable[str]) -> str:
    """Return the remark about an owner whose files are left out; "" for any other. ignored: the setting."""
    if platform == "canvas" and normalize_name(owner.name) == normalize_name(CANVAS_TEST_STUDENT):
        return TEST_STUDENT
    return IGNORED if is_in_setting(owner, ignored) else ""


def is_in_setting(owner: DownloadOwner, ignored: Iterable[str]) -> bool:
    """Return True if the setting has the person's name, id or address."""
    own = {normalize_name(text) for text in (owner.name, owner.id, owner.email) if text}
    return not own.isdisjoint(map(normalize_name, ignored))
