"""Copies are found, however they are disguised, and what was written apart is not called alike."""

import ast

import pytest
from disguised import disguised
from repository import LESSONS, REPOSITORY

from gradebox.class_report.code_similarity import CodeByExercise, compare_students, released_code
from gradebox.course import Course
from gradebox.release import read_answers_folder


def written_apart(lesson: str) -> dict[str, list[CodeByExercise]]:
    """Students of whom no two have the same right answer to an exercise."""
    course = Course(REPOSITORY)
    (source,) = course.sources(lesson).values()
    right: dict[str, list[str]] = {}
    for answer in read_answers_folder.read_answers(REPOSITORY / "answers" / lesson, source):
        if answer.right and is_code(answer.source):
            right.setdefault(answer.exercise, []).append(answer.source)
    most = max(map(len, right.values()))
    return {
        f"student {number}": [{name: those[number] for name, those in right.items() if number < len(those)}]
        for number in range(most)
    }


def is_code(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_disguised_copy_is_found_and_nothing_else(lesson):
    code = written_apart(lesson)
    given = released_code(Course(REPOSITORY), lesson)
    assert compare_students(code, given).pairs == []
    copied = "student 1"
    code["copy"] = [{exercise: disguised(text) for exercise, text in code[copied][0].items()}]
    found = compare_students(code, given)
    assert [pair.students for pair in found.pairs] == [("copy", copied)]
    (pair,) = found.pairs
    assert pair.share > 0.5 > found.typical
    for exercise, (own, other) in pair.exercises.items():
        assert own.code == code["copy"][0][exercise] and other.code == code[copied][0][exercise]
        for side in (own, other):
            assert "".join(text for _, text in side.parts) == side.code
            assert any(same and text.strip() for same, text in side.parts)


def test_who_has_solved_little_has_it_from_who_has_solved_all():
    lesson = LESSONS[0]
    code = written_apart(lesson)
    (whole,) = code["student 0"]
    few = sorted(whole, key=lambda name: -len(whole[name]))[:4]
    code["few"] = [{name: whole[name] for name in few}]
    found = compare_students(code, released_code(Course(REPOSITORY), lesson))
    assert [pair.students for pair in found.pairs] == [("few", "student 0")]
    assert found.pairs[0].share > 0.9


def test_a_group_that_has_all_in_common_does_not_clear_itself():
    lesson = LESSONS[1]
    code = written_apart(lesson)
    code |= {
        f"copy {n}": [{name: disguised(text) for name, text in code["student 0"][0].items()}]
        for n in range(5)
    }
    found = compare_students(code, released_code(Course(REPOSITORY), lesson))
    group = {"student 0", *(f"copy {n}" for n in range(5))}
    copies = {pair.students for pair in found.pairs}
    assert {name for pair in copies for name in pair} == group
    assert found.alike == len(found.pairs) >= 10
