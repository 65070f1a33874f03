"""The course's website shows the lessons, and nothing that students must not see.

`make site` searches the whole site, which it has built; the other tests build the first lesson.
"""

import io
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from browser import colours, needs_browser, tab, wait_for
from built_site import find_broken_links, read_pages
from find_leaks import find_leaks
from helpers import build_once, gradebox
from PIL import Image, PngImagePlugin
from repository import LESSONS, REPOSITORY, notebook
from selenium.webdriver.common.by import By

from gradebox.course import Course
from gradebox.notebook_exercises import extract_reference_solutions
from gradebox.release.publish_course import read_released_notebooks
from gradebox.site.secret_lines import SecretLines
from gradebox.site.site_pages import collect_secret_lines

LESSON = LESSONS[0]
(NAME,) = (path.stem for path in (REPOSITORY / "release" / LESSON).glob("*.ipynb"))
PAGE = f"lessons/{LESSON}/{NAME}.html"


def read_secrets() -> SecretLines:
    course = Course(REPOSITORY)
    return collect_secret_lines(course, read_released_notebooks(course).values())


def run_sphinx(sources: Path, site: Path, *options: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "sphinx", "-q", *options, "-d", site.with_name("doctrees")]
    command += ["-c", REPOSITORY / "docs" / "site", sources, site]
    return subprocess.run(command, capture_output=True, text=True)


def build(root: Path) -> None:
    """Make the site of the first lesson."""
    for folder in ("source", "release"):
        shutil.copytree(REPOSITORY / folder / LESSON, root / folder / LESSON)
    for name in ("README.md", "nbgrader_config.py", "requirements.txt", "requirements-student.txt"):
        shutil.copy(REPOSITORY / name, root)
    published = gradebox(root, "publish", "--site", "sources")
    assert published.returncode == 0, published.stderr
    built = run_sphinx(root / "sources", root / "site", "-W", "--keep-going")
    assert built.returncode == 0, built.stderr


@pytest.fixture(scope="module")
def site() -> Path:
    return build_once("website", build) / "site"


def test_no_file_has_a_line_of_a_solution_or_a_hidden_test(site):
    secrets = read_secrets()
    assert find_leaks(site, secrets) == []
    # The search finds a solution on the same page.
    (solution, *_) = extract_reference_solutions(notebook("source", LESSON)).values()
    page = site.with_name("leaking") / PAGE
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text((site / PAGE).read_text().replace("</article>", f"<pre>{solution}</pre></article>"))
    assert [path for path, _ in find_leaks(site.with_name("leaking"), secrets)] == [PAGE]


@pytest.mark.skipif("SITE" not in os.environ, reason="`make site` names the site")
def test_the_whole_site_has_no_line_of_a_solution_or_a_hidden_test():
    folder = REPOSITORY / os.environ["SITE"]
    assert len([*folder.glob("lessons/*/*.html")]) == len(LESSONS)
    assert find_leaks(folder, read_secrets()) == []
    assert not [path for path in folder.glob("lessons/*/*.html") if " at 0x" in path.read_text()]


def test_links_and_anchors_lead_somewhere(site):
    assert find_broken_links(site) == []
    links = read_pages(site)[site / PAGE].links
    assert f"../../notebooks/{LESSON}/{NAME}.ipynb" in links
    assert (site / "requirements.txt").read_text() == (REPOSITORY / "requirements-student.txt").read_text()


def test_nothing_comes_from_other_hosts_and_pictures_have_alternative_texts(site):
    pages = read_pages(site)
    assert {"index", "students", "conventions", NAME} <= {path.stem for path in pages}
    for path, page in pages.items():
        assert "Attention, Graded" in page.title and all(page.alts), path
        assert " at 0x" not in path.read_text(), "the address of an object in place of a picture"
        assert not [address for address in page.loaded if "//" in address], path
    assert pages[site / "docs" / "students.html"].alts
    home, lesson = (site / "index.html").read_text(), (site / PAGE).read_text()
    assert (
        "<title>A course on attention &#8212; Attention, Graded</title>" in home
        and "bug hunt (NumPy)" in home
    )
    assert '<meta name="description" content="A course on attention' in home
    assert '<meta name="description" content="A single word means little.' in lesson


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
        for page in (PAGE, "index.html", "search.html?q=attention"):
            driver.get(f"{address}/{page}")
            loaded = driver.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
            assert loaded and all(name.startswith(address) for name in loaded), loaded
            assert driver.execute_script("return document.documentElement.scrollWidth") == 390
            assert driver.execute_script("return document.documentElement.dataset.theme") == "dark"
        wait_for(driver, f"document.querySelector('#search-results a[href*={NAME}]')")
        driver.get(f"{address}/{PAGE}")
        assert driver.execute_script("return document.querySelectorAll('article math').length") > 10


@needs_browser
@pytest.mark.parametrize("width", [1920, 1366, 390])
def test_no_code_and_no_wide_table_is_cut(address, width):
    cut = "return [...document.querySelectorAll('{}')].filter(one => one.scrollWidth > one.clientWidth + 1)"
    with tab() as driver:
        screen = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width == 390}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        driver.get(f"{address}/{PAGE}")
        assert len(driver.find_elements(By.CSS_SELECTOR, ".cell_input pre")) > 10
        assert driver.execute_script(cut.format(".cell_input pre")) == []
        driver.get(f"{address}/docs/conventions.html")
        assert driver.execute_script(cut.format(".pst-scrollable-table-container")) == []
        cells = driver.find_element(By.CSS_SELECTOR, "table").find_elements(By.TAG_NAME, "td")
        assert ("library: NumPy" in [cell.text for cell in cells]) == (width == 390)


@needs_browser
def test_search_results_quote_the_lesson_and_not_the_menus(address):
    with tab() as driver:
        driver.get(f"{address}/search.html?q=softmax")
        wait_for(driver, f"document.querySelector('#search-results a[href*={NAME}] ~ p.context')")
        quotes = [one.text for one in driver.find_elements(By.CSS_SELECTOR, "#search-results p.context")]
        assert quotes and not [quote for quote in quotes if "Contents" in quote or "Temperature The" in quote]


def test_a_formula_that_cannot_be_converted_is_shown_as_written_with_a_warning(tmp_path):
    (tmp_path / "sources" / "extra").mkdir(parents=True)
    (tmp_path / "sources" / "index.md").write_text("# Formulas\n\n$x^2$ and $\\nosuchcommand{x}$\n")
    built = run_sphinx(tmp_path / "sources", tmp_path / "site")
    assert built.returncode == 0, built.stderr
    assert "WARNING: formula shown as LaTeX, because it can't be converted" in built.stderr
    page = (tmp_path / "site" / "index.html").read_text()
    assert "<msup>" in page and "<code>\\nosuchcommand{x}</code>" in page


def picture(comment: str) -> bytes:
    """A small PNG with a text in its metadata."""
    info, file = PngImagePlugin.PngInfo(), io.BytesIO()
    info.add_text("Comment", comment)
    Image.new("RGB", (40, 30), "red").save(file, "PNG", pnginfo=info)
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("page.html", b"<pre><span>return</span> x <span>+</span> 314159</pre>", True),
        ("page.html", b"<img alt='One *point* for the canary of the mark scheme.'>", True),
        ("page.html", b"<!-- return x + 314159 -->", True),
        ("searchindex.js", json.dumps({"a": "return x + 314159"}).encode(), True),
        ("figure.svg", b"<svg><desc>return x + 314159</desc></svg>", True),
        ("figure.png", picture("return x + 314159"), True),
        ("figure.png", picture("fine"), False),
        ("page.html", b"<p>return x</p> <td>10</td> <p>This line is open to all.</p>", False),
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
    (tmp_path / name).write_bytes(content)
    assert [path for path, _ in find_leaks(tmp_path, secrets)] == [name] * found
