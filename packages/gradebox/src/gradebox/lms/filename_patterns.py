"""File name patterns of learning platforms, to find the owner of each file of a download.

The patterns are those of the platforms' own sources, which `docs/lms.md` names and quotes.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath

import yaml

from gradebox.course import CourseError
from gradebox.lms.download_archive import DownloadEntry
from gradebox.safe_submission_files import TIMESTAMP, UnreadableSubmissionError, parse_timestamp


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


# Canvas: older versions write the fixed words in lower case. In anonymous names, the mark LATE_ comes first.
CANVAS_FILE_NAME = re.compile(
    r"(?P<who>[^/]*?)(?P<late>_late)?_(?P<number>\d{1,30})_(?:(?P<order>\d{1,30})_(?P<file>[^/]+)|(?P<kind>text|link)\.html)",
    re.IGNORECASE,
)
ANONYMOUS_CANVAS_FILE_NAME = re.compile(
    r"(?P<late>LATE_)?anon_(?P<number>[1-9A-HJ-NP-Za-km-z]{5})_(?:(?P<order>\d{1,30})_(?P<file>[^/]+)|(?P<kind>text|link)\.html)"
)
# Moodle: the number is the student's in this assignment, or a group's; students without a group have none.
MOODLE_PATH = re.compile(
    r"(?P<who>[^/_]*)(?:_(?P<number>\d{1,30}))?_assignsubmission_(?P<plugin>[a-z0-9]+)(?:_?/|_)(?P<file>.*)",
    re.DOTALL,
)
GRADESCOPE_METADATA_FILE = "submission_metadata.yml"
# Files that nbgrader stores beside a notebook.
NBGRADER_FILES = {TIMESTAMP, "submission_secret.txt"}


def match_canvas_name(name: str) -> re.Match[str] | None:
    """Match a file name against Canvas's patterns. Return None if neither pattern matches."""
    return ANONYMOUS_CANVAS_FILE_NAME.fullmatch(name) or CANVAS_FILE_NAME.fullmatch(name)


def parse_canvas_download(entries: Iterable[DownloadEntry]) -> dict[str, DownloadedFile]:
    """Parse the files of Canvas's *Download submissions*. Return the matching files by path."""
    found = {}
    for entry in entries:
        named = match_canvas_name(entry.name)
        if not named:
            continue
        said = named.groupdict()
        owner = DownloadOwner(said.get("who") or f"anon_{said['number']}")
        found[entry.path] = DownloadedFile(
            *(entry, (owner,), said["number"], said["file"] or entry.name, said["file"] or entry.name),
            typed=bool(said["kind"]),
            late=bool(said["late"]),
            order=int(said["order"] or 0),
        )
    return found


def parse_moodle_download(entries: Iterable[DownloadEntry]) -> dict[str, DownloadedFile]:
    """Parse the files of Moodle's *Download all submissions*. Return the matching files by path."""
    found = {}
    for entry in entries:
        parts = PurePosixPath(entry.path).parts
        start = next((n for n, part in enumerate(parts) if "_assignsubmission_" in part), None)
        named = MOODLE_PATH.fullmatch("/".join(parts[start:])) if start is not None else None
        if named:
            file = PurePosixPath(named["file"]).name
            owner = DownloadOwner(named["who"].strip())
            found[entry.path] = DownloadedFile(
                *(entry, (owner,), named["number"], file, named["file"]), typed=named["plugin"] != "file"
            )
    return found


def parse_gradescope_download(entries: Iterable[DownloadEntry]) -> dict[str, DownloadedFile]:
    """Parse the files of Gradescope's *Export submissions*. Return the matching files by path.

    Raises CourseError if Gradescope's list of submissions can't be read.
    """
    entries = list(entries)
    lists = [entry for entry in entries if entry.name == GRADESCOPE_METADATA_FILE]
    found = {}
    for one in lists:
        above = PurePosixPath(one.path).parent
        for folder, about in read_gradescope_metadata(one).items():
            owners = tuple(
                DownloadOwner(*(str(who.get(key) or "").strip() for key in (":name", ":sid", ":email")))
                for who in about.get(":submitters") or []
                if isinstance(who, dict)
            )
            received = about.get(":created_at")
            number = folder.removeprefix("submission_")
            where = f"{above / folder}/"
            for entry in entries:
                if entry.path.startswith(where):
                    when = to_naive_utc(received) if isinstance(received, datetime) else None
                    place = entry.path.removeprefix(where)
                    found[entry.path] = DownloadedFile(
                        entry, owners, number, entry.name, place, received=when
                    )
    return found


def read_gradescope_metadata(listed: DownloadEntry) -> dict[str, dict]:
    """Read Gradescope's list of submissions. Return the metadata of each folder.

    Raises CourseError if the list can't be read.
    """
    try:
        text = listed.read()
        # The list contains only times and plain values, so a safe loader is sufficient.
        content = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except UnreadableSubmissionError as error:
        raise CourseError(f"{listed.path} {error}") from None
    except (yaml.YAMLError, ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise CourseError(f"{listed.path} can't be read: not a Gradescope list of submissions")
    return {str(name): about for name, about in content.items() if isinstance(about, dict)}


def parse_participant_number(text: str) -> str:
    """Return Moodle's number of a student: the digits at the end of "Participant 12345", in any language."""
    return "".join(re.findall(r"\d+$", text))


def to_naive_utc(when: datetime) -> datetime:
    return when.astimezone(UTC).replace(tzinfo=None) if when.tzinfo else when


def parse_folder_download(
    entries: Iterable[DownloadEntry], is_student: Callable[[str], bool], assignments: Iterable[str]
) -> dict[str, DownloadedFile]:
    """Find the owners of files by the names of folders or files. Return the files by path.

    is_student: returns True for the name or id of a known student. assignments: names of assignments, which
    are not students' folders.
    """
    entries = list(entries)
    times = {
        str(PurePosixPath(e.path).parent): read_submission_time(e) for e in entries if e.name == TIMESTAMP
    }
    parents = {
        entry.path: [part for part in PurePosixPath(entry.path).parts[:-1] if part not in assignments]
        for entry in entries
    }
    # Ignore the folders that contain all files.
    around = len(os.path.commonprefix(list(parents.values())))
    found = {}
    for entry in entries:
        if entry.name in NBGRADER_FILES:
            continue
        path, above = PurePosixPath(entry.path), parents[entry.path]
        known = next((part for part in above if is_student(part)), None)
        if not known and is_student(path.stem):
            known = path.stem
        name = known or next(iter(above[around:] or above[-1:]), "")
        owners = (DownloadOwner(name=name, id=name),) if name else ()
        when = times.get(str(path.parent))
        start = path.parts.index(name) + 1 if name in path.parts[:-1] else len(path.parts) - 1
        place = "/".join(path.parts[start:])
        found[entry.path] = DownloadedFile(entry, owners, None, entry.name, place, received=when)
    return found


def read_submission_time(entry: DownloadEntry) -> datetime | None:
    """Return the time of submission in a timestamp.txt, in UTC; None if the file is not a date."""
    try:
        return parse_timestamp(entry.read())
    except UnreadableSubmissionError:
        return None


PLATFORMS: Mapping[str, Callable[[Iterable[DownloadEntry]], dict[str, DownloadedFile]]] = {
    "gradescope": parse_gradescope_download,
    "moodle": parse_moodle_download,
    "canvas": parse_canvas_download,
}
FOLDERS_PLATFORM = "folders"


def guess_platform(entries: list[DownloadEntry]) -> str:
    """Return the platform whose patterns match most files of a download, or "folders"."""
    if any(entry.name == GRADESCOPE_METADATA_FILE for entry in entries):
        return "gradescope"
    told = Counter({name: len(PLATFORMS[name](entries)) for name in ("moodle", "canvas")})
    name, count = told.most_common(1)[0]
    return name if count * 2 > len(entries) else FOLDERS_PLATFORM
