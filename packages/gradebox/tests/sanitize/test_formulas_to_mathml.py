"""Formulas of Markdown become MathML, and nothing that a student writes becomes anything else."""

import re

import pytest
from nbconvert.filters import markdown2html

from gradebox.sanitize.formulas_to_mathml import ELEMENTS, MAX_FORMULA_LENGTH
from gradebox.sanitize.html import rendered


def page(markdown: str) -> str:
    return rendered(markdown2html(markdown)).partition(">")[2]


def test_formulas_in_lines_and_of_their_own_are_mathml():
    text = page("With $d_k < 3$ the scores are\n\n$$\\frac{QK^\\top}{\\sqrt{d_k}}$$\n\nand so on.")
    assert '<math display="inline"' in text and '<math display="block"' in text
    assert "<mo>&lt;</mo>" in text and "<mfrac>" in text and "<msqrt>" in text and "$" not in text
    assert "<mi>X</mi><mi>′</mi></mrow><mi>T</mi></msup>" in page("$X'^T$")
    assert "<mtable" in page("\\begin{align*}a &= b \\\\ c &= d\\end{align*}")


def test_a_function_has_a_space_after_its_name_and_infinity_none_around_it():
    assert "<mo>−</mo><mi>∞</mi>" in page("$-\\infty$")
    assert re.search(r'<mi>ln</mi><mspace width="0.1667em"[^>]*></mspace><mi>p</mi>', page("$\\ln p$"))
    assert "mspace" not in page("$\\ln(p)$") + page("$\\log_2 n$")


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $6.",
        "`$x$` and\n\n    $y$\n",
        "a $ b $ c",
        "$" + "x" * (MAX_FORMULA_LENGTH + 1) + "$",
        "$\\nosuchcommand{x}$",
        "$" + "{" * 900 + "$",
        "$$x$",
    ],
)
def test_what_is_no_formula_or_an_unknown_one_stays_as_it_is_written(text):
    made = page(text)
    assert "<math" not in made and ("$" in made)


@pytest.mark.parametrize(
    "formula",
    [
        "\\text{<script>alert(1)</script>}",
        "\\text{&lt;script&gt;alert(1)}",
        "\\href{javascript:alert(1)}{x}",
        "\\style{position:fixed}{x}",
        "\\class{modal-backdrop}{x}",
        "\\unicode{x3c}script\\unicode{x3e}alert(1)",
        "\\rule{9999cm}{9999cm}",
        "\\hspace{9999em} x",
        "\\color{red;position:fixed}{x}",
        "\\mathrm{</mi></math><img src=x onerror=alert(1)>}",
        '\\text{" onmouseover="alert(1)}',
        "x \\tag{<b>}",
    ],
)
def test_a_formula_brings_no_other_element_and_no_attribute_that_does_more(formula):
    made = page(f'<b title="> ${formula}$ onerror=alert(1) ">one</b> ${formula}$ two $y$ three')
    found = re.findall(r"""<(\w+)((?:\s+[\w-]+="[^"]*")*)\s*/?>""", made)
    assert found and len(found) == made.count("<") - made.count("</")
    assert {name for name, _ in found} <= ELEMENTS | {"p", "b", "div"}
    attributes = {one for _, given in found for one in re.findall(r"""([\w-]+)="[^"]*\"""", given)}
    assert attributes <= {"title", "display", "stretchy", "mathvariant", "fence", "form", "width"}
    assert not re.search(r'width="\d{2}', made) and "<mi>y</mi>" in made and "three" in made
