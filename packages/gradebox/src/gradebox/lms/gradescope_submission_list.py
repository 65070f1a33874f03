"""Read the list in Gradescope's *Export submissions*, which names the owners of the submissions.

The list counts only at the top of the export. A file of the same name in a submission is a student's file.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

import yaml

from gradebox.course import CourseError
from gradebox.lms.download_archive import DownloadEntry
from gradebox.lms.download_paths import DownloadPath
from gradebox.lms.filename_patterns import DownloadedFile, DownloadOwner
from gradebox.printable_text import format_file_name
from gradebox.safe_submission_files import UnreadableSubmissionError, parse_date

GRADESCOPE_LIST = "submission_metadata.yml"
SUBMISSION_FOLDER = re.compile(r"submission_([0-9]{1,30})")
# Limits for a name, id or e-mail address in the list, in characters, and for nested values.
MAX_FIELD_LENGTH, MAX_LIST_DEPTH = 255, 50


def is_gradescope_list(path: DownloadPath) -> bool:
    """Return True for the list at the top of an export."""
    return not path.in_folder and path.entry.name == GRADESCOPE_LIST


def is_gradescope_submission(path: DownloadPath) -> bool:
    """Return True for a file in the folder of a submission."""
    return path.in_folder and bool(SUBMISSION_FOLDER.fullmatch(path.parts[path.outer]))


def parse_gradescope_download(paths: Sequence[DownloadPath]) -> Iterator[DownloadedFile]:
    """Find the owners of the files of Gradescope's *Export submissions*.

    Raises CourseError if there is no list of submissions, or the list can't be read.
    """
    lists = [path for path in paths if is_gradescope_list(path)]
    if len(lists) != 1:
        raise CourseError(
            f"expected one {GRADESCOPE_LIST} at the top of a download from Gradescope, got {len(lists)}: "
            "collect each export alone, or choose another platform with --from"
        )
    submissions = read_submission_list(lists[0].entry)
    for path in paths:
        if path is lists[0]:
            continue
        folder = path.parts[path.outer]
        about = submissions.get(folder) if is_gradescope_submission(path) else None
        if about is None:
            yield DownloadedFile(path.entry, ())
            continue
        said = about.get(":created_at") or ""
        received = parse_time(said)
        owners = tuple(read_owners(about.get(":submitters")))
        yield DownloadedFile(
            *(path.entry, owners, folder.partition("_")[2], path.entry.name, path.below(path.outer)),
            received=received,
            unread="" if received else format_file_name(str(said)),
            problem="" if owners else f"{GRADESCOPE_LIST} does not name the owner of {folder}",
        )


def read_owners(submitters: Any) -> Iterator[DownloadOwner]:
    """Yield the members of a group, or the student. Yield nothing if one of them is not valid."""
    if not isinstance(submitters, list) or not all(isinstance(one, dict) for one in submitters):
        return
    rows = [[one.get(key, "") for key in (":name", ":sid", ":email")] for one in submitters]
    if all(isinstance(text, str) and len(text) <= MAX_FIELD_LENGTH for row in rows for text in row):
        yield from (DownloadOwner(*(text.strip() for text in row)) for row in rows if any(row))


def parse_time(said: Any) -> datetime | None:
    """Parse a time of the list; None if it is not a time."""
    try:
        return parse_date(said.strip()) if isinstance(said, str) and len(said) <= MAX_FIELD_LENGTH else None
    except UnreadableSubmissionError:
        return None


def read_submission_list(listed: DownloadEntry) -> dict[str, dict[str, Any]]:
    """Read Gradescope's list of submissions. Return the metadata of each folder.

    Raises CourseError if the list can't be read.
    """
    try:
        content = parse_plain_yaml(listed.read())
    except UnreadableSubmissionError as error:
        raise CourseError(f"{listed.path} {error}") from None
    except (yaml.YAMLError, ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise CourseError(f"{listed.path} can't be read: not a Gradescope list of submissions")
    return {str(name): about for name, about in content.items() if isinstance(about, dict)}


def parse_plain_yaml(raw: bytes) -> Any:
    """Parse YAML in which each scalar is a string, and whose size is not more than that of the text.

    Raises ValueError for aliases, which repeat a value without limit, and for deep nesting. Raises
    yaml.YAMLError.
    """
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    check_yaml_events(yaml.parse(raw, Loader=loader))
    return yaml.load(raw, Loader=loader)


def check_yaml_events(events: Iterable[yaml.Event]) -> None:
    depth = 0
    for event in events:
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent) or depth > MAX_LIST_DEPTH:
            raise ValueError(event)
