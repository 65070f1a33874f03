"""Isolation of student code: the level that a course requires, and the level that its machine supports."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gradebox.sandbox import sandbox
from gradebox.sandbox.probe_results import ProbeResult

ISOLATION_LEVELS = ("auto", "full", "judge", "sandbox", "none")
# Levels with a judge process; levels at which a missing guarantee is an error; levels without a sandbox.
JUDGE_LEVELS, STRICT_LEVELS, UNCONTAINED_LEVELS = (
    ("auto", "full", "judge"),
    ("full", "sandbox"),
    ("judge", "none"),
)

WINDOWS_MESSAGE = (
    "gradebox grades on Linux and macOS: on Windows, install WSL2 (`wsl --install`) and run the same command "
    "there, or grade in a container (gradebox's docs/machines.md)"
)
UNCONTAINED_WARNING = (
    "Student code {where}runs with your permissions, and can read and change all that you can, including "
    "solutions and grades{tests}. To contain student code, grade on a Linux machine with a working sandbox, "
    "or in a container (gradebox's docs/machines.md)."
)
PARTIAL_WARNING = (
    "Student code is only partly contained here. Not in force: {}. For full isolation, grade on another "
    "Linux machine, or in a container (gradebox's docs/machines.md)."
)
JUDGE_ONLY_NOTE = "; only the tests are protected (by the judge)"


class IsolationError(Exception):
    """Error if this machine does not support the required isolation; the message says why and what to do."""


@dataclass(frozen=True)
class ActiveIsolation:
    """Isolation that is active while a submission runs.

    contained: True if a sandbox is used. line: a short description. warning: the missing guarantees, and how
    to get them; None if nothing is missing.
    """

    contained: bool
    line: str
    warning: str | None = None


def resolve_isolation(
    level: str, probe: Callable[[], ProbeResult], course: Path | None = None
) -> ActiveIsolation:
    """Return the isolation that this machine provides for a level. Raises IsolationError if insufficient.

    level: one of ISOLATION_LEVELS. probe: returns the machine's sandbox support. course: the folder of the
    course, if known.
    """
    if not hasattr(os, "fork"):
        raise IsolationError(WINDOWS_MESSAGE)
    if level in UNCONTAINED_LEVELS:
        return describe_uncontained(level, f'here (c.Execute.isolation = "{level}") ')
    probed = probe()
    best = probed.best
    if best and course and sandbox.is_exposed(course):
        raise IsolationError(
            f"{course} is in a folder of the Python installation, readable by student code: move the course"
        )
    if best and (best.whole or level not in STRICT_LEVELS):
        missing = best.missing_guarantees
        return ActiveIsolation(True, best.in_force, PARTIAL_WARNING.format(missing) if missing else None)
    if level in STRICT_LEVELS:
        why = f"not in force: {best.missing_guarantees}" if best else probed.problem
        raise IsolationError(
            f'student code can\'t be contained here as c.Execute.isolation = "{level}" requires: {why}; '
            'grade on another machine or in the container, or set "auto" to use what this machine supports'
        )
    return describe_uncontained(level, f"can't be contained here ({probed.problem}). It ")


def describe_uncontained(level: str, where: str) -> ActiveIsolation:
    judged = level in JUDGE_LEVELS
    line = "not contained: the judge alone" if judged else "not contained, and no judge"
    return ActiveIsolation(
        False, line, UNCONTAINED_WARNING.format(where=where, tests=JUDGE_ONLY_NOTE if judged else "")
    )
