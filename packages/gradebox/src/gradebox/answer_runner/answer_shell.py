"""IPython shell that executes cells as a kernel would, but in this process and without output."""

from typing import Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.formatters import DisplayFormatter
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from gradebox.answer_runner.answer_tasks import CellOutcome


class NamedCellCompiler(CachingCompiler):
    """Compiler that uses the cell's name as the file name, which identifies its frames in a traceback."""

    cell = ""

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        """Return the name of the current cell."""
        return self.cell


class Shell(InteractiveShell):
    """IPython shell that displays nothing and returns the outcome of each cell."""

    def __init__(self, **kwargs: Any):
        super().__init__(config=Config(HistoryManager={"enabled": False}), **kwargs)
        self.compile = self.compiler = NamedCellCompiler()
        self.executed: set[str] = set()

    def init_display_formatter(self) -> None:
        """Create a display formatter whose formatters are all disabled."""
        self.display_formatter = shown = DisplayFormatter(parent=self)
        self.configurables.append(shown)
        for formatter in shown.formatters.values():
            formatter.enabled = False

    def showtraceback(self, *args: Any, **kwargs: Any) -> None:
        """Print nothing: `execute` reads the error from the cell's result."""

    showsyntaxerror = showindentationerror = showtraceback

    def enable_gui(self, gui: Any = None) -> None:
        """Ignore the request: this process has no display."""

    def execute(self, name: str, source: str) -> CellOutcome:
        """Execute one cell and return its outcome."""
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
        """Execute a cell and return the variables that the cell has defined or rebound."""
        known = dict(self.user_ns)
        self.execute(name, source)
        return {new: value for new, value in self.user_ns.items() if value is not known.get(new)}
