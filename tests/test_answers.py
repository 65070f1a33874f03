"""Right answers get full marks and wrong ones fail by name, through nbgrader, one notebook an answer."""

import pytest
from conftest import LESSONS, REPOSITORY, grade, grade_id, notebook, points_of

from gradebox import answers


def all_answers():
    for lesson in LESSONS:
        for number, answer in enumerate(
            answers.read(REPOSITORY / "answers" / lesson, notebook("source", lesson))
        ):
            if not answer.written:
                name = f"{lesson}-{answer.exercise}-{answer.title}"
                yield pytest.param(lesson, number, answer, id=name.replace(" ", "-"))


@pytest.mark.parametrize("lesson, number, answer", list(all_answers()))
def test_answer(class_room, lesson, number, answer):
    source = notebook("source", lesson)
    chosen = answers.reference(source) | {answer.exercise: answer.source}
    nb = answers.fill(notebook("release", lesson), chosen)
    # As if the student had deleted every cell that isn't graded or given: the figures take most of the time.
    nb.cells = [cell for cell in nb.cells if grade_id(cell)]
    result = grade(class_room, lesson, f"answer{number}", nb)
    points = points_of(source)

    failed = {test for test in points if result.scores[test] != points[test]}
    assert failed == set(answer.fails), {
        test: result.failures.get(test) for test in failed ^ set(answer.fails)
    }
    assert all(result.scores[test] == 0 for test in failed)
    if not answer.right:
        own = next(test for test in answers.own_tests(source)[answer.exercise] if test in failed)
        failure = result.failures[own]
        assert answer.says in failure.message
        assert failure.visible == answer.visible, f"visible={failure.visible}: {failure.message}"


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_exercise_has_right_and_wrong_answers(lesson):
    source = notebook("source", lesson)
    known = answers.read(REPOSITORY / "answers" / lesson, source)
    for exercise in answers.own_tests(source):
        assert sum(a.exercise == exercise and a.right for a in known) >= 3, exercise
        assert sum(a.exercise == exercise and not a.right for a in known) >= 3, exercise


def test_answers_that_fit_no_exercise_are_named(tmp_path):
    source = notebook("source", LESSONS[0])
    (tmp_path / "no-such.py").write_text("# %% right: anything\nx = 1\n")
    with pytest.raises(answers.AnswerError, match="no-such"):
        answers.read(tmp_path, source)


@pytest.mark.parametrize(
    "title, complaint",
    [
        ("maybe: unsure", "titled"),
        ("wrong: without words", "names the words"),
        ('wrong: other test says="x" fails=["no-such-test"]', "no-such-test"),
    ],
)
def test_a_malformed_answer_is_named(tmp_path, title, complaint):
    source = notebook("source", LESSONS[0])
    exercise = next(iter(answers.own_tests(source)))
    (tmp_path / f"{exercise}.py").write_text(f"# %% {title}\nx = 1\n")
    with pytest.raises(answers.AnswerError, match=complaint):
        answers.read(tmp_path, source)
