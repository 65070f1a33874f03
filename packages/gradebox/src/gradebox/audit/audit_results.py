"""What an audit finds: what its author should mend, and the numbers of each exercise."""

from dataclasses import dataclass, field
from enum import StrEnum

# How much a failed test tells: what to do, in words of the author's, who has foreseen the mistake; the place,
# in the result or in the code; numbers or an error alone; nothing, before the notebook is handed in.
NAMED, LOCATED, RAW, UNSEEN = "named", "located", "raw", "unseen"


class FindingKind(StrEnum):
    """What can be wrong, in the order in which it is shown."""

    LOSES = "a right answer loses points"
    PASSES = "a wrong answer keeps full marks"
    CHEATED = "a generic cheat earns points"
    OTHERWISE = "a wrong answer fails otherwise than it says"
    SURVIVES = "a mutant keeps full marks and is not listed as equivalent"
    ALARM = "a right answer fails with inputs that it should take"
    TELLS = "the first line of a hidden assert's message tells a number"
    BUILDS = "what an exercise builds on is not what it says"
    STALE = "a listed equivalent is none"
    APART = "an answer fares otherwise with the tests in a process of their own"
    HARNESS = "the audit itself failed"


@dataclass(frozen=True)
class AuditFinding:
    """Something for the author to mend. what: in one line."""

    kind: FindingKind
    exercise: str
    answer: str
    what: str


@dataclass(frozen=True)
class SurvivingMutant:
    """A mutant that kept full marks. reason: why that is right, as the author says; None if not listed."""

    answer: str
    operator: str
    was: str
    becomes: str
    nth: int
    passed: tuple[str, ...]
    reason: str | None


@dataclass(frozen=True)
class AnswerRow:
    """A written answer against the test cells: those that it fails, each with whether a student sees it."""

    answer: str
    right: bool
    failed: dict[str, bool]


@dataclass
class MessageGroup:
    """What mutants are told in the same words.

    advice: whether that is an author's advice, written for another answer; else it is no more than where
    something is wrong. changes: what becomes what in them.
    """

    advice: bool
    changes: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class ExerciseAudit:
    """What was tried in one exercise, and what came of it.

    number: as in its heading; the grade_id of its first test cell where there is none. right, wrong,
    mutants, cheats, inputs: how many of each; inputs only where an argument was changed, and alarms of these.
    endless: mutants that had to be stopped. wrong_visible, caught_visible: how many wrong answers and mutants
    a visible assert catches. catches: for each own test cell, how often each of its lines failed. alone: for
    each, the wrong answers and mutants that no other of them catches. told: how many wrong answers get
    messages that tell so much. messages: what mutants are told.
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
    wrong_visible: int = 0
    caught: int = 0
    caught_visible: int = 0
    survivors: list[SurvivingMutant] = field(default_factory=list)
    rows: list[AnswerRow] = field(default_factory=list)
    catches: dict[str, dict[int, int]] = field(default_factory=dict)
    alone: dict[str, int] = field(default_factory=dict)
    told: dict[str, int] = field(default_factory=dict)
    messages: dict[str, MessageGroup] = field(default_factory=dict)

    @property
    def unlisted(self) -> int:
        return sum(survivor.reason is None for survivor in self.survivors)

    @property
    def listed(self) -> int:
        return len(self.survivors) - self.unlisted

    def heard(self, advice: bool) -> list[tuple[str, MessageGroup]]:
        """The messages that are an advice, or are none, those first that mutants get most often."""
        found = [one for one in self.messages.items() if one[1].advice == advice]
        return sorted(found, key=lambda one: -len(one[1].changes))


@dataclass
class NotebookAudit:
    """One notebook's audit. cells: the text of its test cells."""

    assignment: str
    exercises: dict[str, ExerciseAudit]
    findings: list[AuditFinding]
    cells: dict[str, str]
    seconds: float = 0.0
