"""The pictures of the documentation show today's lessons. `make pictures` writes them and their record."""

import json
import re

from repository import REPOSITORY, notebook
from write_pictures import GRADER_PICTURES, LESSON, PICTURES, RECORD, find_headings

from gradebox.course import Course
from gradebox.release.read_answers_folder import read_answers

RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))


def test_exercises_points_and_advice_in_pictures_are_those_of_the_lesson():
    headings, course = find_headings(notebook("release", LESSON)), Course(REPOSITORY)
    known = {*headings, *(heading.partition(" ")[0] for heading in headings)}
    total = sum(cell.points for cell in course.graded_cells(LESSON))
    advice = {one.advice for one in read_answers(REPOSITORY / "answers" / LESSON, notebook("source", LESSON))}
    for path, shown in RECORDED.items():
        assert shown["exercises"] and {*shown["exercises"]} <= known, f"{path}: run `make pictures`"
        assert {*shown["advice"]} <= advice, f"{path}: run `make pictures`"
        assert all(points <= total for points in shown["points"]), f"{path}: run `make pictures`"
    assert RECORDED["docs/pictures/failed.png"]["advice"] and RECORDED["docs/pictures/feedback.png"]["points"]


def test_every_picture_is_recorded_and_on_a_page():
    files = {
        path.relative_to(REPOSITORY).as_posix()
        for folder in (PICTURES, GRADER_PICTURES)
        for path in folder.glob("*.png")
    }
    assert files == RECORDED.keys()
    pages = [
        REPOSITORY / "README.md",
        *(folder for top in (PICTURES, GRADER_PICTURES) for folder in top.parent.glob("*.md")),
    ]
    named = set()
    for page in pages:
        for link in re.findall(r"[\w./-]+\.png", page.read_text(encoding="utf-8")):
            named.add((page.parent / link).resolve().relative_to(REPOSITORY).as_posix())
    assert files == named
