"""Nothing that a submission has returned is run as code in the judge."""

import pytest
from helpers import cell, record_tests
from nbformat.v4 import new_notebook
from test_judge import ends, judged

RUNS_HERE = "__import__('builtins').__dict__.__setitem__('hacked', 1)"
RUN = [
    "eval(answer())",
    "exec(answer())",
    "exec(compile(answer(), 'x', 'exec'))",
    "import ast\nexec(compile(ast.parse(answer()), 'x', 'exec'))",
    "eval(f'[{answer()}]')",
    "sympy.sympify(answer())",
    "sympy.lambdify(sympy.Symbol('x'), answer())(1)",
    "import timeit\ntimeit.timeit(answer(), number=1)",
    "import typing\ntyping.ForwardRef(answer())._evaluate({}, {}, recursive_guard=frozenset())",
    "get_ipython().run_cell(answer())",
    "try:\n    eval(answer())\nexcept BaseException:\n    pass",
    "import threading\none = threading.Thread(target=eval, args=[answer()])\none.start()\none.join()",
    "import types\ntypes.FunctionType(compile(answer(), 'x', 'exec'), {})()",
    "import pickle\npickle.loads(model())",
    "import io, pickle\n"
    "try:\n    pickle._Unpickler(io.BytesIO(model())).load()\nexcept BaseException:\n    pass",
    "import cloudpickle\ncloudpickle.loads(model())",
    "import subprocess\nsubprocess.run(command(), shell=True)",
    "import os\nos.system(command())",
    "said = command()\n!{said}",
]
STUDENT = (
    "import pickle\n"
    "class Runs:\n    def __reduce__(self):\n        return exec, ('import builtins; builtins.hacked = 1',)\n"
    f"def answer():\n    return {RUNS_HERE!r}\n"
    "def model():\n    return pickle.dumps(Runs())\n"
    "def command():\n    return 'touch hacked'\n"
)
LOOK = "import builtins, os\nassert not hasattr(builtins, 'hacked') and not os.path.exists('hacked')"


def test_text_pickles_and_commands_of_a_submission_are_not_run():
    tests = [one for text in RUN for one in (text, LOOK)]
    found = judged(STUDENT, *tests, given="import sympy")
    ended = dict(zip(RUN, found[::2], strict=True))
    assert all(said.startswith("NotJudgeable: the test runs text") for said in ended.values()), ended
    assert set(found[1::2]) == {"ok"}, found


@pytest.mark.parametrize(
    "test",
    [
        "assert eval(text()) == 2",
        "exec('x = ' + text())\nassert x == 2",
        "assert eval('outer()') == 1",
        "import types\nassert types.FunctionType((lambda: 3).__code__, {})() == 3",
        "import pickle\nassert pickle.loads(pickle.dumps(print)) is print",
        "import subprocess\nassert subprocess.run(['true']).returncode == 0",
        "import os\nassert os.system('true') == 0",
    ],
)
def test_a_test_that_runs_text_runs_in_the_students_process(test):
    solution = "def text():\n    return '1 + 1'\ndef outer():\n    return 1"
    source = new_notebook(cells=[cell("solution", "answer", solution), cell("test", "test", test)])
    assert record_tests(source)["test"].reason.startswith("the test runs text or data as code, or a program")


def test_what_libraries_run_of_their_own_is_allowed():
    student = (
        "import numpy as np, torch\n"
        "def literal():\n    return '[1, 2]'\ndef inner():\n    return 1\ndef outer():\n    return inner()\n"
        "def numbers():\n    return np.ones(3)\ndef tensor():\n    return torch.ones(3)\n"
        "def types(x: 'list[int]') -> 'float':\n    return 1\n"
    )
    tests = [
        "import ast\nassert ast.literal_eval(literal()) == [1, 2]",
        "import enum\nfrom collections import namedtuple\nfrom dataclasses import dataclass\n"
        "P = namedtuple('P', 'a b')\n@dataclass(order=True)\nclass Q:\n    c: int\n"
        "E = enum.Enum('E', 'A B')\nclass F(enum.Flag):\n    A = 1\n"
        "assert P(1, 2).b == 2 and Q(1) < Q(2) and E.A is not E.B and F.A and outer() == 1",
        "import colorsys, this\nfrom xml.dom import minidom\nassert colorsys.rgb_to_hsv(0, 0, 0)",
        "np.testing.assert_allclose(numbers(), np.ones(3))\n"
        "np.testing.assert_array_equal(numbers(), [1, 1, 1])",
        "torch.testing.assert_close(tensor(), torch.ones(3))",
        "import pandas as pd\n"
        "pd.testing.assert_frame_equal(pd.DataFrame({'a': numbers()}), pd.DataFrame({'a': [1.0] * 3}))",
        "from unittest.mock import patch\nwith patch('__main__.inner', lambda: 5):\n"
        "    assert outer() == 5\nassert outer() == 1",
        "import json, pickle\nassert pickle.loads(pickle.dumps([1, 2])) == json.loads('[1, 2]')",
        "import functools\n@functools.singledispatch\ndef f(x):\n    return 0\n"
        "@f.register\ndef _(x: int):\n    return outer()\nassert f(1) == 1",
        "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n"
        "        self.assertEqual(outer(), 1)\nassert T('test').run().wasSuccessful()",
    ]
    assert ends(student, student, *tests, given="import numpy as np, torch") == ["ok"] * len(tests)
