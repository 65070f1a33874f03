"""Plays a notebook to its end, in as many processes as it takes, and gives its tests a second chance.

A cell that kills its process, or can't be interrupted, costs what depends on it and nothing else: the
sessions are started again, the cells that had ended are run again, and the run goes on after the culprit.
"""

import time
from collections.abc import Set
from contextlib import ExitStack
from copy import deepcopy

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output

from gradebox.execute.execution_settings import Settings
from gradebox.execute.lesson import ExecutionInputs
from gradebox.execute.mistake_tags import tag_known_mistakes
from gradebox.execute.second_chance import mark_passed_tests, plan_second_chances
from gradebox.execute.session import SessionDiedError, UninterruptibleCellError
from gradebox.execute.session_pair import create_sessions
from gradebox.kernel.frames import MalformedMessageError
from gradebox.notebook_metadata import (
    FAILED,
    GARBLED,
    KILLED,
    NOT_RUN,
    OK,
    SKIPPED,
    TIMED_OUT,
    clear_record,
    read_ending,
    record_ending,
    update_record,
)


class NotebookRunner:
    """Plays one notebook, in place.

    settings: how cells are run. contained: whether in a sandbox.
    """

    def __init__(self, settings: Settings, given: ExecutionInputs, contained: bool):
        self.settings, self.given, self.contained = settings, given, contained
        # Of the run and its second chances together, in monotonic seconds.
        self.deadline = time.monotonic() + settings.notebook_timeout
        self.open = ExitStack()

    def execute_in_place(self, notebook: NotebookNode) -> None:
        """Run all cells but for demonstrations that nothing needs, and then second chances."""
        lesson = self.given.lesson
        draws = self.settings.draw
        try:
            self.run(
                notebook, lesson.demonstrations.find_skippable(notebook) if lesson and not draws else set()
            )
            if lesson and self.settings.second_chances:
                for chance in plan_second_chances(notebook, lesson):
                    self.run(chance.notebook)
                    mark_passed_tests(notebook, chance)
            if lesson:
                tag_known_mistakes(notebook, lesson)
        finally:
            self.open.close()

    def begin(self) -> None:
        """Start new sessions, and end those that were open."""
        self.open.close()
        self.sessions = create_sessions(self.settings, self.given, self.contained, self.notebook)
        self.open.enter_context(self.sessions.started())

    def run(self, notebook: NotebookNode, skipped: Set[int] = frozenset()) -> None:
        """Run all cells in new sessions, but for those at the places that are `skipped`."""
        self.notebook, cells = notebook, notebook.cells
        for place, cell in enumerate(cells):
            clear_record(cell)
            if place in skipped:
                record_ending(cell, SKIPPED)
        index = 0
        while index < len(cells):
            if time.monotonic() > self.deadline:
                # New processes would only run again what was run.
                for cell in cells[index:]:
                    if cell.cell_type == "code" and read_ending(cell) != SKIPPED:
                        self.record_failure(cell, NOT_RUN)
                return
            self.begin()
            if self.replay_cells(cells, index):
                index = self.run_from(index)

    def replay_cells(self, cells: list[NotebookNode], index: int) -> bool:
        """Bring sessions to where the last ones were. Returns False if they ended, or time is up."""
        for number, cell in enumerate(cells[:index]):
            if time.monotonic() > self.deadline:
                return False
            if read_ending(cell) in (OK, FAILED):
                try:
                    going = self.sessions.execute_in_place(deepcopy(cell), number)
                except Exception:
                    going = False
                finally:
                    # Running the copy has put it in the cell's place.
                    self.notebook.cells[number] = cell
                if not going:
                    self.record_failure(cell, KILLED)
                    return False
        return True

    def run_from(self, index: int) -> int:
        """Run cells in these sessions. Returns the index of the first that was not yet tried in them."""
        for number, cell in enumerate(self.notebook.cells[index:], index):
            if cell.cell_type != "code" or not cell.source.strip() or read_ending(cell) == SKIPPED:
                continue
            if time.monotonic() > self.deadline:
                self.record_failure(cell, NOT_RUN)
                continue
            try:
                going = self.sessions.execute_in_place(cell, number)
                # A limit that is broken now was broken by this cell, not by the next one.
                if not self.sessions.is_healthy():
                    raise SessionDiedError("it broke a limit")
                if going:
                    continue
            except SessionDiedError:
                self.record_failure(cell, KILLED)
            except UninterruptibleCellError:
                # It was interrupted and went on all the same.
                self.record_failure(cell, TIMED_OUT)
            except MalformedMessageError as error:
                self.record_failure(cell, GARBLED)
                # No cell sends that by itself. The words are ours, not what was sent.
                update_record(cell, flag=f"the submission's process has sent what can't be read: {error}")
            except Exception as error:
                # A kernel that sends what no kernel sends has been tampered with.
                self.settings.log.warning("%s: %r", type(error).__name__, str(error))
                self.record_failure(cell, GARBLED)
            return number + 1
        return len(self.notebook.cells)

    def record_failure(self, cell: NotebookNode, ended: str) -> None:
        """Mark a cell that did not come to its end."""
        record_ending(cell, ended)
        settings = self.settings
        reason = {
            TIMED_OUT: f"This cell did not end within {settings.timeout} seconds and could not be "
            "interrupted.",
            KILLED: f"This cell {self.describe_termination()}; the cells after it ran without it.",
            GARBLED: "The Python process sent what can't be read; the cells after it ran without it.",
            NOT_RUN: f"Not run: the whole notebook had {settings.notebook_timeout} seconds.",
        }[ended]
        outputs = [output for output in cell.get("outputs", []) if output.output_type != "error"]
        error = new_output("error", ename="GradingError", evalue=reason, traceback=[reason])
        cell.outputs = [*outputs, error]

    def describe_termination(self) -> str:
        """How the student's process came to its end."""
        settings = self.settings
        return {
            "memory": f"used more than {settings.memory_limit / 2**30:g} GiB of memory",
            "processes": f"ran more than {settings.process_limit} processes",
            "files": f"wrote more than {settings.file_limit / 10**6:g} MB of files",
        }.get(self.sessions.student.broken_limit or "", "ended the Python process")
