"""What is tried: the written answers, right answers with other inputs, mutants of these, and cheats."""

from dataclasses import dataclass, field, replace

from gradebox.audit.equivalents import Declared
from gradebox.audit.mutants import Mutant, mutants
from gradebox.code.names import answered_names
from gradebox.course import CourseError
from gradebox.release.answers import REFERENCE, Answer
from gradebox.run.lesson import Lesson
from gradebox.trial.cheats import CALLS, CHEATS
from gradebox.trial.inputs import CHANGES
from gradebox.trial.plan import DIED, Result, Task


@dataclass(frozen=True)
class Subject:
    """One thing to try.

    answer: the title of the answer that it is, or is made from, or "reference"; of a cheat, its own. judged:
    whether the tests run in a process of their own.
    """

    exercise: str
    answer: str
    source: str
    judged: bool = field(default=False, kw_only=True)

    def task(self, number: int, own: tuple[str, ...], later: tuple[str, ...]) -> Task:
        """How it is tried. own: the test cells of its exercise. later: all that follow the solution."""
        return Task(number, self.exercise, self.source, own, judged=self.judged)


@dataclass(frozen=True)
class Reference(Subject):
    """The solution in the notebook itself."""


@dataclass(frozen=True)
class Written(Subject):
    """An answer in `answers/`. It says which tests fail with it, also those of later exercises."""

    written: Answer

    def task(self, number: int, own: tuple[str, ...], later: tuple[str, ...]) -> Task:
        return replace(super().task(number, own, later), tests=later, whole=True)


@dataclass(frozen=True)
class OtherInputs(Subject):
    """A right answer with arguments of another form. inputs: that form (see `inputs.py`)."""

    inputs: str

    def task(self, number: int, own: tuple[str, ...], later: tuple[str, ...]) -> Task:
        return replace(super().task(number, own, later), inputs=self.inputs)


@dataclass(frozen=True)
class Mutated(Subject):
    """A right answer that was changed in one place."""

    mutant: Mutant


@dataclass(frozen=True)
class Cheating(Subject):
    """An answer that solves nothing. In the tests' own process, one could agree with everything."""

    judged: bool = field(default=True, kw_only=True)

    def task(self, number: int, own: tuple[str, ...], later: tuple[str, ...]) -> Task:
        return replace(super().task(number, own, later), cheat=self.answer)


def subjects(
    lesson: Lesson, written: list[Answer], declared: Declared, only: str | None, with_mutants: bool
) -> list[Subject]:
    """Everything to try in a notebook, the reference first in each exercise. only: of this exercise."""
    found: list[Subject] = []
    for exercise, solution in lesson.solutions.items():
        if not lesson.tests[exercise] or only not in (None, exercise):
            continue
        own = [answer for answer in written if answer.exercise == exercise]
        found.append(Reference(exercise, REFERENCE, solution))
        found += [Written(exercise, answer.title, answer.source, answer) for answer in own]
        right = [(REFERENCE, solution), *((answer.title, answer.source) for answer in own if answer.right)]
        for title, text in right:
            forms = declared.inputs.get(exercise, CHANGES)
            found += [OtherInputs(exercise, title, text, inputs) for inputs in forms]
            try:
                changed = mutants(text) if with_mutants else []
            except SyntaxError as error:
                raise CourseError(f"{exercise}, {title!r} is no Python: {error}") from None
            found += [Mutated(exercise, title, mutant.source, mutant) for mutant in changed]
        called = answered_names(*(lesson.solutions[earlier] for earlier in lesson.builds_on[exercise]))
        cheats = [*CHEATS, *(CALLS + name for name in sorted(called))]
        found += [Cheating(exercise, cheat, solution) for cheat in cheats]
    return found


@dataclass(frozen=True)
class Tried:
    """A subject, and what came of it."""

    subject: Subject
    result: Result

    @property
    def problem(self) -> str | None:
        """Why it was the audit that failed, and not the answer; None if it wasn't."""
        problem = "its process died" if self.result.ended == DIED else None
        for test, attempt in self.result.attempts.items():
            if not attempt.passed and attempt.origin is None:
                problem = f"{test}: {attempt.error}: {attempt.message}, in no cell's code"
        if problem and isinstance(self.subject, Mutated):
            return f"{self.subject.mutant.was!r} to {self.subject.mutant.becomes!r}: {problem}"
        return problem
