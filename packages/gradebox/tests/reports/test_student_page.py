"""A student's page begins with what each exercise has earned and why, and shows whose each cell is."""

import re
import shutil
from copy import deepcopy

import pytest
from browser import colours, needs_browser, tab
from helpers import (
    LESSON,
    grade_id,
    gradebox,
    hand_in,
    sample,
    sample_released,
    sample_solved,
    small_lesson,
    solves,
    with_settings,
    write_notebook,
)
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from gradebox.course import Course
from gradebox.notebook_exercises import HAND_IN_CELL_ID, LINKS_CELL_ID
from gradebox.release.release_lessons import write_student_version
from gradebox.reports.feedback_preprocessor import ADDED_CELL, PROVIDED_CELL, label_cell_owners

LATE = """
from nbgrader.plugins import BasePlugin
class Late(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return 1.5
c.AssignLatePenalties.plugin_class = Late
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Course:
    """A course with Ada's page, of a notebook with mistakes, repairs and a penalty; Bob wrote nothing."""
    course = Course(shutil.copytree(sample_released(), tmp_path_factory.mktemp("page") / "course"))
    course = with_settings(course, LATE)
    nb = sample_solved(weights="divided by d", entropy="in bits")
    nb.cells = [cell for cell in nb.cells if grade_id(cell) != "products-test"]
    nb.cells.append(new_markdown_cell("My own text, with $\\\\sqrt{2}$."))
    nb.cells.append(new_code_cell("my_own = 1"))
    path = hand_in(course, LESSON, "ada", nb)
    hand_in(course, LESSON, "bob", sample("release"))
    (path.parent / "timestamp.txt").write_text("2026-10-02 10:00:00 UTC")
    with course.gradebook() as gradebook:
        gradebook.update_or_create_student("ada", first_name="Ada", last_name="<Byron>")
        gradebook.update_or_create_assignment(LESSON, duedate="2026-10-01 10:00:00 UTC")
    assert gradebox(course, "autograde").returncode == 0
    assert gradebox(course, "feedback").returncode == 0
    return course


@pytest.fixture(scope="module")
def browser(course):
    (path,) = course.path("feedback", LESSON, "ada").glob("*.html")
    with tab() as driver:
        driver.get(path.as_uri())
        yield driver


@needs_browser
def test_it_begins_with_the_name_the_total_and_a_line_for_each_exercise(browser):
    header = browser.find_element("tag name", "header").text
    assert "Ada <Byron>" in header
    assert "3.5 of 9 points so far (2 more are not read yet)." in header, header
    assert "1.5 points deducted for late submission." in header
    rows = [
        [cell.text for cell in row.find_elements("tag name", "td")]
        for row in browser.find_elements("css selector", ".exercises tbody tr")
    ]
    assert len(rows) == 7, rows
    said = {row[1]: row for row in rows}
    (weights,) = (row for row in rows if "divided by d, not by its root" in row[3])
    assert weights[2] == "0 of 2"
    assert sum("Not read yet." in row[3] for row in said.values()) == 1
    assert [row[2] for row in rows if "Not read yet." in row[3]] == ["– of 2"]
    assert any(row[2] == "2 of 2" and not row[3] for row in rows)


@needs_browser
def test_a_phone_shows_it_without_scrolling_sideways(browser):
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True},
    )
    try:
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
        wide = (
            "return [...document.querySelectorAll('.exercises td')]"
            ".filter(e => e.getBoundingClientRect().right > 390).length"
        )
        assert browser.execute_script(wide) == 0
        messages = browser.find_elements("css selector", ".test .output_error pre")
        assert max(len(one.text) for one in messages) > 90
        cut = "return arguments[0].some(e => e.scrollWidth > e.clientWidth)"
        assert not browser.execute_script(cut, messages)
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@needs_browser
@pytest.mark.parametrize("media", ["screen", "print"])
def test_the_courses_text_is_folded_between_the_students_cells(course, media):
    (page,) = course.path("feedback", LESSON, "bob").glob("*.html")
    with tab() as browser:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media})
        browser.get(page.as_uri())
        cells = browser.find_elements("css selector", ".cell")
        shown = [set(one.get_attribute("class").split()) for one in cells if one.is_displayed()]
        assert not any(one & {"given", "folded"} for one in shown) and len(shown) < len(cells)
        assert all(sum(kind in one for one in shown) for kind in ("answer", "question", "test"))
        titles = [one.text for one in browser.find_elements("css selector", ".course > summary")]
        assert {"1.1 Shares", "1.4 Weights"} <= set(titles) and all(titles), titles
        tests = browser.find_elements("css selector", ".test summary")
        assert [one.is_displayed() for one in tests] == [media == "screen"] * len(tests)


@needs_browser
def test_each_line_leads_to_its_cell(browser):
    targets = browser.execute_script(
        "return [...document.querySelectorAll('.exercises a')].map(a => {"
        "const e = document.getElementById(decodeURIComponent(a.hash.slice(1)));"
        "return e && e.textContent.trim().length > 0})"
    )
    assert len(targets) == 7 and all(targets)


@needs_browser
def test_it_says_what_was_put_back(browser):
    text = browser.find_element("tag name", "body").text
    assert "Restored before grading" in text and "products-test" in text
    assert "MARK SCHEME" not in text and "HIDDEN TESTS" not in text


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_students_cells_stand_out_from_the_courses(browser, scheme):
    colours(browser, scheme)
    background = "return [...new Set([...document.querySelectorAll('{}')].map(e => getComputedStyle(e).{}))]"
    own = browser.execute_script(background.format(".cell.own, .cell.answer", "backgroundColor"))
    given = browser.execute_script(background.format(".cell.given", "backgroundColor"))
    assert len(own) == 1 and own != given
    mine = [one.text for one in browser.find_elements("css selector", ".cell.own")]
    assert any("My own text" in text for text in mine) and any("my_own = 1" in text for text in mine)
    answers = [one.text for one in browser.find_elements("css selector", ".cell.answer")]
    assert any("def weights" in text for text in answers) and len(answers) == 6
    ink = browser.execute_script(background.format("body", "color"))[0]
    dark = sum(map(int, re.findall(r"\d+", ink)[:3])) / 765 > 0.5
    assert dark == (scheme == "dark")


@needs_browser
def test_formulas_show_without_a_network_and_the_page_fits(browser):
    assert browser.execute_script("return document.querySelectorAll('math').length") > 0
    assert browser.execute_script(
        "return performance.getEntriesByType('resource').filter(e => e.name.startsWith('http')).length == 0"
    )
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    assert len(browser.execute_cdp_cmd("Page.printToPDF", {})["data"]) > 10_000
    assert not [one for one in browser.get_log("browser") if one["level"] == "SEVERE"]


def test_exercises_that_were_not_started_are_listed_once(course):
    (page,) = course.path("feedback", LESSON, "bob").glob("*.html")
    header, _, rest = page.read_text().partition("</header>")
    assert "<p>Not started: 1.1 to 1.5, 1.7.</p>" in header, header
    assert "NotImplementedError" not in rest.partition("</table>")[0]


@pytest.mark.parametrize(
    ("answer", "praise"), [("x + x", "Full marks!"), ("x + x if x == 2 else x", None)], ids=["right", "wrong"]
)
def test_full_marks_say_so(small, answer, praise):
    write_notebook(small.root / "source" / "hw" / "hw.ipynb", small_lesson()[:2])
    write_student_version(small, "hw")
    solves(small, "ann", double=f"def double(x):\n    return {answer}")
    assert gradebox(small, "autograde", "--feedback").returncode == 0
    page = (small.root / "feedback" / "ann" / "hw" / "hw.html").read_text()
    assert re.findall(r"Full marks!|All tests pass\.", page) == ([praise] if praise else [])


def test_cells_that_a_release_adds_are_not_called_the_students():
    added = [
        new_markdown_cell("[Open in Colab](…)", id=LINKS_CELL_ID),
        new_markdown_cell("…", id=HAND_IN_CELL_ID),
    ]
    graded = new_notebook(cells=[*added, new_markdown_cell("My own text")])
    label_cell_owners(graded, [])
    assert [cell.metadata.whose for cell in graded.cells] == [PROVIDED_CELL, PROVIDED_CELL, ADDED_CELL]


@pytest.mark.parametrize(
    ("texts", "title"),
    [
        (["# Shares", "## 1.1 One\n\n### 3 hints", "## 1.2 Two", "### Hints"], "1.2 Two"),
        (["Text.", "# Shares\n\n## More"], "Shares"),
        (["# \n\nText."], "The course's text"),
    ],
)
def test_the_courses_cells_are_folded_under_the_last_exercise_or_the_first_heading(texts, title):
    own, ours = [new_markdown_cell("mine") for _ in range(2)], [*map(new_markdown_cell, texts)]
    graded = new_notebook(cells=[own[0], *ours, own[1]])
    label_cell_owners(graded, texts)
    assert [cell.metadata.get("opens") for cell in graded.cells if "opens" in cell.metadata] == [title]
    assert "opens" in ours[0].metadata and "closes" in ours[-1].metadata


def test_an_exercise_without_points_is_not_0_of_0(small):
    cells = small_lesson()
    cells[1].metadata.nbgrader["points"] = 0
    write_notebook(
        small.root / "source" / "hw" / "hw.ipynb", [new_markdown_cell("## 1.1 Double"), *cells[:2]]
    )
    write_student_version(small, "hw")
    solves(small, "ann", double="def double(x):\n    return x + x")
    assert gradebox(small, "autograde").returncode == 0
    assert gradebox(small, "feedback").returncode == 0
    page = (small.root / "feedback" / "ann" / "hw" / "hw.html").read_text()
    assert not re.search(r"[0–] of 0", page)
    assert "<strong>No points</strong>." in page and "Test: no points" in page
    assert ">no points</td>" in page


def test_advice_that_two_tests_give_is_shown_once(small):
    solution, test, *_ = small_lesson()
    again = deepcopy(test)
    again.id = again.metadata.nbgrader["grade_id"] = "double-again"
    for number, one in enumerate((test, again)):
        one.source = f"assert double(3) == 6, 'call {number} is wrong\\ncalled with x = 3\\nAdd x to x.'"
    write_notebook(
        small.root / "source" / "hw" / "hw.ipynb", [new_markdown_cell("## 1.1 Double"), solution, test, again]
    )
    write_student_version(small, "hw")
    solves(small, "ann", double="def double(x):\n    return x")
    assert gradebox(small, "autograde", "--feedback").returncode == 0
    page = (small.root / "feedback" / "ann" / "hw" / "hw.html").read_text()
    (table,) = re.findall(r'<table class="exercises">.*?</table>', page, re.DOTALL)
    assert table.count("Add x to x.") == 1
    assert all(f"call {number} is wrong; called with x = 3" in table for number in (0, 1))
