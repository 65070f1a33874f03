"""In a real browser: lessons run in JupyterLite, and what students download there is graded as any other.

`make lite` runs this. The site is made as docs/jupyterlite.md says, with all its parts in it, and is served
by the plainest of web servers; the browser finds no other machine.
"""

import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import nbformat
import pytest
from browser import needs_browser, start, wait_for
from helpers import grade_id, gradebox, graded, hand_in, points_of, with_settings
from nbformat.notebooknode import NotebookNode
from repository import LESSONS, REPOSITORY, notebook
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from gradebox.course import Course
from gradebox.notebook_exercises import extract_reference_solutions, insert_answers, map_tests_to_solutions
from gradebox.release import notebook_requirements
from gradebox.release.launch_badges import JUPYTERLITE_LIBRARIES
from gradebox.release.release_lessons import write_student_version

HERE = Path(__file__).resolve().parent
LITE = REPOSITORY / ".venv-lite"
# Those that get a link to JupyterLite.
FIT = [
    lesson
    for lesson in LESSONS
    if notebook_requirements.find_libraries([notebook("release", lesson)]) <= JUPYTERLITE_LIBRARIES
]
# One of the others. They are in the site's list of files, too.
WITH_TORCH = "11_your_code_runs_gpt2"
LEFT_OUT = ("--no-sourcemaps", "--no-unused-shared-packages")
APPS = ("--apps", "lab", "--apps", "tree", "--apps", "notebooks")

# What the page knows of the notebook that is in front.
OPEN = "window.jupyterapp?.shell.currentWidget"
IDLE = f"{OPEN}?.sessionContext?.kernelDisplayStatus === 'idle'"
NOTEBOOK = f"JSON.stringify({OPEN}.context.model.toJSON())"
# A cell with an error is the last that runs.
RAN = f"""(() => {{
    const cells = {OPEN}.context.model.toJSON().cells.filter(cell => cell.cell_type === "code");
    const failed = cells.some(cell => cell.outputs.some(output => output.output_type === "error"));
    return {IDLE} && (failed || cells.every(cell => cell.execution_count));
}})()"""
WRITE = f"""
for (const cell of {OPEN}.content.model.cells) {{
    const name = cell.getMetadata("nbgrader")?.grade_id;
    if (name in arguments[0]) cell.sharedModel.setSource(arguments[0][name]);
}}"""


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@dataclass(frozen=True)
class Site:
    """A course, and where its released notebooks are open to students."""

    course: Course
    address: str

    def link(self, lesson: str) -> str:
        """Where the link on top of the published notebook leads."""
        top = notebook("published/release", lesson, self.course.root.parent).cells[0].source
        return re.search(rf"\(({re.escape(self.address)}[^)]*)\)", top)[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=folder / "public"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    # In a folder of the server's, as on GitHub Pages.
    address = f"http://127.0.0.1:{server.server_port}/a/course"
    course = course_with(folder / "course", address)
    build(course, folder)
    yield Site(course, address)
    server.shutdown()
    server.server_close()


def course_with(root: Path, address: str) -> Course:
    """A copy of the course whose notebooks have a link to JupyterLite, if they fit."""
    (root / "submitted").mkdir(parents=True)
    for name in ("lessons", "source", "release"):
        shutil.copytree(REPOSITORY / name, root / name)
    shutil.copy(REPOSITORY / "nbgrader_config.py", root)
    course = with_settings(Course(root), f"c.Links.lite = {address!r}")
    for lesson in (*FIT, WITH_TORCH):
        write_student_version(course, lesson)
    return course


def build(course: Course, folder: Path) -> None:
    """Make a site of what the course publishes."""
    published = gradebox(course, "publish", str(folder / "published"))
    assert published.returncode == 0, published.stderr
    shutil.copytree(LITE / "parts", folder / "lite")
    settings = json.loads((HERE / "jupyter-lite.json").read_text(encoding="utf-8"))
    # So that a test can ask what the page knows; nobody else needs it.
    settings["jupyter-config-data"]["exposeAppInBrowser"] = True
    (folder / "lite" / "jupyter-lite.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [LITE / "bin" / "jupyter", "lite", "build", "--lite-dir", "lite", *LEFT_OUT, *APPS]
    where = ["--contents", folder / "published" / "release", "--output-dir", folder / "public/a/course"]
    done = subprocess.run([*command, *where], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def browser(tmp_path) -> Iterator[webdriver.Chrome]:
    driver = start(tmp_path / "browser")
    how = {"behavior": "allow", "downloadPath": str(tmp_path / "downloads")}
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", how)
    yield driver
    driver.quit()


def opens(browser: webdriver.Chrome, address: str) -> None:
    """A student follows the link; the notebook's kernel starts without being asked for."""
    browser.get(address)
    wait_for(browser, f"{IDLE} || document.querySelector('.jp-Dialog')")
    asked = [dialog.text for dialog in browser.find_elements(By.CSS_SELECTOR, ".jp-Dialog")]
    assert not asked, asked


def now(browser: webdriver.Chrome) -> NotebookNode:
    """The notebook as it is in front of the student. (Of its cells, the page shows only those in sight.)"""
    return nbformat.reads(browser.execute_script(f"return {NOTEBOOK}"), as_version=4)


def chooses(browser: webdriver.Chrome, item: str, menu: str | None = None) -> None:
    """A student chooses from a menu of the bar, or from the one that is open."""
    if menu:
        labels = browser.find_elements(By.CSS_SELECTOR, ".lm-MenuBar-itemLabel")
        next(label for label in labels if label.text == menu).click()
    shown = ".lm-Menu-item[data-type=command]:not(.lm-mod-disabled) .lm-Menu-itemLabel"
    found = f"[...document.querySelectorAll('{shown}')].find(label => label.textContent === {item!r})"
    wait_for(browser, found)
    browser.execute_script(f"return {found}").click()


def runs_all(browser: webdriver.Chrome) -> None:
    chooses(browser, "Run All Cells", menu="Run")
    wait_for(browser, RAN)


def downloads(browser: webdriver.Chrome, name: str, folder: Path) -> Path:
    """The saved notebook, by the menu of its name in the list of files: the File menu has none for it."""
    chooses(browser, "Save Notebook", menu="File")
    wait_for(browser, f"!{OPEN}.context.model.dirty")
    listed = browser.find_elements(By.CSS_SELECTOR, ".jp-DirListing-item")
    ActionChains(browser).context_click(next(item for item in listed if name in item.text)).perform()
    chooses(browser, "Download")
    wait_for(browser, lambda _: (folder / name).is_file())
    return folder / name


def problems(nb: NotebookNode) -> list[str]:
    """Which cells have not run, or not without an error."""
    found = []
    for cell in nb.cells:
        if cell.cell_type == "code":
            name = grade_id(cell) or cell.source.partition("\n")[0]
            errors = [f"{one.ename}: {one.evalue}" for one in cell.outputs if one.output_type == "error"]
            found += [f"{name}: {error}" for error in errors or ([] if cell.execution_count else ["not run"])]
    return found


@needs_browser
def test_the_link_on_top_opens_the_notebook_as_released_and_its_kernel_starts_unasked(site, browser):
    lesson = FIT[0]
    opens(browser, site.link(lesson))
    released = notebook("release", lesson, site.course.root)
    assert [cell.source for cell in now(browser).cells] == [cell.source for cell in released.cells]


@needs_browser
@pytest.mark.parametrize("lesson", FIT)
def test_a_solved_lesson_runs_whole_and_draws_every_figure(site, browser, lesson):
    opens(browser, site.link(lesson))
    browser.execute_script(WRITE, extract_reference_solutions(notebook("source", lesson, site.course.root)))
    runs_all(browser)
    ran = now(browser)
    assert problems(ran) == []
    code = [cell for cell in ran.cells if cell.cell_type == "code"]
    without = [
        cell.source
        for cell in code
        if "plt.show()" in cell.source and not any("image/png" in one.get("data", {}) for one in cell.outputs)
    ]
    assert without == []


@needs_browser
def test_a_lesson_with_torch_has_no_link_and_stops_at_its_import(site, browser):
    published = notebook("published/release", WITH_TORCH, site.course.root.parent)
    assert not [cell.source for cell in published.cells if site.address in cell.source]
    (name,) = site.course.notebooks(WITH_TORCH)
    opens(browser, f"{site.address}/lab/index.html?path={WITH_TORCH}/{name}.ipynb")
    runs_all(browser)
    (first, *_) = problems(now(browser))
    assert first.startswith("imports: ") and first.endswith("No module named 'torch'")


@needs_browser
def test_what_a_student_downloads_is_graded_as_if_it_came_from_jupyter(site, browser, tmp_path):
    lesson, course = FIT[0], site.course
    source = notebook("source", lesson, course.root)
    solutions = extract_reference_solutions(source)
    # Every other exercise.
    answers = {name: solutions[name] for name in list(solutions)[::2]}
    opens(browser, site.link(lesson))
    browser.execute_script(WRITE, answers)
    runs_all(browser)
    (name,) = course.notebooks(lesson)
    downloaded = downloads(browser, f"{name}.ipynb", tmp_path / "downloads")
    # It is kept in the browser, too.
    opens(browser, site.link(lesson))
    written = nbformat.read(downloaded, as_version=4)
    assert [cell.source for cell in now(browser).cells] == [cell.source for cell in written.cells]
    # No kernel of an instructor's has the name of that one.
    assert written.metadata.kernelspec.name == "python"

    (course.root / "submitted" / "lite" / lesson).mkdir(parents=True)
    shutil.copy(downloaded, course.root / "submitted" / "lite" / lesson)
    hand_in(course, lesson, "jupyter", insert_answers(notebook("release", lesson, course.root), answers))
    done = gradebox(course, "autograde", lesson)
    assert done.returncode == 0, done.stdout + done.stderr
    there, here = (graded(course, lesson, student) for student in ("lite", "jupyter"))
    assert there == here
    owned = {test for exercise in answers for test in map_tests_to_solutions(source)[exercise]}
    points = points_of(source)
    earned = {test: score for test, score in there.scores.items() if test in points}
    assert earned == {test: points[test] if test in owned else 0.0 for test in points}


def test_the_page_for_instructors_names_the_versions_that_are_tried():
    page = (REPOSITORY / "docs" / "jupyterlite.md").read_text(encoding="utf-8")
    lines = (HERE / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert f"pip install {' '.join(pins)} " in page


@pytest.mark.parametrize(
    ("surroundings", "says"),
    [
        ({"PATH": ""}, r"pyodide@\S+ comes from npm, which needs npm: install it"),
        ({"npm_config_registry": "http://127.0.0.1:9"}, r"pyodide@\S+ can't be had from npm: .*"),
    ],
    ids=["no npm", "no registry"],
)
def test_a_part_that_cannot_be_had_is_said_in_a_line(tmp_path, surroundings, says):
    env = os.environ | {"npm_config_fetch_retries": "0"} | surroundings
    command = [LITE / "bin" / "python", HERE / "parts.py", tmp_path / "parts"]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 1 and re.fullmatch(f"{says}\n", done.stderr), done.stderr
    assert list(tmp_path.iterdir()) == []
