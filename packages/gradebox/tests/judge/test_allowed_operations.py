"""A test uses a submission's objects only as it used those of the reference solution.

At release the judge records what each test needs; at grading time a test may do no more.
"""

from copy import deepcopy

import numpy as np
import pytest
from helpers import cell as made
from helpers import record_tests
from nbformat.v4 import new_notebook
from test_judge import GIVEN, SOLUTION, TEST, cell, ends, graded, judged, outcome
from traitlets.config import Config

from gradebox.autograde.score import score_notebook
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.lesson import ExecutionInputs, Lesson
from gradebox.notebook_exercises import find_grade_id
from gradebox.notebook_metadata import read_flag, read_unable_reason

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
    "try:\n    assert answer() == 42\nexcept BaseException:\n    pass",
]


NUMPY = "import numpy as np"
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


def test_an_object_that_equals_everything_earns_nothing_where_the_solution_returns_a_value():
    cells = [made("test", f"test{n}", text) for n, text in enumerate(ASKS)]
    source = new_notebook(cells=[made("solution", "answer", "def answer():\n    return 42"), *cells])
    notebook = deepcopy(source)
    notebook.cells[0].source = AGREES
    assert all(mode.judged for mode in record_tests(source).values())
    Execute(config=Config()).execute_in_place(notebook, ExecutionInputs(Lesson(source)))
    words = "NotAValue: your code returned an object where this test expects a value"
    assert set(outcome(notebook).values()) == {words}
    assert set(score_notebook(notebook).points.values()) == {0}
    # A mistake of the student's: nothing for the instructor to look at.
    assert not any(read_flag(one) or read_unable_reason(one) for one in notebook.cells)


def test_nor_where_the_solutions_define_a_class_with_operators():
    solution = (
        "class Vector:\n    def __eq__(self, other):\n        return True\ndef answer():\n    return 42"
    )
    named = AGREES.replace("Agrees", "Vector")
    tests = ["assert answer() == 42", "assert Vector()\nassert answer() == 42"]
    for handed_in in (AGREES + "class Vector(Agrees):\n    pass\n", named):
        found = ends(solution, handed_in, *tests)
        assert all(said.startswith("NotAValue: ") for said in found), found


def test_without_a_record_a_test_may_use_objects_but_none_of_their_operators():
    found = judged(AGREES, "assert answer().yes()", "assert answer() == 42", "assert {answer()}")
    assert found[0] == "ok" and all(
        said.startswith("NotJudgeable: the test compares or combines objects of class Agrees (__")
        for said in found[1:]
    ), found


def test_a_test_that_is_new_since_the_record_may_use_values_only():
    tests = [made("test", "test", "assert Net().n == 1")]
    source = new_notebook(cells=[made("solution", "answer", "class Net:\n    n = 1"), *tests])
    record_tests(source)
    recorded = source.metadata
    changed = deepcopy(source)
    changed.cells[1].source += "\nassert Net().n < 2"
    # The record of another notebook is none.
    assert Lesson(source).modes and Lesson(changed).modes is None and recorded == changed.metadata


def test_a_judged_test_uses_no_operators_of_an_object():
    agrees = dict.fromkeys(("eq", "lt", "gt", "ge", "le", "has"), "True")
    agrees |= {"sub": "self", "x": "42", "half": "Vector()"}
    tests = [
        "assert half(84) == 42",
        "assert half(84) < 50 and half(84) >= 30",
        "assert 42 in [half(84)]",
        "assert half(84) - 42 == 0",
        "assert np.allclose(half(84) - np.array([42.0]), 0)",
        # Where the reference's test uses objects, too.
        "assert Vector(3).x == 3\nassert half(84) == 42",
        "assert Vector(3).x == 3\nassert 42 == half(84)",
        "assert Vector(3).x == 3\nassert half(84).__eq__(42)",
    ]
    found = ends(VECTOR.format(**HONEST), VECTOR.format(**(agrees | {"x": "self.x"})), *tests, given=NUMPY)
    assert all(said.startswith(("NotAValue: ", "AssertionError")) for said in found), found
    assert sum(said.startswith("NotAValue: ") for said in found) >= 7, found


def test_tests_of_operators_run_in_the_students_process():
    dataclass = "from dataclasses import dataclass\n@dataclass\nclass Point:\n    x: int = 0\n"
    solution = VECTOR.format(**HONEST) + dataclass
    tests = [
        "assert Vector(3) == Vector(3) and Vector(3) != Vector(4) and Vector(3) < Vector(4)",
        "assert Vector(3) == 3 and not Vector(3) == 4 and Vector(3) != 4 and Vector('a') == 'a'",
        "assert 3 in Vector(3) and 4 not in Vector(3) and Vector(3).__eq__(Vector(3))",
        "assert (Vector(3) - 1).x == 2",
        "assert {Vector(3): 1}[Vector(3)] == 1 and len({Vector(3), Vector(3), Vector(4)}) == 2",
        "assert Point(3) == Point(3) != Point(4)",
    ]
    assert ends(solution, solution, *tests, judged=False) == ["ok"] * len(tests)
    wrong = VECTOR.format(**(HONEST | {"eq": "self is other", "sub": "Vector(0)"})) + dataclass
    found = ends(solution, wrong, tests[0], tests[3], judged=False)
    assert all(said.startswith("AssertionError") for said in found), found


def test_an_object_that_is_also_behind_a_name_decides_nothing_as_a_result():
    solution = "def verdict(x):\n    return [1] if type(x) is list else x > 1\n"
    late = (
        "class Late:\n    asked = 0\n"
        "    def __call__(self, x):\n        return self\n"
        "    def __bool__(self):\n        self.asked += 1\n        return self.asked == 1\n"
        "    def __len__(self):\n        return 1\n"
        "    def __int__(self):\n        return 1\n"
        "verdict = Late()\n"
    )
    tests = [
        "said = [verdict(x) for x in (2, 0)]\nassert said[0] and not said[1]",
        "assert len(verdict([2])) == 1",
        "assert int(verdict(2)) == 1",
    ]
    found = ends(solution, solution + late, *tests)
    assert all(said.startswith("NotAValue: ") for said in found), found
    # Where the reference returns such an object, too, both are one object.
    both = "class Net:\n    def me(self):\n        return self\n    n = 3\nnet = Net()\n"
    assert ends(both, both, "assert net.me() is net and net.me().n == 3", "assert net.n == 3") == ["ok", "ok"]


def test_no_object_is_a_value_of_numpy_torch_or_the_standard_library():
    names = [
        f"numpy.{type(np.True_).__name__}",
        "numpy.generic",
        "numpy.float64",
        "numpy.ndarray",
        "numpy.dtype",
    ]
    names += [
        "torch.Tensor",
        "torch.Size",
        "torch.dtype",
        "torch.device",
        "numpy.rec.recarray",
        "pathlib.Path",
    ]
    names += [
        "decimal.Decimal",
        "fractions.Fraction",
        "datetime.date",
        "collections.OrderedDict",
        "enum.IntEnum",
    ]
    student = (
        "import enum, torch\n"
        f"claims = []\nfor name in {names}:\n"
        "    module, _, name = name.rpartition('.')\n"
        "    base = type(name, (), {'__module__': module, '__bool__': lambda self: True})\n"
        "    claims += [base(), type('Own', (base,), {})()]\n"
        "class Colour(enum.Enum):\n    RED = 1\n"
        "net, red = torch.nn.Linear(2, 1), Colour.RED\n"
    )
    tests = [
        "import decimal, fractions, datetime, pathlib\n"
        "kinds = (np.generic, np.ndarray, np.dtype, torch.Tensor, torch.Size, torch.dtype, torch.device,\n"
        "         int, dict, pathlib.Path, decimal.Decimal, fractions.Fraction, datetime.date)\n"
        "assert len(claims) == 32 and not [one for one in claims if isinstance(one, kinds)]",
        "import enum\nassert isinstance(net.weight, torch.nn.Parameter) and torch.is_tensor(net.weight)\n"
        "assert isinstance(net, torch.nn.Module) and isinstance(red, enum.Enum)",
    ]
    assert judged(student, *tests, given="import enum, torch\nimport numpy as np") == ["ok", "ok"]


def test_an_object_that_the_test_does_not_use_costs_nothing():
    plots = "def draw(n):\n    return {}"
    tests = ["draw(3)", "shown = draw(3)\nassert shown is not None or True", "assert draw(3) is None"]
    found = ends(plots.format("None"), plots.format("object()"), *tests)
    assert found == ["ok", "ok", "AssertionError: "]


def test_names_that_a_test_replaces_after_it_has_ended_are_replaced_in_the_submission():
    student = AGREES + "def f():\n    return 1\ndef g():\n    return 2\ndef both():\n    return f() + g()"
    solution = student.replace("return Agrees()", "return 42")
    replaces = (
        "try:\n    assert answer() == 42\nexcept BaseException:\n    pass\nf, g = lambda: 30, lambda: 40"
    )
    found = ends(solution, student, replaces, "assert both() == 70")
    assert found[0].startswith("NotAValue: ") and found[1] == "ok", found


def test_an_iterator_or_a_parameter_takes_the_place_of_a_list_or_a_tensor():
    solution = (
        "import torch\ndef evens(n):\n    return [2 * k for k in range(n)]\n"
        "def ones():\n    return torch.ones(2)"
    )
    lazy = solution.replace("[2 * k for k in range(n)]", "(2 * k for k in range(n))")
    lazy = lazy.replace("return torch.ones(2)", "return torch.nn.Parameter(torch.ones(2))")
    tests = [
        "assert list(evens(3)) == [0, 2, 4] and sum(evens(4)) == 12",
        "assert ones().sum() == 2 and ones().tolist() == [1, 1]",
        "assert evens(3)[1] == 2",
    ]
    found = ends(solution, lazy, *tests)
    assert found[:2] == ["ok", "ok"] and found[2].startswith("TypeError"), found


def test_an_object_behind_a_name_is_fetched_but_equals_nothing():
    student = AGREES + "value = Agrees()"
    tests = [
        "assert value == 42",
        "assert value[0] == 42",
        "assert value.all()",
        "kept = value\nassert kept is value",
    ]
    agrees = student.replace("def yes(self", "all = __getitem__ = lambda self, *args: self\n    def yes(self")
    found = ends("value = 42", agrees, *tests)
    assert all(said.startswith("NotAValue: ") for said in found[:3]) and found[3] == "ok", found


def test_an_attribute_is_a_value_where_the_reference_has_one():
    solution = "class Net:\n    pass\nnet = Net()\nnet.items = [1, 2]\ndef primes(n):\n    return [2, 3]\n"
    endless = (
        "class Endless:\n"
        "    def __iter__(self):\n        yield from __import__('itertools').count()\n"
        "    def __len__(self):\n        return 2\n"
        "    def __bool__(self):\n        return True\n"
        "    def __repr__(self):\n        return '[1, 2]'\n"
        "net.items = Endless()\ndef primes(n):\n    return net.items\n"
    )
    tests = [
        "assert 2 in net.items",
        "assert len(net.items) == 2",
        "assert net.items",
        "assert str(net.items) == '[1, 2]'",
        "assert 3 in primes(4)",
    ]
    found = ends(solution, solution + endless, *tests)
    assert all(said.startswith(("NotAValue: ", "AssertionError")) for said in found), found


def test_a_method_is_looked_up_to_be_called_and_for_nothing_else():
    solution = "class Net:\n    n = 3\n    def size(self):\n        return 3\nnet = Net()\n"
    callable_ = (
        "class Calls:\n    def __call__(self):\n        return 3\n    def __len__(self):\n        return 3\n"
        "net.size = net.n = Calls()\n"
    )
    tests = [
        "assert net.size() == 3",
        "assert len([*range(net.n)]) == 3",
        "assert net.n",
        "assert f'{net.n}' == '3'",
    ]
    found = ends(solution, solution + callable_, *tests)
    refused = ("NotAValue: ", "AssertionError", "TypeError")
    assert found[0] == "ok" and all(said.startswith(refused) for said in found[1:]), found
    # What a test does with more than values is recorded and allowed.
    parameter = "import torch\nnet = torch.nn.Linear(2, 1)\n"
    tests = [
        "assert net.weight.requires_grad",
        "import torch\nassert isinstance(net.weight, torch.nn.Parameter)",
    ]
    assert ends(parameter, parameter, *tests) == ["ok", "ok"]


def test_functions_of_a_submission_find_what_a_visible_test_imports_and_defines():
    solution = "def area(r):\n    import math\n    return math.pi * r * r"
    tests = [
        "import math\ndef close(a, b):\n    return abs(a - b) < 1e-9\nassert close(area(1), math.pi)",
        "assert close(area(2), 4 * math.pi)",
    ]
    handed_in = "def area(r):\n    assert close(1, 1)\n    return math.pi * r * r"
    assert ends(solution, handed_in, *tests) == ["ok", "ok"]


def test_containers_of_a_test_are_not_changed():
    solution = (
        "def mean(values):\n    return sum(values) / len(values)\n"
        "def ordered(values):\n    return sorted(values)\n"
        "def numbered(table):\n    return [[*row, place] for place, row in enumerate(table)]\n"
        "def same(values):\n    return values\n"
        "def called(function, values):\n    return function(values), values\n"
    )
    tests = [
        "values = [1, 2]\nassert mean(values) == sum(values) / 2",
        "values = [1, 2]\nmean(values)\nassert values == [1, 2]",
        "values = [2, 1]\nassert ordered(values) == [1, 2]",
        "table = [[], []]\nassert numbered(table) == [[0], [1]]",
        "values = [2, 1]\nassert same(values) is values",
        "assert called(len, [1, 2]) == (2, [1, 2])",
    ]
    assert ends(solution, solution, *tests) == ["ok"] * len(tests)
    rewrites = solution.replace("return sum(values) / len(values)", "values[:] = [3.0] * 2\n    return 3.0")
    # A list that an answer has changed and returned is a copy with the new contents.
    rewrites = rewrites.replace("return sorted(values)", "values.sort()\n    return values")
    rewrites = rewrites.replace(
        "return [[*row, place] for place, row in enumerate(table)]",
        "for place, row in enumerate(table):\n        row.append(place)\n    return table",
    )
    # The expected result is that of the test's own list.
    assert ends(solution, rewrites, *tests[:4]) == ["AssertionError: ", "ok", "ok", "ok"]


def test_arrays_are_changed_as_in_one_process():
    solution = "def fill(x):\n    x[:] = 1\ndef total(x):\n    return x.sum()"
    spoils = "def fill(x):\n    pass\ndef total(x):\n    found = x.sum()\n    x[:] = 0\n    return found"
    tests = [
        "x = np.zeros(3)\nfill(x)\nassert (x == 1).all()",
        "x = np.arange(3.0)\ntotal(x)\nassert x[2] == 2, 'changed'",
    ]
    assert ends(solution, solution, *tests, given=NUMPY) == ["ok", "ok"]
    found = ends(solution, spoils, *tests, given=NUMPY)
    assert found == ["AssertionError: ", "AssertionError: changed"]


def test_objects_of_libraries_are_values_or_nothing():
    claims = (
        "import pandas as pd\nimport sympy\n"
        "class Frame(pd.DataFrame):\n    def equals(self, other):\n        return True\n"
        "class Claims:\n"
        "    __class__ = property(lambda self: pd.DataFrame)\n"
        "    equals = equal = all = lambda self, *other: True\n"
        "    _typ = 'dataframe'\n"
        "    def __getattr__(self, name):\n        return getattr(pd.DataFrame({'a': [4]}), name)\n"
        "odd = Frame({'a': [4]})\nclaims = Claims()\n"
        "def loss():\n    return sympy.Symbol('x', negative=True)\n"
        "def table():\n    return pd.Series([1])\n"
    )
    solution = (
        "import pandas as pd\nodd = claims = pd.DataFrame({'a': [5]})\n"
        "def loss():\n    return 0.0\ndef table():\n    return np.ones(1)\n"
    )
    tests = [
        "pd.testing.assert_frame_equal(odd, pd.DataFrame({'a': [5]}))",
        "assert odd.equals(pd.DataFrame({'a': [5]}))",
        "assert claims.equals(pd.DataFrame({'a': [5]}))",
        "assert pd.DataFrame({'a': [5]}).equals(claims)",
        "assert loss() < 0.1",
        "assert (table() == 1).all()",
    ]
    found = ends(solution, claims, *tests, given="import numpy as np\nimport pandas as pd")
    assert found[3] == "AssertionError: " and found[5] == "ok", found
    assert all(found[n].startswith("NotAValue: ") for n in (0, 1, 2, 4)), found


def test_an_operator_that_a_class_lacks_raises_what_python_raises():
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


def test_a_submission_can_not_end_a_loop_of_a_test_with_stop_iteration():
    student = "def answer(x):\n    raise StopIteration"
    test = "for got, want in zip(map(answer, [1, 2]), [1, 4]):\n    assert got == want"
    assert judged(student, test) == ["RuntimeError: the function raised StopIteration"]


def test_a_masked_array_is_compared_by_its_data():
    student = "import numpy as np\ndef answer():\n    return np.ma.masked_all(3)"
    tests = ["assert np.allclose(answer(), [1, 2, 3])", "np.testing.assert_allclose(answer(), [1, 2, 3])"]
    assert all(said.startswith("AssertionError") for said in judged(student, *tests))


def test_a_subclass_of_list_is_compared_by_its_data():
    student = (
        "class Liar(list):\n"
        "    def __eq__(self, other):\n        return True\n"
        "    def __iter__(self):\n        return iter([1, 2])\n"
        "    def sorted(self):\n        return True\n"
        "def answer():\n    return Liar([2, 1])"
    )
    tests = ["assert answer() == [1, 2]", "assert list(answer()) == [1, 2]", "assert answer() == [2, 1]"]
    right = "def answer():\n    return [2, 1]"
    assert ends(right, student, *tests) == ["AssertionError: ", "AssertionError: ", "ok"]
    # Where the reference returns objects, a list with methods is compared by its data, too.
    object_too = "\nclass Own:\n    pass"
    tests = [f"Own()\n{one}" for one in tests if "list" not in one]
    assert ends(right + object_too, student + object_too, *tests) == ["AssertionError: ", "ok"]


@pytest.mark.parametrize("odd", ["metaclass", "getattr", "module", "broken"])
def test_unusual_classes_are_not_flagged(odd):
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
    assert not any(map(read_flag, notebook.cells))


def test_a_test_with_the_tag_unjudged_runs_in_the_students_process():
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
    Execute(config=Config()).execute_in_place(
        notebook, ExecutionInputs(Lesson(new_notebook(cells=deepcopy(cells))))
    )
    assert outcome(notebook) == {"here": "ok", "there": "ok"}
    assert [find_grade_id(one) for one in notebook.cells if read_unable_reason(one)] == []


def test_a_submission_neither_sees_nor_suppresses_a_failed_assertion():
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
    assert judged(student, *tests) == ["AssertionError: hidden words", "ok", "ok", "ok"]


def test_what_a_function_of_the_test_asserts_is_said_by_the_test_alone():
    student = (
        "heard = []\ndef generate(model, n):\n    try:\n        return model(n)\n"
        "    except AssertionError as error:\n        heard.append(str(error))\n        raise"
    )
    model = "def model(n):\n    assert n < 3, f'{n} tokens are too many'\n    return n\n"
    tests = [
        f"{model}assert generate(model, 2) == 2",
        f"{model}assert generate(model, 7) == 7",
        "assert heard == ['']",
    ]
    assert judged(student, *tests) == ["ok", "AssertionError: 7 tokens are too many", "ok"]


def test_a_test_may_use_the_name_of_a_built_in_function():
    student = "def total(x):\n    return sum(x)\ndef joined(x):\n    return ','.join(x)"
    tests = [
        "max = [1, 2]\nassert total(max) == 3",
        "list = ['a', 'b']\nassert joined(list) == 'a,b'",
    ]
    assert ends(student, student, *tests) == ["ok"] * 2
