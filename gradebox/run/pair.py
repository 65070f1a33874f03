"""The sessions of a run: one for what the student wrote, and, if tests are judged, one for them.

A test runs in the judge's session while the student's serves it (see `gradebox/judge`). Locked cells that
are no tests run in both.
"""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from copy import deepcopy
from functools import lru_cache
from typing import Any

from nbclient.exceptions import CellExecutionComplete
from nbclient.util import ensure_async, run_sync
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell
from nbgrader import utils

from gradebox.judge import signs
from gradebox.judge.roles import GIVEN, MEETING, STUDENTS, TEST
from gradebox.kernels.client import JUDGE, STUDENT
from gradebox.notebook import name_of
from gradebox.record import FAILED, GARBLED, KILLED, OK, ending, flag, last_error, record
from gradebox.run.lesson import Given, Lesson
from gradebox.run.session import Session
from gradebox.run.settings import Settings
from gradebox.secret import NAME

# Seconds that a student's process may take to see that a test has ended.
GRACE, MOMENT = 2, 0.3


class Alone:
    """A student's session, in which tests run, too."""

    def __init__(self, settings: Settings, given: Given, contained: bool, notebook: NotebookNode):
        self.student = Session(settings, STUDENT, notebook, given.files, contained)

    @contextmanager
    def started(self) -> Iterator[None]:
        with self.student.started():
            yield

    def play(self, cell: NotebookNode, number: int) -> bool:
        """Run a cell where it belongs. Returns whether the sessions can go on after it."""
        self.student.play(cell, number)
        return True

    def well(self) -> bool:
        """Whether the student's process lives and keeps its limits at this moment."""
        return self.student.well()


class Pair(Alone):
    """A student's session, and the judge's, which are linked.

    lesson: what the instructor's notebook says.
    """

    def __init__(
        self, settings: Settings, given: Given, contained: bool, notebook: NotebookNode, lesson: Lesson
    ):
        self.notebook, self.given, self.lesson = notebook, given, lesson
        self.links = socket.socketpair()
        self.student, self.judge = (
            Session(settings, owner, notebook, files, contained, link, known_ahead(lesson, owner))
            for owner, files, link in zip(
                (STUDENT, JUDGE), (given.files, given.supplements), self.links, strict=True
            )
        )

    @contextmanager
    def started(self) -> Iterator[None]:
        try:
            with self.student.started(signs.STUDENT_BEGINS), self.judge.started(self.prelude()):
                # Now each end is in one process only, and the other side sees when that is gone.
                self.close_links()
                yield
        finally:
            self.close_links()

    def close_links(self) -> None:
        for end in self.links:
            end.close()

    def prelude(self) -> str:
        """What the judge executes ahead of all cells."""
        secret = f"{NAME} = {self.given.secret}\n" if self.given.secret is not None else ""
        return signs.judge_begins(set(self.lesson.own), self.lesson.answered) + self.lesson.imports + secret

    def play(self, cell: NotebookNode, number: int) -> bool:
        role = self.lesson.roles.get(name_of(cell) or "", STUDENTS)
        if role == TEST:
            return self.judged(cell, number)
        self.student.play(cell, number)
        if role == STUDENTS:
            return True
        if role == GIVEN:
            self.judge.say(cell.source)
            return True
        again = deepcopy(cell)
        again.source = signs.by_both(cell.source)
        return self.judged(again, number, cell)

    def judged(self, cell: NotebookNode, number: int, place: NotebookNode | None = None) -> bool:
        """Run a cell in the judge's session, while the student's serves it. Returns whether both can go on.

        place: the cell that shall stand there afterwards, if it is another one.
        """
        self.student.begin_cell()
        self.judge.begin_cell()
        served = new_code_cell(metadata={"execution": {}})
        try:
            in_step = run_sync(self.both)(cell, served, number)
        finally:
            self.notebook.cells[number] = place or cell
        cell.outputs = [*served.outputs, *cell.outputs]
        last = last_error(cell)
        if last and last.ename == signs.BROKEN:
            record(cell, KILLED)
        elif last and last.ename == signs.TAMPERED:
            record(cell, GARBLED)
            flag(cell, last.evalue)
        return in_step and ending(cell) in (OK, FAILED)

    async def both(self, cell: NotebookNode, served: NotebookNode, number: int) -> bool:
        """The judge's side and the student's; what the latter prints is put out by `served`."""
        serving = asyncio.ensure_future(self.serve(served, number))
        try:
            await self.judge.async_execute_cell(cell, number)
            last = last_error(cell)
            if last and last.ename == signs.BROKEN:
                # If the process is about to end, how it ended will be known in a moment.
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
        """Have the student's session serve until the test has ended."""
        asked = self.student.client.execute(signs.SERVE, store_history=False)
        with suppress(CellExecutionComplete):
            while True:
                channel = self.student.client.iopub_channel
                message: dict[str, Any] = await ensure_async(channel.get_msg(timeout=None))
                if message["parent_header"].get("msg_id") == asked:
                    if message["msg_type"] in ("stream", "status"):
                        self.student.process_message(message, served, number)


def sessions(settings: Settings, given: Given, contained: bool, notebook: NotebookNode) -> Alone:
    """The sessions that a run takes: a pair if tests are judged and it is known which cells those are."""
    if given.lesson and settings.judged:
        return Pair(settings, given, contained, notebook, given.lesson)
    return Alone(settings, given, contained, notebook)


@lru_cache(maxsize=16)
def known_ahead(lesson: Lesson, owner: str) -> tuple[str, ...]:
    """The instructor's cells that a session will run. No test comes near a student's."""
    cells = [
        (cell.source, lesson.roles.get(name_of(cell) or "")) for cell in lesson.source.cells if is_given(cell)
    ]
    if owner == STUDENT:
        return (signs.SERVE, *(source for source, role in cells if role != TEST))
    return (
        lesson.imports,
        *(signs.by_both(source) if role == MEETING else source for source, role in cells if role),
    )


def is_given(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and not utils.is_solution(cell)
