"""A limit that a submission reaches is an incident, and costs only the cells that depend on that cell."""

import pytest
from helpers import (
    EXERCISE,
    IMPATIENT,
    cell,
    contained,
    notebook,
    position,
    with_settings,
    write_notebook,
)
from nbformat.v4 import new_code_cell
from traitlets.config import Config

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.course import Course
from gradebox.execute.execution_settings import Settings
from gradebox.release.release_lessons import write_student_version

LIMITS = (
    IMPATIENT,
    "c.Execute.memory_limit = 2**29",
    "c.Execute.process_limit = 20",
    "c.Execute.file_limit = 10**6",
    "c.Execute.notebook_timeout = 60",
)
MEMORY = "The cell reached the limit of 0.5 GiB of memory (`c.Execute.memory_limit`)."
PROCESSES = "The cell reached the limit of 20 processes (`c.Execute.process_limit`)."
FILES = "The cell reached the limit of 1 MB of files (`c.Execute.file_limit`)."
CELL_TIME = "The cell reached its time limit of 4 seconds (`c.Execute.timeout_func`)."
NOTEBOOK_TIME = "The notebook reached its time limit of 60 seconds (`c.Execute.notebook_timeout`)."
REACHED, KILLED, TIMED_OUT, NOT_RUN = "limit reached", "killed the kernel", "timed out", "not run"
# By student: the body of the function `half`, which a test calls; the kind of the incident, and its text.
IN_FUNCTION = {
    "array": ("import numpy\n    numpy.ones(10**9)", REACHED, MEMORY),
    "tensor": ("import torch\n    torch.ones(10**10)", REACHED, MEMORY),
    "file": ("open('large', 'wb').write(bytes(3 * 10**6))", REACHED, FILES),
    "threads": (
        "import threading, time\n    for _ in range(200):\n"
        "        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n    time.sleep(60)",
        KILLED,
        PROCESSES,
    ),
}
# The same for a cell of the student's own, which no test depends on.
IN_CELL = {
    "shared": (
        "import mmap, time\nshared = mmap.mmap(-1, 2**30)\nfor _ in range(1000):\n"
        "    shared.write(bytes(10**6))\ntime.sleep(60)",
        KILLED,
        MEMORY,
    ),
    "forks": (
        "import os, time\nfor _ in range(200):\n    try:\n        if os.fork() == 0:\n"
        "            time.sleep(60)\n            os._exit(0)\n    except BlockingIOError:\n        pass\n"
        "time.sleep(60)",
        KILLED,
        PROCESSES,
    ),
    "loop": ("while True:\n    pass", TIMED_OUT, CELL_TIME),
    "stubborn": (
        "while True:\n    try:\n        while True: pass\n    except KeyboardInterrupt: pass",
        TIMED_OUT,
        CELL_TIME,
    ),
}
RESULTS = {"double": 4, "half": 1}


def hand_in_cells(course: Course, student: str, half: str, *more) -> None:
    """Hand in both functions, with more cells after the test of `double`."""
    nb = notebook("release", "hw", course.root)
    nb.cells[position(nb, "double")].source = "def double(x):\n    return 2 * x"
    nb.cells[position(nb, "half")].source = f"def half(x):\n    {half}\n    return x / 2"
    after = position(nb, "double-test") + 1
    write_notebook(
        course.path("submitted", "hw", student) / "hw.ipynb", [*nb.cells[:after], *more, *nb.cells[after:]]
    )


@contained
@pytest.mark.usefixtures("counted_seconds")
def test_a_limit_that_is_reached_is_an_incident_and_spares_the_other_cells(small):
    course = with_settings(small, *LIMITS)
    cells = []
    for name, result in RESULTS.items():
        cells.append(
            cell("solution", name, EXERCISE.replace("double", name).replace("2 * x", f"x * {result} / 2"))
        )
        cells.append(cell("test", f"{name}-test", f"assert {name}(2) == {result}"))
    write_notebook(course.root / "source" / "hw" / "hw.ipynb", cells)
    write_student_version(course, "hw")
    for student, (code, *_) in IN_FUNCTION.items():
        hand_in_cells(course, student, code)
    for student, (code, *_) in IN_CELL.items():
        hand_in_cells(course, student, "pass", new_code_cell(code))
    hand_in_cells(course, "many", "pass", *(new_code_cell("1") for _ in range(70)))

    outcomes = autograde_submissions(course, list(find_submissions(course, ["hw"], course.students)))
    found = {one.submission.student: [(i.cell, i.kind, i.what) for i in one.incidents] for one in outcomes}
    last = found.pop("many")
    assert last[-1] == ("half-test", NOT_RUN, NOTEBOOK_TIME) and len(last) > 10
    assert {one[1:] for one in last} == {(NOT_RUN, NOTEBOOK_TIME)}
    expected = {student: [("half-test", *one)] for student, (_, *one) in IN_FUNCTION.items()}
    expected |= {student: [("cell 3", *one)] for student, (_, *one) in IN_CELL.items()}
    assert found == expected
    with course.gradebook() as gradebook:
        for student in course.students:
            grades = gradebook.find_submission_notebook("hw", "hw", student).grades
            points = {grade.name: grade.auto_score for grade in grades}
            assert points == {"double-test": 2, "half-test": 2 if student in IN_CELL else 0}, student


@pytest.mark.parametrize(
    ("settings", "seconds"),
    [
        ({}, 300),
        ({"Execute": {"timeout": 20}}, 300),
        ({"Execute": {"timeout": 400}}, 4000),
        ({"ExecutePreprocessor": {"timeout": 400}}, 4000),
        ({"Execute": {"timeout": -1}}, 300),
        ({"Execute": {"timeout": None}}, 300),
        ({"Execute": {"timeout": 400, "notebook_timeout": 500}}, 500),
    ],
)
def test_the_time_of_a_notebook_follows_the_time_of_a_cell(settings, seconds):
    assert Settings(config=Config(settings)).notebook_timeout == seconds
