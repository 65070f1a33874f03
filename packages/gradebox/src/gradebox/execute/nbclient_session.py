"""Session driven by nbclient, for kernels of any language on any system."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import zmq.asyncio
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete, CellTimeoutError, DeadKernelError
from nbclient.util import ensure_async, run_sync
from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import Execute as StockExecute
from traitlets import default

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
from gradebox.kernel.interpreter import OWN_INTERPRETER, Interpreter, link_shared_modules
from gradebox.notebook_metadata import FAILED, OK, TIMED_OUT, find_last_error, record_ending
from gradebox.sandbox.scratch_folder import WORK_FOLDER
from gradebox.sanitize import notebook_cells as harmless

# Limit in bytes for a message from a kernel. A larger message ends the connection; normal outputs are far
# smaller.
MAX_MESSAGE_SIZE = 16 * 2**20
# Limit for the number of unread messages. A kernel that sends faster must queue them in its own memory.
MAX_QUEUED_MESSAGES = 100
# Settings of nbclient that a course can't configure.
FIXED_TRAITS = {"allow_errors"}
# quit() would reply "ok" and end the kernel a moment later, during another cell. A long traceback takes 40 ms
# and repeats lines of the cell.
PRELUDE = """
get_ipython().ask_exit = lambda: None
get_ipython().InteractiveTB.set_mode("Plain")
"""


class Manager(AsyncKernelManager):
    """Kernel manager of jupyter_client, with limits for messages from a kernel."""

    @default("context")
    def _context_default(self) -> zmq.asyncio.Context:
        context = super()._context_default()
        context.setsockopt(zmq.MAXMSGSIZE, MAX_MESSAGE_SIZE)
        context.setsockopt(zmq.RCVHWM, MAX_QUEUED_MESSAGES)
        return context


class Client(NotebookClient):
    """nbclient's client for one kernel. Outputs are left to `OutputCollector`."""

    def __init__(self, settings: Settings, notebook: NotebookNode, outputs: OutputCollector):
        names = {name for name in NotebookClient.class_trait_names(config=True) if not name.startswith("on_")}
        traits = {name: getattr(settings, name) for name in names | FIXED_TRAITS}
        # Copy the list, since nbclient extends it.
        traits["extra_arguments"] = list(settings.extra_arguments)
        super().__init__(notebook, parent=settings, **{**traits, "kernel_manager_class": Manager})
        self.outputs = outputs

    @property
    def client(self) -> Any:
        """Return the client of the kernel. Raises DeadKernelError without a kernel."""
        if self.kc is None:
            raise DeadKernelError("the kernel is not started, or has ended")
        return self.kc

    def answer(self, asked: str) -> dict[str, Any]:
        """Return the reply to a request. Raises DeadKernelError if the kernel sent none."""
        reply = self.wait_for_reply(asked)
        if reply is None:
            raise DeadKernelError("the kernel did not reply")
        return reply

    def on_cell_executed(self, **kwargs: Any) -> None:
        StockExecute.on_cell_executed(self, **kwargs)
        reply = kwargs["execute_reply"]
        # nbclient creates a reply without a header at a timeout. The error's name is not evidence,
        # since student code can raise an error of the same name.
        stopped = FAILED if "header" in reply else TIMED_OUT
        record_ending(kwargs["cell"], OK if reply["content"]["status"] == "ok" else stopped)

    def process_message(self, msg: dict, cell: NotebookNode, cell_index: int) -> NotebookNode | None:
        kind, content = msg["msg_type"], msg["content"]
        if kind in ("status", "execute_input"):
            if "execution_count" in content:
                content["execution_count"] = harmless.parse_count(content["execution_count"])
            return super().process_message(msg, cell, cell_index)
        if self.outputs.cell is not cell:
            self.outputs.begin(cell)
        self.outputs.take(kind, content)
        return None


class NbclientSession(Session):
    """A session in a separate kernel that nbclient has started.

    interpreter: the Python that runs the kernel; None for a kernel that ipykernel does not run.
    """

    def __init__(
        self,
        settings: Settings,
        plan: SessionConfig,
        notebook: NotebookNode,
        link: int | None = None,
        interpreter: Interpreter | None = OWN_INTERPRETER,
    ):
        super().__init__(settings, plan, notebook, link)
        self.interpreter, self.start_code = interpreter, PRELUDE
        self.outputs = OutputCollector(settings.output_limit)
        self.client = Client(settings, notebook, self.outputs)

    @contextmanager
    def in_folder(self, folder: str) -> Iterator[None]:
        if self.interpreter and not self.interpreter.is_own:
            modules = Path(folder, "modules")
            modules.mkdir()
            link_shared_modules(modules)
            self.start_code += f"import sys\nsys.path.append({str(modules)!r})\ndel sys\n"
        inherited = {"pass_fds": (self.link,)} if self.link is not None else {}
        with self.client.setup_kernel(cwd=f"{folder}/{WORK_FOLDER}", **inherited):
            yield

    def wait_until_ready(self) -> None:
        client = self.client
        about = client.answer(client.client.kernel_info())["content"]["language_info"]
        self.notebook.metadata["language_info"] = about
        if about.get("name") == "python":
            for source in (self.start_code, *self.plan.setup, *self.plan.begin):
                source = source.replace("{link}", str(self.link))
                asked = client.client.execute(source, silent=True, store_history=False)
                client.answer(asked)

    def execute_in_place(self, cell: NotebookNode, number: int) -> None:
        self.outputs.begin(cell)
        with translate_nbclient_errors():
            self.client.execute_cell(cell, number)

    def say(self, source: str) -> None:
        self.client.client.execute(source, silent=True, store_history=False, stop_on_error=False)

    def is_healthy(self) -> bool:
        return True

    @property
    def broken_limit(self) -> str | None:
        return None


@contextmanager
def translate_nbclient_errors() -> Iterator[None]:
    """Convert exceptions of nbclient into those of sessions."""
    try:
        yield
    except DeadKernelError as error:
        raise SessionDiedError(str(error)) from error
    except CellTimeoutError as error:
        raise UninterruptibleCellError(str(error)) from error


def run_test_nbclient(
    student: NbclientSession, judge: NbclientSession, cell: NotebookNode, served: NotebookNode, number: int
) -> bool:
    """Run a test in the judge's session while the student's session serves the test's requests.

    served: the cell that receives the output of the student's session. number: the index of the cell in the
    notebook. Return True if both sessions are still in sync. Raises SessionDiedError and
    UninterruptibleCellError.
    """
    student.outputs.begin(served)
    judge.outputs.begin(cell)
    with translate_nbclient_errors():
        return bool(run_sync(run_test_async)(student, judge, cell, served, number))


async def run_test_async(
    student: NbclientSession, judge: NbclientSession, cell: NotebookNode, served: NotebookNode, number: int
) -> bool:
    serving = asyncio.ensure_future(serve_test(student, served, number))
    try:
        await judge.client.async_execute_cell(cell, number)
        last = find_last_error(cell)
        if last and last.ename == code_run_in_kernels.BROKEN:
            # Give a process that is about to end time to report the reason.
            await asyncio.sleep(EXIT_TIMEOUT)
            return False
        return bool((await asyncio.wait({serving}, timeout=HANDOVER_TIMEOUT))[0])
    finally:
        if serving.done():
            serving.result()
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving


async def serve_test(student: NbclientSession, served: NotebookNode, number: int) -> None:
    """Serve requests in the student's session until the test has ended."""
    client = student.client
    asked = client.client.execute(code_run_in_kernels.SERVE_CODE, store_history=False)
    with suppress(CellExecutionComplete):
        while True:
            message: dict[str, Any] = await ensure_async(client.client.iopub_channel.get_msg(timeout=None))
            if message["parent_header"].get("msg_id") == asked and message["msg_type"] in (
                "stream",
                "status",
            ):
                client.process_message(message, served, number)
