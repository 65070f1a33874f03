"""Read the points that a test cell's last value gives, from the text that the kernel displayed.

`score.py`, `incidents.py` and `parity/` use these functions. The text is parsed and never evaluated, because
a test in the student's process may display a student's object.
"""

import math
import re

from nbconvert.filters import strip_ansi
from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.notebook_metadata import OK, has_passed_second_chance, read_ending
from gradebox.printable_text import format_file_name

NUMBER = r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
# Plain numbers, and scalars of NumPy and PyTorch. A tensor also displays arguments, such as
# `dtype=torch.float64`, `device='cuda:0'` and `grad_fn=<MulBackward0>`.
FORMS = [
    re.compile(form)
    for form in (
        NUMBER,
        rf"np\.(?:u?int(?:[0-9]+|c)|u?longlong|float[0-9]+|longdouble)\('?{NUMBER}'?\)",
        rf"tensor\({NUMBER}(?:,\s*\w+=[\w.:<>']+)*\)",
    )
]
# Julia's `@test` and `@testset` return this value for a pass, and raise an exception for a failure.
JULIA_PASS = re.compile(r"Test Passed\b|Test\.DefaultTestSet\(")
# Relative error of a sum of single-precision numbers, which may be above the maximum or below 0.
ROUNDING = 1e-6


def read_last_value(cell: NotebookNode) -> str | None:
    """Return the text of a cell's last value, "" for a value without text; None if there is no value."""
    values = [output for output in cell.outputs if output.output_type == "execute_result"]
    text = strip_ansi(values[-1].data.get("text/plain", "")).strip() if values else ""
    return None if not values or JULIA_PASS.match(text) else text


def parse_number(text: str) -> float:
    """Return the number that a text displays; NaN if the text displays anything else."""
    for form in FORMS:
        if found := form.fullmatch(text):
            return float(found[1])
    return math.nan


def parse_points(text: str, most: float) -> float | None:
    """Return the points that a text displays; None unless they are from 0 to the maximum, `most`."""
    points, error = parse_number(text), most * ROUNDING
    return min(max(points, 0.0), most) if -error <= points <= most + error else None


def find_invalid_points(cell: NotebookNode) -> str | None:
    """Return what is wrong with the last value of a finished test, in one clause.

    Return None for a number of points, for a test without a value or of 0 points, and for any other cell.
    """
    tested = cell.cell_type == "code" and utils.is_grade(cell) and not utils.is_solution(cell)
    if not tested or read_ending(cell) != OK or has_passed_second_chance(cell):
        return None
    text, most = read_last_value(cell), float(cell.metadata.nbgrader.points)
    if text is None or not most or parse_points(text, most) is not None:
        return None
    value = format_file_name(" ".join(text.split())) or "a value without text"
    # This is False for NaN.
    if abs(parse_number(text)) < math.inf:
        return f"its last line gives {value}, which is not from 0 to {most:g} points"
    return f"its last line gives {value}, which is not a number of points"
