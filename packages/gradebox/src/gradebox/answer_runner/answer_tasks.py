"""Requests to the process that runs answers, and its results (see `answer_process.py`)."""

from dataclasses import dataclass, field
from typing import Any

from gradebox.judge.instructor_notebook_facts import NotebookFacts

# Ways in which a fork can end: with a result, at its time limit, or without a result.
DONE, ENDLESS, DIED = "done", "endless", "died"


@dataclass(frozen=True)
class PlanCell:
    """A code cell of the notebook.

    name: the cell's grade_id. source: its text; for a solution, the reference. students, judges: True if the
    student's process, or the judge, executes the cell when tests run in a separate process. is_test: True for
    a test cell. returned: names that belong to the student again at this point (see
    `execute/cell_roles.py`). shared: names of a test that later student cells may use (see
    `execute/names_from_tests.py`). student_source: the text that the student's process executes when
    tests run in a separate process, if different.
    """

    name: str
    source: str
    students: bool
    judges: bool
    is_test: bool = False
    returned: frozenset[str] = frozenset()
    shared: frozenset[str] = frozenset()
    student_source: str | None = None


@dataclass(frozen=True)
class AnswerTask:
    """An answer to run in place of a solution.

    number: index of the task in the list of tasks. exercise: grade_id of the solution cell. source: the
    answer's code. tests: the test cells to run; the notebook ends with the last of them. inputs: the
    transformation applied to the solution's arguments (see `equivalent_arguments.py`), or None. cheat: the
    generic cheat that replaces the functions of the answer (see `generic_cheats.py`), or None. hidden_part:
    the text in the line above the hidden part of a test, where the cheat begins. whole: True if the tests of
    later exercises run, too, which takes longer. judged: True if tests run in a separate process, as in
    grading. calls: True if only the calls of the tests are recorded (see `record_check_calls.py`).
    """

    number: int
    exercise: str
    source: str
    tests: tuple[str, ...]
    inputs: str | None = None
    cheat: str | None = None
    hidden_part: str = ""
    whole: bool = False
    judged: bool = False
    calls: bool = False


@dataclass(frozen=True)
class AnswerPlan:
    """A notebook and the tasks to run in it.

    cells: the notebook's code cells that are graded or given. imports, facts: data for the judge (see
    `execute/lesson.py`). forks: number of concurrent forks. preload: modules to import at the start.
    """

    cells: list[PlanCell]
    tasks: list[AnswerTask]
    imports: str
    facts: NotebookFacts
    forks: int
    preload: tuple[str, ...]


@dataclass
class CellOutcome:
    """The outcome of one executed cell.

    passed: True if the cell ran to its end. value: `repr` of the last line's value, for tests with partial
    credit. error, message: the name and text of the exception. line: the line of the cell in the traceback,
    counted from 1. origin: the cell whose code raised the exception; None if no cell's code did.
    """

    passed: bool
    value: str | None = None
    error: str = ""
    message: str = ""
    line: int | None = None
    origin: str | None = None


@dataclass
class AnswerTaskResult:
    """The result of a task.

    number: the task's number. ended: DONE, ENDLESS or DIED. attempts: the outcomes of the test cells, by
    grade_id. changed: True if `inputs` changed any argument. seconds: CPU seconds used. calls: the calls of
    the tests (see `record_check_calls.py`), each as a dict of its fields.
    """

    number: int
    ended: str = DONE
    attempts: dict[str, CellOutcome] = field(default_factory=dict)
    changed: bool = False
    seconds: float = 0.0
    calls: list[dict[str, Any]] = field(default_factory=list)


def parse_result(said: dict[str, Any]) -> AnswerTaskResult:
    """Return the result from its deserialized JSON."""
    attempts = {test: CellOutcome(**attempt) for test, attempt in said["attempts"].items()}
    return AnswerTaskResult(**{**said, "attempts": attempts})
