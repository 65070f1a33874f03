"""What a test sets up around a call is in force in the submission during that call."""

from test_judge import TEST, ends, graded, judged, outcome

ASKS = """
import numpy as np, torch

def overflow():
    return float(np.exp(np.array([1e4]))[0])

def shown():
    return str(np.array([1 / 3]))

def gradients():
    return [torch.is_grad_enabled(), torch.is_inference_mode_enabled()]

def kind():
    return str(torch.ones(1).dtype)

def error_of(function):
    try:
        return function()
    except FloatingPointError as error:
        return type(error).__name__
"""
GIVEN = "import numpy as np, torch"


def passes(student: str, *tests: str) -> bool:
    """Whether these tests pass after these lines of the student's, with a judge and without."""
    return all(
        judged(ASKS + student, *tests, given=GIVEN, isolation=isolation) == ["ok"] * len(tests)
        for isolation in ("auto", "none")
    )


def test_what_a_test_sets_around_a_call_holds_there_and_ends_with_it():
    assert passes(
        "np.seterr(all='raise')",
        "assert error_of(overflow) == 'FloatingPointError', overflow()\n"
        "with np.errstate(over='ignore'):\n    assert overflow() == np.inf\n"
        "assert error_of(overflow) == 'FloatingPointError'",
        "with np.printoptions(precision=2):\n    assert shown() == '[0.33]'\n"
        "assert shown() == '[0.33333333]'",
        "with torch.no_grad():\n    assert gradients() == [False, False]\n"
        "with torch.inference_mode():\n    assert gradients() == [False, True]\n"
        "assert gradients() == [True, False]",
        "torch.set_default_dtype(torch.float64)\n"
        "assert kind() == 'torch.float64'\ntorch.set_default_dtype(torch.float32)\n"
        "assert kind() == 'torch.float32'",
    )


def test_what_a_submission_sets_for_itself_holds_where_a_test_sets_nothing():
    assert passes(
        "torch.set_default_dtype(torch.float64)\ntorch.set_grad_enabled(False)\n"
        "np.set_printoptions(precision=3)",
        "assert kind() == 'torch.float64' and gradients() == [False, False] and shown() == '[0.333]'\n"
        "with np.errstate(all='raise'):\n"
        "    assert kind() == 'torch.float64' and gradients() == [False, False] and shown() == '[0.333]'\n"
        "    assert error_of(overflow) == 'FloatingPointError'",
    )


def test_what_a_test_leaves_set_ends_with_it():
    leaves = "np.seterr(all='raise')\ntorch.set_default_dtype(torch.float64)"
    leaves += "\nassert error_of(overflow) == 'FloatingPointError' and kind() == 'torch.float64'"
    after = "assert overflow() == np.inf and kind() == 'torch.float32'\n"
    after += "assert np.geterr()['over'] == 'warn' and torch.get_default_dtype() is torch.float32"
    assert judged(ASKS, leaves, after, given=GIVEN) == ["ok", "ok"]


def test_a_test_seeds_the_random_generators_of_a_submission():
    assert passes(
        "import random\ndef draw():\n    return random.random(), np.random.rand(), float(torch.rand(1))",
        "import random\ndef seed():\n    random.seed(1)\n    np.random.seed(2)\n    torch.manual_seed(3)\n"
        "seed()\nfirst = draw()\nassert draw() != first\nseed()\nassert draw() == first\n"
        "seed()\nassert first == (random.random(), np.random.rand(), float(torch.rand(1)))",
    )


def test_a_submission_prints_nothing_while_a_test_redirects_its_output():
    """`check` repeats a call to find the mistake: what it prints is shown once."""
    notebook = graded(
        ("answer", None, "def says():\n    print('said')\n    return 1"),
        (
            "test",
            TEST,
            "from contextlib import redirect_stdout\nfrom io import StringIO\nfirst = says()\n"
            "with redirect_stdout(StringIO()):\n    again = says()\nassert first == again == 1",
        ),
    )
    assert outcome(notebook) == {"test": "ok"}
    assert "".join(output.text for output in notebook.cells[1].outputs) == "said\n"


def test_what_a_test_captures_or_replaces_runs_in_the_students_process():
    student = (
        "import sys, warnings\ndef says():\n    print('said')\n    print('loud', file=sys.stderr)\n"
        "def deprecated():\n    warnings.warn('old', DeprecationWarning)\n"
        "def asks():\n    return int(input('n? ')) + 1"
    )
    tests = [
        "from contextlib import redirect_stderr, redirect_stdout\nfrom io import StringIO\n"
        "with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:\n    says()\n"
        "assert out.getvalue() == 'said\\n' and err.getvalue() == 'loud\\n'",
        "import pytest\nwith pytest.warns(DeprecationWarning, match='old'):\n    deprecated()",
        "import warnings\nwith warnings.catch_warnings():\n    warnings.simplefilter('error')\n"
        "    try:\n        deprecated()\n    except DeprecationWarning:\n        pass\n"
        "    else:\n        assert False",
        "from unittest.mock import patch\nwith patch('builtins.input', return_value='5') as mock:\n"
        "    assert asks() == 6\nmock.assert_called_once_with('n? ')",
        "from unittest.mock import patch\nwith patch('builtins.print') as mock:\n    says()\n"
        "assert mock.call_count == 2",
        "import builtins\nkept, builtins.input = builtins.input, lambda text: '7'\n"
        "try:\n    assert asks() == 8\nfinally:\n    builtins.input = kept",
        "answers = iter(['1', '2'])\ninput = lambda text='': next(answers)\n"
        "assert asks() == 2 and asks() == 3\ndel input",
    ]
    assert ends(student, student, *tests, judged=False) == ["ok"] * len(tests)
