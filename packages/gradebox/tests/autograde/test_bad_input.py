"""What can't be graded is named in one line, and costs nobody else anything."""

import ast
import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from helpers import (
    LESSON,
    PROJECT,
    gradebox,
    hand_in,
    points_of,
    sample,
    sample_solved,
    small_lesson,
    with_settings,
    write_notebook,
)
from nbformat.v4 import new_notebook
from nbgrader.converters import Autograde
from traitlets.config import Config

from gradebox.autograde.discover_submissions import Submission
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.course import Course
from gradebox.setting_names import SECTIONS, find_unknown_setting


def problems(course: Course) -> dict[str, str]:
    """What the last run could not grade, and why, by student/assignment."""
    incidents = json.loads((course.root / "incidents.json").read_text())
    return {f"{i['student']}/{i['assignment']}": i["what"] for i in incidents if i["kind"] == "unreadable"}


def contents(folder: Path) -> dict[str, str]:
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


AGAIN = "hand in the .ipynb file that Jupyter has saved"
ODD = {
    "not_json": (b"print('my homework')", f"is not a notebook: it is not JSON (line 1): {AGAIN}"),
    "cut_off": (
        b'{"nbformat": 4, "cells": [',
        "is cut off: its JSON ends early (line 1): hand in the complete file",
    ),
    "empty": (b"", f"is empty: {AGAIN}"),
    "binary": (b"\x89PNG\r\n\x1a\n\xff\xfe", f"is not a notebook: it is not text: {AGAIN}"),
    "other_json": (b'{"score": 100}', f"is JSON, but not a notebook: {AGAIN}"),
    "old_version": (
        b'{"nbformat": 2, "worksheets": []}',
        "has notebook format 2, not 4: open it in Jupyter and save it again",
    ),
    "no_cells": (
        b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}',
        f"is a notebook without cells: {AGAIN}",
    ),
    "long_number": (
        b'{"nbformat": ' + b"4" * 5000 + b"}",
        f"is not a notebook: a number is too long: {AGAIN}",
    ),
    "deep": (b"[" * 100_000, f"is not a notebook: its JSON is nested too deeply: {AGAIN}"),
}


@pytest.fixture
def solved():
    return sample_solved()


def test_each_is_named_and_the_rest_of_the_class_is_graded(course, solved):
    (name,) = course.notebooks(LESSON)
    hand_in(course, LESSON, "honest", solved)
    for student, (content, _) in ODD.items():
        folder = course.path("submitted", LESSON, student)
        folder.mkdir(parents=True)
        (folder / f"{name}.ipynb").write_bytes(content)
    renamed = hand_in(course, LESSON, "renamed", solved)
    renamed.rename(renamed.with_name(f"{name} (1).ipynb"))
    other = hand_in(course, LESSON, "other", new_notebook(cells=small_lesson()))
    other.rename(other.with_name("homework.ipynb"))
    (course.path("submitted", LESSON, "paper")).mkdir(parents=True)
    (course.path("submitted", LESSON, "paper") / "answers.pdf").write_bytes(b"%PDF-1.4")
    (course.root / "submitted" / "absent").mkdir()
    hand_in(course, LESSON, "Ann [12]", solved)
    (course.root / "submitted" / "astray" / "homework").mkdir(parents=True)
    before = contents(course.root / "submitted")

    run = gradebox(course, "autograde")

    assert run.returncode == 1
    assert "Traceback" not in run.stdout + run.stderr
    lines = run.stdout.splitlines()
    expected = {f"{student}/{LESSON}": f"{name}.ipynb {problem}" for student, (_, problem) in ODD.items()} | {
        f"other/{LESSON}": f"{name}.ipynb is missing: found homework.ipynb instead",
        f"paper/{LESSON}": "the folder holds no notebook",
        f"Ann [12]/{LESSON}": "the folder's name has *, ?, [, or a leading or trailing space, "
        "which nbgrader misreads: rename it",
        "astray/homework": f"is not an assignment of this course (known: {', '.join(course.assignments)})",
    }
    assert problems(course) == expected
    for where in expected:
        assert any(where in line and "unreadable" in line for line in lines), run.stdout
    for student in ODD:
        assert sum(student in line and "not graded" in line for line in lines) == 1
    assert contents(course.root / "submitted") == before
    total = sum(points_of(sample("source")).values())
    for student in ("honest", "renamed"):
        assert any(student in line and f" {total:g} " in line for line in lines), run.stdout
        with course.gradebook() as gradebook:
            assert gradebook.find_submission(LESSON, student).score == total
    assert any("renamed" in line and f"handed in as {name} (1).ipynb" in line for line in lines)
    for student in ("absent", "astray"):
        assert any(student in line and "not handed in" in line for line in lines)
    assert lines[-1].startswith("NOT GRADED: ") and lines[-1].endswith("see incidents.")
    with course.gradebook() as gradebook:
        assert {student.id for student in gradebook.students} >= {*ODD, "renamed", "absent", "honest"}


def test_a_structure_that_nbformat_can_not_read_is_named_and_stops_nobody_else(course, solved):
    path = hand_in(course, LESSON, "broken", solved)
    content = json.loads(path.read_text())
    for _ in range(700):
        content["metadata"] = {"x": content["metadata"]}
    path.write_text(json.dumps(content))
    hand_in(course, LESSON, "honest", solved)
    run = gradebox(course, "autograde", LESSON)
    assert run.returncode == 1 and "Traceback" not in run.stdout + run.stderr
    said = f"{path.name} is JSON, but not a valid notebook: repair it in Jupyter and hand it in again"
    assert problems(course)[f"broken/{LESSON}"] == said
    assert "1 graded" in run.stdout


def test_grading_twice_changes_nothing_and_a_new_version_is_graded_again(course, solved):
    path = hand_in(course, LESSON, "honest", sample("release"))
    assert "1 graded, 0 unchanged" in gradebox(course, "autograde").stdout
    before = contents(course.root / "autograded")
    again = gradebox(course, "autograde")
    assert again.returncode == 0 and "0 graded, 1 unchanged" in again.stdout
    assert contents(course.root / "autograded") == before

    path.write_text(nbformat.writes(solved))
    assert "1 graded, 0 unchanged" in gradebox(course, "autograde").stdout
    with course.gradebook() as gradebook:
        total = sum(points_of(sample("source")).values())
        assert gradebook.find_submission(LESSON, "honest").score == total


def test_a_changed_setting_or_test_grades_again(course, solved):
    hand_in(course, LESSON, "honest", solved)
    gradebox(course, "autograde")
    with_settings(course, "c.Execute.timeout = 29")
    assert "1 graded, 0 unchanged" in gradebox(course, "autograde").stdout
    text = course.root / "lessons" / f"{LESSON}.py"
    text.write_text(text.read_text().replace("default_rng(101)", "default_rng(9101)"))
    gradebox(course, "release")
    assert "1 graded, 0 unchanged" in gradebox(course, "autograde").stdout


def test_a_lost_gradebook_or_graded_copy_is_made_again(course, solved):
    hand_in(course, LESSON, "honest", solved)
    gradebox(course, "autograde")
    shutil.rmtree(course.root / "autograded")
    assert "1 graded" in gradebox(course, "autograde").stdout
    (course.root / "gradebook.db").unlink()
    assert gradebox(course, "release").returncode == 0
    assert "1 graded" in gradebox(course, "autograde").stdout


def test_a_lesson_that_is_left_out_is_passed_over(small):
    shutil.copytree(small.root / "source" / "hw", small.root / "source" / "later")
    assert Course(small.root).assignments == ["hw", "later"]
    less = with_settings(small, 'c.CourseDirectory.ignore.extend(["lat*"])')
    assert less.assignments == ["hw"]
    assert gradebox(less, "release", "later").stderr == "gradebox: unknown assignment 'later' (known: hw)\n"


def test_a_folder_that_cannot_be_written_is_named(small):
    said = gradebox(small, "publish", "/sys/gradebox").stderr
    if Path("/sys").is_dir():
        assert said.startswith("gradebox: /sys/gradebox can't be written or read: ")
    # A gradebook in a read-only folder; nothing can be written below a file.
    with_settings(small, 'c.CourseDirectory.db_url = "sqlite:////dev/null/gradebook.db"')
    run = gradebox(small, "autograde")
    words = "gradebox: the gradebook can't be written: make gradebook.db and its folder writable\n"
    assert (run.returncode, run.stderr) == (2, words)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["autograde", "no_such_lesson"], "unknown assignment 'no_such_lesson'"),
        (["autograde", "--student", "nobody"], "unknown student 'nobody'"),
        (["autograde", "--course", "lessons"], "no nbgrader_config.py"),
    ],
)
def test_a_mistyped_command_is_answered_in_one_sentence(course, arguments, words):
    run = gradebox(course, *arguments)
    assert run.returncode == 2
    assert words in run.stderr and "Traceback" not in run.stderr
    assert len(run.stderr.splitlines()) == 1


NOT_RELEASED = "hw is not released here: run `gradebox release hw` first"


def test_what_is_not_released_is_said_in_one_sentence_also_by_nbgraders_own_command(small):
    write_notebook(small.root / "submitted" / "ann" / "hw" / "hw.ipynb", small_lesson())
    shutil.rmtree(small.path("release", "hw"))
    assert small.convert(Autograde, "hw", "ann").endswith(f"ann/hw: {NOT_RELEASED}")
    # It has gone since it was looked at, and is nothing that a student has done.
    (path,) = small.path("submitted", "hw", "ann").glob("*.ipynb")
    (outcome,) = autograde_submissions(small, [Submission("ann", "hw", files={"hw": path})])
    assert outcome.problem == NOT_RELEASED and [one.kind for one in outcome.incidents] == ["not graded"]


def test_a_notebook_that_is_handed_in_and_not_released_is_said_in_the_same_way(small):
    write_notebook(small.root / "source" / "hw" / "more.ipynb", small_lesson())
    assert gradebox(small, "release", "--no-check").returncode == 0
    for name in ("hw", "more"):
        write_notebook(small.root / "submitted" / "ann" / "hw" / f"{name}.ipynb", small_lesson())
    (small.path("release", "hw") / "more.ipynb").unlink()
    assert small.convert(Autograde, "hw", "ann").endswith(f"more.ipynb: {NOT_RELEASED}")


def test_a_wrong_setting_is_one_sentence(course):
    run = gradebox(with_settings(course, "c.Execute.isolation = 'ful'"), "autograde")
    assert run.returncode == 2 and len(run.stderr.splitlines()) == 1
    assert run.stderr.startswith(
        "gradebox: a setting in nbgrader_config.py is wrong: The 'isolation' trait"
    ), run


# A line of the configuration, and what the message names.
UNKNOWN_SETTINGS = {
    "c.LatePolicy.per_dya = '10%'": "c.LatePolicy has no setting 'per_dya': did you mean 'per_day'?",
    "c.Dates.timezne = 'UTC'": "c.Dates has no setting 'timezne': did you mean 'timezone'?",
    "c.Execute.memory_limt = 1": "c.Execute has no setting 'memory_limt': did you mean 'memory_limit'?",
    "c.Final.curve = 2": "c.Final has no setting 'curve': correct or remove it",
    "c.LatePolcy.per_day = '10%'": "there is no section c.LatePolcy: did you mean c.LatePolicy?",
    "c.lessons.edition = 'core'": "there is no section c.lessons: did you mean c.Lessons?",
    "c.Dates.due.update({'small': ''}); c.HandIn.throuhg = 'lms'": "c.HandIn has no setting 'throuhg': did",
}


@pytest.mark.parametrize(("line", "said"), UNKNOWN_SETTINGS.items())
def test_an_unknown_setting_is_named_before_anything_is_done(small, line, said):
    course = with_settings(small, line)
    for command in ("autograde", "feedback", "due"):
        run = gradebox(course, command)
        assert run.returncode == 2 and len(run.stderr.splitlines()) == 1, run
        assert run.stderr.startswith(f"gradebox: nbgrader_config.py: {said}"), run


def test_the_settings_of_all_sections_are_checked():
    """The table of sections has the classes of the settings reference, and nbgrader's settings are known."""
    code = "from write_reference import *; print({c.__name__: c.__module__ for c in find_configurables()})"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT / "docs", capture_output=True, text=True, check=True
    )
    assert ast.literal_eval(run.stdout) == {name: f"gradebox.{module}" for name, module in SECTIONS.items()}
    own = {"Execute": {"timeout": 1}, "LatePolicy": {"penalty_method": "zero"}, "Lessons": {"enabled": True}}
    assert find_unknown_setting(Config(own | {"Exchange": {"nothing": 1}})) is None
