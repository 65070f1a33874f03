"""Honest notebooks, however odd, have the same points with a judge as without, and those of a plain one.

Each text of `honest/` (see `written.py`) is a solved lesson in somebody's own way. What one of them loses is
said in its metadata: `loses` names the tests (`loses_without` those without a judge, if they are others), and
`why` gives the reason. `encoding` is that of its file, `needs` what a machine must have for it: namespaces,
or a program.

`make test` takes every sixteenth, `make honest` all of them and prints their points, `make honest HONEST=a,b`
some.
"""

import json
import os
import shutil
from pathlib import Path

import pytest
from helpers import PROBED, build_once, graded, points_of, with_settings
from repository import REPOSITORY, notebook
from written import Written, read_all

from gradebox.autograde.discover_submissions import read_submission
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.course import Course
from gradebox.notebook_exercises import find_grade_id, serialize_notebook

PLAIN = "plain"
# With a judge and in a sandbox, as far as this machine can give it, and without both.
WAYS = ("auto", "none")
# Enough on any machine: what takes its time here is honest.
PATIENT = "c.Execute.timeout = c.Execute.notebook_timeout = 600"


def chosen() -> dict[str, Written]:
    """The texts to try, by name."""
    every = {text.name: text for text in read_all(REPOSITORY / "tests" / "honest")}
    wanted = os.environ.get("HONEST", "")
    if wanted and wanted != "all":
        return {name: every[name] for name in wanted.split(",")}
    return every if wanted else dict(list(every.items())[::16])


def possible(text: Written) -> bool:
    """Whether this machine has what a text needs."""
    needs = text.about.get("needs")
    if needs == "namespaces":
        return bool(PROBED.best) and PROBED.best.rung.namespaces
    return needs is None or shutil.which(needs) is not None


WANTED, LOST = chosen(), "lost.json"
CHOSEN = {name: text for name, text in WANTED.items() if possible(text)}


@pytest.fixture(scope="module")
def lost(this_course) -> dict[str, dict[str, list[str]]]:
    """The tests that each text loses, by its name and by whether there is a judge."""

    def build(folder: Path) -> None:
        points = {way: all_points(this_course, folder / way, way) for way in WAYS}
        (folder / LOST).write_text(json.dumps(table(points)))

    return json.loads((build_once("honest", build) / LOST).read_text())


def all_points(this_course: Path, root: Path, way: str) -> dict[tuple[str, str], dict[str, float]]:
    """The points of the tests of each submission, by lesson and student, in a class of all texts."""
    course = Course(shutil.copytree(this_course, root))
    course = with_settings(course, f'c.Execute.isolation = "{way}"', PATIENT)
    handed_in = []
    for lesson in sorted({text.lesson for text in CHOSEN.values()}):
        (name,) = course.notebooks(lesson)
        texts = [text for text in CHOSEN.values() if text.lesson == lesson]
        for text in [Written(PLAIN, lesson, {}, ()), *texts]:
            path = course.path("submitted", lesson, text.name) / f"{name}.ipynb"
            path.parent.mkdir(parents=True)
            released_cells = notebook("release", lesson)
            released_cells.cells = [cell for cell in released_cells.cells if find_grade_id(cell)]
            nb = text.notebook(notebook("source", lesson), released_cells)
            path.write_text(serialize_notebook(nb), encoding=text.about.get("encoding", "utf-8"))
            handed_in.append(read_submission(course, lesson, text.name))
    points = {}
    for outcome in autograde_submissions(course, handed_in, workers=2):
        lesson, student = outcome.submission.assignment, outcome.submission.student
        tests = points_of(notebook("source", lesson))
        scores = graded(course, lesson, student).scores if outcome.problem is None else {}
        points[lesson, student] = {test: scores.get(test, 0.0) for test in tests}
    return points


def table(points: dict[str, dict[tuple[str, str], dict[str, float]]]) -> dict[str, dict[str, list[str]]]:
    """Prints the points of each text with a judge, without, and of the plain notebook."""
    lost = {}
    for text in CHOSEN.values():
        plain = points["none"][text.lesson, PLAIN]
        mine = {way: points[way][text.lesson, text.name] for way in WAYS}
        lost[text.name] = {way: [test for test in plain if mine[way][test] != plain[test]] for way in WAYS}
        sums = [sum(scores.values()) for scores in (*mine.values(), plain)]
        print(
            f"{text.name:40} {text.lesson:22}", *(f"{total:5g}" for total in sums), *lost[text.name]["auto"]
        )
    return lost


@pytest.mark.parametrize("name", WANTED)
def test_an_honest_notebook_keeps_its_points(lost, name):
    about = WANTED[name].about
    if name not in CHOSEN:
        pytest.skip(f"that takes {about['needs']}")
    loses = about.get("loses", [])
    expected = {"auto": loses, "none": about.get("loses_without", loses)}
    assert lost[name] == expected
    assert any(expected.values()) == bool(about.get("why"))
