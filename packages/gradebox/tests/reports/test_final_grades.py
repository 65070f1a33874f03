"""Final grades: weights, lowest lessons, excuses, letters; what is not final yet is said."""

import csv
import io
import shutil

import pytest
from helpers import gradebox, solves, with_settings
from nbgrader.api import Grade
from traitlets import TraitError

from gradebox.course import Course
from gradebox.lms.roster import import_roster
from gradebox.reports.final_grades import Final, compute_final_grade
from gradebox.reports.student_standings import ABSENT, GRADED, UNREAD, Standing


def standings(**shares: float | None) -> dict[str, Standing]:
    """Lessons of 10 points; None for a lesson that was not handed in."""
    return {
        name: Standing("ann", name, ABSENT if share is None else GRADED, 10 * (share or 0), 10)
        for name, share in shares.items()
    }


@pytest.mark.parametrize(
    ("settings", "lessons", "excused", "total"),
    [
        ({}, {"a": 1, "b": 0.5}, {}, 75),
        # A lesson that was not handed in counts 0.
        ({}, {"a": 1, "b": None}, {}, 50),
        ({"weights": {"a": 1, "b": 3}}, {"a": 1, "b": 0.5}, {}, 62.5),
        ({"drop_lowest": 1}, {"a": 1, "b": 0.5, "c": None}, {}, 75),
        # Of two that were not handed in, the one with the larger weight does not count.
        ({"drop_lowest": 1, "weights": {"a": 1, "b": 1, "c": 2}}, {"a": 1, "b": None, "c": None}, {}, 50),
        # At least one lesson counts.
        ({"drop_lowest": 5}, {"a": 1, "b": 0.5}, {}, 100),
        # An excused lesson is left out before the lowest one.
        ({"drop_lowest": 1}, {"a": 1, "b": 0.5, "c": 0}, {"c": "ill"}, 100),
        ({}, {"a": 0.5}, {"a": "ill"}, None),
        ({"scale": 20}, {"a": 0.5}, {}, 10),
        # A bonus can give more than full points.
        ({}, {"a": 1.2}, {}, 120),
        ({}, {"a": 0.1, "b": 0.2, "c": 0.3}, {}, 20),
    ],
)
def test_the_total(settings, lessons, excused, total):
    found = compute_final_grade(Final(**settings), "ann", standings(**lessons), excused)
    assert found.total == total


def test_letters_and_settings():
    rules = Final(letters={"A": 90, "B": 80, "pass": 50})
    letters = {total: rules.find_letter(total) for total in (120, 90, 89.99, 50, 49.99)}
    assert letters == {120: "A", 90: "A", 89.99: "B", 50: "pass", 49.99: ""}
    for wrong in ({"letters": {"A": "90"}}, {"weights": {"a": -1}}, {"drop_lowest": -1}, {"scale": -5.0}):
        with pytest.raises(TraitError, match="0 or more"):
            Final(**wrong)


def test_what_is_unread_is_not_final():
    lessons = {**standings(a=1), "b": Standing("ann", "b", UNREAD, 5, 10, unread=2)}
    found = compute_final_grade(Final(), "ann", lessons, {})
    assert (found.total, found.unfinished) == (75, {"b": "2 unread"})
    assert not compute_final_grade(Final(), "ann", lessons, {"b": "ill"}).unfinished


@pytest.fixture
def term(small) -> Course:
    """Two lessons: `hw`, and `hw2` that only Ann has handed in; and a lesson that nobody has."""
    for name in ("hw2", "hw3"):
        (folder := small.root / "source" / name).mkdir()
        shutil.copy(small.root / "source" / "hw" / "hw.ipynb", folder / f"{name}.ipynb")
    assert gradebox(small, "release", "--no-check", "hw2", "hw3").returncode == 0
    (small.root / "class.csv").write_text(
        "id,first name,last name,section\nann,Ann,=Lee,Tue\nbob,Bob,Ray,Wed\ncid,Cid,Roe,Wed\n"
    )
    import_roster(small, small.root / "class.csv")
    solves(small, "ann", double="def double(x):\n    return 2 * x")
    solves(small, "bob")
    shutil.copytree(small.path("submitted", "hw", "ann"), small.path("submitted", "hw2", "ann"))
    path = small.path("submitted", "hw2", "ann") / "hw.ipynb"
    path.rename(path.with_name("hw2.ipynb"))
    assert gradebox(small, "autograde").returncode == 0
    return Course(small.root)


def rows(course: Course, name: str = "final.csv") -> dict[str, dict[str, str]]:
    text = (course.root / "exports" / name).read_text(encoding="utf-8-sig")
    return {row["student_id"]: row for row in csv.DictReader(io.StringIO(text, newline=""))}


def test_the_table_has_names_and_totals_first_and_says_what_is_not_final(term):
    run = gradebox(term, "final", "--exercises")
    assert run.returncode == 0, run.stdout + run.stderr
    found = rows(term)
    assert list(found["ann"])[:7] == [
        *("student_id", "last_name", "first_name", "email", "section", "total", "letter")
    ]
    # Of 6 points, 2 are of the test; the answer for 3 points is not read, and the essay is empty.
    assert found["ann"]["last_name"] == "'=Lee" and found["ann"]["section"] == "Tue"
    assert {s: row["total"] for s, row in found.items()} == {"ann": "33.33", "bob": "0", "cid": "0"}
    assert found["ann"]["hw2 double-test"] == "2" and found["ann"]["hw2 why"] == ""
    assert found["ann"]["not final"] == "hw: 1 unread; hw2: 1 unread" and found["cid"]["not final"] == ""
    for words in (
        "A lesson that was not handed in counts 0.",
        "hw3 does not count: nobody has handed it in.",
        "2 things wait: `gradebox status`",
        "33.33?",
        "Bob Ray",
    ):
        assert words in run.stdout
    run = gradebox(term, "final", "--section", "wed")
    assert set(rows(term, "final-wed.csv")) == {"bob", "cid"} and "Ann" not in run.stdout
    assert "ann" in rows(term)
    run = gradebox(term, "final", "--section", "Fri")
    assert run.returncode == 2 and "unknown section 'Fri' (known: Tue, Wed)" in run.stderr


def test_settings_excuses_and_adjustments_count(term):
    with term.gradebook() as gradebook:
        for grade in gradebook.db.query(Grade).filter(Grade.needs_manual_grade):
            grade.manual_score, grade.needs_manual_grade = grade.max_score, False
    term = with_settings(
        term, 'c.Final.weights = {"hw": 1, "hw2": 3}', 'c.Final.letters = {"A": 90, "pass": 25}'
    )
    assert gradebox(term, "final").returncode == 0
    found = {s: (row["total"], row["letter"]) for s, row in rows(term).items()}
    assert found == {"ann": ("83.33", "pass"), "bob": ("12.5", ""), "cid": ("0", "")}
    run = gradebox(term, "adjust", "hw2", "--excuse", "--student", "bob", "--because", "ill.")
    assert run.returncode == 0 and "hw2, bob: excused: ill (" in run.stdout
    assert gradebox(term, "adjust", "hw", "double-test", "--drop", "--because", "x").returncode == 0
    run = gradebox(term, "final")
    assert "excused" in run.stdout and "weighted by c.Final.weights" in run.stdout
    bob = rows(term)["bob"]
    assert (bob["total"], bob["letter"]) == ("75", "pass")
    assert bob["does not count"] == "hw2: excused: ill"
    assert "excused: ill" in gradebox(term, "adjust").stdout
    assert gradebox(term, "adjust", "hw2", "--remove", "--student", "bob").returncode == 0
    run = gradebox(term, "adjust", "hw2", "--remove", "--student", "bob")
    assert run.returncode == 2 and "hw2, bob: no excuse to remove" in run.stderr
    assert gradebox(term, "adjust", "hw2", "--excuse", "--because", "x").returncode == 2
    term = with_settings(term, 'c.Final.weights = {"hw9": 1}')
    run = gradebox(term, "final")
    assert run.returncode == 2 and "c.Final.weights names an unknown lesson: hw9" in run.stderr


def test_a_large_class_is_in_the_file_and_the_terminal_has_only_those_without_a_final_grade(term):
    lines = "".join(f"s{n},First{n},Last{n}\n" for n in range(50))
    (term.root / "class.csv").write_text(f"id,first name,last name\n{lines}")
    import_roster(term, term.root / "class.csv")
    run = gradebox(term, "final")
    assert "Ann" in run.stdout and "Bob" in run.stdout and "First7 " not in run.stdout
    assert "51 students with final grades are only there (--all prints them)" in run.stdout
    assert len(rows(term)) == 53
    run = gradebox(term, "final", "--all")
    assert "First7 " in run.stdout and run.stdout.rstrip().endswith("exports/final.csv written")
