"""Pages for students say what the tests said, and nothing that would give a hidden test away."""

import html
import json
import re
import shutil
from pathlib import Path

import pytest
from helpers import (
    LESSON,
    cell,
    grade,
    grade_id,
    gradebox,
    hand_in,
    hidden_from,
    notebook,
    sample,
    sample_solved,
    score_cells,
    small_lesson,
    solves,
    write_notebook,
)
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbgrader.converters import GenerateFeedback
from nbgrader.server_extensions import formgrader

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.check_engine.explain_errors import MEANINGS
from gradebox.course import Course
from gradebox.judge.code_run_in_kernels import SUBMISSION_ERROR_NOTE
from gradebox.notebook_exercises import find_graded_cells, insert_answers
from gradebox.release.release_lessons import write_student_version
from gradebox.reports.redact_failures import find_test_message

# What it leaks is nowhere in its text.
LEAKS = "def entropy(weights):\n    mark = 'lea' + f'ked{{weights.size}}'\n    {}\n    return 0 * weights"


@pytest.fixture(scope="module")
def page_of(class_room):
    """Grades a notebook, and gives the text of its student's page and the graded copy."""

    def page(student: str, nb):
        grade(class_room, LESSON, student, nb)
        assert class_room.convert(GenerateFeedback, LESSON, student) is None
        (path,) = class_room.path("feedback", LESSON, student).glob("*.html")
        text = html.unescape(re.sub(r"<[^>]*>", "", path.read_text(encoding="utf-8")))
        return text, notebook("autograded", LESSON, class_room.root, student)

    return page


def secrets() -> set[str]:
    """The lines that only the instructor's notebook has."""
    public = "\n".join(cell.source for cell in sample("release").cells)
    found = set()
    for test in score_cells(sample("source")).values():
        found |= set(map(str.strip, test.source.splitlines()[hidden_from(test.source) :]))
    return {line for line in found if len(line) > 20 and line not in public and not line.startswith("### ")}


def test_the_page_has_points_and_messages_and_no_hidden_line(page_of):
    wrong = {
        "weights": "def weights(A, B):\n    return shares(A @ B.T / A.shape[1])",
        "entropy": "def entropy(weights):\n    return 1 / 0",
        "shares": "def shares(numbers, axis=-1):\n    e = np.exp(numbers)\n    return e / e.sum(axis)",
    }
    text, graded = page_of("wrong", insert_answers(sample_solved(), wrong))
    assert "divided by d, not by its root" in text
    assert "Your code stopped with ZeroDivisionError when the test called it." in text
    assert "in line 2 of entropy: return 1 / 0" in text
    assert not [line for line in secrets() if line in text] and "MARK SCHEME" not in text
    assert "Traceback (most" not in text and "proxies.py" not in text
    # The graded copy has it all.
    everything = "\n".join(cell.source for cell in graded.cells)
    assert all(line in everything for line in secrets())


@pytest.mark.parametrize(
    "way",
    [
        "print(mark)",
        "raise ValueError(mark)",
        "raise type(mark, (Exception,), {})()",
        "globals().setdefault('seen', []).append(mark)",
    ],
    ids=["print", "message", "class", "later"],
)
def test_what_a_test_has_passed_is_not_on_the_page(page_of, way, request):
    nb = insert_answers(sample_solved(), {"entropy": LEAKS.format(way)})
    nb.cells.append(new_code_cell("print(globals().get('seen'))"))
    text, graded = page_of(f"leak-{request.node.callspec.id}", nb)
    printed = str([cell.outputs for cell in graded.cells if cell.cell_type == "code"])
    assert "leaked" in printed and "leaked" not in text


def test_the_students_own_cells_show_what_was_handed_in(page_of):
    nb = sample_solved()
    mine = new_code_cell("print('as handed ' + 'in')")
    mine.outputs = [
        new_output("stream", text="shown to the student\n"),
        new_output("display_data", data={"text/html": "<script>alert(1)</script>", "text/plain": "a table"}),
    ]
    broken = new_code_cell("import no_such_library")
    nb.cells += [mine, broken]
    text, _ = page_of("own", nb)
    assert "shown to the student" in text and "a table" in text and "alert(1)" not in text
    assert "During grading, this cell stopped with ModuleNotFoundError." in text


SCRIPTS = [
    "hello <script>alert('one')</script>",
    "<img src=x onerror=\"alert('two')\">",
    "<iframe src='javascript:alert(3)'></iframe> [link](javascript:alert(4))",
]


def test_a_page_has_no_script_of_a_students_and_neither_has_formgrader(page_of, class_room):
    nb = sample_solved()
    nb.cells += [new_markdown_cell(text) for text in SCRIPTS]
    show = (
        "from IPython.display import HTML, Javascript, display\ndisplay(HTML({!r}), Javascript('alert(5)'))"
    )
    nb.cells += [new_code_cell(show.format(text)) for text in SCRIPTS]
    page_of("scripts", nb)
    (page,) = class_room.path("feedback", LESSON, "scripts").glob("*.html")
    (copy,) = class_room.path("autograded", LESSON, "scripts").glob("*.ipynb")
    exporter = HTMLExporter(
        config=class_room.app.config,
        template_name="formgrade",
        extra_template_basedirs=[str(Path(formgrader.__file__).parent / "templates")],
    )
    names = ("assignment_id", "notebook_id", "submission_id", "base_url", "mathjax_url", "my_mathjax_url")
    names += ("last_name", "first_name", "notebook_path", "keyword_defaults")
    resources = dict.fromkeys(names, "") | {"index": 0, "total": 1}
    seen = exporter.from_filename(str(copy), resources=resources)[0]
    for text in (page.read_text(encoding="utf-8"), seen):
        assert "hello" in text
        for tag in re.findall(r"<[^>]*alert[^>]*>|<script[^>]*>[^<]*alert\(", text):
            assert "onerror" not in tag and "script" not in tag, tag


def test_odd_outputs_and_endless_text_cost_a_page_nothing(page_of, class_room):
    nb = sample_solved()
    odd = new_code_cell("odd = 1")
    odd.outputs = [
        NotebookNode(output_type="error", traceback=5),
        NotebookNode(output_type="display_data", data={"image/png": 7}),
        NotebookNode(output_type="stream", name=[], text={"a": 1}),
        new_output("stream", text="\x1b[31mx" * 200_000),
    ]
    nb.cells += [odd, new_markdown_cell("\\begin{a} " * 100_000), new_code_cell("# ### BEGIN " * 50_000)]
    nb.cells += [new_markdown_cell(f"x{number}" + "[" * 19_900) for number in range(6)]
    brackets = new_code_cell("display(Markdown('[' * 9_000))")
    brackets.outputs = [new_output("display_data", {"text/markdown": "y" + "[" * 9_000})]
    nb.cells.append(brackets)
    path = hand_in(class_room, LESSON, "odd", sample_solved())
    path.write_text(json.dumps(nb))
    (outcome,) = autograde_submissions(class_room, list(find_submissions(class_room, [LESSON], ["odd"])))
    assert outcome.problem is None
    assert class_room.convert(GenerateFeedback, LESSON, "odd") is None
    (page,) = class_room.path("feedback", LESSON, "odd").glob("*.html")
    text = page.read_text(encoding="utf-8")
    assert "[the rest is left out here]" in text
    # Shown as written, and complete.
    for shown in (*(f"x{number}" + "[" * 19_900 for number in range(6)), "y" + "[" * 9_000):
        assert f"<pre><code>{shown}" in text
    assert text.count("\\begin{a} ") == 100_000


# What a hidden assert says in two parts

TWO_PARTS = """def check(got, want):
    assert np.array_equal(got, want), f"on a larger input, other numbers\\nexpected {want} but got {got}"
assert double(2) == 4, f"seen\\nexpected 4 but got {double(2)}"
### BEGIN HIDDEN TESTS
secret = 271828
check(double(secret), 2 * secret)
np.testing.assert_array_equal(double(-secret), -2 * secret)
float(double(secret + 1))
assert double(0) == secret, secret
### END HIDDEN TESTS
assert double(5) == 10, f"seen again\\nexpected 10 but got {double(5)}"
"""
ON_THE_PAGE = {
    "return 3": "seen\nexpected 4 but got 3",
    "return 4 if x == 2 else 98765": "on a larger input, other numbers",
    "return 2 * x if x > 0 else 98765": "Arrays are not equal",
    "return 2 * x if abs(x) != 271829 else 'x98765'": "The test stopped with ValueError.",
    "return 2 * x if x else 0": "271828",
    "return 2 * x if x else 271828": None,
    "return (2 * x if x != 5 else 98765) if x else 271828": "seen again\nexpected 10 but got 98765",
}


@pytest.fixture(scope="module")
def in_two_parts(small_released, tmp_path_factory) -> Course:
    """A course whose test says things in two parts, with a student for each answer of `ON_THE_PAGE`."""
    root = tmp_path_factory.mktemp("parts") / "course"
    cells = [cell("given", "imports", "import numpy as np"), *small_lesson()[:1]]
    cells.append(cell("test", "double-test", TWO_PARTS))
    write_notebook(root / "source" / "hw" / "hw.ipynb", cells)
    shutil.copy(small_released / "nbgrader_config.py", root)
    course = Course(root)
    write_student_version(course, "hw")
    for number, answer in enumerate(ON_THE_PAGE):
        solves(course, f"student{number}", double=f"def double(x):\n    {answer}")
    assert gradebox(course, "autograde").returncode == 0
    assert gradebox(course, "feedback").returncode == 0
    return course


@pytest.mark.parametrize("number, said", list(enumerate(ON_THE_PAGE.values())))
def test_of_a_hidden_assert_the_page_shows_the_first_line_only(in_two_parts, number, said):
    student = f"student{number}"
    (page,) = in_two_parts.path("feedback", "hw", student).glob("*.html")
    text = html.unescape(re.sub(r"<[^>]*>", "", page.read_text(encoding="utf-8")))
    assert said is None or said in text
    assert "98765" not in text.replace(said or "", "").replace(solution_of(in_two_parts, student), "")
    assert said == "271828" or "271828" not in text.replace(solution_of(in_two_parts, student), "")
    # Instructors see all of it.
    (test,) = score_cells(notebook("autograded", "hw", in_two_parts.root, student)).values()
    assert ("Error" in str(test.outputs)) == (said is not None)
    assert said != "on a larger input, other numbers" or "expected 543656 but got 98765" in str(test.outputs)


def solution_of(course: Course, student: str) -> str:
    cells = notebook("submitted", "hw", course.root, student).cells
    return next(cell.source for cell in cells if grade_id(cell) == "double")


@pytest.mark.parametrize(
    ("ename", "evalue", "words"),
    [
        ("NotImplementedError", "", "This is not written yet: your code stopped with NotImplementedError."),
        (
            "AssertionError",
            "4 tokens: NotImplementedError: \ncalled with X (4, 2)",
            "This is not written yet",
        ),
        ("AssertionError", "4 tokens: KeyError: 'secret'", "stopped with KeyError when"),
        ("AssertionError", "zeros: your test stopped with NotImplementedError: ", "This is not written yet"),
        ("AssertionError", "4 tokens: Secret: x", "stopped with AssertionError when"),
        ("AssertionError", "secret", "stopped with AssertionError when"),
        ("Secret", "4 tokens: KeyError: x", "stopped with a custom error when"),
    ],
)
def test_the_error_of_a_students_is_named_if_it_is_pythons_and_nothing_else_of_it_is(ename, evalue, words):
    test = new_code_cell("check()", metadata={"gradebox": {"ended": "failed"}})
    test.outputs = [
        new_output("error", ename=ename, evalue=evalue, traceback=[f"{SUBMISSION_ERROR_NOTE} secret"])
    ]
    said = find_test_message(test, set(), new_notebook())
    assert words in said and "secret" not in said.lower()


def test_the_line_of_an_error_is_the_submissions_own_or_left_out():
    """The student's process writes the traceback, so its text could be a hidden input."""
    code = ["import math\ndef f(x):\n    return x[y]  # short", "secret = 1"]
    test = cell("test", "test", "\ndef f(x): 0\n\nsecret = 2")
    copy = new_notebook(cells=[*map(new_code_cell, code), test])

    def said(frames: str, hidden: set[int], advice: str = "secret") -> str:
        test = new_code_cell("check()", metadata={"gradebox": {"ended": "failed"}})
        trace = f"{SUBMISSION_ERROR_NOTE}\n{frames}"
        message = f"a: NameError: y\n{advice}"
        test.outputs = [new_output("error", ename="AssertionError", evalue=message, traceback=[trace])]
        return find_test_message(test, hidden, copy).partition("\n")[2]

    frame = '  File "<ipython-input-3>", line {}, in {}\n    {}\n'.format
    own = frame(3, "f", "return x[y]  # short")
    assert said(own, set()) == "in line 3 of f: return x[y]  # short"
    assert said(own, set(), MEANINGS["KeyError"]).endswith(f"short\n{MEANINGS['KeyError']}")
    # Lines of libraries follow.
    assert said(own + frame(3, "inner", "raise secret"), set()) == "in line 3 of f: return x[y]  # short"
    for forged in ((3, "f", "secret"), (4, "f", "secret = 2"), (1, "secret", "secret = 1")):
        assert said(frame(*forged), set(), MEANINGS["KeyError"]) == ""
    # A hidden line may have failed.
    assert said(own, {1}, MEANINGS["KeyError"]) == ""


def test_a_copy_that_nbgrader_alone_has_graded_tells_no_hidden_number():
    lines = "assert True", "### BEGIN HIDDEN TESTS", "assert f(7) == 49", "### END HIDDEN TESTS"
    test = new_code_cell("\n".join(lines), execution_count=3)
    trace = ["Cell In[3], line 3"]
    test.outputs = [
        new_output("error", ename="AssertionError", evalue="wrong on squares\n49", traceback=trace)
    ]
    assert find_test_message(test, {2, 3, 4}, new_notebook()) == "wrong on squares"
    test.outputs = [new_output("error", ename="KeyError", evalue="'hidden key 49'", traceback=trace)]
    assert find_test_message(test, {2, 3, 4}, new_notebook()) == "The test stopped with KeyError."


def test_a_headline_of_a_mark_scheme_numbers_no_exercise():
    scheme = "## 1.10 Why?\n\n### BEGIN MARK SCHEME\n### 0.5 points: only says it\n### END MARK SCHEME"
    cells = [cell("question", "why", scheme), cell("test", "next", "assert True")]
    found = find_graded_cells(new_notebook(cells=cells), "nb")
    assert [(one.number, one.title) for one in found] == [("1.10", "Why?")] * 2


def test_a_section_ends_at_the_next_heading_of_its_level():
    texts = {
        "a": "## 1.1 One",
        "b": "```\n# a comment\n```\n### Hints",
        "c": "## Q2. Two",
        "d": "## 1.2 Three",
    }
    cells = [
        one
        for name, text in {**texts, "e": "# More"}.items()
        for one in (new_markdown_cell(text), cell("test", name, "assert True"))
    ]
    found = find_graded_cells(new_notebook(cells=cells), "nb")
    assert [one.number for one in found] == ["1.1", "1.1", "c", "1.2", "e"]
