"""No text and no pickle of a submission is run in the judge, and those of the course are as ever."""

import pickle
from pathlib import PurePosixPath

from test_doors import ends, played
from test_judge import SOLUTION, TEST, judged

RUNS_HERE = "__import__('builtins').__dict__.__setitem__('hacked', 1)"
SPLICED = "(\nsetattr\n(\n__import__\n(\n'builtins'\n)\n,\n'hacked'\n,\n42\n)\nor\n42\n)"
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
    "exec(answer.__code__)",
    "import types\ntypes.FunctionType(answer.__code__, {})()",
    "import types\ntypes.FunctionType(answer.__code__.replace(co_filename='x'), {})()",
    "assert eval(lines()), 'answer(), evaluated, should be 42'",
    "exec(blanks())\nassert True, 'import builtins.hacked = 1, (or so)'",
    "expected = 42\nassert eval(word()) == expected",
    "def check():\n    expected = 42\n    return eval(word()) == expected\nassert check()",
    "expected = 42\nassert eval(f'{word()} + 1') == 43",
    "import threading\none = threading.Thread(target=eval, args=[answer()])\none.start()\none.join()",
]


def test_no_text_of_a_submission_is_run_in_the_judge():
    student = (
        f"def answer():\n    return {RUNS_HERE!r}\n"
        f"def lines():\n    return {SPLICED!r}\n"
        "def blanks():\n    return 'import builtins\\x0c\\nbuiltins.hacked\\x0c=\\x0c1'\n"
        "def word():\n    return 'expected'"
    )
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


def test_yaml_makes_no_objects():
    student = (
        "def said():\n"
        "    return \"!!python/object/apply:builtins.setattr [!!python/module:builtins '', hacked, 1]\""
    )
    tests = [
        "yaml.load(said(), Loader=yaml.Loader)",
        "yaml.unsafe_load(said())",
        "import builtins\nassert not hasattr(builtins, 'hacked') and yaml.safe_load('[1, a]') == [1, 'a']",
    ]
    found = ends(student, student, *tests, given="import yaml")
    assert found[2] == "ok" and all(said.startswith("Unable: ") for said in found[:2]), found


def test_no_program_is_started_that_a_submission_names_or_has_written():
    student = (
        "def words():\n    return 'echo mine'\n"
        "def write():\n    open('script.txt', 'w').write('echo mine')\n    return 1"
    )
    starts = "import subprocess, sys, os\n"
    tests = {
        "own": starts + "assert subprocess.run(['echo', 'x'], capture_output=True).stdout == b'x\\n'",
        "python": starts + "subprocess.run([sys.executable, '-c', 'pass'], check=True)",
        "line": "found = !echo own\nassert found == ['own']",
        "run": starts + "subprocess.run(words(), shell=True)",
        "system": starts + "os.system(words())",
        "bang": "said = words()\n!{said}",
        "file": starts + "write()\nsubprocess.run(['sh', 'script.txt'])",
    }
    cells = [("answer", SOLUTION, student), *((name, TEST, text) for name, text in tests.items())]
    found = played({}, *cells)
    assert [found.pop(name) for name in ("own", "python", "line")] == ["ok"] * 3
    assert all(said.startswith("Unable: ") for said in found.values()), found


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
        "get_ipython().run_cell('c = double(4)')\nassert c == 8 and triple(1) == 3",
        "MORE = ['double(5)']\ndef run(text):\n    return eval(text)",
        "assert [run(one) for one in MORE] == [10]",
        "%timeit -n1 -r1 double(3)",
        'def double_of():\n    """\n    >>> double(2)\n    4\n    """\n'
        "import doctest\ndoctest.run_docstring_examples(double_of, globals())",
        "import inspect\nassert '2 * x' in inspect.getsource(double) and double.__code__.co_argcount == 1",
    ]
    given = (
        "import sympy\nx = sympy.Symbol('x')\nCASES = ['double(1)', 'triple(1)']\n"
        "def helper(text):\n    return eval(text)"
    )
    assert set(found := ends(student, student, *tests, given=given)) == {"ok"}, found


def test_a_pickle_of_the_instructors_is_read_as_ever_and_none_that_came_from_a_submission():
    student = (
        "import pickle\nfrom fractions import Fraction\n"
        "class Runs:\n    def __reduce__(self):\n"
        "        return exec, ('import builtins; builtins.hacked = 1',)\n"
        "def model():\n    return pickle.dumps(Runs())\n"
        "def save():\n    open('model.pkl', 'wb').write(model())\n"
        "def plain():\n    return pickle.dumps({'a': [1, Fraction(1, 2)]})\n"
    )
    read = "import pickle, io, _pickle, os, tempfile\nfrom multiprocessing.reduction import ForkingPickler\n"
    read += "raw = model()\n"
    own = "assert pickle.load(open('own.pkl', 'rb')).name == 'x'\n"
    tests = {
        "own": f"import pickle\n{own}plain()\n{own}",
        "plain": "import pickle\nassert pickle.loads(plain())['a'][1] == 0.5",
        "bytes": f"{read}pickle.loads(raw)",
        "between": f"{read}{own}pickle.loads(raw)",
        "stream": f"{read}{own}pickle.load(io.BytesIO(raw))",
        "after": f"{read}import cloudpickle\ncloudpickle.loads(raw)",
        "mixed": f"{read}save()\n"
        "with open('model.pkl', 'rb') as a, open('own.pkl') as b:\n    pickle.load(a)",
        "there": f"{read}with tempfile.TemporaryFile(dir='.') as t:\n    t.write(raw)\n    t.seek(0)\n"
        "    open('own.pkl').close()\n    pickle.load(t)",
        "inner": f"{read}{own}_pickle.Unpickler(io.BytesIO(raw)).load()",
        "forked": f"{read}{own}ForkingPickler.loads(raw)",
        "later": f"{read}{own}pickle.Unpickler(io.BytesIO(raw)).load()",
        "python": f"{read}{own}pickle._Unpickler(io.BytesIO(raw)).load()",
        "imported": f"{read}import colorsys\nfrom pickle import Unpickler\nUnpickler(io.BytesIO(raw)).load()",
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
