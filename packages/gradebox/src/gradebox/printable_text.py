"""Text of unknown origin, as it can be shown."""

# Characters of a name that are shown.
MAX_NAME_LENGTH = 100


def printable(text: str) -> str:
    """A text for a terminal, without what would move its cursor or change its colours."""
    return "".join(
        sign if sign.isprintable() or sign == "\n" else "\N{REPLACEMENT CHARACTER}" for sign in text
    )


def format_exception(error: BaseException) -> str:
    """An error in one line."""
    said = str(error).strip().splitlines()
    return f"{type(error).__name__}: {said[0]}" if said else type(error).__name__


def format_file_name(name: str) -> str:
    """A name of a file or folder, printable, on one line and not longer than a line should be."""
    shown = printable(name).replace("\n", "\N{REPLACEMENT CHARACTER}")
    return shown if len(shown) <= MAX_NAME_LENGTH else f"{shown[:MAX_NAME_LENGTH]}…"


def format_full_name(first: str | None, last: str | None) -> str:
    """The name of a person, of whom a part may be unknown; "" if all is."""
    return " ".join(part for part in (first, last) if part)


def format_count(number: int, one: str, many: str) -> str:
    """A number with what it counts, in the singular or the plural."""
    return f"{number} {one if number == 1 else many}"
