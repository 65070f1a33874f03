"""Cells for a student's eyes are not run to grade, if nobody's points can depend on them."""

from copy import deepcopy

import pytest
from helpers import LESSON, cell, gradebox, hand_in, notebook, sample, with_settings, write_notebook
from nbformat.v4 import new_code_cell, new_notebook, new_output
from traitlets.config import Config

from gradebox.autograde.restore_outputs import MAX_OUTPUT_CHARACTERS, copy_code_cells, restore_outputs
from gradebox.course import Course, CourseError
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.lesson import ExecutionInputs, Lesson
from gradebox.execute.skip_demonstrations import DEMONSTRATION_TAG, Demonstrations
from gradebox.notebook_exercises import extract_reference_solutions, insert_answers
from gradebox.notebook_metadata import OK, SKIPPED, read_ending
from gradebox.release.release_lessons import write_student_version
from gradebox.static_analysis.cell_scope import analyze_scope


@pytest.mark.parametrize(
    "source, uses, leaves",
    [
        ("y = f(x)", "f x", "y"),
        ("x = 1\nprint(x)", "print x", "x"),
        ("x += 1", "x", "x"),
        ("if a:\n    b = 1\nc = b", "a b", "b c"),
        ("for i in range(3):\n    s = i\nprint(i, s)", "range print i s", "i s"),
        ("try:\n    import a\nexcept ImportError as e:\n    a = e\na.b", "ImportError a e", "a e"),
        ("try:\n    pass\nfinally:\n    n = 1\nn", "n", "n"),
        ("with open(p) as f:\n    t = f.read()\nt", "open f p t", "f t"),
        ("while (n := g()):\n    pass", "g", "n"),
        ("v = a and (k := b)\nk", "a b k", "v k"),
        ("[i * w for i in s if (last := i)]", "w s last", "last"),
        ("{k: v for k, v in d.items()}", "d", ""),
        ("def f(a, b=c):\n    d = a\n    return d + e", "c e", "f"),
        ("def f():\n    return g()\ndef g():\n    return 1", "g", "f g"),
        ("def f():\n    global n\n    n = 1", "n", "f n"),
        ("def f():\n    global n\n    n += 1", "n", "f n"),
        ("def f():\n    n = 0\n    n += 1", "", "f"),
        ("def f():\n    class A:\n        x = x\n    return A", "x", "f"),
        ("class A:\n    x = 1\n    def f(self):\n        return x", "x", "A"),
        ("class A:\n    class B:\n        x = 1\n        f = lambda self: x", "x", "A"),
        ("class A:\n    global n\n    n = 1", "n", "A n"),
        ("class A:\n    def f(self):\n        global n\n        del n", "n", "A n"),
        ("patch('__main__.f')", "patch f", ""),
        ("globals()['f'], globals().get('g', 0)", "globals f g", ""),
        ("for i in s:\n    f = lambda: i", "s i", "i f"),
        ("@d\ndef f():\n    return x\nx = 1", "d x", "f x"),
        ("class A(B):\n    k = 1\n    m = k + n\n    def f(self):\n        return w", "B k n w", "A"),
        ("import a.b, c as d\nfrom e import f as g", "", "a d g"),
        ("from numpy import *", "", "numpy.*"),
        ("del x", "x", "x"),
        ("match p:\n    case {'a': q, **r}:\n        q", "p q", "q r"),
        ("x: int = 1", "int", "x"),
        ("%matplotlib inline\nx = y", "get_ipython y", "x"),
        ("files = !ls", "get_ipython", "files"),
        ("x = = y", "x y", "x y"),
        ("%who", "get_ipython", ""),
        ("%%bash\necho $z # x = y", "get_ipython", ""),
        ("%%bash --out x --err=y\necho z", "get_ipython", "x y"),
        ("%%script python3 -s {a + 1} $b --proc p\nc = d", "a b get_ipython", "p"),
        ("%%html\n<b>x</b>", "get_ipython", ""),
        ("\n%%javascript\nlet x = 1", "get_ipython", ""),
        ("%%!\nls {x}", "get_ipython x", ""),
        ("%%writefile notes.txt\nx = y", "get_ipython", ""),
        ("%%writefile notes.py\nx = y", "y", "x"),
        ("%%capture --no-stderr out\nx = y", "y", "out x"),
        ("%%unknown\nx = = y", "unknown x y", "unknown x y"),
    ],
)
def test_what_a_cell_uses_and_leaves(source, uses, leaves):
    assert (analyze_scope(source).uses, analyze_scope(source).leaves) == (
        set(uses.split()),
        set(leaves.split()),
    )


# A picture of one point.
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


# Where grading skips them

SOURCE = [
    cell("solution", "a", "def f():\n    return 1"),
    new_code_cell("shown = f()\nprint(shown)", metadata={"tags": [DEMONSTRATION_TAG]}),
    new_code_cell("later = 2 * shown", metadata={"tags": [DEMONSTRATION_TAG]}),
    cell("test", "a-test", "assert f() == 1"),
]


def graded(*handed_in, **settings) -> dict[str, str]:
    """The endings of the cells of a submission, by the first word of each."""
    config = Config()
    config.Execute = Config(preload=["numpy"], isolation="none", **settings)
    nb = new_notebook(cells=[deepcopy(one) for one in handed_in])
    Execute(config=config).execute_in_place(nb, ExecutionInputs(Lesson(new_notebook(cells=SOURCE))))
    return {one.source.split()[0]: read_ending(one) for one in nb.cells}


def test_a_demonstration_that_nobody_needs_is_skipped_unless_figures_are_drawn():
    skips = {"def": OK, "shown": SKIPPED, "later": SKIPPED, "assert": OK}
    assert graded(*SOURCE) == skips
    assert graded(*SOURCE, draw=True) == dict.fromkeys(skips, OK)


def test_a_demonstration_that_the_student_changed_is_run_with_those_that_it_needs():
    answer, shown, later, test = SOURCE
    changed = new_code_cell(later.source + "\nprint(later)")
    assert graded(answer, shown, changed, test)["shown"] == OK


@pytest.mark.parametrize(
    "added, run",
    [
        ("def f():\n    shown = later = 1\n    return shown", ""),
        ("print('shown')", ""),
        ("def h():\n    return shown", "shown"),
        ("print(later)", "shown later"),
        ("shown = 1\ndef h():\n    return shown", "shown"),
        ("print(globals()['later'])", "shown later"),
        ("what is shown here!", "shown"),
        ("%%bash\necho shown later", ""),
        ("%%html\n<b>shown</b>", ""),
        ("%who", ""),
        ("%%time\nshown", "shown"),
        ("%%bash -s {later}\necho $1", "shown later"),
    ],
)
def test_a_demonstration_is_run_if_a_cell_of_the_students_uses_its_names(added, run):
    submission = new_notebook(cells=[*SOURCE, new_code_cell(added)])
    skipped = Demonstrations(new_notebook(cells=SOURCE)).find_skippable(submission)
    assert {SOURCE[place].source.split()[0] for place in {1, 2} - skipped} == set(run.split())


def test_a_solution_may_use_what_a_demonstration_imports():
    shows = new_code_cell("from math import *\nprint(pi)", metadata={"tags": [DEMONSTRATION_TAG]})
    nb = new_notebook(cells=[shows, cell("solution", "a", "def f():\n    return pi")])
    assert not Demonstrations(nb).find_skippable(nb)


# What a release and a proof of the reference say


def with_cells(course: Course, *cells) -> Course:
    """The course with these cells in its lesson `hw`."""
    write_notebook(course.root / "source" / "hw" / "hw.ipynb", list(cells))
    return Course(course.root)


SOLVED = cell("solution", "a", "### BEGIN SOLUTION\ndef f():\n    return 1\n### END SOLUTION")
# By the test's name: a demonstration, a test that needs it, and how the test fails without it.
NEEDED = {
    "name": ("w = 1", "assert w", "NameError: name 'w' is not defined"),
    "attribute": (
        *("f.calls = 1", "assert f.calls"),
        "AttributeError: 'function' object has no attribute 'calls'",
    ),
    "file": (
        *("open('a.txt', 'w').write('1')", "open('a.txt').close()"),
        "FileNotFoundError: [Errno 2] No such file or directory: 'a.txt'",
    ),
    "setting": (
        "import numpy as np\nnp.seterr(all='raise')",
        "import numpy as np\n0.5 + 0.5 * (np.geterr()['over'] == 'raise')",
        "the last line gives 0.5 of 1 points",
    ),
}


def test_the_check_after_a_release_and_the_proof_find_tests_that_need_a_demonstration(small):
    shown = [new_code_cell(text, metadata={"tags": [DEMONSTRATION_TAG]}) for text, *_ in NEEDED.values()]
    tests = [cell("test", name, text) for name, (_, text, _) in NEEDED.items()]
    tests[-1].metadata.nbgrader.points = 1
    course = with_cells(small, deepcopy(SOLVED), *shown, *tests)
    assert not Execute(parent=course.app).require_reference
    release = gradebox(course, "release")
    assert release.returncode == 0 and release.stdout.splitlines()[-len(NEEDED) :] == [
        f"warning: hw/hw, {name}: the source's own solution loses points only in gradebox, which skips "
        f"demonstrations: {said}: remove the tag `demonstration` from the cells that the test needs"
        for name, (*_, said) in NEEDED.items()
    ]
    with_settings(course, "c.Execute.require_reference = True")
    hand_in(course, "hw", "ann", new_notebook(cells=[SOLVED]))
    graded = gradebox(course, "autograde")
    assert graded.returncode == 1 and graded.stdout.splitlines()[-1] == (
        "hw is not graded: its own reference solution gets 0 of 2 points in `name` and fails 3 more tests: "
        "NameError: name 'w' is not defined (`gradebox check` shows if the test needs a demonstration, which "
        "grading skips)"
    )
    for one in shown:
        one.metadata.tags = []
    with_cells(small, deepcopy(SOLVED), *shown, *tests)
    release = gradebox(course, "release")
    assert release.returncode == 0 and "warning" not in release.stdout


def test_a_graded_cell_can_t_be_a_demonstration(small):
    test = deepcopy(SOURCE[-1])
    test.metadata["tags"] = [DEMONSTRATION_TAG]
    with pytest.raises(CourseError, match="a-test is graded: only an ungraded cell can be a demonstration"):
        write_student_version(with_cells(small, SOURCE[0], test), "hw")


# What a graded copy shows


def test_a_graded_copy_shows_what_was_handed_in(course):
    """With nbgrader's own command, which reads what was handed in a second time."""
    from nbgrader.converters import Autograde

    nb = insert_answers(sample("release"), extract_reference_solutions(sample("source")))
    tagged = [one.source for one in nb.cells if DEMONSTRATION_TAG in one.metadata.get("tags", [])]
    for one in nb.cells:
        if one.source in tagged:
            one.outputs = [new_output("display_data", data={"image/png": DOT})]
        if one.source == tagged[0]:
            one.outputs = [
                new_output("stream", text="seen by the student\n"),
                new_output("display_data", data={"text/html": "<script>alert(1)</script>seen"}),
            ]
            one.execution_count = 17
    hand_in(course, LESSON, "ada", nb)
    assert course.convert(Autograde, LESSON, "ada") is None
    copy = {one.source: one for one in notebook("autograded", LESSON, course.root, "ada").cells}
    first = copy[tagged[0]]
    assert read_ending(first) == SKIPPED and first.execution_count == 17
    assert first.outputs[0].text == "seen by the student\n" and "script" not in str(first.outputs[1])
    figures = [one for text, one in copy.items() if text in tagged and "plt.show" in text]
    assert figures and all(one.outputs[-1].data == {"image/png": DOT} for one in figures)


def test_what_was_handed_in_is_shown_up_to_a_limit():
    loud = new_code_cell("1", outputs=[new_output("stream", text="x" * 10**6) for _ in range(9)])
    copy = new_notebook(cells=[new_code_cell("1", metadata={"gradebox": {"ended": SKIPPED}})])
    restore_outputs(copy, copy_code_cells(new_notebook(cells=[loud])))
    assert (
        len(str(copy.cells[0].outputs)) < MAX_OUTPUT_CHARACTERS + 10**4
        and "was cut" in copy.cells[0].outputs[-1].text
    )


def test_stock_nbgrader_runs_it(course):
    """The tag means nothing to nbgrader."""
    from nbgrader.converters import Autograde

    (course.root / "nbgrader_config.py").write_text("c = get_config()\n")
    course = Course(course.root)
    hand_in(course, LESSON, "ada", sample("release"))
    assert course.convert(Autograde, LESSON, "ada") is None
    code = [
        one for one in notebook("autograded", LESSON, course.root, "ada").cells if one.cell_type == "code"
    ]
    assert all(one.execution_count for one in code if one.source.strip())
