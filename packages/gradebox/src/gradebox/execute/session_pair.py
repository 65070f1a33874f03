"""The sessions of a run: one for what the student wrote, and, if tests are judged, one for them.

A test runs in the judge's session while the student's serves it (see `gradebox/judge`). Locked cells that
are no tests run in both.
"""

import socket
from collections.abc import Iterator, Set
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

from nbformat.notebooknode import NotebookNode, from_dict
from nbformat.v4 import new_code_cell

from gradebox.course_secret import NAME
from gradebox.execute import forked_session, nbclient_session
from gradebox.execute.cell_roles import GIVEN, IN_PROCESS, MEETING, STUDENTS, TEST
from gradebox.execute.execution_settings import Settings
from gradebox.execute.lesson import Given, Lesson
from gradebox.execute.session import Plan, Session
from gradebox.judge import kernel_commands
from gradebox.kernel.zygote_client import JUDGE, STUDENT
from gradebox.notebook import name_of
from gradebox.notebook_metadata import FAILED, GARBLED, KILLED, OK, ending, last_error, note, record
from gradebox.static_analysis.cell_scope import scope

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

# What takes what a student's session puts out while it serves a test. Nobody validates it: that takes as long
# as a small test.
NO_CELL: dict[str, Any] = dict(new_code_cell(metadata={"execution": {}}))


class Alone:
    """A student's session, in which tests run, too."""

    def __init__(self, settings: Settings, given: Given, contained: bool, notebook: NotebookNode):
        plan = Plan(STUDENT, given.files, contained, pictures(settings))
        self.student = session(settings, plan, notebook)

    @contextmanager
    def started(self) -> Iterator[None]:
        with self.student.started():
            self.student.ready()
            yield

    def play(self, cell: NotebookNode, number: int) -> bool:
        """Run a cell where it belongs. Returns whether the sessions can go on after it.

        Raises Died, Stuck, and something else if what came can't be read.
        """
        self.student.play(cell, number)
        return True

    def well(self) -> bool:
        """Whether the student's process lives and keeps its limits at this moment."""
        return self.student.well()


class Pair(Alone):
    """A student's session, and the judge's, which are linked.

    lesson: what the instructor's notebook says. shared: what of tests students' cells may use so far (see
    `execute/exported_names.py`). used, defined: names that students' cells use and define so far. returned:
    what the judge was told last (see `judge/judge_client.py`).
    """

    def __init__(
        self, settings: Settings, given: Given, contained: bool, notebook: NotebookNode, lesson: Lesson
    ):
        self.notebook, self.lesson = notebook, lesson
        self.shared: dict[str, str] = {}
        self.used, self.defined, self.returned = set[str](), set[str](), frozenset[str]()
        self.links = socket.socketpair()
        plain = pictures(settings)
        secret = (f"{NAME} = {given.secret}\n",) if given.secret is not None else ()
        judges = kernel_commands.judge_begins(lesson.facts)
        plans = (
            Plan(STUDENT, given.files, contained, plain, (kernel_commands.STUDENT_BEGINS,)),
            Plan(JUDGE, given.supplements, contained, (*plain, lesson.imports), (judges, *secret)),
        )
        self.student, self.judge = (
            session(settings, plan, notebook, link.fileno())
            for plan, link in zip(plans, self.links, strict=True)
        )

    @contextmanager
    def started(self) -> Iterator[None]:
        try:
            with self.student.started(), self.judge.started():
                self.student.ready()
                self.judge.ready()
                # Now each end is in one process only, and the other side sees when that is gone.
                self.close_links()
                yield
        finally:
            self.close_links()

    def close_links(self) -> None:
        for end in self.links:
            end.close()

    def play(self, cell: NotebookNode, number: int) -> bool:
        name = name_of(cell) or ""
        role = self.lesson.roles.get(name, STUDENTS)
        if role in (TEST, MEETING):
            self.give_back(self.lesson.returned.get(name, frozenset()))
        if role == TEST:
            exported = self.lesson.exported[name]
            # In the order of the last definitions.
            self.shared = {one: text for one, text in self.shared.items() if one not in exported} | exported
            self.define(self.used - self.defined)
            return self.judged(cell, number)
        found = scope(cell.source)
        if self.shared and not self.share(found.uses):
            return False
        self.used |= found.uses
        self.defined |= found.leaves
        for left in found.leaves:
            # From here on it is what this cell says.
            self.shared.pop(left, None)
        self.student.play(cell, number)
        if role in (STUDENTS, IN_PROCESS):
            return True
        if role == GIVEN:
            self.judge.say(cell.source)
            return True
        again = deepcopy(cell)
        again.source = kernel_commands.by_both(cell.source)
        return self.judged(again, number, cell)

    def give_back(self, names: frozenset[str]) -> None:
        """Let the judge take these names from the student's process, which locked cells have given, too."""
        if names != self.returned:
            self.returned = names
            self.judge.say(kernel_commands.judge_does("give_back", names))

    def define(self, names: Set[str]) -> None:
        """Have the student's process make imports and definitions of tests, which functions there may use."""
        made = {name: text for name, text in self.shared.items() if text and name in names}
        for text in dict.fromkeys(made.values()):
            self.student.say(text)
        for name in made:
            del self.shared[name]

    def share(self, used: Set[str]) -> bool:
        """Let the student's process have what a cell may use of the tests before it.

        Returns whether the sessions can go on.
        """
        self.define(used)
        values = self.shared.keys() & used
        for name in values:
            del self.shared[name]
        if not values:
            return True
        asking = from_dict(NO_CELL | {"source": kernel_commands.judge_does("share", values)})
        return self.both(asking, from_dict(NO_CELL), 0)

    def judged(self, cell: NotebookNode, number: int, place: NotebookNode | None = None) -> bool:
        """Run a cell in the judge's session, while the student's serves it. Returns whether both can go on.

        place: the cell that shall stand there afterwards, if it is another one.
        """
        served = from_dict(NO_CELL)
        try:
            in_step = self.both(cell, served, number)
        finally:
            self.notebook.cells[number] = place or cell
        # Of what the judge's session has put out alone.
        last = last_error(cell)
        cell.outputs = [*served.outputs, *cell.outputs]
        if last and last.ename == kernel_commands.BROKEN:
            record(cell, KILLED)
        elif last and last.ename == kernel_commands.TAMPERED:
            record(cell, GARBLED)
            note(cell, flag=last.evalue)
        elif last and last.ename == kernel_commands.UNABLE:
            note(cell, unable=last.evalue)
        return in_step and ending(cell) in (OK, FAILED)

    def both(self, cell: NotebookNode, served: NotebookNode, number: int) -> bool:
        """Run a cell in the judge's session, and serve it. Returns whether both are in step."""
        student, judge = self.student, self.judge
        if isinstance(student, forked_session.Warm) and isinstance(judge, forked_session.Warm):
            return forked_session.judged(student, judge, cell, served)
        assert isinstance(student, nbclient_session.Cold) and isinstance(judge, nbclient_session.Cold)
        return nbclient_session.judged(student, judge, cell, served, number)


def sessions(settings: Settings, given: Given, contained: bool, notebook: NotebookNode) -> Alone:
    """The sessions that a run takes: a pair if tests are judged and it is known which cells those are."""
    if given.lesson and settings.judged:
        return Pair(settings, given, contained, notebook, given.lesson)
    return Alone(settings, given, contained, notebook)


def session(settings: Settings, plan: Plan, notebook: NotebookNode, link: int | None = None) -> Session:
    """A session of the kind that this notebook's kernel can have."""
    if forked_session.is_warm(settings, notebook):
        return forked_session.Warm(settings, plan, notebook, link)
    return nbclient_session.Cold(settings, plan, notebook, link)


def pictures(settings: Settings) -> tuple[str, ...]:
    """What a session executes first, for its pictures."""
    return () if settings.draw else (WITHOUT_PICTURES,)
