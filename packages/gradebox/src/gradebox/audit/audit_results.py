"""Results of an audit: findings for the author to fix, and the counts of each exercise."""

from dataclasses import dataclass, field
from enum import StrEnum

# Kinds of failure messages: the author's advice for this mistake; the place of the mistake in the result or
# the code; only numbers or an error; no message before submission.
NAMED, LOCATED, RAW, UNSEEN = "named", "located", "raw", "unseen"


class FindingKind(StrEnum):
    """Kind of a finding, in display order."""

    LOSES = "a right answer loses points"
    PASSES = "a wrong answer keeps full marks"
    CHEATED = "a generic cheat earns points"
    OTHERWISE = "a wrong answer does not fail as its file declares"
    SURVIVES = "a mutant keeps full marks and is not listed as equivalent"
    ALARM = "a right answer fails with inputs that it should accept"
    TELLS = "the first line of a hidden assert's message reveals a number"
    BUILDS = "a reference uses an exercise that is not in its builds_on"
    STALE = "a mutant listed as equivalent does not survive"
    HARNESS = "the audit itself failed"


@dataclass(frozen=True)
class AuditFinding:
    """A problem for the author to fix. what: the description, in one line."""

    kind: FindingKind
    exercise: str
    answer: str
    what: str


@dataclass(frozen=True)
class SurvivingMutant:
    """A mutant that kept full marks.

    reason: the author's reason why the mutant is equivalent; None if the mutant is not listed. The other
    fields are those of `mutants.Mutant`, and the test cells that the mutant passed.
    """

    answer: str
    operator: str
    was: str
    becomes: str
    nth: int
    passed: tuple[str, ...]
    reason: str | None


@dataclass
class ExerciseAudit:
    """The counts and results of one exercise.

    number: the number in the exercise's heading, or the grade_id of its first test cell. right, wrong,
    mutants, cheats, inputs: numbers of candidates of each kind; inputs counts only those that changed an
    argument, and alarms is the number of these that failed. endless: mutants stopped by a time limit. caught:
    mutants that a test or the time limit caught. survivors: mutants with full marks. told: number of wrong
    answers by the kind of their message.
    """

    name: str
    number: str
    tests: list[str]
    right: int = 0
    wrong: int = 0
    mutants: int = 0
    cheats: int = 0
    inputs: int = 0
    endless: int = 0
    alarms: int = 0
    caught: int = 0
    survivors: list[SurvivingMutant] = field(default_factory=list)
    told: dict[str, int] = field(default_factory=dict)

    @property
    def unlisted(self) -> int:
        """The number of survivors that are not listed as equivalent."""
        return sum(survivor.reason is None for survivor in self.survivors)

    @property
    def listed(self) -> int:
        """The number of survivors that are listed as equivalent."""
        return len(self.survivors) - self.unlisted


@dataclass
class NotebookAudit:
    """The audit of one notebook. seconds: its duration."""

    assignment: str
    exercises: dict[str, ExerciseAudit]
    findings: list[AuditFinding]
    seconds: float = 0.0
