"""What visible tests call, and what comes back: for the messages that `release/messages.py` makes."""

import ast
from dataclasses import dataclass
from typing import Any

from gradebox.trial.shell import Shell

# The functions by which a lesson's tests say what a function returns, and call it.
RETURNS, CHECK = "returns", "check"


@dataclass(frozen=True)
class Call:
    """A call of `check`, or a statement of the test cell that stopped by itself.

    exercise, case: as the call names them; "" where a statement stopped. got: what came back, as nested
    lists of numbers; raised: the name of the error instead. said: what there is to say where it is neither.
    changed: whether an argument was changed.
    """

    test: str
    exercise: str = ""
    case: str = ""
    got: list[Any] | None = None
    raised: str = ""
    said: str = ""
    changed: bool = False


class Calls:
    """Executes test cells, and takes note of their calls; none of them stops the cell."""

    def __init__(self, shell: Shell):
        self.shell, self.test = shell, ""
        self.found: list[Call] = []
        self.names: dict[str, list[str]] = {}
        self.returns = shell.user_ns.get(RETURNS)
        shell.user_ns |= {CHECK: self.check, RETURNS: self.note_names}

    def run(self, test: str, source: str) -> None:
        """Execute a test cell, statement by statement."""
        self.test = test
        for statement in ast.parse(self.shell.transform_cell(source)).body:
            code = compile(ast.Module([statement], []), test, "exec")
            try:
                exec(code, self.shell.user_ns)
            except Exception as error:
                self.found.append(Call(test, said=f"{type(error).__name__}: {error}"))

    def note_names(self, exercise: str, **names: str) -> None:
        self.names[exercise] = list(names)
        if self.returns:
            self.returns(exercise, **names)

    def check(self, exercise: str, case: str, function: Any, *arguments: Any, **options: Any) -> None:
        """What a lesson's `check` does up to where it compares."""
        known = self.shell.user_ns
        before = [*arguments, *options.values()]
        given = [known["copied"](one) for one in before]
        last = dict(zip(options, given[len(arguments) :], strict=True))
        try:
            with known["np"].errstate(all="ignore"):
                got = function(*given[: len(arguments)], **last)
        except Exception as error:
            kind = "ValueError" if isinstance(error, ValueError) else type(error).__name__
            self.found.append(Call(self.test, exercise, case, raised=kind, said=str(error)))
            return
        changed = not all(known["same"](*both) for both in zip(before, given, strict=True))
        try:
            if got is None:
                raise ValueError("it gave back None")
            parts = [part.tolist() for part in known["parts"](got, self.names[exercise])]
            self.found.append(Call(self.test, exercise, case, parts, changed=changed))
        except (TypeError, ValueError, RuntimeError) as problem:
            self.found.append(Call(self.test, exercise, case, said=str(problem), changed=changed))
