"""One bad cell costs what depends on it, and nothing else."""

import pytest
from helpers import (
    IMPATIENT,
    LESSON,
    grade,
    notebook,
    points_of,
    position,
    sample,
    sample_solved,
    with_settings,
)
from nbformat.v4 import new_code_cell

from gradebox.autograde.incidents import LIMIT_REACHED, find_incidents
from gradebox.course import Course
from gradebox.notebook_exercises import insert_answers


@pytest.fixture
def quick(course) -> Course:
    """A course in which a cell that never ends has few seconds."""
    return with_settings(course, IMPATIENT)


def solved(*, after: str, extra: str):
    """The solved lesson with a cell of the student's own after one of the exercises."""
    nb = sample_solved()
    nb.cells.insert(position(nb, after) + 1, new_code_cell(extra))
    return nb


def full() -> dict[str, float]:
    return points_of(sample("source"))


def scores(result) -> dict[str, float]:
    return {test: result.scores[test] for test in full()}


@pytest.mark.parametrize(
    "extra",
    [
        "import os\nos._exit(0)",
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
        "while True: pass",
        "while True:\n    try:\n        while True: pass\n    except KeyboardInterrupt: pass",
        "import sys\nsys.exit()",
        "quit()\nimport time\ntime.sleep(0.05)",
        "raise ValueError('nothing to do with the exercises')",
        "import warnings\nwarnings.warn('only text on stderr')",
    ],
    ids=["exit", "kill", "loop", "loop-that-ignores-interrupts", "sys-exit", "quit", "error", "warning"],
)
def test_a_cell_of_ones_own_that_goes_wrong_costs_no_points(quick, extra):
    assert scores(grade(quick, LESSON, "student", solved(after="weights", extra=extra))) == full()


def test_a_test_cell_in_which_the_students_function_kills_the_kernel_scores_nothing_and_the_rest_its_own(
    quick,
):
    nb = solved(after="shares-test", extra="pass")
    answer = {"entropy": "def entropy(weights):\n    import os\n    os._exit(0)"}
    result = grade(quick, LESSON, "student", insert_answers(nb, answer))
    assert scores(result) == full() | {"entropy-test": 0}
    assert "ended the Python process" in result.failures["entropy-test"].message


def test_text_on_stderr_costs_nothing(quick):
    answer = {
        "entropy": (
            "def entropy(weights):\n"
            "    import sys\n"
            "    print('a note to myself', file=sys.stderr)\n"
            "    return -np.nansum(weights * np.log(weights), axis=-1)"
        )
    }
    nb = insert_answers(solved(after="shares-test", extra="pass"), answer)
    assert scores(grade(quick, LESSON, "student", nb)) == full()


def test_endless_output_is_cut_while_it_streams(quick):
    course = with_settings(quick, "c.Execute.output_limit = 10_000")
    nb = solved(after="shares-test", extra="while True: print('again and again ' * 50)")
    assert scores(grade(course, LESSON, "student", nb)) == full()
    graded = notebook("autograded", LESSON, course.root, "student")
    assert max(len(str(cell.get("outputs", ""))) for cell in graded.cells) < 40_000


def many_cells() -> list:
    """More cells than a notebook has counted seconds."""
    return [new_code_cell("1") for _ in range(70)]


@pytest.mark.usefixtures("counted_seconds")
def test_a_notebook_has_its_time_and_no_more(course):
    course = with_settings(course, "c.Execute.notebook_timeout = 60")
    nb = sample_solved()
    after = position(nb, "shares-test") + 1
    nb.cells[after:after] = many_cells()
    result = grade(course, LESSON, "student", nb)
    assert result.scores["shares-test"] == full()["shares-test"]
    assert result.scores["products-loops-test"] == 0
    assert "the notebook exceeded its time limit" in result.failures["products-loops-test"].message


@pytest.mark.usefixtures("counted_seconds")
def test_second_chances_have_what_is_left_of_a_notebooks_time(course):
    """The first run takes all of it: a test that would pass in a second chance gets none."""
    strict = with_settings(course, "c.Execute.second_chances = True", "c.Execute.notebook_timeout = 60")
    wrong = "def shares(numbers, axis=-1):\n    return np.exp(numbers) / np.exp(numbers).sum()"
    nb = insert_answers(sample_solved(), {"shares": wrong})
    nb.cells += many_cells()
    scores = grade(strict, LESSON, "student", nb).scores
    assert scores["shares-test"] == scores["weights-test"] == 0
    graded = notebook("autograded", LESSON, course.root, "student")
    (missed,) = (one for one in find_incidents("student", LESSON, graded) if one.kind == LIMIT_REACHED)
    assert missed.cell == "weights-test" and missed.what.startswith("Before a second chance, the notebook")
