"""Markdown of students without HTML that could harm a page, and without remote pictures.

Programs differ in what of Markdown they take for HTML, so the text itself is made harmless, wherever in it a
tag stands. Ordinary text stays as it is, byte for byte.
"""

import html
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote

from bleach.html5lib_shim import HTML_TAGS
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from gradebox.sanitize.html import DATA, REMOTE, TAGS, address, allowed
from gradebox.sanitize.image_types import LARGEST_ATTACHED, picture

# Characters without pictures; with many more, a page of it takes seconds to make.
LONGEST = 20_000
# With fewer, and without tags, links and pictures, nothing can be wrong.
SHORT = 2_000
# Elements in one another. A parser's time grows with the square of it.
DEEPEST = 50
# Between "<" and a letter it can't be seen, and no program takes the two for a tag.
NOTHING = "\u200b"
OPENS = re.compile(r"<(?=[A-Za-z/!?])")
TAG = re.compile(
    r"<(/?)([A-Za-z][A-Za-z0-9-]*+)"
    r"""((?:\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?:"[^"<>]*"|'[^'<>]*'|[^\s"'=<>`]++))?+)*+)\s*+/?>"""
)
ATTRIBUTE = re.compile(r"""([A-Za-z_:][\w.:-]*+)(?:\s*+=\s*+("[^"]*"|'[^']*'|[^\s"']++))?+""")
COMMENT = re.compile(r"<!--(?!-?>)(?:[^<>-]|-(?!-))*-->")
# From here to the next empty line, programs take Markdown for HTML as it is, tags or not.
BEGINS_HTML = re.compile(r"^[ \t>*+\-\d.)]*+<(?:[!?]|/?[A-Za-z][A-Za-z0-9-]*+(?:[\s/>]|$))", re.M)
# A value in quotes may hold ">", so such a tag may be one that TAG doesn't find.
QUOTED = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*+[\s/][^<>]*?=\s*[\"']")
IMAGE = re.compile(r"""(\\?)!\[(?:([^\[\]]*+)\]\(\s*+<?([^\s()<>]*+)>?(?:\s++(?:"[^"]*"|'[^']*'))?\s*+\))?""")
# Names without an address; a line that says the address of a name.
CLOSED = re.compile(r"[^\[\]\\`<]*+\](?!\()")
REFERENCE = re.compile(r"^[ \t>*+\-\d.)]*+\[[^\n]+?\]:", re.M)
# Attributes that are no mere words, although they have no value.
EVEN_EMPTY = re.compile(r"on.|src|href|style|(?:hidden|inert|popover|autofocus)$")
SCRIPTS = re.compile(r"(?:javascript|vbscript|data|blob|file):", re.IGNORECASE)
DATA_ADDRESS = re.compile(r"(data:image/[a-z]+;base64,)[A-Za-z0-9+/=]*+")
BEGINS_OR_ENDS = re.compile(r"<(/?)([A-Za-z][^\s/>]*+)")
# Of SVG, MathML, and of older or newer HTML than the list's.
ELEMENTS_OF_OTHERS = {
    *("svg", "math", "plaintext", "xmp", "listing", "noembed", "noframes", "frameset", "frame", "applet"),
    *("marquee", "blink", "center", "font", "bgsound", "basefont", "layer", "portal", "fencedframe", "image"),
    *("isindex", "menuitem", "dir", "nobr", "search", "selectedcontent"),
}


def markdown(text: str, attachments: Mapping[str, Any] | None = None) -> str:
    """Markdown without HTML that isn't harmless, and without remote pictures.

    What is harmless comes back as it is. What can't be made so, or shown in little time, becomes a block of
    code, which shows it as it was written.
    """
    attachments = attachments or {}
    if len(text) < SHORT and "<" not in text and "[" not in text:
        return text
    if len(DATA_ADDRESS.sub("", text)) > LONGEST:
        return as_code(text)
    text = without_tags(text)
    references = bool(REFERENCE.search(text))
    text = IMAGE.sub(lambda found: linked(found, references, attachments), text)
    return text if shows_well(text, attachments) else as_code(text)


def as_code(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))


def shows_well(text: str, attachments: Mapping[str, Any]) -> bool:
    """Whether nbconvert can make a page of it, and a harmless one."""
    renderer = IPythonRenderer(escape=False, attachments=dict(attachments))
    try:
        # Pictures in the text have been looked at.
        made = MarkdownWithMath(renderer=renderer).render(DATA_ADDRESS.sub(r"\1", text))
        return Elements(made).good
    except Exception:
        return False


def without_tags(text: str) -> str:
    """The text, with its harmless tags as tags and all others as text."""
    begins_html = bool(BEGINS_HTML.search(text))
    kept, at = [], 0
    for opens in OPENS.finditer(text):
        begin = opens.start()
        if begin < at:
            continue
        kept.append(text[at:begin])
        found = TAG.match(text, begin) or COMMENT.match(text, begin)
        if found:
            kept.append(harmless_tag(found))
            at = found.end()
        else:
            doubtful = begins_html or text[begin + 1] in "!?" or QUOTED.match(text, begin)
            kept.append(f"<{NOTHING}" if doubtful else "<")
            at = begin + 1
    return "".join([*kept, text[at:]])


def harmless_tag(found: re.Match) -> str:
    """A tag with those of its attributes that are harmless; as text, if it isn't itself."""
    whole = found[0]
    if found.re is COMMENT:
        return whole
    name, written = found[2].lower(), found[3]
    if name not in TAGS:
        # "<pad>", and whatever else is no tag of HTML's.
        unknown = name not in HTML_TAGS and name not in ELEMENTS_OF_OTHERS
        return whole if unknown and not written.strip() else f"<{NOTHING}{whole[1:]}"
    attributes = [(m[1].lower(), value_of(m[2])) for m in ATTRIBUTE.finditer(written)]
    given = dict(reversed(attributes))
    if name == "img" and REMOTE.match(address(given.get("src", ""))):
        words = given.get("alt", "").strip() or given["src"]
        return f'<a href="{html.escape(address(given["src"]))}">{html.escape(words)}</a>'
    kept = [(key, value) for key, value in attributes if allowed(name, key, value) or inert(key, value)]
    if len(kept) == len(attributes):
        return whole
    return f"<{found[1]}{name}" + "".join(f' {key}="{html.escape(value)}"' for key, value in kept) + ">"


def inert(key: str, value: str) -> bool:
    """Whether an attribute does nothing, for it has no value: words, such as those of "a <b and c> d"."""
    return not value and not EVEN_EMPTY.match(key)


def value_of(written: str | None) -> str:
    """An attribute's value, without its quotes."""
    return html.unescape(written[1:-1] if written and written[0] in "\"'" else written or "")


def linked(found: re.Match, references: bool, attachments: Mapping[str, Any]) -> str:
    """An image of Markdown's: as it is if its picture is here, else as a link.

    references: whether there are lines that say where the picture of a name is.
    """
    whole, escape, words, where = found[0], found[1], found[2], html.unescape(found[3] or "")
    data = DATA.match(where)
    if data and not picture(data[2], data[1].lower(), LARGEST_ATTACHED):
        return "[a picture is left out here]"
    if data:
        here = True
    elif where.startswith("attachment:"):
        here = unquote(where.removeprefix("attachment:")) in attachments
    else:
        here = bool(where) and allowed("img", "src", where) and not REMOTE.match(where)
    if here or (words is None and not references and CLOSED.match(found.string, found.end())):
        return whole
    if escape:
        return whole.replace("![", f"!{NOTHING}[", 1)
    return f"[picture{whole[2:]}" if words == "" else whole[1:]


class Elements(HTMLParser):
    """Looks at HTML that was made of harmless tags. good: whether nothing in it can harm a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.good = deepest(text) <= DEEPEST
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """`input` is the box of a task list."""
        known = tag in TAGS or tag == "input" or (tag not in HTML_TAGS and not attributes)
        self.good = self.good and known and all(fits(tag, name, value or "") for name, value in attributes)


def deepest(text: str) -> int:
    """How many elements of an HTML text are in one another, at most; those never closed in turn count."""
    most, lost, opened = 0, 0, []
    for ends, tag in BEGINS_OR_ENDS.findall(text):
        if not ends and tag.lower() not in ("br", "hr", "img", "input"):
            opened.append(tag)
            most = max(most, lost + len(opened))
        while ends and tag in opened[-DEEPEST:] and opened.pop() != tag:
            lost += 1
    return most


def fits(tag: str, name: str, value: str) -> bool:
    """Whether an attribute in a page that nbconvert made, with classes and ids of its own, is harmless."""
    where = address(unquote(value))
    if name == "href":
        return not SCRIPTS.match(where)
    if name == "src":
        return allowed(tag, name, value) and not REMOTE.match(where)
    generated = name in ("class", "id", "type", "checked", "disabled")
    return generated or allowed(tag, name, value) or inert(name, value)
