"""This course without its configuration, as one of stock nbgrader's: `gradebox init` makes it what it is."""

import shutil
from pathlib import Path

import nbformat
import pytest
from helpers import run_in
from nbgrader.utils import compute_checksum
from repository import LESSONS, REPOSITORY, hand_in_example, with_examples

from gradebox.autograde.reference_proof import ERROR_TAG
from gradebox.course import Course
from gradebox.exercise_selection import Lessons
from gradebox.notebook_exercises import POINTS_CELL_ID

LESSON = LESSONS[0]


def points(root: Path) -> dict[tuple[str, str], tuple[float | None, bool]]:
    """The points of each graded cell, by student and grade_id, and whether a person is to look."""
    course = Course(root)
    (name,) = course.notebooks(LESSON)
    with course.gradebook() as gradebook:
        return {
            (student, grade.name): (grade.auto_score, grade.needs_manual_grade)
            for student in course.students
            for grade in gradebook.find_submission_notebook(name, LESSON, student).grades
        }


def cells(path: Path) -> list[dict]:
    """The cells of a notebook, without the comments that select passages, which stock nbgrader keeps.

    nbgrader's checksums of locked cells are those of the text without the comments, too. What lets students
    run all cells and shows their points is left out: each release of gradebox adds it.
    """
    found = Lessons().select(nbformat.read(path, as_version=4), LESSON).cells
    found = [cell for cell in found if cell.id != POINTS_CELL_ID]
    for cell in found:
        tags = {*cell.metadata.pop("tags", [])} - {ERROR_TAG}
        cell.metadata.update({"tags": sorted(tags)} if tags else {})
        cell.metadata.pop("jupyter", None)
        # Stock nbgrader removes the mark scheme before the comments, which leaves no blank line at the end.
        cell.source = cell.source.rstrip()
        if "checksum" in cell.metadata.get("nbgrader", {}):
            cell.metadata.nbgrader.checksum = compute_checksum(cell)
    return found


@with_examples
@pytest.mark.slow
def test_it_is_graded_both_ways_and_only_data_stays(tmp_path):
    shutil.copytree(REPOSITORY / "source" / LESSON, tmp_path / "source" / LESSON)
    for student in ("example_ada", "example_cleo"):
        hand_in_example(tmp_path, LESSON, student)
    there = {path for path in tmp_path.rglob("*") if path.is_file()}
    run_in(tmp_path, "nbgrader", "generate_assignment", LESSON)
    run_in(tmp_path, "nbgrader", "autograde", LESSON)
    released = (tmp_path / "release" / LESSON).glob("*.ipynb")
    before = {path: cells(path) for path in released}

    said = run_in(tmp_path, "gradebox", "init")
    assert "nbgrader_config.py has a new last line" in said and "get all points" in said
    by_stock = points(tmp_path)
    run_in(tmp_path, "gradebox", "autograde")
    assert points(tmp_path) == by_stock and len(by_stock) > 20
    # Of what is not configured nothing is put into notebooks.
    run_in(tmp_path, "gradebox", "release", "--no-check")
    assert {path: cells(path) for path in before} == before

    run_in(tmp_path, "gradebox", "init", "--remove")
    left = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*") if path.is_file()}
    data = {name for name in left if name.startswith(".gradebox_")} | {"gradebook.secret", "incidents.json"}
    assert left - data == {"source", "submitted", "release", "autograded", "gradebook.db"}
    assert {path for path in there if not path.is_file()} == set()
