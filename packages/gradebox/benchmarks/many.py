"""How a class of thousands is graded, but for running it: `many.py LESSON [SIZE]`.

One of each example is run; what came of it is put in for all others, by workers that run nothing. All else is
`gradebox autograde` as it is. Prints what its own process, which alone writes the gradebook, needs for each
tenth of the class. Exits with status 1 if a score is not the recorded one. See README.md.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import cloudpickle
import psutil
from course import COURSE, build
from nbgrader.api import Grade, SubmittedAssignment, SubmittedNotebook
from rich.console import Console
from rich.table import Table
from sqlalchemy import func, select

import gradebox.stub_heavy_packages  # noqa: F401
from gradebox import __main__
from gradebox.autograde import grade_submissions
from gradebox.autograde.discover_submissions import Submission
from gradebox.autograde.grading_job import Job, run_job
from gradebox.course import Course

console = Console(width=130)
RECORD, REPLAY = "--record", "--replay"
# Where the command writes what it has seen of itself, in the course's folder.
MARKS = "marks.jsonl"
TENTHS, LEAST = 10, 100
# Memory that grows by less than this share of itself, from the second tenth to the last, is flat.
FLAT = 0.05


@dataclass(frozen=True)
class Mark:
    """The command's own process when so many submissions were done.

    at: seconds of the machine's clock. cpu: its CPU seconds until then. rss, pss: its bytes; of a page that n
    processes share, pss counts an n-th.
    """

    done: int
    at: float
    cpu: float
    rss: int
    pss: int


def digest(notebooks: Iterable[bytes]) -> str:
    """A name for notebooks that were handed in, whoever has."""
    return hashlib.sha256(b"".join(hashlib.sha256(one).digest() for one in notebooks)).hexdigest()


def handed_in(job: Job) -> str:
    return digest(job.notebooks[name] for name in sorted(job.notebooks))


def record(folder: Path, packed: bytes) -> bytes:
    """Run a packed Job, and keep what came of it. Called by workers."""
    result = run_job(packed)
    (folder / handed_in(cloudpickle.loads(packed))).write_bytes(result)
    return result


def replay(folder: Path, packed: bytes) -> bytes:
    """What came of the same hand-in of another student. Called by workers."""
    job: Job = cloudpickle.loads(packed)
    said = recorded(folder / handed_in(job))
    for notebook in said["notebooks"].values():
        for incident in notebook["incidents"]:
            incident["student"] = job.student
    return json.dumps(said).encode()


@lru_cache
def recorded(path: Path) -> dict[str, Any]:
    """What a worker sent back when a hand-in was recorded (see `job.run`)."""
    said: dict[str, Any] = json.loads(path.read_bytes())
    return said


def points(path: Path) -> float:
    """All points that a submission had earned when it was recorded."""
    notebooks = recorded(path)["notebooks"].values()
    return sum(earned or 0 for one in notebooks for earned in one["scores"]["points"].values())


def command(instead: Callable[[bytes], bytes]) -> None:
    """`gradebox autograde`, whose workers do this instead. After each tenth of the class it writes a mark."""
    autograde = grade_submissions.autograde_submissions

    def watched(
        course: Course,
        submissions: list[Submission],
        force: bool,
        workers: int | None,
        scheduler: str | None,
        done: Callable[[grade_submissions.GradingOutcome], None],
        anyway: bool,
    ) -> list[grade_submissions.GradingOutcome]:
        ended, marks = 0, {len(submissions) * tenth // TENTHS for tenth in range(1, TENTHS + 1)}

        def look(outcome: grade_submissions.GradingOutcome) -> None:
            nonlocal ended
            ended += 1
            done(outcome)
            if ended in marks:
                mark(ended)

        mark(0)
        return autograde(course, submissions, force, workers, scheduler, look, anyway)

    for name, function in (("run_job", instead), ("autograde_submissions", watched)):
        setattr(grade_submissions, name, function)
    sys.argv[1:] = ["autograde"]
    __main__.main()


def mark(done: int) -> None:
    memory = psutil.Process().memory_full_info()
    here = Mark(done, time.monotonic(), time.process_time(), memory.rss, memory.pss)
    with Path(MARKS).open("a") as file:
        file.write(json.dumps(asdict(here)) + "\n")


def graded(root: Path, how: str, folder: Path) -> tuple[float, float, list[Mark]]:
    """Grade a course. Returns when that began and when it ended, and the marks between."""
    begun = time.monotonic()
    arguments = [sys.executable, __file__, how, str(folder)]
    run = subprocess.run(arguments, cwd=root, capture_output=True, text=True)
    ended = time.monotonic()
    if run.returncode:
        raise SystemExit(f"grading ended with {run.returncode}:\n{run.stdout[-2000:]}\n{run.stderr}")
    marks = [Mark(**json.loads(line)) for line in (root / MARKS).read_text().splitlines()]
    return begun, ended, marks


def check(root: Path, lesson: str, folder: Path) -> float:
    """The sum of all scores. Exits if one is not the recorded one, or a graded copy is not there."""
    course = Course(root)
    statement = (
        select(SubmittedAssignment.student_id, func.sum(Grade.auto_score))
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .group_by(SubmittedAssignment.student_id)
    )
    with course.gradebook() as gradebook:
        scores = {student: score for student, score in gradebook.db.execute(statement)}
    for student in course.students:
        files = sorted(course.path("submitted", lesson, student).glob("*.ipynb"))
        right = points(folder / digest(path.read_bytes() for path in files))
        copies = course.path("autograded", lesson, student)
        if scores.get(student) != right or not all((copies / path.name).is_file() for path in files):
            raise SystemExit(
                f"{student} has {scores.get(student)} points instead of {right}, or no graded copy"
            )
    return sum(scores.values())


def table(begun: float, marks: list[Mark], title: str) -> Table:
    """A row for what comes before the first submission, and one for each tenth."""
    found = Table(title=title, title_justify="left")
    for name in ("submissions", "seconds", "sub/min", "main ms/sub", "RSS MB", "PSS MB"):
        found.add_column(name, justify="right")
    found.add_row("0", f"{marks[0].at - begun:.1f}", "", "", *megabytes(marks[0]))
    for before, after in pairwise(marks):
        found.add_row(
            f"{after.done:,}",
            f"{after.at - before.at:.1f}",
            f"{rate(before, after):,.0f}",
            f"{each(before, after):.1f}",
            *megabytes(after),
        )
    return found


def megabytes(mark: Mark) -> tuple[str, str]:
    return f"{mark.rss / 2**20:.0f}", f"{mark.pss / 2**20:.0f}"


def rate(before: Mark, after: Mark) -> float:
    """Submissions a minute."""
    return 60 * (after.done - before.done) / (after.at - before.at)


def each(before: Mark, after: Mark) -> float:
    """CPU milliseconds a submission."""
    return 1000 * (after.cpu - before.cpu) / (after.done - before.done)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lesson")
    parser.add_argument("size", nargs="?", type=int, default=10_000)
    options = parser.parse_args()
    size, lesson = options.size, options.lesson
    if size < LEAST:
        parser.error(f"a class of at least {LEAST}: the second tenth is compared with the last")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "recorded"
        folder.mkdir()
        examples = len(list((COURSE / "submitted").glob(f"example_*/{lesson}")))
        graded(build(Path(scratch) / "examples", lesson, examples, stock=False), RECORD, folder)
        root = build(Path(scratch) / "course", lesson, size, stock=False)
        begun, ended, marks = graded(root, REPLAY, folder)
        total = check(root, lesson, folder)
    console.print(table(begun, marks, f"{lesson}, {size:,} submissions, {psutil.cpu_count()} cores"))
    console.print(
        f"from start to end: {60 * size / (ended - begun):,.0f} a minute, "
        f"{1000 * marks[-1].cpu / size:.1f} ms of the processor each"
    )
    # The first tenth holds what is done once.
    (early, second), (late, last) = marks[1:3], marks[-2:]
    console.print(
        f"last tenth against second: {rate(late, last) / rate(early, second) - 1:+.1%} submissions a minute, "
        f"{each(late, last) / each(early, second) - 1:+.1%} CPU ms each"
    )
    growth = last.rss / second.rss - 1
    console.print(
        f"memory is {'flat' if growth < FLAT else 'not flat'}: {growth:+.1%} RSS, "
        f"{(last.rss - second.rss) / (last.done - second.done) / 1024:.1f} KB for each submission"
    )
    console.print(f"all scores are the recorded ones, together {total:,g} points")


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in (RECORD, REPLAY):
        command(partial(record if sys.argv[1] == RECORD else replay, Path(sys.argv[2])))
    else:
        main()
