"""Panels of hidden implementations show more than the notebook's own visible tests do."""

import pytest
from IPython.core.interactiveshell import InteractiveShell
from repository import notebook

from gradebox.execute.skip_demonstrations import is_demonstration
from gradebox.notebook_exercises import find_grade_id

# By lesson: the first test of the exercise, the form of a candidate, the student's function that the
# notebook's own checks test, and the helper that runs these checks.
PANELS = {
    "03_masked_multi_head": (
        "check-attention-first-quarter-test",
        "arrays",
        None,
        "passes_tests",
    ),
    "06_relational_memory": (
        "check-gates-first-third-test",
        "plain",
        "gated_memory",
        "own_gates_pass",
    ),
    "07_attention_in_tiles": (
        "check-tiled-first-third-test",
        "arrays",
        "tiled",
        "own_solution_passes",
    ),
}


def run_until(lesson, test):
    """Return the names that the lesson's own cells define, up to a test cell."""
    shell = InteractiveShell()
    for cell in notebook("source", lesson).cells:
        if cell.cell_type == "code" and not is_demonstration(cell):
            shell.run_cell(cell.source).raise_error()
        if find_grade_id(cell) == test:
            return shell.user_ns
    raise AssertionError(f"{lesson} has no cell {test}")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("lesson", PANELS)
def test_a_third_of_a_panel_is_right_on_every_visible_input(lesson):
    test, form, function, checks = PANELS[lesson]
    names = run_until(lesson, test)

    def passes(slip):
        candidate = names["candidate_with"](slip, form)
        if function is None:
            return names[checks](candidate)
        names[function] = candidate
        if lesson == "06_relational_memory":
            names[function] = lambda *tables, forget_bias=1.0: candidate(*(*tables, forget_bias)[:7])
        return names[checks]()

    slips = names["slips"]
    right_when_seen = [slip for slip in slips if passes(slip)]
    assert {*right_when_seen} == {*names["unseen"]}
    assert len(right_when_seen) * 3 >= len(slips)
