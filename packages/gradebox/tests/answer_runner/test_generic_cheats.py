"""Generic cheats solve nothing, also where an answer hands its result to a function that it is given."""

import contextlib

import numpy as np
import pytest

from gradebox.answer_runner.generic_cheats import CHEATS


def right(write, count):
    write(np.arange(count))


# One that is right once, and only once, is a cheat by itself.
@pytest.mark.parametrize("title", sorted(CHEATS.keys() - {"remembers its first answer"}))
def test_no_cheat_has_the_right_answer_hand_over_its_result(title):
    written: list[np.ndarray] = []
    with contextlib.suppress(ValueError):
        CHEATS[title]()(right, (written.append, 3), {}, 0)
    assert not written


@pytest.mark.parametrize("number", [0.0, 1.0])
def test_the_shape_of_the_right_answer_is_asked_where_no_function_is_passed(number):
    title = "zeros of the right shape" if number == 0 else "ones of the right shape"
    assert np.array_equal(CHEATS[title]()(np.arange, (3,), {}, 0), [number] * 3)
