"""Texts that say only what they change of another one, their base.

    # was:     if mask is not None:
    # was:         scores = scores + mask
    # becomes: scores = scores + mask

    # was:     return weights @ V
    # becomes: return weights

Lines of one kind that follow each other belong together, and a `was` after a `becomes` begins the next
change. With nothing after `# becomes:` the lines go. To add lines, repeat one that stands beside them.

Lines are whole. `was` must be in the base exactly once: where a line is there twice, take in one beside it.
The indentation that all lines have doesn't matter, and what they become gets that of the base. So write both
below each other, or as many spaces after the colon; who moves lines to the left or right takes in one that
stays.
"""

import re
from dataclasses import dataclass, field
from itertools import pairwise
from os.path import commonprefix

# Only at the margin: a comment that is indented belongs to code.
CHANGE_LINE = re.compile(r"#\s*(was|becomes):(.*)")


class ChangeError(Exception):
    """A text can't be read as changes of its base; the message says why."""


@dataclass(frozen=True)
class Change:
    """Lines of the base, and those that take their place."""

    was: list[str] = field(default_factory=list)
    becomes: list[str] = field(default_factory=list)


def is_change(text: str) -> bool:
    """Whether a text says what it changes, and is not whole."""
    return any(map(CHANGE_LINE.match, text.split("\n")))


def apply_changes(base: str, text: str) -> str:
    """The base with the changes that a text says. Raises ChangeError."""
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
            raise ChangeError(f"two changes take the line {format_first_line(lines[start:end])}")
    for start, end, becomes in places:
        lines[start:end] = becomes
    return "\n".join(lines)


def parse_changes(text: str) -> list[Change]:
    """The changes that a text says, in order."""
    changes: list[Change] = []
    for line in filter(str.strip, text.split("\n")):
        match = CHANGE_LINE.match(line)
        if not match:
            raise ChangeError(f"besides `# was: …` and `# becomes: …` there is {format_first_line([line])}")
        kind, code = match.groups()
        if kind == "was" and (not changes or changes[-1].becomes):
            changes.append(Change())
        if not changes:
            raise ChangeError("the first line of a change is `# was: …`")
        getattr(changes[-1], kind).append(code)
    for change in changes:
        validate_change(change)
    return changes


def validate_change(change: Change) -> None:
    """Raise ChangeError if a change can't be meant as it is written."""
    (old, was), (new, becomes) = dedent_lines(change.was), dedent_lines(change.becomes)
    if not any(was):
        raise ChangeError("nothing stands after `# was:`")
    if not becomes:
        raise ChangeError(f"{format_first_line(was)} becomes what? If it goes, say `# becomes:`")
    if normalize_code_lines(was) == normalize_code_lines(becomes):
        raise ChangeError(f"{format_first_line(was)} becomes what it was")
    # Below each other, the shorter word has more spaces after it.
    if any(becomes) and len(old) - len(new) not in (0, len("becomes") - len("was")):
        raise ChangeError(
            f"{format_first_line(becomes)} must begin below {format_first_line(was)}; "
            "who moves it takes in a line that stays"
        )


def find_changed_lines(lines: list[str], was: list[str]) -> int:
    """Where these lines are among all."""
    starts = [
        start
        for start in range(len(lines) - len(was) + 1)
        if normalize_code_lines(lines[start : start + len(was)]) == normalize_code_lines(was)
    ]
    if not starts:
        raise ChangeError(f"there is no {format_first_line(was)}")
    if len(starts) > 1:
        raise ChangeError(f"{format_first_line(was)} is there {len(starts)} times: take in a line beside it")
    return starts[0]


def dedent_lines(lines: list[str]) -> tuple[str, list[str]]:
    """The indentation that all lines have, and the lines without it. Empty lines need none."""
    margin = commonprefix([line[: -len(line.lstrip())] for line in lines if line.strip()])
    return margin, [line[len(margin) :] if line.strip() else "" for line in lines]


def normalize_code_lines(lines: list[str]) -> list[str]:
    """Lines as they are compared."""
    return [line.rstrip() for line in dedent_lines(lines)[1]]


def format_first_line(lines: list[str]) -> str:
    """Lines as a message shows them: the first."""
    first, *more = [line.strip() for line in lines if line.strip()]
    return f"`{first} …`" if more else f"`{first}`"
