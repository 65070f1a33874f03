"""gradebox gives the grades that stock nbgrader gives, except where stock nbgrader is wrong.

Second chances are off here: they are the one difference that is meant.
"""

import shutil

import pytest
from helpers import Graded, graded, hand_in, points_of, position, with_settings
from nbformat.v4 import new_code_cell
from nbgrader.converters import Autograde
from repository import LESSONS, SAMPLED, hand_in_example, notebook, solved_cells, with_examples

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.course import Course
from gradebox.release.release_lessons import write_student_version

LESSON = LESSONS[0]
WITH_TORCH = 'c.Execute.preload = ["numpy", "matplotlib.pyplot", "torch", "torch._dynamo"]'
STOCK = 'c = get_config()\nc.CourseDirectory.course_id = "attention-graded"\n'


def stock_course(course: Course, lesson: str) -> Course:
    """A copy of a course with nothing of gradebox in its settings, and one lesson released."""
    root = shutil.copytree(
        course.root, course.root.with_name("stock"), ignore=shutil.ignore_patterns("gradebook.db")
    )
    (root / "nbgrader_config.py").write_text(STOCK)
    (root / "gradebook.db").unlink(missing_ok=True)
    stock = Course(root)
    write_student_version(stock, lesson)
    return stock


def by_gradebox(course: Course, lesson: str, student: str) -> Graded:
    (outcome,) = autograde_submissions(course, list(find_submissions(course, [lesson], [student])), workers=1)
    assert outcome.problem is None
    return graded(course, lesson, student)


@with_examples
@pytest.mark.parametrize("lesson", SAMPLED)
def test_the_example_students_have_the_grades_of_stock_nbgrader(course, lesson):
    # Of the others, one has solved nothing, and one the same; stock nbgrader takes its time for each.
    students = ["example_ben", "example_dina"]
    course = with_settings(course, WITH_TORCH)
    for student in students:
        hand_in_example(course.root, lesson, student)
    stock = stock_course(course, lesson)
    assert stock.convert(Autograde, lesson, "*") is None
    outcomes = autograde_submissions(course, list(find_submissions(course, [lesson], students)), workers=2)
    assert [outcome.problem for outcome in outcomes] == [None] * len(students)
    for student in students:
        ours, theirs = graded(course, lesson, student), graded(stock, lesson, student)
        assert (ours.scores, ours.manual) == (theirs.scores, theirs.manual), student


def text_on_stderr(nb):
    nb.cells[position(nb, "softmax")].source += """
import sys
_softmax = softmax
def softmax(*given, **options):
    print("a note to myself", file=sys.stderr)
    return _softmax(*given, **options)
"""


def a_test_pasted_twice(nb):
    nb.cells.append(nb.cells[position(nb, "softmax-test")].copy())


def a_test_deleted(nb):
    del nb.cells[position(nb, "softmax-test")]


def metadata_stripped(nb):
    for cell in nb.cells:
        cell.metadata.clear()


def the_kernel_killed(nb):
    nb.cells.insert(position(nb, "softmax-test") + 1, new_code_cell("import os\nos._exit(0)"))


@pytest.mark.parametrize(
    "oddity",
    [
        text_on_stderr,
        a_test_pasted_twice,
        *(
            pytest.param(one, marks=pytest.mark.slow)
            for one in (a_test_deleted, metadata_stripped, the_kernel_killed)
        ),
    ],
)
def test_right_answers_for_which_stock_nbgrader_gives_less_get_full_marks(course, oddity):
    nb = solved_cells(LESSON)
    oddity(nb)
    hand_in(course, LESSON, "honest", nb)
    stock = stock_course(course, LESSON)
    full = points_of(notebook("source", LESSON))
    ours = by_gradebox(course, LESSON, "honest")
    assert {test: ours.scores[test] for test in full} == full
    problem = stock.convert(Autograde, LESSON, "honest")
    if problem is None:
        theirs = graded(stock, LESSON, "honest")
        assert {test: theirs.scores.get(test) for test in full} != full
