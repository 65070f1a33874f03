"""Results of `gradebox check`: per test, per notebook, and the diagnosis of lost points."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from gradebox.kernel.interpreter import Interpreter

FIX_ADVICE = "fix the solution or the test"
DEMONSTRATION_ADVICE = "remove the tag `demonstration` from the cells that the test needs"
# Advice for errors in the sandbox, by a pattern in the reason.
SANDBOX_ADVICE = (
    (
        r"Errno 95\]|URLError|HTTPError|ConnectionError|gaierror|name resolution|Max retries",
        "submissions have no network: put the data next to the notebook in source/",
    ),
    (r"MemoryError|GiB of memory", "use less memory, or raise c.Execute.memory_limit"),
    (
        r"FileNotFoundError|PermissionError|NotADirectoryError|Read-only file system",
        "submissions see only the files next to the notebook in source/: put the file there",
    ),
    (r"", 'run the notebook with c.Execute.isolation = "judge" to find the cell that the sandbox stops'),
)


@dataclass(frozen=True)
class GraderResult:
    """The result of a test in one grader.

    points: None if the test's last value is not a number of points. said: the reason why the test lost
    points, in one clause; None if no reason is known. noisy: True if text on stderr is the only reason.
    """

    points: float | None
    said: str | None = None
    noisy: bool = False

    def lost(self, most: float) -> str:
        """Return the reason why points are lost, in one clause. most: the test's maximum points."""
        if self.said:
            return self.said
        return (
            "the test writes to stderr"
            if self.noisy
            else f"the last line gives {self.points:g} of {most:g} points"
        )


class Diagnosis(NamedTuple):
    """A reason and advice, one clause each. acknowledged: True if the difference is intended."""

    reason: str
    advice: str
    acknowledged: bool = False


def diagnose_loss(
    graded: GraderResult | None,
    stock: GraderResult | None,
    most: float,
    uncontained: GraderResult | None = None,
    demonstrations: bool = False,
) -> Diagnosis | None:
    """Return the diagnosis of a test that loses points; None if the test gives full points.

    graded, stock, uncontained: the results in gradebox, in stock nbgrader, and in gradebox without the
    sandbox; None if the test was not run there. most: the maximum points. demonstrations: True if the
    notebook has demonstrations, which stock nbgrader runs and gradebox skips.
    """
    results = [one for one in (graded, stock) if one]
    for one in results:
        if one.points is None:
            advice = "let the last line of the test give a number of points, or nothing (add a semicolon)"
            return Diagnosis(one.said or "the test can't be scored", advice)
    lost = [one for one in results if one.points != most]
    if not lost:
        return None
    subject, said = "the source's own solution loses points", lost[0].lost(most)
    if graded is None or stock is None:
        return Diagnosis(f"{subject}: {said}", FIX_ADVICE)
    if (graded.points or 0) < (stock.points or 0):
        if uncontained and (uncontained.points or 0) >= (stock.points or 0):
            advice = next(text for pattern, text in SANDBOX_ADVICE if re.search(pattern, said))
            return Diagnosis(f"{subject} only in gradebox's sandbox: {said}", advice)
        if demonstrations:
            what = f"{subject} only in gradebox, which skips demonstrations"
            return Diagnosis(f"{what}: {said}", DEMONSTRATION_ADVICE)
        return Diagnosis(f"{subject} only in gradebox: {said}", FIX_ADVICE)
    if len(lost) == 2:
        there = stock.lost(most)
        if said == there:
            return Diagnosis(f"{subject} in gradebox and in stock nbgrader: {said}", FIX_ADVICE)
        return Diagnosis(f"{subject}: in gradebox, {said}; in stock nbgrader, {there}", FIX_ADVICE)
    if stock.noisy:
        said = "the test writes to stderr, which costs all points in stock nbgrader and none in gradebox"
        return Diagnosis(said, "nothing to do, unless you also grade in stock nbgrader", acknowledged=True)
    return Diagnosis(f"{subject} in stock nbgrader: {said}", FIX_ADVICE)


@dataclass(frozen=True)
class CheckFinding:
    """A test that does not give full points in both graders.

    cell: the test's grade_id. number: the number of its exercise. graded, stock: the points of the source's
    own solution in gradebox and in stock nbgrader; None if not run or not scored. maximum: the test's points.
    why: the Diagnosis.
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
        """The finding in one line, for output without a table."""
        return f"{self.assignment}/{self.notebook}, {self.cell}: {self.why.reason}: {self.why.advice}"


@dataclass
class NotebookCheck:
    """The findings in one notebook.

    tests: the points of its tests, by grade_id. in_process: by grade_id, the reasons why tests run in the
    student's process. problem: the reason why the notebook could not be graded, or None. interpreters: the
    Python of its kernel; empty for another language. near_limits: the time limits that the solution is near
    to, one clause each.
    """

    assignment: str
    notebook: str
    tests: Mapping[str, float] = field(default_factory=dict)
    in_process: Mapping[str, str] = field(default_factory=dict)
    findings: list[CheckFinding] = field(default_factory=list)
    problem: str | None = None
    interpreters: tuple[Interpreter, ...] = ()
    near_limits: list[str] = field(default_factory=list)

    @property
    def problems(self) -> list[CheckFinding]:
        """The findings that are not acknowledged differences."""
        return [finding for finding in self.findings if not finding.why.acknowledged]

    @property
    def lines(self) -> list[str]:
        """The problems for the notebook's author, one line each."""
        where = f"{self.assignment}/{self.notebook}"
        said = [f"{where}: can't be checked: {self.problem}"] if self.problem else []
        return [*(finding.line for finding in self.problems), *said]
