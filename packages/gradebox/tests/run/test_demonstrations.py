"""Cells for a student's eyes are not run to grade, if nobody's points can depend on them."""

import pytest
from helpers import LESSON, cell, hand_in, notebook, sample
from nbformat.v4 import new_code_cell, new_notebook, new_output
from traitlets.config import Config

from gradebox.code.scope import scope
from gradebox.course import Course, CourseError
from gradebox.grade.pictures import LARGEST, outputs, put_back
from gradebox.notebook import fill, name_of, reference
from gradebox.record import OK, SKIPPED, ending
from gradebox.release.pair import as_json
from gradebox.release.release import release, warnings
from gradebox.run import demonstrations
from gradebox.run.execute import Execute
from gradebox.run.lesson import Given, Lesson


@pytest.mark.parametrize(
    "source, takes, leaves",
    [
        ("y = f(x)", "f x", "y"),
        ("x = 1\nprint(x)", "print", "x"),
        ("x += 1", "x", "x"),
        ("if a:\n    b = 1\nc = b", "a b", "b c"),
        ("for i in range(3):\n    s = i\nprint(i, s)", "range print i s", "i s"),
        ("try:\n    import a\nexcept ImportError as e:\n    a = e\na.b", "ImportError a", "a e"),
        ("try:\n    pass\nfinally:\n    n = 1\nn", "", "n"),
        ("with open(p) as f:\n    t = f.read()\nt", "open p t", "f t"),
        ("while (n := g()):\n    pass", "g", "n"),
        ("v = a and (k := b)\nk", "a b k", "v k"),
        ("[i * w for i in s if (last := i)]", "w s", "last"),
        ("{k: v for k, v in d.items()}", "d", ""),
        ("def f(a, b=c):\n    d = a\n    return d + e", "c e", "f"),
        ("def f():\n    return g()\ndef g():\n    return 1", "", "f g"),
        ("def f():\n    global n\n    n = 1", "n", "f n"),
        ("def f():\n    global n\n    n += 1", "n", "f n"),
        ("def f():\n    class A:\n        x = x\n    return A", "x", "f"),
        ("class A:\n    x = 1\n    def f(self):\n        return x", "x", "A"),
        ("class A:\n    n = 1\n    m = [n for _ in (n, k)]", "n k", "A"),
        ("class A:\n    class B:\n        x = 1\n        f = lambda self: x", "x", "A"),
        ("class A:\n    global n\n    n = 1", "", "A n"),
        ("class A:\n    def f(self):\n        global n\n        del n", "n", "A n"),
        ("patch('__main__.f')", "patch f", ""),
        ("globals()['f'], globals().get('g', 0)", "globals f g", ""),
        ("for i in s:\n    f = lambda: i", "s", "i f"),
        ("@d\ndef f():\n    return x\nx = 1", "d", "f x"),
        ("class A(B):\n    k = 1\n    m = k + n\n    def f(self):\n        return w", "B n w", "A"),
        ("import a.b, c as d\nfrom e import f as g", "", "a d g"),
        ("from numpy import *", "", "numpy.*"),
        ("del x", "x", "x"),
        ("match p:\n    case {'a': q, **r}:\n        q", "p", "q r"),
        ("x: int = 1", "int", "x"),
        ("%matplotlib inline\nx = y", "get_ipython y", "x"),
        ("files = !ls", "get_ipython", "files"),
        ("x = = y", "x y", "x y"),
    ],
)
def test_what_a_cell_takes_and_leaves(source, takes, leaves):
    assert (scope(source).takes, scope(source).leaves) == (set(takes.split()), set(leaves.split()))


# A picture of one point.
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

GIVEN, SOLUTION, TEST, DEMONSTRATION = "given", "solution", "test", "demonstration"


def lesson(*cells: tuple[str | None, str | None, str]) -> list:
    """Cells from (name, kind, source); a demonstration, and None, is no cell of nbgrader's."""
    made = []
    for name, kind, source in cells:
        if kind is None or kind == DEMONSTRATION:
            made.append(new_code_cell(source, metadata={"tags": [kind]} if kind else {}))
        else:
            made.append(cell(kind, name, source))
    return made


def check(*cells):
    return demonstrations.check(new_notebook(cells=lesson(*cells)))


IMPORTS = ("imports", GIVEN, "import numpy as np, random, torch, warnings, matplotlib.pyplot as plt")
SHOW = ("show", GIVEN, "def show(n):\n    return np.random.rand(n)")
SEEDED = ("seeded", GIVEN, "torch.manual_seed(0)\nnp.random.seed(0)")


@pytest.mark.parametrize(
    "before, source, after, what",
    [
        ("", "w = 1", "assert w", "t uses w, which is given by the demonstration 'w = 1'"),
        ("w = [1]", "w.append(2)", "assert w", "t uses w"),
        ("w = [1]", "w[0] = 2", "assert w", "t uses w"),
        ("w = {}", "w['a'].sort()", "assert w", "t uses w"),
        ("r = np.random.default_rng(0)", "r.normal()", "r.normal()", "t uses r"),
        ("def f():\n    return w", "w = 1", "f()", "g uses w, which the demonstration 'w = 1' changes"),
        (
            "w = 0\ndef f():\n    return w",
            "w = 1",
            "f()",
            "g uses w, which the demonstration 'w = 1' changes",
        ),
        ("", "class A:\n    def f(self):\n        global w\n        w = 1\nA().f()", "assert w", "t uses w"),
        ("w = [[0]]", "v = w\nv[0] = 1", "assert w", "t uses w"),
        ("w = [[0]]", "for v in w:\n    v[0] = 1", "assert w", "t uses w"),
        ("w = [[0]]", "for i, (v,) in enumerate(w):\n    v += 1", "assert w", "t uses w"),
        ("w = np.eye(3)", "w.T.reshape(-1)[0] = 2", "assert w.all()", "t uses w"),
        ("w = np.eye(3)", "np.fill_diagonal(w, 0)", "assert w.all()", "t uses w"),
        ("w = np.eye(3)", "np.exp(w, out=w)", "assert w.all()", "t uses w"),
        ("w = np.eye(3)", "np.add.at(w, 0, 1)", "assert w.all()", "t uses w"),
        ("w = [1, 2]", "np.random.default_rng(0).shuffle(w)", "assert w", "t uses w"),
        ("w = iter([1, 2])", "print(next(w))", "assert next(w)", "t uses w"),
        ("w = random", "setattr(w, 'a', 1)", "assert w.a", "t uses w"),
        ("w = torch.nn.ReLU()", "o = torch.optim.SGD(w.parameters())\no.step()", "w(1)", "t uses w"),
        ("", "%time w = 1", "assert w", "may change any name there is"),
        ("", "%%capture w\nprint(1)", "assert w", "may change any name there is"),
        ("", "globals()[input()] = 1", "assert w", "may change any name there is"),
        ("", "exec('w = 1')", "assert w", "may change any name there is"),
        ("", "w = 1", "assert globals()['w']", "t uses w"),
        ("", "from numpy import *", "pi", "imports all names of a module"),
        ("", "np.set_printoptions(precision=2)", "", "sets options of the whole process"),
        ("", "plt.rcParams['font.size'] = 3", "", "sets options"),
        ("", "plt.rcParams.update({})", "", "sets options"),
        ("", "torch.set_default_dtype(torch.float64)", "", "sets options"),
        ("", "warnings.simplefilter('ignore')", "", "sets options"),
        ("", "import os\nos.environ['A'] = 'b'", "", "sets options"),
        ("torch.manual_seed(0)", "torch.randn(3)", "torch.randn(3)", "t uses the random numbers of torch"),
        ("np.random.seed(0)", "show(3)", "np.random.rand()", "t uses the random numbers of numpy.random"),
        ("", "random.seed(0)", "random.random()", "t uses the random numbers of Python's random"),
        ("np.random.seed(0)", "torch.nn.Linear(1, 1)", "show(1)", None),
        (
            "torch.manual_seed(0)",
            "torch.nn.Linear(1, 1)",
            "torch.rand(1)",
            "t uses the random numbers of torch",
        ),
        ("", "open('a', 'w').write('1')", "open('a').read()", "t reads files, and the demonstration"),
        ("", "plt.savefig('a.png')", "plt.imread('a.png')", "t reads files"),
        # Nothing that anybody needs.
        ("", "w = 1", "w = 2\nassert w", None),
        ("", "w = 1", "assert [w for w in [1]]", None),
        ("", "w = 1", "def f(w):\n    return w\nassert f(1)", None),
        ("", "for w in range(3):\n    pass", "for w in range(3):\n    g = lambda: w", None),
        ("x = np.ones(3)", "x.mean(), x.T @ x, x.round(2)", "assert x.all()", None),
        ("x = np.ones(3)", "y = x.copy()\ny[0] = 2\nz = x + 1\nz[0] = 2", "assert x.all()", None),
        ("x = np.ones(3)", "%%time\nprint(x)", "assert x.all()", None),
        ("", "with np.printoptions(precision=2):\n    print(np.ones(3))", "", None),
        ("", "with warnings.catch_warnings():\n    warnings.simplefilter('ignore')", "", None),
        ("", "torch.randn(3)", "torch.randn(3)", None),
        ("torch.manual_seed(0)", "torch.randn(3)", "torch.manual_seed(1)\ntorch.randn(3)", None),
        (
            "torch.manual_seed(0)",
            "g = torch.Generator()\ntorch.randn(3, generator=g)",
            "torch.randn(3)",
            None,
        ),
        ("np.random.seed(0)", "np.random.default_rng(1).normal()", "np.random.rand()", None),
        ("", "plt.savefig('a.png')", "assert 1", None),
        ("", "print(open('a').read())", "open('a').read()", None),
    ],
)
def test_a_demonstration_that_something_needs_is_not_released(before, source, after, what):
    found = check(IMPORTS, SHOW, ("g", GIVEN, before), (None, DEMONSTRATION, source), ("t", TEST, after))
    assert what in found.problems[0] if what else not found.problems
    assert not found.remarks


def test_what_a_test_gives_its_own_functions_no_demonstration_changes():
    """It runs in another process."""
    first, second = ("t", TEST, "w = 1\nf = lambda: w\nassert f()"), ("u", TEST, "w = 1\nassert w")
    assert not check(first, (None, DEMONSTRATION, "w = 2"), second).problems


def test_a_cell_of_the_instructors_that_may_use_any_name_is_named_and_has_them_all_run():
    nb = new_notebook(cells=lesson((None, DEMONSTRATION, "w = 1"), ("t", TEST, "for n in globals(): pass")))
    found = demonstrations.check(nb)
    assert (found.problems, found.remarks) == (
        [],
        ["t may use any name there is, so all demonstrations are run to grade"],
    )
    assert not Lesson(nb).demonstrations.unneeded(nb)


def test_those_that_could_not_be_released_are_run():
    """A course may be released by nbgrader's own command."""
    nb = new_notebook(cells=lesson((None, DEMONSTRATION, "np.random.seed(1)"), ("t", TEST, "assert 1")))
    assert Lesson(nb).demonstrations.unneeded(nb) == {0}
    nb.cells[0].source = "import numpy as np\nnp.set_printoptions(precision=2)"
    assert not Lesson(nb).demonstrations.unneeded(nb)


@pytest.mark.parametrize("kind", [SOLUTION, GIVEN])
def test_solutions_and_locked_cells_count_as_tests_do(kind):
    assert check((None, DEMONSTRATION, "w = 1"), ("x", kind, "v = w")).problems


def test_what_is_graded_is_no_demonstration():
    cells = lesson(("x", TEST, "assert 1"))
    cells[0].metadata["tags"] = [DEMONSTRATION]
    assert demonstrations.check(new_notebook(cells=cells)).problems == [
        "x is graded: only an ungraded cell can be a demonstration"
    ]


def test_a_cell_that_uses_a_demonstration_is_one_too_or_the_release_says_so(course):
    source = course.path("source", LESSON) / f"{course.notebooks(LESSON)[0]}.ipynb"
    nb = notebook("source", LESSON, course.root)
    nb.cells += lesson((None, DEMONSTRATION, "w = 1"), (None, None, "# as above\nprint(w)"))
    source.write_text(as_json(nb), encoding="utf-8")
    release(course, LESSON)
    (said,) = warnings(course, LESSON)
    assert "'print(w)' uses w, which is given by the demonstration 'w = 1', so it is run to grade" in said
    nb.cells += lesson(("needs", GIVEN, "v = w"))
    source.write_text(as_json(nb), encoding="utf-8")
    said = "can't be released: needs uses w, which is given by the demonstration 'w = 1'"
    with pytest.raises(CourseError, match=said):
        release(course, LESSON)


def graded(source: list, *handed_in, **settings) -> dict[str, str]:
    """How the cells of a submission end, by the first word of their text."""
    config = Config()
    config.Execute = Config(preload=["numpy"], isolation="none", **settings)
    nb = new_notebook(cells=list(handed_in))
    Execute(config=config).play(nb, Given(Lesson(new_notebook(cells=source))))
    return {one.source.split()[0]: ending(one) for one in nb.cells}


SOURCE = lesson(
    ("a", SOLUTION, "def f():\n    return 1"),
    (None, DEMONSTRATION, "shown = f()\nprint(shown)"),
    (None, DEMONSTRATION, "later = 2 * shown"),
    ("t", TEST, "assert f() == 1"),
)


@pytest.mark.parametrize(
    "added, run",
    [
        ("def f():\n    shown = later = 1\n    return shown", ""),
        ("print('shown')", ""),
        ("def h():\n    return shown", "shown"),
        ("print(later)", "shown later"),
        ("print(globals()['x'])", ""),
        ("print(globals()['later'])", "shown later"),
        ("for name in globals(): pass", "shown later"),
        ("import __main__ as m\nm.shown", "shown later"),
        ("if __name__ == '__main__': pass", "shown later"),
        ("f.__globals__['shown']", "shown later"),
        ("%%timeit shown\npass", "shown later"),
        ("with open('a'):\n    shown = 1\nshown", "shown"),
        ("Out[1]", "shown later"),
        ("%who", "shown later"),
        ("_4", "shown later"),
        ("what is shown here!", "shown"),
    ],
)
def test_it_is_run_if_a_cell_of_the_students_uses_what_it_leaves(added, run):
    submission = new_notebook(cells=[*lesson(*[(name_of(one), None, one.source) for one in SOURCE])])
    for made, one in zip(submission.cells, SOURCE, strict=True):
        made.metadata = {k: v for k, v in one.metadata.items() if k != "tags"}
    submission.cells.append(new_code_cell(added))
    idle = Lesson(new_notebook(cells=SOURCE)).demonstrations.unneeded(submission)
    names = {place: submission.cells[place].source.split()[0] for place in (1, 2)}
    assert {name for place, name in names.items() if place not in idle} == set(run.split())


def test_one_that_is_as_released_is_not_run_unless_figures_are_drawn():
    answer, shown, later, test = SOURCE
    changed = new_code_cell(later.source + "\nprint(later)")
    assert graded(SOURCE, answer, shown, later, test) == {
        "def": OK,
        "shown": SKIPPED,
        "later": SKIPPED,
        "assert": OK,
    }
    assert graded(SOURCE, answer, shown, changed, test)["shown"] == OK
    assert graded(SOURCE, answer, shown, later, test, draw=True)["later"] == OK


def test_a_graded_copy_shows_what_was_handed_in(course):
    """With nbgrader's own command, which reads what was handed in a second time."""
    from nbgrader.converters import Autograde

    nb = fill(sample("release"), reference(sample("source")))
    tagged = [one.source for one in nb.cells if "tags" in one.metadata]
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
    assert ending(first) == SKIPPED and first.execution_count == 17
    assert first.outputs[0].text == "seen by the student\n" and "script" not in str(first.outputs[1])
    figures = [one for text, one in copy.items() if text in tagged and "plt.show" in text]
    assert figures and all(one.outputs[-1].data == {"image/png": DOT} for one in figures)


def test_what_was_handed_in_is_shown_up_to_a_limit():
    loud = new_code_cell("1", outputs=[new_output("stream", text="x" * 10**6) for _ in range(9)])
    copy = new_notebook(cells=[new_code_cell("1", metadata={"gradebox": {"ended": SKIPPED}})])
    put_back(copy, outputs(new_notebook(cells=[loud])))
    assert len(str(copy.cells[0].outputs)) < LARGEST + 10**4 and "was cut" in copy.cells[0].outputs[-1].text


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
