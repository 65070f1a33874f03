"""A student with JupyterLab's Assignment List in a real browser, while `gradebox watch` runs.

With PICTURES=FOLDER there are pictures of what the student sees.
"""

import os
from pathlib import Path

import pytest
from browser import needs_browser, tab, wait_for
from exchange import release_to_exchange, student_desk, watching
from lab import jupyter

# JupyterLab, a browser and the watcher together take a minute.
pytestmark = [needs_browser, pytest.mark.slow]

ENTRY = "#jp-mainmenu-nbgrader li[data-command='nbgrader:open-assignment-list']"
MENU = "[...document.querySelectorAll('.lm-MenuBar-itemLabel')].find(one => one.innerText == 'Nbgrader')"
LIST = "document.querySelector('#nbgrader-assignment-list')"


def picture(driver, name: str) -> None:
    if "PICTURES" in os.environ:
        driver.save_screenshot(Path(os.environ["PICTURES"], f"{name}.png"))


def open_list(driver) -> None:
    """Open the Assignment List from the menu, which may not react at first."""
    wait_for(driver, MENU)

    def opened(page) -> bool:
        page.execute_script(f"return {MENU}").click()
        return bool(page.find_elements("css selector", ENTRY))

    wait_for(driver, opened)
    driver.find_element("css selector", ENTRY).click()
    wait_for(driver, LIST)


def click(driver, text: str) -> None:
    """Click on what has a text in the list."""
    found = f"[...{LIST}.querySelectorAll('button, a')].find(one => one.innerText.trim() == '{text}')"
    wait_for(driver, f"{found} && !{found}.disabled")
    driver.execute_script(f"{found}.click()")


def test_submit_and_fetch_feedback_in_the_assignment_list(small, tmp_path):
    course = release_to_exchange(small)
    desk = student_desk(course, "desk")
    with watching(course) as running, jupyter(desk.folder, tmp_path / "home", instructor=True) as url:
        running.wait_for("Watching")
        with tab() as driver:
            driver.get(f"{url}lab")
            open_list(driver)
            click(driver, "Fetch")
            click(driver, "Submit")
            running.wait_for("hw 0 of 3")
            driver.execute_script(f"{LIST}.querySelector('#refresh_assignments_list').click()")
            wait_for(driver, f"{LIST}.innerText.includes('feedback available to fetch')")
            picture(driver, "feedback-available")
            click(driver, "Fetch Feedback")
            click(driver, "(view feedback)")
            # The file browser shows the folder of this submission's feedback.
            wait_for(driver, "document.querySelector('.jp-DirListing-content').innerText.includes('hw.html')")
            picture(driver, "feedback-fetched")
    (page,) = (desk.folder / "hw" / "feedback").glob("*/hw.html")
    assert "0 of 3 points so far" in page.read_text()
