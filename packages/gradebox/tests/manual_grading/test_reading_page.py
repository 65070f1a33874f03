"""In a real browser: answers are read question by question, and nbgrader's gradebook has what was given."""

import base64
import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import nbformat
import pytest
from browser import NOWHERE, click, needs_browser, start, tab, wait_for
from helpers import cell, gradebox, small_lesson, solves, with_settings, write_notebook
from lab import jupyter
from nbformat.v4 import new_markdown_cell
from nbgrader.converters import GenerateFeedback
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from sqlalchemy import text as sql

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.autograde.graded_text_hashes import store_text_hashes
from gradebox.class_list import save_section
from gradebox.course import Course
from gradebox.manual_grading.grading_service import ConflictError, InvalidInputError, ReadingService
from gradebox.manual_grading.written_questions import render_markdown
from gradebox.release.release_lessons import write_student_version

SCRIPT = "<img src=x: onerror=\"document.documentElement.dataset.pwned='yes'\">"
ANSWERS = {
    "ada": {"why": "Because of $x^2$, **always**.", "essay": "A long essay."},
    "ben": {"why": f"I don't know {SCRIPT}", "essay": "Short."},
    "cleo": {},
    "dina": {"why": "*Your answer*\n\n", "essay": "My thoughts"},
}


@pytest.fixture
def course(small_released, tmp_path) -> Course:
    course = Course(shutil.copytree(small_released, tmp_path / "course"))
    for student, answers in ANSWERS.items():
        solves(course, student, double="def double(x):\n    return 2 * x", **answers)
    autograde_submissions(course, list(find_submissions(course, ["hw"], list(ANSWERS))))
    return course


@pytest.fixture
def address(course) -> Iterator[str]:
    """The address of a page that an instructor has opened."""
    yield from served(course)


@pytest.fixture(scope="module")
def opened(small_released, tmp_path_factory) -> Iterator[str]:
    """The address of a page without answers, for several tests."""
    root = tmp_path_factory.mktemp("opened") / "course"
    yield from served(Course(shutil.copytree(small_released, root)))


def served(course: Course, *options: str) -> Iterator[str]:
    command = [Path(sys.executable).with_name("gradebox"), "read", "--no-browser", *options]
    server = subprocess.Popen(
        command, cwd=course.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        said = server.stdout.readline()
        assert said.startswith("Read at http://"), said + server.stdout.read()
        yield said.split()[2]
    finally:
        # An interrupt may be ignored where tests run in the background.
        server.terminate()
        rest, _ = server.communicate()
        assert "Everything that was saved is in the gradebook." in rest and "Traceback" not in rest


@pytest.fixture
def browser() -> Iterator[webdriver.Chrome]:
    with tab() as driver:
        yield driver


def opens(browser: webdriver.Chrome, address: str, reader: str) -> None:
    browser.get(address)
    wait_for(browser, "document.getElementById('who').textContent")
    field = browser.find_element(By.ID, "reader")
    field.clear()
    field.send_keys(reader, Keys.TAB)


def press(browser: webdriver.Chrome, *keys: str) -> None:
    browser.execute_script("document.activeElement.blur()")
    for key in keys:
        browser.find_element(By.TAG_NAME, "body").send_keys(key)


def status(browser: webdriver.Chrome) -> str:
    return browser.find_element(By.ID, "status").text


def shown(browser: webdriver.Chrome, student: str) -> None:
    """Go to a student's answer by keys."""
    for _ in ANSWERS:
        if browser.find_element(By.ID, "who").text == student:
            return
        where = browser.find_element(By.ID, "where").text
        press(browser, "j")
        if where.startswith(f"{len(ANSWERS)} of"):
            for _ in ANSWERS:
                press(browser, "k")
        else:
            wait_for(browser, f"document.getElementById('where').textContent != {where!r}")
    raise AssertionError(f"{student} is nowhere")


def given(course: Course, student: str, cell: str) -> tuple[float | None, bool, str | None]:
    """What nbgrader's own view of the gradebook says: points, whether it waits, and the comment."""
    with course.gradebook() as gradebook:
        grade = gradebook.find_grade(cell, "hw", "hw", student)
        comment = gradebook.find_comment(cell, "hw", "hw", student)
        return grade.manual_score, grade.needs_manual_grade, comment.manual_comment


@needs_browser
def test_answers_are_read_by_keys_and_nothing_of_a_students_runs(course, address, browser):
    opens(browser, address, "Zoë")
    assert "token" not in browser.current_url
    assert "Why?" in browser.find_element(By.ID, "asks").text
    shown(browser, "ada")
    assert browser.find_elements(By.CSS_SELECTOR, "#text math") and "always" in browser.page_source
    press(browser, "2", "c")
    browser.switch_to.active_element.send_keys("Say why <b>always</b>.")
    browser.find_element(By.ID, "comment").send_keys(Keys.CONTROL, Keys.ENTER)
    wait_for(browser, lambda page: status(page).startswith("Saved: ada, 2."))
    assert given(course, "ada", "why") == (2, False, "Say why <b>always</b>.")
    # On the next that waits, the comment is used again, as an item of the rubric.
    click(browser, By.CSS_SELECTOR, "#rubricbox summary")
    browser.find_element(By.ID, "itemtext").send_keys("Say why <b>always</b>.", Keys.ENTER)
    wait_for(browser, "document.querySelectorAll('#items [aria-pressed]').length == 1")
    shown(browser, "ben")
    assert browser.execute_script("return document.documentElement.dataset.pwned") is None
    press(browser, "0", ".", "5", "a", Keys.ENTER)
    wait_for(browser, lambda page: status(page).startswith("Saved: ben, 0.5."))
    assert given(course, "ben", "why") == (0.5, False, "Say why <b>always</b>.")
    # It is all there when the page is loaded again, and at the student's.
    browser.get(address)
    wait_for(browser, "document.querySelectorAll('#items [aria-pressed]').length == 1")
    shown(browser, "ada")
    assert browser.find_element(By.ID, "points").get_attribute("value") == "2"
    autograde_submissions(course, list(find_submissions(course, ["hw"], list(ANSWERS))), force=True)
    assert given(course, "ada", "why") == (2, False, "Say why <b>always</b>.")
    assert course.convert(GenerateFeedback, "hw", "ada") is None
    page = (course.path("feedback", "hw", "ada") / "hw.html").read_text()
    assert "Say why" in page and "2 of 3" in page


@needs_browser
def test_keys_after_a_click_on_a_question_belong_to_its_answers(course, address, browser):
    browser.get(address)
    wait_for(browser, lambda page: status(page).startswith("Enter your name"))
    browser.find_element(By.ID, "reader").send_keys("Zoë", Keys.ENTER)
    wait_for(browser, "document.activeElement.id === 'points'")
    assert status(browser) == ""
    before = browser.title
    browser.find_elements(By.CSS_SELECTOR, "[id^=question-]")[1].click()
    wait_for(browser, f"document.title != {before!r}")
    (opened,) = browser.find_elements(By.CSS_SELECTOR, "nav [aria-current=true]")
    assert opened.text == "hw essay 3 to read"
    student = browser.find_element(By.ID, "who").text
    ActionChains(browser).send_keys("1", Keys.ENTER).perform()
    wait_for(browser, lambda page: status(page).startswith(f"Saved: {student}, 1."))


@needs_browser
def test_empty_answers_are_scored_at_once_and_names_can_be_hidden(course, address, browser):
    opens(browser, address, "Zoë")
    click(browser, By.ID, "empty")
    browser.switch_to.alert.accept()
    wait_for(browser, lambda page: status(page) == "0 points for 2 empty answers.")
    for student in ("cleo", "dina"):
        assert given(course, student, "why")[:2] == (0, False)
    assert given(course, "ben", "why")[:2] == (None, True)
    click(browser, By.ID, "hide")
    seen = [browser.find_element(By.ID, "who").text]
    for _ in ANSWERS:
        press(browser, "j")
        seen.append(browser.find_element(By.ID, "who").text)
    assert not set(seen) & set(ANSWERS)


@needs_browser
def test_what_another_reader_or_formgrader_has_saved_is_not_written_over(course, address, browser, tmp_path):
    opens(browser, address, "Zoë")
    shown(browser, "ada")
    other = start(tmp_path / "other")
    try:
        opens(other, address, "Yao")
        shown(other, "ada")
        press(other, "1")
        press(browser, "2", Keys.ENTER)
        wait_for(browser, lambda page: status(page).startswith("Saved: ada, 2."))
        press(other, Keys.ENTER)
        wait_for(other, lambda page: "somebody else has changed the data" in status(page))
        assert "You had typed 1" in status(other) and given(course, "ada", "why")[0] == 2
        assert other.find_element(By.ID, "points").get_attribute("value") == "2"
        assert other.find_element(By.ID, "progress").text == "Zoë 1, 3 left"
        shown(other, "ben")
        press(other, "1")
        with course.gradebook() as gradebook:
            gradebook.find_grade("why", "hw", "hw", "ben").manual_score = 3
        press(other, Keys.ENTER)
        # The status may still be that of the first refusal.
        wait_for(other, lambda page: page.find_element(By.ID, "points").get_attribute("value") == "3")
        assert given(course, "ben", "why")[0] == 3
    finally:
        other.quit()


@contextmanager
def locked(course: Course) -> Iterator[None]:
    """While another process writes to the gradebook, saves wait."""
    code = """import sqlite3, sys
gradebook = sqlite3.connect(sys.argv[1], isolation_level=None)
gradebook.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
input()"""
    command = [sys.executable, "-c", code, course.root / "gradebook.db"]
    other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout.readline() == "locked\n"
        yield
    finally:
        other.communicate("\n")


def field(browser: webdriver.Chrome, name: str) -> str:
    return browser.find_element(By.ID, name).get_attribute("value")


@needs_browser
def test_keys_and_clicks_during_a_save_change_no_answer(course, address, browser):
    opens(browser, address, "Zoë")
    click(browser, By.CSS_SELECTOR, "#rubricbox summary")
    browser.find_element(By.ID, "itempoints").send_keys("1")
    browser.find_element(By.ID, "itemtext").send_keys("Honest.", Keys.ENTER)
    wait_for(browser, "document.querySelectorAll('#items [aria-pressed]').length == 1")
    press(browser, *"k" * len(ANSWERS))
    first = browser.find_element(By.ID, "who").text
    with locked(course):
        # The second "a" would take the item away again, and the second Enter would save 0 points.
        press(browser, "a", Keys.ENTER, "a", Keys.ENTER)
        assert status(browser) == "Saving … Keys typed while saving are ignored."
        next_button = browser.find_element(By.ID, "next")
        ActionChains(browser).move_to_element(next_button).click().send_keys("j0").perform()
        assert (
            browser.find_element(By.ID, "where").text.startswith("1 of") and field(browser, "points") == "1"
        )
    wait_for(browser, lambda page: status(page).startswith(f"Saved: {first}, 1."))
    assert given(course, first, "why") == (1, False, "Honest.")
    # The beginning of "0.5" was typed during the save, so its end is ignored, too.
    assert status(browser).endswith("Keys typed while saving are ignored: press Enter to type again.")
    second = browser.find_element(By.ID, "who").text
    press(browser, ".", "5")
    assert second != first and field(browser, "points") == field(browser, "comment") == ""
    press(browser, Keys.ENTER)
    assert browser.find_element(By.ID, "who").text == second and given(course, second, "why")[1]
    press(browser, "2", Keys.ENTER)
    wait_for(browser, lambda page: status(page) == f"Saved: {second}, 2.")
    assert given(course, first, "why") == (1, False, "Honest.") and given(course, second, "why")[0] == 2


@needs_browser
def test_a_comment_that_is_continued_during_a_save_is_not_part_of_the_next(course, address, browser):
    opens(browser, address, "Zoë")
    press(browser, *"k" * len(ANSWERS))
    first = browser.find_element(By.ID, "who").text
    with locked(course):
        press(browser, "1", "c")
        typing = ActionChains(browser).send_keys("Well").key_down(Keys.CONTROL).send_keys(Keys.ENTER)
        typing.key_up(Keys.CONTROL).send_keys(" done").perform()
        assert status(browser).startswith("Saving … Keys typed") and field(browser, "comment") == "Well"
    wait_for(browser, lambda page: status(page).startswith(f"Saved: {first}, 1."))
    assert given(course, first, "why") == (1, False, "Well") and field(browser, "comment") == ""
    # A click shows that the reader sees the next answer.
    click(browser, By.ID, "comment")
    browser.switch_to.active_element.send_keys("Why?")
    assert field(browser, "comment") == "Why?"


@needs_browser
def test_keys_during_a_save_of_a_submission_are_refused(course, address, browser):
    opens(browser, address, "Zoë")
    wait_for(browser, "document.querySelectorAll('#students option').length == 5")
    Select(browser.find_element(By.ID, "students")).select_by_visible_text("ada")
    wait_for(browser, "document.querySelectorAll('#exercises form').length == 3")
    points = browser.find_elements(By.CSS_SELECTOR, "#exercises form")[1].find_element(By.TAG_NAME, "input")
    with locked(course):
        points.send_keys("3", Keys.ENTER)
        ActionChains(browser).send_keys("1j").perform()
        assert status(browser) == "Saving … Keys typed while saving are ignored."
        assert points.get_attribute("value") == "3"
    wait_for(browser, lambda page: status(page).startswith("Saved: ada, why."))
    assert given(course, "ada", "why")[0] == 3


@needs_browser
def test_equal_texts_with_unequal_points_are_shown(course, browser):
    same = ["ada", "ben", "cleo"]
    for student in same:
        solves(course, student, why="idk")
    autograde_submissions(course, list(find_submissions(course, ["hw"], same)))
    with contextmanager(served)(course) as address:
        opens(browser, address, "Zoë")
        shown(browser, "ada")
        press(browser, "1", Keys.ENTER)
        wait_for(browser, lambda page: status(page) == "Saved: ada, 1; the same for 2 more.")
        assert browser.find_element(By.ID, "groups").text == "3 × “idk”"
        shown(browser, "ben")
        press(browser, "2", Keys.ENTER)
        said = "Saved: ben, 2; other points for 2 answers with the same text."
        wait_for(browser, lambda page: status(page) == said)
        assert browser.find_element(By.ID, "groups").text == "3 × “idk”, with unequal points: 1, 2"
        shown(browser, "cleo")
        line = "Save also for 2 other answers with the same text, already read, with unequal points: 1, 2"
        assert browser.find_element(By.ID, "alikecount").text == line
        # Saved together, they have equal points again.
        click(browser, By.ID, "alike")
        press(browser, "1", ".", "5", Keys.ENTER)
        wait_for(browser, lambda page: status(page) == "Saved: cleo, 1.5; the same for 2 more.")
        assert browser.find_element(By.ID, "groups").text == "3 × “idk”"
    assert [given(course, student, "why")[0] for student in same] == [1.5, 1.5, 1.5]


WRONG = "def double(x):\n    return x"


@needs_browser
def test_points_of_a_submission_are_changed_by_student(course, address, browser):
    opens(browser, address, "Zoë")
    wait_for(browser, "document.querySelectorAll('#students option').length == 5")
    Select(browser.find_element(By.ID, "students")).select_by_visible_text("ada")
    wait_for(browser, "document.querySelectorAll('#exercises form').length == 3")
    first, second, _ = browser.find_elements(By.CSS_SELECTOR, "#exercises form")
    assert "return 2 * x" in first.text and "always" in second.text
    points, bonus = second.find_elements(By.TAG_NAME, "input")
    bonus.send_keys("2")
    points.send_keys("3", Keys.ENTER)
    wait_for(browser, lambda page: status(page) == "Saved: ada, why.")
    assert given(course, "ada", "why")[:2] == (3, False)
    browser.find_element(By.CSS_SELECTOR, "#exercises textarea").send_keys("A comment on code.", Keys.TAB)
    click(browser, By.CSS_SELECTOR, "#exercises button")
    wait_for(browser, lambda page: status(page) == "Saved: ada, double-test.")
    assert course.convert(GenerateFeedback, "hw", "ada") is None
    page = (course.path("feedback", "hw", "ada") / "hw.html").read_text()
    assert "3 of 3, bonus 2" in page and "5 of 3" not in page and "A comment on code." in page
    # The next student of the same assignment.
    press(browser, "j")
    wait_for(browser, "document.getElementById('submissiontitle').textContent == 'ben, hw'")


def read_test(desk: ReadingService, student: str) -> tuple[str, dict]:
    """The id of the lesson's test, and the state of a student's grade for it."""
    test = next(one["id"] for one in desk.overview() if one["test"])
    return test, next(one for one in desk.answers(test)["answers"] if one["student"] == student)


def test_points_of_a_test_are_changed_and_taken_back(course):
    desk = ReadingService(course, ["hw"])

    def give(points: float | None, extra: float = 0) -> dict:
        test, one = read_test(desk, "ada")
        return desk.give(
            test, one["id"], {"as": "Zoë", "points": points, "extra": extra, "version": one["version"]}
        )

    def grade(code: str) -> dict:
        solves(course, "ada", double=code, **ANSWERS["ada"])
        autograde_submissions(course, list(find_submissions(course, ["hw"], ["ada"])), force=True)
        return read_test(desk, "ada")[1]

    right = "def double(x):\n    return 2 * x"
    changed = give(1.5, extra=1)
    assert (changed["given"], changed["automatic"], changed["extra"], changed["waits"]) == (1.5, 2, 1, False)
    # Points stay for the same submission, and wait for a person if it changes.
    assert (grade(right)["points"], grade(right)["waits"]) == (1.5, False)
    assert (grade(WRONG)["points"], grade(WRONG)["waits"]) == (1.5, True)
    assert next(one["waiting"] for one in desk.overview() if one["test"]) == 1
    taken = give(None)
    assert (taken["given"], taken["points"], taken["waits"], taken["extra"]) == (None, 0, False, 0)
    # The test's own points are not kept as points of a person.
    give(2)
    assert give(0)["given"] is None
    assert grade(right)["points"] == 2


def test_a_comment_on_an_essay_is_where_formgrader_and_the_student_see_it(course):
    desk = ReadingService(course, ["hw"])
    essay = desk.overview()[1]["id"]
    one = next(one for one in desk.answers(essay)["answers"] if one["student"] == "ada")
    desk.give(
        essay, one["id"], {"as": "Zoë", "points": 1, "version": one["version"], "comment": "Well said."}
    )
    assert given(course, "ada", "essay") == (1, False, "Well said.")


@pytest.fixture
def desk(course) -> ReadingService:
    return ReadingService(course, ["hw"])


def by_student(desk: ReadingService, question: str) -> dict[str, dict]:
    return {one["student"]: one for one in desk.answers(question)["answers"]}


def test_a_rubric_item_changes_the_answers_that_it_was_applied_to(course, desk):
    why = desk.overview()[0]["id"]
    desk.save_start(why, {"full": True})
    desk.add_item(why, {"text": "No reason.", "points": -1})
    desk.add_item(why, {"text": "No formula.", "points": -1})
    reason, formula = (one["id"] for one in desk.answers(why)["items"])

    def give(student: str, points: float, *items: str) -> None:
        one = by_student(desk, why)[student]
        sent = {"as": "Zoë", "points": points, "items": items, "version": one["version"]}
        comment = "Well.\nNo reason." if reason in items else ""
        desk.give(why, one["id"], sent | {"items": list(items), "comment": comment})

    give("ada", 2, reason)
    give("ben", 1, reason, formula)
    # A reader has chosen other points than the sum.
    give("cleo", 0.5, reason)
    give("dina", 2, formula)
    changed = desk.change_item(why, reason, {"text": "Give a reason.", "points": -2.5})
    assert changed == {"changed": 3}
    assert given(course, "ada", "why") == (0.5, False, "Well.\nGive a reason.")
    assert [given(course, student, "why")[0] for student in ("ben", "cleo", "dina")] == [0, 0, 2]
    assert [one["uses"] for one in desk.answers(why)["items"]] == [3, 2]
    # An item that is deleted leaves the answers as they are.
    desk.delete_item(why, reason)
    assert given(course, "ada", "why")[0] == 0.5
    for wrong in ({"text": " ", "points": 1}, {"text": "a", "points": "1"}, {"text": "a", "points": True}):
        with pytest.raises(InvalidInputError):
            desk.add_item(why, wrong)


def test_saved_comments_of_an_earlier_version_become_items_without_points(course, desk):
    why = desk.overview()[0]["id"]
    with course.connection() as connection:
        connection.execute(
            sql(
                "CREATE TABLE gradebox_phrase (id VARCHAR(32) PRIMARY KEY, assignment VARCHAR(128) NOT NULL, "
                "cell VARCHAR(255) NOT NULL, text TEXT NOT NULL)"
            )
        )
        connection.execute(sql("INSERT INTO gradebox_phrase VALUES ('1', 'hw', 'why', 'Say why.')"))
    (item,) = desk.answers(why)["items"]
    assert item == {"id": "1", "text": "Say why.", "points": None, "uses": 0}
    desk.change_item(why, "1", {"text": "Say why.", "points": 2})
    assert desk.answers(why)["items"][0]["points"] == 2


def test_answers_with_the_same_text_are_graded_together(course, desk):
    same = {"ada": "I  don't know", "ben": "i don't know\n", "cleo": "I don't KNOW", "dina": "I do"}
    for student, answer in same.items():
        solves(course, student, why=answer)
    autograde_submissions(course, list(find_submissions(course, ["hw"], list(same))))
    why = desk.overview()[0]["id"]
    found = by_student(desk, why)
    assert len({found[student]["alike"] for student in ("ada", "ben", "cleo")}) == 1
    assert found["dina"]["alike"] != found["ada"]["alike"]
    # Another reader has just given points to one of them.
    yao = {"as": "Yao", "points": 3, "version": found["cleo"]["version"]}
    desk.give(why, found["cleo"]["id"], yao)
    sent = {"as": "Zoë", "points": 1, "comment": "Ask me.", "version": found["ada"]["version"]}
    sent["alike"] = {found[one]["id"]: found[one]["version"] for one in ("ben", "cleo")}
    (also,) = desk.give(why, found["ada"]["id"], sent)["alike_saved"]
    assert also["student"] == "ben"
    assert given(course, "ben", "why") == given(course, "ada", "why") == (1, False, "Ask me.")
    assert given(course, "cleo", "why")[0] == 3
    assert [one["by"] for one in by_student(desk, why).values()].count("Zoë") == 2
    # A single answer of the group can still get other points.
    desk.give(why, found["ben"]["id"], {"as": "Zoë", "points": 2, "version": also["version"]})
    assert (given(course, "ada", "why")[0], given(course, "ben", "why")[0]) == (1, 2)


@needs_browser
def test_a_rubric_and_a_group_are_used_by_keys(course, browser):
    for student in ("ada", "ben"):
        solves(course, student, why="idk")
    autograde_submissions(course, list(find_submissions(course, ["hw"], ["ada", "ben"])))
    with contextmanager(served)(course) as address:
        opens(browser, address, "Zoë")
        shown(browser, "ada")
        assert browser.find_element(By.ID, "groups").text == "2 × “idk”"
        click(browser, By.CSS_SELECTOR, "#rubricbox summary")
        browser.find_element(By.ID, "itempoints").send_keys("1.5")
        browser.find_element(By.ID, "itemtext").send_keys("Honest.", Keys.ENTER)
        wait_for(browser, "document.querySelectorAll('#items [aria-pressed]').length == 1")
        press(browser, "a")
        assert browser.find_element(By.ID, "points").get_attribute("value") == "1.5"
        press(browser, "a")
        assert browser.find_element(By.ID, "comment").get_attribute("value") == ""
        press(browser, "a", Keys.ENTER)
        wait_for(browser, lambda page: status(page) == "Saved: ada, 1.5; the same for 1 more.")
        shown(browser, "ben")
        assert browser.find_element(By.ID, "progress").text == "Zoë 2, 2 left"
        click(browser, By.XPATH, "//*[@id='items']//button[@title='Change this item']")
        points = browser.find_element(By.ID, "itempoints")
        points.clear()
        points.send_keys("3", Keys.ENTER)
        assert browser.switch_to.alert.text == "Change this item in the points and comments of 2 answers?"
        browser.switch_to.alert.accept()
        wait_for(browser, lambda page: status(page) == "Changed: 2 answers.")
    assert given(course, "ada", "why") == given(course, "ben", "why") == (3, False, "Honest.")


SCHEME = """Why?

### BEGIN MARK SCHEME
**1 point** for the effect: it doubles. Not more.

½ point, the cause.

- Half a point: a sum of products, not of ln(e). And so on.
- 1,5 points for this: each row sums to 1.

**Half right (1 point of 2):** "It grows."
### END MARK SCHEME
"""


@needs_browser
def test_a_rubric_is_made_of_the_mark_scheme(small, browser):
    cells = [*small_lesson()[:2], cell("question", "why", SCHEME), new_markdown_cell("*Your answer*")]
    write_notebook(small.root / "source" / "hw" / "hw.ipynb", cells)
    write_student_version(small, "hw")
    solves(small, "ada", why="Because.")
    autograde_submissions(small, list(find_submissions(small, ["hw"], ["ada"])))
    with contextmanager(served)(small) as address:
        opens(browser, address, "Zoë")
        click(browser, By.ID, "usescheme")
        wait_for(browser, "document.querySelectorAll('#items [aria-pressed]').length == 4")
        items = [one.text for one in browser.find_elements(By.CSS_SELECTOR, "#items [aria-pressed]")]
        effect, cause, products, rows = items
        assert (effect, cause) == ("a +1 The effect", "s +0.5 The cause")
        assert products == "d +0.5 A sum of products, not of ln(e)"
        assert rows == "f +1.5 This: each row sums to 1"
        assert not browser.find_element(By.ID, "usescheme").is_displayed()
        press(browser, "a", "s")
        assert browser.find_element(By.ID, "points").get_attribute("value") == "1.5"


@needs_browser
def test_a_readers_name_is_asked_at_the_first_save_and_known_to_the_next_server(course, browser):
    with contextmanager(served)(course) as address:
        browser.get(address)
        wait_for(browser, lambda page: status(page).startswith("Enter your name"))
        press(browser, "2")
        assert browser.find_element(By.ID, "points").get_attribute("value") == "2"
        press(browser, Keys.ENTER)
        wait_for(browser, lambda page: status(page) == "Enter your name first.")
        name = browser.switch_to.active_element
        assert (name.get_attribute("id"), name.get_attribute("value")) == ("reader", "")
        ActionChains(browser).send_keys("Zoë; B=1", Keys.ENTER, Keys.ENTER).perform()
        wait_for(browser, lambda page: status(page).startswith("Saved: "))
    with contextmanager(served)(course) as other:
        assert other.partition("?")[0] != address.partition("?")[0]
        browser.get(other)
        wait_for(browser, "document.getElementById('who').textContent")
        assert browser.find_element(By.ID, "reader").get_attribute("value") == "Zoë; B=1"


@needs_browser
def test_the_keys_are_shown_above_the_page(address, browser):
    opens(browser, address, "Zoë")
    before = browser.find_element(By.TAG_NAME, "main").location
    click(browser, By.CSS_SELECTOR, "[popovertarget]")
    keys = browser.find_element(By.ID, "keylist")
    assert keys.is_displayed() and browser.find_element(By.TAG_NAME, "main").location == before
    click(browser, By.ID, "who")
    wait_for(browser, lambda page: not keys.is_displayed())


@needs_browser
def test_the_page_works_behind_a_proxy_of_a_hub(course, tmp_path):
    pytest.importorskip("jupyter_server_proxy")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = "--ServerApp.base_url=/user/zoe/", "--ServerApp.allow_remote_access=True"
    with jupyter(tmp_path, tmp_path / "home", False, *options, jupyter_server_proxy=True) as hub:
        base = f"{hub.replace('127.0.0.1', 'hub.test').replace('localhost', 'hub.test')}proxy/{port}/"
        with contextmanager(served)(course, "--port", str(port), "--base-url", base) as address:
            assert address.startswith(f"{base}?token=")
            other = start(tmp_path / "browser", f"MAP hub.test 127.0.0.1, {NOWHERE}")
            try:
                # A link in a message.
                message = tmp_path / "message.html"
                message.write_text(f'<a href="{address}">read</a>')
                other.get(message.as_uri())
                click(other, By.TAG_NAME, "a")
                wait_for(other, "document.getElementById('who')?.textContent")
                assert other.current_url == base
                (cookie,) = (one for one in other.get_cookies() if one["name"].startswith("gradebox-read"))
                assert cookie["path"] == f"/user/zoe/proxy/{port}/"
                other.find_element(By.ID, "reader").send_keys("Zoë", Keys.ENTER)
                shown(other, "ada")
                press(other, "2", Keys.ENTER)
                wait_for(other, lambda page: status(page) == "Saved: ada, 2.")
            finally:
                other.quit()
    assert given(course, "ada", "why")[0] == 2


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--port", "8123", "--base-url", "/user/zoe/"], "--base-url /user/zoe/ is not an address such as"),
        (
            ["--port", "8123", "--base-url", "http://[::1/"],
            "--base-url http://[::1/ is not an address such as",
        ),
        (["--base-url", "https://hub.test/"], "--base-url needs --port: the port that the proxy serves"),
    ],
)
def test_an_address_of_a_proxy_that_can_not_be_used_is_refused(small, options, problem):
    said = gradebox(small, "read", "--no-browser", *options)
    assert said.returncode == 2 and said.stderr.startswith(f"gradebox: {problem}"), said.stderr


def test_a_section_is_read_alone(course):
    with course.connection() as connection:
        for student, section in {"ada": "A", "ben": "B, Lab 1", "cleo": "B"}.items():
            save_section(connection, student, section)
    desk = ReadingService(course, ["hw"])
    assert desk.sections() == ["A", "B", "Lab 1"]
    why = desk.overview("b")[0]
    assert (why["answers"], why["waiting"]) == (2, 2) and desk.overview()[0]["answers"] == 4
    assert {one["student"] for one in desk.answers(why["id"], "B")["answers"]} == {"ben", "cleo"}
    assert [one["student"] for one in desk.submissions("Lab 1")] == ["ben"]
    assert desk.empty(why["id"], {"as": "Zoë", "section": "B"}) == {"scored": 1}
    # A section of the command is the only one.
    desk = ReadingService(course, ["hw"], "A")
    assert desk.sections() == ["A"]
    assert {one["student"] for one in desk.answers(why["id"], "B")["answers"]} == {"ada"}
    said = gradebox(course, "read", "--no-browser", "--section", "C")
    assert said.returncode == 2
    assert said.stderr.strip() == "gradebox: unknown section 'C' (known: A, B, Lab 1)"


def test_students_of_the_same_name_have_their_ids_beside_it(course):
    with course.gradebook() as gradebook:
        for student, first in {"ada": "Eva", "ben": "eva", "cleo": "Cleo"}.items():
            gradebook.update_or_create_student(student, first_name=first, last_name="Roth")
    desk = ReadingService(course, ["hw"])
    names = {"Eva Roth (ada)", "eva Roth (ben)", "Cleo Roth", "dina"}
    assert {one["name"] for one in desk.submissions()} == names
    assert {one["name"] for one in desk.answers(desk.overview()[0]["id"])["answers"]} == names


@needs_browser
def test_a_section_is_chosen_on_the_page(course, address, browser):
    with course.connection() as connection:
        for student in ANSWERS:
            save_section(connection, student, "A" if student == "ada" else "B")
    opens(browser, address, "Zoë")
    Select(browser.find_element(By.ID, "section")).select_by_visible_text("A")
    wait_for(browser, "document.getElementById('where').textContent == '1 of 1'")
    assert browser.find_element(By.ID, "who").text == "ada"
    wait_for(browser, "document.querySelectorAll('#students option').length == 2")
    wait_for(browser, "document.querySelector('nav button').textContent.endsWith('1 to read')")


def ask(address: str, path: str, method: str = "GET", body: object = None, **headers: str) -> tuple[int, str]:
    base, _, token = address.partition("?token=")
    sent = {
        "X-Gradebox": "read",
        "Cookie": f"gradebox-read-{base.rsplit(':')[-1].strip('/')}={token}",
        **headers,
    }
    request = Request(
        f"{base}{path}", method=method, headers=sent, data=json.dumps(body).encode() if body else None
    )
    try:
        with urlopen(request) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        return error.code, error.read().decode()


def test_nobody_else_gets_in_and_nothing_wrong_is_taken(course, address):
    status, text = ask(address, "api/questions")
    assert status == 200
    why = json.loads(text)[0]["id"]
    one = json.loads(ask(address, f"api/questions/{why}")[1])["answers"][0]
    path = f"api/questions/{why}/answers/{one['id']}"
    good = {"as": "Zoë", "version": one["version"], "points": 1, "comment": ""}
    for refused in (
        ask(address, "api/questions", Cookie=""),
        ask(address, "api/questions", Cookie="gradebox-read-1=x"),
        ask(address, "", Cookie=""),
        ask(address, "?token=wrong"),
        # A name for this machine that another page's script has made up.
        ask(address, "api/questions", Host="evil.example:80"),
        # A form on another page can send no header of ours.
        ask(address, path, "PUT", good, **{"X-Gradebox": ""}),
    ):
        assert refused[0] == 403, refused
    for wrong in (
        {"points": 4},
        {"points": -1},
        {"points": True},
        {"points": "1"},
        {"comment": 7},
        {"extra": -1},
        {"extra": "1"},
        {"as": " "},
    ):
        status, text = ask(address, path, "PUT", good | wrong)
        assert status == 400 and "Traceback" not in text, (wrong, text)
    assert ask(address, path, "PUT", good | {"version": "old"})[0] == 409
    assert ask(address, f"api/questions/{why}/answers/abc", "PUT", good)[0] == 404
    assert ask(address, "api/questions/abc")[0] == 404
    assert ask(address, "page.py")[0] == 404 and ask(address, "../server.py")[0] == 404
    assert given(course, one["student"], "why")[0] is None
    assert ask(address, path, "PUT", good)[0] == 200
    assert given(course, one["student"], "why")[0] == 1


@pytest.mark.parametrize(
    ("head", "body", "status"),
    [
        ("", "[" * 90_000, 400),
        ("", '{"a":' * 15_000, 400),
        ("", '{"comment": "\\ud800"}', 400),
        ("", '{"points": ' + "9" * 5000 + "}", 400),
        ("Host: [::1", "{}", 400),
        ("Host: ]", "{}", 400),
        ("Host: [::1]:8", "{}", 403),
        ("Host: a b", "{}", 400),
        ("Content-Length: -1", "", 400),
        ("Content-Length: 99999999999", "", 400),
        ("Transfer-Encoding: chunked", "zz\r\n", 400),
        ("Transfer-Encoding: gzip", "", 400),
    ],
)
def test_a_malformed_request_is_refused_without_a_traceback(opened, head, body, status):
    """The fixture `opened` fails if the server prints a traceback."""
    base, _, token = opened.partition("?token=")
    host = base.split("/")[2]
    port = host.rpartition(":")[2]
    lines = [
        "PUT /api/questions/0/answers/0 HTTP/1.1",
        f"Cookie: gradebox-read-{port}={token}",
        "X-Gradebox: read",
        "Connection: close",
        head,
        "" if head.startswith("Host") else f"Host: {host}",
        "" if head.startswith(("Content", "Transfer")) else f"Content-Length: {len(body)}",
    ]
    with socket.create_connection(("127.0.0.1", int(port)), timeout=60) as connection:
        connection.sendall("\r\n".join([*filter(None, lines), "", body]).encode())
        assert connection.makefile("rb").readline().split()[1] == str(status).encode()


def test_all_of_it_on_postgresql(small_released, tmp_path, database):
    course = Course(shutil.copytree(small_released, tmp_path / "course"))
    course = with_settings(course, f"c.CourseDirectory.db_url = {database!r}")
    write_student_version(course, "hw")
    for student, answers in ANSWERS.items():
        solves(course, student, **answers)
    autograde_submissions(course, list(find_submissions(course, ["hw"], list(ANSWERS))))
    desk = ReadingService(course, ["hw"])
    why = desk.overview()[0]["id"]
    assert desk.empty(why, {"as": "Zoë"}) == {"scored": 2}
    one = next(one for one in desk.answers(why)["answers"] if one["student"] == "ada")
    sent = {"version": one["version"], "points": 1.5, "comment": "Half of it."}
    desk.give(why, one["id"], sent | {"as": "Zoë"})
    with pytest.raises(ConflictError):
        desk.give(why, one["id"], sent | {"as": "Yao", "points": 1})
    now = desk.answer(why, one["id"])
    assert (now["points"], now["by"], now["waits"]) == (1.5, "Zoë", False)
    assert given(course, "ada", "why") == (1.5, False, "Half of it.")
    desk.add_item(why, {"text": " Half of it. ", "points": None})
    with pytest.raises(InvalidInputError, match="has this sentence already"):
        desk.add_item(why, {"text": "Half of it."})
    shown = desk.answers(why)
    (item,) = shown["items"]
    one = next(one for one in shown["answers"] if one["student"] == "ada")
    sent |= {"version": one["version"], "items": [item["id"]], "as": "Zoë"}
    desk.give(why, one["id"], sent)
    assert desk.change_item(why, item["id"], {"text": "All of it.", "points": 1}) == {"changed": 1}
    assert given(course, "ada", "why") == (2.5, False, "All of it.")
    desk.delete_item(why, item["id"])
    assert desk.answers(why)["items"] == []


def test_points_are_for_what_was_seen(course):
    desk = ReadingService(course, ["hw"])
    why = desk.overview()[0]["id"]

    def seen() -> dict:
        return next(one for one in desk.answers(why)["answers"] if one["student"] == "ada")

    one = seen()
    sent = {"as": "Zoë", "points": 2, "comment": ""}
    solves(course, "ada", why="Another answer.", essay="A long essay.")
    autograde_submissions(course, list(find_submissions(course, ["hw"], ["ada"])))
    with pytest.raises(ConflictError):
        desk.give(why, one["id"], sent | {"version": one["version"]})
    # A run has written its grade, and not yet its copy.
    one = seen()
    with course.gradebook() as gradebook:
        store_text_hashes(gradebook.db.connection(), {one["id"]: "a new text's"})
    with pytest.raises(ConflictError):
        desk.give(why, one["id"], sent | {"version": one["version"]})
    assert given(course, "ada", "why")[0] is None


PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
# Large enough that a page leaves the rest of such a text out.
LARGE = base64.b64encode(base64.b64decode(PNG) + bytes(40_000)).decode()
PICTURE = f'src="data:image/png;base64,{PNG}"'
PICTURES = {
    "blank": ("Here: ![foto](attachment:foto%201.png)", PICTURE),
    "umlaut": ("Here: ![foto](attachment:%C3%9Cbung.png)", PICTURE),
    "umlaut_and_blank": ("Here: ![Foto](attachment:Foto%201%20u%CC%88.png)", PICTURE),
    "tag": ('Here: <img src="attachment:foto 1.png" alt="foto">', PICTURE),
    "colab": (f"Here: ![](data:image/png;base64,{LARGE})", f'src="data:image/png;base64,{LARGE}"'),
    "gone": ("Here: ![my drawing](attachment:gone%201.png)", "my drawing"),
    "gone_tag": ('Here: <img src="attachment:gone.png" alt="my drawing">', "my drawing"),
    "nameless": ("Here: ![](attachment:gone.png)", "Here: gone.png"),
    "file": ("Here: ![my drawing](drawing.png)", "my drawing"),
    "no_words": ("Here: ![](img/my%20drawing.png)", "img/my drawing.png"),
    "outside": ("Here: ![my drawing](<../my drawing.png>)", "my drawing"),
    "code": ("    indented(![x](attachment:gone.png))\n    code", "<pre><code>indented("),
    "plain": ("Here: because.", "because."),
}


def test_a_picture_with_any_name_or_none_is_shown_or_named_and_hides_no_other_answer(small):
    for student, (text, _) in PICTURES.items():
        path = solves(small, student, why=text)
        notebook = json.loads(path.read_text())
        answer = next(one for one in notebook["cells"] if "".join(one["source"]) == text)
        answer["attachments"] = {
            name: {"image/png": PNG} for name in ("foto 1.png", "Übung.png", "Foto 1 ü.png")
        }
        path.write_text(json.dumps(notebook))
    autograde_submissions(small, list(find_submissions(small, ["hw"], list(PICTURES))))
    desk = ReadingService(small, ["hw"])
    found = {one["student"]: one["html"] for one in desk.answers(desk.overview()[0]["id"])["answers"]}
    assert found.keys() == PICTURES.keys()
    for student, (_, wanted) in PICTURES.items():
        assert wanted in found[student], (student, found[student][:500])
        assert found[student].count("<img") == (wanted.startswith("src=")), (student, found[student][:500])
        assert ("<pre>" in found[student]) == (student == "code")
    for student in ("blank", "umlaut", "colab"):
        assert small.convert(GenerateFeedback, "hw", student) is None
        page = (small.path("feedback", "hw", student) / "hw.html").read_text()
        assert PICTURES[student][1] in page


def test_a_graded_copy_that_can_not_be_read_hides_no_other_answer(course):
    for student, content in (
        ("ada", "{}"),
        ("ben", "not a notebook"),
        ("dina", '{"cells": 1, "nbformat": 4}'),
    ):
        (course.path("autograded", "hw", student) / "hw.ipynb").write_text(content)
    desk = ReadingService(course, ["hw"])
    for question in desk.overview():
        found = by_student(desk, question["id"])
        assert found.keys() == ANSWERS.keys() and [one for one in found if found[one]["there"]] == ["cleo"]
    for one in desk.submissions():
        assert len(desk.submission(one["id"])["exercises"]) == 3


def test_a_copy_of_an_earlier_version_and_a_question_with_pictures_are_shown(small):
    """The names in neither of them are replaced."""
    path = small.path("source", "hw") / "hw.ipynb"
    notebook = json.loads(path.read_text())
    asks = next(one for one in notebook["cells"] if "".join(one["source"]) == "Why?")
    asks["source"] = "Why? ![what](attachment:what%201.png) ![gone](attachment:gone.png)"
    asks["attachments"] = {"what 1.png": {"image/png": PNG}}
    path.write_text(json.dumps(notebook))
    answers = {"ada": "[ada](attachment:a.png)", "ben": "because", "cleo": "x" + "[" * 19_900}
    for student, text in answers.items():
        solves(small, student, why=text)
    autograde_submissions(small, list(find_submissions(small, ["hw"], list(answers))))
    copy = small.path("autograded", "hw", "ada") / "hw.ipynb"
    copy.write_text(copy.read_text().replace(answers["ada"], "![ada](attachment:a%201.png)"))
    desk = ReadingService(small, ["hw"])
    shown = desk.answers(desk.overview()[0]["id"])
    assert PICTURE in shown["asks"] and "gone" in shown["asks"]
    found = {one["student"]: one["html"] for one in shown["answers"]}
    assert "ada" in found["ada"] and "<img" not in found["ada"] and "because" in found["ben"]
    assert f"<pre><code>{answers['cleo']}" in found["cleo"]


def test_what_can_not_be_rendered_is_shown_as_text():
    assert "<pre>*a* &lt;b&gt; [x](?)</pre>" in render_markdown("*a* <b> [x](\ud800)")


def test_where_nothing_is_to_be_read_it_says_so(course):
    write_notebook(course.path("source", "hw") / "hw.ipynb", small_lesson()[:1])
    said = gradebox(course, "read", "--no-browser")
    assert said.returncode == 2
    assert said.stderr.strip() == "gradebox: nothing is graded in the selected assignments"


def test_a_code_answer_that_a_person_reads_is_shown_as_code(small):
    essay = cell("essay", "essay", "def my_own():\n    pass")
    essay.cell_type = "code"
    essay |= {"outputs": [], "execution_count": None}
    write_notebook(
        small.path("source", "hw") / "hw.ipynb", [*small_lesson()[:2], new_markdown_cell("Write."), essay]
    )
    write_student_version(small, "hw")
    solves(small, "ada", essay="def my_own():\n    return '<b>'  # \u202eo")
    autograde_submissions(small, list(find_submissions(small, ["hw"], ["ada"])))
    desk = ReadingService(small, ["hw"])
    question, _ = desk.overview()
    answers = desk.answers(question["id"])
    assert "Write." in answers["asks"] and answers["scheme"] == ""
    (one,) = answers["answers"]
    assert "highlight" in one["html"] and "&lt;b&gt;" in one["html"] and "\ufffdo" in one["html"]
    assert one["waits"] and not one["empty"]


def test_text_elsewhere_in_the_notebook_is_shown_and_not_scored_as_empty(small):
    path = solves(small, "ada")
    cells = nbformat.read(path, as_version=4).cells
    write_notebook(path, [new_markdown_cell("My answer to the first question."), *cells])
    solves(small, "ben")
    autograde_submissions(small, list(find_submissions(small, ["hw"], ["ada", "ben"])))
    desk = ReadingService(small, ["hw"])
    why = desk.overview()[0]["id"]
    assert desk.empty(why, {"as": "Zoë"}) == {"scored": 1}
    ada, ben = sorted(desk.answers(why)["answers"], key=lambda one: one["student"])
    assert ada["waits"] and not ada["empty"] and "My answer to the first question." in ada["html"]
    assert not ben["waits"] and ben["empty"]


def test_several_questions_of_an_exercise_have_letters(tmp_path):
    def asked(name: str, heading: str = "") -> list:
        return [cell("question", name, f"{heading}Why?"), new_markdown_cell("*Your answer*")]

    first, second = "## 1.1 Shares\n\n", "## 1.2 More\n\n"
    cells = [*asked("why", first), *asked("how", second), *asked("when"), *asked("who")]
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    write_notebook(tmp_path / "source" / "hw" / "hw.ipynb", cells)
    service = ReadingService(Course(tmp_path), ["hw"])
    assert [one["number"] for one in service.overview()] == ["1.1", "1.2 a", "1.2 b", "1.2 c"]
