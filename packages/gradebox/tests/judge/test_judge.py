"""Tests run in a process that the student's code is not in: real kernels, one for each side."""

import ast
import gc
import subprocess
import sys
import threading
from copy import deepcopy

import pytest
from helpers import cell as made
from helpers import contained, record_tests
from nbformat.v4 import new_code_cell, new_notebook
from traitlets.config import Config

from gradebox.execute import session_pair
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.lesson import ExecutionInputs, Lesson
from gradebox.notebook_exercises import find_grade_id
from gradebox.notebook_metadata import FAILED, KILLED, OK, read_ending, read_flag
from gradebox.static_analysis.cell_names import parse_cell

GIVEN, TEST = {"grade": False, "solution": False}, {"grade": True, "solution": False, "points": 1}
SOLUTION = {"grade": False, "solution": True, "locked": False}


def cell(name: str, role: dict | None, source: str):
    new = new_code_cell(source)
    if role:
        new.metadata["nbgrader"] = {
            "grade_id": name,
            "locked": True,
            "schema_version": 3,
            "task": False,
            "points": 0,
            "grade": False,
            "solution": False,
            **role,
        }
    return new


def graded(*cells, isolation: str = "auto", **settings):
    """Grade a notebook of (name, role, source); all cells with a role are the instructor's, too."""
    config = Config()
    config.Execute = Config(isolation=isolation, preload=["numpy", "matplotlib.pyplot", "torch"], **settings)
    config.Execute.extra_arguments = ["--HistoryManager.hist_file=:memory:", "--log-level=ERROR"]
    config.Execute.shutdown_kernel = "immediate"
    notebook = new_notebook(cells=[cell(*one) for one in cells])
    source = new_notebook(cells=[cell(*one) for one in cells if one[1]])
    Execute(config=config).execute_in_place(notebook, ExecutionInputs(Lesson(source)))
    return notebook


def outcome(notebook) -> dict[str, str]:
    """How each test ended: "ok", or its error."""
    found = {}
    for one in notebook.cells:
        if one.metadata.get("nbgrader", {}).get("grade"):
            errors = [o for o in one.outputs if o.output_type == "error"]
            said = f"{errors[-1].ename}: {errors[-1].evalue}" if errors else read_ending(one)
            found[find_grade_id(one)] = said
    return found


def judged(student: str, *tests: str, given: str = "import numpy as np", **settings) -> list[str]:
    """How tests of one student's cell end."""
    numbered = [(f"test{n}", TEST, source) for n, source in enumerate(tests)]
    notebook = graded(("given", GIVEN, given), ("answer", None, student), *numbered, **settings)
    return list(outcome(notebook).values())


def ends(solution: str, handed_in: str, *tests: str, given: str = "", judged: bool = True) -> list[str]:
    """How tests end for a submission after a release has recorded what they need with the solution.

    judged: whether all of them run in the judge, or none does.
    """
    locked = [made("given", "given", given)] if given else []
    cells = [made("test", f"test{n}", text) for n, text in enumerate(tests)]
    source = new_notebook(cells=[*locked, made("solution", "answer", solution), *cells])
    notebook = deepcopy(source)
    notebook.cells[len(locked)].source = handed_in
    modes = record_tests(source)
    assert [mode.judged for mode in modes.values()] == [judged] * len(tests), modes
    Execute(config=Config()).execute_in_place(notebook, ExecutionInputs(Lesson(source)))
    assert not any(map(read_flag, notebook.cells))
    return list(outcome(notebook).values())


def test_a_test_sees_what_a_students_function_gives_back():
    student = "import numpy as np\ndef double(x, by=2):\n    return np.asarray(x) * by"
    right = "assert np.array_equal(double(np.arange(3)), [0, 2, 4]) and double([1], by=5)[0] == 5"
    assert judged(student, right, "assert double(1) == 3, f'{double(1)} is not 3'") == [
        "ok",
        "AssertionError: 2 is not 3",
    ]


def test_the_student_side_is_another_process_without_the_tests():
    student = (
        "import os, gc\n"
        "def home():\n    return os.getcwd()\n"
        "def known():\n    return [n for n in globals() if 'secret' in n]\n"
        "def heard():\n    return any('hidden' + '-word' in s for s in gc.get_objects() if type(s) is str)"
    )
    test = (
        "import os\nsecret = 'hidden-word'\nassert home() != os.getcwd()\nassert not known() and not heard()"
    )
    assert judged(student, test) == ["ok"]
    # In one process, they are there.
    assert judged(student, test, isolation="none")[0].startswith("AssertionError")


@pytest.mark.parametrize("isolation", [pytest.param("full", marks=contained), "judge"])
def test_it_needs_no_sandbox(isolation):
    assert judged("def one():\n    return 1", "assert one() == 1", isolation=isolation) == ["ok"]


def test_it_needs_no_warm_process_either(monkeypatch):
    monkeypatch.setattr(session_pair, "can_fork_kernels", lambda: False)
    student = "import os\ndef double(x):\n    return 2 * x\ndef die():\n    os._exit(0)"
    tests = ["assert double(np.ones(2)).tolist() == [2, 2]", "die()", "assert double(1) == 3"]
    assert judged(student, *tests, isolation="judge") == [
        "ok",
        "Broken: the submission's process has ended",
        "AssertionError: ",
    ]


@pytest.mark.parametrize("forked", [True, False])
def test_no_name_of_the_judge_holds_the_source_or_a_result_of_an_earlier_test(monkeypatch, forked):
    monkeypatch.setattr(session_pair, "can_fork_kernels", lambda: forked)
    earlier = "assert one() == 1  # a hidden source\n'a hidden ' + 'result'"
    reads = (
        "mark = 'a hidden '\n"
        "names = [name for name, value in list(globals().items()) if mark in str(value) and name != 'mark']\n"
        "history = {'In', 'Out', '_', '__', '___', '_oh', *(f'_{i * n}' for i in 'i' for n in (1, 2, 3))}\n"
        "history |= {f'_i{n}' for n in ('h', *range(9))} | {f'_{n}' for n in range(9)}\n"
        "assert not names and not history & {*globals()}, (names, history & {*globals()})"
    )
    places = [earlier, "assert one() == 2, 'visible'\n", reads, "%cd -q .\n%history\nassert one() == 1"]
    ends = judged("def one():\n    return 1", *places, isolation="judge")
    assert ends == ["ok", "AssertionError: visible", "ok", "ok"]


def test_an_error_comes_back_as_the_class_that_it_is_one_of():
    student = (
        "import numpy as np\n"
        "class Own(ValueError): pass\n"
        "def fail(how):\n"
        "    if how == 'own': raise Own('mine')\n"
        "    if how == 'axis': np.zeros(2).sum(axis=5)\n"
        "    if how == 'key': {}['k']\n"
        "    if how == 'decode': b'\\xff'.decode()\n"
        "    raise NotImplementedError()"
    )
    test = (
        "expected = [('own', ValueError), ('axis', IndexError), ('axis', ValueError), ('key', KeyError)]\n"
        "for how, kind in [*expected, ('decode', ValueError), ('', NotImplementedError)]:\n"
        "    try:\n        fail(how)\n"
        "    except kind as error:\n        said = type(error).__name__, str(error)\n"
        "    else:\n        assert False, how\n"
        "    assert how != 'own' or said == ('Own', 'mine')"
    )
    assert judged(student, test, "fail('own')") == ["ok", "Own: mine"]


def test_the_students_traceback_is_shown():
    notebook = graded(
        ("answer", None, "def bad():\n    return 1 / 0  # here"),
        ("test", TEST, "bad()"),
    )
    shown = "\n".join(notebook.cells[1].outputs[-1].traceback)
    assert "in bad" in shown and "In the submission" in shown


def test_an_argument_that_is_changed_there_is_changed_here():
    student = "def spoil(x):\n    x[0] = 9\n    return x"
    given = "import numpy as np, torch"
    test = (
        "for x in (np.zeros(3), np.zeros((2, 3))[:, ::2].T, torch.zeros(3), np.zeros(3, bool)):\n"
        "    y = spoil(x)\n    assert (y == x).all() and x.reshape(-1)[0], x\n"
        "x = np.zeros(3)\nspoil([x])\n"
    )
    assert judged(student, test, given=given) == ["ok"]


def test_a_module_of_the_test_comes_back_with_its_mode_and_its_numbers():
    student = (
        "import torch\n"
        "def look(model):\n    model.eval()\n    return model(torch.ones(1, 2))\n"
        "def part(models):\n    models[1][0].train()\n"
        "def step(model):\n"
        "    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)\n"
        "    model(torch.ones(1, 2)).sum().backward()\n    optimizer.step()\n"
        "def fail(model):\n    model.train()\n    raise ValueError('no')\n"
        "def spoil(model):\n    model.eval()\n    model.more = torch.nn.Linear(1, 1)\n    del model[0]\n"
    )
    given = "import torch\nfrom torch import nn"
    test = (
        "model = nn.Sequential(nn.Linear(2, 3), nn.Dropout(0.5), nn.BatchNorm1d(3))\n"
        "modes = lambda: [one.training for one in model.modules()]\n"
        "assert look(model).shape == (1, 3) and modes() == 4 * [False], modes()\n"
        "part([1, model])\nassert modes() == [False, True, False, False], modes()\n"
        "before = [one.clone() for one in model.parameters()]\n"
        "step(model)\n"
        "assert not torch.equal(model[0].bias, before[1]) and model[0].bias.requires_grad\n"
        "moved = [one - other for one, other in zip(model.parameters(), before)]\n"
        "assert (moved[0] - moved[1][:, None]).abs().max() < 1e-6\n"
        "try:\n    fail(model)\nexcept ValueError:\n    assert modes() == 4 * [True], modes()\n"
        "spoil(model)\nassert len(model) == 3\n"
    )
    assert judged(student, test, given=given) == ["ok"]


def test_a_module_of_the_test_may_hold_one_of_the_students():
    student = (
        "import torch\n"
        "class Layer(torch.nn.Linear):\n    pass\n"
        "def apply(model):\n    return model[1](model[0](torch.ones(1, 2)))\n"
    )
    given = "import torch\nfrom torch import nn"
    test = (
        "layer, model = Layer(2, 3), nn.Sequential(nn.Identity())\n"
        "model._modules['1'] = layer\n"
        "assert torch.equal(apply(model), layer(torch.ones(1, 2)))\n"
    )
    assert judged(student, test, given=given) == ["ok"]


def test_an_argument_that_a_function_of_the_test_changes_is_changed_there():
    student = (
        "import numpy as np, torch\n"
        "def changed(function):\n"
        "    found = []\n"
        "    for x in (np.zeros(3), np.zeros((2, 3))[:, ::2].T, torch.zeros(2, 3).T, torch.ones(2, 2)[1]):\n"
        "        kept = np.array(x)\n"
        "        try:\n            function(x, [x])\n"
        "        except ValueError:\n            pass\n"
        "        found.append(int((np.array(x) != kept).sum()))\n"
        "    return found\n"
    )
    test = (
        "def spoil(x, others):\n    x[0] = 9\n    others[0][-1] = 7\n"
        "def fail(x, others):\n    x[0] = 9\n    raise ValueError('no')\n"
        "assert changed(lambda x, others: x.sum()) == [0, 0, 0, 0]\n"
        "assert changed(fail) == [1, 2, 2, 1], changed(fail)\n"
        "assert changed(spoil)[0] >= 1, changed(spoil)\n"
    )
    assert judged(student, test) == ["ok"]


def test_objects_are_stand_ins_with_attributes_items_calls_iteration_and_length():
    student = (
        "import numpy as np\n"
        "class Layer:\n"
        "    def __init__(self, n):\n        self.weight, self.part = np.ones(n), self\n"
        "    def __call__(self, x):\n        return x * self.weight\n"
        "    def __len__(self):\n        return len(self.weight)\n"
        "    def __getitem__(self, k):\n        return self.weight[k]\n"
        "    def __setitem__(self, k, v):\n        self.weight[k] = v\n"
        "    def __repr__(self):\n        return 'a layer'\n"
        "def upto(n):\n    yield from range(n)\n"
        "def same(a, b):\n    return a is b\n"
    )
    test = (
        "layer = Layer(3)\n"
        "layer.weight = np.array([1., 2, 3])\n"
        "assert layer.weight.tolist() == [1, 2, 3] and (layer(np.ones(3)) == [1, 2, 3]).all()\n"
        "layer[0] = 5\n"
        "assert layer[0] == 5 and len(layer) == 3 and repr(layer) == 'a layer' and bool(layer)\n"
        "assert list(upto(4)) == [0, 1, 2, 3] and hasattr(layer, 'weight') and not hasattr(layer, 'bias')\n"
        "assert same(layer, layer.part) and layer.part is layer\n"
        "assert np.asarray(Layer(2).weight).shape == (2,)\n"
    )
    assert judged(student, test) == ["ok"]


def test_a_torch_module_is_a_stand_in_and_its_parameters_can_be_read():
    student = (
        "import torch\n"
        "class Net(torch.nn.Module):\n"
        "    def __init__(self):\n        super().__init__()\n        self.q = torch.nn.Linear(2, 3)\n"
        "    def forward(self, x):\n        return self.q(x)\n"
    )
    test = (
        "net = Net()\n"
        "net.load_state_dict({'q.weight': torch.ones(3, 2), 'q.bias': torch.zeros(3)})\n"
        "assert net.q.weight.shape == (3, 2) and torch.equal(net(torch.ones(1, 2)), torch.full((1, 3), 2.))\n"
        "assert sorted(net.state_dict()) == ['q.bias', 'q.weight']\n"
        "assert {n: len(p.shape) for n, p in net.named_parameters()} == {'q.weight': 2, 'q.bias': 1}\n"
        "assert np.asarray(net.q.weight).sum() == 6 and not net(torch.ones(1, 2)).requires_grad\n"
    )
    assert judged(student, test, given="import numpy as np, torch") == ["ok"]


def test_pyplot_draws_on_the_axes_that_a_test_passes_and_the_figure_is_closed():
    student = (
        "import matplotlib.pyplot as plt\n"
        "def draw(ax, table):\n    plt.sca(ax)\n    plt.imshow(table)\n    return ax\n"
        "def count():\n    return len(plt.get_fignums())"
    )
    given = "import numpy as np, matplotlib.pyplot as plt"
    test = (
        "figure, (other, second) = plt.subplots(1, 2)\nfigure.sca(other)\n"
        "assert np.array_equal(draw(second, np.eye(2)).images[0].get_array(), np.eye(2))\n"
    )
    assert judged(student, test, "assert count() == 0", given=given) == ["ok", "ok"]


def test_a_figure_that_a_test_passes_is_a_copy_that_can_be_returned_and_looked_at():
    student = (
        "def draw(ax, table):\n    ax.imshow(table, vmin=0, vmax=1)\n    ax.set_xlabel('key')\n    return ax"
    )
    given = "import matplotlib.pyplot as plt\nimport numpy as np"
    test = (
        "figure, ax = plt.subplots()\n"
        "drawn = draw(ax, np.eye(2))\n"
        "assert np.array_equal(drawn.images[0].get_array(), np.eye(2)) and drawn.get_xlabel() == 'key'\n"
        "assert tuple(drawn.images[0].get_clim()) == (0, 1) and not ax.images\n"
    )
    assert judged(student, test, given=given) == ["ok"]


def test_a_function_that_a_test_passes_stays_with_the_judge():
    student = (
        "def twice(f, x):\n    return f(f(x))\n"
        "def look(f):\n"
        "    code, closed = f.__code__, [cell.cell_contents for cell in f.__closure__]\n"
        "    return 3 in (*code.co_consts, *closed) or 'hidden' in (*code.co_names, *code.co_freevars)\n"
        "def back(f):\n"
        "    try:\n        f(1)\n    except KeyError as error:\n        return str(error)\n"
    )
    test = (
        "hidden = 3\n"
        "assert twice(lambda x: x + hidden, np.zeros(2)).tolist() == [6, 6] and not look(lambda: hidden)\n"
        "def fail(x):\n    raise KeyError('no')\n"
        "assert back(fail) == ''\n"
        "def through(x):\n    return twice(lambda y: y * 2, x)\n"
        "assert twice(through, 1) == 16\n"
        "heard = []\n"
        "twice(heard.append, 5)\n"
        "assert heard == [5, None], heard\n"
    )
    assert judged(student, test) == ["ok"]


def test_of_an_error_of_the_test_only_the_class_reaches_the_submission():
    student = (
        "import traceback\n"
        "def caught(f):\n"
        "    try:\n        f()\n"
        "    except Exception as error:\n"
        "        kept = error.args, error.__cause__, error.__context__, vars(error)\n"
        "        return type(error).__name__, traceback.format_exc() + str(error) + repr(kept)\n"
        "def own():\n    raise KeyError('of mine')\n"
    )
    test = (
        "class Secret(ValueError):\n    def __init__(self, told):\n        self.told = told\n"
        "def literal():\n    raise ValueError('hidden')\n"
        "def computed():\n    return {}['hid' + 'den']\n"
        "def of_a_library():\n    return np.zeros('hidden')\n"
        "def of_a_file():\n    open('hidden')\n"
        "def of_bytes():\n    b'\\xffhidden'.decode()\n"
        "def private():\n    raise Secret('hidden')\n"
        "def noted():\n    error = TypeError('hidden')\n    error.__notes__ = ['hidden']\n    raise error\n"
        "def caused():\n    try:\n        own()\n"
        "    except KeyError as error:\n        raise IndexError('hidden') from error\n"
        "names = {literal: 'ValueError', computed: 'KeyError', of_a_library: 'TypeError',\n"
        "         of_a_file: 'FileNotFoundError', of_bytes: 'UnicodeDecodeError', private: 'Secret',\n"
        "         noted: 'TypeError', caused: 'IndexError'}\n"
        "for function, name in names.items():\n"
        "    kind, told = caught(function)\n"
        "    assert kind == name and 'hidden' not in told and 'of mine' not in told, (kind, told)\n"
        # The submission's own error is not the test's.
        "kind, told = caught(lambda: own())\n"
        "assert kind == 'KeyError' and 'of mine' in told\n"
    )
    assert judged(student, test) == ["ok"]


def test_functions_that_a_test_passes_look_like_functions_and_all_alike():
    student = (
        "import inspect, types\n"
        "def looks(f):\n"
        "    named = f.__name__, f.__qualname__, f.__doc__, sorted(vars(f)) == ['__signature__']\n"
        "    return isinstance(f, types.FunctionType), str(inspect.signature(f)), repr(named)\n"
        "def numbers(f):\n"
        "    return [c.cell_contents for c in f.__closure__ if type(c.cell_contents) is int]"
    )
    test = (
        "from functools import partial\n"
        "def right(Q, K, V, mask=None, *, scale=2.0):\n    'The right one.'\n"
        "def wrong(Q, K, V, mask=None, *, scale=2.0, mistake):\n    return 3\n"
        "wrong.kind = 'wrong'\n"
        "one, other = looks(right), looks(partial(wrong, mistake='forgets the scale'))\n"
        "assert one == other and one[0] is True, other\n"
        "assert one[1] == '(Q, K, V, mask=None, *, scale=Ellipsis)', one\n"
        "(first,), (second,), (third,) = numbers(right), numbers(wrong), numbers(right)\n"
        "assert len({first, second, third}) == 3 and not first < second < third < first + 2**20"
    )
    assert judged(student, test) == ["ok"]


def test_threads_may_call_a_function_that_a_test_passes_and_only_while_it_runs():
    student = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "kept = []\n"
        "def over(f, xs):\n"
        "    kept.append(f)\n"
        "    with ThreadPoolExecutor(4) as pool:\n        return list(pool.map(f, xs))\n"
        "def later():\n    return kept[0](3)\n"
    )
    notebook = graded(
        ("answer", None, student),
        ("test1", TEST, "assert over(lambda x: x * x, list(range(20))) == [x * x for x in range(20)]"),
        ("own", None, "try:\n    later()\nexcept RuntimeError as error:\n    print(error)"),
        ("test2", TEST, "assert over(lambda x: -x, [1]) == [-1]"),
    )
    assert outcome(notebook) == {"test1": "ok", "test2": "ok"}
    assert "only during that test" in notebook.cells[2].outputs[0].text
    assert not any(read_flag(cell) for cell in notebook.cells)


def test_honest_results_of_any_kind_are_no_reason_for_a_flag():
    student = (
        "import numpy as np\nfrom fractions import Fraction\n"
        "def exact():\n    return np.array([Fraction(1, 2), Fraction(1, 4)])\n"
        "def mixed():\n    return np.array([1, None, 'a'], dtype=object)\n"
        "def keyed():\n    return {frozenset({1, 2}): 3}\n"
        "def deep(n):\n    return {'in': deep(n - 1)} if n else 1\n"
        "def large(n=500_000):\n    return 1 << n\n"
        "def table():\n    return [[10 * i + j for j in range(1000)] for i in range(1000)]\n"
        "def text():\n    return 'ä' * 10**7\n"
        "def endless():\n    found = [1]\n    found.append(found)\n    return found\n"
    )
    tests = [
        "assert np.asarray(exact(), dtype=float).tolist() == [0.5, 0.25]",
        "np.asarray(mixed(), dtype=float)",
        "assert keyed() == {frozenset({1, 2}): 3}",
        "x = deep(80)\nfor _ in range(80): x = x['in']\nassert x == 1",
        "assert large() == 1 << 500_000",
        "assert len([[0.5] * 1000 for _ in range(1000)]) == len(table()) == 1000 and table()[5][7] == 57",
        "assert text() == 'ä' * 10**7",
        "large(10**7)",
        "deep(500)",
        "try:\n    assert endless()[0] == 1\nexcept Exception:\n    pass",
    ]
    notebook = graded(
        ("given", GIVEN, "import numpy as np"),
        ("answer", None, student),
        *((f"test{n}", TEST, source) for n, source in enumerate(tests)),
    )
    found = list(outcome(notebook).values())
    assert [found[0], *found[2:7]] == ["ok"] * 6
    assert found[1].startswith(("TypeError", "ValueError"))
    # What can't be sent is for the instructor to see, and no silent 0.
    too_large = "NotJudgeable: the submission returned a value that is nested too deeply, or too large"
    assert all(said.startswith(too_large) for said in found[7:9]) and found[9] == "ok", found[7:]
    assert not any(read_flag(cell) for cell in notebook.cells)


def test_an_array_that_must_not_be_changed_is_refused_and_one_that_was_changed_before_an_error_shows():
    student = "def spoil(x):\n    x[0] = 9\n    raise KeyError('late')"
    tests = [
        "x = np.zeros(3)\nx.flags.writeable = False\nspoil(x)",
        "x = np.zeros(3)\ntry:\n    spoil(x)\nexcept KeyError:\n    assert x[0] == 9\nelse:\n    1 / 0",
    ]
    found = judged(student, *tests)
    assert found[0].startswith("ValueError: assignment destination is read-only") and found[1] == "ok"


def test_what_lies_beside_a_submission_is_never_imported_by_the_judge(tmp_path):
    planted = {"planted.py": b"def allclose(*args):\n    return True\n", "data.txt": b"mine"}
    config = Config()
    config.Execute = Config(preload=["numpy"])
    cells = [
        cell("answer", None, "def seen():\n    return open('data.txt').read()"),
        cell("test1", TEST, "import planted"),
        cell("test2", TEST, "assert seen() == 'mine' and open('data.txt').read() == 'given'"),
    ]
    notebook = new_notebook(cells=cells)
    given = {"data.txt": b"given"}
    Execute(config=config).execute_in_place(
        notebook, ExecutionInputs(Lesson(new_notebook(cells=cells[1:])), planted, given)
    )
    assert outcome(notebook) == {"test1": "ModuleNotFoundError: No module named 'planted'", "test2": "ok"}


def test_names_that_locked_cells_set_in_less_plain_ways_are_the_judges_too():
    lies = (
        "class np:\n    @staticmethod\n    def allclose(*args):\n        return True\n"
        "gcd = lambda *args: 1\ndef helper(x):\n    return 1\nlimit = 99\ndef double(x):\n    return None"
    )
    given = {
        "magic": "%config InlineBackend.figure_format = 'png'\nimport numpy as np",
        "timed": "%%time\ndef helper(x):\n    return 2",
        "star": "from math import *",
        "global": "def set_limit():\n    global limit\n    limit = 1",
    }
    tests = {
        "test1": "assert np.allclose(double(1), 2)",
        "test2": "assert helper(double(1)) == 1",
        "test3": "assert gcd(4, 6) == 1",
        "test4": "assert limit == 99",
    }
    locked = [cell(name, GIVEN, source) for name, source in given.items()]
    testing = [cell(name, TEST, source) for name, source in tests.items()]
    config = Config()
    config.Execute = Config(preload=["numpy"])
    # The student has moved the locked cells behind the tests.
    notebook = new_notebook(cells=[cell("lies", None, lies), *testing, *locked])
    Execute(config=config).execute_in_place(
        notebook, ExecutionInputs(Lesson(new_notebook(cells=[*locked, *testing])))
    )
    assert all(said.startswith("NameError") for said in outcome(notebook).values()), outcome(notebook)


def test_names_that_both_sides_have_are_the_judges_own():
    student = (
        "import numpy as np\nnp.allclose = lambda *a, **k: True\n"
        "def helper(x):\n    return 'mine'\nanswer = [1]"
    )
    given = "import numpy as np\ndef helper(x):\n    return 'given'"
    tests = ["assert helper(1) == 'given'", "assert np.allclose(answer, [2]), answer"]
    assert judged(student, *tests, given=given) == ["ok", "AssertionError: [1]"]


def test_helpers_of_the_instructor_find_the_students_functions_and_the_newest_ones():
    given = "def used():\n    return inner() + 1\ndef inner():\n    return theirs()"
    notebook = graded(
        ("given", GIVEN, given),
        ("first", None, "def theirs():\n    return 1"),
        ("test1", TEST, "assert used() == 2"),
        ("second", None, "def theirs():\n    return 5"),
        ("test2", TEST, "assert used() == 6"),
        ("gone", None, "del theirs"),
        ("test3", TEST, "used()"),
    )
    assert outcome(notebook) == {
        "test1": "ok",
        "test2": "ok",
        "test3": "NameError: name 'theirs' is not defined",
    }


def test_a_name_that_the_instructor_gives_a_value_to_is_never_taken_from_a_submission():
    student = "def f():\n    return 1 / 0\nexpected = 7\ndef value():\n    return 7"
    tests = ["f()\nexpected = 8", "assert value() == expected"]
    assert judged(student, *tests) == [
        "ZeroDivisionError: division by zero",
        "NameError: name 'expected' is not defined",
    ]


def test_a_test_may_change_a_variable_that_the_student_was_asked_for():
    tests = ["answer = round(answer, 1)\nassert answer == 2.7", "answer += 1\nassert answer > 3"]
    assert judged("answer = 2.718", *tests) == ["ok", "ok"]


def impatient(cell) -> int:
    """Little time for a cell that is known to be stuck."""
    return 3 if "stuck()" in cell.source else 120


def asked(*cells) -> dict[str, str]:
    """How tests end where the solution, a cell of (name, SOLUTION, source), is the instructor's, too."""
    return outcome(graded(*cells))


def test_what_a_test_does_to_a_name_of_the_students_reaches_the_student():
    student = (
        "rate, table = 2, [1, 2]\n"
        "def inner(n):\n    return n * rate\n"
        "def outer(n):\n    return inner(n) + table[0]\n"
    )
    tests = {
        "deleted": "kept = inner\ndel inner\ntry:\n    outer(1)\nexcept NameError:\n    pass\n"
        "else:\n    assert False\nfinally:\n    inner = kept\nassert outer(1) == 3",
        "back again": "assert outer(1) == 3",
        "replaced": "heard = []\ndef inner(n):\n    heard.append(n)\n    return 7\n"
        "assert outer(4) == 8 and heard == [4]",
        "stays replaced": "assert outer(4) == 8 and inner(1) == 7",
        "given a value": "rate = 100\nassert rate == 100",
        "seen before": "rate = rate + 1\nassert rate == 101",
        "by a function": "def off():\n    global table\n    del table\noff()\n"
        "try:\n    outer(1)\nexcept NameError:\n    pass\nelse:\n    assert False",
    }
    cells = [("answer", SOLUTION, student)] + [(name, TEST, text) for name, text in tests.items()]
    assert asked(*cells) == dict.fromkeys(tests, "ok")


def test_a_test_reaches_a_name_of_the_students_through_a_string():
    student = "def inner():\n    return 1\ndef outer():\n    return inner()"
    tests = {
        "patched": "from unittest.mock import patch\n"
        "with patch('__main__.inner', lambda: 5):\n    assert outer() == 5\nassert outer() == 1",
        "looked up": "assert globals()['outer']() == 1 and 'inner' in globals()",
        "taken out": "old = globals().pop('inner')\ntry:\n    outer()\nexcept NameError:\n    pass\n"
        "else:\n    assert False\nglobals()['inner'] = old",
        "there": "assert outer() == 1",
    }
    cells = [("answer", SOLUTION, student)] + [(name, TEST, text) for name, text in tests.items()]
    assert asked(*cells) == dict.fromkeys(tests, "ok")


def test_a_function_of_the_students_may_be_called_like_a_built_in_one():
    tests = ("assert max(1, 2) == 2", "def best(*all):\n    return max(*all)\nassert best(3, 1) == 3")
    for body, ends in (("return a if a > b else b", "ok"), ("return a", "AssertionError: ")):
        found = asked(
            ("answer", SOLUTION, f"def max(a, b):\n    {body}"), *[(text, TEST, text) for text in tests]
        )
        assert found[tests[0]] == ends and found[tests[1]] == "ok"


def test_what_a_student_does_after_a_test_has_replaced_a_name_counts():
    assert asked(
        ("answer", SOLUTION, "def inner():\n    return 1\ndef outer():\n    return inner()"),
        ("test1", TEST, "old = inner\ninner = lambda: 2\nassert outer() == 2"),
        ("mine", None, "def inner():\n    return 3"),
        ("test2", TEST, "assert inner() == 3 and outer() == 3"),
    ) == {"test1": "ok", "test2": "ok"}


def test_a_locked_cell_that_both_sides_run_does_what_it_does_once():
    assert asked(
        ("answer", SOLUTION, "def times():\n    return 1"),
        ("given", GIVEN, "def doubled(f):\n    return lambda: 2 * f()\ntimes = doubled(times)"),
        ("test", TEST, "assert times() == 2, times()"),
    ) == {"test": "ok"}


def test_what_a_test_calls_its_own_does_not_reach_the_student():
    student = "expected = None\ndef told():\n    return expected"
    test = "expected = 42\nassert told() is None and expected == 42"
    # `expected` is no name that the reference solution gives a value to.
    notebook = graded(("answer", None, student), ("test", TEST, test))
    assert outcome(notebook) == {"test": "ok"}


def test_imports_of_cells_that_students_may_change_are_the_instructors():
    config = Config()
    config.Execute = Config(preload=["numpy"])
    opener, test = (
        cell("opener", None, "import numpy as np"),
        cell("test", TEST, "assert np.allclose(one(), 2)"),
    )
    mine = cell("opener", None, "import numpy as np\nnp.allclose = lambda *a: True\ndef one():\n    return 1")
    notebook = new_notebook(cells=[mine, test])
    Execute(config=config).execute_in_place(
        notebook, ExecutionInputs(Lesson(new_notebook(cells=[opener, test])))
    )
    assert outcome(notebook)["test"].startswith("AssertionError")


def test_what_a_students_function_prints_is_in_the_graded_copy():
    notebook = graded(
        ("answer", None, "def say():\n    print('hello')"), ("test", TEST, "say()\nprint('there')")
    )
    assert "".join(o.text for o in notebook.cells[1].outputs) == "hello\nthere\n"


def test_a_call_that_does_not_return_fails_its_test_and_the_rest_goes_on():
    student = "def stuck():\n    while True: pass\ndef fine():\n    return 1"
    results = judged(student, "assert fine() == 1", "stuck()", "assert fine() == 1", timeout_func=impatient)
    assert results[0] == results[2] == "ok" and results[1].startswith("CellTimeoutError")


@pytest.mark.usefixtures("counted_seconds")
def test_to_run_cells_again_takes_no_more_than_the_notebooks_time(tmp_path):
    """Three seconds are counted for each of eight cells, and one for each that is run again."""
    log = tmp_path / "log"
    first = f"import os, pathlib\nlog = pathlib.Path({str(log)!r})\nagain = log.exists()\nlog.touch()"
    each = "with log.open('a') as file:\n    file.write('again ' * again)"
    cells = [("first", None, first), *[(f"cell{n}", None, each) for n in range(6)]]
    notebook = graded(
        *cells, ("end", None, "os._exit(0)"), ("test", TEST, ""), isolation="judge", notebook_timeout=29
    )
    assert read_ending(notebook.cells[-2]) == KILLED
    assert 1 <= log.read_text().count("again") < 6


def test_an_error_that_is_called_as_the_graders_own_is_the_submissions():
    name = "class CellTimeoutError(Exception):\n    pass\ndef late():\n    raise CellTimeoutError('\\x1b[2J')"
    notebook = graded(("answer", None, name), ("own", None, "late()"), ("test", TEST, "late()"))
    assert [read_ending(cell) for cell in notebook.cells] == [OK, FAILED, FAILED]


def test_a_process_that_ends_fails_its_test_and_the_rest_goes_on():
    student = "import os\ndef die():\n    os._exit(0)\ndef fine():\n    return 1"
    results = judged(student, "assert fine() == 1", "die()", "assert fine() == 1")
    assert results[0] == results[2] == "ok"
    assert (
        results[1] == "GradingError: This cell ended the Python process; the cells after it ran without it."
    )


@pytest.mark.parametrize("how", ["SystemExit()", "KeyboardInterrupt()", "GeneratorExit()", "BaseException()"])
def test_what_ends_a_program_is_no_error_that_a_test_expects(how):
    student = f"def leave():\n    raise {how}"
    test = "try:\n    leave()\nexcept Exception:\n    pass"
    assert judged(student, test)[0].startswith("Broken: the submission raised")


def test_a_test_that_swallows_everything_does_not_pass_without_an_answer():
    student = "import os\ndef die():\n    os._exit(0)"
    test = "try:\n    die()\nexcept BaseException:\n    pass"
    assert judged(student, test)[0].startswith("GradingError")


FORGED = (
    "import gradebox.judge.submission_server as side\n"
    "def answer():\n    {}\n    return 1\n"
    "link = side._server.channel.link"
)


@pytest.mark.parametrize(
    "forgery",
    [
        "link.sendall(b'x' * 100)",
        "side._server.channel.send({'to': 10**9, 'value': 1, 'changed': []})",
        "side._server.channel.send({'call': 7, 'with': [[], {'is': 'dict', 'of': []}]})",
        "side._server.channel.send({'to': [], 'value': 1})",
        "side._server.channel.send({'to': True, 'value': 1, 'changed': []})",
        "link.sendall(bytes([255]) * 64)",
    ],
)
def test_a_forged_answer_fails_the_test_and_is_flagged(forgery):
    notebook = graded(
        ("answer", None, FORGED.format(forgery)),
        ("test1", TEST, "assert answer() == 1\nassert answer() == 1"),
        ("test2", TEST, "assert 1 == 1"),
    )
    assert outcome(notebook)["test1"].startswith("Tampered: the submission's process has sent")
    assert outcome(notebook)["test2"] == "ok"
    assert "has sent" in read_flag(notebook.cells[1]) and not read_flag(notebook.cells[2])


def test_what_is_sent_before_anybody_asked_is_flagged():
    early = (
        "import gradebox.judge.submission_server as side\nside._server.channel.link.sendall(b'early')\n"
        "def one():\n    return 1"
    )
    notebook = graded(("answer", None, early), ("test", TEST, "assert one() == 1"))
    assert read_flag(notebook.cells[1]) == "the submission's process has sent an unsolicited message"


def test_cells_that_pretend_to_be_the_instructors_are_the_students():
    config = Config()
    config.Execute = Config(preload=["numpy"])
    mine = cell("made-up", TEST, "import os; home = os.getcwd()")
    test = cell("test", TEST, "import os\nassert home != os.getcwd()")
    notebook = new_notebook(cells=[mine, test])
    Execute(config=config).execute_in_place(notebook, ExecutionInputs(Lesson(new_notebook(cells=[test]))))
    assert outcome(notebook)["test"] == "ok"


def test_cells_are_read_also_while_other_threads_read_cells():
    source = "\n".join(
        f"def f{n}(a=[1, (2, {{3: 4}})]):\n    return [x + (y * (z - 1)) for x in a]" for n in range(40)
    )
    expected, found = ast.dump(parse_cell(source)), []
    interval, threshold = sys.getswitchinterval(), gc.get_threshold()

    # What Dask does in its workers: the collector runs Python code, and another thread may go on after it.
    def collected(*_) -> None:
        sum(range(50))

    def read() -> None:
        found.extend(ast.dump(parse_cell(source)) for _ in range(15))

    try:
        sys.setswitchinterval(1e-6)
        gc.set_threshold(50)
        gc.callbacks.append(collected)
        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
        gc.set_threshold(*threshold)
        gc.callbacks.remove(collected)
    assert found == [expected] * 60


def test_what_tests_run_in_imports_no_more_than_it_needs():
    """It is forked for each submission, and a kernel of its own has all of this ahead of it."""
    names = {"nbformat", "nbgrader", "pandas", "sympy", "scipy"}
    look = f"import sys, gradebox.judge.rpc_client\nprint({names} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


LAYER = """
import torch

class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.v = torch.nn.Linear(4, 3), torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.softmax(self.q(x), -1) * self.v(x)
"""


def test_gradients_of_the_students_process_are_compared_with_finite_differences():
    from gradebox.release.generate_checks_cell import build_checks_code

    table = {"layer": {"defines": ["Layer"], "advice": {}, "calls": {}}}
    checks, _ = build_checks_code(table, "def unused():\n    check_gradients()", "")
    test = (
        "layer = Layer()\n"
        "check_gradients('layer', 'gradients', layer, ['q.weight', 'v.weight', 'v.bias'], x=torch.rand(5, 4))"
    )
    given = f"import torch\n{checks}"
    assert ends(LAYER, LAYER, test, given=given) == [OK]
    cut = LAYER.replace("self.q(x), -1)", "self.q(x), -1).detach()")
    (said,) = ends(LAYER, cut, test, given=given)
    assert said.startswith("AssertionError: gradients: no gradient reaches q.weight\nline 10 of your"), said
    stops = LAYER.replace("self.v(x)", "self.v(x).numpy()")
    (said,) = ends(LAYER, stops, test, given=given)
    assert "Can't call numpy()" in said and said.splitlines()[-1].startswith("line 10 of your cell"), said
    # Only the right gradients are accepted, whatever the student's process replies.
    for reply in (
        "{}",
        "{n: torch.ones(3) for n in ('q.weight', 'v.weight', 'v.bias', 'x')}",
        "{n: torch.ones_like(v) for n, v in [*a[0].named_parameters(), *a[1].items()]}",
        "{n: float('nan') * v.detach() for n, v in [*a[0].named_parameters(), *a[1].items()]}",
    ):
        fake = (
            "import gradebox.judge.submission_server as s\ns.get_server().requests['gradients'] = lambda *a: "
        )
        (said,) = ends(LAYER, f"{LAYER}\n{fake}{reply}", test, given=given)
        assert said != OK, reply
