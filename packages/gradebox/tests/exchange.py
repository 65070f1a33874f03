"""nbgrader's exchange in a test's folder, and people who type nbgrader's commands."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from helpers import ACTIVATED, PROGRAMS, QUICK, with_settings
from nbgrader.exchange.default import ExchangeReleaseAssignment

from gradebox.course import Course


class Desk:
    """A folder in which somebody types nbgrader's commands; its data is in a folder of that person's."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.environment = {**os.environ, **QUICK, "JUPYTER_DATA_DIR": str(folder / "data")}

    def nbgrader(self, *arguments: str) -> str:
        run = subprocess.run(
            [PROGRAMS / "nbgrader", *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            env=self.environment,
        )
        assert run.returncode == 0, run.stdout + run.stderr
        return run.stderr


def open_exchange(course: Course, *settings: str) -> Course:
    """A course with an exchange in the folder beside it."""
    exchange = course.root.parent / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    return with_settings(course, f'c.Exchange.root = "{exchange}"', *settings)


def release_to_exchange(small: Course, *settings: str) -> Course:
    """A small course whose lesson is in an exchange."""
    course = open_exchange(small, *settings)
    ExchangeReleaseAssignment(coursedir=course.directory(assignment_id="hw"), parent=course.app).start()
    return course


def student_desk(course: Course, name: str) -> Desk:
    """The folder of a student of this course, with the settings that the exchange needs."""
    desk = Desk(course.root.parent / name)
    settings = ["c = get_config()", f'c.Exchange.root = "{course.root.parent / "exchange"}"']
    settings.append(f'c.CourseDirectory.course_id = "{course.directory().course_id}"')
    (desk.folder / "nbgrader_config.py").write_text("\n".join(settings))
    return desk


class Watching:
    """A running `gradebox watch`, and what it prints."""

    def __init__(self, course: Course, *arguments: str):
        self.log = course.root.parent / "watch.log"
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [PROGRAMS / "gradebox", "watch", "--every", "0.2", *arguments],
                cwd=course.root,
                env=ACTIVATED,
                stdout=log,
                stderr=log,
                # Where tests run in the background, Ctrl-C is ignored by default.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
            )

    def wait_for(self, text: str, count: int = 1) -> str:
        """Wait until a text is printed, in all runs together so many times. Returns everything printed."""
        until = time.monotonic() + 600
        while (printed := self.log.read_text()).count(text) < count:
            assert self.process.poll() is None and time.monotonic() < until, printed
            time.sleep(0.05)
        return printed

    def stop(self, number: int) -> int:
        self.process.send_signal(number)
        return self.process.wait()


@contextmanager
def watching(course: Course, *arguments: str) -> Iterator[Watching]:
    running = Watching(course, *arguments)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.wait()
