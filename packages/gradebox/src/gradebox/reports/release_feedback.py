"""Release feedback through nbgrader's exchange to the students who submitted through the exchange.

The exchange identifies a submission by a secret that `nbgrader submit` writes next to the notebook. Stock
nbgrader stops at the first page without a secret (of an example student, or of a submission from a learning
platform), and all later students get no feedback.
"""

import re
from collections.abc import Iterator
from glob import glob
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseFeedback

from gradebox.printable_text import format_file_name

# Files that the exchange writes next to a submitted notebook.
EXCHANGE_FILES = ("timestamp.txt", "submission_secret.txt")
SKIPPED_MESSAGE = (
    "No feedback is released through the exchange for {}: their work was not submitted through the exchange "
    "(no {} next to the page)"
)


class ReleaseFeedback(ExchangeReleaseFeedback):
    """nbgrader's `release_feedback`, which skips students who did not submit through the exchange."""

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
            # Formgrader's next request uses the same object.
            directory.student_id_exclude = excluded

    def pages(self) -> Iterator[tuple[str, Path]]:
        """Yield each student with a page for this assignment, and the folder of the page."""
        directory = self.coursedir
        pattern = directory.format_path(
            directory.feedback_directory, "(?P<student>.*)", directory.assignment_id, escape=True
        )
        for folder in glob(self.src_path):
            found = re.fullmatch(pattern, folder)
            if found and any(Path(folder).glob("*.html")):
                yield found["student"], Path(folder)


def came_through_exchange(folder: Path) -> bool:
    """Return True if the submission of this feedback folder came through the exchange."""
    try:
        # A student can write anything into the secret, including invalid UTF-8.
        return all((folder / name).read_text().strip() for name in EXCHANGE_FILES)
    except (OSError, UnicodeDecodeError):
        return False
