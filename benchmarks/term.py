"""A class through a whole term: seconds and memory of each command, `python benchmarks/term.py [STUDENTS]`.

Every student hands in every lesson of this course, as one of the example students did, in an archive of
Moodle's for each lesson. Prints what each command took; see README.md.
"""

import argparse
import csv
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

from course import REPOSITORY
from rich.console import Console
from rich.table import Table

from gradebox.course import Course

GRADEBOX = Path(sys.executable).with_name("gradebox")


@dataclass(frozen=True)
class Cost:
    """What a command cost: seconds of the wall, and bytes of memory of its largest process."""

    command: str
    seconds: float
    memory: int


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("students", type=int, nargs="?", default=120)
    size = options.parse_args().students
    with tempfile.TemporaryDirectory(prefix="term-") as folder:
        root = Path(folder) / "course"
        build(root)
        lessons = Course(root).assignments
        names = [f"Student Nº{number:04d}" for number in range(size)]
        roster(root / "class.csv", names)
        costs = [measured(root, "roster", "class.csv"), measured(root, "release")]
        archives = [archive(root / f"{lesson}.zip", lesson, names, n) for n, lesson in enumerate(lessons)]
        costs += [measured(root, "collect", path.name) for path in archives]
        costs += [measured(root, "autograde"), measured(root, "autograde")]
        # A page takes the better part of a second; all lessons' take as many times as long.
        costs += [measured(root, "feedback", lessons[0])]
        costs += [measured(root, "report"), measured(root, "similar", lessons[0])]
        costs += [measured(root, "export", "--to", to) for to in ("csv", "canvas", "moodle", "json")]
        costs += [measured(root, "export", lessons[0], "--to", "moodle", "--feedback")]
        costs += [measured(root, "extend", "s0001", lessons[0], "2026-12-01 12:00")]
        costs += [measured(root, "package", "gradescope", lessons[0])]
        costs += [measured(root, "forget", "s0001", "--yes")]
    report(costs, size, len(lessons))


def build(root: Path) -> None:
    """This course, without its example students."""
    for step in ("source", "release"):
        shutil.copytree(REPOSITORY / step, root / step)
    for name in ("nbgrader_config.py", "requirements.txt", "pyproject.toml"):
        shutil.copy(REPOSITORY / name, root)
    (root / "submitted").mkdir()


def roster(path: Path, names: list[str]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["student_id", "first name", "last name", "email"])
        for number, name in enumerate(names):
            first, last = name.split()
            writer.writerow([f"s{number:04d}", first, last, f"s{number:04d}@uni.example"])


def archive(path: Path, lesson: str, names: list[str], which: int) -> Path:
    """What Moodle makes of a class's hand-ins. which: the lesson's place, for Moodle's numbers."""
    examples = sorted((REPOSITORY / "submitted").glob(f"example_*/{lesson}/*.ipynb"))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for number, name in enumerate(names):
            example = examples[number % len(examples)]
            where = f"{name}_{which * 10_000 + number}_assignsubmission_file"
            file.write(example, f"{where}/{example.name}")
    return path


def measured(root: Path, *arguments: str) -> Cost:
    """Run a command of gradebox's, which must end well."""
    began = time.monotonic()
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen([GRADEBOX, *arguments], cwd=root, stdout=said, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise SystemExit(
                f"gradebox {' '.join(arguments)} ended with {process.returncode}:\n{said.read()}"
            )
    # Linux counts in KiB.
    cost = Cost(" ".join(arguments), seconds, used.ru_maxrss * 1024)
    print(f"{cost.command}: {seconds:.1f} s", file=sys.stderr, flush=True)
    return cost


def report(costs: list[Cost], students: int, lessons: int) -> None:
    table = Table(title=f"{students} students × {lessons} lessons", title_justify="left")
    table.add_column("gradebox …")
    table.add_column("s", justify="right")
    table.add_column("peak MB of a process", justify="right")
    for cost in costs:
        table.add_row(cost.command, f"{cost.seconds:.1f}", f"{cost.memory / 1e6:.0f}")
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
