"""A lesson as a page: solved, with its pictures and formulas, and all of it in one file."""

import shutil

import nbformat
import pytest
from bs4 import BeautifulSoup
from helpers import gradebox, small_lesson, write_notebook
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
    run = gradebox(drawn, "pages", "--theme", theme)
    path = f"pages/hw/hw{'' if theme == 'light' else '-dark'}.html"
    assert run.returncode == 0 and run.stdout == f"{path} written\n", run.stderr
    assert "IPKernelApp" not in run.stderr
    page = BeautifulSoup((drawn.root / path).read_text(encoding="utf-8"), "html.parser")
    (picture,) = page.find_all("img")
    assert picture["alt"] == 'A line from 1 up to 2, "twice".' and picture["src"].startswith("data:image/png")
    assert len(page.find_all("math")) == 2 and "$" not in page.find("p").text
    assert "2 * x" in page.text and "said by machinery" in page.text and "machinery = 1" not in page.text
    assert not page.find_all(["script", "link", "iframe", "object"])
    assert page.body["data-jp-theme-light"] == ("true" if theme == "light" else "false")


def test_what_cannot_be_written_is_one_sentence(drawn):
    path = drawn.path("release", "hw") / "hw.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(new_code_cell("1 / 0"))
    nbformat.write(notebook, path)
    for options, why in {
        (): "stops with its reference solutions: ZeroDivisionError",
        ("--theme", "blue"): "unknown theme 'blue'",
    }.items():
        run = gradebox(drawn, "pages", *options)
        assert run.returncode == 2 and why in run.stderr and len(run.stderr.splitlines()) == 1, run.stderr
    notebook.cells[-1].source = "import os\nos._exit(1)"
    nbformat.write(notebook, path)
    run = gradebox(drawn, "pages")
    assert run.returncode == 2 and len(run.stderr.splitlines()) == 1, run.stderr
    where = f"its kernel ended in cell {len(notebook.cells)}; run the notebook in Jupyter"
    assert run.stderr.endswith(f"hw.ipynb can't be written as a page: {where}\n")
    path.unlink()
    assert "hw is not released: run `gradebox release hw` first" in gradebox(drawn, "pages").stderr
