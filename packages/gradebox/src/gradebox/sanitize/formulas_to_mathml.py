"""Convert formulas in Markdown to MathML, which browsers render without scripts and without a network.

MathJax would add a script of two megabytes to each page, or load the script from another server. The MathML
made from a student's LaTeX is not trusted: only elements and attributes for typesetting are kept.
"""

import html
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from bleach.html5lib_shim import Filter

MATHML = "http://www.w3.org/1998/Math/MathML"
ELEMENTS = {
    *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "mstyle"),
    *("msub", "msup", "msubsup", "munder", "mover", "munderover", "mtable", "mtr", "mtd"),
}
# Allowed attributes with patterns of their values. Lengths are limited so that a formula stays in its line.
# They are not negative, because text would move over other text or out of the page.
ATTRIBUTES = {
    **dict.fromkeys(("stretchy", "fence", "separator", "accent", "largeop", "movablelimits"), r"true|false"),
    **dict.fromkeys(("display", "form", "mathvariant", "columnalign", "columnlines"), r"[a-z -]{1,40}"),
    **dict.fromkeys(("lspace", "rspace", "width", "minsize", "maxsize"), r"[0-4]?(?:\.\d{1,4})?(?:em|ex)"),
    "displaystyle": r"true|false",
    "linethickness": r"[0-2](?:\.\d{1,4})?(?:em|ex|px|pt)?",
    "scriptlevel": r"[0-2]",
}
# Levels by which elements reduce the size of their children after the first, and the level of the smallest
# size, as in TeX.
SCRIPTED = dict.fromkeys(("msub", "msup", "msubsup", "munder", "mover", "munderover"), 1) | {"mroot": 2}
MAX_SCRIPT_LEVEL = 2
# Limit in characters, because the parser recurses for each bracket.
MAX_FORMULA_LENGTH = 1_000
FORMULA = re.compile(
    rf"(?<!\\)\$\$(?P<block>(?:[^$\\]|\\.){{1,{MAX_FORMULA_LENGTH}}})\$\$"
    rf"|(?<![\\$])\$(?=[^\s$])(?P<inline>(?:[^$\\]|\\.){{1,{MAX_FORMULA_LENGTH}}}?)(?<!\s)\$(?![\d$])"
    rf"|(?P<environment>\\begin\{{(?P<name>(?:equation|align|gather)\*?)\}}"
    rf"[^$]{{1,{MAX_FORMULA_LENGTH}}}?\\end\{{(?P=name)\}})",
    re.DOTALL,
)
FUNCTIONS = {"cos", "exp", "ln", "log", "sin", "tan", "tanh"}
VERBATIM = {"pre", "code", "kbd"}
Token = dict[str, Any]


class MathMLFilter(Filter):
    """Filter that replaces every formula in the text of HTML with MathML."""

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
    """Replace the formulas in a run of text tokens with MathML tokens."""
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
    """Convert a formula to a MathML tree; None if the formula can't be converted and stays as written."""
    text = formula["block"] or formula["inline"] or formula["environment"]
    tree = convert_latex(text, is_inline=bool(formula["inline"]))
    if tree is None:
        return None
    names = [one.tag.removeprefix(f"{{{MATHML}}}") for one in tree.iter()]
    return tree if ELEMENTS.issuperset(names) else None


def convert_latex(text: str, is_inline: bool) -> ElementTree.Element | None:
    """Convert LaTeX to a MathML tree with any elements; None if the converter does not know a command."""
    # Import lazily: only pages with formulas need the converter.
    from latex2mathml.converter import convert

    # The prime glyph is already raised; as an exponent, most fonts shrink the glyph to a dot.
    text = re.sub(r"(?<![\\\w'])([A-Za-z])'(?!')", r"{\1\\prime}", text)
    try:
        tree = ElementTree.fromstring(convert(text, display="inline" if is_inline else "block"))
    except Exception:
        return None
    correct_spaces(tree)
    # The converter keeps unknown commands as text; then the original source is clearer.
    return None if any("\\" in (one.text or "") for one in tree.iter()) else tree


def correct_spaces(tree: ElementTree.Element) -> None:
    """Set the spaces of a formula as TeX does, in place: none around ∞, and one after a function's name."""
    operator, name, row, space = (f"{{{MATHML}}}{tag}" for tag in ("mo", "mi", "mrow", "mspace"))
    for element in tree.iter(operator):
        if element.text == "∞":
            element.tag = name
    for parent in tree.iter(row):
        for number in range(len(parent) - 1, 0, -1):
            before, after = parent[number - 1], parent[number]
            if before.tag == name and before.text in FUNCTIONS and after.tag != operator:
                parent.insert(number, ElementTree.Element(space, width="0.1667em"))


def iterate_tokens(element: ElementTree.Element, level: int = 0) -> Iterator[Token]:
    """Iterate over the tokens of an element and its children, with allowed attributes only.

    level: the script level, from 0. Deeply nested scripts are not smaller than the highest level.
    """
    name = element.tag.removeprefix(f"{{{MATHML}}}")
    kept = {
        (None, key): value
        for key, value in element.attrib.items()
        if key in ATTRIBUTES and re.fullmatch(ATTRIBUTES[key], value)
    }
    level = int(kept.get((None, "scriptlevel"), level))
    if level > MAX_SCRIPT_LEVEL:
        level = MAX_SCRIPT_LEVEL
        kept[(None, "scriptlevel")] = str(level)
    yield {"type": "StartTag", "name": name, "namespace": MATHML, "data": kept}
    yield {"type": "Characters", "data": element.text or ""}
    for number, child in enumerate(element):
        smaller = (name == "mfrac") + (SCRIPTED.get(name, 0) if number else 0)
        yield from iterate_tokens(child, level + smaller)
    yield {"type": "EndTag", "name": name, "namespace": MATHML, "data": {}}
    yield {"type": "Characters", "data": (element.tail or "") if name != "math" else ""}
