"""Copies are found, however they are disguised, and what was written apart is not called alike."""

import ast
import re

import pytest
from classroom.disguised import disguised
from helpers import LESSONS, REPOSITORY, gradebox, hand_in, sample_solved

from gradebox.classroom.similar import Code, compare, released_code
from gradebox.course import Course
from gradebox.release import answers


def written_apart(lesson: str) -> dict[str, Code]:
    """Students of whom no two have the same right answer to an exercise."""
    course = Course(REPOSITORY)
    (source,) = course.sources(lesson).values()
    right: dict[str, list[str]] = {}
    for answer in answers.read(REPOSITORY / "answers" / lesson, source):
        if answer.right and is_code(answer.source):
            right.setdefault(answer.exercise, []).append(answer.source)
    most = max(map(len, right.values()))
    return {
        f"student {number}": {name: those[number] for name, those in right.items() if number < len(those)}
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
    assert compare(code, given).pairs == []
    copied = "student 1"
    code["copy"] = {exercise: disguised(text) for exercise, text in code[copied].items()}
    found = compare(code, given)
    assert [pair.students for pair in found.pairs] == [("copy", copied)]
    (pair,) = found.pairs
    assert pair.share > 0.5 > found.typical
    for exercise, (own, other) in pair.exercises.items():
        assert own.code == code["copy"][exercise] and other.code == code[copied][exercise]
        for side in (own, other):
            assert "".join(text for _, text in side.parts) == side.code
            assert any(same and text.strip() for same, text in side.parts)


def test_what_was_released_and_what_many_have_written_is_left_out():
    common = "def f(a):\n    total = 0\n    for x in a:\n        total += x * x\n    return total / len(a)"
    own = "def g{n}(a):\n    " + "\n    ".join("a = a{op}{n}" for _ in range(3)) + "\n    return a"
    ops = ["+", "-", "*", "/", "%", "//", "**", "@", "&", "|", "^", "<<"]
    code = {
        f"s{n:02d}": {"1": common, "2": own.replace("{op}", op * 1).replace("{n}", str(7 ** (30 + n)))}
        for n, op in enumerate(ops)
    }
    assert compare(code, "").pairs == []
    two = {name: parts for name, parts in code.items() if name in ("s00", "s01")}
    assert compare(two, common).pairs == []


def test_who_has_solved_little_has_it_from_who_has_solved_all():
    lesson = LESSONS[0]
    code = written_apart(lesson)
    few = sorted(code["student 0"], key=lambda name: -len(code["student 0"][name]))[:4]
    code["few"] = {name: code["student 0"][name] for name in few}
    found = compare(code, released_code(Course(REPOSITORY), lesson))
    assert [pair.students for pair in found.pairs] == [("few", "student 0")]
    assert found.pairs[0].share > 0.9


def test_a_group_that_has_all_in_common_does_not_clear_itself():
    lesson = LESSONS[1]
    code = written_apart(lesson)
    code |= {
        f"copy {n}": {name: disguised(text) for name, text in code["student 0"].items()} for n in range(5)
    }
    found = compare(code, released_code(Course(REPOSITORY), lesson))
    group = {"student 0", *(f"copy {n}" for n in range(5))}
    copies = {pair.students for pair in found.pairs}
    assert {name for pair in copies for name in pair} == group
    assert found.alike == len(found.pairs) >= 10


def test_the_page_has_both_sides_and_accuses_nobody(course):
    nb = sample_solved()
    hand_in(course, "01_shares", "ada", nb)
    hand_in(course, "01_shares", "ben", nb)
    assert gradebox(course, "similar", "01_shares").returncode == 2
    gradebox(course, "autograde")
    said = gradebox(course, "similar", "01_shares")
    assert said.stdout.startswith("1 pair compared; 1 pair is unusually alike: exports/"), said.stderr
    page = (course.root / "exports" / "similar-01_shares.html").read_text()
    assert "This accuses nobody." in page and "http" not in re.sub(r"xmlns\S*", "", page)
    assert "ada and ben" in page and "<mark>" in page
