"""Matplotlib figures that a test passes, in the student's process. Used by `submission_server.py`."""

import contextlib
import sys
from typing import Any


def restore_current_axes(value: Any) -> None:
    """Make the current axes of an unpickled figure current again.

    Unpickling resets the count by which Matplotlib finds them, so that pyplot would draw on other axes.
    """
    figure: Any = getattr(value, "figure", None)
    if "matplotlib.figure" in sys.modules and getattr(figure, "axes", None):
        figure.sca(figure.gca())


def list_open_figures() -> set[int]:
    pyplot = sys.modules.get("matplotlib.pyplot")
    return set(pyplot.get_fignums()) if pyplot else set()


def close_figures(others: set[int]) -> None:
    """Close the figures of a test, which would be displayed below the student's next cell.

    others: the numbers of the figures that were open before the test.
    """
    with contextlib.suppress(Exception):
        for number in list_open_figures() - others:
            sys.modules["matplotlib.pyplot"].close(number)
