"""Patterns of the file names in Canvas's downloads, whose files are in no folder. Used by `collect`."""

import re
from collections.abc import Iterable

# Older versions write the fixed words in lower case. In anonymous names, the mark LATE_ comes first.
CANVAS_FILE_NAME = re.compile(
    r"(?P<who>[^/]*?)(?P<late>_late)?_(?P<number>\d{1,30})_(?:(?P<order>\d{1,30})_(?P<file>[^/]+)|(?P<kind>text|link)\.html)",
    re.IGNORECASE,
)
ANONYMOUS_CANVAS_FILE_NAME = re.compile(
    r"(?P<late>LATE_)?anon_(?P<number>[1-9A-HJ-NP-Za-km-z]{5})_(?:(?P<order>\d{1,30})_(?P<file>[^/]+)|(?P<kind>text|link)\.html)"
)


def match_canvas_name(name: str) -> re.Match[str] | None:
    """Match a file name against Canvas's patterns. Return None if neither pattern matches."""
    return ANONYMOUS_CANVAS_FILE_NAME.fullmatch(name) or CANVAS_FILE_NAME.fullmatch(name)


def has_windows_paths(names: Iterable[str]) -> bool:
    """Return True if the backslashes in the names of a zip archive separate folders.

    A backslash in a file name of a student must not begin a new name: if a name contains a slash, or Canvas's
    part of a file name is before a backslash, then backslashes are ordinary characters.
    """
    names = list(names)
    above = {part for name in names for part in name.split("\\")[:-1]}
    # A student can also upload a file whose own name begins with a backslash.
    return not any("/" in name for name in names) and not any(match_canvas_name(f"{part}x") for part in above)
