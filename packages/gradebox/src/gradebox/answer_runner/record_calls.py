"""What visible tests call, and what comes back: for the messages that `release/generate_checks.py` makes."""

import ast
import inspect
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from typing import Any

from gradebox.answer_runner.answer_shell import Shell
from gradebox.check_engine.check import parts, same, tried

# The functions by which a lesson's tests say what a function returns, and call it.
RETURNS, CHECK = "returns", "check"


@dataclass(frozen=True)
class CheckCall:
    """A call of `check`, or a statement of the test cell that stopped by itself.

    exercise, case: as the call names them; "" where a statement stopped. names: what the function
    calls its arguments. got: what came back, as nested lists of numbers; raised: the name of the error
    instead. said: what there is to say where it is neither. changed: whether an argument was changed.
    arguments: how many it was called with by position.
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
    """Return what a function, or a layer, calls its arguments, up to those of which it takes any number."""
    found = inspect.signature(getattr(function, "forward", function)).parameters.values()
    return [one.name for one in takewhile(lambda one: one.kind != one.VAR_POSITIONAL, found)]


class CallRecorder:
    """Executes test cells, and takes note of their calls; none of them stops the cell."""

    def __init__(self, shell: Shell):
        self.shell, self.test = shell, ""
        self.found: list[CheckCall] = []
        self.axes: dict[str, dict[str, str]] = {}
        shell.user_ns |= {CHECK: self.check, RETURNS: self.returns}

    def run(self, test: str, source: str) -> list[CheckCall]:
        """Execute a test cell, statement by statement. Returns its calls."""
        self.test, self.found = test, []
        for statement in ast.parse(self.shell.transform_cell(source)).body:
            code = compile(ast.Module([statement], []), test, "exec")
            try:
                exec(code, self.shell.user_ns)
            except Exception as error:
                self.found.append(CheckCall(test, said=f"{type(error).__name__}: {error}"))
        return self.found

    def returns(self, exercise: str, **axes: str) -> None:
        self.axes[exercise] = axes

    def check(self, exercise: str, case: str, function: Any, *arguments: Any, **options: Any) -> None:
        """What a lesson's `check` does up to where it compares."""
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
                raise ValueError("it gave back None")
            found = [part.tolist() for part in parts(got, self.axes[exercise])]
            self.found.append(made(got=found, changed=changed))
        except (TypeError, ValueError, RuntimeError) as problem:
            self.found.append(made(said=str(problem), changed=changed))
