"""The two kernels of a run: one for what the student wrote, and, if tests are judged, one for them.

A test runs in the judge's kernel while the student's serves it (see `gradebox/judge`). Locked cells that
are no tests run in both.
"""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from copy import deepcopy
from functools import lru_cache
from typing import Any

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete
from nbclient.util import ensure_async, run_sync
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell
from nbgrader import utils

from gradebox.grade.secret import NAME
from gradebox.judge.roles import GIVEN, MEETING, STUDENTS, TEST
from gradebox.judge.signs import BROKEN, RUN_BY_BOTH, TAMPERED
from gradebox.kernels.client import JUDGE, STUDENT
from gradebox.kernels.scratch import WORK, scratch
from gradebox.notebook import name_of
from gradebox.record import FAILED, GARBLED, KILLED, OK, ending, flag, last_error, record
from gradebox.run.lesson import Lesson

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
# How the two ends of the channel between them are taken up.
TAKE_UP = {
    STUDENT: '__import__("gradebox.judge.server", fromlist="_").begin(get_ipython().user_ns, {link})\n',
    JUDGE: '__import__("gradebox.judge.proxies", fromlist="_")'
    ".begin(get_ipython(), {own}, {answered}, {link})\n",
}
SERVE = '__import__("gradebox.judge.server", fromlist="_").serve()'
# Seconds that a student's process may take to see that a test has ended.
GRACE, MOMENT = 2, 0.3


class Sides:
    """What `Execute` (see `execute.py`) needs to run a notebook in one kernel or two.

    role: whose kernel a client is for. judge: the client of the judge's kernel, while there is one. lesson:
    what the instructor's notebook says, if tests are judged. contained: whether kernels are in a sandbox;
    never without being said. secret: what tests know of the course's. kept, last_word: how much output of a
    cell was kept.
    """

    role, judge, link = STUDENT, None, None
    lesson: Lesson | None = None
    secret: int | None = None

    @contextmanager
    def kernels(self) -> Iterator[None]:
        """A kernel for the student's cells, and, if tests are judged, one for them that is linked to it."""
        if not self.lesson:
            with self.started():
                yield
            return
        self.link, there = socket.socketpair()
        self.judge = type(self)(config=self.config)
        NotebookClient.__init__(self.judge, self.nb)
        self.judge._check_assign_resources({})
        self.judge.role, self.judge.link, self.judge.files = JUDGE, there, self.given
        self.judge.lesson, self.judge.contained, self.judge.secret = self.lesson, self.contained, self.secret
        self.judge.texts = self.texts
        try:
            with self.started(), self.judge.started():
                # Now each end is in one process only, and the other side sees when that is gone.
                self.close_ends(self.link, there)
                yield
        finally:
            self.close_ends(self.link, there)
            # The next notebook may need no judge.
            self.judge = self.link = None

    def close_ends(self, *ends: socket.socket) -> None:
        for end in ends:
            end.close()

    @contextmanager
    def started(self) -> Iterator[None]:
        """A kernel of this role, in a scratch folder with the assignment's files."""
        self.km = self.kc = None
        with scratch(self.files) as folder:
            self.folder = str(folder)
            inherited = {"pass_fds": (self.link.fileno(),)} if self.link else {}
            with self.setup_kernel(cwd=str(folder / WORK), **inherited):
                self.kernel = getattr(self.km, "kernel", None)
                about = self.wait_for_reply(self.kc.kernel_info())["content"]
                self.nb.metadata["language_info"] = about["language_info"]
                if about["language_info"].get("name") == "python":
                    self.wait_for_reply(self.kc.execute(self.prelude(), silent=True, store_history=False))
                yield

    def prelude(self) -> str:
        """What a kernel executes ahead of all cells."""
        lines = PRELUDE + ("" if self.draw else WITHOUT_PICTURES)
        if self.link:
            # A kernel that was forked knows its end; one that was started has it under its number here.
            number = None if self.kernel else self.link.fileno()
            names = {"own": set(self.lesson.own), "answered": self.lesson.answered}
            lines += TAKE_UP[self.role].format(link=number, **names)
        if self.role == JUDGE:
            lines += self.lesson.imports + (f"{NAME} = {self.secret}\n" if self.secret is not None else "")
        return lines

    def one(self, cell: NotebookNode, number: int) -> bool:
        """Run a cell where it belongs. Returns whether the kernels can go on after it."""
        self.kept, self.last_word = 0, False
        role = self.lesson.roles.get(name_of(cell), STUDENTS) if self.lesson else STUDENTS
        if role == TEST:
            return self.judged(cell, number)
        self.execute_cell(cell, number)
        if role == STUDENTS:
            return True
        if role == GIVEN:
            # In its turn; nobody waits for that.
            self.judge.kc.execute(cell.source, silent=True, store_history=False, stop_on_error=False)
            return True
        again = deepcopy(cell)
        again.source = by_both(cell.source)
        return self.judged(again, number, cell)

    def judged(self, cell: NotebookNode, number: int, place: NotebookNode | None = None) -> bool:
        """Run a cell in the judge's kernel, while the student's serves it. Returns whether both can go on.

        place: the cell that shall stand there afterwards, if it is another one.
        """
        self.judge.kept, self.judge.last_word = 0, False
        served = new_code_cell(metadata={"execution": {}})
        try:
            in_step = run_sync(self.both)(cell, served, number)
        finally:
            self.nb.cells[number] = place or cell
        cell.outputs = [*served.outputs, *cell.outputs]
        last = last_error(cell)
        if last.ename in (BROKEN, TAMPERED):
            record(cell, KILLED if last.ename == BROKEN else GARBLED)
        if last.ename == TAMPERED:
            flag(cell, last.evalue)
        return in_step and ending(cell) in (OK, FAILED)

    async def both(self, cell: NotebookNode, served: NotebookNode, number: int) -> bool:
        """The judge's side and the student's; what the latter prints is put out by `served`."""
        serving = asyncio.ensure_future(self.serve(served, number))
        try:
            await self.judge.async_execute_cell(cell, number)
            if last_error(cell).ename == BROKEN:
                # If the kernel is about to end, how it ended will be known in a moment.
                await asyncio.sleep(MOMENT)
                return False
            return bool((await asyncio.wait({serving}, timeout=GRACE))[0])
        finally:
            if serving.done():
                serving.result()
            serving.cancel()
            with suppress(asyncio.CancelledError):
                await serving

    async def serve(self, served: NotebookNode, number: int) -> None:
        """Have the student's kernel serve until the test has ended."""
        asked = self.kc.execute(SERVE, store_history=False)
        with suppress(CellExecutionComplete):
            while True:
                message: dict[str, Any] = await ensure_async(self.kc.iopub_channel.get_msg(timeout=None))
                if message["parent_header"].get("msg_id") == asked:
                    if message["msg_type"] in ("stream", "status"):
                        self.process_message(message, served, number)


def by_both(source: str) -> str:
    """A cell that the judge runs after the student's kernel has."""
    return f"{source}\n{RUN_BY_BOTH}"


@lru_cache(maxsize=16)
def known_ahead(lesson: Lesson, role: str) -> tuple[str, ...]:
    """The instructor's cells that a kernel of this role will run. No test comes near a student's."""
    cells = [(cell.source, lesson.roles.get(name_of(cell))) for cell in lesson.source.cells if is_given(cell)]
    if role == STUDENT:
        return (SERVE, *(source for source, role in cells if role != TEST))
    return (
        lesson.imports,
        *(by_both(source) if role == MEETING else source for source, role in cells if role),
    )


def is_given(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and not utils.is_solution(cell)
