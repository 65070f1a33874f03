"""A student's first ten minutes, in JupyterLab in a real browser: read, fail, understand, pass, hand in."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import nbformat
import pytest
from browser import needs_browser, tab, wait_for
from helpers import gradebox, graded, points_of, position
from lab import jupyter
from repository import REPOSITORY, notebook
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from gradebox.notebook_exercises import HAND_IN_CELL_ID, extract_reference_solutions
from gradebox.release import read_answers_folder

pytestmark = needs_browser

LESSON, STUDENT = "01_single_head", "first-ten-minutes"
# How a browser calls a file of which it has saved one before.
HANDED_IN = "single_head (1).ipynb"
# What is solved here, in the lesson's order, and what is said of a first attempt.
SOLVED = ("softmax", "attention-scores", "attention-weights")
MISTAKE = "the axis is ignored"

# Where a text is: "here" if all of it is within the notebook's frame, else "above" or "below", or null.
# A text cell's source is on the page, too, and hidden.
WHERE = """
const [cell, text] = arguments;
const frame = document.querySelector('.jp-WindowedPanel-outer').getBoundingClientRect();
const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
    const at = texts.currentNode.data.lastIndexOf(text);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(texts.currentNode, at);
    range.setEnd(texts.currentNode, at + text.length);
    const box = range.getBoundingClientRect();
    if (box.height == 0) continue;
    if (box.top < frame.top) return 'above';
    if (box.bottom > frame.bottom) return 'below';
    if (box.left >= frame.left && box.right <= frame.right) return 'here';
}
return null;
"""


class Page:
    """A notebook that is open in JupyterLab. Cells have numbers, from 0."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def cell(self, number: int) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, here(number))

    def chosen(self, number: int) -> None:
        """Wait until this cell is the one that keys go to."""
        focus = "document.activeElement.closest('.jp-Notebook')"
        wait_for(self.driver, f"document.querySelector('{here(number)}.jp-mod-active') && {focus}")

    def click(self, number: int, part: str) -> None:
        """Click on a part of a cell, a selector, until the cell is chosen."""

        def clicked(driver: webdriver.Chrome) -> bool:
            # While a page is still being made, what is to be clicked on moves below the pointer.
            try:
                self.cell(number).find_element(By.CSS_SELECTOR, part).click()
            except WebDriverException:
                return False
            return bool(driver.find_elements(By.CSS_SELECTOR, f"{here(number)}.jp-mod-active"))

        wait_for(self.driver, clicked)
        self.chosen(number)

    def keys(self, *held_and_last: str) -> None:
        *held, last = held_and_last
        actions = ActionChains(self.driver)
        for key in held:
            actions.key_down(key)
        actions.send_keys(last)
        for key in held:
            actions.key_up(key)
        actions.perform()

    def run(self, *numbers: int) -> None:
        """Shift+Enter in these cells, one after the other, and wait until the last one has ended."""
        last = numbers[-1]
        before = self.state(last)
        for number in numbers:
            self.chosen(number)
            self.keys(Keys.SHIFT, Keys.ENTER)
            self.chosen(number + 1)
        if self.driver.find_elements(By.CSS_SELECTOR, f"{here(last)}.jp-CodeCell"):
            # Until it ends, [*] stands there, and for a moment what stood there before.
            wait_for(self.driver, lambda _: self.state(last) not in (before, "[*]:", ""))

    def state(self, number: int) -> str:
        """What stands to the left of a cell: [3]: if it was the third to run. Of a collapsed one, outputs."""
        prompt = f"document.querySelector('{here(number)} .jp-InputPrompt')"
        outputs = f"document.querySelectorAll('{here(number)} .jp-OutputArea-output')"
        html = f"[...{outputs}].map(one => one.innerHTML).join('')"
        collapsed = f"document.querySelector('{here(number)} .jp-Cell-inputWrapper .jp-Placeholder')"
        return self.driver.execute_script(f"return {collapsed} ? {html} : {prompt}?.textContent")

    def write(self, number: int, source: str) -> None:
        """Put a text in place of what is in a cell."""
        self.click(number, ".cm-content")
        wait_for(self.driver, f"document.activeElement.matches('{here(number)} .cm-content')")
        self.keys(Keys.CONTROL, "a")
        # As from a clipboard: an editor would indent what is typed.
        self.driver.execute_cdp_cmd("Input.insertText", {"text": source})
        wait_for(self.driver, lambda driver: self.text(number) == source)

    def solve(self, number: int, source: str) -> None:
        """Write what is right, and see that the test below says so."""
        self.write(number, source)
        self.run(number, number + 1)
        assert self.output(number) == "" and self.output(number + 1).startswith("✓ ")

    def text(self, number: int) -> str:
        lines = f"document.querySelectorAll('{here(number)} .cm-line')"
        return self.driver.execute_script(f"return [...{lines}].map(line => line.textContent).join('\\n')")

    def output(self, number: int) -> str:
        """All that stands below a cell, in one line."""
        outputs = f"document.querySelectorAll('{here(number)} .jp-OutputArea-output')"
        text = self.driver.execute_script(f"return [...{outputs}].map(one => one.textContent).join('\\n')")
        return " ".join(text.split())

    def where(self, number: int, text: str) -> str | None:
        """Whether a text of a cell is "here", in sight, or "above" or "below"."""
        return self.driver.execute_script(WHERE, self.cell(number), text)

    def scroll_to(self, number: int, text: str) -> None:
        """Turn the wheel until all of a text of a cell is in sight."""

        def seen(driver: webdriver.Chrome) -> bool:
            where = self.where(number, text)
            if where in ("above", "below"):
                frame = driver.find_element(By.CSS_SELECTOR, ".jp-WindowedPanel-outer")
                by = 150 if where == "below" else -150
                ActionChains(driver).scroll_from_origin(ScrollOrigin.from_element(frame), 0, by).perform()
            return where == "here"

        wait_for(self.driver, seen)


def here(number: int) -> str:
    """A cell of the page, as a selector."""
    return f'.jp-Notebook [data-windowed-list-index="{number}"]'


@pytest.fixture
def downloaded(class_room, tmp_path) -> Path:
    """The lesson's notebook as released, alone in a folder of the student's."""
    (path,) = class_room.path("release", LESSON).glob("*.ipynb")
    (tmp_path / "homework").mkdir()
    return Path(shutil.copy(path, tmp_path / "homework"))


@pytest.fixture
def page(downloaded, tmp_path) -> Iterator[Page]:
    """JupyterLab with that notebook open, in a window of 1200 x 900."""
    with jupyter(downloaded.parent, tmp_path / "jupyter", instructor=False) as url:
        address = f"{url}lab/tree/{downloaded.name}?reset"
        with urlopen(address) as answer:
            assert answer.status == 200
        with tab() as driver:
            driver.get(address)
            yield Page(driver)


def saved(path: Path) -> list[list[dict]]:
    """The outputs of each cell of a notebook's file."""
    return [cell.get("outputs", []) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]


def test_read_fail_understand_pass_and_hand_in(class_room, downloaded, page):
    source, released = notebook("source", LESSON), nbformat.read(downloaded, as_version=4)
    right, at = extract_reference_solutions(source), {name: position(released, name) for name in SOLVED}
    known = read_answers_folder.read_answers(REPOSITORY / "answers" / LESSON, source)
    (wrong,) = (one for one in known if (one.exercise, one.title) == (SOLVED[0], MISTAKE))

    # What it is, how long it takes, and how to go on, is to be seen without doing anything.
    wait_for(page.driver, lambda _: page.where(0, "88 minutes of exercises") == "here")
    wait_for(page.driver, lambda _: page.where(1, "How to work through this notebook") == "here")
    page.click(0, "em")

    first = at[SOLVED[0]]
    page.run(*range(first))
    page.click(first - 1, "summary")
    wait_for(page.driver, f"document.querySelector('{here(first - 1)} details').open")
    page.write(first, wrong.source)
    page.run(first, first + 1)
    wait_for(page.driver, lambda _: wrong.advice in page.output(first + 1))
    assert page.output(first + 1).endswith(f"→ {wrong.advice}")
    page.scroll_to(first + 1, wrong.advice[:40])

    page.solve(first, right[SOLVED[0]])
    ran = first + 2
    for name in SOLVED[1:]:
        page.run(*range(ran, at[name]))
        page.solve(at[name], right[name])
        ran = at[name] + 2

    # The slider of temperatures, which is made when its image has loaded, changes the image.
    slider = """const slider = document.querySelector('input[aria-label=temperature]'),
        image = slider?.parentNode.querySelector('img'), before = image?.src;
        if (slider) slider.value = 8;
        slider?.oninput();
        return slider && image.src != before"""
    wait_for(page.driver, lambda driver: driver.execute_script(slider))

    figure = next(n for n in range(ran, len(released.cells)) if "plt.show()" in released.cells[n].source)
    page.run(*range(ran, figure + 1))
    wait_for(page.driver, f"document.querySelector('{here(figure)} img')?.naturalWidth")
    page.driver.execute_script("arguments[0].scrollIntoView()", page.cell(figure))

    page.keys(Keys.CONTROL, "s")
    wait_for(page.driver, lambda _: saved(downloaded)[figure])
    outputs = saved(downloaded)
    assert "image/png" in outputs[figure][0]["data"]
    assert all("✓ " in str(outputs[number + 1]) for number in at.values())
    end = len(released.cells) - 1
    assert released.cells[end].id == HAND_IN_CELL_ID
    page.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", page.cell(end))
    page.scroll_to(end, "Hand it in")
    page.scroll_to(end, "Save this notebook, and upload the ")

    submitted = class_room.path("submitted", LESSON, STUDENT) / HANDED_IN
    submitted.parent.mkdir(parents=True)
    shutil.copy(downloaded, submitted)
    run = gradebox(class_room, "autograde", LESSON, "--student", STUDENT)
    assert run.returncode == 0, run.stdout + run.stderr
    points = points_of(source)
    solved = {f"{name}-test" for name in SOLVED}
    scores = graded(class_room, LESSON, STUDENT).scores
    assert {test: scores[test] for test in points} == {
        test: value if test in solved else 0 for test, value in points.items()
    }
    # That the name is another is told to who grades, and costs nothing.
    (told,) = json.loads((class_room.root / "incidents.json").read_text())
    assert told["what"] == f"{downloaded.name} was handed in as {HANDED_IN}, and recognised by its cells"
