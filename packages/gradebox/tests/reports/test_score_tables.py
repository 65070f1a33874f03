"""Tables show all that is in them, however narrow the terminal is."""

import io
import re

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
from gradebox.reports.wide_terminal_table import WideTable

WIDTHS = [40, 80, 140]
MEMBERS = {"ann": ClassMember(section="Tue")}
STUDENTS = ["ann", "a_student_whose_name_is_longer_than_others_are"]


def shown(what: RenderableType, width: int) -> str:
    file = io.StringIO()
    Console(width=width, file=file).print(what)
    text = file.getvalue()
    assert "…" not in text and max(map(len, text.splitlines())) <= width
    return text


def rows_of(text: str, name: str) -> list[list[str]]:
    """What stands behind a name in each part of a table."""
    lines = [re.split(r"[│┃]", line) for line in text.splitlines() if re.match(rf"[│┃]? *{name}\b", line)]
    return [[entry.strip() for entry in line if entry.strip()][1:] for line in lines]


@pytest.mark.parametrize("width", WIDTHS)
def test_a_table_of_20_exercises_has_all_of_them_with_who_has_earned_what(small, width):
    cells = []
    for number in range(1, 21):
        cells += [new_markdown_cell(f"## 1.{number} One"), cell("test", f"t{number}", "pass")]
    write_notebook(small.root / "source" / "hw" / "hw.ipynb", cells)
    numbers = [f"1.{number}" for number in range(1, 21)]
    found = [
        GradeRow(name, {one: Score(count % 3, 2) for count, one in enumerate(numbers)}) for name in STUDENTS
    ]
    text = shown(build_assignment_table(Course(small.root), "hw", found, MEMBERS), width)
    parts = rows_of(text, "ann")
    assert [score for part in parts for score in part] == ["19", "Tue", *(str(n % 3) for n in range(20))]
    assert [head for part in rows_of(text, "student") for head in part] == ["total", "section", *numbers]
    assert [head for part in rows_of(text, "points") for head in part] == ["40"] + ["2"] * 20
    assert len(rows_of(text, "student")) == len(parts)
    assert ("hw (1 of" in text) == (len(parts) > 1)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_table_of_38_assignments_has_all_of_them(width):
    names = [f"{number:02}_lesson" for number in range(1, 39)]
    late = {"1": Score(1, 2)}
    by_assignment = {name: [GradeRow(student, late, True, 0.5) for student in STUDENTS] for name in names}
    text = shown(build_summary_table(by_assignment, dict.fromkeys(names, 2), {}, STUDENTS), width)
    assert [head for part in rows_of(text, "student") for head in part] == ["total", *names]
    assert [score for part in rows_of(text, "ann") for score in part] == ["19"] + ["0.5 late −0.5"] * 38


def test_a_table_that_fits_is_one():
    by_assignment = {"hw": [GradeRow("ann", {"1": Score(1, 2)})]}
    text = shown(build_summary_table(by_assignment, {"hw": 2}, {}, ["ann"]), 80)
    assert text.splitlines()[0].strip() == "all lessons" and text.count("student") == 1


@pytest.mark.parametrize("width", [12, 20])
def test_where_there_is_no_room_words_are_folded(width):
    table = WideTable([Text("who"), Text("long heading"), Text("b")], title="a title")
    table.add_row(Text("abcdefghijkl"), Text("12345678"), Text("7"))
    text = re.sub(r"[│┃\s]", "", shown(table, width))
    for letters in ("abcdefghijkl", "12345678", "longheading"):
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


def test_the_command_folds_in_a_terminal_of_80_columns(small, monkeypatch):
    source = [cell("test", f"a-test-with-a-long-name-{number}", "pass") for number in range(20)]
    write_notebook(small.root / "source" / "hw" / "hw.ipynb", source)
    assert gradebox(small, "release", "--no-check").returncode == 0
    write_notebook(small.root / "submitted" / "ann" / "hw" / "hw.ipynb", source)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FORCE_COLOR", "1")
    run = gradebox(small, "autograde")
    assert run.returncode == 0 and "…" not in run.stdout
    for number in range(20):
        assert f"a-test-with-a-long-name-{number}" in run.stdout


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
    assert "42 not handed in. (`gradebox autograde --all` lists the students.)" in run.stdout
    assert re.search(r"First2 Last2 \(s02\) *│ *not graded", run.stdout)
    assert "44 students without incidents not listed: `gradebox export` writes all" in run.stdout
    every = gradebox(small, "autograde", "--all").stdout
    assert "First0 Last0" in every and "First3 Last3" in every
    run = gradebox(small, "export", "--section", "Tue", "--provisional")
    text = (small.root / "exports" / "grades.csv").read_text(encoding="utf-8-sig")
    assert "s01" in text and "s00" not in text and '"Tue"' in text
    assert "hw: 1 waits to be read, 21 not handed in" in run.stdout
    assert gradebox(small, "report", "--section", "Tue").returncode == 0
    page = (small.root / "exports" / "class.html").read_text()
    assert "section Tue" in page and "22 students" in page
