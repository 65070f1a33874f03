"""Guess the platform of a download, and find the owners of its files."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from gradebox.course import CourseError
from gradebox.lms.download_archive import DownloadEntry
from gradebox.lms.download_paths import DownloadPath, locate_paths
from gradebox.lms.filename_patterns import (
    DownloadedFile,
    match_canvas_path,
    match_moodle_path,
    parse_canvas_download,
    parse_moodle_download,
)
from gradebox.lms.folder_download import parse_folder_download
from gradebox.lms.gradescope_submission_list import (
    is_gradescope_list,
    is_gradescope_submission,
    parse_gradescope_download,
)
from gradebox.printable_text import format_file_name

PLATFORMS: Mapping[str, Callable[[Sequence[DownloadPath]], Iterator[DownloadedFile]]] = {
    "gradescope": parse_gradescope_download,
    "moodle": parse_moodle_download,
    "canvas": parse_canvas_download,
}
FOLDERS_PLATFORM = "folders"


def parse_download(
    entries: Sequence[DownloadEntry],
    platform: str | None,
    assignments: Collection[str],
    is_student: Callable[[str], bool],
) -> tuple[str, list[DownloadedFile]]:
    """Find the owners of the files of a download. Return the platform and the files.

    platform: one of PLATFORMS, FOLDERS_PLATFORM, or None to guess. is_student: returns True for the name or
    id of a known student. Raises CourseError for an unknown or unclear platform.
    """
    paths = locate_paths(entries, assignments)
    platform = platform or guess_platform(paths, is_student)
    if platform == FOLDERS_PLATFORM:
        return platform, list(parse_folder_download(paths, is_student))
    if platform not in PLATFORMS:
        raise CourseError(
            f"unknown platform {platform!r} (known: {', '.join([*PLATFORMS, FOLDERS_PLATFORM])})"
        )
    found = list(PLATFORMS[platform](paths))
    if found and not any(one.owners or one.problem for one in found):
        raise CourseError(
            f"no file name in the download has the format of {platform}: choose another platform with --from"
        )
    return platform, found


def guess_platform(paths: Sequence[DownloadPath], is_student: Callable[[str], bool]) -> str:
    """Return the platform whose format all outer names have, or "folders" if none has a platform's.

    A majority is not sufficient: a student who submits many files could form one. Raises CourseError.
    """
    if paths and any(map(is_student, paths[0].common_names)):
        return FOLDERS_PLATFORM
    has_list = any(map(is_gradescope_list, paths)) and any(map(is_gradescope_submission, paths))
    found: dict[str, str] = {}
    for path in paths:
        found.setdefault(match_platform(path, has_list), format_file_name(path.parts[path.outer]))
    if len(found) > 1:
        examples = " and ".join(f"{name} (such as {found[name]})" for name in sorted(found))
        raise CourseError(f"the names in the download have the formats of {examples}: name one with --from")
    return next(iter(found), FOLDERS_PLATFORM)


def match_platform(path: DownloadPath, has_list: bool) -> str:
    """Return the platform whose format a path has. has_list: True if Gradescope's list is at the top."""
    if has_list and (is_gradescope_list(path) or is_gradescope_submission(path)):
        return "gradescope"
    if match_moodle_path(path):
        return "moodle"
    return "canvas" if match_canvas_path(path) else FOLDERS_PLATFORM
