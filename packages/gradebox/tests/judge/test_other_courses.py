"""Other people's tests earn what they do in stock nbgrader: a small notebook for each thing they do."""

from functools import cache
from pathlib import Path

import nbformat
import other
import pytest
from helpers import PROBED, contained, gradebox, record_tests
from nbformat.notebooknode import NotebookNode
from nbgrader.converters import Autograde, GenerateAssignment
from traitlets.config import Config

from gradebox.autograde.score import score_notebook
from gradebox.course import Course
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.lesson import ExecutionInputs, Lesson
from gradebox.execute.test_modes import find_in_process_tests
from gradebox.notebook_exercises import find_grade_id, find_graded_cells
from gradebox.notebook_metadata import read_flag, read_unable_reason

CONFIG = """
import gradebox
c = get_config()
gradebox.configure(c)
c.Execute.isolation = "auto"
c.Execute.second_chances = False
"""


# Tests that run in the student's process; each new one is a decision.
IN_PROCESS = {
    # They delete attributes of a student's function and class.
    "deleted_helpers": {"attributes", "attributes-of-classes"},
    # They look at their own axes or at the current figure after a call.
    "drawings": {"bars-test", "current-test", "grid-test"},
    # They need folders, pools and connections of the student's process, or measure time.
    "folders_and_time": {
        *("empty-folders", "relative", "chdir-test", "process-pool", "thread-pool", "connection"),
        # The second uses a function of the first.
        *("scaled", "measured", "limited", "timer-test"),
        *(("temporary-folder", "temporary-file") if PROBED.best else ()),
    },
    "generators": {"countdown-next", "lazy-test"},
    "imports": {"imports-test", "norm-unjudged"},
    "looked_at": {
        *("area-signature", "area-argspec", "area-source", "area-kind", "decorated-test"),
        *("stack-dir", "stack-classes", "stack-text"),
    },
    # A student's cell uses values of a test that has hidden lines, and a function one that a test defines.
    "names_of_tests": {"mean-test", "spread-test", "uses-test", "own-test"},
    # They compare or combine objects of a class, or lists that hold such objects.
    "objects": {
        *("vector-operators", "vector-collections", "vector-refuses", "money-test"),
        *("dataclass", "own-lists-test"),
    },
    # They change containers of a student's object in place.
    "prepared_state": {
        *("list-appended", "dict-filled", "nested-list", "array-element", "array-in-place", "dict-in-list"),
        *("array-in-dict-in-list", "set-and-method", "by-function", "of-a-list-of-objects"),
        *("graph-prepared", "graph-later", "sizes-test"),
    },
    # A student's function changes a list of the test, and a locked function a locked list.
    "same_thing": {"in-place", "counting-test"},
    # They capture what is printed, or replace `input` or `print`.
    "surroundings": {
        "printed",
        "printed-by-hand",
        "typed",
        "typed-by-hand",
        "typed-by-a-name",
        "mocked-print",
    },
    # The dtype of a column is an object that is compared with a text.
    "tables": {"in-place", "types-test"},
    "values": {"collected-test", "formulas-test"},
    "written_files": {"written-before", "written-by-call", "read-there", "removed", "numbers-test"},
}


@cache
def recorded(name: str) -> NotebookNode:
    """The instructor's notebook with a record of its tests."""
    source = other.source(name)
    record_tests(source)
    return source


def points(source: NotebookNode, submission: NotebookNode, isolation: str) -> dict[str, float | None]:
    """The points of each test; none of them may be an incident."""
    config = Config()
    config.Execute = Config(isolation=isolation, second_chances=False)
    texts = {find_grade_id(cell): cell.source for cell in source.cells}
    for cell in submission.cells:
        if find_grade_id(cell) and cell.metadata["nbgrader"]["grade"]:
            # As they come back from the gradebook.
            cell.source = texts[find_grade_id(cell)]
    Execute(config=config).execute_in_place(submission, ExecutionInputs(Lesson(source)))
    assert not any(read_flag(cell) or read_unable_reason(cell) for cell in submission.cells)
    return score_notebook(submission).points


@pytest.mark.parametrize("name", other.NAMES)
def test_these_tests_run_in_the_students_process(name):
    assert find_in_process_tests(recorded(name)).keys() == IN_PROCESS.get(name, set()), find_in_process_tests(
        recorded(name)
    )


@pytest.mark.parametrize("name", other.NAMES)
@pytest.mark.parametrize(
    "kind", ["solved", *(pytest.param(one, marks=pytest.mark.slow) for one in ("half", "untouched"))]
)
def test_the_judge_gives_the_points_that_one_process_gives(name, kind):
    source = recorded(name)
    found = points(source, other.submission(source, kind), "judge")
    assert found == points(source, other.submission(source, kind), "none")
    if kind == "solved":
        assert found == {cell.grade_id: cell.points for cell in find_graded_cells(source, "")}


@contained
def test_the_sandbox_takes_no_points_of_tests_with_folders_and_pools():
    source = recorded("folders_and_time")
    found = points(source, other.submission(source, "solved"), "full")
    assert found == {cell.grade_id: cell.points for cell in find_graded_cells(source, "")}


def course(root: Path, config: str) -> Course:
    """All of the notebooks as the assignments of one course."""
    root.mkdir()
    (root / "nbgrader_config.py").write_text(config)
    for name in other.NAMES:
        source = other.source(name)
        written(root / "source" / name / f"{name}.ipynb", source)
        for kind in other.SUBMISSIONS:
            written(root / "submitted" / kind / name / f"{name}.ipynb", other.submission(source, kind))
    return Course(root)


def written(path: Path, notebook: NotebookNode) -> None:
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)


def grades(course: Course) -> dict[tuple[str, str, str], float | None]:
    """The points that the tests gave, by assignment, student and cell."""
    with course.gradebook() as gradebook:
        return {
            (name, kind, grade.name): grade.auto_score
            for name in other.NAMES
            for kind in other.SUBMISSIONS
            for grade in gradebook.find_submission_notebook(name, name, kind).grades
        }


@pytest.mark.slow
def test_every_cell_has_the_points_of_stock_nbgrader(tmp_path):
    ours, stock = course(tmp_path / "ours", CONFIG), course(tmp_path / "stock", "c = get_config()\n")
    for command in (["release", "--no-check"], ["autograde"]):
        done = gradebox(ours, *command)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "norm-unjudged: it has the tag unjudged" in " ".join(done.stdout.split())
    for name in other.NAMES:
        assert stock.convert(GenerateAssignment, name) is None
        assert stock.convert(Autograde, name, "*") is None
    assert grades(ours) == grades(stock)
