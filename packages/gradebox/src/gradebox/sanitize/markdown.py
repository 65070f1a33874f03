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

from gradebox.sanitize.html import DATA_URL, REMOTE_URL, TAGS, is_allowed_attribute, normalize_url
from gradebox.sanitize.image_types import MAX_ATTACHMENT_SIZE, validate_image

# Characters without pictures; with many more, a page of it takes seconds to make.
MAX_MARKDOWN_LENGTH = 20_000
# With fewer, and without tags, links and pictures, nothing can be wrong.
SHORT_TEXT_LENGTH = 2_000
# Elements in one another. A parser's time grows with the square of it.
MAX_NESTING = 50
# Between "<" and a letter it can't be seen, and no program takes the two for a tag.
ZERO_WIDTH_SPACE = "\u200b"
TAG_OPENING = re.compile(r"<(?=[A-Za-z/!?])")
HTML_TAG = re.compile(
    r"<(/?)([A-Za-z][A-Za-z0-9-]*+)"
    r"""((?:\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?:"[^"<>]*"|'[^'<>]*'|[^\s"'=<>`]++))?+)*+)\s*+/?>"""
)
ATTRIBUTE = re.compile(r"""([A-Za-z_:][\w.:-]*+)(?:\s*+=\s*+("[^"]*"|'[^']*'|[^\s"']++))?+""")
HTML_COMMENT = re.compile(r"<!--(?!-?>)(?:[^<>-]|-(?!-))*-->")
# From here to the next empty line, programs take Markdown for HTML as it is, tags or not.
HTML_BLOCK_START = re.compile(r"^[ \t>*+\-\d.)]*+<(?:[!?]|/?[A-Za-z][A-Za-z0-9-]*+(?:[\s/>]|$))", re.M)
# A value in quotes may hold ">", so such a tag may be one that TAG doesn't find.
QUOTED_ATTRIBUTE = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*+[\s/][^<>]*?=\s*[\"']")
IMAGE = re.compile(r"""(\\?)!\[(?:([^\[\]]*+)\]\(\s*+<?([^\s()<>]*+)>?(?:\s++(?:"[^"]*"|'[^']*'))?\s*+\))?""")
# Names without an address; a line that says the address of a name.
UNRESOLVED_LABEL = re.compile(r"[^\[\]\\`<]*+\](?!\()")
LINK_DEFINITION = re.compile(r"^[ \t>*+\-\d.)]*+\[[^\n]+?\]:", re.M)
# Attributes that are no mere words, although they have no value.
ACTIVE_WHEN_EMPTY = re.compile(r"on.|src|href|style|(?:hidden|inert|popover|autofocus)$")
UNSAFE_URL = re.compile(r"(?:javascript|vbscript|data|blob|file):", re.IGNORECASE)
EMBEDDED_IMAGE = re.compile(r"(data:image/[a-z]+;base64,)[A-Za-z0-9+/=]*+")
TAG_BOUNDARY = re.compile(r"<(/?)([A-Za-z][^\s/>]*+)")
# Of SVG, MathML, and of older or newer HTML than the list's.
NONSTANDARD_ELEMENTS = {
    *("svg", "math", "plaintext", "xmp", "listing", "noembed", "noframes", "frameset", "frame", "applet"),
    *("marquee", "blink", "center", "font", "bgsound", "basefont", "layer", "portal", "fencedframe", "image"),
    *("isindex", "menuitem", "dir", "nobr", "search", "selectedcontent"),
}


def sanitize_markdown(text: str, attachments: Mapping[str, Any] | None = None) -> str:
    """Markdown without HTML that isn't harmless, and without remote pictures.

    What is harmless comes back as it is. What can't be made so, or shown in little time, becomes a block of
    code, which shows it as it was written.
    """
    attachments = attachments or {}
    if len(text) < SHORT_TEXT_LENGTH and "<" not in text and "[" not in text:
        return text
    if len(EMBEDDED_IMAGE.sub("", text)) > MAX_MARKDOWN_LENGTH:
        return indent_as_code(text)
    text = escape_unsafe_tags(text)
    references = bool(LINK_DEFINITION.search(text))
    text = IMAGE.sub(lambda found: sanitize_image(found, references, attachments), text)
    return text if renders_safely(text, attachments) else indent_as_code(text)


def indent_as_code(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))


def renders_safely(text: str, attachments: Mapping[str, Any]) -> bool:
    """Whether nbconvert can make a page of it, and a harmless one."""
    renderer = IPythonRenderer(escape=False, attachments=dict(attachments))
    try:
        # Pictures in the text have been looked at.
        made = MarkdownWithMath(renderer=renderer).render(EMBEDDED_IMAGE.sub(r"\1", text))
        return SafetyChecker(made).good
    except Exception:
        return False


def escape_unsafe_tags(text: str) -> str:
    """The text, with its harmless tags as tags and all others as text."""
    begins_html = bool(HTML_BLOCK_START.search(text))
    kept, at = [], 0
    for opens in TAG_OPENING.finditer(text):
        begin = opens.start()
        if begin < at:
            continue
        kept.append(text[at:begin])
        found = HTML_TAG.match(text, begin) or HTML_COMMENT.match(text, begin)
        if found:
            kept.append(sanitize_tag(found))
            at = found.end()
        else:
            doubtful = begins_html or text[begin + 1] in "!?" or QUOTED_ATTRIBUTE.match(text, begin)
            kept.append(f"<{ZERO_WIDTH_SPACE}" if doubtful else "<")
            at = begin + 1
    return "".join([*kept, text[at:]])


def sanitize_tag(found: re.Match) -> str:
    """A tag with those of its attributes that are harmless; as text, if it isn't itself."""
    whole = found[0]
    if found.re is HTML_COMMENT:
        return whole
    name, written = found[2].lower(), found[3]
    if name not in TAGS:
        # "<pad>", and whatever else is no tag of HTML's.
        unknown = name not in HTML_TAGS and name not in NONSTANDARD_ELEMENTS
        return whole if unknown and not written.strip() else f"<{ZERO_WIDTH_SPACE}{whole[1:]}"
    attributes = [(m[1].lower(), unquote_value(m[2])) for m in ATTRIBUTE.finditer(written)]
    given = dict(reversed(attributes))
    if name == "img" and REMOTE_URL.match(normalize_url(given.get("src", ""))):
        words = given.get("alt", "").strip() or given["src"]
        return f'<a href="{html.escape(normalize_url(given["src"]))}">{html.escape(words)}</a>'
    kept = [
        (key, value)
        for key, value in attributes
        if is_allowed_attribute(name, key, value) or is_inert(key, value)
    ]
    if len(kept) == len(attributes):
        return whole
    return f"<{found[1]}{name}" + "".join(f' {key}="{html.escape(value)}"' for key, value in kept) + ">"


def is_inert(key: str, value: str) -> bool:
    """Whether an attribute does nothing, for it has no value: words, such as those of "a <b and c> d"."""
    return not value and not ACTIVE_WHEN_EMPTY.match(key)


def unquote_value(written: str | None) -> str:
    """An attribute's value, without its quotes."""
    return html.unescape(written[1:-1] if written and written[0] in "\"'" else written or "")


def sanitize_image(found: re.Match, references: bool, attachments: Mapping[str, Any]) -> str:
    """An image of Markdown's: as it is if its picture is here, else as a link.

    references: whether there are lines that say where the picture of a name is.
    """
    whole, escape, words, where = found[0], found[1], found[2], html.unescape(found[3] or "")
    data = DATA_URL.match(where)
    if data and not validate_image(data[2], data[1].lower(), MAX_ATTACHMENT_SIZE):
        return "[a picture is left out here]"
    if data:
        here = True
    elif where.startswith("attachment:"):
        here = unquote(where.removeprefix("attachment:")) in attachments
    else:
        here = bool(where) and is_allowed_attribute("img", "src", where) and not REMOTE_URL.match(where)
    if here or (words is None and not references and UNRESOLVED_LABEL.match(found.string, found.end())):
        return whole
    if escape:
        return whole.replace("![", f"!{ZERO_WIDTH_SPACE}[", 1)
    return f"[picture{whole[2:]}" if words == "" else whole[1:]


class SafetyChecker(HTMLParser):
    """Looks at HTML that was made of harmless tags. good: whether nothing in it can harm a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.good = measure_nesting(text) <= MAX_NESTING
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """`input` is the box of a task list."""
        known = tag in TAGS or tag == "input" or (tag not in HTML_TAGS and not attributes)
        self.good = (
            self.good
            and known
            and all(is_safe_rendered_attribute(tag, name, value or "") for name, value in attributes)
        )


def measure_nesting(text: str) -> int:
    """How many elements of an HTML text are in one another, at most; those never closed in turn count."""
    most, lost, opened = 0, 0, []
    for ends, tag in TAG_BOUNDARY.findall(text):
        if not ends and tag.lower() not in ("br", "hr", "img", "input"):
            opened.append(tag)
            most = max(most, lost + len(opened))
        while ends and tag in opened[-MAX_NESTING:] and opened.pop() != tag:
            lost += 1
    return most


def is_safe_rendered_attribute(tag: str, name: str, value: str) -> bool:
    """Whether an attribute in a page that nbconvert made, with classes and ids of its own, is harmless."""
    where = normalize_url(unquote(value))
    if name == "href":
        return not UNSAFE_URL.match(where)
    if name == "src":
        return is_allowed_attribute(tag, name, value) and not REMOTE_URL.match(where)
    generated = name in ("class", "id", "type", "checked", "disabled")
    return generated or is_allowed_attribute(tag, name, value) or is_inert(name, value)
