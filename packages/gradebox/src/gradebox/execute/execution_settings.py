"""How a course wants its notebooks to be run, and what of that is in force here."""

from pathlib import Path

from nbgrader.preprocessors import Execute as StockExecute
from traitlets import Bool, Enum, Integer, List, Unicode

from gradebox.execute.isolation import ISOLATION_LEVELS, JUDGE_LEVELS, ActiveIsolation, resolve_isolation
from gradebox.execute.preload_modules import select_preload_modules
from gradebox.kernel.sandbox_probe import probe_machine
from gradebox.kernel.zygote_client import DEFAULT_PRELOAD, can_fork_kernels, read_probe_result
from gradebox.sandbox.probe_results import ProbeResult


class Settings(StockExecute):
    """The settings of nbgrader's Execute (`c.Execute`), and these:"""

    isolation = Enum(
        ISOLATION_LEVELS,
        "auto",
        help="What student code is kept from: the tests, by a judge; all that you can do, by a sandbox. "
        '"auto" is both, as far as the machine can give it; "full" is all of both, or a refusal.',
    ).tag(config=True)
    memory_limit = Integer(2 * 2**30, help="Bytes of memory for a submission.").tag(config=True)
    process_limit = Integer(64, help="Processes of a submission at a time.").tag(config=True)
    file_limit = Integer(100 * 10**6, help="Bytes of files that a submission can write.").tag(config=True)
    draw = Bool(
        False,
        help="Whether figures are drawn again. If not, graded copies show the pictures that were handed in.",
    ).tag(config=True)
    preload = List(
        Unicode(),
        list(DEFAULT_PRELOAD),
        help="Modules that are imported once, ahead of all submissions, if a lesson names their package, or "
        'the word behind "if".',
    ).tag(config=True)
    notebook_timeout = Integer(
        300, help="Seconds for a whole notebook and its second chances; cells after that are not run."
    ).tag(config=True)
    output_limit = Integer(2**20, help="Characters of output that are kept of one cell.").tag(config=True)
    second_chances = Bool(
        True, help="Whether a test that fails only because of another exercise's mistake earns its points."
    ).tag(config=True)
    # Of the lessons that are to be graded; without any, all modules are imported ahead.
    texts: tuple[str, ...] = ()

    @property
    def judged(self) -> bool:
        """Whether tests run in a process of their own."""
        return self.isolation in JUDGE_LEVELS

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules that are imported ahead."""
        return select_preload_modules(self.preload, self.texts)

    def in_force(self, course: Path | None = None) -> ActiveIsolation:
        """What is in force here while something (of this course) is graded. Raises Refused."""
        return resolve_isolation(self.isolation, self.get_probe_result, course)

    def get_probe_result(self) -> ProbeResult:
        """What was found out about this machine."""
        if not can_fork_kernels():
            return probe_machine()
        return ProbeResult.read(read_probe_result(self.modules))
