"""What the process that runs answers is asked for, and what it says of that (see `answer_process.py`)."""

from dataclasses import dataclass, field
from typing import Any

from gradebox.judge.notebook_facts import NotebookFacts

# How a fork ended.
DONE, ENDLESS, DIED = "done", "endless", "died"


@dataclass(frozen=True)
class PlanCell:
    """A code cell of the notebook: its grade_id, and its text (of a solution: the reference).

    students, judges: whose process executes it, where the tests have one of their own. is_test: whether it is
    one. returned: the names that are the student's again by then (see `execute/cell_roles.py`). shared:
    those of a test that later cells of students may use (see `execute/exported_names.py`).
    """

    name: str
    source: str
    students: bool
    judges: bool
    is_test: bool = False
    returned: frozenset[str] = frozenset()
    shared: frozenset[str] = frozenset()


@dataclass(frozen=True)
class AnswerTask:
    """Something to try in the place of a solution.

    tests: the test cells to run; the notebook ends with the last of them. inputs: the change that arguments
    go through on their way to the solution (see inputs.py), or None. cheat: what then takes the solution's
    place (see cheats.py), or None. whole: whether that is all of the notebook, which takes longer than the
    exercise's own tests. judged: whether tests run in a process of their own, as when students are
    graded. calls: whether only the calls of the tests are of interest (see calls.py).
    """

    number: int
    exercise: str
    source: str
    tests: tuple[str, ...]
    inputs: str | None = None
    cheat: str | None = None
    whole: bool = False
    judged: bool = False
    calls: bool = False


@dataclass(frozen=True)
class AnswerPlan:
    """What to run.

    cells: a notebook's code cells that are graded or given. imports, facts: what a judge is told of it (see
    `execute/lesson.py`). forks: how many at once. preload: modules that are imported before.
    """

    cells: list[PlanCell]
    tasks: list[AnswerTask]
    imports: str
    facts: NotebookFacts
    forks: int
    preload: tuple[str, ...]


@dataclass
class CellOutcome:
    """How one test cell went.

    passed: whether it ran to its end. value: the last line's value as text, for tests that give part of the
    points. error, message, line: the exception, its text, and the line of the test cell that it came
    through, counted from 1. origin: the cell whose code raised it; None if no cell's code did.
    """

    passed: bool
    value: str | None = None
    error: str = ""
    message: str = ""
    line: int | None = None
    origin: str | None = None


@dataclass
class AnswerTaskResult:
    """What came of a task.

    ended: DONE, ENDLESS or DIED. changed: whether `inputs` changed any argument. calls: what its tests have
    called (see calls.py), each by its fields.
    """

    number: int
    ended: str = DONE
    attempts: dict[str, CellOutcome] = field(default_factory=dict)
    changed: bool = False
    seconds: float = 0.0
    calls: list[dict[str, Any]] = field(default_factory=list)


def parse_result(said: dict[str, Any]) -> AnswerTaskResult:
    """The result that was said as JSON, by its fields."""
    attempts = {test: CellOutcome(**attempt) for test, attempt in said["attempts"].items()}
    return AnswerTaskResult(**{**said, "attempts": attempts})
