"""Classify the results of an audit and collect the findings.

Points are computed by the code that grades students. Called by `run_audit.py`.
"""

from gradebox.answer_runner.answer_tasks import ENDLESS, AnswerTaskResult, CellOutcome
from gradebox.answer_runner.generic_cheats import CALLS_PREFIX
from gradebox.audit.audit_candidates import Candidate, CandidateResult
from gradebox.audit.audit_results import (
    LOCATED,
    NAMED,
    RAW,
    UNSEEN,
    AuditFinding,
    ExerciseAudit,
    FindingKind,
    NotebookAudit,
    SurvivingMutant,
)
from gradebox.audit.equivalent_mutants_file import AuditDeclarations, MutantKey
from gradebox.audit.mutants import Mutant
from gradebox.audit.test_points_and_visibility import AuditTestCells, describe_failures
from gradebox.check_engine.array_diff import NOWHERE
from gradebox.execute.lesson import Lesson
from gradebox.notebook_exercises import find_graded_cells
from gradebox.release.read_answers_folder import REFERENCE, Answer
from gradebox.static_analysis.cell_names import assigned_names, used_names


class ResultClassifier:
    """Classifier of the results of one notebook.

    used: the declared equivalents that matched a surviving mutant. told: the lines of test cells that were
    already reported for revealing a number.
    """

    def __init__(self, assignment: str, lesson: Lesson, tests: AuditTestCells, declared: AuditDeclarations):
        self.lesson, self.tests, self.declared = lesson, tests, declared
        self.numbers = {cell.grade_id: cell.number for cell in find_graded_cells(lesson.source, "")}
        self.used: set[MutantKey] = set()
        self.told: set[tuple[str, int | None]] = set()
        self.audited = NotebookAudit(assignment, {}, [])

    def on(self, tried: list[CandidateResult], with_mutants: bool) -> NotebookAudit:
        """Classify all candidates of a notebook and check the declarations. Return the audit."""
        for one in tried:
            exercise = self.exercise(one.subject.exercise)
            if one.problem:
                self.find(FindingKind.HARNESS, one.subject, one.problem)
                continue
            self.classify_result(one.subject, one.result, exercise)
            self.find_leak(one)
        if with_mutants:
            self.find_stale_declarations()
        self.find_undeclared_dependencies()
        self.audited.findings.sort(key=lambda finding: list(FindingKind).index(finding.kind))
        return self.audited

    def classify_result(self, subject: Candidate, result: AnswerTaskResult, exercise: ExerciseAudit) -> None:
        """Classify the result of one candidate."""
        if subject.cheat:
            self.cheat(subject, result, exercise)
        elif subject.mutant:
            self.mutant(subject, subject.mutant, result, exercise)
        elif subject.inputs:
            self.classify_input_variant(subject, result, exercise)
        elif subject.written and not subject.written.right:
            self.wrong(subject, subject.written, result, exercise)
        else:
            self.right(subject, result, exercise)

    def exercise(self, name: str) -> ExerciseAudit:
        """Return the audit of an exercise, creating it if necessary."""
        tests = self.lesson.tests[name]
        return self.audited.exercises.setdefault(name, ExerciseAudit(name, self.numbers[tests[0]], tests))

    def find(self, kind: FindingKind, subject: Candidate, what: str) -> None:
        """Add a finding."""
        self.audited.findings.append(AuditFinding(kind, subject.exercise, subject.answer, what))

    def right(self, subject: Candidate, result: AnswerTaskResult, exercise: ExerciseAudit) -> None:
        """Record a right answer or the reference, which must pass all tests."""
        exercise.right += 1
        allowed = subject.written.fails if subject.written else ()
        failed = {test: seen for test, seen in self.tests.failed(result).items() if test not in allowed}
        if failed or result.ended == ENDLESS:
            self.find(FindingKind.LOSES, subject, describe_failures(result, failed))

    def wrong(
        self, subject: Candidate, written: Answer, result: AnswerTaskResult, exercise: ExerciseAudit
    ) -> None:
        """Record a wrong answer, which must fail as declared."""
        exercise.wrong += 1
        failed = self.tests.failed(result)
        # Students see the visible failures first.
        own = sorted((test for test in failed if test in exercise.tests), key=lambda test: not failed[test])
        if own:
            how = self.classify_message(exercise, result.attempts[own[0]], failed[own[0]], written.says)
            exercise.told[how] = exercise.told.get(how, 0) + 1
            what = describe_unexpected_failure(written, result, failed, own[0])
            if what:
                self.find(FindingKind.OTHERWISE, subject, what)
        else:
            self.find(
                FindingKind.OTHERWISE if result.ended == ENDLESS else FindingKind.PASSES,
                subject,
                describe_failures(result, failed),
            )

    def classify_input_variant(
        self, subject: Candidate, result: AnswerTaskResult, exercise: ExerciseAudit
    ) -> None:
        """Record a right answer with other inputs, which must pass all tests."""
        failed = self.tests.failed(result)
        if result.changed or result.ended == ENDLESS:
            exercise.inputs += 1
            if failed or result.ended == ENDLESS:
                exercise.alarms += 1
                self.find(
                    FindingKind.ALARM, subject, f"{subject.inputs}: {describe_failures(result, failed)}"
                )

    def mutant(
        self, subject: Candidate, mutant: Mutant, result: AnswerTaskResult, exercise: ExerciseAudit
    ) -> None:
        """Record a mutant, which must fail or be listed as equivalent."""
        exercise.mutants += 1
        failed = self.tests.failed(result)
        if result.ended == ENDLESS or any(test in exercise.tests for test in failed):
            exercise.caught += 1
            exercise.endless += result.ended == ENDLESS
            return
        entry, reason = self.declared.entry(exercise.name, subject.answer, mutant), None
        if entry:
            self.used.add(entry)
            reason = self.declared.reasons[entry]
        else:
            self.find(FindingKind.SURVIVES, subject, f"{mutant.was!r} becomes {mutant.becomes!r}")
        change = mutant.operator, mutant.was, mutant.becomes, mutant.nth
        exercise.survivors.append(SurvivingMutant(subject.answer, *change, tuple(result.attempts), reason))

    def classify_message(
        self, exercise: ExerciseAudit, attempt: CellOutcome, visible: bool, says: str
    ) -> str:
        """Return the kind of a failure message: NAMED, LOCATED, RAW or UNSEEN.

        says: words that the answer declares for the message; if they occur, the message is NAMED.
        """
        known = self.lesson.messages.get(exercise.name, {"advice": {}})["advice"]
        last = last_line(attempt.message)
        if not visible:
            return UNSEEN
        if last in known.values() or (says and says in attempt.message):
            return NAMED
        return RAW if attempt.error != "AssertionError" or last.startswith(NOWHERE) else LOCATED

    def cheat(self, subject: Candidate, result: AnswerTaskResult, exercise: ExerciseAudit) -> None:
        """Record a generic cheat, which may not earn a point in any test."""
        exercise.cheats += 1
        won = [test for test, attempt in result.attempts.items() if self.tests.points(test, attempt)[0] > 0]
        if won:
            why = ", an exercise in its builds_on" if subject.answer.startswith(CALLS_PREFIX) else ""
            found = AuditFinding(FindingKind.CHEATED, exercise.name, subject.answer + why, ", ".join(won))
            self.audited.findings.append(found)

    def find_leak(self, one: CandidateResult) -> None:
        """Report hidden numbers that a student's page would show, once per line of a test."""
        for test, attempt in one.result.attempts.items():
            line = self.tests.find_leak(test, attempt)
            if line and (test, attempt.line) not in self.told:
                self.told.add((test, attempt.line))
                self.find(FindingKind.TELLS, one.subject, f"{test}: {line!r}")

    def find_stale_declarations(self) -> None:
        """Report declared equivalents that no surviving mutant matches."""
        for name, answer, was, becomes, _ in sorted(self.declared.reasons.keys() - self.used):
            if name in self.audited.exercises:
                what = f"no surviving mutant changes {was!r} to {becomes!r}"
                self.audited.findings.append(AuditFinding(FindingKind.STALE, name, answer, what))

    def find_undeclared_dependencies(self) -> None:
        """Report references that use an exercise not declared in their `builds_on`."""
        for exercise in self.audited.exercises:
            needed = self.lesson.builds_on[exercise] | {exercise}
            for other, text in self.lesson.solutions.items():
                used = assigned_names(text) & used_names(self.lesson.solutions[exercise])
                if used and other not in needed:
                    what = f"the reference uses {', '.join(sorted(used))} of {other}"
                    self.audited.findings.append(AuditFinding(FindingKind.BUILDS, exercise, REFERENCE, what))


def last_line(message: str) -> str:
    """Return the last line of a message, which contains the advice."""
    return (message.splitlines() or [""])[-1]


def describe_unexpected_failure(
    answer: Answer, result: AnswerTaskResult, failed: dict[str, bool], first: str
) -> str | None:
    """Return the difference between a wrong answer's failure and its declaration; None if they agree.

    failed: the test cells that fail, with True if a student sees the failure. first: the test cell of the
    answer's exercise whose failure a student sees first.
    """
    more, less = sorted(failed.keys() - set(answer.fails)), sorted(set(answer.fails) - failed.keys())
    what = [f"fails {', '.join(more)}, too"] * bool(more) + [f"passes {', '.join(less)}"] * bool(less)
    if what:
        return "; ".join(what)
    attempt = result.attempts[first]
    if answer.says not in f"{attempt.error}: {attempt.message}":
        return f"the message is {attempt.message!r}, not {answer.says!r}"
    if answer.advice and failed[first] and last_line(attempt.message) != answer.advice:
        return f"the advice is {last_line(attempt.message)!r}, not {answer.advice!r}"
    if failed[first] != answer.visible:
        return (
            "a visible assert catches the answer"
            if failed[first]
            else "only a hidden assert catches the answer"
        )
    return None
