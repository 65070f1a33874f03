"""Display of test results in a notebook: a line for a passed test, five for a failed one, and points.

The code below the line is copied into lessons; it is not used where another process runs the tests.
"""

import re
import sys
import textwrap
from typing import Any

from gradebox.check_engine.check import earlier_cause

# The first lines of the test cells, as "# Test of 1.1 Softmax (2 points). ...".
TESTS: list[str] = []
# See `check.py`. PASSED: the calls of `check` that have passed in the cell that runs.
MESSAGES: dict[str, Any] = {}
PASSED: list[str] = []
# The points of each test that has run, by its first line.
EARNED: dict[str, float] = {}


# ------------------------------------------------------------------------------------------------------
TITLE = re.compile(r"# (Test of .*?) \((\d+) points?\)")
# The columns of a message, which wide and narrow pages show without scrolling.
WIDTH = 96
BOLD, NORMAL = "\x1b[1m", "\x1b[0m"


def display_results(notebook):
    """Show the results of test cells from now on, if this is a notebook and not the judge."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if not hasattr(shell, "kernel") or "submitted_cells" in notebook:
        return
    # This cell may run again.
    for old in shell.events.callbacks["post_run_cell"][:]:
        if old.__name__ == display_passed.__name__:
            shell.events.unregister("post_run_cell", old)
    shell.events.register("post_run_cell", display_passed)
    shell.set_custom_exc((Exception,), display_error)


def display_passed(result):
    """Record the points of a test cell that has run, and print a line if it has passed."""
    line, passed = result.info.raw_cell.partition("\n")[0], len(PASSED)
    PASSED.clear()
    if line not in TESTS:
        return
    title, points = TITLE.match(line).groups()
    most, value = float(points), result.result
    earned = value if type(value) in (int, float) else most
    EARNED[line] = earned * result.success
    if result.success and earned == most:
        many = f": {passed} checks passed here" if passed > 1 else ": passed here"
        print(f"✓ {title.removeprefix('Test of ')}{many}; more are tried when graded")


def show_points(numbers, by_exercise=False):
    """Print the points of the visible tests of these exercises, on request for each test."""
    found = [(line, *TITLE.match(line).groups()) for line in TESTS]
    found = [one for one in found if one[1].split()[2] in numbers.split()]
    earned, total = sum(EARNED.get(line, 0) for line, *_ in found), sum(int(points) for *_, points in found)
    print(f"{earned:g} of {total} points of the visible tests")
    for line, title, points in found if by_exercise else ():
        got = f"{EARNED[line]:g} of {points}" if line in EARNED else "not run"
        print(f"{got:>8}  {title.removeprefix('Test of ')}")


def display_error(shell, kind, error, traceback, tb_offset=None):
    """Display an error: the message of a failed test, an exercise to solve first, or Python's traceback."""
    line, notebook = shell.history_manager.input_hist_raw[-1].partition("\n")[0], display_error.__globals__
    title = TITLE.match(line)[1] if line in TESTS else ""
    same = [name for name, known in MESSAGES.items() if title.startswith(f"Test of {known['number']} ")]
    cause = next(filter(None, (earlier_cause(name, error, notebook) for name in same)), "")
    lines = []
    if title and kind is AssertionError and str(error).strip():
        lines = format_failure(title, str(error).strip(), cause)
    elif not title and kind in (NameError, NotImplementedError):
        names = {error.name} if kind is NameError else names_of_calls(traceback)
        lines = [
            f"{BOLD}→ First solve {known['number']} and run its cell, which defines {name}.{NORMAL}"
            for known in MESSAGES.values()
            for name in names.intersection(known["defines"])
        ][:1]
    elif cause:
        lines = shell.InteractiveTB.structured_traceback(kind, error, traceback, tb_offset=tb_offset)
        lines += [f"{BOLD}→ {cause}{NORMAL}"]
    if lines:
        # IPython looks this method up.
        error._render_traceback_ = lambda: lines
    shell.showtraceback((kind, error, traceback), running_compiled_code=True)


def format_failure(test, message, cause):
    """Return the lines for a failed test: the call, what is wrong, details, and what to do."""
    first, *middle = message.split("\n")
    if cause and cause not in message:
        middle[-1:] = [cause]
    case, colon, fact = first.partition(": ")
    advice = middle.pop() if middle else ""
    lines = [f"{BOLD}✗ {test}{colon}{case if colon else ''}{NORMAL}"]
    lines += [wrapped(one, "  ") for one in [fact if colon else first, *middle]]
    return lines + [f"{BOLD}{wrapped(advice, '→ ')}{NORMAL}"] * bool(advice)


def names_of_calls(traceback):
    """Return the names of the functions in a traceback, and of the classes of their objects."""
    names = set()
    while traceback:
        frame, traceback = traceback.tb_frame, traceback.tb_next
        names |= {frame.f_code.co_name, type(frame.f_locals.get("self")).__name__}
    return names


def wrapped(text, begin):
    """Return a line in several lines, indented."""
    return textwrap.fill(text, WIDTH, initial_indent=begin, subsequent_indent="  ", break_long_words=False)
