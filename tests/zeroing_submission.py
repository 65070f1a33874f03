"""Run a lesson's hidden tests against its own solutions, which overwrite all arguments with zeros.

    python tests/zeroing_submission.py 01_single_head

It prints a line for each hidden test that then expects other numbers: the test computes them from arguments
that a submission has had in its hands.
"""

import ast
import copy
import inspect
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import matplotlib
from nbgrader.preprocessors import ClearHiddenTests
from repository import REPOSITORY, notebook

from gradebox.answer_runner.answer_shell import Shell
from gradebox.answer_runner.generic_cheats import zero_in_place
from gradebox.checks_cell import expand_checks_cell, is_generated
from gradebox.course import Course
from gradebox.execute.lesson import Lesson
from gradebox.notebook_exercises import find_grade_id, find_hidden_lines

# Parts of the messages of tests that require an unchanged argument.
UNCHANGED = "chang", "differs from its value", "differ from their values"


class ZeroingFunctions:
    """Wrapper of functions.

    zeroing: True while a test's hidden part calls none of them: what they pass to each other is their affair.
    """

    def __init__(self) -> None:
        self.zeroing = False

    def replace(self, namespace: dict[str, Any], names: list[str]) -> None:
        for name in names:
            value = namespace[name]
            if inspect.isfunction(value):
                namespace[name] = self.wrap(value)
            elif inspect.isclass(value):
                for method, function in list(vars(value).items()):
                    if inspect.isfunction(function) and method != "__init__":
                        setattr(value, method, self.wrap(function, owned=True))
                if hasattr(value, "load_state_dict"):
                    value.load_state_dict = self.wrap(value.load_state_dict, owned=True)

    def wrap(self, function: Callable, owned: bool = False) -> Callable:
        @wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            if not self.zeroing:
                return function(*args, **kwargs)
            own, given = args[:owned], args[owned:]
            self.zeroing = False
            try:
                named = {key: copied(value) for key, value in kwargs.items()}
                return function(*own, *map(copied, given), **named)
            finally:
                zero_in_place([given, kwargs])
                self.zeroing = True

        return wrapper


def copied(value: Any) -> Any:
    """Return a copy of arrays, tensors, and containers of them; other objects unchanged."""
    torch = sys.modules.get("torch")
    if type(value) in (list, tuple):
        return type(value)(map(copied, value))
    if isinstance(value, dict):
        return type(value)((key, copied(part)) for key, part in value.items())
    if torch and isinstance(value, torch.Tensor):
        return value.clone()
    return copy.deepcopy(value) if type(value).__module__ == "numpy" else value


class WithoutChangeAssertions(ast.NodeTransformer):
    """Remove assertions that an argument is unchanged."""

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        required = node.msg and any(part in ast.unparse(node.msg) for part in UNCHANGED)
        return ast.Pass() if required else node


def find_problems(lesson: str) -> list[str]:
    """Return a line for each hidden test that fails in another way than by requiring unchanged arguments."""
    marks = ClearHiddenTests(config=Course(REPOSITORY).app.config)
    source, shell, functions, problems = notebook("source", lesson), Shell.instance(), ZeroingFunctions(), []
    roles = Lesson(source)
    tests = {name for names in roles.tests.values() for name in names}
    for cell in source.cells:
        name = find_grade_id(cell)
        if cell.cell_type != "code" or not name:
            continue
        text = expand_checks_cell(cell.source) if is_generated(cell.source) else cell.source
        if name not in tests:
            before = dict(shell.user_ns)
            outcome = shell.execute(name, text)
            if name in roles.solutions:
                new = [key for key, one in shell.user_ns.items() if before.get(key) is not one]
                functions.replace(shell.user_ns, [key for key in new if not key.startswith("_")])
        else:
            lines, hidden = text.split("\n"), find_hidden_lines(cell, marks)
            visible = ["" if number in hidden else line for number, line in enumerate(lines, 1)]
            rest = ["" if shown else line for shown, line in zip(visible, lines, strict=True)]
            outcome = shell.execute(name, "\n".join(visible))
            tree = WithoutChangeAssertions().visit(ast.parse(shell.transform_cell("\n".join(rest))))
            functions.zeroing = True
            for statement in tree.body:
                code = compile(ast.fix_missing_locations(ast.Module([statement], [])), name, "exec")
                try:
                    exec(code, shell.user_ns)
                except Exception as error:
                    if not any(part in str(error) for part in UNCHANGED):
                        where = f"{lesson}, {name}, line {statement.lineno}"
                        problems.append(f"{where}: {type(error).__name__}: {str(error).splitlines()[:1]}")
            functions.zeroing = False
        if not outcome.passed:
            problems.append(f"{lesson}, {name}: {outcome.error}: {outcome.message}")
    return problems


if __name__ == "__main__":
    matplotlib.use("agg")
    print("\n".join(find_problems(sys.argv[1])))
