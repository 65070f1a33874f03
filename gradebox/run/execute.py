"""How a course wants its notebooks to be run, and the step by which nbgrader has them run."""

from pathlib import Path
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import Execute as StockExecute
from traitlets import Bool, Enum, Integer, List, Unicode

from gradebox import hand_in
from gradebox.kernels.client import PRELOADED, available, found
from gradebox.kernels.findings import Probed
from gradebox.kernels.probe import probe
from gradebox.kernels.provisioner import WarmKernelManager
from gradebox.kernels.scratch import supplement
from gradebox.run.ahead import needed
from gradebox.run.isolation import JUDGED, LEVELS, InForce, Refused, in_force
from gradebox.run.lesson import lesson_of
from gradebox.run.player import Given, Player
from gradebox.secret import for_student


class Execute(StockExecute):
    """nbgrader's Execute with warm kernels in a sandbox that come again. Its settings, and these:"""

    isolation = Enum(
        LEVELS,
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
        list(PRELOADED),
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

    def __init__(self, *args: Any, **kwargs: Any):
        kwargs.setdefault("kernel_manager_class", WarmKernelManager)
        super().__init__(*args, **kwargs)

    @property
    def judged(self) -> bool:
        """Whether tests run in a process of their own."""
        return self.isolation in JUDGED

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules that are imported ahead."""
        return needed(self.preload, self.texts)

    def in_force(self, course: Path | None = None) -> InForce:
        """What is in force here while something (of this course) is graded. Raises Refused."""
        return in_force(self.isolation, self.probed, course)

    def probed(self) -> Probed:
        """What was found out about this machine."""
        if not available():
            return probe()
        return Probed.read(found(self.modules))

    def play(self, notebook: NotebookNode, given: Given) -> None:
        """Play a sanitised notebook in place.

        Raises Refused if this machine can't do what was asked for, and NotContained if it fails at what it
        could do.
        """
        if given.lesson:
            self.texts = given.lesson.texts
        Player(self, given, self.in_force().contained).play(notebook)

    def preprocess(self, nb: NotebookNode, resources: Any = None, km: Any = None) -> tuple[NotebookNode, Any]:
        """What nbgrader's own command does with a notebook. It has laid out its files beside it."""
        names, directory = resources.get("nbgrader"), CourseDirectory(parent=self)
        root, folder = Path(directory.root), resources.get("metadata", {}).get("path")
        try:
            in_force = self.in_force(root)
        except Refused as refusal:
            raise NbGraderException(str(refusal)) from None
        self.log.info(in_force.line)
        if in_force.warning:
            self.log.warning(in_force.warning)
        files = hand_in.supplement(Path(folder)) if folder else {}
        given = Given(files=files)
        if names:
            source = Path(directory.format_path(directory.source_directory, ".", names["assignment"]))
            text = (source / f"{names['notebook']}.ipynb").read_text(encoding="utf-8")
            secret = for_student(root, names["assignment"], names["student"])
            given = Given(lesson_of(text), files, supplement(source), secret)
        self.play(nb, given)
        return nb, resources
