"""What is tried: the written answers, right answers with other inputs, mutants of these, and cheats."""

from dataclasses import dataclass

from gradebox.answer_runner.answer_tasks import DIED, AnswerTask, AnswerTaskResult
from gradebox.answer_runner.generic_cheats import CALLS_PREFIX, CHEATS
from gradebox.answer_runner.input_variants import INPUT_VARIANTS
from gradebox.audit.equivalent_mutants import AuditDeclarations
from gradebox.audit.mutants import Mutant, generate_mutants
from gradebox.course import CourseError
from gradebox.execute.lesson import Lesson
from gradebox.release.answer_files import REFERENCE, Answer
from gradebox.static_analysis.test_names import assigned_names


@dataclass(frozen=True)
class Candidate:
    """One thing to try: the reference, or something that the other fields say.

    answer: the title of the answer that it is, or is made from, or "reference"; of a cheat, its own. written:
    the answer in `answers/` that it is. inputs: the form that arguments are given (see
    `answer_runner/input_variants.py`). mutant: what was changed in a right answer. cheat: whether it solves
    nothing. judged: whether the tests run in a process of their own.
    """

    exercise: str
    answer: str
    source: str
    written: Answer | None = None
    inputs: str | None = None
    mutant: Mutant | None = None
    cheat: bool = False
    judged: bool = False

    def task(self, number: int, own: tuple[str, ...], later: tuple[str, ...]) -> AnswerTask:
        """How it is tried. own: the test cells of its exercise. later: all that follow the solution.

        A written answer says which tests fail with it, also those of later exercises.
        """
        return AnswerTask(
            number,
            self.exercise,
            self.source,
            later if self.written else own,
            inputs=self.inputs,
            cheat=self.answer if self.cheat else None,
            whole=self.written is not None,
            judged=self.judged,
        )


def build_candidates(
    lesson: Lesson, written: list[Answer], declared: AuditDeclarations, only: str | None, with_mutants: bool
) -> list[Candidate]:
    """Everything to try in a notebook, the reference first in each exercise. only: of this exercise."""
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
                raise CourseError(f"{exercise}, {title!r} is no Python: {error}") from None
            found += [Candidate(exercise, title, mutant.source, mutant=mutant) for mutant in changed]
        called = assigned_names(*(lesson.solutions[earlier] for earlier in lesson.builds_on[exercise]))
        cheats = [*CHEATS, *(CALLS_PREFIX + name for name in sorted(called))]
        # In the tests' own process, one could agree with everything.
        found += [Candidate(exercise, cheat, solution, cheat=True, judged=True) for cheat in cheats]
    return found


@dataclass(frozen=True)
class CandidateResult:
    """A subject, and what came of it."""

    subject: Candidate
    result: AnswerTaskResult

    @property
    def problem(self) -> str | None:
        """Why it was the audit that failed, and not the answer; None if it wasn't."""
        problem = "its process died" if self.result.ended == DIED else None
        for test, attempt in self.result.attempts.items():
            if not attempt.passed and attempt.origin is None:
                problem = f"{test}: {attempt.error}: {attempt.message}, in no cell's code"
        mutant = self.subject.mutant
        if problem and mutant:
            return f"{mutant.was!r} to {mutant.becomes!r}: {problem}"
        return problem
