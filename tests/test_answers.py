"""Right answers get full marks and wrong ones fail by name, each as a notebook of its own, by gradebox."""

import shutil

import pytest
from conftest import (
    LESSONS,
    REPOSITORY,
    SAMPLED,
    grade_id,
    graded,
    hand_in,
    notebook,
    points_of,
    with_settings,
)

from gradebox.course import Course
from gradebox.grade.grade import autograde
from gradebox.grade.submissions import submission
from gradebox.notebook import fill, own_tests, reference
from gradebox.release import answers


def difference(result, answer: answers.Answer, source) -> str | None:
    """What is not as the answer's title says, or None."""
    points = points_of(source)
    failed = {test for test in points if result.scores[test] != points[test]}
    if failed != set(answer.fails):
        return "; ".join(f"{test}: {result.failures.get(test)}" for test in failed ^ set(answer.fails))
    if any(result.scores[test] != 0 for test in failed):
        return "a failed test has points"
    if not answer.right:
        own = next(test for test in own_tests(source)[answer.exercise] if test in failed)
        failure = result.failures[own]
        if answer.says not in failure.message:
            return f"{own} says {failure.message!r}, not {answer.says!r}"
        if failure.visible != answer.visible:
            return f"{own}: visible={failure.visible}: {failure.message}"
    return None


def class_of(course: Course, lesson: str, known: list[answers.Answer]) -> dict[str, answers.Answer]:
    """Grade a class in which every student has one exercise by an answer, and the rest by the reference."""
    source, empty = notebook("source", lesson), notebook("release", lesson)
    students = {f"answer{number:03d}": answer for number, answer in enumerate(known)}
    for student, answer in students.items():
        nb = fill(empty, reference(source) | {answer.exercise: answer.source})
        # As if the student had deleted every cell that isn't graded or given: only these decide.
        nb.cells = [cell for cell in nb.cells if grade_id(cell)]
        hand_in(course, lesson, student, nb)
    outcomes = autograde(course, [submission(course, lesson, student) for student in students], workers=2)
    assert [outcome.problem for outcome in outcomes if outcome.problem] == []
    return students


@pytest.mark.parametrize("lesson", SAMPLED)
def test_an_answer_of_each_kind_does_what_its_title_says(released, tmp_path, lesson):
    """Of each exercise the first that is right, fails visibly, fails hidden. The audit tries all of them."""
    course = Course(shutil.copytree(released, tmp_path / "course"))
    source = notebook("source", lesson)
    kinds: dict[tuple, answers.Answer] = {}
    for answer in answers.read(REPOSITORY / "answers" / lesson, source):
        if not answer.written:
            kinds.setdefault((answer.exercise, answer.right, answer.visible), answer)
    students = class_of(course, lesson, list(kinds.values()))
    wrong = {
        f"{answer.exercise}: {answer.title}": difference(graded(course, lesson, student), answer, source)
        for student, answer in students.items()
    }
    assert {title: found for title, found in wrong.items() if found} == {}


@pytest.mark.parametrize("lesson", SAMPLED)
def test_with_second_chances_a_wrong_answer_costs_only_its_own_points(released, tmp_path, lesson):
    """Of each exercise, the answer that makes most of the others' tests fail."""
    course = with_settings(
        Course(shutil.copytree(released, tmp_path / "course")), "c.Execute.second_chances = True"
    )
    source = notebook("source", lesson)
    tests, points = own_tests(source), points_of(source)
    known = [a for a in answers.read(REPOSITORY / "answers" / lesson, source) if a.fails]
    far = [
        max(
            (a for a in known if a.exercise == exercise),
            key=lambda a: len(set(a.fails) - set(tests[exercise])),
        )
        for exercise in tests
    ]
    students = class_of(course, lesson, [a for a in far if set(a.fails) - set(tests[a.exercise])])
    assert students
    for student, answer in students.items():
        scores = graded(course, lesson, student).scores
        lost = {test for test in points if scores[test] != points[test]}
        assert lost == set(answer.fails) & set(tests[answer.exercise]), answer.title


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_exercise_has_right_and_wrong_answers(lesson):
    source = notebook("source", lesson)
    known = answers.read(REPOSITORY / "answers" / lesson, source)
    for exercise in own_tests(source):
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
    exercise = next(iter(own_tests(source)))
    (tmp_path / f"{exercise}.py").write_text(f"# %% {title}\nx = 1\n")
    with pytest.raises(answers.AnswerError, match=complaint):
        answers.read(tmp_path, source)
