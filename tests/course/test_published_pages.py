"""Students read pictures on all pages that show a solved lesson."""

import html

import nbformat
import pytest
from helpers import gradebox, hand_in
from repository import SAMPLED, notebook


@pytest.mark.parametrize("lesson", SAMPLED)
def test_each_figure_is_a_picture_and_no_page_shows_the_address_of_an_object(course, lesson):
    done = gradebox(course, "solutions", lesson)
    assert done.returncode == 0, done.stderr
    (solutions,) = (course.root / "solutions" / lesson).glob("*.ipynb")
    solved, released = nbformat.read(solutions, as_version=4), notebook("release", lesson, course.root)
    metadata = {cell.id: cell.metadata for cell in released.cells}
    for cell in solved.cells:
        cell.metadata = metadata[cell.id]
    hand_in(course, lesson, "ann", solved)
    done = gradebox(course, "autograde", lesson, "--feedback")
    assert done.returncode == 0, done.stdout + done.stderr
    (feedback,) = course.path("feedback", lesson, "ann").glob("*.html")
    for page in (solutions.with_suffix(".html"), feedback):
        text = html.unescape(page.read_text(encoding="utf-8"))
        assert " at 0x" not in text
        figures = [cell for cell in solved.cells if "alt" in cell.metadata and cell.outputs]
        assert figures and all(f'alt="{cell.metadata.alt}"' in text for cell in figures), page
