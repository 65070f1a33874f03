"""Runs a submission's cells, on kernels that are ready at once, and records how each cell ended.

A cell that kills the kernel, or can't be interrupted, costs what depends on it and nothing else: the
kernel is forked again, the cells that had ended are run again, and the run goes on after the culprit.
A test that fails gets a second chance (see `follow_through.py`).
"""

import time
from copy import deepcopy
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import Execute as StockExecute
from traitlets import Bool, Integer

from gradebox.endings import FAILED, KILLED, NOT_RUN, OK, TIMED_OUT, ending, record
from gradebox.follow_through import forgive, trials
from gradebox.kernels.provisioner import WarmKernelManager


class Execute(StockExecute):
    """nbgrader's Execute with warm kernels that come again. Configured like its base, and with:"""

    notebook_timeout = Integer(300, help="Seconds for a whole notebook; cells after that are not run.").tag(
        config=True
    )
    output_limit = Integer(2**20, help="Characters of output that are kept of one cell.").tag(config=True)
    follow_through = Bool(
        True, help="Whether a test that fails only because of another exercise's mistake earns its points."
    ).tag(config=True)

    def __init__(self, *args: Any, **kwargs: Any):
        kwargs.setdefault("kernel_manager_class", WarmKernelManager)
        super().__init__(*args, **kwargs)

    def preprocess(self, nb: NotebookNode, resources: Any = None, km: Any = None) -> tuple[NotebookNode, Any]:
        self._check_assign_resources(resources)
        self.run(nb, time.monotonic() + self.notebook_timeout)
        if self.follow_through:
            deadline = time.monotonic() + self.notebook_timeout
            for trial in trials(nb, self.source()):
                self.run(trial.notebook, deadline)
                forgive(nb, trial)
        return nb, self.resources

    def source(self) -> NotebookNode | None:
        """The instructor's notebook, if this is a submission to an assignment."""
        names = self.resources.get("nbgrader")
        if not names:
            return None
        directory = CourseDirectory(parent=self)
        folder = Path(directory.format_path(directory.source_directory, ".", names["assignment"]))
        return nbformat.read(folder / f"{names['notebook']}.ipynb", as_version=4)

    def run(self, nb: NotebookNode, deadline: float) -> None:
        """Run all cells until `deadline` (monotonic seconds), in as many kernels as it takes."""
        # As the base class does: every notebook begins anew.
        NotebookClient.__init__(self, nb)
        self.reset_execution_trackers()
        for cell in nb.cells:
            cell.metadata.pop("gradebox", None)
        index = 0
        while index < len(nb.cells):
            self.km = self.kc = None
            with self.setup_kernel():
                about = self.wait_for_reply(self.kc.kernel_info())["content"]
                nb.metadata["language_info"] = about["language_info"]
                if about["language_info"].get("name") == "python":
                    # quit() answers "ok" and ends the kernel a moment later, in somebody else's cell.
                    self.wait_for_reply(
                        self.kc.execute(
                            "get_ipython().ask_exit = lambda: None", silent=True, store_history=False
                        )
                    )
                if self.again(nb.cells[:index]):
                    index = self.run_from(index, deadline)

    def again(self, cells: list[NotebookNode]) -> bool:
        """Bring a new kernel to where the last one was. Returns False if it died on the way."""
        for index, cell in enumerate(cells):
            if ending(cell) in (OK, FAILED):
                try:
                    self.execute_cell(deepcopy(cell), index)
                except (DeadKernelError, CellTimeoutError):
                    self.blame(cell, KILLED)
                    return False
                finally:
                    # Running the copy has put it in the cell's place.
                    self.nb.cells[index] = cell
        return True

    def run_from(self, index: int, deadline: float) -> int:
        """Run cells in this kernel. Returns the index of the first that was not yet tried in it."""
        for number, cell in enumerate(self.nb.cells[index:], index):
            if cell.cell_type != "code" or not cell.source.strip():
                continue
            if time.monotonic() > deadline:
                self.blame(cell, NOT_RUN)
                continue
            self.kept = 0
            try:
                self.preprocess_cell(cell, self.resources, number)
            except DeadKernelError:
                self.blame(cell, KILLED)
                return number + 1
            except CellTimeoutError:
                # It was interrupted and went on all the same.
                self.blame(cell, TIMED_OUT)
                return number + 1
        return len(self.nb.cells)

    def on_cell_executed(self, **kwargs: Any) -> None:
        super().on_cell_executed(**kwargs)
        content = kwargs["execute_reply"]["content"]
        timed_out = content.get("ename") == "CellTimeoutError"
        record(kwargs["cell"], OK if content["status"] == "ok" else TIMED_OUT if timed_out else FAILED)

    def output(self, outs: list[NotebookNode], msg: dict, display_id: str | None, cell_index: int) -> Any:
        """Keep an output, unless the cell has had its share: cut while it streams, so nothing piles up."""
        before, self.kept = self.kept, self.kept + len(str(msg["content"]))
        if self.kept <= self.output_limit or msg["msg_type"] in ("error", "execute_result"):
            return super().output(outs, msg, display_id, cell_index)
        if before <= self.output_limit:
            outs.append(new_output("stream", name="stderr", text="\n[more output of this cell was cut]\n"))
        return None

    def blame(self, cell: NotebookNode, ended: str) -> None:
        """Mark a cell that did not come to its end."""
        record(cell, ended)
        reason = {
            TIMED_OUT: f"This cell did not end within {self.timeout} seconds and could not be interrupted.",
            KILLED: "This cell ended the Python process; the cells after it ran without it.",
            NOT_RUN: f"Not run: the whole notebook had {self.notebook_timeout} seconds.",
        }[ended]
        outputs = [output for output in cell.get("outputs", []) if output.output_type != "error"]
        error = new_output("error", ename="GradingError", evalue=reason, traceback=[reason])
        cell.outputs = [*outputs, error]
