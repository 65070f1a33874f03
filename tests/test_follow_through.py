"""One mistake is paid for once."""

import pytest
from conftest import LESSONS, grade, grade_id, notebook, points_of, with_settings

from gradebox import answers
from gradebox.course import Course
from gradebox.follow_through import COMMENT

LESSON = LESSONS[0]
FULL = points_of(notebook("source", LESSON))


@pytest.fixture
def lenient(course) -> Course:
    return with_settings(course, "c.Execute.follow_through = True")


def handed_in(**titles: str):
    """The solved lesson with the named answers, by exercise."""
    source = notebook("source", LESSON)
    known = {(a.exercise, a.title): a.source for a in answers.read(answers_folder(), source)}
    chosen = {name.replace("_", "-"): known[name.replace("_", "-"), title] for name, title in titles.items()}
    nb = answers.fill(notebook("release", LESSON), answers.reference(source) | chosen)
    nb.cells = [cell for cell in nb.cells if grade_id(cell)]
    return nb


def answers_folder():
    from conftest import REPOSITORY

    return REPOSITORY / "answers" / LESSON


def comment(course: Course, name: str) -> str | None:
    (file,) = course.notebooks(LESSON)
    with course.gradebook() as gradebook:
        return gradebook.find_comment(name, file, LESSON, "student").auto_comment


def test_a_wrong_softmax_costs_only_its_own_points_and_the_comment_says_so(lenient):
    result = grade(lenient, LESSON, "student", handed_in(softmax="over everything"))
    assert {test: result.scores[test] for test in FULL} == FULL | {"softmax-test": 0}
    assert comment(lenient, "attention-weights") == COMMENT
    assert comment(lenient, "softmax") is None
    # What the student sees is the first run.
    assert "attention-weights-test" in result.failures


def test_two_mistakes_are_paid_for_twice(lenient):
    nb = handed_in(softmax="over everything", attention_weights="dividing by d_k")
    result = grade(lenient, LESSON, "student", nb)
    lost = {"softmax-test": 0, "attention-weights-test": 0}
    assert {test: result.scores[test] for test in FULL} == FULL | lost


@pytest.mark.parametrize("moved", [False, True])
def test_two_exercises_that_only_call_each_other_are_not_both_right(lenient, moved):
    """Each would be right by the reference of the other."""
    nb = handed_in()
    loops, other = "attention-scores-loops", "attention-scores"
    calls = {
        loops: "def attention_scores_loops(Q, K):\n    return attention_scores(Q, K)",
        other: "def attention_scores(Q, K):\n    return attention_scores_loops(Q, K)",
    }
    nb = answers.fill(nb, calls)
    if moved:
        cells = {grade_id(cell): cell for cell in nb.cells}
        place = nb.cells.index(cells[f"{loops}-test"])
        nb.cells.remove(cells[other])
        nb.cells.insert(place, cells[other])
    scores = grade(lenient, LESSON, "student", nb).scores
    assert scores[f"{loops}-test"] == 0


def test_a_test_that_the_student_moved_meets_the_students_own_solution(lenient):
    """Behind the next exercise, where the reference would otherwise stand by then."""
    nb = handed_in(softmax="over everything", attention_weights="dividing by d_k")
    names = [grade_id(cell) for cell in nb.cells]
    moved = nb.cells.pop(names.index("softmax-test"))
    nb.cells.insert(names.index("attention-weights"), moved)
    result = grade(lenient, LESSON, "student", nb)
    lost = {"softmax-test": 0, "attention-weights-test": 0}
    assert {test: result.scores[test] for test in FULL} == FULL | lost


def test_a_deleted_solution_costs_only_its_own_points(lenient):
    nb = handed_in()
    nb.cells = [cell for cell in nb.cells if grade_id(cell) != "softmax"]
    result = grade(lenient, LESSON, "student", nb)
    assert {test: result.scores[test] for test in FULL} == FULL | {"softmax-test": 0}


def test_an_exercise_left_open_earns_nothing(lenient):
    result = grade(lenient, LESSON, "student", notebook("release", LESSON))
    assert {result.scores[test] for test in FULL} == {0}


def test_the_reference_reaches_no_output(lenient):
    nb = handed_in(softmax="over everything")
    spy = (
        "import inspect\n\n\n"
        + nb.cells[next(n for n, cell in enumerate(nb.cells) if grade_id(cell) == "attention-weights")].source
    )
    nb = answers.fill(nb, {"attention-weights": spy + "\nprint(softmax(np.zeros((1, 2))))"})
    grade(lenient, LESSON, "student", nb)
    graded = notebook("autograded", LESSON, lenient.root, "student")
    printed = "".join(output.get("text", "") for cell in graded.cells for output in cell.get("outputs", []))
    assert printed.count("[[0.5 0.5]]") == 1
