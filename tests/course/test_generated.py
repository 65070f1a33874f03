"""Generated files are those that today's text gives."""

import os
import shutil

import nbformat
import numpy as np
import pytest
from jupytext.cli import jupytext
from repository import LESSONS, REPOSITORY, notebook

from gradebox.course import Course, CourseError
from gradebox.messages.check import alike
from gradebox.messages.located import close
from gradebox.notebook import MESSAGES, name_of, table_in
from gradebox.release.messages import Messages
from gradebox.release.pair import as_json, notebook_of
from gradebox.release.release import pair_lessons, release

MEND = "run `make release` and commit what it writes"


@pytest.mark.parametrize("lesson", LESSONS)
def test_source_notebook_is_what_its_text_gives(lesson):
    (text,) = (REPOSITORY / "lessons" / lesson).glob("*.py")
    source = REPOSITORY / "source" / lesson / f"{text.stem}.ipynb"
    assert source.read_text() == as_json(notebook_of(text)), (
        f"{source.relative_to(REPOSITORY)} is stale: {MEND}"
    )


def messages_of(lesson):
    """What a lesson's messages are made of, and the text of their cell."""
    source = notebook("source", lesson)
    text = next(cell.source for cell in source.cells if name_of(cell) == MESSAGES)
    return Messages(Course(REPOSITORY), lesson, source), text


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_answer_and_no_call_is_newer_than_its_messages(lesson):
    made_of, text = messages_of(lesson)
    stale = [name for name, known in table_in(text).items() if known["made of"] != made_of.made_of(name)]
    assert stale == [] and table_in(text).keys() == made_of.answers.keys(), f"messages are stale: {MEND}"
    assert made_of.text(text) == text, f"messages are stale: {MEND}"


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS)
def test_messages_made_anew_are_the_same_up_to_rounding(lesson):
    made_of, text = messages_of(lesson)
    table = table_in(text)
    new = made_of.made(list(table))
    for exercise, known in table.items():
        assert known["advice"] == new[exercise]["advice"]
        assert known["calls"].keys() == new[exercise]["calls"].keys()
        for case, (names, right, mistakes) in known["calls"].items():
            also = new[exercise]["calls"][case]
            assert names == also[0] and [name for name, *_ in mistakes] == [name for name, *_ in also[2]]
            for one, other in zip(mistakes, also[2], strict=True):
                assert all(map(alike, one[1:], other[1:])), (exercise, case, one[0])
            if isinstance(right, str):
                assert right == also[1]
            else:
                pairs = zip(right, also[1], strict=True)
                assert all(close(*(np.array(part, dtype=float) for part in pair)) for pair in pairs)


def test_the_calls_that_authors_are_shown_are_those_of_the_lessons():
    given = "\n".join(path.read_text() for path in (REPOSITORY / "lessons").glob("*/*.py"))
    shown = (REPOSITORY / "packages" / "gradebox" / "docs" / "authoring.md").read_text().splitlines()
    calls = [line.strip() for line in shown if line.startswith(("    check(", "    returns("))]
    assert len(calls) > 15 and [line for line in calls if line not in given] == []


@pytest.mark.parametrize("lesson", LESSONS)
def test_released_notebook_is_what_its_source_gives(course, lesson):
    (path,) = (course.root / "release" / lesson).glob("*.ipynb")
    path.unlink()
    release(course, lesson)
    committed = REPOSITORY / path.relative_to(course.root)
    assert committed.read_text() == path.read_text(), f"release/{lesson} is stale: {MEND}"


@pytest.mark.parametrize("lesson", LESSONS)
def test_text_and_notebook_pair_both_ways(course, lesson):
    """`jupytext --sync` changes neither side of a pair that is in line."""
    shutil.copy(REPOSITORY / "pyproject.toml", course.root)
    (text,) = (course.root / "lessons" / lesson).glob("*.py")
    source = course.root / "source" / lesson / f"{text.stem}.ipynb"
    before = text.read_text(), source.read_text()
    for newer, older in ((text, source), (source, text)):
        os.utime(older, (1e9, 1e9))
        os.utime(newer)
        jupytext(["--sync", str(newer)])
        assert text.read_text() == before[0]
        assert nbformat.reads(source.read_text(), 4) == nbformat.reads(before[1], 4)


def test_a_changed_text_changes_its_notebook_and_no_other_cell_id(course):
    (text,) = (course.root / "lessons" / LESSONS[0]).glob("*.py")
    (path,) = (course.root / "source" / LESSONS[0]).glob("*.ipynb")
    before = [cell.id for cell in nbformat.read(path, 4).cells]
    text.write_text(text.read_text() + "\n# %% [markdown]\n# One more paragraph.\n")
    assert pair_lessons(course) == [str(path.relative_to(course.root))]
    assert [cell.id for cell in nbformat.read(path, 4).cells][:-1] == before


def test_a_notebook_edited_by_hand_is_not_overwritten(course):
    (path,) = (course.root / "source" / LESSONS[0]).glob("*.ipynb")
    (text,) = (course.root / "lessons" / LESSONS[0]).glob("*.py")
    os.utime(text, (1e9, 1e9))
    nb = nbformat.read(path, 4)
    nb.cells[0].source += "\n\nEdited in Jupyter."
    nbformat.write(nb, path)
    with pytest.raises(CourseError, match="jupytext --sync"):
        pair_lessons(course)
    assert "Edited in Jupyter." in path.read_text()


def test_a_folder_that_is_no_course_is_named(tmp_path):
    with pytest.raises(CourseError, match="no nbgrader_config.py"):
        Course(tmp_path)
