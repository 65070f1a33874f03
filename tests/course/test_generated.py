"""Generated files are those that today's text gives."""

import os
import re
import shutil

import jupytext
import nbformat
import numpy as np
import pytest
from helpers import pair_lessons
from jupyter_server.services.contents.largefilemanager import LargeFileManager
from jupytext.sync_contentsmanager import build_sync_jupytext_contents_manager_class
from repository import LESSONS, REPOSITORY, notebook

from gradebox.check_engine.array_diff import close
from gradebox.check_engine.check import alike
from gradebox.course import Course, CourseError
from gradebox.execute.test_modes import UNJUDGED_REASON, find_in_process_tests, read_modes
from gradebox.notebook_exercises import find_comment_tests, serialize_notebook
from gradebox.release.generate_checks_cell import (
    INPUT_HASH_KEY,
    TABLE_FILE,
    MessageTableBuilder,
    format_table,
    read_stored_table,
)
from gradebox.release.jupytext_sync import (
    complete_notebook,
    get_source_path,
    read_lesson_notebook,
    sync_lesson_text,
)
from gradebox.release.release_lessons import write_student_version
from gradebox.release.release_record import hash_release, hash_written_files, read_release_records

MEND = "run `make release` and commit what it writes"


@pytest.mark.parametrize("lesson", LESSONS)
def test_source_notebook_is_what_its_text_gives(lesson):
    course = Course(REPOSITORY)
    text = REPOSITORY / "lessons" / f"{lesson}.py"
    wanted = read_lesson_notebook(text)
    source = get_source_path(course, text)
    complete_notebook(source, course, lesson, wanted)
    assert source.read_text() == serialize_notebook(wanted), (
        f"{source.relative_to(REPOSITORY)} is stale: {MEND}"
    )


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_record_of_a_lesson_is_current_and_all_its_tests_but_those_of_comments_are_judged(lesson):
    source = notebook("source", lesson)
    assert read_modes(source) is not None, f"the record of its tests is stale: {MEND}"
    assert find_in_process_tests(source) == dict.fromkeys(find_comment_tests(source), UNJUDGED_REASON)


def messages_of(lesson):
    """What the table of a lesson is made of, and the table."""
    return MessageTableBuilder(Course(REPOSITORY), lesson, notebook("source", lesson)), read_stored_table(
        REPOSITORY / "answers" / lesson
    )


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_answer_and_no_call_is_newer_than_its_messages(lesson):
    made_of, table = messages_of(lesson)
    stale = [name for name, known in table.items() if known[INPUT_HASH_KEY] != made_of.hash_inputs(name)]
    assert stale == [] and table.keys() == made_of.answers.keys(), f"messages are stale: {MEND}"
    assert (REPOSITORY / "answers" / lesson / TABLE_FILE).read_text() == format_table(table) + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS)
def test_messages_made_anew_are_the_same_up_to_rounding(lesson):
    made_of, table = messages_of(lesson)
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
    # Calls of several lines are shown in one.
    given = "\n".join(
        re.sub(r"\n {4,}", " ", path.read_text()) for path in (REPOSITORY / "lessons").glob("*.py")
    )
    shown = (REPOSITORY / "packages" / "gradebox" / "docs" / "authoring.md").read_text().splitlines()
    calls = [line.strip() for line in shown if line.startswith(("    check(", "    returns("))]
    assert len(calls) > 15 and [line for line in calls if line not in given] == []


@pytest.mark.parametrize("lesson", LESSONS)
def test_released_notebook_is_what_its_source_gives(course, lesson):
    (path,) = (course.root / "release" / lesson).glob("*.ipynb")
    path.unlink()
    write_student_version(course, lesson)
    committed = REPOSITORY / path.relative_to(course.root)
    assert committed.read_text() == path.read_text(), f"release/{lesson} is stale: {MEND}"


def test_a_fresh_clone_has_nothing_to_release():
    here = Course(REPOSITORY)
    assert read_release_records(here) == {
        lesson: hash_release(here, lesson, hash_written_files(here, lesson)) for lesson in LESSONS
    }, f".gradebox_released.json is stale: {MEND}"


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_source_notebook_gives_its_text_back(course, lesson):
    text = course.root / "lessons" / f"{lesson}.py"
    before = text.read_text()
    assert sync_lesson_text(course, lesson) == text
    assert text.read_text() == before


def test_nothing_that_is_generated_is_written_by_hand_too():
    """No text of a cell of more than 40 lines is in two files, but for source and release."""
    seen: dict[str, str] = {}
    for path in (REPOSITORY / "lessons").glob("*.py"):
        for cell in jupytext.read(path).cells:
            if cell.source.count("\n") > 40:
                assert seen.setdefault(cell.source, path.name) == path.name, cell.source[:80]
        assert "def make_checks" not in path.read_text() and "def follow_shapes" not in path.read_text()


def test_a_changed_text_changes_its_notebook_and_no_other_cell_id(course):
    text = course.root / "lessons" / f"{LESSONS[0]}.py"
    (path,) = (course.root / "source" / LESSONS[0]).glob("*.ipynb")
    before = [cell.id for cell in nbformat.read(path, 4).cells]
    text.write_text(text.read_text() + "\n# %% [markdown]\n# One more paragraph.\n")
    assert pair_lessons(course) == [str(path.relative_to(course.root))]
    assert [cell.id for cell in nbformat.read(path, 4).cells][:-1] == before


def test_a_notebook_edited_by_hand_is_not_overwritten(course):
    (path,) = (course.root / "source" / LESSONS[0]).glob("*.ipynb")
    text = course.root / "lessons" / f"{LESSONS[0]}.py"
    os.utime(text, (1e9, 1e9))
    nb = nbformat.read(path, 4)
    nb.cells[0].source += "\n\nEdited in Jupyter."
    nbformat.write(nb, path)
    with pytest.raises(CourseError, match="gradebox sync"):
        pair_lessons(course)
    assert "Edited in Jupyter." in path.read_text()


@pytest.mark.parametrize("edited", [f"source/{LESSONS[0]}/single_head.ipynb", f"lessons/{LESSONS[0]}.py"])
def test_saving_a_lesson_in_jupyter_with_jupytext_writes_no_other_file(course, edited):
    shutil.copy(REPOSITORY / "pyproject.toml", course.root)
    before = {path for path in course.root.rglob("*") if ".ipynb_checkpoints" not in path.parts}
    manager = build_sync_jupytext_contents_manager_class(LargeFileManager)(root_dir=str(course.root))
    manager.save(manager.get(edited, type="notebook"), edited)
    assert {path for path in course.root.rglob("*") if ".ipynb_checkpoints" not in path.parts} == before


def test_a_folder_that_is_no_course_is_named(tmp_path):
    with pytest.raises(CourseError, match="no nbgrader_config.py"):
        Course(tmp_path)
