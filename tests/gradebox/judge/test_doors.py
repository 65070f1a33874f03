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
    assert found["pickle"].startswith("NoData")
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
