"""What student code is kept from: what a course asks for, and what its machine can give."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gradebox.sandbox import sandbox
from gradebox.sandbox.probe_results import Probed

LEVELS = ("auto", "full", "judge", "sandbox", "none")
# With these, tests run in a process of their own; with these, all promises have to be kept.
JUDGED, WHOLE, UNCONTAINED = ("auto", "full", "judge"), ("full", "sandbox"), ("judge", "none")

ON_WINDOWS = (
    "gradebox grades on Linux and macOS: on Windows, install WSL2 (`wsl --install`) and run the same command "
    "there, or grade in a container (gradebox's docs/grading-a-class.md)"
)
AS_YOU = (
    "Student code {where}runs as you, and can read and change all that you can, solutions and grades "
    "included{tests}. To contain it, grade on a Linux that can, or in a container (gradebox's "
    "docs/grading-a-class.md)."
)
WEAKER = (
    "Not all is kept from student code here. Not in force: {}. To have all of it, grade on another Linux, or "
    "in a container (gradebox's docs/grading-a-class.md)."
)
JUDGE_ALONE = "; only the tests are out of its reach (the judge)"


class Refused(Exception):
    """Nothing can be graded here as it was asked for; the message says why and what to do."""


@dataclass(frozen=True)
class InForce:
    """What is in force while a submission runs.

    line: in a few words. warning: what is not in force, and how to have it; None if nothing is missing.
    """

    contained: bool
    line: str
    warning: str | None = None


def in_force(level: str, probe: Callable[[], Probed], course: Path | None = None) -> InForce:
    """What this machine can put in force of what was asked for. Raises Refused if that is not enough.

    level: one of LEVELS. probe: finds out what this machine can do. course: the folder of the course, where
    it is known.
    """
    if not hasattr(os, "fork"):
        raise Refused(ON_WINDOWS)
    if level in UNCONTAINED:
        return uncontained(level, f'here (c.Execute.isolation = "{level}") ')
    probed = probe()
    best = probed.best
    if best and course and sandbox.exposed(course):
        raise Refused(
            f"{course} lies in a folder of Python's own, which student code can read: move the course"
        )
    if best and (best.whole or level not in WHOLE):
        missing = best.not_in_force
        return InForce(True, best.in_force, WEAKER.format(missing) if missing else None)
    if level in WHOLE:
        why = f"not in force is {best.not_in_force}" if best else probed.problem
        raise Refused(
            f'student code can\'t be contained here as c.Execute.isolation = "{level}" asks: {why}; grade '
            'elsewhere or in the container, or take what this machine can give with "auto"'
        )
    return uncontained(level, f"can't be contained here ({probed.problem}). It ")


def uncontained(level: str, where: str) -> InForce:
    judged = level in JUDGED
    line = "not contained: the judge alone" if judged else "not contained, and no judge"
    return InForce(False, line, AS_YOU.format(where=where, tests=JUDGE_ALONE if judged else ""))
