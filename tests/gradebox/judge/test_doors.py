"""What crosses to other people's tests opens no door: nothing agrees with a test that isn't right, nothing of
the student's runs in the judge, and nothing hidden gets to the student.
"""

import pickle
from copy import deepcopy
from pathlib import PurePosixPath

import pytest
from helpers import cell as made
from nbformat.v4 import new_notebook
from test_judge import GIVEN, SOLUTION, TEST, cell, graded, judged, outcome
from traitlets.config import Config

from gradebox.notebook import name_of
from gradebox.record import flagged, unable
from gradebox.run.execute import Execute
from gradebox.run.lesson import Given, Lesson

AGREES = """
class Agrees:
    def yes(self, *args):
        return True
    def me(self, *args):
        return self
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = yes
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __abs__ = __neg__ = __round__ = me
    def __hash__(self):
        return hash(42)
def answer(*args):
    return Agrees()
"""
ASKS = [
    "assert answer() == 42",
    "assert 42 == answer()",
    "assert answer() != 41 and answer() < 50",
    "assert abs(answer() - 42) < 1e-6",
    "assert 42 - answer() < 1e-6",
    "assert 42 in {answer()}",
    "assert {answer(): 1}[42]",
    "assert round(answer()) <= 42",
    "assert answer() in [41, 42]",
    "try:\n    assert answer() == 42\nexcept:\n    pass",
]


def incidents(notebook) -> list[str | None]:
    return [unable(one) for one in notebook.cells if one.metadata.get("nbgrader", {}).get("grade")]


def test_an_object_that_agrees_with_everything_can_not_be_judged_and_is_an_incident():
    tests = [(f"test{n}", TEST, source) for n, source in enumerate(ASKS)]
    notebook = graded(("answer", None, AGREES), *tests)
    assert all(said.startswith("Unable: ") for said in outcome(notebook).values()), outcome(notebook)
    assert all("class Agrees" in (said or "") for said in incidents(notebook))


def test_it_agrees_neither_where_the_solutions_define_another_class():
    solution = (
        "class Vector:\n    def __eq__(self, other):\n        return True\ndef answer():\n    return 42"
    )
    source = [made("solution", "answer", solution), made("test", "test", "assert answer() == 42")]
    handed_in = [made("solution", "answer", AGREES), source[1]]
    notebook, config = new_notebook(cells=handed_in), Config()
    Execute(config=config).play(notebook, Given(Lesson(new_notebook(cells=source))))
    assert outcome(notebook)["test"].startswith("Unable: ")


def test_what_objects_define_nothing_for_is_said_as_python_says_it():
    student = "class Plain:\n    pass\ndef f():\n    return Plain()\nmade = (n for n in [1])\nplain = Plain()"
    tests = [
        "assert f() == 1",
        "assert made == [1]",
        "f() + 1",
        "f() < 1",
        "len(f())",
        "assert plain == plain and plain in [plain] and plain != f() and {plain: 1}[plain]",
    ]
    assert judged(student, *tests) == [
        "AssertionError: ",
        "AssertionError: ",
        "TypeError: unsupported operand type(s) for +: 'Plain' and 'int'",
        "TypeError: '<' not supported between instances of 'Plain' and 'int'",
        "TypeError: object of type 'Plain' has no len()",
        "ok",
    ]


def test_a_loop_of_a_test_is_not_ended_by_what_a_function_raises():
    student = "def answer(x):\n    raise StopIteration"
    test = "for got, want in zip(map(answer, [1, 2]), [1, 4]):\n    assert got == want"
    assert judged(student, test) == ["RuntimeError: it raised StopIteration"]


def test_an_array_in_which_everything_is_masked_agrees_with_nothing():
    student = "import numpy as np\ndef answer():\n    return np.ma.masked_all(3)"
    tests = ["assert np.allclose(answer(), [1, 2, 3])", "np.testing.assert_allclose(answer(), [1, 2, 3])"]
    assert all(said.startswith("AssertionError") for said in judged(student, *tests))


def test_a_list_that_lies_is_the_list_that_it_is():
    student = (
        "class Liar(list):\n"
        "    def __eq__(self, other):\n        return True\n"
        "    def __iter__(self):\n        return iter([1, 2])\n"
        "    def sorted(self):\n        return True\n"
        "def answer():\n    return Liar([2, 1])"
    )
    tests = ["assert answer() == [1, 2]", "assert list(answer()) == [1, 2]", "assert answer() == [2, 1]"]
    assert judged(student, *tests) == ["AssertionError: ", "AssertionError: ", "ok"]


def test_nothing_between_hidden_marks_is_there_for_later_cells():
    test = (
        "import math\nshown = [1, 2]\nmade = [0]\n"
        "### BEGIN HIDDEN TESTS\n"
        "import json\nsecret = [4, 8]\ndef check():\n    return secret\nmade.append(16)\n"
        "### END HIDDEN TESTS\n"
        "after = secret + shown\ndef reads():\n    return secret\ncopied = [one for one in check()]\n"
    )
    names = "math shown made json secret check after reads copied".split()
    mentioned = "\n".join(f"try:\n    {name}\nexcept NameError:\n    pass" for name in names)
    look = f"found = {{name: name in globals() for name in {names!r}}}\n{mentioned}"
    notebook = graded(
        ("test1", TEST, test),
        ("look", SOLUTION, look),
        ("test2", TEST, "assert {n for n, there in found.items() if there} == {'math', 'shown'}, found"),
    )
    assert outcome(notebook) == {"test1": "ok", "test2": "ok"}


def played(files: dict[str, bytes], *cells) -> dict[str, str]:
    """How tests end beside files of the instructor's; solutions are the instructor's, too."""
    notebook = new_notebook(cells=[cell(*one) for one in cells])
    source = new_notebook(cells=[cell(*one) for one in cells])
    config = Config()
    config.Execute = Config(timeout=20)
    Execute(config=config).play(notebook, Given(Lesson(source), files, files))
    assert not any(flagged(one) for one in notebook.cells)
    return outcome(notebook)


def test_no_file_of_a_submission_is_run_in_the_judge_and_none_takes_the_place_of_the_instructors():
    student = (
        "import pickle, pathlib\n"
        "class Runs:\n    def __reduce__(self):\n"
        "        return exec, ('import builtins; builtins.hacked = 1',)\n"
        "pathlib.Path('planted.py').write_text('x = 1')\n"
        "pathlib.Path('pkg').mkdir()\npathlib.Path('pkg/__init__.py').write_text('x = 1')\n"
        "pathlib.Path('model.pkl').write_bytes(pickle.dumps(Runs()))\n"
        "pathlib.Path('plain.pkl').write_bytes(pickle.dumps({'a': [1, 2.5]}))\n"
        "pathlib.Path('data.csv').write_text('replaced')\n"
        "import os\nos.symlink('/etc/passwd', 'link.txt')\n"
        "pathlib.Path('.hidden').write_text('x')\n"
    )
    tests = {
        "module": "import planted",
        "package": "from pkg import x",
        "pickle": "import pickle, builtins\n"
        "try:\n    pickle.load(open('model.pkl', 'rb'))\n"
        "finally:\n    assert not hasattr(builtins, 'hacked')",
        "plain": "import pickle\nassert pickle.load(open('plain.pkl', 'rb')) == {'a': [1, 2.5]}",
        "instructors": "assert open('data.csv').read() == 'given'",
        "links": "import os\nassert not os.path.lexists('link.txt') and not os.path.exists('.hidden')",
    }
    cells = [("answer", SOLUTION, student), *((name, TEST, text) for name, text in tests.items())]
    found = played({"data.csv": b"given"}, *cells)
    assert found["module"].startswith("ModuleNotFoundError") and found["package"].startswith(
        ("ModuleNotFoundError", "ImportError")
    )
    assert found["pickle"].startswith("Unable")
    assert found["plain"] == found["instructors"] == found["links"] == "ok"


def test_a_pickle_of_the_instructors_is_read_as_ever_and_none_that_came_from_a_submission():
    student = (
        "import pickle\nfrom fractions import Fraction\n"
        "class Runs:\n    def __reduce__(self):\n"
        "        return exec, ('import builtins; builtins.hacked = 1',)\n"
        "def model():\n    return pickle.dumps(Runs())\n"
        "def plain():\n    return pickle.dumps({'a': [1, Fraction(1, 2)]})\n"
    )
    read = "import pickle, io\nraw = model()\n"
    own = "assert pickle.load(open('own.pkl', 'rb')).name == 'x'\n"
    tests = {
        "own": f"import pickle\n{own}plain()\n{own}",
        "plain": "import pickle\nassert pickle.loads(plain())['a'][1] == 0.5",
        "bytes": f"{read}pickle.loads(raw)",
        "between": f"{read}{own}pickle.loads(raw)",
        "stream": f"{read}{own}pickle.load(io.BytesIO(raw))",
        "after": f"{read}import cloudpickle\ncloudpickle.loads(raw)",
        "unpickler": f"import io, pickle\n{own}pickle.Unpickler(io.BytesIO(model())).load()",
        "written": f"{read}open('tmp.pkl', 'wb').write(raw)\npickle.load(open('tmp.pkl', 'rb'))",
        "over": f"{read}open('own.pkl', 'wb').write(raw)\npickle.load(open('own.pkl', 'rb'))",
        "swallowed": f"{read}try:\n    pickle.loads(raw)\nexcept BaseException:\n    pass",
        "ends": "import builtins\nassert not hasattr(builtins, 'hacked')",
    }
    cells = [("answer", SOLUTION, student), *((name, TEST, text) for name, text in tests.items())]
    found = played({"own.pkl": pickle.dumps(PurePosixPath("a/x"))}, *cells)
    assert found.pop("own") == found.pop("plain") == found.pop("ends") == "ok"
    assert all(said.startswith("Unable: ") for said in found.values()), found


def test_a_module_that_lies_beside_the_notebook_knows_the_types_of_objects():
    helper = b"def kinds(things):\n    return [type(thing) for thing in things]\n"
    assert played(
        {"helper.py": helper},
        ("answer", SOLUTION, "class Dog:\n    pass\nrex = Dog()"),
        (
            "test",
            TEST,
            "from helper import kinds\nassert kinds([rex, 1]) == [Dog, int] and kinds([rex])[0] is Dog",
        ),
    ) == {"test": "ok"}


@pytest.mark.parametrize("odd", ["metaclass", "getattr", "module", "broken"])
def test_odd_objects_of_honest_students_are_no_reason_for_a_flag(odd):
    student = {
        "metaclass": "class Meta(type):\n    def __getattribute__(cls, name):\n        raise KeyError(name)\n"
        "    __hash__ = None\n    def __eq__(cls, other):\n        return True\n"
        "class Odd(metaclass=Meta):\n    pass\nodd = Odd()",
        "getattr": "class Odd:\n    def __getattr__(self, name):\n        return 'anything'\nodd = Odd()",
        "module": "class Odd:\n    __module__ = None\nodd = Odd()",
        "broken": "class Odd:\n    def __eq__(self, other):\n        raise OSError\n"
        "    def __repr__(self):\n        raise OSError\n    __class__ = property(lambda self: 1 / 0)\n"
        "odd = Odd()",
    }[odd]
    notebook = graded(("answer", None, student), ("test", TEST, "kept = odd\nassert kept is odd"))
    assert outcome(notebook) == {"test": "ok"}, outcome(notebook)
    assert not any(map(flagged, notebook.cells))


def test_a_test_that_is_not_judged_runs_where_the_student_is():
    cells = [
        cell("given", GIVEN, "limit = 3"),
        cell("answer", SOLUTION, "secret_of_mine = 5\ndef f():\n    return limit"),
        cell(
            "here", TEST, "import os\nfound = f.__globals__['secret_of_mine']\nassert found == 5 and f() == 3"
        ),
        cell("there", TEST, "assert found == 5"),
    ]
    cells[2].metadata["tags"] = ["unjudged"]
    notebook = new_notebook(cells=cells)
    Execute(config=Config()).play(notebook, Given(Lesson(new_notebook(cells=deepcopy(cells)))))
    assert outcome(notebook) == {"here": "ok", "there": "ok"}
    assert [name_of(one) for one in notebook.cells if unable(one)] == []


RUNS_HERE = "__import__('builtins').__dict__.__setitem__('hacked', 1)"
# What hands a text to something that runs it.
EVALUATES = [
    "eval(answer())",
    "exec(answer())",
    "exec(compile(answer(), 'x', 'exec'))",
    "import ast\nexec(compile(ast.parse(answer()), 'x', 'exec'))",
    "exec('a = 1\\n' + answer().strip())",
    "eval(f'[{answer()}]')",
    "sympy.simplify(answer())",
    "sympy.solve(answer(), sympy.Symbol('x'))",
    "sympy.Matrix([[1, answer()]])",
    "sympy.Symbol('x').subs(sympy.Symbol('x'), answer())",
    "sympy.lambdify(sympy.Symbol('x'), answer())(1)",
    "sympy.lambdify(sympy.Symbol('x'), sympy.Symbol(answer()))(1)",
    "import timeit\ntimeit.timeit(answer(), number=1)",
    "import typing\ntyping.ForwardRef(answer())._evaluate({}, {}, recursive_guard=frozenset())",
    "get_ipython().run_cell(answer())",
    "import pandas as pd\npd.DataFrame({'a': [1]}).query(answer())",
    "import pandas as pd\npd.eval(answer())",
    "from typing import NamedTuple\neval(answer(), {}, {})",
    "try:\n    eval(answer())\nexcept BaseException:\n    pass",
]


def test_no_text_of_a_submission_is_run_in_the_judge():
    student = f"def answer():\n    return {RUNS_HERE!r}"
    look = "import builtins\nassert not hasattr(builtins, 'hacked')"
    tests = [one for text in EVALUATES for one in (text, look)]
    found = judged(student, *tests, given="import sympy")
    assert all(said.startswith("Unable: ") for said in found[::2]), dict(
        zip(EVALUATES, found[::2], strict=True)
    )
    assert set(found[1::2]) == {"ok"}


def test_nor_what_its_functions_say_of_themselves():
    student = (
        f"def answer(x: {RUNS_HERE!r} = 1) -> int:\n"
        f'    """\n    >>> {RUNS_HERE}\n    """\n    return 1\n'
        "def plain(x: 'list[int]') -> 'float':\n    return 1"
    )
    tests = [
        "import typing\nassert typing.get_type_hints(plain)['return'] is float",
        "from typing import get_type_hints\nget_type_hints(answer)",
        "import inspect\ninspect.get_annotations(answer, eval_str=True)",
        "import inspect\ninspect.signature(answer, eval_str=True)",
        "import doctest\ndoctest.run_docstring_examples(answer, {})",
        "import builtins\nassert not hasattr(builtins, 'hacked')",
    ]
    found = judged(student, *tests, given="import numpy as np")
    # What is asked of types is asked where they are.
    assert found[0] == found[1] == found[3] == found[-1] == "ok", found
    assert found[2].startswith("Unable: ") and found[4].startswith("Unable: "), found


def test_the_texts_of_tests_are_run_as_ever():
    student = "def double(x):\n    return 2 * x\ndef triple(x):\n    return 3 * x\nname = 'triple'"
    tests = [
        "assert eval('double(3)') == 6\nexec('found = triple(2)')\nassert found == 6",
        "for name, by in [('double', 2), ('triple', 3)]:\n    assert eval(f'{name}({by})') == by * by",
        "assert eval('%s(%d)' % ('double', -4)) == -8 and eval('double' + '(1)') == 2",
        "assert eval(name)(1) == 3",
        "def inner():\n    here = 5\n    return eval('here + double(here)')\nassert inner() == 15",
        "exec('\\n'.join(['a = double(1)', 'b = triple(a)']))\nassert b == 6",
        "assert helper('double(7)') == 14 and [eval(one) for one in CASES] == [2, 3]",
        "assert sympy.simplify('x + x') == sympy.sympify('2*x') == 2 * x",
        "assert sympy.lambdify(x, x**2 + sympy.sin(x), 'numpy')(0.0) == 0",
        "from collections import namedtuple\nfrom dataclasses import dataclass\n"
        "P = namedtuple('P', 'a b')\n@dataclass(order=True)\nclass Q:\n    c: int\n"
        "assert P(1, 2).b == 2 and Q(1) < Q(2)",
        "import timeit\nassert timeit.timeit('double(3)', number=1, globals=globals()) > 0",
        "import ast\nassert ast.literal_eval(name.__repr__()) == 'triple'",
        "import this",
        "from unittest import mock\nassert mock.create_autospec(helper)('x') is not None",
        "get_ipython().run_cell('c = double(4)')\nassert c == 8",
    ]
    given = (
        "import sympy\nx = sympy.Symbol('x')\nCASES = ['double(1)', 'triple(1)']\n"
        "def helper(text):\n    return eval(text)"
    )
    assert set(found := judged(student, *tests, given=given)) == {"ok"}, found
