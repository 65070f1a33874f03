"""A grader who opens a graded submission in nbgrader's Formgrader soon finds the first exercise."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import needs_browser, tab, wait_for
from helpers import grade
from lab import jupyter
from nbformat.v4 import new_code_cell
from repository import SAMPLED, notebook

from gradebox.course import Course
from gradebox.notebook_exercises import extract_reference_solutions, insert_answers

pytestmark = needs_browser

WIDTH, HEIGHT = 1280, 800
# The top of the first box for points or a comment, and the texts of the folded parts.
LOOK = """
const box = document.querySelector('#notebook-container :is(.score, .comment)');
const folded = [...document.querySelectorAll('#notebook-container > details')];
return [box.getBoundingClientRect().top + scrollY, folded.map(part => part.textContent)];
"""


@pytest.fixture(scope="module")
def formgrader(class_room, tmp_path_factory) -> Iterator[str]:
    """The address of a Jupyter server in the course's folder, with Formgrader."""
    home: Path = tmp_path_factory.mktemp("jupyter")
    with jupyter(class_room.root, home, instructor=True) as url:
        yield f"{url}formgrader/submissions/"


@pytest.mark.parametrize("lesson", SAMPLED)
def test_the_first_box_is_within_two_screens(class_room: Course, formgrader, lesson):
    nb = insert_answers(notebook("release", lesson), extract_reference_solutions(notebook("source", lesson)))
    title = nb.cells[0].source.splitlines()[0].removeprefix("# ")
    nb.cells.insert(1, new_code_cell("'a note to the grader'"))
    grade(class_room, lesson, "formgrader", nb)
    (name,) = class_room.notebooks(lesson)
    with class_room.gradebook() as gradebook:
        number = gradebook.find_submission_notebook(name, lesson, "formgrader").id
    with tab() as page:
        size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        page.get(f"{formgrader}{number}/?index=0")
        wait_for(page, "document.querySelector('.comment')")
        top, folded = page.execute_script(LOOK)
        assert top < 2 * HEIGHT
        # The student's cell is between the folded parts.
        shown = page.find_element("id", "notebook-container").text
        assert len(folded) == 2 and title in folded[0] and title not in shown
        assert "a note to the grader" in shown
