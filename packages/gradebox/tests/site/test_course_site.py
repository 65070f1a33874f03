"""The website of a course shows lessons to read, and nothing that students must not see."""

import io
import json
import re
import shutil
import threading
from base64 import b64decode, b64encode
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import nbformat
import pytest
from browser import colours, needs_browser, tab, wait_for
from built_site import find_broken_links, read_pages
from helpers import build_once, cell, gradebox, with_settings, write_notebook
from nbformat.v4 import new_code_cell, new_markdown_cell
from PIL import Image, PngImagePlugin

from gradebox.checks_cell import build_checks_cell
from gradebox.course import Course
from gradebox.due_date_settings import set_due_date
from gradebox.site.executed_lessons import CACHE_FOLDER, execute_lesson
from gradebox.site.find_leaks import SecretLines, find_leak

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


def picture(**texts: str) -> str:
    """A small PNG with texts in its metadata, in base64."""
    info, file = PngImagePlugin.PngInfo(), io.BytesIO()
    for key, text in texts.items():
        info.add_text(key, text)
    Image.new("RGB", (40, 30), "red").save(file, "PNG", pnginfo=info)
    return b64encode(file.getvalue()).decode()


def show(data: str) -> str:
    return f"import base64\nfrom IPython.display import Image\nImage(base64.b64decode({data!r}))"


def lesson() -> list[nbformat.NotebookNode]:
    """A lesson with hidden text of each kind, and with outputs that would show it."""
    text = new_markdown_cell(
        "# Doubles\n\nTwice $x$ is $$2 \\cdot x$$ ![a badge](https://example.com/badge.svg)\n\n"
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
    'c.Site.description = "Numbers and *more* numbers."',
    'c.Site.pages = ["pages/more.md"]',
)


def build(root: Path) -> None:
    """Make a course and its site, by the command."""
    write_notebook(root / "source" / "01_doubles" / "doubles.ipynb", lesson())
    (root / "README.md").write_text("# A small course\n\nFor instructors.\n")
    (root / "pages").mkdir()
    more = "# More\n\nSee [the names](#names).\n\n## Names\n\n![dot](dot.png)\n"
    (root / "pages" / "more.md").write_text(more)
    (root / "pages" / "dot.png").write_bytes(b64decode(picture()))
    (root / "nbgrader_config.py").write_text("import gradebox\n\nc = get_config()\ngradebox.configure(c)\n")
    course = with_settings(Course(root), *SETTINGS)
    done = gradebox(course, "release", "--no-check")
    assert done.returncode == 0, done.stderr
    with course.gradebook() as gradebook:
        set_due_date(gradebook, "01_doubles", datetime(2027, 1, 15, 22, 59))
    done = gradebox(course, "publish", "--site", "site")
    assert done.returncode == 0 and "warning" not in done.stdout, done.stdout + done.stderr
    assert "3 pages written to site: open site/index.html" in done.stdout


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


PAGE = "lessons/01_doubles/doubles.html"


def visible(page: Path) -> str:
    return re.sub(r"<[^>]*>", "", page.read_text(encoding="utf-8"))


def test_no_file_of_the_site_has_hidden_text(site):
    files = [path for path in site.rglob("*") if path.is_file() and path.suffix != ".ipynb"]
    assert {"searchindex.js", "doubles.html"} <= {path.name for path in files}
    told = [(path, canary) for path in files for canary in CANARIES if canary.encode() in path.read_bytes()]
    assert told == []
    assert [path for path in (site / "_sources").rglob("*") if path.is_file()] == []


def test_a_lesson_has_signatures_given_code_and_the_outputs_of_the_solved_notebook(site):
    text = visible(site / PAGE)
    assert re.search(
        r'def double\(x\):\n    """Return twice x\."""\n    \.\.\.\n', text.replace("&quot;", '"')
    )
    assert "twice 21 is 42" in text and "Your answer" in text
    assert "ValueError: there is no number" in text and "Traceback" not in text
    assert text.count("This output shows lines of the solution") == 1
    assert "assert double" not in text and "checks_text" not in text and "YOUR CODE" not in text


def test_points_minutes_due_date_and_links_are_on_the_home_page_and_the_lesson(published, site):
    home, page = (visible(site / name) for name in ("index.html", PAGE))
    assert "Numbers and more numbers." in home and "For instructors" not in home
    due = published.dates.describe(datetime(2027, 1, 15, 22, 59))
    assert f"5 points · about 8 minutes · due {due}" in page and due in home
    for text in ("01 Doubles", "How to hand in", "upload the .ipynb file"):
        assert text in home
    links = read_pages(site)[site / PAGE].links
    assert "../../notebooks/01_doubles/doubles.ipynb" in links
    assert any(link.startswith("https://colab.research.google.com/github/somebody/") for link in links)
    released = published.release_path("01_doubles", "doubles").read_bytes()
    assert (site / "notebooks" / "01_doubles" / "doubles.ipynb").read_bytes() == released
    assert (site / "requirements.txt").read_text() == "jupyterlab\n"


def test_links_and_anchors_lead_somewhere(site):
    assert find_broken_links(site) == []


def test_pages_have_titles_and_pictures_have_alternative_texts(site):
    pages = {str(path.relative_to(site)): page for path, page in read_pages(site).items()}
    assert all("A small course" in page.title for page in pages.values())
    assert pages[PAGE].title == "Doubles — A small course"
    assert pages[PAGE].alts == ["pasted", "A red rectangle", "Figure drawn by the code above"]
    assert pages["pages/more.html"].alts == ["dot"]


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address(site) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@needs_browser
def test_in_a_browser_nothing_comes_from_other_hosts_and_a_phone_does_not_scroll_sideways(address):
    with tab() as driver:
        phone = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
        colours(driver, "dark")
        for page in (PAGE, "index.html", "search.html?q=Twice"):
            driver.get(f"{address}/{page}")
            loaded = driver.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
            assert loaded and all(name.startswith(address) for name in loaded), loaded
            assert driver.execute_script("return document.documentElement.scrollWidth") == 390
            assert driver.execute_script("return document.documentElement.dataset.theme") == "dark"
        wait_for(driver, "document.querySelector('#search-results a[href*=doubles]')")
        driver.get(f"{address}/{PAGE}")
        assert driver.execute_script("return document.querySelectorAll('article math').length") == 2


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


def test_a_page_with_hidden_text_stops_the_build_and_the_earlier_site_stays(course, tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / ".buildinfo").touch()
    (folder / "index.html").write_text("earlier")
    with (course.root / "pages" / "more.md").open("a") as page:
        page.write("\n*One* point for the canary of the mark scheme.\n")
    done = gradebox(course, "publish", "--site", str(folder))
    assert done.returncode == 2
    assert "pages/more.html of the site would contain what students" in " ".join(done.stderr.split())
    assert (folder / "index.html").read_text() == "earlier"


def test_a_formula_that_cannot_be_converted_is_shown_as_written_with_a_warning(course, tmp_path):
    with (course.root / "pages" / "more.md").open("a") as page:
        page.write("\n$\\nosuchcommand{x}$\n")
    done = gradebox(course, "publish", "--site", str(tmp_path / "site"))
    said = " ".join(done.stdout.split())
    assert done.returncode == 0, done.stderr
    assert "warning: pages/more.md:9: formula shown as LaTeX, because it can't be converted" in said
    assert "<code>\\nosuchcommand{x}</code>" in (tmp_path / "site" / "pages" / "more.html").read_text()


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("page.html", "<pre><span>return</span> x <span>+</span> 314159</pre>", True),
        ("page.html", "<img alt='One *point* for the canary of the mark scheme.'>", True),
        ("page.html", "<!-- return x + 314159 -->", True),
        ("searchindex.js", json.dumps({"a": "return x + 314159"}), True),
        ("figure.svg", "<svg><desc>return x + 314159</desc></svg>", True),
        ("page.html", "<p>return x</p> <td>10</td> <p>This line is open to all.</p>", False),
    ],
)
def test_hidden_text_is_found_in_each_kind_of_file(tmp_path, name, content, found):
    secret = [
        "return x + 314159",
        "**One point** for the canary of the mark scheme.",
        "10,",
        "this_line(is_open, to=all)",
    ]
    secrets = SecretLines(secret, ["Here, this line is open to all."])
    (tmp_path / name).write_text(content)
    assert bool(find_leak(tmp_path, secrets)) == found


def test_hidden_text_is_found_in_the_metadata_of_a_picture(tmp_path):
    secrets = SecretLines(["return x + 314159"], [])
    (tmp_path / "figure.png").write_bytes(b64decode(picture(Title="fine")))
    assert find_leak(tmp_path, secrets) is None
    (tmp_path / "figure.png").write_bytes(b64decode(picture(Comment="return x + 314159")))
    assert find_leak(tmp_path, secrets) == (Path("figure.png"), "return x + 314159")


@pytest.mark.parametrize(
    ("arguments", "setting", "why"),
    [
        (["--site", "pages"], "", "pages contains other files (dot.png, more.md): name an empty folder"),
        (["--site", "README.md"], "", "README.md is a file: name a folder"),
        (["--lite", "site"], "", "--lite needs --site"),
        (
            ["--site", "new"],
            "c.Site.pages = ['pages/none.md']",
            "names 'pages/none.md', which is not a .md file",
        ),
    ],
)
def test_it_is_refused_in_one_sentence(course, arguments, setting, why):
    done = gradebox(with_settings(course, setting), "publish", *arguments)
    assert done.returncode == 2 and why in " ".join(done.stderr.split()), done.stderr
    assert len(done.stderr.splitlines()) == 1 and not (course.root / "new").exists()
