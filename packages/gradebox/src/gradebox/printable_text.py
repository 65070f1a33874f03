"""Helpers to print untrusted text safely, for console output and messages."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Maximum number of characters shown of a file name.
MAX_NAME_LENGTH = 100
# Characters that change the order of the text around them, or are never visible and needed by no script.
INVISIBLE = re.compile("[\u200b\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")


def printable(text: str) -> str:
    """Replace control characters, which could move a terminal's cursor or change colours."""
    return "".join(
        sign if sign.isprintable() or sign == "\n" else "\N{REPLACEMENT CHARACTER}" for sign in text
    )


def mark_invisible(code: str) -> str:
    """Replace invisible characters in code, with which a page could show other code than what runs."""
    return INVISIBLE.sub("\N{REPLACEMENT CHARACTER}", code)


def format_exception(error: BaseException) -> str:
    """Return an exception's type and the first line of its message."""
    said = str(error).strip().splitlines()
    return f"{type(error).__name__}: {said[0]}" if said else type(error).__name__


def format_file_name(name: str) -> str:
    """Return a file or folder name, printable, on one line and shortened."""
    shown = printable(name).replace("\n", "\N{REPLACEMENT CHARACTER}")
    return shown if len(shown) <= MAX_NAME_LENGTH else f"{shown[:MAX_NAME_LENGTH]}…"


def format_full_name(first: str | None, last: str | None) -> str:
    """Join first and last name, either of which may be unknown; return "" if both are."""
    return " ".join(part for part in (first, last) if part)


def format_count(number: int, one: str, many: str) -> str:
    """Return a number followed by the noun, in singular or plural."""
    return f"{number} {one if number == 1 else many}"


def shorten_list(items: Iterable[str], most: int = 5) -> str:
    """Return the items, separated by commas, with a count in place of those after the first `most`."""
    listed = list(items)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more


def format_point_count(points: float) -> str:
    """Return a number of points followed by the noun, in singular or plural."""
    return f"{points:g} {'point' if points == 1 else 'points'}"
