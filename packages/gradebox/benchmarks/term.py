"""A class through a whole term: seconds and memory of each command, `term.py [STUDENTS]`.

Every student hands in every lesson of this course, as one of the example students did, in an archive of
Moodle's for each lesson. Prints what each command took; see README.md.
"""

import argparse
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from course import COURSE
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
        costs += reading(root)
        costs += [measured(root, "export", "--to", to) for to in ("csv", "canvas", "moodle", "json")]
        costs += [measured(root, "export", lessons[0], "--to", "moodle", "--feedback")]
        costs += [measured(root, "extend", "s0001", lessons[0], "2026-12-01 12:00")]
        costs += [measured(root, "package", "gradescope", lessons[0])]
        costs += [measured(root, "forget", "s0001", "--yes")]
    report(costs, size, len(lessons))


def build(root: Path) -> None:
    """This course, without its example students."""
    for step in ("source", "release"):
        shutil.copytree(COURSE / step, root / step)
    for name in ("nbgrader_config.py", "requirements.txt", "pyproject.toml"):
        shutil.copy(COURSE / name, root)
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
    examples = sorted((COURSE / "submitted").glob(f"example_*/{lesson}/*.ipynb"))
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


def reading(root: Path) -> list[Cost]:
    """What the page to read answers on costs: to open it, to open a question, and to save a mark."""
    command = [str(GRADEBOX), "read", "--no-browser"]
    began = time.monotonic()
    server = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True)
    assert server.stdout
    base, _, token = server.stdout.readline().split()[2].partition("?token=")
    headers = {"X-Gradebox": "read", "Cookie": f"gradebox-read-{base.split(':')[2].strip('/')}={token}"}

    def ask(path: str, method: str = "GET", body: object = None) -> Any:
        data = json.dumps(body).encode() if body else None
        with urlopen(Request(base + path, data, headers, method=method)) as answer:
            return json.load(answer)

    times = []

    def done(what: str) -> None:
        nonlocal began
        times.append((f"read: {what}", time.monotonic() - began))
        began = time.monotonic()

    question = ask("api/questions")[0]["id"]
    done("to start")
    ask("api/requests")
    done("to look for requests, the first time")
    ask("api/requests")
    done("to look for requests, again")
    answers = ask(f"api/questions/{question}")["answers"]
    done("to open a question, the first time")
    ask(f"api/questions/{question}")
    done("to open a question, again")
    mark = {"as": "reader", "points": 1, "comment": "So it is.", "version": answers[0]["version"]}
    ask(f"api/questions/{question}/answers/{answers[0]['id']}", "PUT", mark)
    done("to save points and a comment")
    server.terminate()
    _, _, used = os.wait4(server.pid, 0)
    server.returncode = 0
    for what, seconds in times:
        print(f"{what}: {seconds:.2f} s", file=sys.stderr, flush=True)
    return [Cost(what, seconds, used.ru_maxrss * 1024) for what, seconds in times]


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
