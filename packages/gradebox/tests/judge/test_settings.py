"""What a test sets around a call holds in the submission, for that call; and what a submission sets around a
call of a test's function holds in the test.
"""

import warnings

import numpy as np
import pytest
import torch
from test_judge import judged

from gradebox.judge import settings
from gradebox.judge.protocol import Malformed

ASKS = """
import warnings
import numpy as np, torch

def overflow():
    return float(np.exp(np.array([1e4]))[0])

def deprecated():
    warnings.warn("old", DeprecationWarning)

def shown():
    return str(np.array([1 / 3]))

def gradients():
    return [torch.is_grad_enabled(), torch.is_inference_mode_enabled()]

def kind():
    return str(torch.ones(1).dtype)

def error_of(function):
    try:
        return function()
    except (FloatingPointError, Warning) as error:
        return type(error).__name__
"""
GIVEN = "import warnings\nimport numpy as np, torch"


def passes(student: str, *tests: str) -> bool:
    """Whether these tests pass after these lines of the student's, with a judge and without."""
    return all(
        judged(ASKS + student, *tests, given=GIVEN, isolation=isolation) == ["ok"] * len(tests)
        for isolation in ("auto", "none")
    )


def test_what_a_test_sets_around_a_call_holds_there_and_ends_with_it():
    assert passes(
        "np.seterr(all='raise')\nwarnings.simplefilter('error')",
        "assert error_of(overflow) == 'FloatingPointError', overflow()\n"
        "with np.errstate(over='ignore'):\n    assert overflow() == np.inf\n"
        "assert error_of(overflow) == 'FloatingPointError'",
        "assert error_of(deprecated) == 'DeprecationWarning'\n"
        "with warnings.catch_warnings():\n"
        "    warnings.simplefilter('ignore')\n    assert deprecated() is None\n"
        "    warnings.filterwarnings('error', 'ol', DeprecationWarning)\n"
        "    assert error_of(deprecated) == 'DeprecationWarning'\n"
        "    warnings.resetwarnings()\n    assert deprecated() is None\n"
        "assert error_of(deprecated) == 'DeprecationWarning'",
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
        "np.set_printoptions(precision=3)\nwarnings.simplefilter('error', UserWarning)",
        "assert kind() == 'torch.float64' and gradients() == [False, False] and shown() == '[0.333]'\n"
        "with np.errstate(all='raise'):\n"
        "    assert kind() == 'torch.float64' and gradients() == [False, False] and shown() == '[0.333]'\n"
        "    assert error_of(overflow) == 'FloatingPointError'",
    )


def test_what_a_test_leaves_set_ends_with_it():
    leaves = "np.seterr(all='raise')\nwarnings.simplefilter('error')\ntorch.set_default_dtype(torch.float64)"
    leaves += "\nassert error_of(overflow) == 'FloatingPointError' and kind() == 'torch.float64'"
    after = "assert overflow() == np.inf and deprecated() is None and kind() == 'torch.float32'\n"
    after += "assert np.geterr()['over'] == 'warn' and torch.get_default_dtype() is torch.float32"
    assert judged(ASKS, leaves, after, given=GIVEN) == ["ok", "ok"]


def test_what_a_submission_sets_around_a_tests_function_holds_in_that():
    assert passes(
        "def strict(function):\n    with np.errstate(over='raise'), torch.no_grad():\n"
        "        return error_of(function)",
        "def mine():\n    assert not torch.is_grad_enabled()\n    return float(np.exp(np.array([1e4]))[0])\n"
        "assert strict(mine) == 'FloatingPointError'\n"
        "assert torch.is_grad_enabled() and np.geterr()['over'] == 'warn'",
    )


def test_every_setting_is_put_back():
    before = settings.current()
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "a.*b", DeprecationWarning, "mod")
        with np.errstate(all="raise"), np.printoptions(precision=3):
            said = settings.changed(before)
    assert settings.current() == before and settings.changed(before) == {}
    with settings.taken_over(said):
        assert np.geterr()["over"] == "raise" and np.get_printoptions()["precision"] == 3
        assert warnings.filters[0][0] == "error" and warnings.filters[0][1].match("axb")
        with pytest.raises(DeprecationWarning):
            warnings.warn_explicit("acb", DeprecationWarning, "file", 1, "mod")
    assert settings.current() == before


def filter_replaced():
    settings.filters()[0] = ("ignore", None, UserWarning, None, 0)


@pytest.mark.parametrize(
    "change",
    [
        *(lambda name=name: np.seterr(**{name: "print"}) for name in settings.ERRORS),
        lambda: np.set_printoptions(precision=3),
        lambda: np.set_printoptions(floatmode="fixed", suppress=True),
        lambda: warnings.simplefilter("error"),
        lambda: warnings.simplefilter("ignore", append=True),
        lambda: warnings.resetwarnings(),
        filter_replaced,
        lambda: torch.set_grad_enabled(False),
        lambda: torch.set_default_dtype(torch.float64),
    ],
)
def test_whatever_is_set_is_noticed(change):
    before = settings.current()
    assert settings.current(before) is before and settings.changed(before) == {}
    try:
        change()
        now = settings.current(before)
        assert now != before and now == settings.current() and settings.changed(before) != {}
        assert settings.changed(now) == {}
    finally:
        before.put()
    assert settings.current(before) is before
    with torch.inference_mode():
        assert settings.changed(before) == {"gradients": False, "inference": True}


@pytest.mark.parametrize(
    "said",
    [
        1,
        [],
        {"over": "call"},
        {"over": []},
        {"precision": "3"},
        {"sign": "?"},
        {"formatter": {}},
        {"type": "torch.save"},
        {"gradients": 1},
        {"filters": 3},
        {"filters": [[]]},
        {"filters": [["error", "(", "builtins:Warning", None, 0]] * 201},
        {"filters": [["error", ["(", 0], "builtins:Warning", None, 0]]},
        {"filters": [["error", None, 5, None, 0]]},
        {"filters": [["explode", None, "builtins:Warning", None, 0]]},
        {"filters": [["error", ["a", 0, 1], "builtins:Warning", None, 0]]},
        {"filters": [["error", "a" * 1001, "builtins:Warning", None, 0]]},
    ],
)
def test_what_is_no_setting_is_refused_and_changes_nothing(said):
    before = settings.current()
    with pytest.raises(Malformed):
        with settings.taken_over(said or [0]):
            pass
    assert settings.current() == before


def test_a_class_of_warnings_that_this_process_does_not_know_is_left_out():
    before = settings.current()
    for category in ("nowhere:Warning2", "builtins:eval", "os:system", "builtins:ValueError"):
        with settings.taken_over({"filters": [["error", None, category, None, 0]]}):
            assert settings.current() == before
