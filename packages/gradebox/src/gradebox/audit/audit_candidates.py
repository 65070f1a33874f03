"""What is tried: the written answers, right answers with other inputs, mutants of these, and cheats."""

from dataclasses import dataclass

from gradebox.answer_runner.answer_tasks import DIED, Result, Task
from gradebox.answer_runner.generic_cheats import CALLS, CHEATS
from gradebox.answer_runner.input_variants import CHANGES
from gradebox.audit.equivalent_mutants import Declared
from gradebox.audit.mutants import Mutant, mutants
from gradebox.course import CourseError
from gradebox.execute.lesson import Lesson
from gradebox.release.answer_files import REFERENCE, Answer
from gradebox.static_analysis.test_names import answered_names


@dataclass(frozen=True)
class Subject:
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

    def task(self, number: int, own: tuple[str, ...], later: tuple[str, ...]) -> Task:
        """How it is tried. own: the test cells of its exercise. later: all that follow the solution.

        A written answer says which tests fail with it, also those of later exercises.
        """
        return Task(
            number,
            self.exercise,
            self.source,
            later if self.written else own,
            inputs=self.inputs,
            cheat=self.answer if self.cheat else None,
            whole=self.written is not None,
            judged=self.judged,
        )


def subjects(
    lesson: Lesson, written: list[Answer], declared: Declared, only: str | None, with_mutants: bool
) -> list[Subject]:
    """Everything to try in a notebook, the reference first in each exercise. only: of this exercise."""
    found: list[Subject] = []
    for exercise, solution in lesson.solutions.items():
        if not lesson.tests[exercise] or only not in (None, exercise):
            continue
        own = [answer for answer in written if answer.exercise == exercise]
        found.append(Subject(exercise, REFERENCE, solution))
        found += [Subject(exercise, answer.title, answer.source, written=answer) for answer in own]
        right = [(REFERENCE, solution), *((answer.title, answer.source) for answer in own if answer.right)]
        for title, text in right:
            forms = declared.inputs.get(exercise, CHANGES)
            found += [Subject(exercise, title, text, inputs=form) for form in forms]
            try:
                changed = mutants(text) if with_mutants else []
            except SyntaxError as error:
                raise CourseError(f"{exercise}, {title!r} is no Python: {error}") from None
            found += [Subject(exercise, title, mutant.source, mutant=mutant) for mutant in changed]
        called = answered_names(*(lesson.solutions[earlier] for earlier in lesson.builds_on[exercise]))
        cheats = [*CHEATS, *(CALLS + name for name in sorted(called))]
        # In the tests' own process, one could agree with everything.
        found += [Subject(exercise, cheat, solution, cheat=True, judged=True) for cheat in cheats]
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
        mutant = self.subject.mutant
        if problem and mutant:
            return f"{mutant.was!r} to {mutant.becomes!r}: {problem}"
        return problem
