"""Executes cells in IPython as a kernel would, without a kernel around it."""

from typing import Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.formatters import DisplayFormatter
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from gradebox.answer_runner.answer_tasks import CellOutcome


class NamedCellCompiler(CachingCompiler):
    """Compiles a cell as a file of the cell's name, by which its frames are known in a traceback."""

    cell = ""

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        return self.cell


class Shell(InteractiveShell):
    """IPython that shows nothing to anybody, and says how a cell went."""

    def __init__(self, **kwargs: Any):
        super().__init__(config=Config(HistoryManager={"enabled": False}), **kwargs)
        self.compile = self.compiler = NamedCellCompiler()
        self.executed: set[str] = set()

    def init_display_formatter(self) -> None:
        self.display_formatter = shown = DisplayFormatter(parent=self)
        self.configurables.append(shown)
        for formatter in shown.formatters.values():
            formatter.enabled = False

    def showtraceback(self, *args: Any, **kwargs: Any) -> None:
        """An error is looked at where the cell's result is."""

    showsyntaxerror = showindentationerror = showtraceback

    def enable_gui(self, gui: Any = None) -> None:
        """There is no screen."""

    def execute(self, name: str, source: str) -> CellOutcome:
        """Execute one cell."""
        self.compiler.cell = name
        self.executed.add(name)
        result = self.run_cell(source)
        error = result.error_before_exec or result.error_in_exec
        if error is None:
            return CellOutcome(True, None if result.result is None else repr(result.result))
        attempt = CellOutcome(False, None, type(error).__name__, str(error))
        trace = error.__traceback__
        while trace:
            cell = trace.tb_frame.f_code.co_filename
            if cell == name and attempt.line is None:
                attempt.line = trace.tb_lineno
            if cell in self.executed:
                attempt.origin = cell
            trace = trace.tb_next
        if result.error_before_exec is not None:
            attempt.origin = name
        return attempt

    def execute_and_diff(self, name: str, source: str) -> dict[str, Any]:
        """What names stand for that have another value when a cell has been executed than they had before."""
        known = dict(self.user_ns)
        self.execute(name, source)
        return {new: value for new, value in self.user_ns.items() if value is not known.get(new)}
