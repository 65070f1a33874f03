"""What was released is not called alike, and the page of pairs accuses nobody."""

import random
import re

import nbformat
from browser import BROWSER, DRIVER, tab
from helpers import gradebox, hand_in, sample, sample_solved
from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.class_report.code_similarity import collect_code, compare_students, released_code
from gradebox.course import REPLACED_FOLDER


def test_what_was_released_and_what_many_have_written_is_left_out():
    common = "def f(a):\n    total = 0\n    for x in a:\n        total += x * x\n    return total / len(a)"
    own = "def g{n}(a):\n    " + "\n    ".join("a = a{op}{n}" for _ in range(3)) + "\n    return a"
    ops = ["+", "-", "*", "/", "%", "//", "**", "@", "&", "|", "^", "<<"]
    code = {
        f"s{n:02d}": [{"1": common, "2": own.replace("{op}", op * 1).replace("{n}", str(7 ** (30 + n)))}]
        for n, op in enumerate(ops)
    }
    assert compare_students(code, "").pairs == []
    two = {name: parts for name, parts in code.items() if name in ("s00", "s01")}
    assert compare_students(two, common).pairs == []


def test_exercises_are_in_the_order_of_the_notebook():
    parts = {f"1.{n}": f"def f{n}(a):\n    return a{'+ a ' * 20}* {n}" for n in (2, 9, 10)}
    (pair,) = compare_students({"ada": [parts], "ben": [parts]}, "").pairs
    assert list(pair.exercises) == ["1.2", "1.9", "1.10"]


def test_the_page_has_both_sides_and_accuses_nobody(course):
    nb = sample_solved()
    hand_in(course, "01_shares", "ada", nb)
    answer = next(cell for cell in nb.cells if utils.is_solution(cell) and cell.cell_type == "code")
    answer.source += f"  # \u202eback to front {'and again ' * 30}"
    hand_in(course, "01_shares", "ben", nb)
    assert gradebox(course, "similar", "01_shares").returncode == 2
    gradebox(course, "autograde")
    said = gradebox(course, "similar", "01_shares")
    assert said.stdout.startswith("1 pair compared; 1 pair is unusually alike: exports/"), said.stderr
    assert "too little" not in said.stdout
    hand_in(course, "01_shares", "cid", sample("release"))
    gradebox(course, "autograde")
    said = gradebox(course, "similar", "01_shares").stdout
    assert "Of 3 submissions, 1 has too little code of their own to compare." in said
    page = (course.root / "exports" / "similar-01_shares.html").read_text()
    assert "This accuses nobody." in page and "http" not in re.sub(r"xmlns\S*", "", page)
    assert "ada and ben" in page and "<mark>" in page
    assert "\ufffdback to front" in page and "\u202e" not in page
    if not (BROWSER and DRIVER):
        return
    with tab() as browser:
        browser.get((course.root / "exports" / "similar-01_shares.html").as_uri())
        cut = "return [...document.querySelectorAll('pre')].filter(e => e.scrollWidth > e.clientWidth).length"
        assert browser.execute_script(cut) == 0


def invent(seed: int, values: str = "values", number: str = "number") -> str:
    """The body of a function that nobody else writes."""
    chance, operators = random.Random(seed), ["+", "-", "*", "/", "%", "//", "**", "@", "&", "|", "^", "<<"]
    lines = [
        f"{values}[{{}}] {{}}= {number} {{}} {values} {{}} {number}".format(
            n, *chance.choices(operators, k=3)
        )
        for n in range(30)
    ]
    return "\n    ".join(lines)


def test_a_copy_of_an_attempt_that_was_replaced_is_found(course):
    """Ben has copied ada's first attempt, and ada has written another since; cid has written his own."""

    def attempt(body: str) -> NotebookNode:
        notebook = sample_solved()
        cells = [cell for cell in notebook.cells if utils.is_solution(cell) and cell.cell_type == "code"]
        for cell in cells:
            (definition, *_) = cell.source.splitlines()
            cell.source = f"{definition}\n    {body}" if cell is cells[0] else "pass"
        return notebook

    kept = course.root / REPLACED_FOLDER / "ada" / "01_shares"
    kept.mkdir(parents=True)
    replaced = attempt(invent(1))
    # As Colab saves a notebook.
    for cell in replaced.cells:
        cell.metadata.pop("nbgrader", None)
    (name,) = course.notebooks("01_shares")
    nbformat.write(replaced, kept / f"{name}-0123abcd.ipynb")
    (kept / f"{name}-4567abcd.ipynb").write_text("{cut off")
    nbformat.write(replaced, kept / "data-89abcdef.ipynb")
    (kept / "notes-89abcdef.txt").write_text("My notes")
    for student, text in (("ada", invent(2)), ("ben", invent(1, "a", "b")), ("cid", invent(3))):
        hand_in(course, "01_shares", student, attempt(text))
    gradebox(course, "autograde")
    code = collect_code(course, "01_shares")
    assert {student: len(attempts) for student, attempts in code.items()} == {"ada": 2, "ben": 1, "cid": 1}
    found = compare_students(code, released_code(course, "01_shares"))
    assert [(pair.students, pair.attempts) for pair in found.pairs] == [(("ada", "ben"), (1, 0))]
    assert found.compared == 3 and found.silent == []
    said = gradebox(course, "similar", "01_shares").stdout
    assert said.startswith("3 pairs compared; 1 pair is unusually alike")
    page = (course.root / "exports" / "similar-01_shares.html").read_text()
    assert page.startswith("<!doctype html>") and "ada (replaced attempt) and ben" in page
