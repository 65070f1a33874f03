"""Session in a forked kernel, driven directly by one loop that polls all of its descriptors."""

import select
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output

from gradebox.execute.execution_settings import Settings
from gradebox.execute.output_collector import OutputCollector
from gradebox.execute.session import (
    EXIT_TIMEOUT,
    HANDOVER_TIMEOUT,
    Session,
    SessionConfig,
    SessionDiedError,
    UninterruptibleCellError,
)
from gradebox.judge import code_run_in_kernels
from gradebox.kernel.frames import ConnectionClosedError, Frame, MalformedMessageError
from gradebox.kernel.interpreter import OWN_INTERPRETER, Interpreter
from gradebox.kernel.kernel_handle import KernelConfig, KernelHandle, wait_readable
from gradebox.kernel.zygote_client import LINK_DESCRIPTOR
from gradebox.notebook_metadata import FAILED, OK, TIMED_OUT, find_last_error, record_ending
from gradebox.sandbox.rlimits import ResourceLimits
from gradebox.sandbox.scratch_folder import WORK_FOLDER
from gradebox.sanitize import notebook_cells as harmless

# Jupyter's description of Python, without the version.
LANGUAGE_INFO: dict[str, Any] = {
    "name": "python",
    "mimetype": "text/x-python",
    "codemirror_mode": {"name": "ipython", "version": 3},
    "pygments_lexer": "ipython3",
    "nbconvert_exporter": "python",
    "file_extension": ".py",
}


class ForkedSession(Session):
    """A session in a kernel that was forked from a template of this interpreter."""

    def __init__(
        self,
        settings: Settings,
        plan: SessionConfig,
        notebook: NotebookNode,
        link: int | None = None,
        interpreter: Interpreter = OWN_INTERPRETER,
    ):
        super().__init__(settings, plan, notebook, link)
        self.interpreter = interpreter
        self.outputs = OutputCollector(settings.output_limit)
        # gone: True once the process can send nothing more. runs: the number of executed cells.
        self.gone, self.runs = False, 0

    @contextmanager
    def in_folder(self, folder: str) -> Iterator[None]:
        settings, plan = self.settings, self.plan
        limits = ResourceLimits(settings.memory_limit, settings.process_limit, settings.file_limit)
        self.kernel = KernelHandle(
            KernelConfig(
                preload=settings.modules,
                owner=plan.owner,
                scratch=folder,
                cwd=f"{folder}/{WORK_FOLDER}",
                limits=limits if plan.contained else None,
                link=self.link,
                setup=plan.setup,
                interpreter=self.interpreter,
                needs=plan.needs,
            )
        )
        try:
            yield
        finally:
            self.kernel.close()

    def wait_until_ready(self) -> None:
        self.kernel.wait_until_ready()
        about = deepcopy(LANGUAGE_INFO) | {"version": self.interpreter.version}
        self.notebook.metadata["language_info"] = about
        for source in self.plan.begin:
            self.say(source.replace("{link}", str(LINK_DESCRIPTOR)))

    def execute_in_place(self, cell: NotebookNode, number: int) -> None:
        if not cell.source.strip() or self.settings.skip_cells_with_tag in cell.metadata.get("tags", []):
            return
        self.outputs.begin(cell)
        run_until_done(CellExecution(self, cell, cell.source))

    def say(self, source: str) -> None:
        try:
            self.kernel.send(do="run", source=source, quiet=True)
        except ConnectionClosedError as error:
            raise SessionDiedError(str(error)) from None

    def is_healthy(self) -> bool:
        return not self.gone and self.kernel.is_healthy()

    @property
    def broken_limit(self) -> str | None:
        # Read a report that the kernel's guard may already have sent.
        self.kernel.is_healthy()
        return self.kernel.reason


# Channels of a cell execution besides the output streams: frames, and the end of the process.
FRAMES, ENDED = "frames", "ended"


@dataclass
class CellExecution:
    """Execution of source code in one session, with the cell that stores the output.

    history: True to store the source in the kernel's history. only_streams: True to keep only the output of
    streams. number: the number of this run in the session. ended: the frame that reported the end of the run.
    """

    session: ForkedSession
    cell: NotebookNode
    source: str
    history: bool = True
    only_streams: bool = False
    number: int = 0
    ended: Frame | None = None

    def begin(self) -> None:
        kernel = self.session.kernel
        try:
            kernel.forget()
            # The number distinguishes this run's end frame from a late end frame of an earlier run.
            self.session.runs += 1
            self.number = self.session.runs
            kernel.send(do="run", source=self.source, history=self.history, run=self.number)
        except ConnectionClosedError:
            self.session.gone = True

    @property
    def waits(self) -> bool:
        return not self.session.gone and self.ended is None

    def descriptors(self) -> dict[int, str]:
        """Return the channel names of the descriptors to poll: output streams, frames, and the process."""
        kernel = self.session.kernel
        found = {number: name for name, number in kernel.printed.items()} | {kernel.frames.fileno(): FRAMES}
        return found | ({} if kernel.process is None else {kernel.process: ENDED})

    def read_channel(self, name: str) -> None:
        """Read the pending data of a channel: frames, stream output, or the end of the process.

        Raises MalformedMessageError.
        """
        kernel, outputs = self.session.kernel, self.session.outputs
        if name == ENDED:
            # Forks of the process may keep its socket open, so end-of-file may never arrive.
            self.read_remaining()
            self.session.gone = self.ended is None
            return
        if name != FRAMES:
            text = kernel.read_output(name).decode(errors="replace")
            if text:
                outputs.take("stream", {"name": name, "text": text})
            return
        try:
            kernel.frames.fill()
        except ConnectionClosedError:
            self.session.gone = True
            return
        while self.ended is None and (frame := kernel.frames.take()) is not None:
            self.take(frame)

    def read_remaining(self) -> None:
        """Read the frames that a process sent before its end."""
        end = time.monotonic() + EXIT_TIMEOUT
        while self.waits and wait_readable(self.session.kernel.frames, 0) and time.monotonic() < end:
            self.read_channel(FRAMES)

    def take(self, frame: Frame) -> None:
        outputs = self.session.outputs
        if "end" in frame and frame.get("run") != self.number:
            return
        if "end" in frame:
            # Stream output was written before the end. Its order relative to other output is unknown.
            for name in list(self.session.kernel.printed):
                self.read_channel(name)
            self.ended = frame
        elif self.only_streams and frame.get("m") != "stream":
            return
        elif frame.get("large"):
            outputs.mark_truncated()
        elif isinstance(frame.get("c"), dict):
            outputs.take(str(frame.get("m")), frame["c"])
        else:
            raise MalformedMessageError("a frame is not a message")


def run_until_done(main: CellExecution, other: CellExecution | None = None) -> None:
    """Run a cell to its end, within its time limit.

    other: an execution to poll at the same time, which serves requests and prints. Raises SessionDiedError,
    UninterruptibleCellError and MalformedMessageError.
    """
    settings = main.session.settings
    turns = [turn for turn in (main, other) if turn]
    for turn in turns:
        turn.begin()
    seconds = settings.find_cell_timeout(main.cell)
    limit = time.monotonic() + seconds if seconds else None
    interrupted = False
    while main.waits:
        poll_once(turns, None if limit is None else limit - time.monotonic())
        if limit is not None and time.monotonic() >= limit and main.waits:
            if interrupted or not settings.interrupt_on_timeout:
                raise UninterruptibleCellError(f"the cell did not end within {seconds} seconds")
            main.session.kernel.signal(signal.SIGINT)
            interrupted, limit = True, time.monotonic() + (settings.iopub_timeout or HANDOVER_TIMEOUT)
    if main.ended is None:
        raise SessionDiedError("the session's process has ended")
    write_cell_result(main.cell, main.ended, settings.error_on_timeout if interrupted else None)


def poll_once(turns: list[CellExecution], seconds: float | None) -> None:
    """Poll the unfinished executions once and read the available data. Raises MalformedMessageError."""
    heard, poll = {}, select.poll()
    for turn in turns:
        if turn.waits:
            for number, name in turn.descriptors().items():
                heard[number] = turn, name
                poll.register(number, select.POLLIN)
    found = [number for number, _ in poll.poll(None if seconds is None else max(0.0, 1000 * seconds))]
    # Read stream output first, and the end of a process last.
    order = {FRAMES: 1, ENDED: 2}
    for number in sorted(found, key=lambda number: order.get(heard[number][1], 0)):
        turn, name = heard[number]
        if turn.waits:
            turn.read_channel(name)


def write_cell_result(cell: NotebookNode, end: Frame, late: dict | None) -> None:
    """Record the result of a cell.

    end: the frame that reported the end. late: the error to add if the cell had to be interrupted, else None.
    """
    cell["execution_count"] = harmless.parse_count(end.get("count"))
    if end["end"] == "ok" and not late:
        record_ending(cell, OK)
        return
    record_ending(cell, TIMED_OUT if late else FAILED)
    error = late or harmless.sanitize_content(
        "error", end["error"] if isinstance(end.get("error"), dict) else {}
    )
    # An error of the same name that is already in the output is this error.
    if not any(output.output_type == "error" and output.ename == error["ename"] for output in cell.outputs):
        traceback = error["traceback"] or ["ERROR: An error occurred while showtraceback was disabled"]
        cell.outputs.append(new_output("error", **{**error, "traceback": traceback}))


def run_test_forked(
    student: ForkedSession, judge: ForkedSession, cell: NotebookNode, served: NotebookNode
) -> bool:
    """Run a test in the judge's session while the student's session serves the test's requests.

    served: the cell that receives the output of the student's session. Return True if both sessions are still
    in sync. Raises SessionDiedError, UninterruptibleCellError and MalformedMessageError.
    """
    student.outputs.begin(served)
    judge.outputs.begin(cell)
    serving = CellExecution(student, served, code_run_in_kernels.SERVE_CODE, history=False, only_streams=True)
    run_until_done(CellExecution(judge, cell, cell.source), serving)
    last = find_last_error(cell)
    broken = bool(last and last.ename == code_run_in_kernels.BROKEN)
    # Give a process that is about to end time to report the reason.
    until = time.monotonic() + (EXIT_TIMEOUT if broken else HANDOVER_TIMEOUT)
    while serving.waits and time.monotonic() < until:
        poll_once([serving], until - time.monotonic())
    return not broken and serving.ended is not None
