"""Parse and apply answers that are written as changes to another answer, the base.

Used by `read_answers_folder.py`.

    # was:     if mask is not None:
    # was:         scores = scores + mask
    # becomes: scores = scores + mask

    # was:     return weights @ V
    # becomes: return weights

Consecutive lines of one kind belong together, and a `was` after a `becomes` begins the next change. An empty
`# becomes:` deletes the lines. To add lines, repeat an adjacent line.

Lines are matched whole. The `was` lines must occur in the base exactly once: if a line occurs twice, include
an adjacent line. Common indentation is ignored, and the new lines get the indentation of the base. So align
`was` and `becomes` in one column, or put equally many spaces after the colons. To change the indentation of
lines, include an unchanged line.
"""

import re
from dataclasses import dataclass, field
from itertools import pairwise
from os.path import commonprefix

# Only at the left margin: an indented comment belongs to the code.
CHANGE_LINE = re.compile(r"#\s*(was|becomes):(.*)")


class ChangeError(Exception):
    """A text can't be applied to its base; the message gives the reason."""


@dataclass(frozen=True)
class Change:
    """Lines of the base, and their replacement."""

    was: list[str] = field(default_factory=list)
    becomes: list[str] = field(default_factory=list)


def is_change(text: str) -> bool:
    """Return True if a text consists of changes and is not a complete answer."""
    return any(map(CHANGE_LINE.match, text.split("\n")))


def apply_changes(base: str, text: str) -> str:
    """Return the base with the changes of a text applied. Raises ChangeError."""
    lines = base.split("\n")
    places = []
    for change in parse_changes(text):
        start = find_changed_lines(lines, change.was)
        end = start + len(change.was)
        margin, _ = dedent_lines(lines[start:end])
        _, becomes = dedent_lines(change.becomes)
        places.append((start, end, [line and margin + line for line in becomes] if any(becomes) else []))
    places.sort(reverse=True)
    for (start, _, _), (_, end, _) in pairwise(places):
        if start < end:
            raise ChangeError(f"two changes replace the line {format_first_line(lines[start:end])}")
    for start, end, becomes in places:
        lines[start:end] = becomes
    return "\n".join(lines)


def parse_changes(text: str) -> list[Change]:
    """Return the changes of a text, in order. Raises ChangeError."""
    changes: list[Change] = []
    for line in filter(str.strip, text.split("\n")):
        match = CHANGE_LINE.match(line)
        if not match:
            raise ChangeError(
                f"expected only `# was: …` and `# becomes: …` lines, got {format_first_line([line])}"
            )
        kind, code = match.groups()
        if kind == "was" and (not changes or changes[-1].becomes):
            changes.append(Change())
        if not changes:
            raise ChangeError("the first line of a change must be `# was: …`")
        getattr(changes[-1], kind).append(code)
    for change in changes:
        validate_change(change)
    return changes


def validate_change(change: Change) -> None:
    """Raise ChangeError if a change is incomplete, has no effect, or is ambiguously indented."""
    (old, was), (new, becomes) = dedent_lines(change.was), dedent_lines(change.becomes)
    if not any(was):
        raise ChangeError("no code after `# was:`")
    if not becomes:
        raise ChangeError(
            f"{format_first_line(was)} has no `# becomes: …` (an empty `# becomes:` deletes lines)"
        )
    if normalize_code_lines(was) == normalize_code_lines(becomes):
        raise ChangeError(f"the change of {format_first_line(was)} has no effect")
    # With both aligned in one column, the shorter word is followed by more spaces.
    if any(becomes) and len(old) - len(new) not in (0, len("becomes") - len("was")):
        raise ChangeError(
            f"{format_first_line(becomes)} must begin in the column of {format_first_line(was)}; "
            "to change the indentation, include an unchanged line"
        )


def find_changed_lines(lines: list[str], was: list[str]) -> int:
    """Return the index of the first line of the only match. Raises ChangeError."""
    starts = [
        start
        for start in range(len(lines) - len(was) + 1)
        if normalize_code_lines(lines[start : start + len(was)]) == normalize_code_lines(was)
    ]
    if not starts:
        raise ChangeError(f"the base does not contain {format_first_line(was)}")
    if len(starts) > 1:
        raise ChangeError(f"{format_first_line(was)} occurs {len(starts)} times: include an adjacent line")
    return starts[0]


def dedent_lines(lines: list[str]) -> tuple[str, list[str]]:
    """Return the common indentation of lines, and the lines without that indentation.

    Empty lines don't count.
    """
    margin = commonprefix([line[: -len(line.lstrip())] for line in lines if line.strip()])
    return margin, [line[len(margin) :] if line.strip() else "" for line in lines]


def normalize_code_lines(lines: list[str]) -> list[str]:
    """Return lines without common indentation and trailing spaces, for comparison."""
    return [line.rstrip() for line in dedent_lines(lines)[1]]


def format_first_line(lines: list[str]) -> str:
    """Return the first line in backticks, for a message."""
    first, *more = [line.strip() for line in lines if line.strip()]
    return f"`{first} …`" if more else f"`{first}`"
