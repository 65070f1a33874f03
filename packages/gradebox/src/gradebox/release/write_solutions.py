"""Write solved and executed lessons for students, as notebooks and as HTML pages (`gradebox solutions`).

They are made from the released notebooks, so they contain no hidden tests and no mark schemes.
"""

import logging
from contextlib import suppress
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from subprocess import DEVNULL

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError
from nbconvert import HTMLExporter
from nbformat.notebooknode import NotebookNode
from nbgrader.api import MissingEntry

from gradebox.course import Course, CourseError
from gradebox.exercise_selection import find_exercise_cells
from gradebox.notebook_exercises import (
    END_CELL_IDS,
    extract_reference_solutions,
    insert_answers,
    serialize_notebook,
)
from gradebox.release.read_answers_folder import read_answers
from gradebox.sanitize.html import rendered

# Omits the scripts that nbconvert loads from the network, and adds the cell's alt text to images.
TEMPLATE = """
{%- extends 'lab/index.html.j2' -%}
{%- block html_head_js -%}{%- endblock -%}
{%- block html_head_js_mathjax -%}{%- endblock -%}
{%- block html_head_js_mermaidjs -%}{%- endblock -%}
{%- block html_head_css -%}
{{ super() }}
<style>
math { font-family: "Latin Modern Math", "STIX Two Math", "Cambria Math", "DejaVu Math TeX Gyre", math }
</style>
{%- endblock html_head_css -%}
{%- block data_png scoped -%}
{{ super() | replace('<img ', '<img alt="' ~ (cell.metadata.alt or '') | escape_html ~ '" ', 1) }}
{%- endblock data_png -%}
"""


def write_solutions(course: Course, assignment: str, theme: str) -> list[Path]:
    """Write an assignment's solved notebooks to `solutions/`, also as HTML. Return the files.

    theme: light or dark, of the page. Raises CourseError if a notebook is not released, or fails with its
    reference solutions.
    """
    written, folder = [], course.root / "solutions" / assignment
    for name, source in course.sources(assignment).items():
        released = course.release_path(assignment, name)
        answers = extract_reference_solutions(source) | find_written_answers(course, assignment, name)
        solved = insert_answers(nbformat.read(released, as_version=4), answers)
        # A solved notebook is not something to hand in.
        solved.cells = [cell for cell in solved.cells if cell.get("id") not in END_CELL_IDS]
        for cell in solved.cells:
            cell.metadata.pop("nbgrader", None)
        execute_notebook(solved, released)
        texts = {
            folder / f"{name}.ipynb": serialize_notebook(solved),
            folder / f"{name}.html": render_lesson_page(deepcopy(solved), name, theme),
        }
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8")
            written.append(path)
    return written


def find_written_answers(course: Course, assignment: str, name: str) -> dict[str, str]:
    """Return the first right answer in `answers/` to each written question of a notebook, by grade_id."""
    folder = course.root / "answers" / assignment
    given = {exercise for exercise, _ in find_exercise_cells(course.source(assignment, name))}
    known = read_answers(folder, course.full_source(assignment, name)) if folder.is_dir() else []
    return {
        one.exercise: one.source
        for one in reversed(known)
        if one.prose and one.right and one.exercise in given
    }


def find_due_date(course: Course, assignment: str) -> datetime | None:
    """Return the due date of an assignment in the gradebook, if it has not passed."""
    with course.gradebook() as gradebook, suppress(MissingEntry):
        due = gradebook.find_assignment(assignment).duedate
        if due and due.replace(tzinfo=UTC) > datetime.now(UTC):
            return due.replace(tzinfo=UTC)
    return None


def execute_notebook(notebook: NotebookNode, path: Path) -> NotebookNode:
    """Execute a notebook and return it with outputs. Raises CourseError if a cell fails."""
    started: list[int] = []
    client = NotebookClient(
        notebook,
        resources={"metadata": {"path": str(path.parent)}},
        on_cell_start=lambda cell, cell_index: started.append(cell_index),
    )
    # Hide the log messages of the kernel and of nbclient from the instructor. Figures have twice the pixels,
    # so they are sharp on every screen.
    client.extra_arguments = ["--log-level=ERROR", "--InlineBackend.figure_formats=retina"]
    client.log = logging.getLogger(f"{__name__}.nbclient")
    client.log.disabled = True
    try:
        # At its end, a kernel may print a traceback of its own threads.
        return client.execute(stderr=DEVNULL)
    except DeadKernelError:
        where = f"in cell {started[-1] + 1}" if started else "before the first cell"
        raise CourseError(
            f"{path} can't be written as a page: its kernel ended {where}; run the notebook in Jupyter"
        ) from None
    except CellExecutionError as error:
        raise CourseError(
            f"{path} stops with its reference solutions: {error.ename}: {error.evalue}"
        ) from None


def render_lesson_page(notebook: NotebookNode, title: str, theme: str) -> str:
    """Render a notebook as one HTML file. Folded cells show only their outputs."""
    for cell in notebook.cells:
        if cell.metadata.get("jupyter", {}).get("source_hidden"):
            cell.metadata["transient"] = {"remove_source": True}
    exporter = HTMLExporter(
        raw_template=TEMPLATE,
        theme=theme,
        exclude_anchor_links=True,
        filters={"strip_files_prefix": rendered},
    )
    return exporter.from_notebook_node(notebook, resources={"metadata": {"name": title}})[0]
