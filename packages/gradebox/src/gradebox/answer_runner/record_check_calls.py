"""Record the `check` calls of visible tests and their results, for `release/generate_checks_cell.py`."""

import ast
import inspect
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from typing import Any

from gradebox.answer_runner.answer_shell import Shell
from gradebox.check_engine.check import parts, same, tried

# The functions that a lesson's tests use to declare the results of a student's function, and to call it.
RETURNS, CHECK = "returns", "check"


@dataclass(frozen=True)
class CheckCall:
    """A call of `check`, or an error raised by another statement of the test cell.

    test: grade_id of the test cell. exercise, case: arguments of the call; "" for another statement. names:
    the function's parameters that take the positional arguments. got: the result, as nested lists of numbers;
    None if there is none. raised: the name of the exception that the function raised, or "". said: the text
    of an error, or "". changed: True if the function changed an argument. arguments: the number of positional
    arguments.
    """

    test: str
    exercise: str = ""
    case: str = ""
    names: list[str] = field(default_factory=list)
    got: list[Any] | None = None
    raised: str = ""
    said: str = ""
    changed: bool = False
    arguments: int = 0


def parameter_names(function: Any) -> list[str]:
    """Return the names of a function's or a layer's parameters before `*args`."""
    found = inspect.signature(getattr(function, "forward", function)).parameters.values()
    return [one.name for one in takewhile(lambda one: one.kind != one.VAR_POSITIONAL, found)]


class CallRecorder:
    """Recorder of the calls in test cells. A failing call does not stop the cell."""

    def __init__(self, shell: Shell):
        self.shell, self.test = shell, ""
        self.found: list[CheckCall] = []
        self.axes: dict[str, dict[str, str]] = {}
        shell.user_ns |= {CHECK: self.check, RETURNS: self.returns}

    def run(self, test: str, source: str) -> list[CheckCall]:
        """Execute a test cell statement by statement and return its calls."""
        self.test, self.found = test, []
        for statement in ast.parse(self.shell.transform_cell(source)).body:
            code = compile(ast.Module([statement], []), test, "exec")
            try:
                exec(code, self.shell.user_ns)
            except Exception as error:
                self.found.append(CheckCall(test, said=f"{type(error).__name__}: {error}"))
        return self.found

    def returns(self, exercise: str, **axes: str) -> None:
        """Record the axes of an exercise's results; replaces the lesson's `returns`."""
        self.axes[exercise] = axes

    def check(self, exercise: str, case: str, function: Any, *arguments: Any, **options: Any) -> None:
        """Record a call: do the same as the lesson's `check`, but without the comparison."""
        before, names = [*arguments, *options.values()], parameter_names(function)[: len(arguments)]
        made = partial(CheckCall, self.test, exercise, case, names, arguments=len(arguments))
        got, error, given = tried(function, arguments, options)
        if error is not None:
            kind = "ValueError" if isinstance(error, ValueError) else type(error).__name__
            self.found.append(made(raised=kind, said=str(error)))
            return
        changed = not all(same(*both) for both in zip(before, given, strict=True))
        try:
            if got is None:
                raise ValueError("returned None")
            found = [part.tolist() for part in parts(got, self.axes[exercise])]
            self.found.append(made(got=found, changed=changed))
        except (TypeError, ValueError, RuntimeError) as problem:
            self.found.append(made(said=str(problem), changed=changed))
