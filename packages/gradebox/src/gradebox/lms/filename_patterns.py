"""Whose a file of a download is, as each learning platform says it in names.

The patterns are those of the platforms' own sources; `docs/lms.md` says which, and quotes them.
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
from gradebox.submission_files import TIMESTAMP, UnreadableSubmissionError, parse_timestamp


@dataclass(frozen=True)
class DownloadOwner:
    """A student as a platform's download has them; what it doesn't say is empty."""

    name: str = ""
    id: str = ""
    email: str = ""


@dataclass(frozen=True)
class DownloadedFile:
    """What a platform says of a file.

    owners: one, or all of a group. number: the platform's of the student or of the submission. file: its name
    as the student gave it. typed: whether it is a text or a link that was typed into a form. late: whether it
    is called that. received: when it was handed in, in UTC. order: is larger for what the same student
    uploaded later. unread: a time that can't be read.
    """

    entry: DownloadEntry
    owners: tuple[DownloadOwner, ...]
    number: str | None = None
    file: str = ""
    typed: bool = False
    late: bool = False
    received: datetime | None = None
    order: int = 0
    unread: str = ""


# Canvas: the words of an older version are in small letters, and anonymous names have the mark in front.
CANVAS_FILE_NAME = re.compile(
    r"(?P<who>[^/]*?)(?P<late>_late)?_(?P<number>\d{1,30})_(?:(?P<order>\d{1,30})_(?P<file>[^/]+)|(?P<kind>text|link)\.html)",
    re.IGNORECASE,
)
ANONYMOUS_CANVAS_FILE_NAME = re.compile(
    r"(?P<late>LATE_)?anon_(?P<number>[1-9A-HJ-NP-Za-km-z]{5})_(?:(?P<order>\d{1,30})_(?P<file>[^/]+)|(?P<kind>text|link)\.html)"
)
# Moodle: the number is the student's in this assignment, or a group's; who is in no group has none.
MOODLE_PATH = re.compile(
    r"(?P<who>[^/_]*)(?:_(?P<number>\d{1,30}))?_assignsubmission_(?P<plugin>[a-z0-9]+)(?:_?/|_)(?P<file>.*)",
    re.DOTALL,
)
GRADESCOPE_METADATA_FILE = "submission_metadata.yml"
# What nbgrader keeps beside a notebook.
NBGRADER_FILES = {TIMESTAMP, "submission_secret.txt"}


def match_canvas_name(name: str) -> re.Match[str] | None:
    """What Canvas says in the name of a file, if it is one of its names."""
    return ANONYMOUS_CANVAS_FILE_NAME.fullmatch(name) or CANVAS_FILE_NAME.fullmatch(name)


def parse_canvas_download(entries: Iterable[DownloadEntry]) -> dict[str, DownloadedFile]:
    """What Canvas's *Download submissions* says of each file, by its path."""
    found = {}
    for entry in entries:
        named = match_canvas_name(entry.name)
        if not named:
            continue
        said = named.groupdict()
        owner = DownloadOwner(said.get("who") or f"anon_{said['number']}")
        found[entry.path] = DownloadedFile(
            *(entry, (owner,), said["number"], said["file"] or entry.name),
            typed=bool(said["kind"]),
            late=bool(said["late"]),
            order=int(said["order"] or 0),
        )
    return found


def parse_moodle_download(entries: Iterable[DownloadEntry]) -> dict[str, DownloadedFile]:
    """What Moodle's *Download all submissions* says of each file, by its path."""
    found = {}
    for entry in entries:
        parts = PurePosixPath(entry.path).parts
        start = next((n for n, part in enumerate(parts) if "_assignsubmission_" in part), None)
        named = MOODLE_PATH.fullmatch("/".join(parts[start:])) if start is not None else None
        if named:
            file = PurePosixPath(named["file"]).name
            owner = DownloadOwner(named["who"].strip())
            found[entry.path] = DownloadedFile(
                entry, (owner,), named["number"], file, named["plugin"] != "file"
            )
    return found


def parse_gradescope_download(entries: Iterable[DownloadEntry]) -> dict[str, DownloadedFile]:
    """What Gradescope's *Export submissions* says of each file, by its path. Raises CourseError."""
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
                    found[entry.path] = DownloadedFile(entry, owners, number, entry.name, received=when)
    return found


def read_gradescope_metadata(listed: DownloadEntry) -> dict[str, dict]:
    """What Gradescope's list of submissions says of each folder. Raises CourseError."""
    try:
        text = listed.read()
        # Its times and texts are plain; `safe_load` makes nothing else.
        content = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except UnreadableSubmissionError as error:
        raise CourseError(f"{listed.path} {error}") from None
    except (yaml.YAMLError, ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise CourseError(f"{listed.path} can't be read: it is no list of Gradescope's")
    return {str(name): about for name, about in content.items() if isinstance(about, dict)}


def parse_participant_number(text: str) -> str:
    """Moodle's number of a student, at the end of "Participant 12345", in any language."""
    return "".join(re.findall(r"\d+$", text))


def to_naive_utc(when: datetime) -> datetime:
    return when.astimezone(UTC).replace(tzinfo=None) if when.tzinfo else when


def parse_folder_download(
    entries: Iterable[DownloadEntry], is_student: Callable[[str], bool], assignments: Iterable[str]
) -> dict[str, DownloadedFile]:
    """Files in folders that are called as the students are, or that are themselves called so, by their path.

    is_student: whether a name is one of a student that is known.
    """
    entries = list(entries)
    times = {
        str(PurePosixPath(e.path).parent): read_submission_time(e) for e in entries if e.name == TIMESTAMP
    }
    parents = {
        entry.path: [part for part in PurePosixPath(entry.path).parts[:-1] if part not in assignments]
        for entry in entries
    }
    # What all of them lie in is nobody's.
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
        found[entry.path] = DownloadedFile(entry, owners, file=entry.name, received=when)
    return found


def read_submission_time(entry: DownloadEntry) -> datetime | None:
    """When something was handed in, as its timestamp.txt says, in UTC; None if that is no date."""
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
    """Which platform a download is from: the one whose names most of its files have."""
    if any(entry.name == GRADESCOPE_METADATA_FILE for entry in entries):
        return "gradescope"
    told = Counter({name: len(PLATFORMS[name](entries)) for name in ("moodle", "canvas")})
    name, count = told.most_common(1)[0]
    return name if count * 2 > len(entries) else FOLDERS_PLATFORM
