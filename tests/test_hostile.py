"""The red team: everything in `hostile/` tries to earn points for wrong answers, or to spoil the grading.

A notebook there is the released lesson `hostile/victim/` with an attack in it, named for what it tries. Its
metadata says which tests it attacks: these must score 0. A text there (see `written.py`) does the same to a
real lesson. All are graded in one class, with honest students among them.

`make test` takes every thirtieth, `make hostile` all of them, `make hostile ATTACKS=NAME,NAME` some.
"""

import fcntl
import json
import os
import pickle
import re
import shutil
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path

import nbformat
import pytest
import written
from conftest import REPOSITORY, contained, grade_id, hand_in, notebook, points_of, with_settings
from nbgrader.api import MissingEntry

from gradebox.course import Course
from gradebox.grade.grade import Outcome, autograde
from gradebox.grade.incidents import FLAGGED
from gradebox.grade.submissions import submission
from gradebox.notebook import fill, reference
from gradebox.release.pair import as_json
from gradebox.release.release import pair_lessons, release

pytestmark = [
    contained,
    # They are what is on trial.
    pytest.mark.filterwarnings("ignore"),
]

HOSTILE = REPOSITORY / "tests" / "hostile"

# Those whose flag a test looks for are always among them.
FLAGS = ("garbage_from_a_cell", "replies_ahead", "replies_during_a_call", "header_of_2_to_the_60")


def chosen() -> list[str]:
    """The attacks on the victim to try, by name."""
    kinds = {
        path.stem: json.loads(path.read_text())["metadata"]["hostile"] for path in HOSTILE.glob("*.ipynb")
    }
    by_kind = sorted(kinds, key=lambda name: (kinds[name]["category"], name))
    return sorted(some(by_kind, FLAGS))


def some(known: list[str], always: Collection[str] = ()) -> set[str]:
    """Those of the known attacks that are to be tried this time."""
    wanted = os.environ.get("ATTACKS", "")
    if wanted == "all":
        return set(known)
    return set(known) & set(wanted.split(",")) if wanted else {*known[::30], *always}


ATTACKS = chosen()
TEXTS = {text.name: text for text in written.read_all(HOSTILE)}
ON_LESSONS = sorted(some(list(TEXTS)))
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
    course, outcomes = once(tmp_path_factory, "hostile", grade_all)
    source = nbformat.read(course.path("source", LESSON) / f"{LESSON}.ipynb", as_version=4)
    return course, outcomes, points_of(source)


def once(tmp_path_factory, name: str, grade: Callable[[Path], dict]) -> tuple[Course, dict]:
    """Grade a class. It takes minutes: one process of pytest's does it for all."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    root, done = folder / name, folder / f"{name}-outcomes"
    with open(folder / f"{name}-lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            done.write_bytes(pickle.dumps(grade(root)))
    return Course(root), pickle.loads(done.read_bytes())


def grade_all(root: Path) -> dict[str, Outcome]:
    """Grade a class of attackers, and honest students among them. Returns the outcomes by student."""
    shutil.rmtree(root, ignore_errors=True)
    (root / "lessons" / LESSON).mkdir(parents=True)
    shutil.copy(HOSTILE / "victim" / "victim.py", root / "lessons" / LESSON)
    config = (REPOSITORY / "nbgrader_config.py").read_text() + SETTINGS
    (root / "nbgrader_config.py").write_text(config)
    pair_lessons(Course(root))
    course = Course(root)
    release(course, LESSON)
    source = nbformat.read(course.path("source", LESSON) / f"{LESSON}.ipynb", as_version=4)
    empty = nbformat.read(course.path("release", LESSON) / f"{LESSON}.ipynb", as_version=4)
    handed_in = {name: (HOSTILE / f"{name}.ipynb").read_text(encoding="utf-8") for name in ATTACKS}
    handed_in |= dict.fromkeys(HONEST, as_json(fill(empty, reference(source))))
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


@pytest.fixture(scope="module")
def on_lessons(released, tmp_path_factory):
    """The points of each test of the texts' students, by student, after they were graded in one class."""
    return once(tmp_path_factory, "on-lessons", partial(grade_texts, released))[1]


def grade_texts(released: Path, root: Path) -> dict[str, dict[str, float]]:
    """Grade what attacks real lessons, and an honest student in each of these."""
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(released, root)
    course = with_settings(Course(root), "c.Execute.second_chances = True")
    lessons = {name: TEXTS[name].lesson for name in ON_LESSONS}
    honest = {f"honest-{lesson}": lesson for lesson in lessons.values()}
    for student, lesson in (lessons | honest).items():
        source, empty = notebook("source", lesson, root), notebook("release", lesson, root)
        plain = written.Written(student, lesson, {}, ())
        nb = TEXTS.get(student, plain).notebook(source, empty)
        own = {text for _, _, text in TEXTS.get(student, plain).changes}
        nb.cells = [cell for cell in nb.cells if grade_id(cell) or cell.source in own]
        hand_in(course, lesson, student, nb)
    submissions = [submission(course, lesson, student) for student, lesson in (lessons | honest).items()]
    outcomes = autograde(course, submissions, workers=2)
    assert all(outcome.graded for outcome in outcomes), outcomes
    return {student: points_in(course, lesson, student) for student, lesson in (lessons | honest).items()}


def points_in(course: Course, lesson: str, student: str) -> dict[str, float]:
    (name,) = course.notebooks(lesson)
    with course.gradebook() as gradebook:
        grades = gradebook.find_submission_notebook(name, lesson, student).grades
        return {grade.name: grade.auto_score for grade in grades}


@pytest.mark.parametrize("name", ON_LESSONS)
def test_an_attack_on_a_lesson_earns_nothing_where_it_attacks(on_lessons, name):
    attacked = TEXTS[name].about["attacks"]
    assert attacked and {test: on_lessons[name][test] for test in attacked} == dict.fromkeys(attacked, 0)


@pytest.mark.parametrize("name", ON_LESSONS)
def test_an_honest_student_beside_it_keeps_all_points(on_lessons, name):
    lesson = TEXTS[name].lesson
    full = points_of(notebook("source", lesson))
    assert {test: on_lessons[f"honest-{lesson}"][test] for test in full} == full


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
