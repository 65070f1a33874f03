"""nbgrader's exchange in a test's folder, and people who type nbgrader's commands."""

import os
import subprocess
from pathlib import Path

from helpers import PROGRAMS, QUICK, with_settings

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


def student_desk(course: Course, name: str) -> Desk:
    """The folder of a student of this course, with the settings that the exchange needs."""
    desk = Desk(course.root.parent / name)
    settings = ["c = get_config()", f'c.Exchange.root = "{course.root.parent / "exchange"}"']
    settings.append(f'c.CourseDirectory.course_id = "{course.directory().course_id}"')
    (desk.folder / "nbgrader_config.py").write_text("\n".join(settings))
    return desk
