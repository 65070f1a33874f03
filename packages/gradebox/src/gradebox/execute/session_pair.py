"""Sessions of a run: one for the student's code and, if tests are judged, one for the tests.

A test runs in the judge's session while the student's session serves its requests (see `gradebox/judge`).
Locked cells that are not tests run in both.
"""

import socket
from collections.abc import Iterator, Set
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

from nbformat.notebooknode import NotebookNode, from_dict
from nbformat.v4 import new_code_cell

from gradebox.course_secret import SECRET_NAME
from gradebox.execute import forked_session, nbclient_session
from gradebox.execute.cell_roles import (
    DEPENDENT_CELL,
    IN_PROCESS_TEST,
    INDEPENDENT_CELL,
    JUDGED_TEST,
    STUDENT_CELL,
)
from gradebox.execute.execution_settings import Settings
from gradebox.execute.kernel_specs import KernelError, describe_uncontainable, find_interpreter
from gradebox.execute.lesson import ExecutionInputs, Lesson
from gradebox.execute.session import Session, SessionConfig
from gradebox.judge import code_run_in_kernels
from gradebox.kernel.zygote_client import JUDGE, STUDENT, can_fork_kernels
from gradebox.notebook_exercises import find_grade_id
from gradebox.notebook_metadata import (
    FAILED,
    GARBLED,
    KILLED,
    OK,
    find_last_error,
    read_ending,
    record_ending,
    update_record,
)
from gradebox.static_analysis.cell_scope import analyze_scope

# Drawing takes longer than everything else in most notebooks. Without these lines, a figure that a failing
# cell left unfinished would still be drawn after the cell.
DISABLE_PICTURES = """
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

# Length of the longest cell whose text tests can read.
MAX_READ_CELL = 100_000

# Template of cells that receive the output of a student's session while it serves a test. Copies of the
# template skip validation, which takes as long as a small test.
PLACEHOLDER_CELL: dict[str, Any] = dict(new_code_cell(metadata={"execution": {}}))


class SingleSession:
    """A student's session that also runs the tests."""

    def __init__(self, settings: Settings, given: ExecutionInputs, contained: bool, notebook: NotebookNode):
        needs = settings.select_modules(given.lesson.texts) if given.lesson else None
        plan = SessionConfig(STUDENT, given.files, contained, build_picture_setup(settings), needs=needs)
        self.student = create_session(settings, plan, notebook)

    @contextmanager
    def started(self) -> Iterator[None]:
        with self.student.started():
            self.student.wait_until_ready()
            yield

    def execute_in_place(self, cell: NotebookNode, number: int) -> bool:
        """Run a cell in the sessions of its role. Return True if the sessions can continue afterwards.

        Raises SessionDiedError and UninterruptibleCellError, and other errors for malformed messages.
        """
        self.student.execute_in_place(cell, number)
        return True

    def is_healthy(self) -> bool:
        """Return True if the student's process is alive and within its limits at this moment."""
        return self.student.is_healthy()

    @property
    def broken_limit(self) -> str | None:
        """The limit that an ended process broke ("memory", "processes", "files"), or None."""
        return self.student.broken_limit


class SessionPair(SingleSession):
    """A student's session and the judge's session, connected by a socket.

    lesson: the instructor's notebook. shared: names that tests have exported and that the student's process
    does not have yet (see `execute/names_from_tests.py`). used, defined: names that students' cells have used
    and defined so far. returned: the names last sent to `give_back` in `judge/rpc_client.py`.
    """

    def __init__(
        self,
        settings: Settings,
        given: ExecutionInputs,
        contained: bool,
        notebook: NotebookNode,
        lesson: Lesson,
    ):
        self.notebook, self.lesson = notebook, lesson
        self.shared: dict[str, str] = {}
        self.used, self.defined, self.returned = set[str](), set[str](), frozenset[str]()
        self.links = socket.socketpair()
        plain = build_picture_setup(settings)
        begin = code_run_in_kernels.SUBMITTED_CELLS_CODE.format(self.list_submitted_cells())
        if given.secret is not None:
            begin += f"{SECRET_NAME} = {given.secret}\n"
        judges = code_run_in_kernels.build_client_start(lesson.facts)
        needs, serves = settings.select_modules(lesson.texts), code_run_in_kernels.START_SERVER_CODE
        plans = (
            SessionConfig(STUDENT, given.files, contained, plain, (serves,), needs),
            SessionConfig(
                *(JUDGE, given.supplements, contained),
                *((*plain, lesson.imports), (judges, begin), needs),
            ),
        )
        self.student, self.judge = (
            create_session(settings, plan, notebook, link.fileno())
            for plan, link in zip(plans, self.links, strict=True)
        )

    @contextmanager
    def started(self) -> Iterator[None]:
        try:
            with self.student.started(), self.judge.started():
                self.student.wait_until_ready()
                self.judge.wait_until_ready()
                # Close this process's copies: each end is then open in one process only, whose exit the peer
                # detects.
                self.close_links()
                yield
        finally:
            self.close_links()

    def list_submitted_cells(self) -> list[tuple[str, str]]:
        """Return the grade_ids and sources of the student's code cells, for the messages of tests."""
        cells = [cell for cell in self.notebook.cells if cell.cell_type == "code"]
        names = [find_grade_id(cell) or "" for cell in cells]
        return [
            (name, cell.source)
            for name, cell in zip(names, cells, strict=True)
            if self.lesson.roles.get(name, STUDENT_CELL) == STUDENT_CELL and len(cell.source) <= MAX_READ_CELL
        ]

    def close_links(self) -> None:
        for end in self.links:
            end.close()

    def execute_in_place(self, cell: NotebookNode, number: int) -> bool:
        name = find_grade_id(cell) or ""
        role = self.lesson.roles.get(name, STUDENT_CELL)
        if role in (JUDGED_TEST, DEPENDENT_CELL):
            self.give_back(self.lesson.returned.get(name, frozenset()))
        if role == JUDGED_TEST:
            exported = self.lesson.exported[name]
            # Keep the order of the last definitions.
            self.shared = {one: text for one, text in self.shared.items() if one not in exported} | exported
            self.run_definitions(self.used - self.defined)
            return self.judged(cell, number)
        found = analyze_scope(cell.source)
        if self.shared and not self.share(found.uses):
            return False
        self.used |= found.uses
        self.defined |= found.leaves
        for left in found.leaves:
            # This cell's definition replaces the exported one.
            self.shared.pop(left, None)
        full = cell.source
        cell.source = self.lesson.student_sources.get(name, full)
        try:
            self.student.execute_in_place(cell, number)
        finally:
            cell.source = full
        if role in (STUDENT_CELL, IN_PROCESS_TEST):
            return True
        if role == INDEPENDENT_CELL:
            self.judge.say(cell.source)
            return True
        again = deepcopy(cell)
        again.source = code_run_in_kernels.mark_run_by_both(cell.source)
        return self.judged(again, number, cell)

    @property
    def broken_limit(self) -> str | None:
        # The test itself can use too much, too.
        return self.student.broken_limit or self.judge.broken_limit

    def give_back(self, names: frozenset[str]) -> None:
        """Make the judge read these locked names from the student's process."""
        if names != self.returned:
            self.returned = names
            self.judge.say(code_run_in_kernels.build_client_call("give_back", names))

    def run_definitions(self, names: Set[str]) -> None:
        """Execute exported imports and definitions of these names in the student's process."""
        made = {name: text for name, text in self.shared.items() if text and name in names}
        for text in dict.fromkeys(made.values()):
            self.student.say(text)
        for name in made:
            del self.shared[name]

    def share(self, used: Set[str]) -> bool:
        """Copy the exported names that a cell may use to the student's process.

        Return True if the sessions can continue.
        """
        self.run_definitions(used)
        values = self.shared.keys() & used
        for name in values:
            del self.shared[name]
        if not values:
            return True
        asking = from_dict(
            PLACEHOLDER_CELL | {"source": code_run_in_kernels.build_client_call("share", values)}
        )
        return self.run_linked(asking, from_dict(PLACEHOLDER_CELL), 0)

    def judged(self, cell: NotebookNode, number: int, place: NotebookNode | None = None) -> bool:
        """Run a cell in the judge's session while the student's session serves its requests.

        number: the index of the cell in the notebook. place: the cell to store at that index afterwards, if
        different. Return True if both sessions can continue.
        """
        served = from_dict(PLACEHOLDER_CELL)
        try:
            in_step = self.run_linked(cell, served, number)
        finally:
            self.notebook.cells[number] = place or cell
        # Read the error before the student's output is added: only the judge's errors count.
        last = find_last_error(cell)
        cell.outputs = [*served.outputs, *cell.outputs]
        if last and last.ename == code_run_in_kernels.BROKEN:
            record_ending(cell, KILLED)
        elif last and last.ename == code_run_in_kernels.TAMPERED:
            record_ending(cell, GARBLED)
            update_record(cell, flag=last.evalue)
        elif last and last.ename == code_run_in_kernels.NOT_JUDGEABLE:
            update_record(cell, unable=last.evalue)
        return in_step and read_ending(cell) in (OK, FAILED)

    def run_linked(self, cell: NotebookNode, served: NotebookNode, number: int) -> bool:
        """Run a cell in the judge's session and serve its requests. Return True if both are still in sync."""
        student, judge = self.student, self.judge
        if isinstance(student, forked_session.ForkedSession) and isinstance(
            judge, forked_session.ForkedSession
        ):
            return forked_session.run_test_forked(student, judge, cell, served)
        assert isinstance(student, nbclient_session.NbclientSession) and isinstance(
            judge, nbclient_session.NbclientSession
        )
        return nbclient_session.run_test_nbclient(student, judge, cell, served, number)


def create_sessions(
    settings: Settings, given: ExecutionInputs, contained: bool, notebook: NotebookNode
) -> SingleSession:
    """Return the session of a run, or a pair of sessions if tests are judged and the lesson is known."""
    if given.lesson and settings.judged:
        return SessionPair(settings, given, contained, notebook, given.lesson)
    return SingleSession(settings, given, contained, notebook)


def create_session(
    settings: Settings, plan: SessionConfig, notebook: NotebookNode, link: int | None = None
) -> Session:
    """Return a forked session if the notebook's kernel supports forking, else an nbclient session.

    Raises KernelError if the kernel can't be used.
    """
    interpreter = find_interpreter(settings, notebook)
    if interpreter and can_fork_kernels():
        return forked_session.ForkedSession(settings, plan, notebook, link, interpreter)
    if plan.contained:
        raise KernelError(describe_uncontainable(settings, notebook))
    return nbclient_session.NbclientSession(settings, plan, notebook, link, interpreter)


def build_picture_setup(settings: Settings) -> tuple[str, ...]:
    """Return the code that disables pictures; empty if figures are drawn."""
    return () if settings.draw else (DISABLE_PICTURES,)
