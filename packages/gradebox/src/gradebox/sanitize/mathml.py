"""Formulas of Markdown as MathML, which browsers show without a script and without a network.

MathJax would be a script of two megabytes in each page, or one from elsewhere. What a library makes of a
student's LaTeX is not trusted: elements and attributes that do more than set a formula are left out.
"""

import html
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from bleach.html5lib_shim import Filter

MATHML = "http://www.w3.org/1998/Math/MathML"
ELEMENTS = {
    *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "mstyle", "mphantom"),
    *("msub", "msup", "msubsup", "munder", "mover", "munderover", "mtable", "mtr", "mtd"),
}
# Their values: words, and lengths that keep a formula in its line.
ATTRIBUTES = {
    **dict.fromkeys(("stretchy", "fence", "separator", "accent", "largeop", "movablelimits"), r"true|false"),
    **dict.fromkeys(("display", "form", "mathvariant", "columnalign", "columnlines"), r"[a-z -]{1,40}"),
    **dict.fromkeys(("lspace", "rspace", "width", "minsize", "maxsize"), r"-?[0-4]?(?:\.\d{1,4})?(?:em|ex)"),
    "displaystyle": r"true|false",
    "linethickness": r"[0-2](?:\.\d{1,4})?(?:em|ex|px|pt)?",
    "scriptlevel": r"[+-]?\d",
}
# A longer one is no formula, and a parser calls itself for each bracket.
MAX_FORMULA_LENGTH = 1_000
FORMULA = re.compile(
    rf"(?<!\\)\$\$(?P<block>(?:[^$\\]|\\.){{1,{MAX_FORMULA_LENGTH}}})\$\$"
    rf"|(?<![\\$])\$(?=[^\s$])(?P<inline>(?:[^$\\]|\\.){{1,{MAX_FORMULA_LENGTH}}}?)(?<!\s)\$(?![\d$])"
    rf"|(?P<environment>\\begin\{{(?P<name>(?:equation|align|gather)\*?)\}}"
    rf"[^$]{{1,{MAX_FORMULA_LENGTH}}}?\\end\{{(?P=name)\}})",
    re.DOTALL,
)
VERBATIM = {"pre", "code", "kbd"}
Token = dict[str, Any]


class MathMLFilter(Filter):
    """Puts MathML in the place of every formula in the text of HTML."""

    def __iter__(self) -> Iterator[Token]:
        run: list[Token] = []
        verbatim = 0
        for token in super().__iter__():
            if token["type"] in ("Characters", "SpaceCharacters", "Entity"):
                run.append(token)
                continue
            yield from run if verbatim else replace_formulas(run)
            run = []
            if token.get("name") in VERBATIM:
                verbatim += {"StartTag": 1, "EndTag": -1}.get(token["type"], 0)
            yield token
        yield from run if verbatim else replace_formulas(run)


def replace_formulas(run: list[Token]) -> Iterator[Token]:
    """Tokens of text, with those of formulas in it."""
    text = "".join(
        html.unescape(f"&{one['name']};") if one["type"] == "Entity" else one["data"] for one in run
    )
    found = [(formula, convert_to_mathml(formula)) for formula in FORMULA.finditer(text)]
    if not any(tree is not None for _, tree in found):
        yield from run
        return
    at = 0
    for formula, tree in found:
        if tree is not None:
            yield {"type": "Characters", "data": text[at : formula.start()]}
            yield from iterate_tokens(tree)
            at = formula.end()
    yield {"type": "Characters", "data": text[at:]}


def convert_to_mathml(formula: re.Match) -> ElementTree.Element | None:
    """The elements of a formula; None if it is none, and is left as it is written."""
    # For a page with formulas only.
    from latex2mathml.converter import convert

    text = formula["block"] or formula["inline"] or formula["environment"]
    # A prime is raised by itself; set as an exponent, most fonts show a dot of it.
    text = re.sub(r"(?<![\\\w'])([A-Za-z])'(?!')", r"{\1\\prime}", text)
    try:
        tree = ElementTree.fromstring(convert(text, display="inline" if formula["inline"] else "block"))
    except Exception:
        return None
    names = [one.tag.removeprefix(f"{{{MATHML}}}") for one in tree.iter()]
    # What it doesn't know, it shows as it is written: then the whole is clearer.
    unknown = any("\\" in (one.text or "") for one in tree.iter())
    return None if unknown or not ELEMENTS.issuperset(names) else tree


def iterate_tokens(element: ElementTree.Element) -> Iterator[Token]:
    """Of an element and what is in it, with the attributes that are harmless."""
    name = element.tag.removeprefix(f"{{{MATHML}}}")
    kept = {
        (None, key): value
        for key, value in element.attrib.items()
        if key in ATTRIBUTES and re.fullmatch(ATTRIBUTES[key], value)
    }
    yield {"type": "StartTag", "name": name, "namespace": MATHML, "data": kept}
    yield {"type": "Characters", "data": element.text or ""}
    for child in element:
        yield from iterate_tokens(child)
    yield {"type": "EndTag", "name": name, "namespace": MATHML, "data": {}}
    yield {"type": "Characters", "data": (element.tail or "") if name != "math" else ""}
