"""Records of known mistakes in the cells of failed tests, so that a class report can count them."""

from nbformat.notebooknode import NotebookNode

from gradebox.execute.lesson import Lesson
from gradebox.notebook_exercises import find_grade_id
from gradebox.notebook_metadata import FAILED, find_last_error, read_ending, update_record


def tag_known_mistakes(notebook: NotebookNode, lesson: Lesson) -> None:
    """Record in each failed test cell the known mistake whose advice ends its error message."""
    known = {
        test: {text: name for name, text in lesson.messages[exercise]["advice"].items()}
        for exercise, tests in lesson.tests.items()
        for test in tests
        if exercise in lesson.messages
    }
    for cell in notebook.cells:
        advice = known.get(find_grade_id(cell) or "")
        error = find_last_error(cell) if advice and read_ending(cell) == FAILED else None
        last = error.evalue.splitlines()[-1:] if error else []
        if advice and last and last[0] in advice:
            update_record(cell, advice=advice[last[0]])
