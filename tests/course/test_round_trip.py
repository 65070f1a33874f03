"""From release to grade and back: the untouched notebook, the reference, the example students."""

import nbformat
import pytest
from example_students import convert_to_colab, read_plan
from helpers import grade, graded, points_of
from nbgrader import utils
from nbgrader.converters import Autograde
from repository import LESSONS, REPOSITORY, SAMPLED, hand_in_example, notebook, with_examples

from gradebox.notebook_exercises import extract_reference_solutions, insert_answers
from gradebox.release import read_answers_folder

PLAN = read_plan()


def written(lesson):
    return {
        cell.metadata.nbgrader.grade_id for cell in notebook("source", lesson).cells if utils.is_task(cell)
    }


@pytest.mark.parametrize("lesson", SAMPLED)
def test_the_untouched_notebook_scores_nothing(class_room, lesson):
    result = grade(class_room, lesson, "untouched", notebook("release", lesson))
    assert {test: result.scores[test] for test in points_of(notebook("source", lesson))} == dict.fromkeys(
        points_of(notebook("source", lesson)), 0
    )
    assert result.manual == written(lesson)


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_reference_scores_everything(class_room, lesson):
    source = notebook("source", lesson)
    solved = insert_answers(notebook("release", lesson), extract_reference_solutions(source))
    result = grade(class_room, lesson, "reference", solved)
    assert not result.failures
    assert {test: result.scores[test] for test in points_of(source)} == points_of(source)
    assert result.manual == written(lesson)


@pytest.mark.parametrize("lesson", SAMPLED)
def test_colab_and_jupyter_save_the_same_grade(class_room, lesson):
    source = notebook("source", lesson)
    wrong = next(
        a for a in read_answers_folder.read_answers(REPOSITORY / "answers" / lesson, source) if a.fails
    )
    chosen = extract_reference_solutions(source) | {wrong.exercise: wrong.source}
    nb = insert_answers(notebook("release", lesson), chosen)
    by_jupyter = grade(class_room, lesson, "jupyter", nb)

    path = class_room.path("submitted", lesson, "colab") / f"{class_room.notebooks(lesson)[0]}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(nbformat.writes(convert_to_colab(nb)))
    assert class_room.convert(Autograde, lesson, "colab") is None
    by_colab = graded(class_room, lesson, "colab")
    assert by_colab.scores == by_jupyter.scores
    assert by_jupyter.failures


def expected_scores(lesson, wishes):
    """What the plan of an example student comes to, from what is known of each answer."""
    source = notebook("source", lesson)
    points = points_of(source)
    if wishes["start"] == "release":
        return dict.fromkeys(points, 0)
    known = read_answers_folder.read_answers(REPOSITORY / "answers" / lesson, source)
    chosen = wishes.get("answers", {}).get(lesson, {})
    failing = {test for a in known if chosen.get(a.exercise) == a.title for test in a.fails}
    return {test: 0 if test in failing else value for test, value in points.items()}


@pytest.mark.parametrize("lesson", SAMPLED)
@pytest.mark.parametrize("student", PLAN)
def test_example_student(class_room, lesson, student):
    path = hand_in_example(class_room.root, lesson, student)
    nb = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    assert class_room.convert(Autograde, lesson, student) is None
    result = graded(class_room, lesson, student)
    expected = expected_scores(lesson, PLAN[student])
    assert {test: result.scores[test] for test in expected} == expected
    if PLAN[student].get("saved_by") == "colab":
        assert (nb.nbformat, "colab" in nb.metadata) == (4, True)
        assert '"nbformat_minor": 0' in path.read_text()


@with_examples
@pytest.mark.parametrize("lesson", LESSONS)
def test_the_class_is_varied(lesson):
    """One solves everything, one makes mistakes but not only, one does nothing."""
    totals = [sum(expected_scores(lesson, wishes).values()) for wishes in PLAN.values()]
    full = sum(points_of(notebook("source", lesson)).values())
    assert full in totals and 0 in totals and any(0 < total < full for total in totals)
