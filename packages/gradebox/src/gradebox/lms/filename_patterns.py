"""File name patterns of learning platforms, to find the owner of each file of a download.

The patterns are those of the platforms' own sources, which `docs/lms.md` names and quotes.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from gradebox.lms.canvas_file_names import match_canvas_name
from gradebox.lms.download_archive import DownloadEntry
from gradebox.lms.download_paths import DownloadPath
from gradebox.safe_submission_files import TIMESTAMP


@dataclass(frozen=True)
class DownloadOwner:
    """A student as identified by a platform's download; unknown fields are empty."""

    name: str = ""
    id: str = ""
    email: str = ""


@dataclass(frozen=True)
class DownloadedFile:
    """A file of a download with the platform's metadata.

    owners: the student, or all members of a group. number: the platform's number of the student or of the
    submission. file: the student's own file name. place: the path in the student's submission, with slashes.
    problem: the reason why the owner is unclear, or "".
    archive: the archive of the download that contains the file, or None. typed: True for a text or a link
    that was typed into a form. late: True if the name marks the file as late. received: the time of
    submission, in UTC. order: larger for later uploads of the same student. unread: a time that can't be
    parsed, as text.
    """

    entry: DownloadEntry
    owners: tuple[DownloadOwner, ...]
    number: str | None = None
    file: str = ""
    place: str = ""
    archive: DownloadEntry | None = None
    typed: bool = False
    late: bool = False
    received: datetime | None = None
    order: int = 0
    unread: str = ""
    problem: str = ""

    @property
    def shown_name(self) -> str:
        """Return the student's own name of the file, or else the name in the download."""
        return self.file or self.entry.name


# Moodle: the number is the student's in this assignment, or a group's; students without a group have none.
MOODLE_PATH = re.compile(
    r"(?P<who>[^/_]*)(?:_(?P<number>\d{1,30}))?_assignsubmission_(?P<plugin>[a-z0-9]+)(?:_?/|_)(?P<file>.*)",
    re.DOTALL,
)
# Files that nbgrader stores beside a notebook.
NBGRADER_FILES = {TIMESTAMP, "submission_secret.txt"}


def parse_canvas_download(paths: Iterable[DownloadPath]) -> Iterator[DownloadedFile]:
    """Find the owners of the files of Canvas's *Download submissions*."""
    for path in paths:
        named = match_canvas_path(path)
        if not named:
            yield DownloadedFile(path.entry, ())
            continue
        said = named.groupdict()
        owner = DownloadOwner(said.get("who") or f"anon_{said['number']}")
        file = said["file"] or path.entry.name
        yield DownloadedFile(
            *(path.entry, (owner,), said["number"], file, file),
            typed=bool(said["kind"]),
            late=bool(said["late"]),
            order=int(said["order"] or 0),
        )


def match_canvas_path(path: DownloadPath) -> re.Match[str] | None:
    """Match a path in a download. Canvas's files are in no folder but those that contain all files."""
    return None if path.in_folder else match_canvas_name(path.entry.name)


def parse_moodle_download(paths: Iterable[DownloadPath]) -> Iterator[DownloadedFile]:
    """Find the owners of the files of Moodle's *Download all submissions*."""
    for path in paths:
        named = match_moodle_path(path)
        if not named:
            yield DownloadedFile(path.entry, ())
            continue
        owner = DownloadOwner(named["who"].strip())
        file = PurePosixPath(named["file"]).name
        yield DownloadedFile(
            *(path.entry, (owner,), named["number"], file, named["file"]), typed=named["plugin"] != "file"
        )


def match_moodle_path(path: DownloadPath) -> re.Match[str] | None:
    """Match the part of a path that Moodle has written, and the path below."""
    matches = (MOODLE_PATH.fullmatch("/".join(path.parts[index:])) for index in path.outer_indices)
    return next(filter(None, matches), None)


def parse_participant_number(text: str) -> str:
    """Return Moodle's number of a student: the digits at the end of "Participant 12345", in any language."""
    return "".join(re.findall(r"\d+$", text))
