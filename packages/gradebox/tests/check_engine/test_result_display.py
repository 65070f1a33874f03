"""What a notebook shows for test cells, in a real kernel."""

import re

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from gradebox.release.generate_checks_cell import build_checks_code

TESTS = {
    "double": """# Test of 1.1 Double (2 points). Run the checks cell first.
returns("double", doubled="place")
check("double", "two numbers", double, np.array([1.0, 3]))
check("double", "one number", double, np.array([4.0]))""",
    "four": """# Test of 1.2 Four times (3 points). Run the checks cell first.
assert four(1) == 4, "four(1) is not 4" + "\\n" + "multiply by four" + 40 * " please\"""",
}
TABLE = {
    "double": {
        "defines": ["double"],
        "number": "1.1",
        "builds on": [],
        "advice": {},
        "calls": {
            "two numbers": [["x"], [[2, 6]], []],
            "one number": [["x"], [[8]], []],
        },
    },
    "four": {"defines": ["four"], "number": "1.2", "builds on": ["double"], "advice": {}, "calls": {}},
}
STUB = "def {}(x):\n    raise NotImplementedError()"
POINTS = 'show_points("1.1 1.2", by_exercise=True)'


def outputs(*cells: str) -> list[str]:
    """Execute cells after the checks cell, and return the text of each cell's output, without colours."""
    checks = build_checks_code(TABLE, "", "\n".join(TESTS.values()))[0]
    nb = new_notebook(cells=[new_code_cell(text) for text in ("import numpy as np", checks, *cells)])
    nb.metadata.kernelspec = {"name": "python3", "display_name": "", "language": "python"}
    NotebookClient(nb, timeout=120, allow_errors=True).execute()
    nbformat.validate(nb)
    texts = [
        "\n".join("\n".join(one.get("traceback", [])) or one.get("text", "") for one in cell.outputs)
        for cell in nb.cells
    ]
    return [re.sub(r"\x1b\[[\d;]*m", "", text).rstrip("\n") for text in texts[2:]]


def test_a_passed_test_is_one_line_and_points_are_counted():
    double, test, four, other, points = outputs(
        "def double(x):\n    return 2 * x",
        TESTS["double"],
        "def four(x):\n    return 4 * x",
        TESTS["four"],
        POINTS,
    )
    assert (double, four) == ("", "")
    assert test == "✓ 1.1 Double: 2 checks passed here; more are tried when graded"
    assert other == "✓ 1.2 Four times: passed here; more are tried when graded"
    assert points.splitlines() == [
        "5 of 5 points of the visible tests",
        "  2 of 2  1.1 Double",
        "  3 of 3  1.2 Four times",
    ]


def test_a_failed_test_is_a_few_lines_and_the_last_says_what_to_do():
    _, test, points = outputs("def double(x):\n    return x", TESTS["double"], POINTS)
    first, *details, last = test.splitlines()
    assert first == "✗ Test of 1.1 Double: two numbers"
    assert details == ["  doubled at place 0 is 1 and should be 2", "  called with x (2,)"]
    assert last.startswith("→ ")
    assert "0 of 5" in points and "0 of 2  1.1 Double" in points and "not run  1.2 Four times" in points


def test_a_long_message_of_a_plain_assert_is_wrapped():
    _, test = outputs("def four(x):\n    return 3 * x", TESTS["four"])
    assert test.startswith("✗ Test of 1.2 Four times\n  four(1) is not 4\n→ multiply by four please")
    assert max(map(len, test.splitlines())) <= 96


@pytest.mark.parametrize("written", [STUB.format("double"), "pass"])
def test_a_demonstration_names_the_exercise_to_solve_first(written):
    _, demonstration, other = outputs(written, "print(double(np.ones(2)))", "print(twice)")
    assert demonstration == "→ First solve 1.1 and run its cell, which defines double."
    assert "NameError" in other and "→" not in other


def test_an_error_of_a_helper_names_the_earlier_exercise_that_fails():
    cells = (
        "def double(x):\n    return x",
        TESTS["double"],
        "def four(x):\n    return double(x) / 0",
        TESTS["four"],
    )
    *_, test = outputs(*cells)
    assert "ZeroDivisionError" in test and test.endswith("→ the test of 1.1 fails: start there")
    *_, test = outputs(*cells[:2], "def four(x):\n    return double(double(x))", TESTS["four"])
    assert test.splitlines()[-1] == "→ the test of 1.1 fails: start there" and len(test.splitlines()) <= 8


def test_other_errors_keep_pythons_traceback():
    _, test, own = outputs("def four(x):\n    return 1 / 0", TESTS["four"], "assert 1 == 2, 'my own'")
    assert "ZeroDivisionError: division by zero" in test and "return 1 / 0" in test
    assert "AssertionError: my own" in own and "Traceback" in own


def test_the_checks_cell_may_run_again():
    checks = build_checks_code(TABLE, "", "\n".join(TESTS.values()))[0]
    *_, test = outputs(checks, "def double(x):\n    return 2 * x", TESTS["double"])
    assert test.count("✓") == 1
