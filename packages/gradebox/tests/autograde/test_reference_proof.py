"""Nobody is graded where the lesson's own reference solution fails."""

import json
import shutil
import sys

import pytest
from helpers import cell, gradebox, notebook, run_in, score_cells, with_settings, write_notebook
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.converters import Autograde
from nbgrader.preprocessors import ClearSolutions

from gradebox.autograde import reference_proof
from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.autograde.grading_job import run_job
from gradebox.autograde.reference_proof import PROOFS_FILE, prove_references
from gradebox.autograde.reference_submission import find_unsolved_exercises
from gradebox.autograde.steps_around_execution import Around
from gradebox.course import Course
from gradebox.release.release_lessons import write_student_version
from gradebox.reports.redact_failures import NOT_SCORED_MESSAGE, find_test_message

REQUIRE = "c.Execute.require_reference = True"


def solution(name: str, body: str) -> NotebookNode:
    text = f"def {name}(x):\n    ### BEGIN SOLUTION\n    {body}\n    ### END SOLUTION"
    return cell("solution", name, text)


def check(name: str, expected: int) -> NotebookNode:
    return cell("test", f"{name}-test", f"assert {name}(2) == {expected}, 'not {expected}'")


def tagged(text: str) -> NotebookNode:
    new = new_code_cell(text)
    new.metadata["tags"] = ["raises-exception"]
    return new


MISSING = "import seaborn_of_nobody"
LESSONS = {
    # An error on purpose.
    "right": [solution("a", "return 2 * x"), tagged("1 / 0"), check("a", 4)],
    # From `b` on, nothing is required.
    "unsolved": [
        *(solution("a", "return 2 * x"), check("a", 4)),
        *(solution("b", "raise NotImplementedError()"), check("b", 4)),
        *(new_code_cell("b(2)"), solution("c", "return b(x)"), check("c", 4)),
    ],
    "library": [
        cell("given", "imports", MISSING),
        *(solution("a", "return seaborn_of_nobody.twice(x)"), check("a", 4)),
        *(solution("b", "return 3"), check("b", 3)),
    ],
    "wrong": [
        new_markdown_cell("## 1.2 Twice"),
        *(solution("a", "return 3 * x"), check("a", 4), solution("b", "return 1 * x"), check("b", 2)),
        *(solution("c", "return a(x)"), check("c", 4)),
    ],
    "demonstration": [solution("a", "return 2 * x"), new_code_cell("1 / 0"), check("a", 4)],
}
REASONS = {
    "library": "gets 0 of 2 points in `a-test`: seaborn_of_nobody is not installed here: pip install "
    "seaborn_of_nobody",
    "wrong": "gets 0 of 2 points in `a-test` (exercise 1.2) and fails 1 more test: AssertionError: not 4",
    "demonstration": "fails in cell 2 of demonstration.ipynb: ZeroDivisionError: division by zero",
}
SENTENCES = {
    name: f"{name} is not graded: its own reference solution {what}" for name, what in REASONS.items()
}


@pytest.fixture(scope="module")
def lessons(small_released, tmp_path_factory) -> Course:
    """A course whose references can and can't be graded here; ann hands them in, and bob empty notebooks."""
    root = tmp_path_factory.mktemp("lessons") / "course"
    root.mkdir()
    shutil.copy(small_released / "nbgrader_config.py", root)
    course = with_settings(Course(root), REQUIRE)
    for name, cells in LESSONS.items():
        source = write_notebook(root / "source" / name / f"{name}.ipynb", cells)
        write_student_version(course, name)
        for student, path in (("ann", source), ("bob", root / "release" / name / source.name)):
            folder = root / "submitted" / student / name
            folder.mkdir(parents=True)
            shutil.copy(path, folder)
    return Course(root)


@pytest.fixture(scope="module")
def refused(lessons):
    """The first run: what it printed, what was refused, and what the gradebook has afterwards."""
    run = gradebox(lessons, "autograde")
    found = json.loads((lessons.root / "incidents.json").read_text())
    return run, found, {name: grades(lessons, name) for name in LESSONS}


@pytest.fixture(scope="module")
def forced(lessons, refused):
    """The run with --anyway, after the first one."""
    run = gradebox(lessons, "autograde", "--anyway")
    return run, json.loads((lessons.root / "incidents.json").read_text())


def grades(course: Course, lesson: str) -> dict[tuple[str, str], tuple[float | None, bool]]:
    """The points of tests, and whether they wait for a person, by student and cell."""
    with course.gradebook() as gradebook:
        return {
            (submission.student_id, grade.name): (grade.auto_score, grade.needs_manual_grade)
            for submission in gradebook.assignment_submissions(lesson)
            for notebook in submission.notebooks
            for grade in notebook.grades
            if grade.name.endswith("-test")
        }


def grade(course: Course, lesson: str, **options) -> dict:
    """Grade a lesson in this process. Returns the outcomes by student."""
    submissions = list(find_submissions(course, [lesson], ["ann", "bob"]))
    return {one.submission.student: one for one in autograde_submissions(course, submissions, **options)}


def test_one_sentence_names_the_test_and_the_cause_and_nobody_is_graded(refused):
    run, incidents, found = refused
    assert run.returncode == 1
    lines = run.stdout.splitlines()
    assert lines[-len(SENTENCES) :] == [SENTENCES[name] for name in sorted(SENTENCES)]
    assert (
        "With `gradebox autograde --anyway`," in lines[-len(SENTENCES) - 1] and "NOT GRADED" not in run.stdout
    )
    assert {one["assignment"]: one["what"] for one in incidents if one["kind"] == "not graded"} == SENTENCES
    assert not any(found[name] for name in SENTENCES)


def test_other_lessons_are_graded_without_an_incident(refused):
    _, incidents, found = refused
    assert {one["assignment"] for one in incidents} == SENTENCES.keys()
    full, none = (2, False), (0, False)
    assert found["right"] == {("ann", "a-test"): full, ("bob", "a-test"): none}
    assert [found["unsolved"]["ann", f"{name}-test"] for name in "abc"] == [full, none, none]


@pytest.mark.parametrize(
    ("text", "solved"),
    [
        ("def f(x):\n    ### BEGIN SOLUTION\n    return x\n    ### END SOLUTION", True),
        ("### BEGIN SOLUTION\n!ls\n### END SOLUTION", True),
        ("f <- function(x) x", True),
        ("limit = 3", True),
        (
            "def f(x):\n    ### BEGIN SOLUTION\n    # Later.\n    pass\n    ### END SOLUTION\n    return x",
            False,
        ),
        ('def f(x):\n    "Twice."\n    raise NotImplementedError("later")', False),
        ("class F:\n    def f(self):\n        ...", False),
        ("# YOUR CODE HERE", False),
        ("", False),
    ],
)
def test_a_stub_is_no_solution(text, solved):
    source = new_notebook(cells=[cell("solution", "f", text)])
    assert find_unsolved_exercises(source, ClearSolutions()) == (set() if solved else {"f"})


def test_anyway_leaves_the_tests_that_the_reference_fails_to_a_person(lessons, forced):
    run, incidents = forced
    assert run.returncode == 0 and "All submissions are graded." in run.stdout
    waits, full, none = (None, True), (2, False), (0, False)
    assert grades(lessons, "library") == {
        **{("ann", "a-test"): waits, ("ann", "b-test"): full},
        **{("bob", "a-test"): waits, ("bob", "b-test"): none},
    }
    marked = {
        (one["student"], one["cell"]): one["what"]
        for one in incidents
        if one["kind"] == "reference fails" and one["assignment"] == "library"
    }
    assert marked.keys() == {("ann", "a-test"), ("bob", "a-test")}
    assert "too: seaborn_of_nobody is not installed here: pip install" in marked["ann", "a-test"]
    wrong = grades(lessons, "wrong")
    assert wrong["ann", "a-test"] == wrong["ann", "c-test"] == waits and wrong["ann", "b-test"] == full
    # No test fails there.
    assert grades(lessons, "demonstration")["ann", "a-test"] == full


def test_students_read_that_the_test_could_not_be_scored(lessons, forced):
    copy = notebook("autograded", "library", lessons.root, "bob")
    messages = {name: find_test_message(test, set(), copy) for name, test in score_cells(copy).items()}
    assert messages["a-test"] == NOT_SCORED_MESSAGE and "NotImplementedError" in messages["b-test"]


def test_nbgraders_own_command_refuses_with_the_same_sentence(lessons, forced):
    before = grades(lessons, "library")
    said = run_in(lessons.root, "nbgrader", "autograde", "library", "--force", status=1)
    assert said.count(f"{SENTENCES['library']}; set c.Execute.require_reference = False") >= 2
    assert grades(lessons, "library") == before
    assert lessons.convert(Autograde, "right", "*") is None


def test_once_the_reference_is_right_everybody_is_graded_again(lessons, forced):
    write_notebook(
        lessons.root / "source" / "wrong" / "wrong.ipynb",
        [
            *(solution("a", "return 2 * x"), check("a", 4), solution("b", "return 1 * x"), check("b", 2)),
            *(solution("c", "return a(x)"), check("c", 4)),
        ],
    )
    outcomes = grade(Course(lessons.root), "wrong")
    assert all(outcome.graded and not outcome.incidents for outcome in outcomes.values())
    # Ann's answer is as wrong as the reference was.
    assert {*grades(lessons, "wrong").values()} == {(0, False), (2, False)}


def test_a_proof_is_repeated_after_a_change_of_settings_lesson_or_environment(small, tmp_path, monkeypatch):
    small = with_settings(small, REQUIRE)
    runs: list[str] = []

    def run(job: bytes) -> bytes:
        runs.append("hw")
        return run_job(job)

    def is_proven_again() -> bool:
        runs.clear()
        course = Course(small.root)
        (proof,) = prove_references(course, Around(course), ["hw"], run).values() or [None]
        assert proof is None or proof.problem is None
        return bool(runs)

    assert is_proven_again() and not is_proven_again()
    assert len(json.loads((small.root / PROOFS_FILE).read_text())) == 1
    with_settings(small, "c.Execute.timeout = 40")
    assert is_proven_again() and not is_proven_again()
    path = small.root / "source" / "hw" / "hw.ipynb"
    path.write_text(path.read_text().replace("return 2 * x", "return x + x"))
    assert is_proven_again() and not is_proven_again()
    (tmp_path / "site" / "new_library-1.0.dist-info").mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "site")])
    reference_proof.list_environment.cache_clear()
    assert is_proven_again() and not is_proven_again()
    # What is broken or gone is a reason to run it.
    (small.root / PROOFS_FILE).write_text("[")
    assert is_proven_again() and not is_proven_again()
    with_settings(small, "c.Execute.require_reference = False")
    (small.root / PROOFS_FILE).unlink()
    assert not is_proven_again()
