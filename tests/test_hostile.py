"""The red team: every notebook in `hostile/` tries to earn points for wrong answers, or to spoil the grading.

Each is the released lesson `hostile/victim.py` with an attack in it, named for what it tries. Its metadata
says which tests it attacks: these must score 0. All are graded in one class, with honest students among them.

`make test` takes every sixth of each kind, `make hostile` all of them, `make hostile ATTACKS=NAME,NAME` some.
"""

import fcntl
import json
import os
import pickle
import re
import shutil
from pathlib import Path

import nbformat
import pytest
from conftest import REPOSITORY, contained, points_of
from nbgrader.api import MissingEntry

from gradebox import answers
from gradebox.autograde import Outcome, autograde
from gradebox.course import Course
from gradebox.incidents import FLAGGED
from gradebox.pairing import as_json
from gradebox.release import pair_lessons, release
from gradebox.submissions import submission

pytestmark = [
    contained,
    # They are what is on trial.
    pytest.mark.filterwarnings("ignore"),
]

HOSTILE = REPOSITORY / "tests" / "hostile"

# Those whose flag a test looks for are always among them.
FLAGS = ("garbage_from_a_cell", "replies_ahead", "replies_during_a_call", "header_of_2_to_the_60")


def chosen() -> list[str]:
    """The attacks to try, by name."""
    kinds = {
        path.stem: json.loads(path.read_text())["metadata"]["hostile"] for path in HOSTILE.glob("*.ipynb")
    }
    by_kind = sorted(kinds, key=lambda name: (kinds[name]["category"], name))
    wanted = os.environ.get("ATTACKS", "")
    if wanted and wanted != "all":
        return wanted.split(",")
    return sorted(by_kind if wanted else {*by_kind[::6], *FLAGS})


ATTACKS = chosen()
LESSON = "victim"
HONEST = ("honest-first", "zz-honest-last")
# Little time for each cell, so that those that never end don't take long.
SETTINGS = """
c.Execute.timeout = 3
c.Execute.iopub_timeout = 2
c.Execute.notebook_timeout = 12
c.Execute.memory_limit = 1_000_000_000
"""
# What only the hidden tests say, and no test passes to a function.
SECRET = re.compile(r"seed 90\d{3}")


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The class after it was graded: the course, the outcomes by student, and the points of each test."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        # It takes minutes: one process of pytest's does it for all.
        folder = folder.parent
    root, done = folder / "hostile", folder / "hostile-outcomes"
    with open(folder / "hostile-lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            done.write_bytes(pickle.dumps(grade_all(root)))
    course = Course(root)
    source = nbformat.read(course.path("source", LESSON) / f"{LESSON}.ipynb", as_version=4)
    return course, pickle.loads(done.read_bytes()), points_of(source)


def grade_all(root: Path) -> dict[str, Outcome]:
    """Grade a class of attackers, and honest students among them. Returns the outcomes by student."""
    shutil.rmtree(root, ignore_errors=True)
    (root / "lessons" / LESSON).mkdir(parents=True)
    shutil.copy(HOSTILE / "victim.py", root / "lessons" / LESSON)
    config = (REPOSITORY / "nbgrader_config.py").read_text() + SETTINGS
    (root / "nbgrader_config.py").write_text(config)
    pair_lessons(Course(root))
    course = Course(root)
    release(course, LESSON)
    source = nbformat.read(course.path("source", LESSON) / f"{LESSON}.ipynb", as_version=4)
    empty = nbformat.read(course.path("release", LESSON) / f"{LESSON}.ipynb", as_version=4)
    handed_in = {name: (HOSTILE / f"{name}.ipynb").read_text(encoding="utf-8") for name in ATTACKS}
    handed_in |= dict.fromkeys(HONEST, as_json(answers.fill(empty, answers.reference(source))))
    for student, text in handed_in.items():
        path = course.path("submitted", LESSON, student) / f"{LESSON}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
        if (HOSTILE / student).is_dir():
            # What is handed in beside the notebook.
            shutil.copytree(HOSTILE / student, path.parent, dirs_exist_ok=True)
    outcomes = autograde(
        course, [submission(course, LESSON, student) for student in sorted(handed_in)], workers=2
    )
    return {outcome.submission.student: outcome for outcome in outcomes}


def scores(course: Course, student: str) -> dict[str, float]:
    """What the gradebook says; nothing for a submission that could not be graded."""
    with course.gradebook() as gradebook:
        try:
            grades = gradebook.find_submission_notebook(LESSON, LESSON, student).grades
        except MissingEntry:
            return {}
        return {grade.name: grade.auto_score for grade in grades}


def test_there_are_enough_of_them():
    assert len(ATTACKS) >= 60 or os.environ.get("ATTACKS") != "all"


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_scores_what_an_honest_zero_would(graded, name):
    course, outcomes, _ = graded
    attacked = nbformat.read(HOSTILE / f"{name}.ipynb", as_version=4).metadata["hostile"]["attacks"]
    won = scores(course, name)
    assert attacked and bool(won) == (outcomes[name].problem is None)
    assert not any(won.get(test) for test in attacked)
    assert not won or set(attacked) <= set(won)


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_does_not_learn_what_hidden_tests_say(graded, name):
    course, outcomes, _ = graded
    if outcomes[name].problem is None:
        copy = nbformat.read(course.path("autograded", LESSON, name) / f"{LESSON}.ipynb", as_version=4)
        said = [o for cell in copy.cells for o in cell.get("outputs", []) if o.output_type != "error"]
        assert not SECRET.search(str(said))


@pytest.mark.parametrize("student", HONEST)
def test_attacks_cost_nobody_else_anything(graded, student):
    course, outcomes, points = graded
    assert outcomes[student].problem is None and outcomes[student].incidents == ()
    assert scores(course, student) == points


@pytest.mark.parametrize("name", [name for name in FLAGS if name in ATTACKS])
def test_what_no_submission_sends_by_itself_is_flagged(graded, name):
    _, outcomes, _ = graded
    flagged = [incident for incident in outcomes[name].incidents if incident.kind == FLAGGED]
    assert flagged and "Please look" in flagged[0].what and "has sent" in flagged[0].what
