"""Many submissions at once: the grades of one after the other, whatever happens on the way.

The same small class is graded in many ways; the gradebook must say each time what it says after a quiet run.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, fields
from pathlib import Path

import psutil
import pytest
from distributed import Client
from helpers import (
    IMPATIENT,
    LESSON,
    PROGRAMS,
    grade_id,
    hand_in,
    notebook,
    points_of,
    sample,
    sample_released,
    sample_solved,
    solves,
    with_settings,
)
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Comment, Grade
from nbgrader.converters import Autograde
from sqlalchemy import event
from traitlets.config import Config

import gradebox.gradebook_transactions
from gradebox.autograde.discover_submissions import Submission, find_submissions
from gradebox.autograde.grade_submissions import GradingOutcome, autograde_submissions
from gradebox.autograde.incidents import Incident
from gradebox.autograde.process_pool import WorkerDiedError, open_process_pool, run_all
from gradebox.course import Course, CourseError
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.lesson import ExecutionInputs
from gradebox.kernel import zygote_client
from gradebox.notebook_exercises import serialize_notebook

GRADABLE = {"deadly", "right", "unnormalised", "swapped"}
# Seconds after which something has not happened, however busy the machine is.
NEVER = 600

pytestmark = pytest.mark.skipif(
    not zygote_client.can_fork_kernels(), reason="this system has no process descriptors"
)


def solved(own: str | None = None, **wrong: str):
    """The solved lesson. own: a cell of the student's behind a test. wrong: titles of wrong answers."""
    nb = sample_solved(**wrong)
    if own:
        where = next(n for n, cell in enumerate(nb.cells) if grade_id(cell) == "shares-test")
        nb.cells.insert(where + 1, new_code_cell(own))
    return nb


@pytest.fixture(scope="module")
def class_of_six(tmp_path_factory) -> Path:
    """A course with one lesson, and what six students handed in; two of them nothing that can be graded."""
    root = tmp_path_factory.mktemp("six") / "course"
    course = with_settings(Course(shutil.copytree(sample_released(), root)), IMPATIENT)
    (root / "submitted" / "absent").mkdir()
    hand_in(course, LESSON, "right", solved("import time\ntime.sleep(1.5)"))
    # A test that the student deleted comes back, which is an incident.
    nb = solved(shares="not divided")
    nb.cells = [cell for cell in nb.cells if grade_id(cell) != "picture-test"]
    hand_in(course, LESSON, "unnormalised", nb)
    hand_in(course, LESSON, "swapped", solved(products="swapped"))
    hand_in(course, LESSON, "deadly", solved("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"))
    hand_in(course, LESSON, "unreadable", solved()).write_text('{"nbformat": 4, "cells": [')
    return root


@pytest.fixture
def course(class_of_six, tmp_path) -> Course:
    """The class, ungraded."""
    return Course(shutil.copytree(class_of_six, tmp_path / "course"))


Grades = dict[tuple[str, str], tuple]


def grades(course: Course) -> Grades:
    """All that the gradebook knows: (student, cell) -> (score, whether a person is waited for, comment)."""
    with course.gradebook() as gradebook:
        comments = {(c.student.id, c.name): c.auto_comment for c in gradebook.db.query(Comment)}
        scores = {
            (g.student.id, g.name): (g.auto_score, bool(g.needs_manual_grade))
            for g in gradebook.db.query(Grade)
        }
    both = scores.keys() | comments.keys()
    return {key: (*scores.get(key, (None, False)), comments.get(key)) for key in both}


def totals(found: Grades) -> dict[str, float]:
    """The points of each student, as far as tests give them."""
    by_student: dict[str, float] = {}
    for (student, _), (score, *_) in found.items():
        by_student[student] = by_student.get(student, 0) + (score or 0)
    return by_student


def all_submissions(course: Course) -> list[Submission]:
    return list(find_submissions(course, [LESSON], course.students))


def incidents_of(outcomes: list[GradingOutcome]) -> set[Incident]:
    return {incident for outcome in outcomes for incident in outcome.incidents}


def graded_in(outcomes: list[GradingOutcome]) -> set[str]:
    return {outcome.submission.student for outcome in outcomes if outcome.graded}


@dataclass(frozen=True)
class Clean:
    """A run in which nothing went wrong: the course after it, and what it gave."""

    root: Path
    grades: Grades
    incidents: set[Incident]
    problems: dict[str, str | None]


@pytest.fixture(scope="module")
def clean(class_of_six, tmp_path_factory) -> Clean:
    """The class, graded one after the other."""
    course = Course(shutil.copytree(class_of_six, tmp_path_factory.mktemp("clean") / "course"))
    outcomes = autograde_submissions(course, all_submissions(course), workers=1)
    problems = {outcome.submission.student: outcome.problem for outcome in outcomes}
    return Clean(course.root, grades(course), incidents_of(outcomes), problems)


@pytest.fixture
def graded(clean, tmp_path) -> Course:
    """The class, graded."""
    return Course(shutil.copytree(clean.root, tmp_path / "graded"))


def is_whole(course: Course, clean: Clean) -> bool:
    """Whether gradebook and graded copies are those of the clean run, without anything besides."""
    copies = {str(path.relative_to(course.root)) for path in (course.root / "autograded").rglob("*")}
    expected = {str(path.relative_to(clean.root)) for path in (clean.root / "autograded").rglob("*")}
    assert copies == expected
    assert grades(course) == clean.grades
    return True


def until(condition: Callable[[], object]) -> object:
    """Wait until there is something; fails if it never comes, on a machine that is busy, too."""
    end = time.monotonic() + NEVER
    while not (found := condition()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
    return found


@pytest.fixture
def started() -> Iterator[Callable[..., subprocess.Popen]]:
    """Starts programs that end with the test."""
    running: list[subprocess.Popen] = []

    def start(*command: str | Path, **options) -> subprocess.Popen:
        process = subprocess.Popen(
            list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
        )
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate()


@pytest.fixture
def tiny_name() -> Iterator[Path]:
    """A folder with a short name, for scratch folders: the name of a socket can't be long."""
    with tempfile.TemporaryDirectory(prefix="g", dir="/tmp") as folder:
        yield Path(folder)


class Cluster:
    """A scheduler and two workers of the command line, as on machines of their own."""

    def __init__(self, folder: Path, workers: int = 2):
        self.folder = folder
        where = folder / "scheduler.json"
        loopback = ("--host", "127.0.0.1")
        self.scheduler = self.start(
            "scheduler", "--scheduler-file", where, *loopback, "--port", "0", "--no-dashboard"
        )
        self.workers = [
            self.start(
                *("worker", "--scheduler-file", where, *loopback, "--nthreads", "1"),
                *("--no-dashboard", "--nanny", "--local-directory", folder),
            )
            for _ in range(workers)
        ]
        until(lambda: where.exists() and where.read_text())
        self.address = json.loads(where.read_text())["address"]
        with self.client() as client:
            client.wait_for_workers(workers, timeout=NEVER)

    def start(self, *arguments: str | Path) -> subprocess.Popen:
        log = open(self.folder / "log", "a")
        with log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *map(str, arguments)], cwd=self.folder, stdout=log, stderr=log
            )

    def client(self) -> Client:
        return Client(self.address, set_as_default=False, timeout=NEVER)

    def busy(self, client: Client) -> list[int]:
        """The process ids of workers that have something to do."""
        pids = client.run(os.getpid)
        return [pids[worker] for worker, tasks in client.processing().items() if tasks and worker in pids]

    def close(self) -> None:
        started = [self.scheduler, *self.workers]
        alive = [psutil.Process(process.pid) for process in started if process.poll() is None]
        # A nanny would start its worker again, so it goes first.
        for process in [*alive, *(child for parent in alive for child in parent.children(recursive=True))]:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        for process in started:
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory) -> Iterator[Cluster]:
    running = Cluster(tmp_path_factory.mktemp("cluster"))
    yield running
    running.close()


# Results


def test_the_class_differs_so_that_a_mistake_would_show(clean):
    full = sum(points_of(sample("source")).values())
    points = totals(clean.grades)
    assert points["right"] == points["deadly"] == full
    assert 0 < points["unnormalised"] < full and 0 < points["swapped"] < full
    assert points["unnormalised"] != points["swapped"]
    assert {student for student, problem in clean.problems.items() if problem} == {"unreadable"}
    assert set(points) == GRADABLE
    kinds = {(incident.student, incident.kind) for incident in clean.incidents}
    assert kinds == {
        ("deadly", "killed the kernel"),
        ("unnormalised", "repaired"),
        ("unreadable", "unreadable"),
    }


def test_neither_the_number_of_workers_nor_the_order_changes_a_grade(course, clean):
    backwards = all_submissions(course)[::-1]
    said: list[GradingOutcome] = []
    outcomes = autograde_submissions(course, backwards, workers=2, done=said.append)
    assert is_whole(course, clean)
    assert incidents_of(outcomes) == clean.incidents
    assert [outcome.submission for outcome in outcomes] == backwards
    assert len(said) == len(outcomes) and set(said) == set(outcomes)


def about_me(job: bytes) -> bytes:
    """A job that says who ran it, when others have had the time to begin."""
    time.sleep(0.5)
    return (
        f"{os.getpid()} {os.environ[zygote_client.SHARED_ZYGOTE_VARIABLES[zygote_client.STUDENT]]}".encode()
    )


@pytest.mark.parametrize("workers", [1, 3])
def test_there_are_as_many_workers_as_were_asked_for_and_they_share_one_warm_process(workers):
    with open_process_pool(workers, ("numpy",)) as own:
        results = dict(run_all(own, about_me, ((number, b"") for number in range(2 * workers)), workers))
    assert sorted(results) == list(range(2 * workers))
    said = [result.decode().split() for result in results.values()]
    assert len({process for process, _ in said} - {str(os.getpid())}) == workers
    assert {path for _, path in said} == {zygote_client.get_zygote(("numpy",)).paths[zygote_client.STUDENT]}


def where(job: bytes) -> bytes:
    """A job that says where it and its kernels may run."""
    nb = new_notebook(cells=[new_code_cell("import os; print(sorted(os.sched_getaffinity(0)))")])
    Execute(config=Config(Execute=Config(isolation="none"))).execute_in_place(nb, ExecutionInputs())
    return f"{sorted(os.sched_getaffinity(0))}; {nb.cells[0].outputs[0].text.strip()}".encode()


def test_with_a_worker_for_each_core_a_submission_stays_on_one():
    mine = sorted(os.sched_getaffinity(0))
    with open_process_pool(len(mine), ("numpy",)) as own:
        results = dict(run_all(own, where, ((number, b"") for number in range(4 * len(mine))), len(mine)))
    assert {result.decode() for result in results.values()} == {f"[{core}]; [{core}]" for core in mine}


def test_with_other_numbers_of_workers_they_run_anywhere():
    mine = sorted(os.sched_getaffinity(0))
    with open_process_pool(len(mine) + 1, ("numpy",)) as own:
        results = dict(run_all(own, where, iter([(0, b"")]), 1))
    assert results[0].decode() == f"{mine}; {mine}"


def deadly(job: bytes) -> bytes:
    """A job that kills its worker if it is told to: for ever, or once."""
    if job.startswith(b"always"):
        os.kill(os.getpid(), signal.SIGKILL)
    if job.startswith(b"once"):
        once = Path(job.decode().split()[1])
        if not once.exists():
            once.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.05)
    return job


def test_a_worker_that_dies_while_a_result_is_written_costs_nobody_anything(tmp_path):
    jobs = [b"one", f"once {tmp_path / 'once'}".encode(), *(b"%d" % number for number in range(5))]
    results = {}
    with open_process_pool(2, ("numpy",)) as own:
        for key, result in run_all(own, deadly, ((job, job) for job in jobs), 2):
            results[key] = result
            time.sleep(0.3)
    assert results == {job: job for job in jobs}


@pytest.mark.slow
def test_a_worker_that_dies_costs_only_what_kills_it_again_and_again(tmp_path):
    jobs = [b"one", b"always", b"two", f"once {tmp_path / 'once'}".encode(), b"three", b"always too", b"four"]
    with open_process_pool(2, ("numpy",)) as own:
        results = dict(run_all(own, deadly, ((job, job) for job in jobs), 2))
    assert set(results) == set(jobs)
    for job, result in results.items():
        assert isinstance(result, WorkerDiedError) if job.startswith(b"always") else result == job


def test_nbgraders_own_command_gives_the_same_grades(course, clean):
    for student in sorted(GRADABLE):
        assert course.convert(Autograde, LESSON, student) is None
    assert grades(course) == clean.grades


def test_only_what_is_new_or_changed_is_graded_again(graded, clean):
    again = autograde_submissions(graded, all_submissions(graded), workers=2)
    assert graded_in(again) == set()
    assert incidents_of(again) == clean.incidents

    (name,) = graded.notebooks(LESSON)
    path = graded.path("submitted", LESSON, "swapped") / f"{name}.ipynb"
    path.write_text(serialize_notebook(solved()), encoding="utf-8")
    assert graded_in(autograde_submissions(graded, all_submissions(graded), workers=2)) == {"swapped"}
    points = totals(grades(graded))
    assert points == totals(clean.grades) | {"swapped": points["right"]}

    anew = with_settings(graded, "c.Execute.timeout = 6")
    assert graded_in(autograde_submissions(anew, all_submissions(anew), workers=2)) == GRADABLE


# Clusters


def test_a_cluster_that_exists_gives_the_same_grades(course, clean, cluster):
    outcomes = autograde_submissions(course, all_submissions(course), scheduler=cluster.address)
    assert is_whole(course, clean)
    assert incidents_of(outcomes) == clean.incidents


def test_a_worker_that_is_killed_costs_nobody_anything(course, clean, cluster):
    killed: list[int] = []
    with cluster.client() as client:
        client.wait_for_workers(2, timeout=NEVER)

        def kill_one(outcome: GradingOutcome) -> None:
            if outcome.graded and not killed:
                killed.append(cluster.busy(client)[0])
                os.kill(killed[0], signal.SIGKILL)

        outcomes = autograde_submissions(
            course, all_submissions(course), scheduler=cluster.address, done=kill_one
        )
    assert killed and not psutil.pid_exists(killed[0])
    assert {outcome.submission.student: outcome.problem for outcome in outcomes} == clean.problems
    assert graded_in(outcomes) == GRADABLE
    assert incidents_of(outcomes) == clean.incidents
    assert is_whole(course, clean)


def first_copy(course: Course) -> list[Path]:
    """Graded copies that are in their place."""
    return list((course.root / "autograded").glob(f"*/{LESSON}/*.ipynb"))


@pytest.mark.slow
def test_a_scheduler_that_is_killed_ends_the_command_and_the_next_one_goes_on(
    course, clean, tmp_path, started
):
    folder = tmp_path / "cluster"
    folder.mkdir()
    cluster = Cluster(folder, workers=1)
    try:
        run = started(PROGRAMS / "gradebox", "autograde", "--scheduler", cluster.address, cwd=course.root)
        until(lambda: first_copy(course))
        cluster.scheduler.kill()
        out, err = run.communicate(timeout=NEVER)
    finally:
        cluster.close()
    assert run.returncode == 2, out + err
    assert len(err.splitlines()) == 1 and "run the same command again" in err, err
    kept = {path.parent.parent.name for path in first_copy(course)}
    assert kept and kept < GRADABLE
    outcomes = autograde_submissions(course, all_submissions(course), workers=2)
    assert graded_in(outcomes) == GRADABLE - kept
    assert is_whole(course, clean)


# The grader itself


def test_a_grader_that_is_killed_leaves_no_process_and_the_next_one_goes_on(
    course, clean, tiny_name, started
):
    def warm() -> list[psutil.Process]:
        """The zygote of this grader, its guards and its kernels, which are forks of it."""
        here = [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"]]
        lines = {p: " ".join(p.info["cmdline"]) for p in here}
        return [p for p, line in lines.items() if "gradebox.kernel.zygote" in line and str(tiny_name) in line]

    def running(processes: list[psutil.Process]) -> list[psutil.Process]:
        return [p for p in processes if p.is_running() and p.status() != psutil.STATUS_ZOMBIE]

    run = started(
        PROGRAMS / "gradebox",
        "autograde",
        "--workers",
        "2",
        cwd=course.root,
        env={**os.environ, "TMPDIR": str(tiny_name)},
    )
    until(lambda: first_copy(course))
    family = psutil.Process(run.pid).children(recursive=True)
    assert len(warm()) > 1
    run.kill()
    run.wait()
    until(lambda: not warm() and not running(family))
    assert {path.parent.parent.name for path in first_copy(course)} < GRADABLE
    autograde_submissions(course, all_submissions(course), workers=2)
    assert is_whole(course, clean)


def on_a_disk_of(size: str, place: Path) -> list[str]:
    """What begins a command so that gradebox grades with scratch folders on a small disk at `place`."""
    tiny_disk = f"mount -t tmpfs -o size={size} none {place}"
    alone = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    if not shutil.which("unshare") or subprocess.run([*alone, tiny_disk], capture_output=True).returncode:
        pytest.skip("this system lets nobody mount a small disk")
    return [*alone, f'{tiny_disk} && TMPDIR={place} exec "$0" autograde --workers 2']


def test_a_full_disk_for_scratch_folders_is_a_problem_and_nothing_is_half_written(
    course, clean, tiny_name, started
):
    for student in ("right", "swapped"):
        (course.path("submitted", LESSON, student) / "data.bin").write_bytes(bytes(500_000))
    run = started(*on_a_disk_of("256k", tiny_name), PROGRAMS / "gradebox", cwd=course.root)
    out, err = run.communicate(timeout=NEVER)
    assert run.returncode == 1 and "Traceback" not in out + err, out + err
    told = json.loads((course.root / "incidents.json").read_text())
    full = {i["student"] for i in told if i["kind"] == "not graded" and "No space left" in i["what"]}
    assert full >= {"right", "swapped"}, out + err
    found = grades(course)
    assert set(totals(found)) | full == GRADABLE and not set(totals(found)) & full
    assert found == {key: value for key, value in clean.grades.items() if key[0] not in full}
    autograde_submissions(course, all_submissions(course), workers=2)
    assert grades(course) == clean.grades
    for path in (course.root / "submitted").rglob("data.bin"):
        path.unlink()
    autograde_submissions(course, all_submissions(course), workers=2)
    assert is_whole(course, clean)


@pytest.mark.parametrize("size", ["4k", "8k"])
def test_a_disk_that_is_full_before_a_kernel_is_made_is_a_problem_in_words(
    course, clean, tiny_name, started, size
):
    run = started(*on_a_disk_of(size, tiny_name), PROGRAMS / "gradebox", cwd=course.root)
    out, err = run.communicate(timeout=NEVER)
    assert run.returncode == 1 and "Traceback" not in out + err, out + err
    told = json.loads((course.root / "incidents.json").read_text())
    assert {i["student"] for i in told if i["kind"] == "not graded"} == GRADABLE, out + err
    autograde_submissions(course, all_submissions(course), workers=2)
    assert is_whole(course, clean)


# The gradebook

# The tables of which a class has rows, those of all lessons together.
GROWING = "student|submitted_assignment|submitted_notebook|grade|comment|gradebox_text"


@pytest.mark.parametrize("graded_before", [False, True])
def test_no_statement_reads_the_whole_class_to_save_one_submission(small, graded_before):
    """One that does takes longer, the more students there are."""
    solves(small, "ada")
    (submission,) = find_submissions(small, ["hw"], ["ada"])
    if graded_before:
        autograde_submissions(small, [submission], workers=1)
    asked: dict[str, tuple] = {}

    @event.listens_for(small.engine, "before_cursor_execute")
    def ask(connection, cursor, statement, parameters, context, many):
        asked[statement] = parameters[0] if many else parameters

    assert autograde_submissions(small, [submission], force=True, workers=1)[0].graded
    with closing(sqlite3.connect(small.root / "gradebook.db")) as gradebook:
        plans = {
            (statement, step[-1])
            for statement, parameters in asked.items()
            if statement.startswith(("SELECT", "INSERT", "UPDATE", "DELETE"))
            for step in gradebook.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
        }
    assert plans
    assert {plan for plan in plans if re.match(rf"SCAN (TABLE )?({GROWING})\b", plan[1])} == set()


def test_an_error_while_saving_leaves_the_gradebook_as_it_was(course):
    def names() -> set[str]:
        with course.gradebook() as gradebook:
            return {student.id for student in gradebook.students}

    before = names()
    with pytest.raises(ZeroDivisionError):
        with course.gradebook() as gradebook:
            gradebook.update_or_create_student("ghost")
            assert "ghost" in {student.id for student in gradebook.students}
            raise ZeroDivisionError
    assert names() == before
    with course.gradebook() as gradebook:
        gradebook.update_or_create_student("newcomer")
    assert names() == before | {"newcomer"}
    # Another program sees the same.
    with closing(sqlite3.connect(course.root / "gradebook.db")) as other:
        assert {name for (name,) in other.execute("SELECT id FROM student")} == before | {"newcomer"}


def test_a_gradebook_that_somebody_else_writes_is_a_problem_and_the_next_run_goes_on(
    course, clean, monkeypatch
):
    monkeypatch.setattr(gradebox.gradebook_transactions, "BUSY_TIMEOUT", 50)
    swapped = [s for s in all_submissions(course) if s.student == "swapped"]
    with closing(sqlite3.connect(course.root / "gradebook.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        (outcome,) = autograde_submissions(course, swapped, workers=1)
        other.rollback()
    assert not outcome.graded and "the gradebook can't be written" in outcome.problem
    assert grades(course) == {} and not first_copy(course)
    (outcome,) = autograde_submissions(course, swapped, workers=1)
    assert outcome.graded
    assert grades(course) == {key: value for key, value in clean.grades.items() if key[0] == "swapped"}


def test_what_is_unreadable_is_named_while_somebody_else_writes_the_gradebook(course, monkeypatch):
    monkeypatch.setattr(gradebox.gradebook_transactions, "BUSY_TIMEOUT", 50)
    hopeless = [s for s in all_submissions(course) if s.problem]
    with closing(sqlite3.connect(course.root / "gradebook.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        outcomes = autograde_submissions(course, hopeless)
        other.rollback()
    assert {outcome.submission.student for outcome in outcomes if outcome.problem} == {"unreadable"}


# What is told


def test_incidents_are_in_the_file_and_in_the_table(graded, started):
    hand_in(graded, LESSON, "endless", solved("while True: pass"))
    with socket.socket() as somebody:
        # The port of Dask's pages is taken, by this or by another program: that is no news for an instructor.
        with contextlib.suppress(OSError):
            somebody.bind(("127.0.0.1", 8787))
            somebody.listen()
        run = started(PROGRAMS / "gradebox", "autograde", "--workers", "1", cwd=graded.root)
        out, err = run.communicate(timeout=NEVER)
    assert run.returncode == 1 and err == "", err
    told = json.loads((graded.root / "incidents.json").read_text())
    names = [field.name for field in fields(Incident)]
    assert all(list(one) == names for one in told)
    kinds = {(one["student"], one["kind"], one["cell"]) for one in told}
    number = 1 + next(
        n
        for n, cell in enumerate(notebook("autograded", LESSON, graded.root, "endless").cells)
        if cell.source == "while True: pass"
    )
    assert kinds == {
        ("deadly", "killed the kernel", f"cell {number}"),
        ("endless", "timed out", f"cell {number}"),
        ("unnormalised", "repaired", None),
        ("unreadable", "unreadable", None),
    }
    assert "1 graded, 4 unchanged, 1 not handed in." in out
    *lines, verdict = out.splitlines()
    assert verdict == f"NOT GRADED: unreadable/{LESSON}; see incidents."
    for one in told:
        submission = f"{one['student']}/{LESSON}"
        (line,) = (line for line in lines if submission in line)
        assert one["kind"] in line and (one["cell"] or "") in line
        assert one["what"], f"nothing is said of {one}"
        assert one["what"].split()[0] in line


def test_settings_without_the_step_that_runs_notebooks_are_refused_in_one_sentence(course):
    config = course.root / "nbgrader_config.py"
    with config.open("a") as settings:
        settings.write('c.Autograde.autograde_preprocessors.remove("gradebox.preprocessors.Execute")\n')
    course = Course(course.root)
    with pytest.raises(CourseError, match=r"lacks gradebox\.preprocessors\.Execute"):
        autograde_submissions(course, all_submissions(course))
    assert grades(course) == {}


def test_ctrl_c_says_what_is_kept_and_the_next_run_goes_on(course, clean, started):
    command = Path(sys.executable).with_name("gradebox")
    run = started(command, "autograde", "--workers", "1", cwd=course.root, start_new_session=True)
    until(lambda: any(score is not None for score, *_ in grades(course).values()))
    os.killpg(run.pid, signal.SIGINT)
    out, err = run.communicate(timeout=NEVER)
    assert run.returncode == 130, out + err
    said = re.search(r"Stopped: (\d) of 6 submissions are done and kept\. Run the command again", out + err)
    assert said and int(said[1]) > 0, out + err
    outcomes = autograde_submissions(course, all_submissions(course), workers=1)
    assert len([outcome for outcome in outcomes if outcome.graded]) < len(clean.problems)
    assert is_whole(course, clean)
