"""What student code is kept from: what a course asks for, and what its machine can give."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gradebox.sandbox import sandbox
from gradebox.sandbox.probe_results import ProbeResult

ISOLATION_LEVELS = ("auto", "full", "judge", "sandbox", "none")
# With these, tests run in a process of their own; with these, all promises have to be kept.
JUDGE_LEVELS, STRICT_LEVELS, UNCONTAINED_LEVELS = (
    ("auto", "full", "judge"),
    ("full", "sandbox"),
    ("judge", "none"),
)

WINDOWS_MESSAGE = (
    "gradebox grades on Linux and macOS: on Windows, install WSL2 (`wsl --install`) and run the same command "
    "there, or grade in a container (gradebox's docs/grading-a-class.md)"
)
UNCONTAINED_WARNING = (
    "Student code {where}runs as you, and can read and change all that you can, solutions and grades "
    "included{tests}. To contain it, grade on a Linux that can, or in a container (gradebox's "
    "docs/grading-a-class.md)."
)
PARTIAL_WARNING = (
    "Not all is kept from student code here. Not in force: {}. To have all of it, grade on another Linux, or "
    "in a container (gradebox's docs/grading-a-class.md)."
)
JUDGE_ONLY_NOTE = "; only the tests are out of its reach (the judge)"


class IsolationError(Exception):
    """Nothing can be graded here as it was asked for; the message says why and what to do."""


@dataclass(frozen=True)
class ActiveIsolation:
    """What is in force while a submission runs.

    line: in a few words. warning: what is not in force, and how to have it; None if nothing is missing.
    """

    contained: bool
    line: str
    warning: str | None = None


def resolve_isolation(
    level: str, probe: Callable[[], ProbeResult], course: Path | None = None
) -> ActiveIsolation:
    """What this machine can put in force of what was asked for. Raises Refused if that is not enough.

    level: one of LEVELS. probe: finds out what this machine can do. course: the folder of the course, where
    it is known.
    """
    if not hasattr(os, "fork"):
        raise IsolationError(WINDOWS_MESSAGE)
    if level in UNCONTAINED_LEVELS:
        return describe_uncontained(level, f'here (c.Execute.isolation = "{level}") ')
    probed = probe()
    best = probed.best
    if best and course and sandbox.is_exposed(course):
        raise IsolationError(
            f"{course} lies in a folder of Python's own, which student code can read: move the course"
        )
    if best and (best.whole or level not in STRICT_LEVELS):
        missing = best.missing_guarantees
        return ActiveIsolation(True, best.in_force, PARTIAL_WARNING.format(missing) if missing else None)
    if level in STRICT_LEVELS:
        why = f"not in force is {best.missing_guarantees}" if best else probed.problem
        raise IsolationError(
            f'student code can\'t be contained here as c.Execute.isolation = "{level}" asks: {why}; grade '
            'elsewhere or in the container, or take what this machine can give with "auto"'
        )
    return describe_uncontained(level, f"can't be contained here ({probed.problem}). It ")


def describe_uncontained(level: str, where: str) -> ActiveIsolation:
    judged = level in JUDGE_LEVELS
    line = "not contained: the judge alone" if judged else "not contained, and no judge"
    return ActiveIsolation(
        False, line, UNCONTAINED_WARNING.format(where=where, tests=JUDGE_ONLY_NOTE if judged else "")
    )
