"""Solved lessons for students: a notebook, and a page with its pictures and formulas in one file."""

import shutil
from datetime import datetime

import nbformat
import pytest
from bs4 import BeautifulSoup
from helpers import gradebox, small_lesson, with_settings, write_notebook
from nbformat.v4 import new_code_cell, new_markdown_cell

from gradebox.course import Course

DRAWS = "import matplotlib.pyplot as plt\nplt.plot([1, double(1)])\nplt.show()"


@pytest.fixture(scope="module")
def drawn(small_released, tmp_path_factory):
    """The small course with a formula, a picture that has a text, and a folded cell, released."""
    course = Course(shutil.copytree(small_released, tmp_path_factory.mktemp("pages") / "course"))
    folded = new_code_cell("machinery = 1\nprint('said by machinery')", id="folded")
    folded.metadata["jupyter"] = {"source_hidden": True}
    picture = new_code_cell(DRAWS, id="picture")
    picture.metadata["alt"] = 'A line from 1 up to 2, "twice".'
    formula = new_markdown_cell("# Small\n\nTwice is $2x_i$, <b>so</b> $$\\sum_i 2x_i$$", id="formula")
    path = course.root / "source" / "hw" / "hw.ipynb"
    write_notebook(path, [*small_lesson()[:2], formula, folded, picture])
    assert gradebox(course, "release").returncode == 0
    return course


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_page_shows_solutions_formulas_and_pictures_and_loads_nothing(drawn, theme):
    run = gradebox(drawn, "solutions", "--theme", theme)
    path = "solutions/hw/hw.html"
    assert run.returncode == 0 and run.stdout == f"solutions/hw/hw.ipynb written\n{path} written\n", (
        run.stderr
    )
    assert "IPKernelApp" not in run.stderr
    page = BeautifulSoup((drawn.root / path).read_text(encoding="utf-8"), "html.parser")
    (picture,) = page.find_all("img")
    assert picture["alt"] == 'A line from 1 up to 2, "twice".' and picture["src"].startswith("data:image/png")
    assert len(page.find_all("math")) == 2 and "$" not in page.find("p").text
    assert "2 * x" in page.text and "said by machinery" in page.text and "machinery = 1" not in page.text
    assert not page.find_all(["script", "link", "iframe", "object"])
    assert page.body["data-jp-theme-light"] == ("true" if theme == "light" else "false")


def test_the_notebook_has_all_answers_and_outputs_and_nothing_hidden(small_released, tmp_path):
    course = Course(shutil.copytree(small_released, tmp_path / "course"))
    cells = small_lesson()
    cells[1].source += "\n### BEGIN HIDDEN TESTS\nassert double(7) == 14\n### END HIDDEN TESTS"
    cells[2].source += "\n=== BEGIN MARK SCHEME ===\nsecret scheme\n=== END MARK SCHEME ==="
    write_notebook(course.root / "source" / "hw" / "hw.ipynb", [*cells, new_code_cell("double(21)")])
    (course.root / "answers" / "hw").mkdir(parents=True)
    (course.root / "answers" / "hw" / "why.py").write_text(
        "# %% [markdown] wrong: too short\n# No.\n\n# %% [markdown] right: complete\n# Because two.\n"
    )
    course = with_settings(course, "c.HandIn.through = 'lms'", "c.HandIn.solutions = True")
    assert gradebox(course, "release").returncode == 0
    with course.gradebook() as gradebook:
        gradebook.find_assignment("hw").duedate = datetime(2999, 12, 31, 12)
    run = gradebox(course, "solutions", "hw")
    assert run.returncode == 0 and "hw is due on 2999-12-31" in run.stdout, run.stdout + run.stderr
    solved = nbformat.read(course.root / "solutions" / "hw" / "hw.ipynb", as_version=4)
    assert all("nbgrader" not in one.metadata for one in solved.cells)
    text = "\n".join(one.source for one in solved.cells)
    assert "return 2 * x" in text and "Because two." in text and "Hand it in" not in text
    assert "double(7)" not in text and "secret scheme" not in text
    assert solved.cells[-1].outputs[0].data["text/plain"] == "42"
    (released,) = course.released("hw").values()
    assert released.cells[-1].source.endswith("you will get this notebook with all solutions.")


def test_what_cannot_be_written_is_one_sentence(drawn):
    path = drawn.path("release", "hw") / "hw.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(new_code_cell("1 / 0"))
    nbformat.write(notebook, path)
    for options, why in {
        (): "stops with its reference solutions: ZeroDivisionError",
        ("--theme", "blue"): "unknown theme 'blue'",
    }.items():
        run = gradebox(drawn, "solutions", *options)
        assert run.returncode == 2 and why in run.stderr and len(run.stderr.splitlines()) == 1, run.stderr
    notebook.cells[-1].source = "import os\nos._exit(1)"
    nbformat.write(notebook, path)
    run = gradebox(drawn, "solutions")
    assert run.returncode == 2 and len(run.stderr.splitlines()) == 1, run.stderr
    where = f"its kernel ended in cell {len(notebook.cells)}; run the notebook in Jupyter"
    assert run.stderr.endswith(f"hw.ipynb can't be written as a page: {where}\n")
    path.unlink()
    assert "hw is not released: run `gradebox release hw` first" in gradebox(drawn, "solutions").stderr
