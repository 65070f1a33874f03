"""The red team: everything in `hostile/` tries to earn points for wrong answers, or to spoil the grading.

A text there (see `written.py`) is a solved lesson with an attack in it, named for what it tries; most attack
the one in `hostile/victim/`, which is there for that. Its metadata says which tests it attacks: these must
score 0. What it hands in besides is in a folder of its name. All who attack a lesson are graded in one class,
with honest students among them.

`make test` takes every thirtieth, `make hostile` all of them, `make hostile ATTACKS=NAME,NAME` some.
"""

import json
import os
import pickle
import re
import shutil
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

import nbformat
import pytest
from helpers import build_once, contained, pair_lessons, points_of, with_settings
from nbgrader.api import MissingEntry
from nbgrader.preprocessors import ClearHiddenTests
from repository import REPOSITORY, notebook
from written import Written, read_all

from gradebox.autograde.discover_submissions import read_submission
from gradebox.autograde.grade_submissions import GradingOutcome, autograde_submissions
from gradebox.autograde.incidents import FLAGGED
from gradebox.course import Course
from gradebox.course_secret import SECRET_FILE
from gradebox.notebook_exercises import find_grade_id, find_hidden_lines, is_locked_code_cell
from gradebox.notebook_metadata import FAILED, read_ending
from gradebox.release.release_lessons import write_student_version
from gradebox.reports.redact_failures import find_test_message

pytestmark = [
    contained,
    # They are what is on trial.
    pytest.mark.filterwarnings("ignore"),
]

HOSTILE = REPOSITORY / "tests" / "hostile"
TEXTS = {text.name: text for text in read_all(HOSTILE)}

# Those whose flag a test looks for are always among them.
FLAGS = ("garbage_from_a_cell", "replies_ahead", "replies_during_a_call", "header_of_2_to_the_60")


def chosen() -> list[str]:
    """The attacks to try this time, by name."""
    wanted = os.environ.get("ATTACKS", "")
    if wanted:
        return [name for name in TEXTS if wanted == "all" or name in wanted.split(",")]
    kinds = {name: (text.lesson, text.about.get("category", "")) for name, text in TEXTS.items()}
    by_kind = sorted(TEXTS, key=lambda name: (kinds[name], name))
    return sorted({*by_kind[::30], *FLAGS})


ATTACKS = chosen()
LESSONS = sorted({TEXTS[name].lesson for name in ATTACKS})
VICTIM = "victim"
ON_VICTIM = [name for name in ATTACKS if TEXTS[name].lesson == VICTIM]
HONEST = ("honest-first", "zz-honest-last")
OUTCOMES = "outcomes.pickle"
# Little time for each of the victim's cells, so that those that never end don't take long.
SETTINGS = """
c.Execute.timeout = 6
c.Execute.iopub_timeout = 2
c.Execute.notebook_timeout = 24
c.Execute.memory_limit = 1_000_000_000
"""
# What only the victim's hidden tests say, and no test passes to a function.
SECRET = re.compile(r"seed 90\d{3}")


@pytest.fixture(scope="module")
def graded(this_course):
    """What gives the class of a lesson after it was graded: the course, and the outcomes by student."""
    return cache(partial(once, this_course))


def once(this_course: Path, lesson: str) -> tuple[Course, dict[str, GradingOutcome]]:
    """Grade the class of a lesson, which takes minutes."""

    def build(root: Path) -> None:
        shutil.copytree(this_course, root, dirs_exist_ok=True)
        (root / OUTCOMES).write_bytes(pickle.dumps(grade_all(root, lesson)))

    root = build_once(f"hostile-{lesson}", build)
    return Course(root), pickle.loads((root / OUTCOMES).read_bytes())


def grade_all(root: Path, lesson: str) -> dict[str, GradingOutcome]:
    """Grade a class of attackers, and honest students among them. Returns the outcomes by student."""
    course = with_settings(Course(root), "c.Execute.second_chances = True")
    # With a random secret, a test that guesses would be right in 1 of 24 runs.
    (root / SECRET_FILE).write_text("0" * 64, encoding="ascii")
    if lesson == VICTIM:
        shutil.copy(HOSTILE / VICTIM / f"{VICTIM}.py", root / "lessons")
        course = with_settings(course, SETTINGS)
        pair_lessons(course)
        write_student_version(course, VICTIM)
    source, empty = notebook("source", lesson, root), notebook("release", lesson, root)
    # A lesson's figures would take most of the time.
    empty.cells = [cell for cell in empty.cells if find_grade_id(cell) or cell.cell_type == "markdown"]
    (name,) = course.notebooks(lesson)
    attacks = [TEXTS[attack] for attack in ATTACKS if TEXTS[attack].lesson == lesson]
    texts = [*attacks, *(Written(student, lesson, {}, ()) for student in HONEST)]
    for text in texts:
        path = course.path("submitted", lesson, text.name) / f"{name}.ipynb"
        path.parent.mkdir(parents=True)
        # Not by nbformat, which refuses some of them, and puts others right.
        path.write_text(json.dumps(text.notebook(source, empty)), encoding="utf-8")
        if (HOSTILE / text.name).is_dir():
            shutil.copytree(HOSTILE / text.name, path.parent, dirs_exist_ok=True)
    submissions = [
        read_submission(course, lesson, student) for student in sorted(text.name for text in texts)
    ]
    return {
        outcome.submission.student: outcome
        for outcome in autograde_submissions(course, submissions, workers=2)
    }


def scores(course: Course, lesson: str, student: str) -> dict[str, float]:
    """What the gradebook says; nothing for a submission that could not be graded."""
    (name,) = course.notebooks(lesson)
    with course.gradebook() as gradebook:
        try:
            grades = gradebook.find_submission_notebook(name, lesson, student).grades
        except MissingEntry:
            return {}
        return {grade.name: grade.auto_score for grade in grades}


def all_of(text: Written) -> str:
    return "\n".join(source for _, _, source in text.changes)


def test_attacks_on_gradebox_name_modules_that_it_has():
    """One that finds nothing attacks nothing."""
    calls = [call for text in TEXTS.values() for call in re.findall(r"modules\((.*)\):", all_of(text))]
    named = {name for call in calls for name in re.findall(r'"([\w.]+)"', call)}
    named |= {name for text in TEXTS.values() for name in re.findall(r'"gradebox\.([\w.]+)"', all_of(text))}
    assert len(named) > 5
    for name in named:
        assert find_spec(f"gradebox.{name}"), name


def test_there_are_enough_of_them():
    assert len(ON_VICTIM) >= 60 or os.environ.get("ATTACKS") != "all"


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_scores_what_an_honest_zero_would(graded, name):
    lesson, attacked = TEXTS[name].lesson, TEXTS[name].about["attacks"]
    course, outcomes = graded(lesson)
    won = scores(course, lesson, name)
    assert attacked and bool(won) == (outcomes[name].problem is None)
    # Some are no notebook that can be graded. Those on real lessons are.
    assert {test: won[test] for test in attacked} == dict.fromkeys(attacked, 0) if won else lesson == VICTIM


@pytest.mark.parametrize("name", ON_VICTIM)
def test_an_attack_does_not_learn_what_hidden_tests_say(graded, name):
    course, outcomes = graded(VICTIM)
    if outcomes[name].problem is None:
        copy = nbformat.read(course.path("autograded", VICTIM, name) / f"{VICTIM}.ipynb", as_version=4)
        said = [o for cell in copy.cells for o in cell.get("outputs", []) if o.output_type != "error"]
        assert not SECRET.search(str(said))


@pytest.mark.parametrize("name", ON_VICTIM)
def test_an_attack_writes_nothing_on_its_page(graded, name):
    """Those that try begin what they write with "told".

    A page may show the line of the submission that raised an error, but nothing that was computed.
    """
    course, outcomes = graded(VICTIM)
    if outcomes[name].problem is None:
        copy = nbformat.read(course.path("autograded", VICTIM, name) / f"{VICTIM}.ipynb", as_version=4)
        tests = [cell for cell in copy.cells if cell.metadata.get("nbgrader", {}).get("points")]
        lines = {line.strip() for cell in copy.cells for line in cell.source.splitlines()}
        marks = ClearHiddenTests()
        for cell in tests:
            message = find_test_message(cell, find_hidden_lines(cell, marks), copy) or ""
            shown = [line for line in message.splitlines() if line.partition(": ")[2] not in lines]
            assert "told" not in "\n".join(shown)


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_gets_to_act(graded, name):
    """One whose own cells fail attacks nothing, unless it says that this is how it ends."""
    lesson, about = TEXTS[name].lesson, TEXTS[name].about
    course, outcomes = graded(lesson)
    if outcomes[name].problem is None and not about.get("fails"):
        (notebook,) = course.notebooks(lesson)
        paths = (course.path("autograded", lesson, who) / f"{notebook}.ipynb" for who in (HONEST[0], name))
        honest, attacker = (nbformat.read(path, as_version=4).cells for path in paths)
        # A cell of the reference solution fails only because an attack hit it, as a late interrupt does.
        reference = {cell.source for cell in honest}
        failed = [
            cell.source
            for cell in attacker
            if not is_locked_code_cell(cell) and cell.source not in reference and read_ending(cell) == FAILED
        ]
        assert not failed, failed


@pytest.mark.parametrize("lesson", LESSONS)
@pytest.mark.parametrize("student", HONEST)
def test_attacks_cost_nobody_else_anything(graded, student, lesson):
    course, outcomes = graded(lesson)
    won, full = scores(course, lesson, student), points_of(notebook("source", lesson, course.root))
    assert outcomes[student].problem is None and outcomes[student].incidents == ()
    assert {test: won[test] for test in full} == full


@pytest.mark.parametrize("name", [name for name in FLAGS if name in ATTACKS])
def test_what_no_submission_sends_by_itself_is_flagged(graded, name):
    _, outcomes = graded(VICTIM)
    flagged = [incident for incident in outcomes[name].incidents if incident.kind == FLAGGED]
    assert flagged and "Please look" in flagged[0].what and "has sent" in flagged[0].what
