"""Submissions to nbgrader's exchange that are graded as they arrive."""

import json
import os
import re
import shutil
import signal
import time
from contextlib import chdir
from datetime import UTC, datetime, timedelta
from pathlib import Path

import nbformat
import pytest
from exchange import release_to_exchange, student_desk, watching
from helpers import grade_id, gradebox, with_settings
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import ExchangeFetchFeedback, ExchangeSubmit
from sqlalchemy import update
from traitlets.config import Config

from gradebox.course import Course
from gradebox.course_secret import derive_submission_secret
from gradebox.safe_submission_files import read_files, read_timestamp
from gradebox.watch.exchange_inbox import SETTLE_SECONDS, is_complete
from gradebox.watch.feedback_records import WATCHED
from gradebox.watch.watcher import Watcher

RIGHT, WRONG = "def double(x):\n    return 2 * x", "def double(x):\n    return x + 2"
# The message of the visible test, which this answer fails in its second, silent line.
VISIBLE = "def double(x):\n    return 5"
LINE = re.compile(r"\d\d:\d\d:\d\d (\S+) (\S+) (.*), \d+ s")


class Student:
    """A student with a folder, who uses nbgrader's exchange from Python, as JupyterLab's list does."""

    def __init__(self, course: Course, name: str):
        self.name, self.folder = name, course.root.parent / name
        self.released = course.path("release", "hw") / "hw.ipynb"
        self.work = self.folder / "hw"
        self.work.mkdir(parents=True)
        shutil.copy(self.released, self.work)
        self.config = Config()
        self.config.Exchange.root = str(course.root.parent / "exchange")
        self.config.Exchange.cache = str(self.folder / "cache")
        self.config.CourseDirectory.course_id = course.directory().course_id

    def transfer(self, kind: type) -> None:
        directory = CourseDirectory(config=self.config, assignment_id="hw", student_id=self.name)
        authenticator = Authenticator(config=self.config)
        with chdir(self.folder):
            kind(coursedir=directory, authenticator=authenticator, config=self.config).start()

    def submit(self, code: str | None = None, name: str = "hw.ipynb") -> Path:
        """Submit the notebook with this code. Returns the folder in the exchange."""
        if code is not None:
            nb = nbformat.read(self.released, as_version=4)
            next(cell for cell in nb.cells if grade_id(cell) == "double").source = code
            nbformat.write(nb, self.work / name)
        self.transfer(ExchangeSubmit)
        inbound = Path(self.config.Exchange.root, self.config.CourseDirectory.course_id, "inbound")
        return sorted(inbound.glob(f"{self.name}+*"))[-1]

    def fetch(self) -> list[dict[str, str]]:
        """Fetch all feedback. Returns the pages of each submission, by name, the oldest first."""
        self.transfer(ExchangeFetchFeedback)
        folders = sorted((self.work / "feedback").glob("*/"))
        return [{path.stem: path.read_text() for path in sorted(one.glob("*.html"))} for one in folders]


@pytest.fixture
def teacher(small) -> Course:
    """A course with its lesson in the exchange. All submissions are from the account that runs the tests."""
    return release_to_exchange(small, "c.ExchangeCollect.check_owner = False")


def grade_arrivals(course: Course, *settings: str) -> list[str]:
    """Start to watch, grade what is there, and stop. Returns the lines."""
    lines: list[str] = []
    watcher = Watcher(with_settings(course, *settings), ["hw"], lambda text, problem: lines.append(text))
    watcher.grade_arrivals()
    return lines


def strip_lines(lines: list[str]) -> list[tuple[str, ...]]:
    return [LINE.fullmatch(line).groups() for line in lines]


def test_from_submit_to_fetched_feedback_with_nbgraders_commands(teacher):
    zoe = student_desk(teacher, "zoe")
    with watching(teacher) as running:
        running.wait_for("Watching the exchange")
        zoe.nbgrader("fetch_assignment", "hw")
        zoe.nbgrader("submit", "hw", "--student=zoe")
        running.wait_for("zoe hw ")
        zoe.nbgrader("fetch_feedback", "hw", "--student=zoe")
        (first,) = (zoe.folder / "hw" / "feedback").glob("*/hw.html")
        assert first.read_bytes() == (teacher.path("feedback", "hw", "zoe") / "hw.html").read_bytes()
        mine = zoe.folder / "hw" / "hw.ipynb"
        nb = nbformat.read(mine, as_version=4)
        nb.cells[0].source = RIGHT
        nbformat.write(nb, mine)
        zoe.nbgrader("submit", "hw", "--student=zoe")
        printed = running.wait_for("zoe hw ", 2)
        zoe.nbgrader("fetch_feedback", "hw", "--student=zoe")
        assert running.stop(signal.SIGINT) == 0
    lines = [line for line in printed.splitlines() if " hw " in line]
    assert strip_lines(lines) == [
        ("zoe", "hw", "0 of 3, 1 written answer to read, feedback released"),
        ("zoe", "hw", "2 of 3, 1 written answer to read, feedback released"),
    ]
    # Each submission has its own page.
    pages = sorted((zoe.folder / "hw" / "feedback").glob("*/hw.html"))
    assert [re.search(r"(\d) of 3 points so far", page.read_text())[1] for page in pages] == ["0", "2"]
    assert "Stopped." in running.log.read_text()


@pytest.mark.slow
def test_a_stop_at_any_moment_loses_nothing_and_nothing_is_graded_twice(teacher):
    students = [Student(teacher, name) for name in ("ann", "bob", "cid")]
    with watching(teacher, "hw") as running:
        running.wait_for("Watching")
        students[0].submit(RIGHT)
        while not teacher.path("submitted", "hw", "ann").is_dir():
            time.sleep(0.01)
        # It is collected, and perhaps graded.
        assert running.stop(signal.SIGKILL) == -signal.SIGKILL
    students[1].submit(RIGHT)
    with watching(teacher, "hw") as running:
        running.wait_for("ann hw ")
        running.wait_for("bob hw ")
        assert running.stop(signal.SIGTERM) == 0
    copies = {path: path.stat().st_mtime_ns for path in teacher.root.glob("autograded/*/hw/hw.ipynb")}
    assert len(copies) == 2
    students[2].submit(WRONG)
    with watching(teacher, "hw") as running:
        printed = running.wait_for("cid hw ")
        assert running.stop(signal.SIGTERM) == 0
    assert [printed.count(f"{name} hw 2 of ") for name in ("ann", "bob", "cid")] == [1, 1, 0]
    assert {path: path.stat().st_mtime_ns for path in copies} == copies
    assert [len(student.fetch()) for student in students] == [1, 1, 1]


def test_a_second_watcher_of_a_course_is_refused(teacher):
    with watching(teacher) as running:
        running.wait_for("Watching")
        refused = gradebox(teacher, "watch")
        assert refused.returncode == 2
        assert f"another `gradebox watch` is running in this course (process {running.process.pid} on" in (
            refused.stderr
        )
        running.stop(signal.SIGKILL)
    with watching(teacher) as running:
        running.wait_for("Watching", 2)


@pytest.mark.parametrize("remove", ["inbound", ""])
def test_a_missing_exchange_is_named_in_one_sentence(teacher, remove):
    shutil.rmtree(teacher.root.parent / "exchange" / teacher.directory().course_id / remove)
    refused = gradebox(teacher, "watch")
    assert refused.returncode == 2
    (line,) = refused.stderr.splitlines()
    assert "has no folder for this course: set c.Exchange.root" in line


def test_a_broken_submission_has_a_line_and_stops_nobody(teacher):
    ann, bob = Student(teacher, "ann"), Student(teacher, "bob")
    (ann.work / "hw.ipynb").write_text("{")
    ann.submit()
    bob.submit(RIGHT)
    broken, sound = strip_lines(grade_arrivals(teacher))
    assert broken[0] == "ann" and broken[2].startswith("not graded: ")
    assert "hw.ipynb" in broken[2] and sound[2].startswith("2 of ")
    assert ann.fetch() == []
    incidents = json.loads((teacher.root / "incidents.json").read_text())
    assert {(one["student"], one["kind"]) for one in incidents} == {("ann", "unreadable")}
    # It is done, and the next start does not grade it again. A later group keeps its incident.
    Student(teacher, "cid").submit(RIGHT)
    assert [student for student, *_ in strip_lines(grade_arrivals(teacher))] == ["cid"]
    assert json.loads((teacher.root / "incidents.json").read_text()) == incidents


def test_a_link_to_the_solution_is_not_collected(teacher):
    eve = Student(teacher, "eve")
    folder = eve.submit(WRONG)
    (folder / "hw.ipynb").unlink()
    (folder / "hw.ipynb").symlink_to(teacher.path("source", "hw") / "hw.ipynb")
    (line,) = grade_arrivals(teacher)
    assert "eve hw not collected: hw.ipynb is a link" in line
    assert not teacher.path("submitted", "hw", "eve").exists()
    assert grade_arrivals(teacher) == []
    # Another submission counts.
    eve.submit(WRONG)
    assert strip_lines(grade_arrivals(teacher))[0][2].startswith("0 of ")


def test_a_submission_without_the_exchanges_files_is_graded_once(teacher):
    ann = Student(teacher, "ann")
    (ann.submit(RIGHT) / "submission_secret.txt").unlink()
    (line,) = strip_lines(grade_arrivals(teacher))
    assert line[2].startswith("2 of ")
    assert line[2].endswith("no feedback, because timestamp.txt or submission_secret.txt is missing")
    assert grade_arrivals(teacher) == []


def test_feedback_that_an_earlier_version_has_kept_back_is_released(teacher):
    ann = Student(teacher, "ann")
    ann.submit(RIGHT)
    grade_arrivals(teacher)
    shutil.rmtree(teacher.root.parent / "exchange" / teacher.directory().course_id / "feedback")
    assert grade_arrivals(teacher) == []
    with teacher.connection() as connection:
        connection.execute(update(WATCHED).values(waits=True))
    (line,) = strip_lines(grade_arrivals(teacher))
    assert line[2].endswith("feedback released") and len(ann.fetch()) == 1
    assert grade_arrivals(teacher) == []


def test_each_notebook_of_a_submission_has_a_page(teacher):
    """JupyterLab's list offers feedback only then."""
    ann = Student(teacher, "ann")
    (ann.work / "hw.ipynb").unlink()
    ann.submit(RIGHT, "hw (1).ipynb")
    nbformat.write(nbformat.v4.new_notebook(), ann.work / "Untitled.ipynb")
    time.sleep(0.01)
    ann.submit()
    assert strip_lines(grade_arrivals(teacher))[0][2].startswith("2 of ")
    pages = ann.fetch()[-1]
    assert set(pages) == {"hw (1)", "Untitled"}
    assert "2 of 3 points" in pages["hw (1)"]
    assert pages["Untitled"] == pages["hw (1)"]


def test_of_several_submissions_the_newest_is_graded(teacher):
    ann = Student(teacher, "ann")
    ann.submit(WRONG)
    ann.submit(RIGHT)
    (line,) = strip_lines(grade_arrivals(teacher))
    assert line[2].startswith("2 of ")
    assert len(ann.fetch()) == 1


def test_a_slow_submission_does_not_hold_up_the_others(teacher):
    with watching(with_settings(teacher, "c.Execute.timeout = 3600")) as running:
        running.wait_for("Watching")
        Student(teacher, "slow").submit("import time\ntime.sleep(3600)")
        while not teacher.path("submitted", "hw", "slow").is_dir():
            time.sleep(0.01)
        Student(teacher, "quick").submit(RIGHT)
        assert " slow hw" not in running.wait_for("quick hw 2 of 3")


def test_a_submission_that_is_being_written_waits(teacher, monkeypatch):
    folder = Student(teacher, "ann").submit(RIGHT)
    folder.chmod(0o755)
    assert grade_arrivals(teacher) == [] and not is_complete(folder)
    later = time.time() + SETTLE_SECONDS + 1
    monkeypatch.setattr("gradebox.watch.exchange_inbox.time.time", lambda: later)
    assert is_complete(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to another account")
def test_a_folder_of_another_account_is_refused_and_replaces_nothing(teacher):
    student = Student(teacher, "nobody")
    mine, theirs, link = (student.submit(code) for code in (RIGHT, WRONG, WRONG))
    for path in (mine, *mine.iterdir()):
        shutil.chown(path, "nobody")
    # A link of another account to a folder of the student's.
    elsewhere = link.rename(teacher.root / "elsewhere")
    shutil.chown(elsewhere, "nobody")
    link.symlink_to(elsewhere)
    checking = with_settings(teacher, "c.ExchangeCollect.check_owner = True")
    lines = grade_arrivals(checking)
    assert len(lines) == 3
    assert sum("nobody hw not collected: the folder belongs to the account root" in one for one in lines) == 2
    assert sum(" nobody hw 2 of 3, " in one for one in lines) == 1 and theirs.exists()
    assert "2 * x" in (teacher.path("submitted", "hw", "nobody") / "hw.ipynb").read_text()
    # Neither does a folder that comes later.
    student.submit(WRONG)
    assert any("belongs to the account root" in one for one in grade_arrivals(checking))
    assert "2 * x" in (teacher.path("submitted", "hw", "nobody") / "hw.ipynb").read_text()


def change_times(folder: Path, name: str | None, timestamp: str | None) -> None:
    """Give a folder in the exchange another time in its name, and in its file."""
    path = folder / "timestamp.txt"
    path.unlink() if timestamp is None else path.write_text(timestamp)
    if name:
        student, assignment, _, random = folder.name.split("+")
        folder = folder.rename(folder.with_name("+".join((student, assignment, name, random))))
    for one in (folder, *folder.iterdir()):
        os.utime(one, (1, 1))


def seconds_from_now(seconds: float) -> str:
    return f"{datetime.now(UTC) + timedelta(seconds=seconds):%Y-%m-%d %H:%M:%S} UTC"


EARLY = "2020-11-20 10:00:00 UTC"


@pytest.mark.parametrize(
    ("name", "timestamp", "late"),
    [
        (EARLY, EARLY, True),
        (None, EARLY, True),
        (EARLY, None, True),
        (None, None, True),
        (None, 60, True),
        (None, -60, True),
        (9000, 9000, True),
        (-60, -60, False),
    ],
)
def test_a_time_that_the_folder_contradicts_does_not_count(teacher, name, timestamp, late):
    ann = Student(teacher, "ann")
    times = [seconds_from_now(time) if isinstance(time, int) else time for time in (name, timestamp)]
    change_times(ann.submit(RIGHT), *times)
    (line,) = strip_lines(grade_arrivals(teacher))
    counted = read_timestamp(teacher.path("submitted", "hw", "ann"))
    assert abs(datetime.now(UTC).replace(tzinfo=None) - counted) < timedelta(minutes=4)
    assert ("counted as submitted at" in line[2]) == late
    # What the exchange itself has written stays.
    bob = Student(teacher, "bob").submit(RIGHT)
    (line,) = strip_lines(grade_arrivals(teacher))
    assert "counted" not in line[2]
    kept = teacher.path("submitted", "hw", "bob") / "timestamp.txt"
    assert kept.read_text() == (bob / "timestamp.txt").read_text()


@pytest.mark.parametrize("ahead", [3 * 3600, 3 * 86400])
def test_a_clock_that_was_fast_costs_nobody_a_later_submission(teacher, ahead):
    ann, fast = Student(teacher, "ann"), seconds_from_now(ahead)
    change_times(ann.submit(WRONG), fast, fast)
    (line,) = grade_arrivals(teacher)
    assert ("holds a date in the future" if ahead > 86400 else "counted as submitted at") in line
    assert grade_arrivals(teacher) == []
    ann.submit(RIGHT)
    (line,) = strip_lines(grade_arrivals(teacher))
    assert line[2].startswith("2 of 3") and "counted" not in line[2]


def test_no_folder_is_graded_with_the_secret_of_an_earlier_one(teacher):
    """Student code could ask the clock for what was learnt from the earlier one."""
    ann, same, numbers = Student(teacher, "ann"), seconds_from_now(-20), []
    for code in (WRONG, RIGHT, WRONG):
        folder = ann.submit(code)
        (folder / "submission_secret.txt").write_text("same")
        change_times(folder, None, same)
        assert len(grade_arrivals(teacher)) == 1
        files = dict(read_files(teacher.path("submitted", "hw", "ann")))
        assert ("x + 2" in files["hw.ipynb"].decode()) == (code == WRONG)
        numbers.append(derive_submission_secret(teacher.root, "hw", "ann", files))
    assert len(set(numbers)) == 3


@pytest.mark.parametrize("zone", ["America/Sao_Paulo", "Asia/Dubai", "Asia/Kolkata"])
def test_the_exchange_may_write_times_of_any_zone(small, zone):
    course = release_to_exchange(
        small, "c.ExchangeCollect.check_owner = False", f'c.Exchange.timezone = "{zone}"'
    )
    ann = Student(course, "ann")
    ann.config.Exchange.timezone = zone
    for code, points in ((WRONG, 0), (RIGHT, 2)):
        ann.submit(code)
        (line,) = strip_lines(grade_arrivals(course))
        assert line[2].startswith(f"{points} of 3") and "counted" not in line[2]


@pytest.mark.parametrize(
    "rest", ["nonsense", "+", "2098-01-01 00:00:00 UTC+x", "x+hw+2026-01-01 00:00:00 UTC+x"]
)
def test_folders_of_other_accounts_in_a_students_name_hold_nobody_up(teacher, rest):
    """All can write there."""
    ann = Student(teacher, "ann")
    other = ann.submit(RIGHT).parent / f"ann+hw+{rest}"
    other.mkdir(mode=0o700)
    (line,) = strip_lines(grade_arrivals(teacher))
    assert line[0] == "ann" and line[2].startswith("2 of 3")
    assert os.listdir(teacher.root / "submitted") == ["ann"]


def test_a_link_in_place_of_a_folder_is_not_followed(teacher):
    (teacher.root / "elsewhere").mkdir()
    name = f"bob+hw+{seconds_from_now(0)}+x"
    (Student(teacher, "ann").submit(RIGHT).parent / name).symlink_to(teacher.root / "elsewhere")
    assert any(
        "bob hw not collected: the folder" in line and "is a link" in line for line in grade_arrivals(teacher)
    )


def test_a_problem_of_the_lesson_is_reported_and_nobody_loses_the_submission(teacher):
    ann = Student(teacher, "ann")
    ann.submit(RIGHT)
    source = teacher.path("source", "hw") / "hw.ipynb"
    sound = source.read_text()
    source.write_text(sound.replace("return 2 * x", "return 3 * x"))
    (line,) = grade_arrivals(teacher, "c.Execute.require_reference = True")
    assert "ann hw not graded: hw is not graded: its own reference solution gets 0 of 2" in line
    assert line.endswith("tried again in 5 minutes")
    source.write_text(sound)
    assert strip_lines(grade_arrivals(teacher))[0][2].startswith("2 of ")


def test_forgotten_students_leave_no_record(teacher):
    Student(teacher, "ann").submit(RIGHT)
    grade_arrivals(teacher)
    assert gradebox(teacher, "forget", "ann", "--yes").returncode == 0
    with teacher.connection() as connection:
        assert not connection.execute(WATCHED.select()).all()
