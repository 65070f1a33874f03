"""Tables fit into the terminal, and say where the columns are that do not."""

import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import cell, gradebox, solves, write_notebook
from nbformat.v4 import new_markdown_cell
from rich.console import Console, RenderableType
from rich.text import Text

from gradebox.audit.audit_report import render_audit_table as audit_table
from gradebox.audit.audit_results import NAMED, ExerciseAudit, NotebookAudit
from gradebox.class_list import ClassMember
from gradebox.course import Course
from gradebox.reports.terminal_score_tables import (
    GradeRow,
    Score,
    build_assignment_table,
    build_summary_table,
)
from gradebox.reports.terminal_table import TerminalTable

WIDTHS = [40, 80, 140]
MEMBERS = {"ann": ClassMember(section="Tue")}
STUDENTS = ["ann", "a_student_with_a_long_name"]
EXERCISES = [f"1.{number}" for number in range(1, 21)]


def shown(what: RenderableType, width: int) -> str:
    file = io.StringIO()
    Console(width=width, file=file).print(what)
    text = file.getvalue()
    assert "…" not in text and max(map(len, text.splitlines())) <= width
    return text


def cells_of(text: str, name: str) -> list[str]:
    """What stands behind a name in a table."""
    (line,) = [re.split(r"[│┃]", line) for line in text.splitlines() if re.match(rf"[│┃]? *{name}\b", line)]
    return [entry.strip() for entry in line if entry.strip()][1:]


def course_of_20_exercises(course: Course) -> Course:
    cells = []
    for number in EXERCISES:
        cells += [new_markdown_cell(f"## {number} One"), cell("test", f"t{number[2:]}", "pass")]
    write_notebook(course.root / "source" / "hw" / "hw.ipynb", cells)
    return Course(course.root)


@pytest.mark.parametrize(("width", "count"), [(40, 0), (80, 7), (140, 15), (190, 20)])
def test_a_lesson_has_the_exercises_that_fit_and_says_where_the_others_are(small, width, count):
    found = [
        GradeRow(name, {one: Score(place % 3, 2) for place, one in enumerate(EXERCISES)}) for name in STUDENTS
    ]
    table = build_assignment_table(course_of_20_exercises(small), "hw", found, {})
    text = shown(table, width)
    assert text.splitlines()[0].strip() == "hw"
    assert cells_of(text, "student") == ["total", *EXERCISES[:count]]
    assert cells_of(text, "points") == ["40"] + ["2"] * count
    assert cells_of(text, "ann") == ["19", *(str(place % 3) for place in range(count))]
    rest = f"{20 - count} more exercises: `gradebox final --exercises` writes exports/final.csv."
    assert (rest in " ".join(text.split())) == (count < 20)


def test_a_section_is_beside_the_total(small):
    found = [GradeRow("ann", {one: Score(1, 2) for one in EXERCISES})]
    text = shown(build_assignment_table(course_of_20_exercises(small), "hw", found, MEMBERS), 80)
    assert cells_of(text, "student")[:3] == ["total", "section", "1.1"]
    assert cells_of(text, "ann")[:3] == ["20", "Tue", "1"]


@pytest.mark.parametrize(("width", "count"), [(40, 0), (80, 3), (140, 7)])
def test_several_lessons_are_one_table_with_those_that_fit(width, count):
    names = [f"{number:02}_lesson" for number in range(1, 39)]
    half = {"1": Score(1, 2), "2": Score(0, 2, 1)}
    by_assignment = {name: [GradeRow(student, half, True, 0.5) for student in STUDENTS] for name in names}
    text = shown(build_summary_table(by_assignment, dict.fromkeys(names, 4), {}, STUDENTS), width)
    assert cells_of(text, "student") == ["total", *names[:count]]
    assert cells_of(text, "ann") == ["19"] + ["0.5+? late"] * count
    rest = f"{38 - count} more lessons: `gradebox export` writes exports/grades.csv."
    assert rest in " ".join(text.split())


def test_several_lessons_say_who_is_absent_and_whose_submission_is_not_graded():
    by_assignment = {
        "hw": [GradeRow("ann", {"1": Score(1, 2)}), GradeRow("ben", instead=Text("not graded"))],
        "lab": [GradeRow("ann", instead=Text("not handed in"), is_absent=True)],
    }
    text = shown(build_summary_table(by_assignment, {"hw": 2, "lab": 2}, {}, ["ben", "ann"]), 80)
    assert text.splitlines()[0].strip() == "all lessons" and "more lesson" not in text
    assert cells_of(text, "ann") == ["1", "1", "–"] and cells_of(text, "ben") == ["0", "not graded", "–"]


@pytest.mark.parametrize("width", [12, 20])
def test_where_there_is_no_room_words_are_folded(width):
    heads = [Text("who"), Text("heading")]
    table = TerminalTable("a title", heads, ("more thing", "more things"), "elsewhere")
    table.add_row(Text("abcdefghijkl"), Text("12345678"))
    text = re.sub(r"[│┃\s]", "", shown(table, width))
    for letters in ("abcdefghijkl", "12345678", "heading"):
        assert all(letter in text for letter in letters)


@pytest.mark.parametrize("width", [80, 140])
def test_the_table_of_an_audit_has_all_its_columns(width):
    exercises = {
        name: ExerciseAudit(name, "1.1", [f"{name}-test"], wrong=31, mutants=4111, told={NAMED: 31})
        for name in ("softmax", "grouped-query-attention")
    }
    text = shown(audit_table([NotebookAudit("hw", exercises, [])]), width)
    for head in ("wrong", "mutants", "cheats", "sur-", "equi-", "alarms", "named", "raw"):
        assert head in text
    assert "1.1 softmax" in text and "1.1 grouped-query-attention" in text
    assert "62" in text and "8222" in text and text.count("100 %") == 3


def test_the_command_fits_into_a_terminal_of_80_columns(small):
    course = course_of_20_exercises(small)
    assert gradebox(course, "release", "--no-check").returncode == 0
    shutil.copytree(course.root / "release" / "hw", course.root / "submitted" / "ann" / "hw")
    run = subprocess.run(
        [Path(sys.executable).with_name("gradebox"), "autograde"],
        cwd=course.root,
        env={**os.environ, "COLUMNS": "80", "FORCE_COLOR": "1"},
        capture_output=True,
        text=True,
    )
    lines = [re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", line) for line in run.stdout.splitlines()]
    assert run.returncode == 0 and max(map(len, lines)) <= 80 and "…" not in run.stdout
    assert "more exercises: `gradebox final --exercises` writes exports/final.csv." in " ".join(lines)
    # What the line says is so.
    assert gradebox(course, "final", "--exercises").returncode == 0
    assert "hw 1.20" in (course.root / "exports" / "final.csv").read_text(encoding="utf-8-sig")


def test_sections_and_names_and_a_large_class(small):
    lines = "".join(f"s{n:02},First{n},Last{n},{'Tue' if n % 2 else 'Wed'}\n" for n in range(45))
    (small.root / "class.csv").write_text(f"id,first name,last name,section\n{lines}")
    assert gradebox(small, "roster", "class.csv").returncode == 0
    for student in ("s00", "s01", "s02"):
        solves(small, student, double="def double(x):\n    return 2 * x")
    (small.root / "submitted" / "s02" / "hw" / "hw.ipynb").write_text("{")
    run = gradebox(small, "autograde", "--section", "wed")
    # 23 students: those who have handed in are listed, and nobody else is graded.
    assert "First0 Last0 (s00)" in run.stdout and "First1 Last1" not in run.stdout
    assert not small.path("autograded", "hw", "s01").exists()
    assert re.search(r"First0 Last0 \(s00\) *│ *2 *│ *Wed *│", run.stdout), run.stdout
    run = gradebox(small, "autograde")
    assert "First0 Last0" not in run.stdout and "First3 Last3" not in run.stdout
    assert "42 not handed in." in run.stdout
    assert re.search(r"First2 Last2 \(s02\) *│ *not graded", run.stdout)
    assert "44 students without incidents not listed: `gradebox export` writes all" in run.stdout
    every = gradebox(small, "autograde", "--all").stdout
    assert "First0 Last0" in every and "First3 Last3" in every
    run = gradebox(small, "export", "--section", "Tue", "--provisional")
    text = (small.root / "exports" / "grades.csv").read_text(encoding="utf-8-sig")
    assert "s01" in text and "s00" not in text and '"Tue"' in text
    assert "hw: 1 to be read, 21 not handed in" in run.stdout
    assert gradebox(small, "report", "--section", "Tue").returncode == 0
    page = (small.root / "exports" / "class.html").read_text()
    assert "section Tue" in page and "22 students" in page
