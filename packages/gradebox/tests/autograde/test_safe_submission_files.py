"""What is handed in is read from the student's folder, and from nowhere else."""

import csv
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from helpers import ACTIVATED, gradebox, notebook, score_cells, solves
from nbgrader.converters import Autograde

from gradebox.course import Course
from gradebox.safe_submission_files import (
    MAX_NOTEBOOK_SIZE,
    MAX_TOTAL_SIZE,
    UnreadableSubmissionError,
    find_submission_problem,
    read_extra_files,
    read_file,
    read_timestamp,
)

RIGHT = {"double": "def double(x):\n    return 2 * x"}
SECRET = "the grader's own"


@pytest.fixture
def outside(tmp_path) -> Path:
    """A folder of the grader's, with a file in it."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.csv").write_text(SECRET)
    return tmp_path / "outside"


@pytest.fixture
def folder(tmp_path) -> Path:
    """A student's folder for an assignment."""
    (tmp_path / "submitted" / "ann" / "hw" / "data").mkdir(parents=True)
    folder = tmp_path / "submitted" / "ann" / "hw"
    (folder / "data" / "table.csv").write_text("1,2")
    return folder


def sparse(path: Path, size: int) -> None:
    with path.open("wb") as file:
        file.truncate(size)


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))


def many(folder: Path) -> None:
    for number in range(10_001):
        (folder / str(number)).touch()


def deep(folder: Path) -> None:
    for _ in range(30):
        folder = folder / "d"
    folder.mkdir(parents=True)


ODD = {
    "a link to a file": (
        lambda folder, outside: (folder / "x.csv").symlink_to(outside / "secret.csv"),
        "x.csv is a link: hand in what it points to",
    ),
    "a link to a folder": (
        lambda folder, outside: (folder / "more").symlink_to(outside),
        "more is a link: hand in what it points to",
    ),
    "a link further down": (
        lambda folder, outside: (folder / "data" / "x.csv").symlink_to("../../../../outside/secret.csv"),
        "data/x.csv is a link: hand in what it points to",
    ),
    "a link to nowhere": (
        lambda folder, outside: (folder / "x.csv").symlink_to("nowhere"),
        "x.csv is a link: hand in what it points to",
    ),
    "a link to itself": (
        lambda folder, outside: (folder / "x.csv").symlink_to("x.csv"),
        "x.csv is a link: hand in what it points to",
    ),
    "a notebook that is a link": (
        lambda folder, outside: (folder / "hw.ipynb").symlink_to(outside / "secret.csv"),
        "hw.ipynb is a link: hand in what it points to",
    ),
    "a pipe": (lambda folder, outside: os.mkfifo(folder / "p"), "p is a device or a pipe, not a file"),
    "a socket": (lambda folder, outside: a_socket(folder / "s"), "s is a device or a pipe, not a file"),
    "a file without end": (
        lambda folder, outside: sparse(folder / "large", 2**40),
        "the folder holds more than 100 MB of files",
    ),
    "files that are too large together": (
        lambda folder, outside: [sparse(folder / name, MAX_TOTAL_SIZE // 2) for name in "ab"],
        "the folder holds more than 100 MB of files",
    ),
    "too many files": (lambda folder, outside: many(folder), "the folder holds more than 10,000 files"),
    "folders without end": (
        lambda folder, outside: deep(folder),
        "the folder holds more than 20 levels of folders",
    ),
    "a name with a line break": (
        lambda folder, outside: (folder / "a\nb\x1b[2J").symlink_to(outside),
        "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}[2J is a link: hand in what it points to",
    ),
    "a date that is a pipe": (
        lambda folder, outside: os.mkfifo(folder / "timestamp.txt"),
        "timestamp.txt is a device or a pipe, not a file",
    ),
    "a date that is a link": (
        lambda folder, outside: (folder / "timestamp.txt").symlink_to("/dev/zero"),
        "timestamp.txt is a link: hand in what it points to",
    ),
}
NO_DATE = "timestamp.txt holds no date, such as 2026-11-22 14:05:00 UTC"
DATES = {
    "yesterday": NO_DATE,
    "2026-01-01 10:00:00 /dev/stdin": NO_DATE,
    "2026-01-01 10:00:00 Europe/../../../../dev/stdin": NO_DATE,
    "2026-01-01 10:00:00 ../../../dev/stdin": NO_DATE,
    "9" * 90: NO_DATE,
    "0001-01-01 00:00:00 +99999999": NO_DATE,
    "2026-01-01 10:00:00\x00": NO_DATE,
    "2026-01-01 \N{ARABIC-INDIC DIGIT ONE}0:00:00": NO_DATE,
    "x" * 200: "timestamp.txt has more than 100 bytes",
    "9999-01-01 00:00:00 UTC": "timestamp.txt holds a date in the future",
}


@pytest.mark.parametrize("name", ODD)
def test_what_can_not_be_taken_is_refused_in_words(folder, outside, name):
    make, said = ODD[name]
    assert find_submission_problem(folder) is None
    make(folder, outside)
    assert find_submission_problem(folder) == said
    with pytest.raises(UnreadableSubmissionError):
        read_extra_files(folder)


@pytest.mark.parametrize("level", ["assignment", "student"])
def test_a_whole_folder_that_is_a_link_is_refused(folder, level):
    real = folder if level == "assignment" else folder.parent
    real.rename(real.with_name("other"))
    real.symlink_to("other")
    assert find_submission_problem(folder) == f"the folder {real.name} is a link: hand in what it points to"


def test_the_folder_of_all_students_may_be_a_link_and_hidden_things_are_no_part(folder, outside, tmp_path):
    (folder / ".venv").mkdir()
    (folder / ".venv" / "python").symlink_to(sys.executable)
    (folder / ".secret").symlink_to(outside)
    moved = folder.parent.parent.rename(tmp_path / "disk")
    (tmp_path / "submitted").symlink_to(moved)
    assert find_submission_problem(folder) is None
    assert read_extra_files(folder) == {"data/table.csv": b"1,2"}


@pytest.mark.parametrize("said", DATES)
def test_a_date_that_is_none_is_refused_in_words(folder, said):
    (folder / "timestamp.txt").write_text(said)
    assert find_submission_problem(folder) == DATES[said]


@pytest.mark.parametrize(
    "said, read",
    [
        ("2026-01-02 03:04:05.678 UTC", "2026-01-02 03:04:05.678000"),
        ("2026-01-02 03:04:05 +0100", "2026-01-02 02:04:05"),
        ("2015-02-02 15:58:23.948203 America/Los_Angeles", "2015-02-02 23:58:23.948203"),
        ("2026-01-02 03:04:05 Etc/GMT+5", "2026-01-02 08:04:05"),
        ("2026-01-02T03:04:05+01:00\n", "2026-01-02 02:04:05"),
        ("", "None"),
    ],
)
def test_a_date_with_a_clear_zone_is_read(folder, said, read):
    (folder / "timestamp.txt").write_text(said)
    assert find_submission_problem(folder) is None
    assert str(read_timestamp(folder)) == read


def test_an_abbreviation_is_read_in_the_zone_of_the_course_or_refused(folder):
    (folder / "timestamp.txt").write_text("2026-01-02 03:04:05 CET")
    assert find_submission_problem(folder) is None
    assert str(read_timestamp(folder, "Europe/Berlin")) == "2026-01-02 02:04:05"
    with pytest.raises(UnreadableSubmissionError, match="the time zone CET, which is ambiguous"):
        read_timestamp(folder)


def test_a_notebook_over_a_size_is_refused(folder):
    sparse(folder / "hw.ipynb", MAX_NOTEBOOK_SIZE + 1)
    with pytest.raises(UnreadableSubmissionError, match="has more than 50 MB"):
        read_file(folder / "hw.ipynb")


def test_a_file_that_is_exchanged_for_a_link_while_it_is_read_tells_nothing(folder, outside):
    """And so is a folder. Both are exchanged all the time, by one who doesn't know when somebody looks."""
    stop = threading.Event()

    def exchange() -> None:
        beside = folder.parent
        while not stop.is_set():
            (beside / "link").symlink_to(outside / "secret.csv")
            os.replace(beside / "link", folder / "x.csv")
            (beside / "file").write_text("mine")
            os.replace(beside / "file", folder / "x.csv")
            (folder / "data").rename(beside / "data")
            (folder / "data").symlink_to(outside)
            (folder / "data").unlink()
            (beside / "data").rename(folder / "data")

    thread = threading.Thread(target=exchange)
    thread.start()
    seen, refused = set(), 0
    try:
        for _ in range(3000):
            try:
                seen |= set(read_extra_files(folder).values())
                seen.add(read_file(folder / "x.csv"))
            except UnreadableSubmissionError:
                refused += 1
    finally:
        stop.set()
        thread.join()
    assert refused and seen <= {b"mine", b"1,2"}, seen


@pytest.fixture
def linked(small) -> Course:
    """A class of three: one solves it, two hand in links to the solutions and to the one who has."""
    solves(small, "ann", **RIGHT)
    solution = small.path("source", "hw") / "hw.ipynb"
    solves(small, "mallory", **RIGHT).unlink()
    (small.path("submitted", "hw", "mallory") / "hw.ipynb").symlink_to(solution)
    solves(small, "eve", **RIGHT)
    (small.path("submitted", "hw", "eve") / "data.csv").symlink_to(solution)
    (small.root / "submitted" / "oscar").symlink_to("ann")
    return small


REFUSED = {
    "mallory": "hw.ipynb is a link: hand in what it points to",
    "eve": "data.csv is a link: hand in what it points to",
    "oscar": "the folder oscar is a link: hand in what it points to",
}


def test_links_earn_nothing_and_cost_nobody_else_anything(linked):
    run = gradebox(linked, "autograde")
    assert run.returncode == 1 and "Traceback" not in run.stdout + run.stderr
    incidents = json.loads((linked.root / "incidents.json").read_text())
    assert {i["student"]: i["what"] for i in incidents} == REFUSED
    with linked.gradebook() as gradebook:
        assert [s.student.id for s in gradebook.assignment_submissions("hw")] == ["ann"]
    gradebox(linked, "feedback")
    assert [path.name for path in (linked.root / "feedback").iterdir()] == ["ann"]


def test_a_link_that_came_after_grading_is_on_no_page(linked):
    gradebox(linked, "autograde")
    path = linked.path("submitted", "hw", "ann") / "hw.ipynb"
    path.unlink()
    path.symlink_to(linked.path("source", "hw") / "hw.ipynb")
    assert gradebox(linked, "feedback", "--student", "ann").returncode == 0
    (page,) = linked.path("feedback", "hw", "ann").glob("*.html")
    assert "BEGIN SOLUTION" not in page.read_text()


def test_nbgraders_own_command_refuses_and_copies_nothing(linked):
    for student in REFUSED:
        said = linked.convert(Autograde, "hw", student)
        assert said and REFUSED[student] in said
        assert not linked.path("autograded", "hw", student).exists()
    command = [Path(sys.executable).parent / "nbgrader", "autograde", "hw", "--student", student]
    run = subprocess.run(command, cwd=linked.root, env=ACTIVATED, capture_output=True, text=True)
    assert run.returncode != 0 and REFUSED[student] in run.stderr
    assert not linked.path("autograded", "hw", student).exists()


def test_nbgraders_own_command_copies_what_lies_beside_a_notebook(small):
    solves(small, "ann", **RIGHT)
    folder = small.path("submitted", "hw", "ann")
    (folder / "data").mkdir()
    (folder / "data" / "table.csv").write_text("1,2")
    (folder / "timestamp.txt").write_text("2026-01-02 03:04:05 UTC")
    for _ in range(2):
        assert small.convert(Autograde, "hw", "ann") is None
        copies = small.path("autograded", "hw", "ann")
        assert (copies / "data" / "table.csv").read_text() == "1,2"
    with small.gradebook() as gradebook:
        assert str(gradebook.find_submission("hw", "ann").timestamp) == "2026-01-02 03:04:05"


NAMES = [
    "=cmd|'x'!A0",
    "+1",
    "-rf",
    "@sum",
    "＝1",
    "a,b",
    "a;=1",
    'a"b',
    "a\nb",
    "a\tb",
    "a\x1b[31mb",
    "a\u202eb",
    "<b>",
    "x" * 200,
    os.fsdecode(b"\xff\xfe"),
]


def test_a_file_in_place_of_the_instructors_folder_and_a_folder_in_place_of_a_file(small):
    data = small.root / "source" / "hw" / "data" / "values.csv"
    data.parent.mkdir()
    data.write_text("8\n")
    reads = "def double(x):\n    return int(open('data/values.csv').read()) // 4 * x"
    in_the_way = {
        "ann": "data",
        "bob": "data/values.csv/mine.txt",
        "cid": "data/values.csv",
        "dee": "own.txt",
    }
    for student, name in in_the_way.items():
        own = solves(small, student, double=reads).parent / name
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_text("2\n")
    run = gradebox(small, "autograde")
    assert run.returncode == 0 and "4 graded" in run.stdout, run.stdout + run.stderr
    for student in in_the_way:
        copy = small.path("autograded", "hw", student)
        assert (copy / "data" / "values.csv").read_text() == "8\n"
        assert not score_cells(notebook("autograded", "hw", small.root, student))["double-test"].outputs
    assert (small.path("autograded", "hw", "dee") / "own.txt").exists()


def test_hostile_names_of_folders_do_no_harm_in_tables_and_exports(small):
    solves(small, "ann", **RIGHT)
    for name in NAMES:
        shutil.copytree(small.path("submitted", "hw", "ann"), small.path("submitted", "hw", name))
    run = gradebox(small, "autograde")
    assert run.returncode == 1 and "Traceback" not in run.stdout + run.stderr
    assert "1 graded" in run.stdout
    assert all(sign.isprintable() or sign == "\n" for sign in run.stdout)
    incidents = json.loads((small.root / "incidents.json").read_text())
    assert {i["student"] for i in incidents} == set(NAMES)
    assert all("the folder's name " in i["what"] and i["what"].endswith(": rename it") for i in incidents)
    command = [Path(sys.executable).parent / "nbgrader", "export"]
    assert subprocess.run(command, cwd=small.root, env=ACTIVATED, capture_output=True).returncode == 0
    with (small.root / "grades.csv").open() as file:
        assert [row["student_id"] for row in csv.DictReader(file)] == ["ann"]
