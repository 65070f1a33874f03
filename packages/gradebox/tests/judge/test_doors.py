"""What crosses to other people's tests opens no door: nothing agrees with a test that isn't right, nothing of
the student's runs in the judge, and nothing hidden gets to the student.
"""

from copy import deepcopy

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
        "after = secret + [1]\ndef reads():\n    return secret\ncopied = [one for one in check()]\n"
        "other = [1]\nalias = other\nkept = {'in': [2]}\npart = kept['in']\nby = [3]\nread = [5]\n"
        "def put():\n    by.append(0)\n"
        "### BEGIN HIDDEN TESTS\n"
        "alias.append(32)\npart += [64]\nput()\nassert look(read) == 0 and len(read) == 1 and read != by\n"
        "### END HIDDEN TESTS\n"
    )
    names = "math shown made json secret check after reads copied other alias kept part by read put".split()
    mentioned = "\n".join(f"try:\n    {name}\nexcept NameError:\n    pass" for name in names)
    look_at = f"found = {{name: name in globals() for name in {names!r}}}\n{mentioned}"
    notebook = graded(
        ("first", SOLUTION, "def look(values):\n    return 0"),
        ("test1", TEST, test),
        ("look", SOLUTION, look_at),
        (
            "test2",
            TEST,
            "assert {n for n, there in found.items() if there} == {'math', 'shown', 'read', 'put'}, found",
        ),
    )
    assert outcome(notebook) == {"test1": "ok", "test2": "ok"}


@pytest.mark.parametrize(
    "shown, hidden, crosses",
    [
        ("x = [1]", "assert f(x) == 3 and sum(x) == 1 and x[0] < 2", {"x"}),
        ("x = [1]", "try:\n    f(x)\nexcept ValueError:\n    pass\nelse:\n    raise AssertionError", {"x"}),
        ("x = [1]", "got = f(x)\nassert got == 3", {"x"}),
        ("x = [1]", "got = f(x)\ngot.append(42)", set()),
        ("x = [1]", "got = x\ngot += [42]", set()),
        ("x = [[1]]", "for one in x:\n    assert f(one) == 1", {"x"}),
        ("x = [[1]]", "for one in x:\n    one.append(42)", set()),
        ("x = [[1]]", "[one.append(42) for one in x]", set()),
        ("x = [1]\ny = [x]", "y[0].append(42)", set()),
        ("x = [1]\ny = []\ny.append(x)\nz = 3", "y[0].append(42)\nassert z == 3", {"z"}),
        ("x = [1]\nkeep(x)", "spoil()", set()),
        ("x = [1]", "numpy.put(x, 0, 42)", set()),
        ("x = [1]", "x = [42]", set()),
        ("x = [1]\nz = 3", "z += 1\nwith open(x) as file:\n    pass", set()),
        ("x = [1]", "del f\nassert g() is None", {"x"}),
    ],
)
def test_what_hidden_code_may_have_changed_is_not_there_for_later_cells(shown, hidden, crosses):
    helpers = "kept = []\ndef keep(x):\n    kept.append(x)\ndef spoil():\n    kept[0].append(42)"
    test = f"{shown}\n### BEGIN HIDDEN TESTS\n{hidden}\n### END HIDDEN TESTS\n"
    cells = [made("given", "helpers", helpers), made("solution", "f", "def f(x):\n    return 3")]
    lesson = Lesson(new_notebook(cells=[*cells, made("test", "test", test)]))
    assert lesson.shared["test"].keys() == crosses


def test_what_a_function_is_given_it_finds_by_its_name_too_and_nothing_else():
    student = (
        "def total(values, more):\n    return sum(A) + more\n"
        "def seen():\n    return [globals().get(name) for name in ('A', 'B', 'C')]\n"
        "def never():\n    return B, C"
    )
    test = (
        "A = [1, 2]\nassert total(A, 0) == 3\n"
        "### BEGIN HIDDEN TESTS\nA, B, C = [4, 8], [16], 32\nassert total(A, C) == 44\nA = [64]\n"
        "assert seen() == [[4, 8], None, None], seen()\n### END HIDDEN TESTS"
    )
    assert ends(student, student, test) == ["ok"]


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


def ends(solution: str, handed_in: str, *tests: str, given: str = "") -> list[str]:
    """How tests end where the instructor's solution says one thing and the submission another."""
    locked = [made("given", "given", given)] if given else []
    cells = [made("test", f"test{n}", text) for n, text in enumerate(tests)]
    source = new_notebook(cells=[*locked, made("solution", "answer", solution), *cells])
    notebook, config = new_notebook(cells=[*locked, made("solution", "answer", handed_in), *cells]), Config()
    notebook = deepcopy(notebook)
    Execute(config=config).play(notebook, Given(Lesson(source)))
    assert not any(map(flagged, notebook.cells))
    return list(outcome(notebook).values())


def test_no_object_is_taken_for_one_of_a_library_whose_values_come_as_data():
    claims = (
        "import pandas as pd, numpy as np\n"
        "class Frame(pd.DataFrame):\n"
        "    def equals(self, other):\n        return True\n"
        "    def odd(self):\n        return 1\n"
        "class Claims:\n"
        "    __class__ = property(lambda self: pd.DataFrame)\n"
        "    equals = equal = all = lambda self, *other: True\n"
        "    _typ = 'dataframe'\n"
        "    def __getattr__(self, name):\n        return getattr(pd.DataFrame({'a': [4]}), name)\n"
        "odd = Frame({'a': [object()]})\n"
        "claims = Claims()\n"
    )
    tests = [
        "pd.testing.assert_frame_equal(odd, pd.DataFrame({'a': [5]}))",
        "assert odd.equals(pd.DataFrame({'a': [5]}))",
        "assert isinstance(odd, pd.DataFrame)",
        "assert type(odd) is not int",
        "assert claims.equals(pd.DataFrame({'a': [5]}))",
        "assert pd.DataFrame({'a': [5]}).equals(claims)",
        "kept = odd\nassert kept.odd() == 1 and kept is odd",
    ]
    found = ends(
        "import pandas as pd\nodd = claims = pd.DataFrame()", claims, *tests, given="import pandas as pd"
    )
    assert found[-1] == "ok", found
    assert found[5] == "AssertionError: ", found
    assert all(said.startswith("Unable: ") for said in found[:5]), found


def test_a_value_of_a_library_that_the_course_does_not_use_is_no_data():
    student = (
        "def loss():\n    import sympy\n    return sympy.Symbol('x', negative=True)\n"
        "def table():\n    import pandas\n    return pandas.Series([1])\n"
        "def sparse():\n    import scipy.sparse\n    return scipy.sparse.csr_matrix([[1]])"
    )
    tests = [
        "assert loss() < 0.1",
        "assert (table() == 1).all()",
        "assert abs(sparse() * 5)",
        "kept = loss(), table()",
    ]
    right = "def loss():\n    return 0.0\ndef table():\n    return np.ones(1)\nsparse = table"
    found = ends(right, student, *tests, given="import numpy as np")
    assert all(said.startswith("Unable: ") for said in found[:3]) and found[3] == "ok", found
    assert set(ends(right, student, *tests, given="import numpy as np, sympy, pandas")) == {"ok"}


VECTOR = """
class Vector:
    def __init__(self, x=0):
        self.x = x
    def __eq__(self, other):
        return {eq}
    def __lt__(self, other):
        return {lt}
    def __ge__(self, other):
        return {ge}
    def __gt__(self, other):
        return {gt}
    def __le__(self, other):
        return {le}
    def __sub__(self, other):
        return {sub}
    def __hash__(self):
        return hash({x})
    def __contains__(self, value):
        return {has}
def half(n):
    return {half}
class Other:
    pass
"""
HONEST = {
    "eq": "self.x == (other.x if isinstance(other, Vector) else other)",
    "lt": "self.x < (other.x if isinstance(other, Vector) else other)",
    "ge": "not self < other",
    "gt": "self.x > (other.x if isinstance(other, Vector) else other)",
    "le": "not self > other",
    "sub": "Vector(self.x - (other.x if isinstance(other, Vector) else other))",
    "x": "self.x",
    "has": "value == self.x",
    "half": "n / 2",
}


def test_an_object_of_a_class_that_the_course_defines_is_asked_but_agrees_with_nothing_else():
    tests = [
        "assert half(84) == 42",
        "assert not half(84) != 42",
        "assert half(84) < 50 and half(84) >= 30",
        "assert 42 in half(84)",
        "assert half(84) - 42 == 0",
        "assert half(84).__eq__(42)",
        "assert half(84) == [4, 2]",
        "assert half(84) == 'text'",
        "assert half(84) == np.arange(3)",
        "assert half(84) == {'a': 1}",
        "from fractions import Fraction\nassert half(84) == Fraction(84, 2)",
        "import datetime\nassert half(84) == datetime.date(2024, 2, 29)",
        "assert half(84) == range(3)",
        "class Exp(int):\n    pass\nassert half(84) == Exp(42)",
        "assert np.allclose(half(84) - np.array([42.0]), 0)",
    ]
    agrees = dict.fromkeys(("eq", "lt", "gt", "ge", "le", "has"), "True")
    agrees |= {"sub": "np.zeros(np.shape(other))", "x": "42", "half": "Vector()"}
    given = "import numpy as np"
    found = ends(VECTOR.format(**HONEST), VECTOR.format(**agrees), *tests, given=given)
    assert all(said.startswith("Unable: ") for said in found), found
    chooses = agrees | {"ge": "False", "le": "False"}
    between = ["assert 41 < half(84) < 43", "assert half(84) < 43"]
    found = ends(VECTOR.format(**HONEST), VECTOR.format(**chooses), *between, given=given)
    assert all(said.startswith("Unable: ") for said in found), found
    honest = [
        "assert Vector(3) == Vector(3) and Vector(3) != Vector(4) and Vector(3) < Vector(4)",
        "assert Vector(3) == 3 and not Vector(3) == 4 and Vector(3) != 4 and Vector('a') == 'a'",
        "assert Vector(3) < 4 and not Vector(3) < 2 and Vector(3) >= 3",
        "assert 3 in Vector(3) and 4 not in Vector(3) and Vector(3).__eq__(Vector(3))",
        "assert (Vector(3) - 1).x == 2 and Vector(5) - Vector(2) == Vector(3)",
        "from fractions import Fraction\nassert Vector(0.5) == Fraction(1, 2) and Vector(3) != None",
        "assert {Vector(3): 1}[Vector(3)] == 1 and len({Vector(3), Vector(3), Vector(4)}) == 2",
        "assert Vector.__eq__(Vector(3), Vector(3)) and callable(Vector.__lt__)",
    ]
    assert set(found := ends(VECTOR.format(**HONEST), VECTOR.format(**HONEST), *honest)) == {"ok"}, found


def test_the_operators_of_one_class_are_no_other_ones():
    other = VECTOR.format(**HONEST) + (
        "    def __eq__(self, other):\n        return True\n    equals = __eq__\n"
        "def answer():\n    return Other()"
    )
    tests = ["assert answer() == 42", "assert answer().equals(42)", "assert answer().__eq__(42)"]
    found = ends(VECTOR.format(**HONEST), other, *tests)
    assert all(said.startswith("Unable: ") for said in found), found


def test_the_fields_of_a_dataclass_are_those_that_the_course_says():
    solution = (
        "from dataclasses import dataclass, field\n@dataclass\nclass Base:\n    x: int = 0\n"
        "@dataclass\nclass Point(Base):\n    y: int = 0\n    seen: int = field(default=0, compare=False)\n"
        "def moved():\n    return Point(3, 4, 5)"
    )
    fewer = solution.replace("    x: int = 0", "    x = 0").replace("y: int = 0\n    seen: int", "y: object")
    fewer = fewer.replace(
        "return Point(3, 4, 5)", "found = Point()\n    found.x, found.y = 1, 2\n    return found"
    )
    tests = [
        "a, b = moved(), Point()\na.x, a.y, b.x, b.y = 1, 2, 3, 4\nassert a == b",
        "a, b = moved(), Point()\na.x, a.y, b.x, b.y = 3, 4, 3, 4\nassert a == b and not a != b",
    ]
    assert ends(solution, fewer, *tests) == ["AssertionError: ", "ok"]
    assert ends(solution, solution, "assert moved() == Point(3, 4) != Point(4, 4)", *tests) == [
        "ok",
        "AssertionError: ",
        "ok",
    ]
    agrees = (
        "from dataclasses import dataclass\n@dataclass\nclass Mine:\n    pass\n"
        "def moved():\n    return Mine()"
    )
    assert ends(solution, agrees, "assert moved() == moved()")[0].startswith("Unable: ")


def test_what_a_test_finds_wrong_is_nothing_that_a_submission_hears_of_or_passes_over():
    student = (
        "heard = []\nclass Swallows:\n    def __enter__(self):\n        return self\n"
        "    def __exit__(self, kind, error, trace):\n        heard.append(str(error))\n        return True"
    )
    tests = [
        "with Swallows():\n    assert 1 == 2, 'hidden words'",
        "assert heard == ['']",
        "with Swallows():\n    raise ValueError('of the test')",
        "assert heard[-1] == 'of the test'",
    ]
    assert ends(student, student, *tests) == ["AssertionError: hidden words", "ok", "ok", "ok"]


def test_a_file_of_a_test_or_of_the_instructors_is_never_replaced():
    many = {f"many/{n}.txt": b"given" for n in range(300)}
    student = (
        "import pathlib\ndef spoil():\n"
        "    for n in range(300):\n        pathlib.Path(f'many/{n}.txt').write_text('mine')\n"
        "    pathlib.Path('expected.txt').write_text('mine')\n"
        "    pathlib.Path('result.txt').write_text('mine')"
    )
    tests = [
        (
            "test1",
            TEST,
            "open('expected.txt', 'w').write('given')\n"
            "spoil()\nassert open('expected.txt').read() == 'given'",
        ),
        ("test2", TEST, "assert all(open(f'many/{n}.txt').read() == 'given' for n in range(300))"),
        ("test3", TEST, "assert open('result.txt').read() == 'mine'"),
    ]
    assert set(played(many, ("answer", SOLUTION, student), *tests).values()) == {"ok"}


def test_a_name_of_pythons_own_that_a_test_takes_for_itself_stays_with_the_test():
    student = (
        "def seen():\n    return [str(globals().get(name)) for name in ('sum', 'max', 'input')]\n"
        "def asks():\n    return input('n? ')\ndef total(x):\n    return sum(x)"
    )
    tests = [
        "sum = 385\nmax = [1, 2]\nassert seen() == ['None'] * 3",
        "sum = lambda x: 7\nassert total([1]) == 7",
        "input = lambda text: '5'\nassert asks() == '5'",
    ]
    assert ends(student, student, *tests) == ["ok"] * 3


def test_a_list_is_changed_only_by_what_changes_lists_in_the_courses_own_solutions_too():
    solution = (
        "def mean(values):\n    found = [*values]\n    found.sort()\n    return sum(found) / len(values)\n"
        "def sort(values):\n    values.sort()\n"
        "def rows(table):\n    for place, row in enumerate(table):\n        row.append(place)\n"
        "def both(values):\n    sort(values)\n    return mean(values)\n"
        "class Bag:\n    def __init__(self):\n        self.kept = []\n"
        "    def add(self, value):\n        self.kept.append(value)\n"
        "    def pour(self, into):\n        into.extend(self.kept)\n"
    )
    rewrites = solution.replace("    found = [*values]\n", "    values[:] = [3.0]\n    found = [3.0]\n")
    rewrites = rewrites.replace("self.kept.append(value)", "value.append(3)")
    tests = [
        "values = [1, 2]\nmean(values)\nassert values == [1, 2]",
        "values = [1, 2]\nassert mean(values) == sum(values) / 2",
        "values = [2, 1]\nsort(values)\nassert values == [1, 2]",
        "values = [2, 1]\nboth(values)\nassert values[0] == 1",
        "table = [[], []]\nrows(table)\nassert table == [[0], [1]]",
        "bag, values = Bag(), []\nbag.add(values)\nassert values == []",
        "bag, values = Bag(), []\nbag.add(1)\nbag.pour(values)\nassert values == [1]",
        "for change in [sort, both]:\n    values = [2, 1]\n    change(values)\n    assert values == [1, 2]",
    ]
    assert set(found := ends(solution, solution, *tests)) == {"ok"}, found
    found = ends(solution, rewrites, *tests[:3], tests[5])
    assert found == ["ok", "AssertionError: ", "ok", "ok"], found
