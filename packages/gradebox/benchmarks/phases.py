"""Where the time of one submission goes: `make profile`. See README.md."""

import argparse
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from course import COURSE, build
from rich.console import Console
from rich.table import Table

import gradebox.stub_heavy_packages  # noqa: F401
from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grading_job import SubmissionGrader, run_job
from gradebox.autograde.steps_around_execution import Around
from gradebox.course import Course
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.forked_session import ForkedSession
from gradebox.execute.notebook_runner import NotebookRunner
from gradebox.execute.session_pair import SessionPair
from gradebox.kernel.zygote_client import JUDGE, STUDENT, get_zygote

console = Console(width=130)
# Who uses the processor, in the order of the table's columns.
GRADER, KERNEL, TESTS, REST = "grader", "student's kernel", "judge's kernel", "forks and guards"
WHO = (GRADER, KERNEL, TESTS, REST)
Spent = dict[str, float]


class Clock:
    """Adds up what each phase takes: wall seconds, and CPU seconds of each kind of process.

    A phase within another is counted for itself, not for the outer one.
    """

    def __init__(self, zygotes: int):
        self.zygotes = psutil.Process(zygotes)
        self.kernels: dict[str, set[int]] = {STUDENT: set(), JUDGE: set()}
        self.gone: dict[int, float] = {}
        self.phases: list[str] = []
        self.spent: dict[str, Spent] = defaultdict(lambda: defaultdict(float))
        self.last = self.now()

    def now(self) -> Spent:
        """Seconds since whenever: the wall's, and the processor's by who used it."""
        own = os.times()
        found = {"wall": time.perf_counter(), GRADER: own.user + own.system, KERNEL: 0.0, TESTS: 0.0}
        everything = 0.0
        for process in [self.zygotes, *self.zygotes.children(recursive=True)]:
            try:
                times = process.cpu_times()
            except psutil.Error:
                continue
            used = times.user + times.system
            everything += used + times.children_user + times.children_system
            if any(process.pid in pids for pids in self.kernels.values()):
                self.gone[process.pid] = used
        for role, name in ((STUDENT, KERNEL), (JUDGE, TESTS)):
            found[name] = sum(self.gone.get(pid, 0.0) for pid in self.kernels[role])
        found[REST] = everything - found[KERNEL] - found[TESTS]
        return found

    def tick(self) -> None:
        now = self.now()
        if self.phases:
            for what, seconds in now.items():
                self.spent[self.phases[-1]][what] += seconds - self.last[what]
        # What this look took is nobody's.
        own = os.times()
        self.last = now | {"wall": time.perf_counter(), GRADER: own.user + own.system}

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        self.tick()
        self.phases.append(name)
        try:
            yield
        finally:
            self.tick()
            self.phases.pop()

    def watch(self, cls: type, method: str, name: Callable[..., str]) -> None:
        """Have each call of a method be a phase, named after its arguments."""
        stock = getattr(cls, method)

        @functools.wraps(stock)
        def watched(*args: Any, **kwargs: Any) -> Any:
            with self.phase(name(*args, **kwargs)):
                return stock(*args, **kwargs)

        setattr(cls, method, watched)


def instrumented(clock: Clock) -> None:
    """Let the grader tell a clock what it is doing."""
    trying: list[bool] = []

    def during(name: str) -> str:
        return f"second chances: {name}" if trying else name

    clock.watch(Around, "prepare", lambda *_: "reading what was handed in")
    clock.watch(Around, "save", lambda *_: "writing gradebook and copy")
    clock.watch(SubmissionGrader, "grade", lambda *_: "nbgrader's steps, before and after")
    clock.watch(Execute, "execute_in_place", lambda *_: "what a lesson says, second chances chosen")
    clock.watch(SessionPair, "judged", lambda *_: during("tests"))
    clock.watch(SessionPair, "execute_in_place", lambda *_: during("other cells"))
    stock_run, stock_started, grade = NotebookRunner.run, SessionPair.started, SubmissionGrader.grade

    def run_counted(self: NotebookRunner, *arguments: Any, **options: Any) -> None:
        trying.extend([True] * bool(self.__dict__.get("ran")))
        self.__dict__["ran"] = True
        stock_run(self, *arguments, **options)

    @contextmanager
    def started(self: SessionPair) -> Iterator[None]:
        with clock.phase(during("kernels' start and end")):
            with stock_started(self):
                for session in (self.student, self.judge):
                    if isinstance(session, ForkedSession):
                        clock.kernels[session.plan.owner].add(session.kernel.pid)
                with clock.phase(during("between cells")):
                    yield

    def fresh(self: SubmissionGrader, *args: Any) -> Any:
        trying.clear()
        return grade(self, *args)

    for cls, name, instead in (
        (NotebookRunner, "run", run_counted),
        (SessionPair, "started", started),
        (SubmissionGrader, "grade", fresh),
    ):
        setattr(cls, name, instead)


def measured(root: Path, times: int) -> tuple[dict[str, Spent], str]:
    """What each phase takes for the one student of a course, the mean of so many runs; and the points."""
    course = Course(root)
    around = Around(course)
    (submission,) = find_submissions(course, course.assignments, course.students)
    zygotes = get_zygote(around.execute.modules)
    around.execute.in_force(root)
    clock = Clock(zygotes.process.pid)
    instrumented(clock)
    for number in range(times + 1):
        if number == 1:
            # The first has looked at the lesson, for all others.
            clock.spent.clear()
        job = around.prepare(submission).serialize()
        said = json.loads(run_job(job))
        around.save(submission, said["notebooks"])
    (notebook,) = said["notebooks"].values()
    points = sum(value or 0 for value in notebook["scores"]["points"].values())
    spent = {name: {who: value / times for who, value in one.items()} for name, one in clock.spent.items()}
    return spent, f"{points:g} points"


def table(spent: dict[str, Spent], title: str) -> Table:
    found = Table(title=title, title_justify="left")
    found.add_column("phase")
    for name in ("wall ms", "CPU ms", *WHO):
        found.add_column(name, justify="right")
    total: Spent = defaultdict(float)
    for name, one in sorted(spent.items(), key=lambda item: -item[1]["wall"]):
        cpu = sum(one[who] for who in WHO)
        found.add_row(name, *(f"{1000 * x:.0f}" for x in (one["wall"], cpu, *(one[who] for who in WHO))))
        for what, seconds in (*one.items(), ("cpu", cpu)):
            total[what] += seconds
    found.add_section()
    found.add_row("all", *(f"{1000 * total[what]:.0f}" for what in ("wall", "cpu", *WHO)))
    return found


def flames(root: Path, path: Path) -> None:
    """Draw where all processes were, in each sample, while the course was graded."""
    programs = Path(sys.executable).parent
    options = ["--subprocesses", "--rate", "200", "--format", "flamegraph", "--output", str(path)]
    command = [f"{programs}/py-spy", "record", *options, "--", f"{programs}/gradebox", "autograde", "--force"]
    ended = subprocess.run([*command, "--workers", "1"], cwd=root, capture_output=True, text=True)
    if not path.exists():
        raise SystemExit(f"py-spy could not look at the grader: {ended.stderr.strip().splitlines()[-1:]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lesson")
    parser.add_argument("--student", help="one of the example students; all of them if not given")
    parser.add_argument("--times", type=int, default=5, help="how often each is graded")
    parser.add_argument("--flames", type=Path, default=Path("profile.svg"), help="the flame graph's file")
    options = parser.parse_args()
    known = sorted(path.parent.name for path in (COURSE / "submitted").glob(f"*/{options.lesson}"))
    chosen = [options.student] if options.student else known
    if not set(chosen) <= set(known):
        raise SystemExit(f"there is no example of {options.lesson} by {options.student}: {', '.join(known)}")
    with tempfile.TemporaryDirectory() as folder:
        root = build(Path(folder) / "course", options.lesson, 1, stock=False)
        hand_in = root / "submitted" / "student000" / options.lesson
        for student in chosen:
            shutil.rmtree(hand_in)
            shutil.copytree(COURSE / "submitted" / student / options.lesson, hand_in)
            one = subprocess.run(
                [sys.executable, __file__, "--one", str(root), str(options.times), student],
                stdout=sys.stdout,
            )
            if one.returncode:
                raise SystemExit(one.returncode)
        flames(root, options.flames.resolve())
    console.print(f"where {chosen[-1]}'s took it, call by call: {options.flames} (open it in a browser)")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        spent, came = measured(Path(sys.argv[2]), int(sys.argv[3]))
        console.print(table(spent, f"{sys.argv[4]}: {came}, mean of {sys.argv[3]}"))
    else:
        main()
