"""What pages make of the marks of a notebook."""

import pytest
from helpers import cell
from jinja2 import Environment
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from gradebox.sanitize.html import is_legible_style, rendered_cell

ASKS = "<h2>1.1 Why?</h2>\n<p>Say why.</p>\n"
SCHEME = "<h1>BEGIN MARK SCHEME</h1>\n<p><strong>1 point</strong></p>\n<h3>END MARK SCHEME</h3>\n"


def page(text: str, shown: NotebookNode) -> str:
    environment = Environment()
    environment.filters["rendered_cell"] = rendered_cell
    return environment.from_string("{{ text | rendered_cell }}").render(text=text, cell=shown)


def test_a_mark_scheme_is_a_box_and_its_marks_are_no_headlines():
    made = page(ASKS + SCHEME + "<h3>More</h3>", cell("question", "why", ""))
    assert "BEGIN MARK SCHEME" not in made and "END MARK SCHEME" not in made
    assert "<details open" in made and made.count("Mark scheme") == 1
    assert made.index("<summary>") < made.index("1 point") < made.index("</details>") < made.index("More")


def test_one_end_alone_is_left_as_it_is():
    made = page(ASKS + SCHEME.partition("<p>")[0], cell("question", "why", ""))
    assert "BEGIN MARK SCHEME" in made and "<details" not in made


@pytest.mark.parametrize(
    "shown", [cell("essay", "essay", ""), cell("test", "test", ""), new_markdown_cell(), new_code_cell()]
)
def test_no_cell_or_output_of_a_student_makes_the_box(shown):
    assert "BEGIN MARK SCHEME" in page(SCHEME, shown) and "<details" not in page(SCHEME, shown)


def test_a_colour_is_kept_if_it_is_legible_on_light_and_on_dark_pages():
    kept = ("red", "green", "blue", "orange", "#777", "rgb(200, 60, 60)", "hsl(200, 80%, 45%)")
    assert all(is_legible_style(f"text-align: center; color:{one};") for one in kept)
    lost = (
        "white",
        "black",
        "navy",
        "#fefefe",
        "rgba(255,0,0,.1)",
        "transparent",
        "inherit",
        "canvas",
        "yellow",
    )
    assert not any(is_legible_style(f"color: {one}") for one in (*lost, "red; background-color: red"))
