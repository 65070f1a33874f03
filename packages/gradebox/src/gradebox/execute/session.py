"""Interface of sessions: processes that execute a notebook's cells, for the student or for the judge.

A forked session (`forked_session.py`) is a fork of a prepared process and starts at once. An nbclient session
(`nbclient_session.py`) is a kernel of any language on any system. Both sanitize and limit the output of
cells, and record the result of each cell in its metadata.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from nbformat.notebooknode import NotebookNode

from gradebox.execute.execution_settings import Settings
from gradebox.sandbox.scratch_folder import create_scratch_folder

# Seconds that a student's process may take to detect the end of a test, and that a process may take to end
# after its connection has broken.
HANDOVER_TIMEOUT, EXIT_TIMEOUT = 2.0, 0.3


class SessionDiedError(Exception):
    """Error if the session's process has ended."""


class UninterruptibleCellError(Exception):
    """Error if a cell exceeded its time limit and could not be interrupted."""


@dataclass(frozen=True)
class SessionConfig:
    """Configuration of a session.

    owner: STUDENT or JUDGE. files: contents of the files beside the notebook, by relative path. contained:
    True to use a sandbox; required, without a default. setup: code that a Python kernel executes before all
    cells, the same for all submissions to a lesson. begin: code to execute afterwards, one piece at a time;
    {link} is replaced by the descriptor of the session's end of the link. needs: the modules that the lesson
    needs; None for all that are preloaded.
    """

    owner: str
    files: Mapping[str, bytes]
    contained: bool
    setup: tuple[str, ...] = ()
    begin: tuple[str, ...] = ()
    needs: tuple[str, ...] | None = None


class Session(ABC):
    """A process that executes cells while it is started.

    settings: the execution settings. plan: the configuration. notebook: the notebook with the cells. link:
    the descriptor of a socket that the process inherits, or None.
    """

    def __init__(
        self, settings: Settings, plan: SessionConfig, notebook: NotebookNode, link: int | None = None
    ):
        self.settings, self.plan, self.notebook, self.link = settings, plan, notebook, link

    @contextmanager
    def started(self) -> Iterator[None]:
        """Start the session in a scratch folder with its files, and end it on exit.

        The session may not be ready yet: see `wait_until_ready`.
        """
        with create_scratch_folder(self.plan.files) as folder:
            with self.in_folder(str(folder)):
                yield

    @abstractmethod
    def in_folder(self, folder: str) -> AbstractContextManager[None]:
        """Start the session in this scratch folder, and end it on exit."""

    @abstractmethod
    def wait_until_ready(self) -> None:
        """Wait until cells can be run. Raises RuntimeError if the kernel does not start."""

    @abstractmethod
    def execute_in_place(self, cell: NotebookNode, number: int) -> None:
        """Run a cell. number: the index of the cell in the notebook.

        Raises SessionDiedError and UninterruptibleCellError.
        """

    @abstractmethod
    def say(self, source: str) -> None:
        """Queue source code for execution, without waiting for the result or reporting it."""

    @abstractmethod
    def is_healthy(self) -> bool:
        """Return True if the process is alive and within its limits at this moment."""

    @property
    @abstractmethod
    def broken_limit(self) -> str | None:
        """Return the limit that an ended process broke ("memory", "processes", "files"), or None."""
