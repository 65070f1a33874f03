"""`gradebox check` finds what is planted: tests that a solution or stock nbgrader has trouble with."""

import io
import re
from pathlib import Path

import pytest
from helpers import IMPATIENT, cell, contained, gradebox, small_lesson, with_settings, write_notebook
from nbformat.v4 import new_markdown_cell
from rich.console import Console

from gradebox.course import Course
from gradebox.kernel.interpreter import OWN_INTERPRETER
from gradebox.parity.parity_report import has_failures, render_check_report, summarize_check
from gradebox.parity.parity_results import CheckFinding, GraderResult, NotebookCheck, diagnose_loss
from gradebox.parity.run_check import run_check

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
def planted(small_released, tmp_path_factory) -> list[NotebookCheck]:
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
    return run_check(course, course.assignments)


def found(planted: list[NotebookCheck]) -> dict[str, CheckFinding]:
    return {finding.cell: finding for one in planted for finding in one.findings}


def test_what_gives_all_points_in_both_graders_is_not_named(planted):
    assert found(planted).keys() == {
        *("double-noisy", "double-wrong", "double-above", "double-part", "ends", "stays")
    }
    assert [len(one.tests) for one in planted] == [7, 1, 2, 0]


def points(finding: CheckFinding) -> tuple:
    return finding.graded, finding.stock, finding.maximum


def test_a_test_that_the_judge_can_not_run_is_listed_with_the_reason_and_loses_nothing(planted):
    in_process = planted[0].in_process
    assert in_process.keys() == {"double-marked", "double-eval"}
    assert "AttributeError" in in_process["double-marked"]


def test_text_on_stderr_is_a_difference_that_is_meant(planted):
    one = found(planted)["double-noisy"]
    assert points(one) == (2, 0, 2) and one.why.acknowledged
    assert (one.assignment, one.notebook, one.number) == ("hw", "hw", "1.1")
    assert "stderr" in one.why.reason and "none in gradebox" in one.why.reason


def test_a_solution_that_loses_points_everywhere_is_named_with_what_its_test_says(planted):
    wrong, part = found(planted)["double-wrong"], found(planted)["double-part"]
    assert points(wrong) == (0, 0, 2)
    assert wrong.why.reason.endswith("in stock nbgrader: AssertionError: no five")
    assert points(part) == (1, 1, 2) and part.why.reason.endswith("the last line gives 1 of 2 points")
    assert not wrong.why.acknowledged and not part.why.acknowledged


def test_more_than_all_points_is_named(planted):
    one = found(planted)["double-above"]
    assert (
        points(one) == (None, None, 2)
        and "its last line gives 3, which is not from 0 to 2 points" in one.why.reason
    )


def test_a_cell_that_does_not_end_and_a_notebook_that_can_not_be_run_stop_no_other(planted):
    _, first, second, third = planted
    assert not first.findings and first.problem is None
    assert "the test ended the Python process" in found(planted)["ends"].why.reason
    assert "the test did not end in time" in found(planted)["stays"].why.reason
    assert second.problem and second.problem.startswith("in stock nbgrader, DeadKernelError")
    assert third.problem and "source/more/third.ipynb can't be read as a notebook" in third.problem


def shown(checked: list[NotebookCheck], width: int) -> str:
    file = io.StringIO()
    Console(width=width, file=file).print(render_check_report(checked))
    return file.getvalue()


def test_a_solution_that_uses_more_than_half_of_a_time_limit_is_named(planted):
    hw, first, second, _ = planted
    assert not hw.near_limits and not first.near_limits
    assert re.fullmatch(
        r"stays took \d+ of its 4 seconds \(`c.Execute.timeout_func`\)", second.near_limits[0]
    )
    text = " ".join(shown(planted, 200).split())
    assert f"more/second is near a limit that ends students' cells: {second.near_limits[0]}" in text


@pytest.mark.parametrize("width", [48, 80, 140])
def test_the_table_folds_and_is_never_cut(planted, width):
    text = shown(planted, width)
    assert "…" not in text and max(map(len, text.splitlines())) <= width
    # Without the lines between, every word is there.
    words = re.sub(r"[│┃\s]", "", text)
    for finding in found(planted).values():
        for part in (finding.cell, *finding.why.reason.split(), *finding.why.advice.split()):
            assert all(piece in words for piece in re.findall(r"\w{1,3}", part)), part
    assert "2 tests run in the student's process" in " ".join(text.split())


def test_the_last_sentence_says_what_there_is_to_do(planted):
    assert has_failures(planted)
    said = "Of 10 tests, 5 need attention, and 2 notebooks can't be checked."
    assert summarize_check(planted).plain == said
    of_hw = NotebookCheck("hw", "hw", {"a": 1, "b": 1}, findings=[found(planted)["double-noisy"]])
    assert not has_failures([of_hw]) and not has_failures([])
    assert summarize_check([NotebookCheck("hw", "hw")]).plain == "No tests to check."
    assert summarize_check([of_hw]).plain == (
        "2 tests checked: the source's own solutions get all points; "
        "1 has fewer in stock nbgrader, as intended."
    )


@pytest.mark.parametrize(
    "graded, stock, words",
    [
        (GraderResult(0, "E: e"), GraderResult(2), "only in gradebox: E: e"),
        (GraderResult(2), GraderResult(0, "E: e"), "in stock nbgrader: E: e"),
        (GraderResult(1), GraderResult(0, noisy=True), "; in stock nbgrader, the test writes to stderr"),
        (GraderResult(0, "E: e"), GraderResult(0, "F: f"), "in gradebox, E: e; in stock nbgrader, F: f"),
        (GraderResult(1), None, "loses points: the last line gives 1 of 2 points"),
    ],
)
def test_every_other_difference_has_its_reason_too(graded, stock, words):
    why = diagnose_loss(graded, stock, 2)
    assert why and words in why.reason and not why.acknowledged
    assert (
        diagnose_loss(GraderResult(2), GraderResult(2), 2) is None
        and diagnose_loss(GraderResult(2), None, 2) is None
    )


@contained
def test_each_loss_has_its_true_cause_and_a_useful_number(small):
    """And the command reports each step, and prints nothing of Python's."""
    course, outside = empty(small), course_file(small)
    folder = course.root / "source" / "hw"
    cells = [new_markdown_cell("# 1 Part\n\n## 1.1 Twice"), cell("solution", "double", SOLUTION)]
    cells += [cell("test", "indented", "if True:\n        x = 1\n    y = 2\nassert double(2) == 4")]
    cells += [cell("solution", "half", SOLUTION.replace("double", "half").replace("2 * x", "x / 2"))]
    cells += [cell("test", "refused", "import socket\nsocket.create_connection(('127.0.0.1', 9))")]
    cells += [new_markdown_cell("## 1.2 Servers"), cell("solution", "third", "third = 3")]
    cells += [cell("test", "served", "import socket\nsocket.socket().bind(('127.0.0.1', 0))")]
    cells += [new_markdown_cell("# Exercise"), cell("test", "outside", f"open({str(outside)!r}).close()")]
    write_notebook(folder / "hw.ipynb", cells)
    (one,) = run_check(course, ["hw"])
    assert {finding.cell: (finding.number, finding.why.reason) for finding in one.findings} == {
        "indented": ("indented", BOTH.format(INDENTED)),
        "refused": ("refused", f"{LOST}: in gradebox, {NO_SOCKET}; in stock nbgrader, {REFUSED}"),
        "served": ("1.2", f"{LOST} only in gradebox's sandbox: {NO_SOCKET}"),
        "outside": ("outside", f"{LOST} only in gradebox's sandbox: {MISSING.format(str(outside))}"),
    }
    advice = {finding.cell: finding.why.advice for finding in one.findings}
    assert "no network" in advice["served"] and "only the files" in advice["outside"]
    assert advice["refused"] == advice["indented"] == "fix the solution or the test"
    run = gradebox(course, "check")
    assert "Traceback" not in run.stdout + run.stderr and "IndentationError" not in run.stderr
    steps = [line for line in run.stderr.splitlines() if "(step " in line]
    assert steps == ["hw/hw prepared (step 1 of 2)", "hw/hw checked (step 2 of 2)"]


LOST = "the source's own solution loses points"
BOTH = f"{LOST} in gradebox and in stock nbgrader: {{}}"
INDENTED = "IndentationError: unindent does not match any outer indentation level (<tokenize>, line 3)"
NO_SOCKET = "OSError: [Errno 95] Operation not supported"
REFUSED = "ConnectionRefusedError: [Errno 111] Connection refused"
MISSING = "FileNotFoundError: [Errno 2] No such file or directory: '{}'"


def course_file(course: Course) -> Path:
    """A file of the course that no submission sees."""
    path = course.root / "private.txt"
    path.write_text("private")
    return path


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
        "hw/hw: 1 test runs in the student's process, 2 of 4 points: student code can read and change them",
        "double-unjudged: it has the tag unjudged",
        f"ran in {OWN_INTERPRETER}",
        "2 tests checked: the source's own solutions get all points.",
    ]
    # A long path of the interpreter is wrapped.
    assert "".join(run.stdout.split()) == "".join(" ".join(wanted).split())
    instead = gradebox(small, "audit")
    assert instead.returncode == 0
    first, _, rest = instead.stdout.partition("\n")
    assert "No answers to audit: the reference solutions in source/ are checked instead" in first
    assert "".join(rest.split()) == "".join(" ".join(wanted).split())
    assert "no answers to 'double' found" in gradebox(small, "audit", "--exercise", "double").stderr


def test_a_release_warns_and_is_never_stopped_by_it(small):
    course = empty(small)
    written(course, "fine", ("fine-test", "assert double(1) == 2"))
    written(course, "hw", ("double-part", "1"), ("double-noisy", "import sys; print(1, file=sys.stderr)"))
    run = gradebox(course, "release", "--no-check")
    assert run.returncode == 0 and "warning" not in run.stdout
    # What has not changed since is not run again.
    assert "warning" not in gradebox(course, "release").stdout
    written(
        course, "hw", ("double-part", "1  # of 2"), ("double-noisy", "import sys; print(1, file=sys.stderr)")
    )
    run = gradebox(course, "release")
    assert run.returncode == 0 and "hw released" in run.stdout, run.stderr
    (warning,) = [line for line in run.stdout.splitlines() if line.startswith("warning: ")]
    assert warning.startswith("warning: hw/hw, double-part: the source's own solution loses points")


def test_a_notebook_that_can_not_be_run_has_its_reason(small):
    written(small, "hw", ("ends", "import os\nos._exit(0)"))
    run = gradebox(small, "check")
    assert run.returncode == 1 and "hw/hw can't be checked: in stock nbgrader, DeadKernelError" in run.stdout
