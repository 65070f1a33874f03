"""Execution of a notebook, in as many sessions as necessary, and of the second chances of its tests.

A cell that kills its process, or can't be interrupted, affects only the cells that depend on that cell: new
sessions are started, the completed cells are run again, and the run continues after the failed cell.
"""

import time
from collections.abc import Set
from contextlib import ExitStack
from copy import deepcopy

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output

from gradebox.execute.detect_limits import (
    describe_amount,
    describe_notebook_timeout,
    describe_reached_limit,
)
from gradebox.execute.execution_settings import Settings
from gradebox.execute.lesson import ExecutionInputs
from gradebox.execute.mistake_records import tag_known_mistakes
from gradebox.execute.second_chance import SecondChance, mark_passed_tests, plan_second_chances
from gradebox.execute.session import SessionDiedError, UninterruptibleCellError
from gradebox.execute.session_pair import create_sessions
from gradebox.execute.unavailable_resources import record_unavailable_resources
from gradebox.kernel.frames import MalformedMessageError
from gradebox.notebook_exercises import find_grade_id
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

# Name of the error that describes a cell which was not completed.
GRADING_ERROR = "GradingError"


class NotebookRunner:
    """Runner that executes one notebook in place.

    settings: the execution settings. given: the inputs. contained: True to use a sandbox.
    """

    def __init__(self, settings: Settings, given: ExecutionInputs, contained: bool):
        self.settings, self.given, self.contained = settings, given, contained
        # Deadline of the run and its second chances together, in monotonic seconds.
        self.deadline = time.monotonic() + settings.notebook_timeout
        # Seconds that each cell took in the last run, by index.
        self.seconds: dict[int, float] = {}
        self.open = ExitStack()

    def execute_in_place(self, notebook: NotebookNode) -> None:
        """Run all cells except for unneeded demonstrations, and then the second chances."""
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
                    self.record_missed_chances(notebook, chance)
            if lesson:
                tag_known_mistakes(notebook, lesson)
            record_unavailable_resources(notebook, self.given.files)
        finally:
            self.open.close()

    def begin(self) -> None:
        """Close the open sessions and start new ones."""
        self.open.close()
        self.sessions = create_sessions(self.settings, self.given, self.contained, self.notebook)
        self.open.enter_context(self.sessions.started())

    def run(self, notebook: NotebookNode, skipped: Set[int] = frozenset()) -> None:
        """Run all cells in new sessions, except for those at the indices in `skipped`."""
        self.notebook, cells, self.seconds = notebook, notebook.cells, {}
        for place, cell in enumerate(cells):
            clear_record(cell)
            if place in skipped:
                record_ending(cell, SKIPPED)
        index = 0
        while index < len(cells):
            if time.monotonic() > self.deadline:
                # New sessions would only repeat cells that have already run.
                for cell in cells[index:]:
                    if cell.cell_type == "code" and read_ending(cell) != SKIPPED:
                        self.record_failure(cell, NOT_RUN)
                return
            self.begin()
            if self.replay_cells(cells, index):
                index = self.run_from(index)

    def replay_cells(self, cells: list[NotebookNode], index: int) -> bool:
        """Run the cells before `index` again to restore the state of the previous sessions.

        Return False if the sessions have ended, or the deadline has passed.
        """
        for number, cell in enumerate(cells[:index]):
            if time.monotonic() > self.deadline:
                return False
            if read_ending(cell) in (OK, FAILED):
                try:
                    going = self.sessions.execute_in_place(deepcopy(cell), number)
                except Exception:
                    going = False
                finally:
                    # Running the copy has replaced the original cell.
                    self.notebook.cells[number] = cell
                if not going:
                    self.record_failure(cell, KILLED)
                    return False
        return True

    def run_from(self, index: int) -> int:
        """Run the cells from `index` on in these sessions. Return the index of the first untried cell."""
        for number, cell in enumerate(self.notebook.cells[index:], index):
            if cell.cell_type != "code" or not cell.source.strip() or read_ending(cell) == SKIPPED:
                continue
            if time.monotonic() > self.deadline:
                self.record_failure(cell, NOT_RUN)
                continue
            begun = time.monotonic()
            try:
                going = self.sessions.execute_in_place(cell, number)
                self.seconds[number] = time.monotonic() - begun
                # Check the limits now to blame this cell and not the next one.
                if not self.sessions.is_healthy():
                    raise SessionDiedError("the session's process broke a limit")
                self.record_limit(cell)
                if going:
                    continue
            except SessionDiedError:
                self.record_failure(cell, KILLED)
            except UninterruptibleCellError:
                # The cell was interrupted and continued to run.
                self.record_failure(cell, TIMED_OUT)
            except MalformedMessageError as error:
                self.record_failure(cell, GARBLED)
                # Ordinary cells never send malformed messages. The error text contains no received data.
                update_record(cell, flag=f"the submission's process has sent a malformed message: {error}")
            except Exception as error:
                # Any other error means that student code has tampered with the kernel.
                self.settings.log.warning("%s: %r", type(error).__name__, str(error))
                self.record_failure(cell, GARBLED)
            return number + 1
        return len(self.notebook.cells)

    def record_failure(self, cell: NotebookNode, ended: str) -> None:
        """Record that a cell was not completed, and add an error with the reason."""
        record_ending(cell, ended)
        settings = self.settings
        broken = self.sessions.broken_limit if ended == KILLED else None
        killed = (
            f"used more than {describe_amount(settings, broken)}" if broken else "ended the Python process"
        )
        reason = {
            TIMED_OUT: f"This cell did not end within {settings.find_cell_timeout(cell)} seconds and could "
            "not be interrupted.",
            KILLED: f"This cell {killed}; the cells after it ran without it.",
            GARBLED: "The Python process sent a malformed message; the cells after this cell ran without it.",
            NOT_RUN: f"Not run: the notebook exceeded its time limit of {settings.notebook_timeout} seconds.",
        }[ended]
        outputs = [output for output in cell.get("outputs", []) if output.output_type != "error"]
        error = new_output("error", ename=GRADING_ERROR, evalue=reason, traceback=[reason])
        cell.outputs = [*outputs, error]
        self.record_limit(cell, broken)

    def record_limit(self, cell: NotebookNode, broken: str | None = None) -> None:
        """Record the limit that an executed cell has reached, if any."""
        limit = describe_reached_limit(self.settings, cell, self.contained, broken)
        if limit:
            update_record(cell, limit=limit)

    def record_missed_chances(self, notebook: NotebookNode, chance: SecondChance) -> None:
        """Record the tests whose second chance was not run, because the notebook's time was over."""
        missed = {find_grade_id(cell) for cell in chance.notebook.cells if read_ending(cell) == NOT_RUN}
        for cell in notebook.cells:
            if find_grade_id(cell) in missed & set(chance.tests):
                update_record(
                    cell, limit=f"before a second chance, {describe_notebook_timeout(self.settings)}"
                )
