"""Execution settings of a course, and the isolation that results on this machine."""

from collections.abc import Iterable
from pathlib import Path

from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import Execute as StockExecute
from traitlets import Bool, Enum, Integer, List, Unicode, default

from gradebox.execute.isolation import ISOLATION_LEVELS, JUDGE_LEVELS, ActiveIsolation, resolve_isolation
from gradebox.execute.preload_modules import select_preload_modules
from gradebox.kernel.sandbox_probe import probe_machine
from gradebox.kernel.zygote_client import DEFAULT_PRELOAD, can_fork_kernels, read_probe_result
from gradebox.sandbox.probe_results import ProbeResult

# Seconds for a notebook, at least, and in multiples of the time limit of a cell.
MIN_NOTEBOOK_TIMEOUT, CELL_TIMEOUTS_PER_NOTEBOOK = 300, 10


class Settings(StockExecute):
    """Traits of nbgrader's Execute (`c.Execute`), and gradebox's additional ones."""

    isolation = Enum(
        ISOLATION_LEVELS,
        "auto",
        help="Isolation of student code: a judge protects the tests, and a sandbox your files, processes and "
        'network. "auto" uses both as far as the machine supports them; "full" requires both completely.',
    ).tag(config=True)
    memory_limit = Integer(2 * 2**30, help="Bytes of memory for a submission.").tag(config=True)
    process_limit = Integer(64, help="Processes that a submission may run at a time.").tag(config=True)
    file_limit = Integer(100 * 10**6, help="Bytes of files that a submission can write.").tag(config=True)
    draw = Bool(
        False,
        help="Run demonstrations and draw figures again. If False, graded copies show the submitted ones.",
    ).tag(config=True)
    preload = List(
        Unicode(),
        list(DEFAULT_PRELOAD),
        help="Modules to import once, before all submissions, if a lesson names their package; "
        '"module if word": if a lesson contains the word.',
    ).tag(config=True)
    notebook_timeout = Integer(
        help="Seconds for a whole notebook and its second chances; later cells are not run. The default is "
        f"{MIN_NOTEBOOK_TIMEOUT}, or {CELL_TIMEOUTS_PER_NOTEBOOK} times `timeout` if this is more."
    ).tag(config=True)
    output_limit = Integer(2**20, help="Characters of output to keep per cell.").tag(config=True)
    second_chances = Bool(
        True, help="Award the points of a test that fails only because of a mistake in another exercise."
    ).tag(config=True)
    require_reference = Bool(
        True,
        help="Before a lesson's first submission, grade the lesson's own reference solution. Unless it gets "
        "full points, grade nobody.",
    ).tag(config=True)
    # Sources of the lessons to grade; if empty, all modules are preloaded.
    texts: tuple[str, ...] = ()

    @default("notebook_timeout")
    def _notebook_timeout_default(self) -> int:
        # For nbclient, both None and -1 mean no limit for a cell.
        return max(MIN_NOTEBOOK_TIMEOUT, CELL_TIMEOUTS_PER_NOTEBOOK * (self.timeout or 0))

    def find_cell_timeout(self, cell: NotebookNode) -> float | None:
        """Return the seconds that a cell may run; None without a limit."""
        return self._get_timeout(cell)

    @property
    def judged(self) -> bool:
        """Return True if tests run in a judge process."""
        return self.isolation in JUDGE_LEVELS

    @property
    def modules(self) -> tuple[str, ...]:
        """Return the modules to preload."""
        return self.select_modules(self.texts)

    def select_modules(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Return the modules to preload for lessons with these texts."""
        return select_preload_modules(self.preload, texts)

    def in_force(self, course: Path | None = None) -> ActiveIsolation:
        """Return the isolation that is active on this machine while a submission is graded.

        course: the folder of the course, if known. Raises IsolationError if the isolation is insufficient.
        """
        return resolve_isolation(self.isolation, self.get_probe_result, course)

    def get_probe_result(self) -> ProbeResult:
        """Return the results of probing this machine's sandbox support."""
        if not can_fork_kernels():
            return probe_machine()
        return ProbeResult.read(read_probe_result(self.modules))
