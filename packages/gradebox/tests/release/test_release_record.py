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
from nbgrader.api import Base
from nbgrader.converters import GenerateAssignment
from sqlalchemy import select, text

from gradebox.course import Course
from gradebox.release import release_record
from gradebox.release.release_lessons import write_student_version
from gradebox.release.release_record import RECORD_FILE, find_current, hash_written_files, record_release

NOTEBOOK = f"{LESSON}/shares.ipynb"


@pytest.fixture
def recorded(course) -> Course:
    """A course with the small lesson as its author would commit it, and a gradebook."""
    record_release(course, LESSON, hash_written_files(course, LESSON))
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


def list_gradebook_cells(course: Course) -> list[str]:
    """List what the gradebook has of the cells of each notebook, without the ids of rows."""
    assignment, notebook, base, source, grade, task = (
        Base.metadata.tables[name]
        for name in ("assignment", "notebook", "base_cell", "source_cell", "grade_cells", "task_cells")
    )
    place = assignment.c.name, notebook.c.name, notebook.c.kernelspec
    points = grade.c.max_score, grade.c.cell_type, task.c.max_score, task.c.cell_type
    texts = source.c.cell_type, source.c.locked, source.c.checksum, source.c.source
    joined = assignment.join(notebook)
    graded = joined.outerjoin(base).outerjoin(grade).outerjoin(task, task.c.id == base.c.id)
    queries = (
        select(*place, base.c.name, base.c.type, *points).select_from(graded),
        select(*place, source.c.name, *texts).select_from(joined.outerjoin(source)),
    )
    with course.connection() as connection:
        return sorted(json.dumps([*row]) for query in queries for row in connection.execute(query))


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
    "test templates": lambda root: (root / "autotests.yml").write_text("python3:\n"),
    "a step of the course's own": lambda root: (root / "own_steps.py").write_text("class Step: pass\n"),
    "record lost": lambda root: (root / RECORD_FILE).unlink(),
    "record with a conflict": lambda root: (root / RECORD_FILE).write_text("<<<<"),
    "record of another form": lambda root: (root / RECORD_FILE).write_text("[]"),
    "record of an earlier version": lambda root: (root / RECORD_FILE).write_text(
        json.dumps({LESSON: {"cells": "0", "checks": "0", "files": "0"}})
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_lesson_is_not_current_after_a_change_of_its(recorded, change):
    CHANGES[change](recorded.root)
    assert not is_current(recorded)


def test_a_lesson_is_not_current_after_a_change_of_a_header_file(recorded):
    header = recorded.root / "source" / "header.ipynb"
    shutil.copy(recorded.root / "source" / NOTEBOOK, header)
    with_settings(recorded, 'c.IncludeHeaderFooter.header = "source/header.ipynb"')
    record_release(Course(recorded.root), LESSON, hash_written_files(Course(recorded.root), LESSON))
    assert is_current(recorded)
    append("source/header.ipynb")(recorded.root)
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
    cells = list_gradebook_cells(recorded)
    (recorded.root / "gradebook.db").unlink()
    before = snapshot(recorded.root)
    run = gradebox(recorded, "release")
    assert run.returncode == 0 and run.stdout == f"{LESSON} is current\n"
    assert snapshot(recorded.root) == before
    assert list_gradebook_cells(Course(recorded.root)) == cells and cells
    assert gradebox(recorded, "release").stdout == f"{LESSON} is current\n"


def test_a_gradebook_that_has_the_cells_of_another_release_gets_those_of_this_one(recorded, tmp_path):
    other = Course(shutil.copytree(recorded.root, tmp_path / "clone"))
    text = other.root / "lessons" / f"{LESSON}.py"
    text.write_text(text.read_text().replace('"points": 2', '"points": 5'))
    assert gradebox(other, "release", "--no-check").returncode == 0
    # As `git pull` does.
    for name in ("lessons", "source", "release", RECORD_FILE):
        path = recorded.root / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        original = other.root / name
        (shutil.copytree if original.is_dir() else shutil.copy)(original, path)
    assert list_gradebook_cells(recorded) != list_gradebook_cells(other)
    assert f"{LESSON} released" in gradebox(recorded, "release", "--no-check").stdout
    assert list_gradebook_cells(recorded) == list_gradebook_cells(other)


def test_an_assignment_that_was_removed_from_the_gradebook_comes_back(recorded):
    cells = list_gradebook_cells(recorded)
    with recorded.gradebook() as gradebook:
        gradebook.remove_assignment(LESSON)
    assert is_current(recorded) and list_gradebook_cells(recorded) == cells


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
    with recorded.connection() as connection:
        connection.execute(text("UPDATE grade_cells SET max_score = 99"))
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
    assert list_gradebook_cells(small) == list_gradebook_cells(Course(stock.root)) != []
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
    record_release(course, LESSON, before)
    assert not is_current(course)
    record_release(course, LESSON, hash_written_files(course, LESSON))
    assert is_current(course)
