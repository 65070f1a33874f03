"""What students and their editors do to a notebook is put right before it runs."""

import sys
from copy import deepcopy

import nbformat
import pytest
from helpers import (
    LESSON,
    grade,
    grade_id,
    graded,
    notebook,
    points_of,
    position,
    sample,
    sample_solved,
)
from nbconvert.preprocessors import ClearMetadataPreprocessor
from nbformat.v4 import new_code_cell
from nbgrader.converters import Autograde

from gradebox.autograde.repair_notebook import repair_notebook
from gradebox.notebook_metadata import read_repairs

FULL = points_of(sample("source"))


def paste_test_twice(nb):
    where = position(nb, "shares-test")
    nb.cells.insert(where + 1, deepcopy(nb.cells[where]))
    return "shares-test appeared 2 times: the last copy counts"


def paste_solution_twice(nb):
    where = position(nb, "shares")
    nb.cells.insert(where, deepcopy(nb.cells[where]))
    nb.cells[where].source = "def shares(numbers, axis=-1):\n    return 'an old try'"
    return "shares appeared 2 times: the last copy counts"


def delete_a_test(nb):
    del nb.cells[position(nb, "entropy-test")]
    return "entropy-test was missing and has been put back"


def delete_the_given_helper(nb):
    del nb.cells[position(nb, "check-numbers")]
    return "check-numbers was missing and has been put back"


def turn_a_test_into_text(nb):
    cell = nb.cells[position(nb, "shares-test")]
    cell.cell_type = "markdown"
    del cell["outputs"], cell["execution_count"]
    return "shares-test had been changed to markdown and is code again"


def turn_a_solution_into_text(nb):
    cell = nb.cells[position(nb, "shares")]
    cell.cell_type = "markdown"
    del cell["outputs"], cell["execution_count"]
    return "shares had been changed to markdown and is code again"


def lose_all_metadata(nb):
    for one in nb.cells:
        one.metadata = nbformat.NotebookNode()
    return "shares had lost its metadata and was recognised by its text"


def raise_the_points(nb):
    nb.cells[position(nb, "shares-test")].metadata.nbgrader["points"] = 100
    return "shares-test had settings that differ from the released ones (points)"


def claim_an_odd_schema(nb):
    nb.cells[position(nb, "shares-test")].metadata.nbgrader["schema_version"] = 99
    return "shares-test had settings that differ from the released ones (schema_version)"


def empty_the_test(nb):
    nb.cells[position(nb, "shares-test")].source = "pass"
    return None


def give_two_cells_one_id(nb):
    nb.cells[5].id = nb.cells[6].id = "the-same"
    return None


def claim_that_tests_have_run(nb):
    for one in nb.cells:
        one.metadata["gradebox"] = {"ended": "ok"}
    return None


def write_garbage_settings(nb):
    nb.cells.append(new_code_cell("1 + 1", metadata={"nbgrader": ["what"]}))
    return None


@pytest.mark.parametrize(
    "harm",
    [
        paste_test_twice,
        paste_solution_twice,
        delete_a_test,
        delete_the_given_helper,
        turn_a_test_into_text,
        turn_a_solution_into_text,
        lose_all_metadata,
        raise_the_points,
        claim_an_odd_schema,
        empty_the_test,
        give_two_cells_one_id,
        claim_that_tests_have_run,
        write_garbage_settings,
    ],
    ids=lambda harm: harm.__name__,
)
def test_right_answers_in_a_damaged_notebook_earn_full_marks(class_room, harm):
    nb = sample_solved()
    said = harm(nb)
    result = grade(class_room, LESSON, harm.__name__, nb)
    assert {test: result.scores[test] for test in FULL} == FULL
    listed = read_repairs(notebook("autograded", LESSON, class_room.root, harm.__name__))
    assert (said in listed) if said else True, listed


def test_an_undamaged_notebook_is_left_alone(class_room):
    grade(class_room, LESSON, "undamaged", sample_solved())
    assert read_repairs(notebook("autograded", LESSON, class_room.root, "undamaged")) == []


def test_wrong_answers_gain_nothing_from_a_deleted_test_or_a_forged_record(class_room):
    nb = sample("release")
    nb.cells = [cell for cell in nb.cells if grade_id(cell)]
    delete_a_test(nb)
    claim_that_tests_have_run(nb)
    raise_the_points(nb)
    result = grade(class_room, LESSON, "cheat", nb)
    assert {result.scores[test] for test in FULL} == {0}


def test_an_old_notebook_format_is_read(class_room):
    """nbformat 3, without nbgrader's metadata, as an old editor saves it."""
    nb, _ = ClearMetadataPreprocessor(enabled=True).preprocess(sample_solved(), {})
    old = nbformat.convert(nb, 3)
    path = class_room.path("submitted", LESSON, "old") / f"{class_room.notebooks(LESSON)[0]}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(nbformat.writes(old, version=3))
    assert class_room.convert(Autograde, LESSON, "old") is None
    result = graded(class_room, LESSON, "old")
    assert {test: result.scores[test] for test in FULL} == FULL


def calls_of(function, *arguments) -> int:
    """How many calls it takes, whatever the machine."""
    count = 0

    def counted(_frame, event, _argument) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        function(*arguments)
    finally:
        sys.setprofile(None)
    return count


EXTRA = {
    "empty": lambda number: new_code_cell(""),
    "copies-of-a-test": lambda number: deepcopy(sample("release").cells[TEST]),
    "definitions": lambda number: new_code_cell(f"def shares(x):\n    return {number}"),
}
TEST = position(sample("source"), "shares-test")


@pytest.mark.parametrize("kind", EXTRA)
@pytest.mark.parametrize("named", [True, False], ids=["named", "without-names"])
def test_many_cells_are_mended_in_linear_time(kind, named):
    released = sample("release")

    def mended(count: int) -> int:
        nb = sample("release")
        nb.cells += [EXTRA[kind](number) for number in range(count)]
        if not named:
            for cell in nb.cells:
                cell.metadata.pop("nbgrader", None)
        return calls_of(repair_notebook, nb, released)

    few, some, many = mended(10), mended(100), mended(400)
    each = (some - few) / 90
    # A few calls for a cell, however many the lesson has.
    assert each < 100
    assert many - some < 1.2 * 300 * each
