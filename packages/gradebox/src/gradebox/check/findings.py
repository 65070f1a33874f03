"""What a check finds."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Finding:
    """A test that does not give all its points in each way of grading.

    cell: its grade_id. number: that of its exercise. judged, plain, stock: the points that the source's own
    solution gets with the judge, without it, and in stock nbgrader; None where it was not graded so, or has
    no score. reason, advice: one clause each. acknowledged: whether gradebox means to differ there.
    """

    assignment: str
    notebook: str
    cell: str
    number: str
    judged: float | None
    plain: float | None
    stock: float | None
    maximum: float
    reason: str
    advice: str
    acknowledged: bool = False

    @property
    def line(self) -> str:
        """All that is to be said of it, where there is no table."""
        return f"{self.assignment}/{self.notebook}, {self.cell}: {self.reason}: {self.advice}"


@dataclass
class Checked:
    """What was found in one notebook.

    tests: the points of its tests, by grade_id. unjudged: those of them that run where the student's code
    runs. warnings: what may not be judged for some, one clause each. problem: why the notebook, or a way of
    grading it, could not be run, or None.
    """

    assignment: str
    notebook: str
    tests: dict[str, float] = field(default_factory=dict)
    unjudged: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    problem: str | None = None

    @property
    def problems(self) -> list[Finding]:
        return [finding for finding in self.findings if not finding.acknowledged]

    @property
    def lines(self) -> list[str]:
        """What its author should know, a line each."""
        where = f"{self.assignment}/{self.notebook}"
        said = [*([f"can't be checked: {self.problem}"] if self.problem else []), *self.warnings]
        return [*(finding.line for finding in self.problems), *(f"{where}: {what}" for what in said)]
