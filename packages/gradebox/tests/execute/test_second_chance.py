"""One mistake is paid for once."""

import pytest
from helpers import (
    LESSON,
    cell,
    grade,
    grade_id,
    notebook,
    points_of,
    sample,
    sample_solved,
    solves,
    with_settings,
    write_notebook,
)
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader.converters import Autograde

from gradebox.course import Course, CourseError
from gradebox.execute.lesson import Lesson
from gradebox.execute.second_chance import SECOND_CHANCE_COMMENT, plan_second_chances
from gradebox.notebook_exercises import extract_reference_solutions, insert_answers
from gradebox.notebook_metadata import FAILED, record_ending
from gradebox.release.release_lessons import write_student_version

FULL = points_of(sample("source"))


@pytest.fixture
def lenient(course) -> Course:
    return with_settings(course, "c.Execute.second_chances = True")


def comment(course: Course, name: str) -> str | None:
    (file,) = course.notebooks(LESSON)
    with course.gradebook() as gradebook:
        return gradebook.find_comment(name, file, LESSON, "student").auto_comment


def test_a_wrong_solution_costs_only_its_own_points_and_the_comment_says_so(lenient):
    result = grade(lenient, LESSON, "student", sample_solved(shares="over everything"))
    assert {test: result.scores[test] for test in FULL} == FULL | {"shares-test": 0}
    assert comment(lenient, "weights") == SECOND_CHANCE_COMMENT
    assert comment(lenient, "shares") is None
    # What the student sees is the first run.
    assert "weights-test" in result.failures


def test_two_mistakes_are_paid_for_twice(lenient):
    nb = sample_solved(shares="over everything", weights="divided by d")
    result = grade(lenient, LESSON, "student", nb)
    lost = {"shares-test": 0, "weights-test": 0}
    assert {test: result.scores[test] for test in FULL} == FULL | lost


@pytest.mark.parametrize("moved", [False, True])
def test_two_exercises_that_only_call_each_other_are_not_both_right(lenient, moved):
    """Each would be right by the reference of the other."""
    loops, other = "products-loops", "products"
    calls = {
        loops: "def products_loops(A, B):\n    return products(A, B)",
        other: "def products(A, B):\n    return products_loops(A, B)",
    }
    nb = insert_answers(sample_solved(), calls)
    if moved:
        cells = {grade_id(cell): cell for cell in nb.cells}
        place = nb.cells.index(cells[f"{loops}-test"])
        nb.cells.remove(cells[other])
        nb.cells.insert(place, cells[other])
    scores = grade(lenient, LESSON, "student", nb).scores
    assert scores[f"{loops}-test"] == 0


def test_a_test_that_the_student_moved_meets_the_students_own_solution(lenient):
    """Behind the next exercise, where the reference would otherwise stand by then."""
    nb = sample_solved(shares="over everything", weights="divided by d")
    names = [grade_id(cell) for cell in nb.cells]
    moved = nb.cells.pop(names.index("shares-test"))
    nb.cells.insert(names.index("weights"), moved)
    result = grade(lenient, LESSON, "student", nb)
    lost = {"shares-test": 0, "weights-test": 0}
    assert {test: result.scores[test] for test in FULL} == FULL | lost


def test_a_deleted_solution_costs_only_its_own_points(lenient):
    nb = sample_solved()
    nb.cells = [cell for cell in nb.cells if grade_id(cell) != "shares"]
    result = grade(lenient, LESSON, "student", nb)
    assert {test: result.scores[test] for test in FULL} == FULL | {"shares-test": 0}


def test_an_exercise_left_open_earns_nothing(lenient):
    result = grade(lenient, LESSON, "student", sample("release"))
    assert {result.scores[test] for test in FULL} == {0}


def test_the_reference_reaches_no_output(lenient):
    nb = sample_solved(shares="over everything")
    spy = (
        "import inspect\n\n\n"
        + nb.cells[next(n for n, cell in enumerate(nb.cells) if grade_id(cell) == "weights")].source
    )
    nb = insert_answers(nb, {"weights": spy + "\nprint(shares(np.zeros((1, 2))))"})
    grade(lenient, LESSON, "student", nb)
    graded = notebook("autograded", LESSON, lenient.root, "student")
    printed = "".join(output.get("text", "") for cell in graded.cells for output in cell.get("outputs", []))
    assert printed.count("[[0.5 0.5]]") == 1


# What an exercise builds on

DOUBLE = "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION"
AGAIN = "def again(x):\n    ### BEGIN SOLUTION\n    return x + x\n    ### END SOLUTION"
FOUR = "def four(x):\n    ### BEGIN SOLUTION\n    return double(double(x))\n    ### END SOLUTION"
EIGHT = "def eight(x):\n    ### BEGIN SOLUTION\n    return double(four(x))\n    ### END SOLUTION"
MIXED = "def mixed(x):\n    ### BEGIN SOLUTION\n    return again(x) + 1\n    ### END SOLUTION"
WRONG = "def double(x):\n    return x"


def exercises(**builds_on: list[str]) -> list[NotebookNode]:
    """A lesson of five: `again` does what `double` does, the others call earlier ones."""
    cells = []
    for text in (DOUBLE, AGAIN, FOUR, EIGHT, MIXED):
        name = text[4 : text.index("(")]
        tested = (
            f"assert {name}(3) == {{'double': 6, 'again': 6, 'four': 12, 'eight': 24, 'mixed': 7}}['{name}']"
        )
        cells += [cell("solution", name, text), cell("test", f"{name}-test", tested)]
        if name in builds_on:
            cells[-2].metadata["builds_on"] = builds_on[name]
    return cells


def course_of(small: Course, cells: list[NotebookNode]) -> Course:
    write_notebook(small.root / "source" / "hw" / "hw.ipynb", cells)
    course = Course(small.root)
    write_student_version(course, "hw")
    return course


def earned(course: Course, **answers: str) -> set[str]:
    """The exercises that earn their points, all solved but for these."""
    solved = answers_of(notebook("source", "hw", course.root)) | answers
    solves(course, "student", **solved)
    assert course.convert(Autograde, "hw", "student") is None
    with course.gradebook() as gradebook:
        grades = gradebook.find_submission_notebook("hw", "hw", "student").grades
        return {grade.name.removesuffix("-test") for grade in grades if grade.auto_score}


answers_of = extract_reference_solutions
CALLS = "def again(x):\n    return double(x)"
BUILT = {"four": ["double"], "eight": ["four"], "mixed": ["again"]}


def test_where_nothing_is_said_all_earlier_ones_are_put_right(small):
    assert earned(course_of(small, exercises()), double=WRONG) == {"again", "four", "eight", "mixed"}
    assert earned(Course(small.root), double=WRONG, again=CALLS) == {"again", "four", "eight", "mixed"}


def test_a_second_way_that_only_calls_the_first_earns_nothing(small):
    course = course_of(small, exercises(**BUILT))
    # `mixed` is right by the reference of `again`, and `eight` by what `four` builds on.
    assert earned(course, double=WRONG, again=CALLS) == {"four", "eight", "mixed"}


def test_each_is_given_only_what_it_builds_on(small):
    course = course_of(small, exercises(**BUILT))
    wrong = {"mixed": "def mixed(x):\n    return double(x) + 1", "again": "def again(x):\n    return x"}
    assert earned(course, double=WRONG, **wrong) == {"four", "eight"}


def test_tests_of_one_exercise_may_share_what_they_have_found_out(small):
    cells = exercises(four=["double"])
    place = next(n for n, one in enumerate(cells) if grade_id(one) == "four-test")
    cells[place : place + 1] = [
        cell("test", "four-first-test", "found = four(0)\nassert found == 0"),
        cell("test", "four-second-test", "assert found + four(3) == 12"),
    ]
    assert "four-second" in earned(course_of(small, cells), double=WRONG)


def test_one_run_does_for_exercises_that_build_on_each_other():
    """And another one for those that must not have the same references."""
    source = new_notebook(cells=exercises(**BUILT))
    nb = new_notebook(cells=exercises())
    for one in nb.cells:
        record_ending(one, FAILED)
    assert [chance.tests for chance in plan_second_chances(nb, Lesson(source))] == [
        ("four-test", "eight-test"),
        ("mixed-test",),
    ]


@pytest.mark.parametrize("said", [["later"], ["double"], "double", [3]])
def test_an_exercise_that_builds_on_what_is_no_earlier_one_is_not_released(small, said):
    with pytest.raises(CourseError, match="double: builds_on"):
        course_of(small, exercises(double=said))
