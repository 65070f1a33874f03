"""What the grading machine lacks is an incident: a module that is not installed, and the network."""

import json
import re
import shutil

import nbformat
import pytest
from helpers import contained, gradebox, notebook, solves
from nbformat.v4 import new_code_cell

from gradebox.autograde.incidents import find_incidents
from gradebox.course import Course

RIGHT = "def double(x):\n    return 2 * x"
MODULE, NETWORK = "missing module", "asks for the network"
FETCH = "from urllib.request import urlopen\nurlopen('https://example.org/data.csv')\n"
FETCH_LATER = "def double(x):\n    import urllib.request as web\n    web.urlopen('https://example.org')"
# By student: the solution, the kind of the incident, the cell, the module, and the points of the test.
ANSWERS = {
    "above": (f"import seaborn as sns\n{RIGHT}", MODULE, "double", "seaborn", 0),
    "package": (f"import seaborn.objects as so\n{RIGHT}", MODULE, "double", "seaborn", 0),
    "called": ("def double(x):\n    import seaborn\n    return 2 * x", MODULE, "double-test", "seaborn", 0),
    "optional": (
        f"{RIGHT}\nimport pandas\npandas.DataFrame({{'a': [1]}}).to_xarray()",
        *(MODULE, "double", "xarray", 2),
    ),
    "caught": (f"try:\n    import seaborn\nexcept ImportError:\n    pass\n{RIGHT}", None, None, None, 2),
    # The package is there, and the student's own file, too: neither can be installed.
    "submodule": (f"import numpy.nothing\n{RIGHT}", None, None, None, 0),
    "own_file": (f"from my_code import twice\n{RIGHT}", None, None, None, 0),
    "refused": (f"raise ValueError('no network here')\n{RIGHT}", None, None, None, 0),
}
REQUESTS = {
    "pip": (f"!pip install seaborn\n{RIGHT}", "double", 2),
    "fetch": (f"{FETCH}{RIGHT}", "double", 0),
    "resolve": (f"import socket\nsocket.getaddrinfo('example.org', 80)\n{RIGHT}", "double", 0),
    "socket": (f"import socket\nsocket.create_connection(('192.0.2.1', 80), 2)\n{RIGHT}", "double", 0),
    "in_test": (f"{FETCH_LATER}\n    return 2 * x", "double-test", 0),
}


@pytest.fixture(scope="module")
def lacking(small_released, tmp_path_factory) -> tuple[Course, str]:
    """A graded class that asks for what the machine lacks, and the report of the run."""
    course = Course(shutil.copytree(small_released, tmp_path_factory.mktemp("lacking") / "course"))
    for student, (answer, *_) in (ANSWERS | REQUESTS).items():
        folder = solves(course, student, double=answer).parent
        if student == "own_file":
            (folder / "src").mkdir()
            (folder / "src" / "my_code.py").write_text("twice = 2\n")
    # An editor has dropped the metadata of all cells but the first.
    path = solves(course, "stripped", double=RIGHT)
    nb = nbformat.read(path, as_version=4)
    for cell in nb.cells[1:]:
        cell.metadata.clear()
    nb.cells += [new_code_cell("import seaborn"), new_code_cell(FETCH)]
    nb.cells[4].source = "My own text"
    nbformat.write(nb, path)
    run = gradebox(course, "autograde")
    assert run.returncode == 0, run.stdout + run.stderr
    return course, run.stdout


def incidents_of(course: Course, student: str) -> list[tuple[str, str, str]]:
    found = json.loads((course.root / "incidents.json").read_text())
    return [(i["kind"], i["cell"], i["what"]) for i in found if i["student"] == student]


def points_of(course: Course, student: str) -> float:
    with course.gradebook() as gradebook:
        return gradebook.find_grade("double-test", "hw", "hw", student).auto_score


@pytest.mark.parametrize("student", ANSWERS)
def test_a_missing_module_is_an_incident_and_the_points_stay(lacking, student):
    course, _ = lacking
    _, kind, cell, module, points = ANSWERS[student]
    expected = [(kind, cell, f"not installed here: {module}")] if kind else []
    assert incidents_of(course, student) == expected and points_of(course, student) == points


@contained
@pytest.mark.parametrize("student", REQUESTS)
def test_a_request_to_the_network_is_an_incident_and_the_points_stay(lacking, student):
    course, _ = lacking
    _, cell, points = REQUESTS[student]
    what = "asks for the network, which submissions do not have"
    assert incidents_of(course, student) == [(NETWORK, cell, what)] and points_of(course, student) == points


@contained
def test_the_table_has_one_row_for_each_module_and_one_for_the_repairs_of_a_submission(lacking):
    course, report = lacking
    table = report[report.index("incidents") :]
    rows = [re.split("[│┃]", line) for line in table.splitlines() if re.search("[│┃]", line)]
    texts = [" ".join(" ".join(row).split()) for row in rows]
    (seaborn,) = (row for row in texts if "seaborn" in row)
    assert "not installed here: seaborn (4 submissions)" in seaborn
    assert all(f"{student}/hw" in seaborn for student in ("above", "called", "package", "stripped"))
    assert sum("not installed here: xarray" in row for row in texts) == 1
    assert sum("repaired" in row for row in texts) == 1
    assert "double-test, why: had lost its metadata and was recognised by its text" in " ".join(texts)
    assert "essay: was missing, but 3 cells beside it may be the answer: a person reads it" in " ".join(texts)
    # The file has one entry for each repair.
    kinds = [kind for kind, *_ in incidents_of(course, "stripped")]
    assert kinds == ["repaired"] * 3 + [MODULE, NETWORK]


def test_the_graded_copy_keeps_the_incidents_for_the_next_run(lacking):
    course, _ = lacking
    for student in [*ANSWERS, *REQUESTS, "stripped"]:
        kept = find_incidents(student, "hw", notebook("autograded", "hw", course.root, student))
        assert [(one.kind, one.cell, one.what) for one in kept] == incidents_of(course, student)


@contained
def test_students_read_that_the_machine_lacks_something_but_not_what(lacking):
    course, _ = lacking
    assert gradebox(course, "feedback", "--student", "stripped").returncode == 0
    page = (course.root / "feedback" / "stripped" / "hw" / "hw.html").read_text()
    assert page.count("A module that it needs is not installed on the grading machine.") == 1
    assert page.count("It needs the network, which is not available during grading.") == 1
