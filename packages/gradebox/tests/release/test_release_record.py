"""`gradebox release` releases what is not current, and leaves the rest alone."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import LESSON, cell, gradebox, small_lesson, with_settings, write_notebook
from nbgrader.converters import GenerateAssignment
from sqlalchemy import text

from gradebox.course import Course
from gradebox.release import release_record
from gradebox.release.release_lessons import write_student_version
from gradebox.release.release_record import (
    RECORD_FILE,
    find_current,
    hash_gradebook_cells,
    hash_written_files,
    record_release,
)

NOTEBOOK = f"{LESSON}/shares.ipynb"


@pytest.fixture
def recorded(course) -> Course:
    """A course with the small lesson as its author would commit it, and a gradebook."""
    record_release(course, LESSON)
    assert is_current(course)
    return course


def is_current(course: Course) -> bool:
    """Whether the lesson is current for a command that starts now."""
    return find_current(Course(course.root), [LESSON]) == [LESSON]


def snapshot(root: Path) -> dict[str, tuple[int, bytes]]:
    """The times and contents of a course's files."""
    files = (path for path in root.rglob("*") if path.is_file() and path.name != "gradebook.db")
    return {str(path.relative_to(root)): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def append(path: str) -> Callable[[Path], object]:
    return lambda root: (root / path).write_text((root / path).read_text() + "\n")


def edit_gradebook(statement: str) -> Callable[[Path], None]:
    def edit(root: Path) -> None:
        with Course(root).connection() as connection:
            assert connection.execute(text(statement)).rowcount

    return edit


CHANGES = {
    "text": append(f"lessons/{LESSON}.py"),
    "answers": append(f"answers/{LESSON}/weights.py"),
    "helpers of the checks": lambda root: (root / "answers" / LESSON / "checks.py").write_text("x = 1\n"),
    "source edited": append(f"source/{NOTEBOOK}"),
    "data added": lambda root: (root / "source" / LESSON / "data.csv").write_text("1"),
    "release edited": append(f"release/{NOTEBOOK}"),
    "release deleted": lambda root: shutil.rmtree(root / "release" / LESSON),
    "file added to the release": lambda root: (root / "release" / LESSON / "more.txt").write_text("1"),
    "setting": lambda root: with_settings(Course(root), 'c.HandIn.through = "folder"'),
    "file of a setting": lambda root: with_settings(
        Course(root), 'c.IncludeHeaderFooter.header = "nbgrader_config.py"'
    ),
    "test templates": lambda root: (root / "autotests.yml").write_text("python3:\n"),
    "a step of the course's own": lambda root: with_settings(
        Course(root), 'c.GenerateAssignment.preprocessors += ["own_steps.Step"]'
    ),
    "points in the gradebook": edit_gradebook("UPDATE grade_cells SET max_score = 99"),
    "hidden tests in the gradebook": edit_gradebook("UPDATE source_cell SET source = ''"),
    "cells lost from the gradebook": edit_gradebook("DELETE FROM source_cell"),
    "record lost": lambda root: (root / RECORD_FILE).unlink(),
    "record with a conflict": lambda root: (root / RECORD_FILE).write_text("<<<<"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_lesson_is_not_current_after_a_change_of_its(recorded, change):
    CHANGES[change](recorded.root)
    assert not is_current(recorded)


@pytest.mark.parametrize("part", ["release/launch_badges.py", "check_engine/check.py", "checks_cell.py"])
def test_a_lesson_is_not_current_after_a_change_of_the_code(recorded, part, monkeypatch, tmp_path):
    package = shutil.copytree(release_record.PACKAGE, tmp_path / "gradebox")
    monkeypatch.setattr(release_record, "PACKAGE", package)
    try:
        release_record.hash_code.cache_clear()
        assert is_current(recorded)
        append(part)(package)
        release_record.hash_code.cache_clear()
        assert not is_current(recorded)
    finally:
        release_record.hash_code.cache_clear()


def test_a_lesson_stays_current_after_what_does_not_matter(recorded, tmp_path):
    there = Course(shutil.copytree(recorded.root, tmp_path / "elsewhere"))
    for path in there.root.rglob("*"):
        os.utime(path, (1e9, 1e9))
    checkpoint = there.root / "release" / LESSON / ".ipynb_checkpoints" / "shares.ipynb"
    checkpoint.parent.mkdir()
    checkpoint.write_text("{}")
    with_settings(there, "c.Execute.timeout = 7", 'c.CourseDirectory.ignore.append("other")')
    assert is_current(there)


def test_a_second_release_writes_no_file_and_loads_nothing_to_release_with(recorded):
    before = snapshot(recorded.root)
    program = """
import sys, gradebox.stub_heavy_packages
from gradebox.app import app
try:
    app(["release"])
finally:
    print(*sorted(sys.modules))
"""
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=recorded.root, capture_output=True, text=True, check=True
    )
    said, modules = run.stdout.splitlines()
    assert said == f"{LESSON} is current"
    # Neither a text nor an answer is read, and no kernel can be started.
    loaded = set(modules.split())
    assert not {"jupytext", "gradebox.release.release_lessons", "gradebox.answer_runner"} & loaded
    assert snapshot(recorded.root) == before


def test_a_fresh_clone_is_current_and_only_its_gradebook_is_filled(recorded):
    cells = hash_gradebook_cells(recorded, [LESSON])
    (recorded.root / "gradebook.db").unlink()
    before = snapshot(recorded.root)
    run = gradebox(recorded, "release")
    assert run.returncode == 0 and run.stdout == f"{LESSON} is current\n"
    assert snapshot(recorded.root) == before
    assert hash_gradebook_cells(Course(recorded.root), [LESSON]) == cells and cells


def test_the_record_of_a_removed_lesson_is_dropped(recorded):
    write_notebook(recorded.root / "source" / "hw" / "hw.ipynb", small_lesson())
    assert gradebox(recorded, "release", "--no-check").returncode == 0
    assert set(json.loads((recorded.root / RECORD_FILE).read_text())) == {LESSON, "hw"}
    shutil.rmtree(recorded.root / "source" / "hw")
    assert gradebox(recorded, "release", "--no-check", "--force").returncode == 0
    assert set(json.loads((recorded.root / RECORD_FILE).read_text())) == {LESSON}


def test_a_damaged_release_is_mended_once_and_force_releases_anyway(recorded):
    before = snapshot(recorded.root)
    append(f"release/{NOTEBOOK}")(recorded.root)
    edit_gradebook("UPDATE grade_cells SET max_score = 99")(recorded.root)
    for arguments, said in (
        (["release"], f"{LESSON} released\n"),
        (["release"], f"{LESSON} is current\n"),
        (["release", "--force", LESSON], f"{LESSON} released\n"),
    ):
        assert gradebox(recorded, *arguments).stdout == said
        now = snapshot(recorded.root)
        assert {path: content for path, (_, content) in now.items()} == {
            path: content for path, (_, content) in before.items()
        }


@pytest.mark.parametrize("submitted", [False, True])
def test_the_gradebook_has_the_cells_that_nbgraders_own_step_saves(small, tmp_path, submitted):
    stock = Course(shutil.copytree(small.root, tmp_path / "stock"))
    solution, test, *_, essay = small_lesson()
    test.metadata.nbgrader.points = 5
    new = [solution, test, essay, cell("given", "more", "x = 1"), cell("question", "how", "How?")]
    for course in (small, stock):
        write_notebook(course.root / "source" / "hw" / "hw.ipynb", new)
    (stock.root / "gradebook.db").unlink()
    assert stock.convert(GenerateAssignment, "hw") is None
    if submitted:
        with small.gradebook() as gradebook:
            gradebook.add_student("ann")
            gradebook.add_submission("hw", "ann")
    write_student_version(small, "hw")
    assert hash_gradebook_cells(small, ["hw"]) == hash_gradebook_cells(Course(stock.root), ["hw"]) != {}
    with small.gradebook() as gradebook:
        (notebook,) = gradebook.find_submission("hw", "ann").notebooks if submitted else [None]
        if notebook:
            assert {grade.cell.name for grade in notebook.grades} == {"double-test", "essay", "how"}


def test_a_text_that_is_edited_during_a_release_is_not_recorded_as_released(course):
    (course.root / "lessons").mkdir(exist_ok=True)
    text = course.root / "lessons" / f"{LESSON}.py"
    text.write_text("# %% [markdown]\n# Before\n")
    before = hash_written_files(course, LESSON)
    text.write_text("# %% [markdown]\n# After\n")
    assert not record_release(course, LESSON, before)
    assert record_release(course, LESSON, hash_written_files(course, LESSON))
