"""Export executed reference solutions as self-contained HTML pages (`gradebox pages`)."""

import logging
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError
from nbconvert import HTMLExporter
from nbformat.notebooknode import NotebookNode

from gradebox.course import Course, CourseError
from gradebox.notebook_exercises import extract_reference_solutions, insert_answers
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


def write_html_pages(course: Course, assignment: str, theme: str) -> list[Path]:
    """Write an assignment's solved notebooks as HTML to `pages/`. Return the files.

    theme: light or dark. Raises CourseError if a notebook is not released, or fails with its reference
    solutions.
    """
    written = []
    for name, source in course.sources(assignment).items():
        released = course.release_path(assignment, name)
        notebook = execute_notebook(
            insert_answers(nbformat.read(released, as_version=4), extract_reference_solutions(source)),
            released,
        )
        path = course.root / "pages" / assignment / f"{name}{'' if theme == 'light' else f'-{theme}'}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(render_lesson_page(notebook, name, theme), encoding="utf-8")
        written.append(path)
    return written


def execute_notebook(notebook: NotebookNode, path: Path) -> NotebookNode:
    """Execute a notebook and return it with outputs. Raises CourseError if a cell fails."""
    started: list[int] = []
    client = NotebookClient(
        notebook,
        resources={"metadata": {"path": str(path.parent)}},
        on_cell_start=lambda cell, cell_index: started.append(cell_index),
    )
    # Hide the log messages of the kernel and of nbclient from the instructor.
    client.extra_arguments = ["--log-level=ERROR"]
    client.log = logging.getLogger(f"{__name__}.nbclient")
    client.log.disabled = True
    try:
        return client.execute()
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
