"""Main loop of a kernel: run the cells that its driver sends, one after another.

- {"do": "run", "source": ..., "run": n} is a cell. The kernel sends the cell's output, and then
  {"end": "ok" or "error", "run": n, "count": ..., "error": ...}.
- With "quiet": true, the source is the grader's own code: it is not in the history, and no message is sent.
"""

from __future__ import annotations

import asyncio
import contextvars
import os
import selectors
import signal
import socket
import sys
from contextlib import suppress
from typing import Any

from gradebox.kernel.frames import ConnectionClosedError, Frame, FrameSocket, pack_frame
from gradebox.kernel.kernel_shell import FrameSession, ZMQInteractiveShell, disable_input


class KernelMainLoop:
    """Loop that runs cells in a shell.

    loop: the event loop that is running during cells. context: the context variables of all cells, so that
    settings such as NumPy's `seterr` last from cell to cell.
    """

    def __init__(self, shell: ZMQInteractiveShell, messages: FrameSession):
        self.shell, self.messages = shell, messages
        self.context = contextvars.copy_context()
        self.loop = create_event_loop()

    def renew_loop(self) -> None:
        """Replace the event loop after a fork: forks that share a loop would wake each other."""
        self.loop.close()
        self.loop = create_event_loop()

    def serve(self, link: socket.socket) -> None:
        """Answer requests until the driver closes the connection."""
        # The driver is trusted, so the size of its frames is not limited.
        frames = self.messages.frames = FrameSocket(link, None)
        self.messages.printed.owner = os.getpid()
        with suppress(ConnectionClosedError):
            while True:
                self.answer(self.loop.run_until_complete(self.next(frames)))

    async def next(self, frames: FrameSocket) -> Frame:
        """Return the next request. Tasks of earlier cells run in the meantime."""
        # Run the callbacks that a cell has just scheduled.
        await asyncio.sleep(0)
        while (frame := frames.take()) is None:
            come = asyncio.Event()
            self.loop.add_reader(frames, come.set)
            try:
                await come.wait()
            finally:
                self.loop.remove_reader(frames)
            frames.fill()
        return frame

    def answer(self, asked: Frame) -> None:
        end = self.run(asked["source"], asked.get("quiet", False), asked.get("history", True))
        if os.getpid() != self.messages.printed.owner:
            # The cell has forked, and this process is the fork: it ends here.
            os._exit(0)
        if not asked.get("quiet"):
            self.messages.send_packed(pack_frame(end | {"run": asked["run"]}))

    def run(self, source: str, quiet: bool = False, history: bool = True) -> Frame:
        """Run a cell as ipykernel does. Return the frame that reports its result."""
        self.messages.printed.begin()
        disable_input(self.shell)
        frames = self.messages.frames
        if quiet:
            self.messages.frames = None
        error: BaseException | None = KeyboardInterrupt()
        result = None
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            try:
                result = self.executed(source, quiet, history and not quiet)
            finally:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
        except KeyboardInterrupt:
            # The interrupt arrived when the cell was finishing.
            pass
        except (asyncio.CancelledError, Exception) as problem:
            error = problem
        self.messages.printed.flush()
        if quiet:
            self.messages.frames = frames
        end: Frame = {"end": "ok", "count": self.shell.execution_count - 1}
        if result is not None:
            error = result.error_before_exec or result.error_in_exec
        # True if the display of the cell's value has failed.
        not_shown = getattr(self.shell, "_last_traceback_during_displayhook", False)
        if result is None or not result.success or not_shown:
            trace = self.shell._last_traceback if result is not None else None
            end |= {"end": "error", "error": build_error_content(error, trace or [])}
        if self.shell.payload_manager:
            self.shell.payload_manager.clear_payload()
        return end

    def executed(self, source: str, silent: bool, history: bool) -> Any:
        """Execute a cell while the event loop is running. Return IPython's result."""
        shell, problem = self.shell, None
        try:
            python = shell.transform_cell(source)
        except Exception:
            python, problem = source, sys.exc_info()
        options: dict[str, Any] = {"transformed_cell": python, "preprocessing_exc_tuple": problem}
        if shell.should_run_async(source, **options):
            awaited = self.execute_async(source, store_history=history, silent=silent, **options)
            task = self.context.run(self.loop.create_task, awaited)
            return self.loop.run_until_complete(task)
        results: list[Any] = []
        failed: list[Exception] = []

        def execute() -> None:
            try:
                results.append(shell.run_cell(source, store_history=history, silent=silent))
            except Exception as error:
                # Student code can break IPython itself.
                failed.append(error)
            finally:
                self.loop.stop()

        self.loop.call_soon(execute, context=self.context)
        self.loop.run_forever()
        if failed:
            raise failed[0]
        return results[0]

    async def execute_async(self, source: str, silent: bool, **options: Any) -> Any:
        shell = self.shell
        task = asyncio.ensure_future(shell.run_cell_async(source, silent=silent, **options))
        # Cancel the coroutine: an exception would propagate out of the event loop.
        signal.signal(signal.SIGINT, lambda *_: self.loop.call_soon_threadsafe(task.cancel))
        result = None
        try:
            result = await task
        finally:
            shell.events.trigger("post_execute")
            if not silent:
                shell.events.trigger("post_run_cell", result)
        return result


def create_event_loop() -> asyncio.AbstractEventLoop:
    """Create an event loop whose selector has no descriptor that forks would share."""
    loop = asyncio.SelectorEventLoop(selectors.SelectSelector())
    asyncio.set_event_loop(loop)
    return loop


def build_error_content(error: BaseException | None, traceback: list[str]) -> Frame:
    """Return an error as the content of a Jupyter error message."""
    try:
        said = str(error)
    except Exception:
        said = ""
    return {"ename": type(error).__name__, "evalue": said, "traceback": traceback}
