"""One process that plays a notebook's cells: the student's, or the judge's.

A session is a kernel in a scratch folder of its own, driven by nbclient. It keeps of what a cell puts out
what is harmless and not too much, and writes into each cell how it ended.
"""

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from jupyter_client.manager import KernelManager
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import Execute as StockExecute

from gradebox.harmless import cells as harmless
from gradebox.kernels.client import LINK, teach
from gradebox.kernels.limits import Limits
from gradebox.kernels.provisioner import WarmKernel, WarmKernelManager
from gradebox.kernels.scratch import WORK, scratch
from gradebox.record import FAILED, OK, TIMED_OUT, record
from gradebox.run.settings import Settings

# quit() answers "ok" and ends the kernel a moment later, in somebody else's cell. And the long form of a
# traceback takes 40 ms, for lines that the cell itself shows.
PRELUDE = """
get_ipython().ask_exit = lambda: None
get_ipython().InteractiveTB.set_mode("Plain")
"""
# Drawing takes longer than everything else in most notebooks. A figure that a failing cell has left
# unfinished would be drawn all the same, after the cell.
WITHOUT_PICTURES = """
for _kind in ("image/png", "image/jpeg", "image/svg+xml", "application/pdf"):
    get_ipython().display_formatter.formatters[_kind].enabled = False
del _kind
try:
    import matplotlib.backend_bases as _bases
    _bases.FigureCanvasBase.draw_idle = lambda canvas, *args, **kwargs: None
    del _bases
except ImportError:
    pass
"""
# What of nbclient's settings is set here and not by a course.
OWN = {"kernel_manager_class", "allow_errors"}


class Session(NotebookClient):
    """A session, while it is started.

    settings: how cells are run. owner: STUDENT or JUDGE. notebook: in which the cells stand. files: what lies
    beside it, by relative path. contained: whether it is in a sandbox; never without being said. link: the
    end of a socket that its process is to have. known: cells that it will run, most likely.
    """

    def __init__(
        self,
        settings: Settings,
        owner: str,
        notebook: NotebookNode,
        files: Mapping[str, bytes],
        contained: bool,
        link: socket.socket | None = None,
        known: tuple[str, ...] = (),
    ):
        names = {name for name in NotebookClient.class_trait_names(config=True) if not name.startswith("on_")}
        traits = {name: getattr(settings, name) for name in names | OWN}
        # nbclient adds to these.
        traits["extra_arguments"] = list(settings.extra_arguments)
        super().__init__(notebook, parent=settings, **traits)
        self.settings, self.owner, self.files, self.contained = settings, owner, files, contained
        self.link, self.known = link, known
        # The kernel, if it was forked; and the output of a cell that was kept.
        self.kernel: WarmKernel | None = None
        self.kept, self.last_word = 0, False

    @contextmanager
    def started(self, prelude: str = "") -> Iterator[None]:
        """The session, in a scratch folder with its files.

        prelude: what a Python kernel executes ahead of all cells, with the descriptor of its end of the link
        where that says {link}.
        """
        with scratch(self.files) as folder:
            self.folder = str(folder)
            inherited = {"pass_fds": (self.link.fileno(),)} if self.link else {}
            with self.setup_kernel(cwd=str(folder / WORK), **inherited):
                self.kernel = getattr(self.km, "kernel", None)
                about = self.answer(self.client.kernel_info())["content"]["language_info"]
                self.nb.metadata["language_info"] = about
                if about.get("name") == "python":
                    # A kernel that was forked has it where all have; one that was started, under our number.
                    number = LINK if self.kernel else self.link.fileno() if self.link else None
                    plain = PRELUDE + ("" if self.settings.draw else WITHOUT_PICTURES)
                    source = plain + prelude.replace("{link}", str(number))
                    self.answer(self.client.execute(source, silent=True, store_history=False))
                yield

    def create_kernel_manager(self) -> KernelManager:
        manager = super().create_kernel_manager()
        if isinstance(manager, WarmKernelManager):
            settings = self.settings
            manager.preload, manager.owner, manager.scratch = settings.modules, self.owner, self.folder
            manager.link = self.link.fileno() if self.link else None
            if self.contained:
                manager.limits = Limits(settings.memory_limit, settings.process_limit, settings.file_limit)
                if not manager.warm():
                    raise NbGraderException(
                        f"the kernel {manager.kernel_name!r} can't be contained, only Python's can: "
                        'use c.Execute.isolation = "judge"'
                    )
            if self.known and manager.warm():
                teach(manager.preload, self.owner, self.known)
        return manager

    @property
    def client(self) -> Any:
        """The client of the session's kernel. Raises DeadKernelError if it has none."""
        if self.kc is None:
            raise DeadKernelError("it is not started, or has ended")
        return self.kc

    def answer(self, asked: str) -> dict[str, Any]:
        """The reply to a request. Raises DeadKernelError if none has come."""
        reply = self.wait_for_reply(asked)
        if reply is None:
            raise DeadKernelError("it gave no answer")
        return reply

    def play(self, cell: NotebookNode, number: int) -> None:
        """Run a cell, which stands at this place of the notebook. Raises what nbclient raises."""
        self.begin_cell()
        self.execute_cell(cell, number)

    def begin_cell(self) -> None:
        self.kept, self.last_word = 0, False

    def say(self, source: str) -> None:
        """Have source executed in its turn; nobody waits for that."""
        self.client.execute(source, silent=True, store_history=False, stop_on_error=False)

    def well(self) -> bool:
        """Whether the process lives and keeps its limits at this moment."""
        return not self.kernel or self.kernel.well()

    @property
    def broken_limit(self) -> str | None:
        """The limit that the process broke ("memory", "processes", "files"), once it has ended."""
        return self.kernel.reason if self.kernel else None

    def on_cell_executed(self, **kwargs: Any) -> None:
        StockExecute.on_cell_executed(self, **kwargs)
        reply = kwargs["execute_reply"]
        # A reply that no kernel has sent is nbclient's, when time is up. An error's name says nothing: a
        # student can give it to one of theirs.
        stopped = FAILED if "header" in reply else TIMED_OUT
        record(kwargs["cell"], OK if reply["content"]["status"] == "ok" else stopped)

    def process_message(self, msg: dict, cell: NotebookNode, cell_index: int) -> NotebookNode | None:
        if "execution_count" in msg["content"]:
            msg["content"]["execution_count"] = harmless.count(msg["content"]["execution_count"])
        return super().process_message(msg, cell, cell_index)

    def _update_display_id(self, display_id: str, msg: dict) -> None:
        """Change the last display of this name: if all of them changed, few messages could fill gigabytes."""
        places = self._display_id_map.get(display_id)
        if not places:
            return
        where = list(places)[-1]
        self._display_id_map[display_id] = {where: places[where][-1:]}
        self.kept += len(str(msg["content"]))
        if self.kept <= self.settings.output_limit:
            content = harmless.content("display_data", msg["content"])
            super()._update_display_id(display_id, {**msg, "content": content})

    def output(self, outs: list[NotebookNode], msg: dict, display_id: str | None, cell_index: int) -> Any:
        """Keep an output, unless the cell has had its share: cut while it streams, so nothing piles up."""
        size, limit = len(str(msg["content"])), self.settings.output_limit
        before, self.kept = self.kept, self.kept + size
        last_word = msg["msg_type"] in ("error", "execute_result") and size < limit
        if self.kept <= limit or (last_word and not self.last_word):
            self.last_word = self.kept > limit
            msg = {**msg, "content": harmless.content(msg["msg_type"], msg["content"])}
            return super().output(outs, msg, display_id, cell_index)
        if before <= limit:
            outs.append(new_output("stream", name="stderr", text="\n[more output of this cell was cut]\n"))
        return None

    def handle_comm_msg(self, outs: list[NotebookNode], msg: dict, cell_index: int) -> None:
        """Widgets have no browser here, and what they send would pile up."""
