"""What the results of an audit mean. Points come from the code that grades students."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_output
from nbgrader import utils

from gradebox.audit.cheats import CALLS
from gradebox.audit.equivalents import Declared, Key, key
from gradebox.audit.stage import DIED, ENDLESS, Attempt, Result
from gradebox.audit.subjects import Subject
from gradebox.code.names import answered_names, used_names
from gradebox.grade.score import evidence
from gradebox.notebook import graded_cells, hidden_lines, name_of, own_tests, reference
from gradebox.record import FAILED, OK, record
from gradebox.release.answers import REFERENCE
from gradebox.report.feedback import general
from gradebox.run.lesson import builds_on

HIDDEN, END_HIDDEN = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
# What can be wrong, in the order in which it is shown.
LOSES = "a right answer loses points"
PASSES = "a wrong answer keeps full marks"
OTHERWISE = "a wrong answer fails otherwise than it says"
SURVIVES = "a mutant keeps full marks and is not listed as equivalent"
ALARM = "a right answer fails with inputs that it should take"
STALE = "a listed equivalent is none"
CHEATED = "a generic cheat earns points"
TELLS = "the first line of a hidden assert's message tells a number"
BUILDS = "what an exercise builds on is not what it says"
APART = "an answer fares otherwise with the tests in a process of their own"
HARNESS = "the audit itself failed"
KINDS = (LOSES, PASSES, CHEATED, OTHERWISE, SURVIVES, ALARM, TELLS, BUILDS, STALE, APART, HARNESS)
# A number with a fraction, or a shape.
NUMBER = re.compile(r"\d+\.\d*|\d+e[+-]?\d+|\(\d+,[\d, ]*\)|\b(?:nan|inf)\b")


@dataclass(frozen=True)
class Finding:
    """Something for the author to mend. what: in one line."""

    kind: str
    exercise: str
    answer: str
    what: str


@dataclass(frozen=True)
class Survivor:
    """A mutant that kept full marks. reason: why that is right, as the author says; None if not listed."""

    answer: str
    operator: str
    was: str
    becomes: str
    nth: int
    passed: tuple[str, ...]
    reason: str | None


@dataclass(frozen=True)
class Row:
    """A written answer against the test cells: those that it fails, each with whether a student sees it."""

    answer: str
    right: bool
    failed: dict[str, bool]


@dataclass
class Exercise:
    """What was tried in one exercise, and what came of it.

    number: as in its heading; the grade_id of its first test cell where there is none. right, wrong,
    mutants, cheats, inputs: how many of each; inputs only where an argument was changed, and alarms of these.
    endless: mutants that had to be stopped. wrong_visible, caught_visible: how many wrong answers and mutants
    a visible assert catches. catches: for each own test cell, how often each of its lines failed. alone: for
    each, the wrong answers and mutants that no other of them catches.
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
    survivors: list[Survivor] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    catches: dict[str, dict[int, int]] = field(default_factory=dict)
    alone: dict[str, int] = field(default_factory=dict)

    @property
    def unlisted(self) -> int:
        return sum(survivor.reason is None for survivor in self.survivors)


@dataclass
class Audited:
    """One notebook's audit."""

    assignment: str
    exercises: dict[str, Exercise]
    findings: list[Finding]
    cells: dict[str, str]
    seconds: float = 0.0


def points(cell: NotebookNode, attempt: Attempt) -> tuple[float, float]:
    """What a student gets for a test cell that went like this, and the most that there is."""
    graded = new_code_cell(cell.source, metadata={"nbgrader": cell.metadata.nbgrader})
    record(graded, OK if attempt.passed else FAILED)
    if not attempt.passed:
        graded.outputs = [new_output("error", ename=attempt.error, evalue=attempt.message, traceback=[])]
    elif attempt.value is not None:
        graded.outputs = [new_output("execute_result", data={"text/plain": attempt.value})]
    return utils.determine_grade(evidence(graded))


class Verdicts:
    """On the subjects of one notebook."""

    def __init__(self, assignment: str, source: NotebookNode, declared: Declared):
        self.declared, self.source = declared, source
        self.tests = own_tests(source)
        self.cells = {
            name_of(cell): cell for cell in source.cells if utils.is_grade(cell) and cell.cell_type == "code"
        }
        self.numbers = {cell.grade_id: cell.number for cell in graded_cells(source, "")}
        self.used: set[Key] = set()
        self.told: set[tuple[str, str]] = set()
        self.released = released(source)
        self.audited = Audited(assignment, {}, [], {name: cell.source for name, cell in self.cells.items()})

    def compare(self, together: list[Subject], apart: list[Subject]) -> None:
        """Note each subject that has other scores or messages with the tests in a process of their own."""
        for one, other in zip(together, apart, strict=True):
            before, after = fared(one.result), fared(other.result)
            for test in before.keys() | after.keys():
                if before.get(test) != after.get(test):
                    what = f"{test}: {before.get(test)} becomes {after.get(test)}"
                    self.find(APART, one.exercise, one.answer, what)

    def on(self, subjects: list[Subject], with_mutants: bool) -> Audited:
        """The verdict on all subjects of a notebook, and on what is declared of them."""
        for subject in subjects:
            exercise = self.exercise(subject.exercise)
            if self.is_sound(subject):
                getattr(self, subject.kind)(subject, exercise)
                self.tells(subject)
        for exercise, answer, was, becomes, _ in sorted(self.declared.reasons.keys() - self.used):
            if with_mutants and exercise in self.audited.exercises:
                self.find(STALE, exercise, answer, f"no surviving mutant changes {was!r} to {becomes!r}")
        self.builds(self.audited.exercises.keys())
        self.audited.findings.sort(key=lambda finding: KINDS.index(finding.kind))
        return self.audited

    def exercise(self, name: str) -> Exercise:
        tests = self.tests[name]
        new = Exercise(
            name,
            self.numbers[tests[0]],
            tests,
            catches={test: {} for test in tests},
            alone=dict.fromkeys(tests, 0),
        )
        return self.audited.exercises.setdefault(name, new)

    def find(self, kind: str, exercise: str, answer: str, what: str) -> None:
        self.audited.findings.append(Finding(kind, exercise, answer, what))

    def is_sound(self, subject: Subject) -> bool:
        """Whether it was the answer that passed or failed, and not the audit."""
        result = subject.result
        problem = None
        if result.ended == DIED:
            problem = "its process died"
        elif result.ended != ENDLESS:
            for test, attempt in result.attempts.items():
                if not attempt.passed and attempt.origin is None:
                    problem = f"{test}: {attempt.error}: {attempt.message}, in no cell's code"
        if problem:
            change = f"{subject.mutant.was!r} to {subject.mutant.becomes!r}: " if subject.mutant else ""
            self.find(HARNESS, subject.exercise, subject.answer, change + problem)
        return problem is None

    def failed(self, result: Result) -> list[str]:
        """The test cells that don't give all their points, in order."""
        scores = {test: points(self.cells[test], attempt) for test, attempt in result.attempts.items()}
        return [test for test, (earned, most) in scores.items() if earned < most]

    def first(self, subject: Subject, failed: list[str]) -> tuple[str, Attempt] | None:
        """The first own test cell that failed, and how."""
        own = [test for test in failed if test in self.tests[subject.exercise]]
        return (own[0], subject.result.attempts[own[0]]) if own else None

    def is_visible(self, test: str, attempt: Attempt) -> bool:
        """Whether a student sees this failure before handing in. What stands after hidden asserts is seen."""
        lines = self.cells[test].source.splitlines()
        hidden = next((n for n, line in enumerate(lines, 1) if HIDDEN in line), len(lines) + 1)
        return not attempt.passed and attempt.line is not None and attempt.line < hidden

    def seen(self, result: Result, failed: list[str]) -> dict[str, bool]:
        return {test: self.is_visible(test, result.attempts[test]) for test in failed}

    def says(self, result: Result, tests: list[str]) -> str:
        if result.ended == ENDLESS:
            return "it doesn't end"
        return "; ".join(
            f"{test}: {result.attempts[test].error}: {result.attempts[test].message.strip()}"
            for test in tests
        )

    def right(self, subject: Subject, exercise: Exercise) -> None:
        exercise.right += 1
        failed = self.failed(subject.result)
        if failed or subject.result.ended == ENDLESS:
            self.find(LOSES, exercise.name, subject.answer, self.says(subject.result, failed))
        if subject.written:
            exercise.rows.append(Row(subject.answer, True, self.seen(subject.result, failed)))

    def wrong(self, subject: Subject, exercise: Exercise) -> None:
        exercise.wrong += 1
        answer, failed = subject.written, self.failed(subject.result)
        first = self.first(subject, failed)
        visible = bool(first and self.is_visible(*first))
        exercise.wrong_visible += visible
        exercise.rows.append(Row(subject.answer, False, self.seen(subject.result, failed)))
        self.count(subject, exercise, failed)
        if not first:
            kind = OTHERWISE if subject.result.ended == ENDLESS else PASSES
            self.find(kind, exercise.name, subject.answer, self.says(subject.result, failed))
        elif set(failed) != set(answer.fails):
            more, less = sorted(set(failed) - set(answer.fails)), sorted(set(answer.fails) - set(failed))
            what = [f"fails {', '.join(more)}, too"] * bool(more) + [f"passes {', '.join(less)}"] * bool(less)
            self.find(OTHERWISE, exercise.name, subject.answer, "; ".join(what))
        elif answer.says not in f"{first[1].error}: {first[1].message}":
            self.find(
                OTHERWISE, exercise.name, subject.answer, f"says {first[1].message!r}, not {answer.says!r}"
            )
        elif visible != answer.visible:
            what = "a visible assert catches it" if visible else "only a hidden assert catches it"
            self.find(OTHERWISE, exercise.name, subject.answer, what)

    def other_inputs(self, subject: Subject, exercise: Exercise) -> None:
        failed = self.failed(subject.result)
        if subject.result.changed or subject.result.ended == ENDLESS:
            exercise.inputs += 1
            if failed or subject.result.ended == ENDLESS:
                exercise.alarms += 1
                what = f"{subject.inputs}: {self.says(subject.result, failed)}"
                self.find(ALARM, exercise.name, subject.answer, what)

    def mutant(self, subject: Subject, exercise: Exercise) -> None:
        exercise.mutants += 1
        if subject.result.ended == ENDLESS:
            exercise.endless += 1
            exercise.caught += 1
            return
        failed = self.failed(subject.result)
        if failed:
            exercise.caught += 1
            exercise.caught_visible += self.is_visible(*self.first(subject, failed))
            self.count(subject, exercise, failed)
            return
        entry = self.declared.entry(key(exercise.name, subject.answer, subject.mutant))
        reason = self.declared.reasons.get(entry)
        self.used.add(entry)
        mutant, answer = subject.mutant, subject.answer
        change = mutant.operator, mutant.was, mutant.becomes, mutant.nth
        exercise.survivors.append(Survivor(answer, *change, tuple(subject.result.attempts), reason))
        if reason is None:
            self.find(SURVIVES, exercise.name, answer, f"{mutant.was!r} becomes {mutant.becomes!r}")

    def cheat(self, subject: Subject, exercise: Exercise) -> None:
        exercise.cheats += 1
        attempts = subject.result.attempts
        won = [test for test in exercise.tests if test in attempts and self.earns(test, attempts[test])]
        if won:
            calls = subject.answer.startswith(CALLS)
            why = ", an exercise that it says it builds on" if calls else ""
            self.find(CHEATED, exercise.name, subject.answer + why, ", ".join(won))

    def earns(self, test: str, attempt: Attempt) -> bool:
        return points(self.cells[test], attempt)[0] > 0

    def tells(self, subject: Subject) -> None:
        """Find what a student's page would show of hidden numbers, once for each such line."""
        for test, attempt in subject.result.attempts.items():
            if attempt.passed or attempt.error != "AssertionError" or self.is_visible(test, attempt):
                continue
            line = general(attempt.message)
            numbers = [number for number in NUMBER.findall(line) if number not in self.released]
            if numbers and (test, str(attempt.line)) not in self.told:
                self.told.add((test, str(attempt.line)))
                self.find(TELLS, subject.exercise, subject.answer, f"{test}: {line!r}")

    def builds(self, exercises: Collection[str]) -> None:
        """Find references that use an exercise which they don't say that they build on."""
        solutions = reference(self.source)
        for exercise, needed in builds_on(self.source).items():
            for other, text in solutions.items() if exercise in exercises else ():
                used = answered_names(text) & used_names(solutions[exercise])
                if used and other != exercise and other not in needed:
                    what = f"the reference uses {', '.join(sorted(used))} of {other}"
                    self.find(BUILDS, exercise, REFERENCE, what)

    def count(self, subject: Subject, exercise: Exercise, failed: list[str]) -> None:
        """Note which test cells, and which of their lines, caught something."""
        own = [test for test in failed if test in exercise.tests]
        for test in own:
            line = subject.result.attempts[test].line
            if line:
                exercise.catches[test][line] = exercise.catches[test].get(line, 0) + 1
        if len(own) == 1:
            exercise.alone[own[0]] += 1


def released(source: NotebookNode) -> str:
    """The text that students get to see."""
    found = []
    for cell in source.cells:
        hidden = hidden_lines(cell, HIDDEN, END_HIDDEN)
        lines = enumerate(cell.source.splitlines(), 1)
        if not utils.is_solution(cell):
            found += [line for number, line in lines if number not in hidden]
    return "\n".join(found)


def fared(result: Result) -> dict[str, tuple]:
    """What a student would see of each test: whether it passed, its value, the error and its message."""
    ended = {"": (result.ended,)}
    return ended | {name: (a.passed, a.value, a.error, a.message) for name, a in result.attempts.items()}
