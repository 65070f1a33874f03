"""The results of a check."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

FIX_ADVICE = "mend the solution or the test"


@dataclass(frozen=True)
class GraderResult:
    """The result of a test in one grader.

    points: None if nbgrader has none for what the test put out. said: why it lost points, in one clause; None
    if nothing says so. noisy: True if text on stderr is all that speaks against it.
    """

    points: float | None
    said: str | None = None
    noisy: bool = False

    def lost(self, most: float) -> str:
        """Return why points are lost, in one clause."""
        if self.said:
            return self.said
        return (
            "it has text on stderr"
            if self.noisy
            else f"its last line gives {self.points:g} of its {most:g} points"
        )


class Diagnosis(NamedTuple):
    """A reason and an advice, one clause each. acknowledged: True if gradebox means to differ there."""

    reason: str
    advice: str
    acknowledged: bool = False


def diagnose_loss(graded: GraderResult | None, stock: GraderResult | None, most: float) -> Diagnosis | None:
    """Return what to report of a test; None if it has all its points.

    graded, stock: its results in gradebox and in stock nbgrader; None where it was not run. most: its points.
    """
    results = [one for one in (graded, stock) if one]
    for one in results:
        if one.points is None:
            return Diagnosis(one.said or "nbgrader has no points for it", "mend the last line of the test")
    lost = next((one for one in results if one.points != most), None)
    if lost is None:
        return None
    if graded is None or stock is None or graded.points == stock.points:
        too = ", and in stock nbgrader" if graded and stock else ""
        return Diagnosis(f"the source's own solution loses points{too}: {lost.lost(most)}", FIX_ADVICE)
    if (graded.points or 0) < (stock.points or 0):
        what = "a submission has no network, and no files but those beside its notebook"
        return Diagnosis(f"it loses points in gradebox alone: {graded.lost(most)}", what)
    if stock.noisy and graded.points == most:
        said = "it has text on stderr, which costs all points in stock nbgrader and none in gradebox"
        return Diagnosis(said, "nothing, unless you grade in stock nbgrader, too", acknowledged=True)
    return Diagnosis(
        f"the source's own solution loses points in stock nbgrader: {stock.lost(most)}", FIX_ADVICE
    )


@dataclass(frozen=True)
class CheckFinding:
    """A test that does not give all its points in both graders.

    cell: its grade_id. number: that of its exercise. graded, stock: the points that the source's own solution
    gets; None where it was not graded so, or has no score.
    """

    assignment: str
    notebook: str
    cell: str
    number: str
    graded: float | None
    stock: float | None
    maximum: float
    why: Diagnosis

    @property
    def line(self) -> str:
        """The finding in one line, where there is no table."""
        return f"{self.assignment}/{self.notebook}, {self.cell}: {self.why.reason}: {self.why.advice}"


@dataclass
class NotebookCheck:
    """The findings in one notebook.

    tests: the points of its tests, by grade_id. in_process: those of them that run in the student's process,
    each with the reason. problem: why the notebook could not be graded, or None.
    """

    assignment: str
    notebook: str
    tests: Mapping[str, float] = field(default_factory=dict)
    in_process: Mapping[str, str] = field(default_factory=dict)
    findings: list[CheckFinding] = field(default_factory=list)
    problem: str | None = None

    @property
    def problems(self) -> list[CheckFinding]:
        return [finding for finding in self.findings if not finding.why.acknowledged]

    @property
    def lines(self) -> list[str]:
        """What its author should know, a line each."""
        where = f"{self.assignment}/{self.notebook}"
        said = [f"{where}: can't be checked: {self.problem}"] if self.problem else []
        return [*(finding.line for finding in self.problems), *said]
