"""Runs a submission's cells, on kernels that are ready at once, and records how each cell ended.

A cell that kills the kernel, or can't be interrupted, costs what depends on it and nothing else: the
kernel is forked again, the cells that had ended are run again, and the run goes on after the culprit.
A test that fails gets a second chance (see `second_chance.py`).
"""

import time
from collections.abc import Mapping, Set
from copy import deepcopy
from pathlib import Path
from typing import Any

from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import Execute as StockExecute
from traitlets import Bool, Enum, Integer, List, Unicode

from gradebox.grade import hand_in
from gradebox.grade.secret import for_student
from gradebox.harmless import cells
from gradebox.kernels.client import available, found, needed, teach
from gradebox.kernels.findings import Probed
from gradebox.kernels.limits import Limits
from gradebox.kernels.probe import probe
from gradebox.kernels.provisioner import PRELOADED, WarmKernelManager
from gradebox.kernels.scratch import supplement
from gradebox.record import (
    FAILED,
    GARBLED,
    KILLED,
    NOT_RUN,
    OK,
    SKIPPED,
    TIMED_OUT,
    clear,
    ending,
    record,
)
from gradebox.run.isolation import JUDGED, LEVELS, InForce, Refused, in_force
from gradebox.run.lesson import Lesson, lesson_of
from gradebox.run.second_chance import forgive, trials
from gradebox.run.session import Sides, known_ahead


class Execute(Sides, StockExecute):
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
    # Of the lessons that are to be graded; without any, all modules are imported ahead.
    texts: tuple[str, ...] = ()

    notebook_timeout = Integer(
        300, help="Seconds for a whole notebook and its second chances; cells after that are not run."
    ).tag(config=True)
    output_limit = Integer(2**20, help="Characters of output that are kept of one cell.").tag(config=True)
    second_chances = Bool(
        True, help="Whether a test that fails only because of another exercise's mistake earns its points."
    ).tag(config=True)

    def __init__(self, *args: Any, **kwargs: Any):
        kwargs.setdefault("kernel_manager_class", WarmKernelManager)
        super().__init__(*args, **kwargs)

    def preprocess(self, nb: NotebookNode, resources: Any = None, km: Any = None) -> tuple[NotebookNode, Any]:
        self._check_assign_resources(resources)
        try:
            in_force = self.in_force(Path(CourseDirectory(parent=self).root))
        except Refused as refusal:
            raise NbGraderException(str(refusal)) from None
        self.log.info(in_force.line)
        if in_force.warning:
            self.log.warning(in_force.warning)
        folder = self.resources.get("metadata", {}).get("path")
        files = hand_in.supplement(Path(folder)) if folder else {}
        source = self.source()
        given = supplement(source.parent) if source else {}
        number = self.secret_number()
        instructors = lesson_of(source.read_text(encoding="utf-8")) if source else None
        self.grade(nb, instructors, files, given, number)
        return nb, self.resources

    def grade(
        self,
        nb: NotebookNode,
        lesson: Lesson | None,
        files: Mapping[str, bytes],
        given: Mapping[str, bytes] | None = None,
        secret: int | None = None,
    ) -> None:
        """Run a sanitised notebook in place, and second chances with the solutions of its lesson.

        files: what lies beside the notebook, by relative path; given: what of that is the instructor's, and
        all that tests see; secret: what tests know of the course's (see `secret.py`). Raises Refused if this
        machine can't do what was asked for, and NotContained if it fails at what it could do.
        """
        if lesson:
            self.texts = lesson.texts
        self.contained = self.in_force().contained
        if not hasattr(self, "resources"):
            self._check_assign_resources({})
        self.files, self.given, self.secret = files, given or {}, secret
        self.lesson = lesson if self.isolation in JUDGED else None
        # Of the run and its second chances together.
        deadline = time.monotonic() + self.notebook_timeout
        self.run(nb, deadline, lesson.demonstrations.unneeded(nb) if lesson and not self.draw else set())
        if lesson and self.second_chances:
            for trial in trials(nb, lesson):
                self.run(trial.notebook, deadline)
                forgive(nb, trial)

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

    def source(self) -> Path | None:
        """Where the instructor's notebook is, if this is a submission to an assignment."""
        names = self.resources.get("nbgrader")
        if not names:
            return None
        directory = CourseDirectory(parent=self)
        folder = Path(directory.format_path(directory.source_directory, ".", names["assignment"]))
        return folder / f"{names['notebook']}.ipynb"

    def secret_number(self) -> int | None:
        """What tests know of the course's secret, if this is a submission to an assignment."""
        names = self.resources.get("nbgrader")
        if not names:
            return None
        return for_student(Path(CourseDirectory(parent=self).root), names["assignment"], names["student"])

    def create_kernel_manager(self) -> WarmKernelManager:
        manager = super().create_kernel_manager()
        if isinstance(manager, WarmKernelManager):
            manager.preload = self.modules
            manager.scratch, manager.role = self.folder, self.role
            manager.link = self.link.fileno() if self.link else None
            if self.contained:
                manager.limits = Limits(self.memory_limit, self.process_limit, self.file_limit)
                if not manager.warm():
                    raise NbGraderException(
                        f"the kernel {manager.kernel_name!r} can't be contained, only Python's can: "
                        'use c.Execute.isolation = "judge"'
                    )
            if self.lesson and manager.warm():
                teach(manager.preload, self.role, known_ahead(self.lesson, self.role))
        return manager

    def run(self, nb: NotebookNode, deadline: float, skipped: Set[int] = frozenset()) -> None:
        """Run all cells until `deadline` (monotonic seconds), in as many kernels as it takes.

        skipped: the places of cells that are not run.
        """
        # As the base class does: every notebook begins anew.
        NotebookClient.__init__(self, nb)
        self.reset_execution_trackers()
        for place, cell in enumerate(nb.cells):
            clear(cell)
            if place in skipped:
                record(cell, SKIPPED)
        index = 0
        while index < len(nb.cells):
            if time.monotonic() > deadline:
                # New kernels would only run again what was run.
                for cell in nb.cells[index:]:
                    if cell.cell_type == "code" and ending(cell) != SKIPPED:
                        self.blame(cell, NOT_RUN)
                return
            with self.kernels():
                if self.again(nb.cells[:index], deadline):
                    index = self.run_from(index, deadline)

    def again(self, cells: list[NotebookNode], deadline: float) -> bool:
        """Bring a new kernel to where the last one was. Returns False if it died, or time is up."""
        for index, cell in enumerate(cells):
            if time.monotonic() > deadline:
                return False
            if ending(cell) in (OK, FAILED):
                try:
                    going = self.one(deepcopy(cell), index)
                except Exception:
                    going = False
                finally:
                    # Running the copy has put it in the cell's place.
                    self.nb.cells[index] = cell
                if not going:
                    self.blame(cell, KILLED)
                    return False
        return True

    def run_from(self, index: int, deadline: float) -> int:
        """Run cells in this kernel. Returns the index of the first that was not yet tried in it."""
        for number, cell in enumerate(self.nb.cells[index:], index):
            if cell.cell_type != "code" or not cell.source.strip() or ending(cell) == SKIPPED:
                continue
            if time.monotonic() > deadline:
                self.blame(cell, NOT_RUN)
                continue
            try:
                going = self.one(cell, number)
                # A limit that is broken now was broken by this cell, not by the next one.
                if self.kernel and not self.kernel.well():
                    raise DeadKernelError("it broke a limit")
                if not going:
                    return number + 1
            except DeadKernelError:
                self.blame(cell, KILLED)
                return number + 1
            except CellTimeoutError:
                # It was interrupted and went on all the same.
                self.blame(cell, TIMED_OUT)
                return number + 1
            except Exception as error:
                # A kernel that sends what no kernel sends has been tampered with.
                self.log.warning("%s: %r", type(error).__name__, str(error))
                self.blame(cell, GARBLED)
                return number + 1
        return len(self.nb.cells)

    def on_cell_executed(self, **kwargs: Any) -> None:
        super().on_cell_executed(**kwargs)
        reply = kwargs["execute_reply"]
        # A reply that no kernel has sent is nbclient's, when time is up. An error's name says nothing: a
        # student can give it to one of theirs.
        stopped = FAILED if "header" in reply else TIMED_OUT
        record(kwargs["cell"], OK if reply["content"]["status"] == "ok" else stopped)

    def process_message(self, msg: dict, cell: NotebookNode, cell_index: int) -> NotebookNode | None:
        if "execution_count" in msg["content"]:
            msg["content"]["execution_count"] = cells.count(msg["content"]["execution_count"])
        return super().process_message(msg, cell, cell_index)

    def _update_display_id(self, display_id: str, msg: dict) -> None:
        """Change the last display of this name: if all of them changed, few messages could fill gigabytes."""
        places = self._display_id_map.get(display_id)
        if not places:
            return
        where = list(places)[-1]
        self._display_id_map[display_id] = {where: places[where][-1:]}
        self.kept += len(str(msg["content"]))
        if self.kept <= self.output_limit:
            content = cells.content("display_data", msg["content"])
            super()._update_display_id(display_id, {**msg, "content": content})

    def output(self, outs: list[NotebookNode], msg: dict, display_id: str | None, cell_index: int) -> Any:
        """Keep an output, unless the cell has had its share: cut while it streams, so nothing piles up."""
        size = len(str(msg["content"]))
        before, self.kept = self.kept, self.kept + size
        last_word = msg["msg_type"] in ("error", "execute_result") and size < self.output_limit
        if self.kept <= self.output_limit or (last_word and not self.last_word):
            self.last_word = self.kept > self.output_limit
            msg = {**msg, "content": cells.content(msg["msg_type"], msg["content"])}
            return super().output(outs, msg, display_id, cell_index)
        if before <= self.output_limit:
            outs.append(new_output("stream", name="stderr", text="\n[more output of this cell was cut]\n"))
        return None

    def handle_comm_msg(self, outs: list[NotebookNode], msg: dict, cell_index: int) -> None:
        """Widgets have no browser here, and what they send would pile up."""

    def blame(self, cell: NotebookNode, ended: str) -> None:
        """Mark a cell that did not come to its end."""
        record(cell, ended)
        reason = {
            TIMED_OUT: f"This cell did not end within {self.timeout} seconds and could not be interrupted.",
            KILLED: f"This cell {self.cause()}; the cells after it ran without it.",
            GARBLED: "The Python process sent what can't be read; the cells after it ran without it.",
            NOT_RUN: f"Not run: the whole notebook had {self.notebook_timeout} seconds.",
        }[ended]
        outputs = [output for output in cell.get("outputs", []) if output.output_type != "error"]
        error = new_output("error", ename="GradingError", evalue=reason, traceback=[reason])
        cell.outputs = [*outputs, error]

    def cause(self) -> str:
        """How the last kernel came to its end."""
        return {
            "memory": f"used more than {self.memory_limit / 2**30:g} GiB of memory",
            "processes": f"ran more than {self.process_limit} processes",
            "files": f"wrote more than {self.file_limit / 10**6:g} MB of files",
        }.get(self.kernel and self.kernel.reason, "ended the Python process")
