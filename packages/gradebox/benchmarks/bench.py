"""How fast a class is graded: `bench.py [LESSON...] [--sizes 8,32,128]`. See README.md."""

import argparse
import contextlib
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import psutil
from course import COURSE, build
from rich.console import Console
from rich.table import Table

HERE = Path(__file__).resolve().parent
BIN = Path(sys.executable).parent
PR_SET_CHILD_SUBREAPER = 36
console = Console(width=130)


@dataclass(frozen=True)
class Measured:
    """One run: submissions, wall and CPU seconds, peak bytes of the tree, CPU seconds of the command's own
    process, wall seconds until the first graded copy was there. None where that was not measured.
    """

    size: int
    wall: float
    cpu: float
    peak: int
    main: float | None
    first: float | None

    @property
    def rate(self) -> float:
        """Submissions a minute."""
        return 60 * self.size / self.wall

    @property
    def each(self) -> float:
        """CPU seconds a submission."""
        return self.cpu / self.size


def tree(process: psutil.Process) -> int:
    """Bytes of a process and all below it; a page that n of them share counts once."""
    total = 0
    for member in [process, *process.children(recursive=True)]:
        try:
            total += member.memory_full_info().pss
        except psutil.Error:
            continue
    return total


def measure(size: int, command: list, folder: Path) -> Measured:
    """Run a command in a folder and measure it with all that it starts."""
    before = os.times()
    start = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    peak, first, ended = 0, None, threading.Event()

    def look() -> None:
        nonlocal peak, first
        # Adding up shared pages takes a while itself; more often would slow down what is measured.
        looks = 0
        while not ended.wait(0.1):
            looks += 1
            if first is None and any(folder.glob("autograded/*/*/*.ipynb")):
                first = time.perf_counter() - start
            if looks % 30:
                continue
            try:
                peak = max(peak, tree(psutil.Process(process.pid)))
            except psutil.Error:
                continue

    looking = threading.Thread(target=look)
    looking.start()
    said = process.stderr.read() if process.stderr else ""
    status = process.wait()
    wall = time.perf_counter() - start
    # What outlives the command by a moment comes to this process, and counts.
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, 0):
            pass
    ended.set()
    looking.join()
    if status:
        raise SystemExit(f"{command} failed with {status}:\n{said}")
    after = os.times()
    cpu = after.children_user - before.children_user + after.children_system - before.children_system
    times = json.loads(said.splitlines()[-1]) if "timed.py" in str(command) else {}
    return Measured(size, wall, cpu, peak, times.get("main"), first)


def stock(lesson: str, size: int, scratch: Path) -> Measured:
    """`nbgrader autograde` with nothing of ours in its configuration."""
    root = build(scratch / f"stock-{lesson}-{size}", lesson, size, stock=True)
    return measure(size, [BIN / "nbgrader", "autograde", lesson, "--log-level=CRITICAL"], root)


def ours(
    lesson: str,
    size: int,
    workers: int,
    scratch: Path,
    demonstrations: bool = True,
    **settings: bool | str,
) -> Measured:
    """`gradebox autograde`, as this project is configured, but for these settings of `Execute`.

    demonstrations: see `build`.
    """
    root = Path(tempfile.mkdtemp(dir=scratch)) / "course"
    build(root, lesson, size, stock=False, demonstrations=demonstrations)
    with (root / "nbgrader_config.py").open("a") as file:
        file.writelines(f"c.Execute.{name} = {value!r}\n" for name, value in settings.items())
    command = [sys.executable, HERE / "timed.py", "autograde", lesson, "--workers", str(workers)]
    return measure(size, command, root)


def floor(lesson: str, draw: bool) -> float:
    """Mean CPU seconds of the cells of the example submissions alone."""
    files = sorted((COURSE / "submitted").glob(f"example_*/{lesson}/*.ipynb"))
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    run = subprocess.run(
        [sys.executable, HERE / "floor.py", *(["--draw"] if draw else []), *files],
        capture_output=True,
        text=True,
        env=environment,
    )
    times = json.loads(run.stdout.splitlines()[-1])
    return sum(times) / len(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lessons", nargs="*")
    parser.add_argument("--sizes", default="8,32,128", help="class sizes for the growth table")
    parser.add_argument("--draw", action="store_true", help="draw figures again, in gradebox and the floor")
    parser.add_argument("--size", type=int, default=32, help="class size for the comparison with stock")
    options = parser.parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    lessons = options.lessons or sorted(path.parent.name for path in (COURSE / "release").glob("*/*.ipynb"))
    table = Table(title=f"{options.size} submissions, {psutil.cpu_count()} cores", title_justify="left")
    for name in ("lesson", "run", "sub/min", "× stock", "CPU s/sub", "× floor", "main ms/sub", "peak MB"):
        table.add_column(name, justify="left" if name in ("lesson", "run") else "right")
    rates: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        for lesson in lessons:
            bare = floor(lesson, options.draw)
            table.add_row(lesson, "floor", "", "", f"{bare:.2f}", "1.0", "", "")
            reference = stock(lesson, options.size, scratch)
            runs = {"stock nbgrader": reference}
            for workers, named in ((1, "1 worker"), (2, "2 workers")):
                for isolation, without in (("full", ""), ("sandbox", ", no judge")):
                    runs[f"gradebox, {named}{without}"] = ours(
                        lesson, options.size, workers, scratch, draw=options.draw, isolation=isolation
                    )
            runs["gradebox, 2 workers, all cells"] = ours(
                lesson, options.size, 2, scratch, demonstrations=False, draw=options.draw, isolation="full"
            )
            for name, run in runs.items():
                table.add_row(
                    "",
                    name,
                    f"{run.rate:.1f}",
                    f"{run.rate / reference.rate:.1f}",
                    f"{run.each:.2f}",
                    f"{run.each / bare:.1f}",
                    f"{1000 * run.main / run.size:.0f}" if run.main is not None else "",
                    f"{run.peak / 2**20:.0f}",
                )
            rates[lesson] = reference.rate
        console.print(table)
        growth = Table(title="as the class grows, 2 workers", title_justify="left")
        for name in ("lesson", "submissions", "seconds", "first s", "sub/min", "× stock", "CPU s/sub"):
            growth.add_column(name, justify="left" if name == "lesson" else "right")
        for name in ("main ms/sub", "peak MB"):
            growth.add_column(name, justify="right")
        for lesson in lessons:
            for size in map(int, filter(None, options.sizes.split(","))):
                run = ours(lesson, size, 2, scratch, draw=options.draw)
                growth.add_row(
                    lesson,
                    str(size),
                    f"{run.wall:.1f}",
                    f"{run.first:.1f}" if run.first else "",
                    f"{run.rate:.1f}",
                    f"{run.rate / rates[lesson]:.1f}",
                    f"{run.each:.2f}",
                    f"{1000 * run.main / size:.0f}" if run.main else "",
                    f"{run.peak / 2**20:.0f}",
                )
        if growth.row_count:
            console.print(growth)


if __name__ == "__main__":
    main()
