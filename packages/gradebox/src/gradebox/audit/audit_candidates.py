"""Candidates of an audit: the written answers, right answers with other inputs, mutants and cheats."""

from collections.abc import Set
from dataclasses import dataclass
from functools import partial

from nbgrader.preprocessors import ClearHiddenTests

from gradebox.answer_runner.answer_tasks import DIED, AnswerTask, AnswerTaskResult
from gradebox.answer_runner.equivalent_arguments import INPUT_VARIANTS
from gradebox.answer_runner.generic_cheats import CALLS_PREFIX, CHEATS
from gradebox.audit.cheats_from_tests import write_cheats_from_tests
from gradebox.audit.equivalent_mutants_file import AuditDeclarations
from gradebox.audit.mutants import Mutant, generate_mutants
from gradebox.course import CourseError
from gradebox.execute.lesson import Lesson
from gradebox.release.read_answers_folder import REFERENCE, Answer
from gradebox.static_analysis.cell_names import assigned_names


@dataclass(frozen=True)
class Candidate:
    """An answer to run against the tests. With only the first three fields, the reference.

    answer: the title of the answer on which the candidate is based, or "reference"; for a cheat, the
    cheat's title. source: the code. written: the answer in `answers/`, if the candidate is one. inputs: the
    input variant of the arguments (see `answer_runner/equivalent_arguments.py`). mutant: the change to a
    right answer. cheat: True for a cheat. hidden_part: for a generic cheat, the text in the line above the
    hidden part of a test; "" if the cheat's code is `source`. judged: True if the tests run in a separate
    process.
    """

    exercise: str
    answer: str
    source: str
    written: Answer | None = None
    inputs: str | None = None
    mutant: Mutant | None = None
    cheat: bool = False
    hidden_part: str = ""
    judged: bool = False

    def task(
        self, number: int, own: tuple[str, ...], later: tuple[str, ...], comment_tests: Set[str]
    ) -> AnswerTask:
        """Return the task that runs this candidate.

        own: the test cells of its exercise. later: all test cells after the solution. A written answer runs
        against these, because its `fails` may name tests of later exercises. comment_tests: the tests of
        shape comments, which other candidates do not have.
        """
        return AnswerTask(
            number,
            self.exercise,
            self.source,
            later if self.written else tuple(test for test in own if test not in comment_tests),
            inputs=self.inputs,
            cheat=self.answer if self.hidden_part else None,
            hidden_part=self.hidden_part,
            whole=self.written is not None,
            judged=self.judged,
        )


def build_candidates(
    lesson: Lesson,
    written: list[Answer],
    declared: AuditDeclarations,
    only: str | None,
    with_mutants: bool,
    marks: ClearHiddenTests,
) -> list[Candidate]:
    """Return the candidates of a notebook; in each exercise, the reference is the first.

    only: include only this exercise. marks: the delimiters of hidden tests. Raises CourseError if a right
    answer is not valid Python.
    """
    found: list[Candidate] = []
    for exercise, solution in lesson.solutions.items():
        if not lesson.tests[exercise] or only not in (None, exercise):
            continue
        own = [answer for answer in written if answer.exercise == exercise]
        found.append(Candidate(exercise, REFERENCE, solution))
        found += [Candidate(exercise, answer.title, answer.source, written=answer) for answer in own]
        right = [(REFERENCE, solution), *((answer.title, answer.source) for answer in own if answer.right)]
        for title, text in right:
            forms = declared.inputs.get(exercise, INPUT_VARIANTS)
            found += [Candidate(exercise, title, text, inputs=form) for form in forms]
            try:
                changed = generate_mutants(text) if with_mutants else []
            except SyntaxError as error:
                raise CourseError(f"{exercise}, {title!r} is not valid Python: {error}") from None
            found += [Candidate(exercise, title, mutant.source, mutant=mutant) for mutant in changed]
        called = assigned_names(*(lesson.solutions[earlier] for earlier in lesson.builds_on[exercise]))
        cheats = [*CHEATS, *(CALLS_PREFIX + name for name in sorted(called))]
        # Run cheats in a separate process: in the tests' process, an object can compare equal to anything.
        generic = partial(Candidate, cheat=True, hidden_part=marks.begin_test_delimeter, judged=True)
        found += [generic(exercise, cheat, solution) for cheat in cheats]
        # These cheats need `check`, which exists only in the tests' process.
        asking = write_cheats_from_tests(lesson, exercise, marks)
        found += [Candidate(exercise, *cheat, cheat=True) for cheat in asking.items()]
    return found


@dataclass(frozen=True)
class CandidateResult:
    """A candidate and its result."""

    subject: Candidate
    result: AnswerTaskResult

    @property
    def problem(self) -> str | None:
        """The reason if the audit itself failed instead of the answer; None if the result is valid."""
        problem = "the answer's process died" if self.result.ended == DIED else None
        for test, attempt in self.result.attempts.items():
            if not attempt.passed and attempt.origin is None:
                problem = f"{test}: {attempt.error}: {attempt.message} (not raised in the code of a cell)"
        mutant = self.subject.mutant
        if problem and mutant:
            return f"{mutant.was!r} to {mutant.becomes!r}: {problem}"
        return problem
