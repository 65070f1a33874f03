"""The check finds what is planted: tests that the judge, a solution or stock nbgrader has trouble with."""

import io
import json
import re

import pytest
from helpers import IMPATIENT, cell, gradebox, small_lesson, with_settings, write_notebook
from nbformat.v4 import new_markdown_cell, new_notebook
from rich.console import Console

from gradebox.check.findings import Checked, Finding
from gradebox.check.reasons import reason
from gradebox.check.remembered import lines
from gradebox.check.report import fails, report, verdict
from gradebox.check.run import check
from gradebox.check.sound import unsound
from gradebox.check.ways import JUDGED, PLAIN, STOCK, Came
from gradebox.course import CHECKED, Course

# What it sets of a module stands in the student's process only.
SOLUTION = (
    "import math\ndef double(x):\n    ### BEGIN SOLUTION\n    math.marked = True\n    return 2 * x\n"
    "    ### END SOLUTION"
)
MARKED = "import math\nassert double(2) == 4\nassert math.marked"


def written(course: Course, assignment: str, *tests, name: str = "hw") -> None:
    """An assignment with the exercise 1.1 and these tests, each a grade_id with its text."""
    cells = [new_markdown_cell("## 1.1 Twice"), cell("solution", "double", SOLUTION)]
    cells += [cell("test", grade_id, text) for grade_id, text in tests]
    write_notebook(course.root / "source" / assignment / f"{name}.ipynb", cells)


def empty(small: Course) -> Course:
    """The small course without its lesson."""
    (small.root / "source" / "hw" / "hw.ipynb").unlink()
    return with_settings(small, IMPATIENT)


@pytest.fixture(scope="module")
def planted(small_released, tmp_path_factory) -> list[Checked]:
    """What is found in a course with one test of each kind, and two notebooks that can't be run."""
    root = tmp_path_factory.mktemp("planted") / "course"
    root.mkdir()
    (root / "nbgrader_config.py").write_text((small_released / "nbgrader_config.py").read_text())
    course = with_settings(Course(root), IMPATIENT)
    written(
        course,
        "hw",
        ("double-test", "assert double(2) == 4\nassert double(3) == 6"),
        ("double-marked", MARKED),
        ("double-noisy", "import sys\nprint('a note', file=sys.stderr)"),
        ("double-wrong", "assert double(2) == 5, '''\nno five\nand no six'''"),
        ("double-above", "3"),
        ("double-part", "1"),
        ("double-eval", "assert eval(str(double(3))) == 6"),
    )
    written(course, "more", ("first-test", "assert double(1) == 2"), name="first")
    written(
        course, "more", ("ends", "import os\nos._exit(0)"), ("stays", "while True:\n    pass"), name="second"
    )
    (root / "source" / "more" / "third.ipynb").write_text("{")
    return check(course, course.assignments)


def found(planted: list[Checked]) -> dict[str, Finding]:
    return {finding.cell: finding for one in planted for finding in one.findings}


def test_what_gives_all_points_in_each_way_is_not_named(planted):
    assert found(planted).keys() == {
        *("double-marked", "double-noisy", "double-wrong", "double-above", "double-part", "ends", "stays")
    }
    assert [len(one.tests) for one in planted] == [7, 1, 2, 0]


def points(finding: Finding) -> tuple:
    return finding.judged, finding.plain, finding.stock, finding.maximum


def test_a_test_that_loses_with_the_judge_alone_is_named_with_what_to_do(planted):
    one = found(planted)["double-marked"]
    assert points(one) == (0, 2, 2, 2) and not one.acknowledged
    assert (one.assignment, one.notebook, one.number) == ("hw", "hw", "1.1")
    assert one.reason.startswith("it loses points with the judge alone: AttributeError: ")
    assert "the tag `unjudged`" in one.advice


def test_text_on_stderr_is_a_difference_that_is_meant(planted):
    one = found(planted)["double-noisy"]
    assert points(one) == (2, 2, 0, 2) and one.acknowledged
    assert "stderr" in one.reason and "none in gradebox" in one.reason


def test_a_solution_that_loses_points_everywhere_is_named_with_what_its_test_says(planted):
    wrong, part = found(planted)["double-wrong"], found(planted)["double-part"]
    assert points(wrong) == (0, 0, 0, 2)
    assert wrong.reason.endswith("in stock nbgrader, too: AssertionError: no five")
    assert points(part) == (1, 1, 1, 2) and part.reason.endswith("its last line gives 1 of its 2 points")
    assert not wrong.acknowledged and not part.acknowledged


def test_more_than_all_points_is_named(planted):
    one = found(planted)["double-above"]
    assert points(one) == (None, None, None, 2) and "gives 3, and the cell has 2 points" in one.reason


def test_a_cell_that_does_not_end_and_a_notebook_that_can_not_be_run_stop_no_other(planted):
    _, first, second, third = planted
    assert not first.findings and first.problem is None
    assert "it ended its process" in found(planted)["ends"].reason
    assert "it did not end in time" in found(planted)["stays"].reason
    assert second.problem and second.problem.startswith("in stock nbgrader, DeadKernelError")
    assert third.problem and "source/more/third.ipynb is no notebook" in third.problem


def shown(checked: list[Checked], width: int) -> str:
    file = io.StringIO()
    Console(width=width, file=file).print(report(checked))
    return file.getvalue()


@pytest.mark.parametrize("width", [48, 80, 140])
def test_the_table_folds_and_is_never_cut(planted, width):
    text = shown(planted, width)
    assert "…" not in text and max(map(len, text.splitlines())) <= width
    # Without the lines between, every word is there.
    words = re.sub(r"[│┃\s]", "", text)
    for finding in found(planted).values():
        for part in (finding.cell, *finding.reason.split(), *finding.advice.split()):
            assert all(piece in words for piece in re.findall(r"\w{1,3}", part)), part
    assert "can't be judged where it runs" in " ".join(text.split())


def test_the_last_sentence_says_what_there_is_to_do(planted):
    assert fails(planted)
    assert verdict(planted).plain == (
        "Of 10 tests, 1 loses points with the judge alone, and 5 need somebody to look, and 2 notebooks "
        "can't be checked."
    )
    of_hw = Checked("hw", "hw", {"a": 1, "b": 1}, findings=[found(planted)["double-noisy"]])
    assert not fails([of_hw]) and not fails([])
    assert verdict([Checked("hw", "hw")]).plain == "There are no tests here to be checked."
    assert verdict([of_hw]).plain == (
        "2 tests checked: the source's own solutions get all points; 1 has fewer in stock nbgrader, as meant."
    )


@pytest.mark.parametrize(
    "judged, plain, stock, words",
    [
        (Came(2), Came(0, "E: e"), Came(0, "E: e"), "more points with the judge"),
        (
            Came(0, "E: e", "the test adds an object"),
            Came(2),
            Came(2),
            "it can't be judged: the test adds an object",
        ),
        (Came(0, "E: e"), Came(0, "E: e"), Came(2), "in gradebox, with the judge and without it: E: e"),
        (Came(2), Came(2), Came(0, "E: e"), "in stock nbgrader: E: e"),
        (Came(1), Came(1), Came(0, noisy=True), "in stock nbgrader: it has text on stderr"),
    ],
)
def test_every_other_difference_has_its_reason_too(judged, plain, stock, words):
    why = reason({JUDGED: judged, PLAIN: plain, STOCK: stock}, 2, False)
    assert why and words in why.reason and not why.acknowledged
    assert reason({JUDGED: Came(2), PLAIN: Came(2), STOCK: Came(2)}, 2, False) is None


def said(test: str) -> list[str]:
    """What may not be judged in a test of the student's functions `f` and `compile`."""
    cells = [
        cell("given", "imports", "import importlib, pickle, re, subprocess\nfrom runpy import run_path"),
        cell("solution", "f", "def f(x):\n    return x\ndef compile(x):\n    return x"),
        cell("test", "f-test", test),
    ]
    return [f"{name}, {what}" for name, what in unsound(new_notebook(cells=cells))]


@pytest.mark.parametrize(
    "test, what",
    [
        ("exec(f('1'))", "f-test, line 1, exec()"),
        ("x = 1\nassert eval(str(f(1)) + ' + 1')", "f-test, line 2, eval()"),
        ("import pickle as p\np.loads(f(b''))", "line 2, pickle.loads()"),
        ("with open('a') as file:\n    pickle.load(file)", "line 2, pickle.load()"),
        ("run_path('a.py')", "runpy.run_path()"),
        ("subprocess.run(['python', 'a.py'])", "subprocess.run()"),
        ("importlib.import_module(f('a'))", "importlib.import_module()"),
        ("%run a.py", "line 1, %run"),
        ("!python a.py", "a line that begins with !"),
        ("__import__(f('a'))", "__import__()"),
    ],
)
def test_a_test_that_runs_what_a_submission_may_have_made_is_named(test, what):
    (one,) = said(test)
    assert what in one


@pytest.mark.parametrize(
    "test",
    [
        "importlib.import_module('math')\nassert eval('1 + 1') == f(2) and eval(f'f({2})')",
        "re.compile(f('a'))\ncompile(f(1))",
        "import pandas\npandas.DataFrame({'a': [1]}).eval('a')",
        "%timeit f(1)",
    ],
)
def test_nothing_is_said_of_what_runs_the_tests_own(test):
    assert said(test) == []


def tagged(course: Course) -> Course:
    """The small course with a second test, which has the tag."""
    solution, test, *rest = small_lesson()
    second = cell("test", "double-unjudged", "assert eval(str(double(3))) == 6")
    second.metadata["tags"] = ["unjudged"]
    write_notebook(course.root / "source" / "hw" / "hw.ipynb", [solution, test, second, *rest])
    return course


def test_a_course_where_all_is_well_is_told_so_and_without_answers_the_audit_does_the_same(small):
    run = gradebox(tagged(small), "check")
    assert run.returncode == 0, run.stdout + run.stderr
    wanted = [
        "1 test has the tag unjudged, 2 of 4 points: it runs in the student's process (hw/double-unjudged)",
        "2 tests checked: the source's own solutions get all points.",
    ]
    assert [line.strip() for line in run.stdout.splitlines() if line.strip()] == wanted
    instead = gradebox(small, "audit")
    assert instead.returncode == 0
    first, *rest = [line.strip() for line in instead.stdout.splitlines() if line.strip()]
    assert "no answers to audit: the source's own solutions are checked instead" in first
    assert rest == wanted
    assert "there are no answers to 'double'" in gradebox(small, "audit", "--exercise", "double").stderr


def test_a_release_warns_of_what_has_changed_and_is_never_stopped_by_it(small):
    course = empty(small)
    written(course, "fine", ("fine-test", "assert double(1) == 2"))
    written(
        course, "hw", ("double-marked", MARKED), ("double-noisy", "import sys; print(1, file=sys.stderr)")
    )
    run = gradebox(course, "release", "--no-check")
    assert run.returncode == 0 and "warning" not in run.stdout and not (course.root / CHECKED).exists()

    run = gradebox(course, "release")
    assert run.returncode == 0 and "hw released" in run.stdout, run.stderr
    (warning,) = [line for line in run.stdout.splitlines() if line.startswith("warning: ")]
    assert warning.startswith("warning: hw/hw, double-marked: it loses points with the judge alone")
    # What is as it was is not run again, and its warnings stay.
    kept = (course.root / CHECKED).read_bytes()
    assert lines(course, ["fine"], check=pytest.fail) is not None
    assert list(lines(course, ["fine", "hw"], check=pytest.fail)) == [warning.removeprefix("warning: ")]
    assert (course.root / CHECKED).read_bytes() == kept


def test_what_lies_beside_a_notebook_the_settings_and_the_templates_of_tests_count_as_changes(small):
    asked = []

    def changed(course: Course) -> list[str]:
        asked.clear()
        list(lines(course, ["hw"], lambda names: asked.extend(names) or []))
        return list(asked)

    assert gradebox(small, "check").returncode == 0
    assert changed(small) == []
    (small.root / "source" / "hw" / "data.csv").write_text("1\n")
    assert changed(small) == ["hw"]
    (small.root / "source" / "hw" / "data.csv").unlink()
    (small.root / "autotests.yml").write_text("python3:\n")
    assert changed(small) == ["hw"]
    (small.root / "autotests.yml").unlink()
    assert changed(small) == []
    assert changed(with_settings(small, "c.Execute.timeout = 77")) == ["hw"]
    (small.root / CHECKED).write_text('{"hw": ["made_of"]}')
    assert changed(Course(small.root)) == ["hw"]
    (small.root / CHECKED).write_text("[")
    assert changed(Course(small.root)) == ["hw"]


def test_what_could_not_be_checked_is_not_remembered(small):
    written(small, "hw", ("ends", "import os\nos._exit(0)"))
    run = gradebox(small, "check")
    assert run.returncode == 1 and "hw/hw can't be checked: in stock nbgrader, DeadKernelError" in run.stdout
    assert json.loads((small.root / CHECKED).read_text()) == {}
