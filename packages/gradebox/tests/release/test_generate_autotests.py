"""Of AUTOTEST lines a release makes the asserts that stock nbgrader makes, and grades by them."""

import shutil
from pathlib import Path

import nbformat
import psutil
import pytest
from helpers import cell, grade_id, gradebox, with_settings
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.converters import Autograde
from nbgrader.preprocessors import Execute

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.course import Course, CourseError
from gradebox.notebook_exercises import serialize_notebook
from gradebox.parity.run_check import run_check
from gradebox.release.generate_autotests import InstantiateTests, instantiate_tests
from gradebox.release.release_lessons import find_warnings, write_student_version

TEMPLATES = """\
python3:
    setup: "from hashlib import sha1"
    hash: 'sha1({{snippet}}.encode("utf-8")+b"{{salt}}").hexdigest()'
    dispatch: "type({{snippet}})"
    normalize: "str({{snippet}})"
    check: 'assert {{snippet}} == "{{value}}", "{{message}}"'
    success: "print('well done')"
    templates:
        default:
            - test: "{{snippet}}"
              fail: "{{snippet}} is something else"
        int:
            - test: "type({{snippet}})"
              fail: "{{snippet}} is no whole number"
            - test: "{{snippet}}"
              fail: "{{snippet}} is another number"
"""
SOLUTION = "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION"
WORDS = "word = None\n### BEGIN SOLUTION\nword = 'abc'\n### END SOLUTION"
HIDDEN = "three = 3\n### AUTOTEST double(2)\n### BEGIN HIDDEN TESTS\n### AUTOTEST double(three); [three]\n"
CELLS = [
    cell("solution", "double", SOLUTION),
    cell("test", "double-test", f"{HIDDEN}### END HIDDEN TESTS"),
    cell("solution", "word", WORDS),
    cell("test", "word-test", "### HASHED AUTOTEST word"),
    cell("test", "plain-test", "assert double(1) == 2"),
]
RIGHT = "def double(x):\n    return x + x"
ANSWERS = {
    "right": {"double": RIGHT, "word": "word = 'ab' + 'c'"},
    "wrong": {"double": "def double(x):\n    return 2.0 * x", "word": "word = 'abd'"},
    "half": {"double": "def double(x):\n    return 4 if x == 2 else 1", "word": "word = 'abc'"},
    # The judge has a name of that kind itself.
    "odd": {
        "double": "def sha1(text):\n    return text\ndef double(x):\n    return x * 2",
        "word": "word = ''",
    },
    "nothing": {},
}


def written(course: Course, cells: list, kernel: str = "python3") -> Course:
    """The course with a lesson of these cells, and nothing else."""
    kernelspec = {"kernelspec": {"name": kernel, "display_name": kernel}} if kernel else {}
    path = course.root / "source" / "hw" / "hw.ipynb"
    path.write_text(serialize_notebook(new_notebook(cells=cells, metadata=kernelspec)))
    return Course(course.root)


@pytest.fixture
def templated(small) -> Course:
    """A course with AUTOTEST lines, and what they are made of."""
    (small.root / "autotests.yml").write_text(TEMPLATES)
    # Stock nbgrader gives no second chances.
    return with_settings(written(small, CELLS), "c.Execute.second_chances = False")


def stock_course(course: Course) -> Course:
    """A copy with nothing of gradebox in its settings, released by nbgrader itself."""
    root = Path(shutil.copytree(course.root, course.root.with_name("stock")))
    (root / "gradebook.db").unlink(missing_ok=True)
    (root / "nbgrader_config.py").write_text("c = get_config()\n")
    return Course(root)


def hand_in_all(course: Course) -> None:
    for student, answers in ANSWERS.items():
        nb = nbformat.read(course.path("release", "hw") / "hw.ipynb", as_version=4)
        for one in nb.cells:
            one.source = answers.get(grade_id(one) or "", one.source)
        path = course.path("submitted", "hw", student) / "hw.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(serialize_notebook(nb))


def scores(course: Course) -> dict[str, dict[str, float]]:
    with course.gradebook() as gradebook:
        return {
            one.student.id: {grade.name: grade.auto_score for grade in one.notebooks[0].grades}
            for one in gradebook.find_assignment("hw").submissions
        }


def texts(path: Path) -> list[str]:
    return [one.source for one in nbformat.read(path, as_version=4).cells]


@pytest.mark.slow
def test_a_release_and_grades_are_those_of_stock_nbgrader(templated):
    stock = stock_course(templated)
    for course in (templated, stock):
        write_student_version(course, "hw")
        hand_in_all(course)
    ours, theirs = (course.path("release", "hw") / "hw.ipynb" for course in (templated, stock))
    assert texts(ours) == texts(theirs)
    shown = "\n".join(texts(ours))
    assert 'assert str(double(2)) == """4"""' in shown or 'assert str(double(2)) == "4"' in shown
    assert "double(three)" not in shown and "AUTOTEST" not in shown and "abc" not in shown
    outcomes = autograde_submissions(
        templated, list(find_submissions(templated, ["hw"], list(ANSWERS))), workers=2
    )
    assert [outcome.problem for outcome in outcomes] == [None] * len(ANSWERS)
    assert stock.convert(Autograde, "hw", "*") is None
    found = scores(templated)
    assert found == scores(stock)
    assert found["right"] == {"double-test": 2, "word-test": 2, "plain-test": 2}
    assert found["wrong"] == {"double-test": 0, "word-test": 0, "plain-test": 2}
    assert found["half"] == {"double-test": 0, "word-test": 2, "plain-test": 0}
    # nbgrader's own command, with gradebox's steps, too.
    for student in ANSWERS:
        assert templated.convert(Autograde, "hw", student) is None
    assert scores(templated) == found
    # And the lesson is the same when it is released again.
    write_student_version(templated, "hw")
    assert texts(ours) == texts(theirs)


def test_its_own_solutions_are_checked_by_the_tests_that_are_made(templated):
    (one,) = run_check(templated, ["hw"])
    assert one.findings == [] and one.problem is None and len(one.tests) == 3
    wrong = [*CELLS[:-1], cell("test", "plain-test", "x = [double]\n### AUTOTEST (x[0](3), id(x))")]
    (one,) = run_check(written(templated, wrong), ["hw"])
    # Such a number is another in each process.
    assert [finding.cell for finding in one.findings] == ["plain-test"]


def test_a_demonstration_that_such_a_line_needs_is_named_by_the_check(templated):
    shows = new_code_cell("numbers = [1, 2]", metadata={"tags": ["demonstration"]})
    needs = cell("test", "number-test", "### AUTOTEST numbers[0]")
    (checked,) = run_check(written(templated, [*CELLS, shows, needs]), ["hw"], quick=True)
    (line,) = (line for line in checked.lines if "number-test" in line)
    assert "only in gradebox, which skips demonstrations: NameError: name 'numbers' is not defined" in line


def children() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True)}


BROKEN = cell("solution", "half", "### BEGIN SOLUTION\nhalf = 1 / 0\n### END SOLUTION")
REFUSED = {
    "no templates": (CELLS, None, "python3", "double-test: AUTOTEST: no autotests.yml found"),
    "no kernel": (CELLS, TEMPLATES, "", "double-test: AUTOTEST: .* without a kernel name"),
    "other kernel": (CELLS, TEMPLATES, "julia-1.9", "double-test: AUTOTEST: .* the kernel 'julia-1.9'"),
    "not for this kernel": (CELLS, TEMPLATES.replace("python3", "ir"), "python3", "has no 'python3'"),
    "no YAML": (CELLS, "python3: [", "python3", "double-test: AUTOTEST: autotests.yml is not valid YAML: "),
    "empty": (CELLS, "", "python3", "double-test: AUTOTEST: autotests.yml is empty"),
    "a part is missing": (CELLS, TEMPLATES.replace("check:", "chock:"), "python3", "has no 'check'"),
    "no test": (
        [cell("given", "data", "x = 1\n### AUTOTEST x"), *CELLS],
        TEMPLATES,
        "python3",
        "data: AUTOTEST: only a cell with autograded points",
    ),
    "an error": ([BROKEN, *CELLS], TEMPLATES, "python3", "half: AUTOTEST: .*ZeroDivisionError"),
    "a name that nobody gives": (
        [*CELLS, cell("test", "last-test", "### AUTOTEST nothing")],
        TEMPLATES,
        "python3",
        "last-test: AUTOTEST: .*NameError: name 'nothing'",
    ),
}


@pytest.mark.parametrize("cells, templates, kernel, words", REFUSED.values(), ids=REFUSED)
def test_what_no_tests_can_be_made_of_is_refused_in_words_and_no_kernel_stays(
    small, cells, templates, kernel, words
):
    course, before = written(small, cells, kernel), children()
    if templates is not None:
        (course.root / "autotests.yml").write_text(templates)
    kept = (course.path("release", "hw") / "hw.ipynb").read_bytes()
    with pytest.raises(
        CourseError, match=f"^hw can't be released: hw/hw, (double-test: AUTOTEST: .*)?{words}"
    ) as refused:
        write_student_version(course, "hw")
    assert len(str(refused.value).splitlines()) == 1
    assert (course.path("release", "hw") / "hw.ipynb").read_bytes() == kept
    assert children() <= before


def test_the_command_says_it_in_one_sentence(small):
    run = gradebox(written(small, CELLS), "release")
    assert run.returncode == 1 and len(run.stderr.splitlines()) == 1
    assert "hw/hw, double-test: AUTOTEST: no autotests.yml found" in run.stderr


def test_a_notebook_without_such_lines_needs_no_kernel():
    step = InstantiateTests()
    plain = new_notebook(cells=[new_code_cell("a = 'AUTOTEST'"), new_code_cell("# a comment\n1 / 0")])
    plain.metadata["kernelspec"] = {"name": "there is no such kernel"}
    assert step.preprocess(plain, {})[0] is plain


def test_a_course_that_leaves_the_step_out_is_told_that_lines_stay_comments(templated):
    course = with_settings(
        templated, "c.GenerateAssignment.preprocessors.remove('gradebox.preprocessors.InstantiateTests')"
    )
    source = course.source("hw", "hw")
    assert instantiate_tests(course, "hw", "hw", source) is source
    assert [what for what in find_warnings(course, "hw") if "AUTOTEST lines stay comments" in what] == [
        f"hw/hw: {name}: AUTOTEST lines stay comments, because c.GenerateAssignment.preprocessors lacks "
        "InstantiateTests"
        for name in ("double-test", "word-test")
    ]


def test_stock_grading_of_what_was_made_needs_no_gradebox(templated):
    source = instantiate_tests(templated, "hw", "hw", templated.source("hw", "hw"))
    nb, _ = Execute()(source, {"metadata": {"path": str(templated.root)}})
    assert not [out for one in nb.cells for out in one.get("outputs", []) if out.output_type == "error"]
