"""One process that plays a notebook's cells: the student's, or the judge's.

A warm session (`forked_session.py`) is a fork that is ready at once; a cold one (`nbclient_session.py`) is a
kernel of any language, on any system. Both keep of what a cell puts out what is harmless and not too much,
and write into each cell how it ended.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from nbformat.notebooknode import NotebookNode

from gradebox.execute.execution_settings import Settings
from gradebox.sandbox.scratch_folder import create_scratch_folder

# Seconds that a student's process may take to see that a test has ended, and that a process which has broken
# off may take to end.
HANDOVER_TIMEOUT, EXIT_TIMEOUT = 2.0, 0.3


class SessionDiedError(Exception):
    """The session's process has ended."""


class UninterruptibleCellError(Exception):
    """A cell has not ended in its time, and could not be interrupted."""


@dataclass(frozen=True)
class SessionConfig:
    """What a session is for.

    owner: STUDENT or JUDGE. files: what lies beside the notebook, by relative path. contained: whether it is
    in a sandbox; never without being said. setup: what a Python kernel executes ahead of all cells, the same
    for all who have this lesson. begin: what it executes then, each by itself, with the descriptor of its end
    of the link where that says {link}.
    """

    owner: str
    files: Mapping[str, bytes]
    contained: bool
    setup: tuple[str, ...] = ()
    begin: tuple[str, ...] = ()


class Session(ABC):
    """A session, while it is started.

    settings: how cells are run. notebook: in which the cells stand. link: the descriptor of a socket that its
    process is to have.
    """

    def __init__(
        self, settings: Settings, plan: SessionConfig, notebook: NotebookNode, link: int | None = None
    ):
        self.settings, self.plan, self.notebook, self.link = settings, plan, notebook, link

    @contextmanager
    def started(self) -> Iterator[None]:
        """The session, in a scratch folder with its files; it may still need a moment, see `ready`."""
        with create_scratch_folder(self.plan.files) as folder:
            with self.in_folder(str(folder)):
                yield

    @abstractmethod
    def in_folder(self, folder: str) -> AbstractContextManager[None]:
        """The session, in this scratch folder."""

    @abstractmethod
    def wait_until_ready(self) -> None:
        """Wait until cells can be run. Raises RuntimeError."""

    @abstractmethod
    def execute_in_place(self, cell: NotebookNode, number: int) -> None:
        """Run a cell, which stands at this place of the notebook. Raises Died and Stuck."""

    @abstractmethod
    def say(self, source: str) -> None:
        """Have source executed in its turn; nobody waits for that, or hears of it."""

    @abstractmethod
    def is_healthy(self) -> bool:
        """Whether the process lives and keeps its limits at this moment."""

    @property
    @abstractmethod
    def broken_limit(self) -> str | None:
        """The limit that the process broke ("memory", "processes", "files"), once it has ended."""
