"""The course in this repository, for its tests: its folder, its lessons and their notebooks."""

from pathlib import Path

import example_students
import helpers
import pytest
from nbformat.notebooknode import NotebookNode

from gradebox.course import Course
from gradebox.notebook_exercises import extract_reference_solutions, insert_answers
from gradebox.release import read_answers_folder

REPOSITORY = Path(__file__).resolve().parent.parent
# They ship with the course, and go when a class of real students begins.
with_examples = pytest.mark.skipif(
    not example_students.PLAN.is_file(), reason="the example students were removed"
)
LESSONS = sorted(path.stem for path in (REPOSITORY / "lessons").glob("*.py"))
# For tests that take long: `make test` runs the first lesson, `make slow` the others.
SAMPLED = [LESSONS[0], *(pytest.param(lesson, marks=pytest.mark.slow) for lesson in LESSONS[1:])]


def notebook(step: str, lesson: str, root: Path = REPOSITORY, student: str = ".") -> NotebookNode:
    """Return the notebook of a lesson in `source`, `release`, `submitted` or `autograded`."""
    return helpers.notebook(step, lesson, root, student)


def solved_cells(lesson: str) -> NotebookNode:
    """Return the solved lesson without ungraded cells: drawing figures takes most of the time."""
    nb = insert_answers(notebook("release", lesson), extract_reference_solutions(notebook("source", lesson)))
    nb.cells = [cell for cell in nb.cells if helpers.grade_id(cell)]
    return nb


def hand_in_example(root: Path, lesson: str, student: str) -> Path:
    """Put what an example student of this course hands in into a course's submitted/."""
    course = Course(REPOSITORY)
    (name,) = course.notebooks(lesson)
    path = root / "submitted" / student / lesson / f"{name}.ipynb"
    path.parent.mkdir(parents=True)
    wishes, source = example_students.read_plan()[student], course.sources(lesson)[name]
    answers = read_answers_folder.read_answers(REPOSITORY / "answers" / lesson, source)
    path.write_text(
        example_students.build_submission(source, notebook("release", lesson), answers, lesson, wishes)
    )
    return path
