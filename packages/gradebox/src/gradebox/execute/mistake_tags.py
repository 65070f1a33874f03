"""Which mistakes the messages of failed tests name, written into the cells: to be counted in a class."""

from nbformat.notebooknode import NotebookNode

from gradebox.execute.lesson import Lesson
from gradebox.notebook import name_of
from gradebox.notebook_metadata import FAILED, ending, last_error, note


def note_advice(notebook: NotebookNode, lesson: Lesson) -> None:
    """Write into each test that failed which known mistake its message ends with."""
    known = {
        test: {text: name for name, text in lesson.messages[exercise]["advice"].items()}
        for exercise, tests in lesson.tests.items()
        for test in tests
        if exercise in lesson.messages
    }
    for cell in notebook.cells:
        advice = known.get(name_of(cell) or "")
        error = last_error(cell) if advice and ending(cell) == FAILED else None
        last = error.evalue.splitlines()[-1:] if error else []
        if advice and last and last[0] in advice:
            note(cell, advice=advice[last[0]])
