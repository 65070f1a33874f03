"""Right answers get full marks and wrong ones fail by name, each as a notebook of its own, by gradebox."""

import shutil

import pytest
from conftest import LESSONS, REPOSITORY, grade_id, graded, hand_in, notebook, points_of

from gradebox import answers
from gradebox.autograde import autograde
from gradebox.course import Course
from gradebox.submissions import Submission


def difference(result, answer: answers.Answer, source) -> str | None:
    """What is not as the answer's title says, or None."""
    points = points_of(source)
    failed = {test for test in points if result.scores[test] != points[test]}
    if failed != set(answer.fails):
        return "; ".join(f"{test}: {result.failures.get(test)}" for test in failed ^ set(answer.fails))
    if any(result.scores[test] != 0 for test in failed):
        return "a failed test has points"
    if not answer.right:
        own = next(test for test in answers.own_tests(source)[answer.exercise] if test in failed)
        failure = result.failures[own]
        if answer.says not in failure.message:
            return f"{own} says {failure.message!r}, not {answer.says!r}"
        if failure.visible != answer.visible:
            return f"{own}: visible={failure.visible}: {failure.message}"
    return None


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_answer_does_what_its_title_says(released, tmp_path, lesson):
    """A class in which every student has one exercise by an answer, and the rest by the reference."""
    course = Course(shutil.copytree(released, tmp_path / "course"))
    source, empty = notebook("source", lesson), notebook("release", lesson)
    known = [a for a in answers.read(REPOSITORY / "answers" / lesson, source) if not a.written]
    students = {f"answer{number:03d}": answer for number, answer in enumerate(known)}
    for student, answer in students.items():
        nb = answers.fill(empty, answers.reference(source) | {answer.exercise: answer.source})
        # As if the student had deleted every cell that isn't graded or given: only these decide.
        nb.cells = [cell for cell in nb.cells if grade_id(cell)]
        hand_in(course, lesson, student, nb)
    outcomes = autograde(course, [Submission(student, lesson) for student in students], workers=2)
    assert [outcome.problem for outcome in outcomes if outcome.problem] == []
    wrong = {
        f"{answer.exercise}: {answer.title}": difference(graded(course, lesson, student), answer, source)
        for student, answer in students.items()
    }
    assert {title: found for title, found in wrong.items() if found} == {}


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
