"""A class through a term: `term.py [LESSON...] [--students 120]`. See README.md.

Every student submits every lesson, as one of the example students did. Prints the seconds and the memory of
each command of a term.
"""

import argparse
import contextlib
import csv
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from bench import BIN, PR_SET_CHILD_SUBREAPER
from course import COURSE
from nbgrader.api import Grade
from rich.console import Console
from rich.table import Table

from gradebox.course import Course

DATE = "Tuesday, 3 March 2026, 2:05 PM"
WORKSHEET_COLUMNS = (
    *("Identifier", "Full name", "Email address", "Status", "Grade", "Maximum grade"),
    *("Grade can be changed", "Last modified (submission)", "Last modified (grade)", "Feedback comments"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lessons", nargs="*", help="by default all")
    parser.add_argument("--students", type=int, default=120)
    options = parser.parse_args()
    lessons = options.lessons or Course(COURSE).assignments
    table = Table(title=f"{options.students} students × {len(lessons)} lessons", title_justify="left")
    table.add_column("gradebox …")
    for name in ("seconds", "CPU seconds", "MB"):
        table.add_column(name, justify="right")
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory(prefix="term-") as folder:
        root = Path(folder)
        write_course(root, lessons, options.students)

        def run(*arguments: str) -> None:
            cells = [f"{value:.1f}" for value in measure(root, *arguments)]
            table.add_row(" ".join(arguments), *cells)
            print(*arguments, *cells, file=sys.stderr, flush=True)

        run("roster", "class.csv")
        run("release")
        for lesson in lessons:
            run("grade", lesson, f"{lesson}.zip", "--worksheet", f"{lesson}.csv")
            run("grade", lesson)
            read_answers(root)
            run("grade", lesson)
        run("autograde")
        run("feedback")
        run("due", lessons[0], "2026-12-01 12:00", "--student", "s0001")
        run("report")
        run("similar", lessons[0])
        run("export", "--to", "csv")
        run("final")
    Console(width=110).print(table)


def write_course(root: Path, lessons: list[str], students: int) -> None:
    """Write a course with these lessons, a class list, and each lesson's two downloads from Moodle."""
    for step in ("source", "release"):
        for lesson in lessons:
            shutil.copytree(COURSE / step / lesson, root / step / lesson)
    shutil.copy(COURSE / "nbgrader_config.py", root)
    ids = [f"s{number:04d}" for number in range(students)]
    write_csv(
        root / "class.csv",
        ["student_id", "first name", "last name", "email"],
        *([own, "Student", own, f"{own}@uni.example"] for own in ids),
    )
    for lesson in lessons:
        examples = sorted((COURSE / "submitted").glob(f"example_*/{lesson}/*.ipynb"))
        if not examples:
            raise SystemExit(f"no example students for {lesson}: hand it in for example_ students first")
        rows = []
        with zipfile.ZipFile(root / f"{lesson}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for number, own in enumerate(ids):
                example = examples[number % len(examples)]
                archive.write(example, f"Student {own}_{number}_assignsubmission_file/{example.name}")
                email = f"{own}@uni.example"
                rows.append(
                    [
                        f"Participant {number}",
                        f"Student {own}",
                        email,
                        "Submitted",
                        "",
                        "100",
                        "Yes",
                        DATE,
                        "-",
                        "",
                    ]
                )
        write_csv(root / f"{lesson}.csv", WORKSHEET_COLUMNS, *rows)


def write_csv(path: Path, *rows: list[str] | tuple[str, ...]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


def read_answers(root: Path) -> None:
    """Give a point for each written answer that waits."""
    with Course(root).gradebook() as gradebook:
        for grade in gradebook.db.query(Grade).filter(Grade.needs_manual_grade):
            grade.manual_score, grade.needs_manual_grade = 1.0, False


def measure(root: Path, *arguments: str) -> tuple[float, float, float]:
    """Run a command. Return its wall and CPU seconds, and the MB of its largest process."""
    before, start = os.times(), time.monotonic()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            [BIN / "gradebox", *arguments], cwd=root, stdout=output, stderr=subprocess.STDOUT
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        # Processes that outlive the command by a moment become children of this one.
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, 0):
                pass
        if process.returncode:
            output.seek(0)
            raise SystemExit(f"gradebox {' '.join(arguments)} failed:\n{output.read()}")
    after = os.times()
    cpu = after.children_user - before.children_user + after.children_system - before.children_system
    # Linux counts in KiB.
    return seconds, cpu, used.ru_maxrss / 1024


if __name__ == "__main__":
    main()
