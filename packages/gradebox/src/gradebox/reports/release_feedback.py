"""Gives pages back through nbgrader's exchange to those whose work came through it.

The exchange knows a hand-in by a secret that `nbgrader submit` puts beside it. Stock nbgrader ends at the
first page without one (an example student's, or one whose work came from a learning platform), and who
comes after it gets nothing.
"""

import re
from collections.abc import Iterator
from glob import glob
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseFeedback

from gradebox.printable_text import format_file_name

# What the exchange puts beside a notebook that is handed in.
EXCHANGE_FILES = ("timestamp.txt", "submission_secret.txt")
SKIPPED_MESSAGE = (
    "No feedback is released through the exchange for {}: their work did not come through it (there is no {} "
    "beside it)"
)


class ReleaseFeedback(ExchangeReleaseFeedback):
    """nbgrader's `release_feedback`, for a course in which some have handed in by other ways."""

    def copy_files(self) -> None:
        directory = self.coursedir
        excluded = directory.student_id_exclude
        wanted = dict(self.pages())
        left_out = set(excluded.split(","))
        others = sorted(
            student for student in wanted.keys() - left_out if not came_through_exchange(wanted[student])
        )
        if others:
            self.log.warning(
                SKIPPED_MESSAGE.format(", ".join(map(format_file_name, others)), " and ".join(EXCHANGE_FILES))
            )
        directory.student_id_exclude = ",".join(filter(None, [excluded, *others]))
        try:
            super().copy_files()
        finally:
            # Formgrader's next request has the same object.
            directory.student_id_exclude = excluded

    def pages(self) -> Iterator[tuple[str, Path]]:
        """Each student who has a page for this assignment, and the folder it is in."""
        directory = self.coursedir
        pattern = directory.format_path(
            directory.feedback_directory, "(?P<student>.*)", directory.assignment_id, escape=True
        )
        for folder in glob(self.src_path):
            found = re.fullmatch(pattern, folder)
            if found and any(Path(folder).glob("*.html")):
                yield found["student"], Path(folder)


def came_through_exchange(folder: Path) -> bool:
    """Whether what this page is for came through the exchange, so that it can go back that way."""
    try:
        # A secret of their own may be anything.
        return all((folder / name).read_text().strip() for name in EXCHANGE_FILES)
    except (OSError, UnicodeDecodeError):
        return False
