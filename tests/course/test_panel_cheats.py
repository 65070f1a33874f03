"""No test that a student could write without knowing what is right passes a panel of candidates.

Such a test takes the results of one candidate for right: those of the candidate at some place, or those that
most candidates return. One course secret may put the right candidate at that place; another one doesn't.
"""

from collections import Counter

import matplotlib
import numpy as np
import pytest
from nbgrader.preprocessors import ClearHiddenTests
from repository import REPOSITORY, notebook

from gradebox.answer_runner.answer_shell import Shell
from gradebox.checks_cell import expand_checks_cell, is_generated
from gradebox.course import Course
from gradebox.course_secret import SECRET_NAME
from gradebox.notebook_exercises import find_grade_id, find_hidden_lines

# By lesson: the first test of the exercise, and a correct candidate.
PANELS = {
    "03_masked_multi_head": ("check-attention-first-quarter-test", ("", "arrays")),
    "06_relational_memory": ("check-gates-first-third-test", ("", "plain")),
    "07_attention_in_tiles": ("check-tiled-first-third-test", ("as asked", "arrays")),
}
# More than any panel has before its slips.
PLACES = range(32)
SECRETS = 1, 2, 3


@pytest.fixture(scope="module", params=PANELS)
def panel(request):
    """Return the solution of a panel's exercise, a correct candidate, and a function that runs the panel."""
    matplotlib.use("agg")
    marks = ClearHiddenTests(config=Course(REPOSITORY).app.config)
    shell, (test, correct) = Shell.instance(), PANELS[request.param]
    for cell in notebook("source", request.param).cells:
        name = find_grade_id(cell)
        if cell.cell_type != "code" or not name:
            continue
        text = expand_checks_cell(cell.source) if is_generated(cell.source) else cell.source
        lines, hidden = text.split("\n"), find_hidden_lines(cell, marks) if name == test else ()
        assert shell.execute(name, "\n".join(drop(lines, hidden))).passed, name
        if name == test:
            break
    panel = "\n".join(line for number, line in enumerate(lines, 1) if number in hidden)
    function = "_".join(test.split("-")[:2])
    solution = shell.user_ns[function]
    assert shell.execute(test, panel).passed
    right = shell.user_ns["candidate_with"](*correct)

    def passes(check, secret):
        shell.user_ns |= {function: check, SECRET_NAME: secret}
        return shell.execute(test, panel).passed

    return solution, right, passes


def drop(lines, numbers):
    return [line for number, line in enumerate(lines, 1) if number not in numbers]


def record_calls(solution, right):
    """Return the arguments with which the solution calls a correct candidate."""
    calls = []

    def candidate(*arguments):
        calls.append([np.copy(one) if isinstance(one, np.ndarray) else one for one in arguments])
        return right(*arguments)

    assert solution(candidate)
    return calls


def describe_results(candidate, calls):
    """Return a hashable description of a candidate's results, rounded."""
    results = []
    for arguments in calls:
        try:
            result = candidate(*(np.copy(one) if isinstance(one, np.ndarray) else one for one in arguments))
            results.append([array.round(3).tolist() for array in split_arrays(result)])
        except Exception as error:
            results.append(type(error).__name__)
    return str(results)


def split_arrays(value):
    """Return the arrays in a result, in any form."""
    try:
        return [np.asarray(value, float)]
    except ValueError:
        return [array for part in value for array in split_arrays(part)]


def test_the_solution_passes_with_each_secret(panel):
    solution, _, passes = panel
    assert all(passes(solution, secret) for secret in SECRETS)


def test_results_of_no_place_are_right_with_each_secret(panel):
    solution, right, passes = panel
    calls = record_calls(solution, right)

    def compare_with(place):
        seen = []

        def check(candidate):
            seen.append(describe_results(candidate, calls))
            return len(seen) > place and seen[-1] == seen[place]

        return check

    passed = [[passes(compare_with(place), secret) for secret in SECRETS] for place in PLACES]
    assert any(map(any, passed)), "no place is right: these tests are too weak to show anything"
    assert not any(map(all, passed))


@pytest.mark.parametrize("at_least", [1, 2])
def test_results_of_most_candidates_are_not_right(panel, at_least):
    solution, right, passes = panel
    calls = record_calls(solution, right)

    def compare_with_most():
        counts = Counter()

        def check(candidate):
            counts[result := describe_results(candidate, calls)] += 1
            return counts[result] == max(at_least, *counts.values())

        return check

    assert not any(passes(compare_with_most(), secret) for secret in SECRETS)
