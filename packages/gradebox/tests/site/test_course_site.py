"""The sources of a course's website are lessons to read, without anything that students must not see."""

import io
import json
import re
import shutil
from base64 import b64encode
from datetime import datetime
from pathlib import Path

import nbformat
import pytest
from helpers import build_once, cell, gradebox, with_settings, write_notebook
from nbformat.v4 import new_code_cell, new_markdown_cell
from PIL import Image

from gradebox.checks_cell import build_checks_cell
from gradebox.course import Course
from gradebox.due_date_settings import set_due_date
from gradebox.site.executed_lessons import CACHE_FOLDER, execute_lesson

SOLUTION = '''def double(x):
    """Return twice x."""
    ### BEGIN SOLUTION
    if x is None:
        raise ValueError("there is no number")  # canary of the solution
    return x + x + 0 * 314159
    ### END SOLUTION'''
TEST = "assert double(2) == 4\n### BEGIN HIDDEN TESTS\nassert double(271828) == 543656\n### END HIDDEN TESTS"
QUESTION = (
    "## Why?\n\n### BEGIN MARK SCHEME\n**One point** for the canary of the mark scheme.\n### END MARK SCHEME"
)
CHECKS = build_checks_cell("hw", 'canary_of_the_checks = "here"\nchecks = (canary_of_the_checks,)', ["told"])
CANARIES = ("canary", "314159", "271828")


def picture() -> str:
    """A small PNG in base64."""
    file = io.BytesIO()
    Image.new("RGB", (40, 30), "red").save(file, "PNG")
    return b64encode(file.getvalue()).decode()


def show(data: str) -> str:
    return f"import base64\nfrom IPython.display import Image\nImage(base64.b64decode({data!r}))"


def lesson() -> list[nbformat.NotebookNode]:
    """A lesson with hidden text of each kind, and with outputs that would show it."""
    text = new_markdown_cell(
        "# Doubles\n\n*A small course · about 8 minutes · 5 points*\n\nTwice $x$ is $$2 \\cdot x$$ ![a badge](https://example.com/badge.svg)\n\n"
        "![pasted](attachment:my%20photo.png)\n\n| a | b |\n|---|---|\n| 1 | 2 |",
        attachments={"my photo.png": {"image/png": picture()}},
    )
    solution = cell("solution", "double", SOLUTION)
    solution.metadata["note"] = "canary of the metadata"
    figure = new_code_cell(show(picture()), metadata={"alt": "A red rectangle"})
    return [
        text,
        cell("given", "messages", CHECKS),
        new_markdown_cell("## 1.1 Double\n\nabout 8 minutes"),
        solution,
        cell("test", "double-test", TEST),
        cell("question", "why", QUESTION),
        new_markdown_cell("*Your answer*"),
        new_code_cell("print('twice 21 is', double(21))"),
        new_code_cell("import inspect\nprint(inspect.getsource(double))"),
        new_code_cell("double(None)", metadata={"tags": ["raises-exception"]}),
        figure,
        new_code_cell(show(picture())),
    ]


SETTINGS = (
    'c.Links.repository = "somebody/course"',
    'c.HandIn.through = "lms"',
    'c.Dates.timezone = "Europe/Berlin"',
)


def build(root: Path) -> None:
    """Make a course and the sources of its site, by the command."""
    write_notebook(root / "source" / "01_doubles" / "doubles.ipynb", lesson())
    (root / "README.md").write_text(
        "# A small course\n\nFor instructors.\n\n| lesson | what it teaches | points |\n|---|---|---|\n"
        "| [`01`](release/01_doubles/doubles.ipynb) | to double numbers | 5 |\n"
    )
    (root / "nbgrader_config.py").write_text("import gradebox\n\nc = get_config()\ngradebox.configure(c)\n")
    course = with_settings(Course(root), *SETTINGS)
    done = gradebox(course, "release", "--no-check")
    assert done.returncode == 0, done.stderr
    with course.gradebook() as gradebook:
        set_due_date(gradebook, "01_doubles", datetime(2027, 1, 15, 22, 59))
    done = gradebox(course, "publish", "--site", "site")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 pages for Sphinx written to site" in done.stdout


@pytest.fixture(scope="module")
def published() -> Course:
    """A course with a site, which tests don't change."""
    return Course(build_once("published", build))


@pytest.fixture(scope="module")
def site(published) -> Path:
    return published.root / "site"


@pytest.fixture
def course(published, tmp_path) -> Course:
    """A course of the test's own, with executed lessons but without a site."""
    without = shutil.ignore_patterns("site")
    return Course(shutil.copytree(published.root, tmp_path / "course", ignore=without))


PAGE = "lessons/01_doubles/doubles.ipynb"


def test_no_file_has_hidden_text(site):
    files = [path for path in site.rglob("*") if path.is_file()]
    assert {"index.md", "requirements.txt", "doubles.ipynb"} <= {path.name for path in files}
    released = site / "extra" / "notebooks"
    told = [
        (path, canary)
        for path in files
        for canary in CANARIES
        if canary.encode() in path.read_bytes() and not path.is_relative_to(released)
    ]
    assert told == []


def test_a_lesson_has_signatures_given_code_and_the_outputs_of_the_solved_notebook(site):
    nb = nbformat.read(site / PAGE, as_version=4)
    sources = [one.source for one in nb.cells]
    assert 'def double(x):\n    """Return twice x."""\n    ...' in sources
    assert any("Your answer" in source for source in sources)
    outputs = json.dumps([one.outputs for one in nb.cells if one.cell_type == "code"])
    assert "twice 21 is 42" in outputs
    assert "ValueError: there is no number" in outputs and "Traceback" not in outputs
    assert outputs.count("This output shows lines of the solution") == 1
    text = "\n".join(sources)
    assert "assert double" not in text and "checks_text" not in text and "YOUR CODE" not in text


def test_points_minutes_due_date_and_links_are_on_the_home_page_and_the_lesson(published, site):
    home = (site / "index.md").read_text()
    title = nbformat.read(site / PAGE, as_version=4).cells[0].source
    assert home.startswith("# A small course\n") and "For instructors" not in home
    due = published.dates.describe(datetime(2027, 1, 15, 22, 59))
    assert f"5 points · about 8 minutes · due {due}" in title and due in home
    for text in (
        f"[01 Doubles]({PAGE})",
        "\n  To double numbers",
        "How to hand in",
        "upload the `.ipynb` file",
    ):
        assert text in home
    colab = "[Open in Colab](https://colab.research.google.com/github/somebody/course/"
    assert f"in the browser:** {colab}" in home and "](https://github.com/somebody/course)" in home
    assert 'href="notebooks/01_doubles/doubles.ipynb"' in home
    assert 'href="../../notebooks/01_doubles/doubles.ipynb"' in title and colab in title
    # The subtitle says the same.
    assert title.count("5 points") == 1
    released = published.release_path("01_doubles", "doubles").read_bytes()
    assert (site / "extra" / "notebooks" / "01_doubles" / "doubles.ipynb").read_bytes() == released
    assert (site / "extra" / "requirements.txt").read_text() == "jupyterlab\n"


def test_figures_have_alternative_texts_and_pasted_pictures_are_files(site):
    cells = nbformat.read(site / PAGE, as_version=4).cells
    alts = [one.metadata["mystnb"]["image"]["alt"] for one in cells if "image/png" in str(one.get("outputs"))]
    assert alts == ["A red rectangle", "Figure drawn by the code above"]
    (link,) = re.findall(r"!\[pasted\]\((.*?)\)", cells[0].source)
    assert ((site / PAGE).parent / link).read_bytes().startswith(b"\x89PNG")


def test_a_lesson_is_executed_again_only_if_it_has_changed(course):
    released = nbformat.read(course.release_path("01_doubles", "doubles"), as_version=4)
    released.cells = [*released.cells[:5], new_code_cell("import uuid\nuuid.uuid4()")]

    def run() -> str:
        return (
            execute_lesson(course, "01_doubles", "doubles", released).cells[-1].outputs[0].data["text/plain"]
        )

    first = run()
    assert run() == first
    released.cells[-1].source += "\n"
    assert run() != first
    assert len([*(course.root / CACHE_FOLDER / "01_doubles").iterdir()]) == 1
    assert (course.root / CACHE_FOLDER / ".gitignore").read_text() == "*\n"


def test_other_files_in_a_folder_with_earlier_sources_are_kept(course):
    assert gradebox(course, "publish", "--site", "new").returncode == 0
    folder = course.root / "new"
    (folder / "about.md").write_text("# About")
    (folder / "lessons" / "00_gone").mkdir()
    (folder / "index.md").write_text("earlier")
    assert gradebox(course, "publish", "--site", "--lite", "new").returncode == 0
    assert (folder / "about.md").is_file() and not (folder / "lessons" / "00_gone").exists()
    assert "Doubles" in (folder / "index.md").read_text()
    # A link to JupyterLite, which runs this lesson.
    assert "../../lite/lab/index.html?path=01_doubles%2Fdoubles.ipynb" in (folder / PAGE).read_text()


def test_a_notebook_with_hidden_text_changes_nothing(course):
    path = course.release_path("01_doubles", "doubles")
    path.write_text(path.read_text().replace("*Your answer*", "return x + x + 0 * 314159"))
    done = gradebox(course, "publish", "--site", "new")
    assert done.returncode == 2 and "contains what students must not see" in " ".join(done.stderr.split())
    assert not (course.root / "new").exists()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--site", "source"], "source contains other files (01_doubles): name an empty folder"),
        (["--site", "README.md"], "README.md is a file: name a folder"),
        (["--lite", "site"], "--lite needs --site"),
    ],
)
def test_it_is_refused_in_one_sentence(course, arguments, why):
    done = gradebox(course, "publish", *arguments)
    assert done.returncode == 2 and why in " ".join(done.stderr.split()), done.stderr
    assert len(done.stderr.splitlines()) == 1
