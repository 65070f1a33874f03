"""Remove unsafe HTML and remote images from students' Markdown, for graded copies.

Markdown programs differ in the text they treat as HTML. Therefore the source itself is sanitized, wherever a
tag occurs. Ordinary text stays the same, byte for byte.
"""

import html
import re
import unicodedata
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote

from bleach.html5lib_shim import HTML_TAGS
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from gradebox.sanitize.html import DATA_URL, REMOTE_URL, TAGS, is_allowed_attribute, normalize_url
from gradebox.sanitize.image_types import MAX_ATTACHMENT_SIZE, validate_image

# Limit in characters, not counting embedded images. Rendering much longer text takes seconds.
MAX_MARKDOWN_LENGTH = 20_000
# Limit of opening brackets in a text. Rendering time grows with their number times the length of the text.
MAX_BRACKETS = 500
BRACKET = re.compile(r"\[|\\\(")
# As in Markdown programs.
LINE_END = re.compile(r"\r\n?|\n")
# Limit in characters, for all Markdown of a student on one page.
MAX_PAGE_MARKDOWN = 100_000
# Shorter text without tags, links and images needs no check.
SHORT_TEXT_LENGTH = 2_000
# Nested HTML elements. Parsing time grows with the square of the depth.
MAX_NESTING = 50
# Inserted after "<": invisible, and prevents every program from reading a tag.
ZERO_WIDTH_SPACE = "\u200b"
TAG_OPENING = re.compile(r"<(?=[A-Za-z/!?])")
HTML_TAG = re.compile(
    r"<(/?)([A-Za-z][A-Za-z0-9-]*+)"
    r"""((?:\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?:"[^"<>]*"|'[^'<>]*'|[^\s"'=<>`]++))?+)*+)\s*+/?>"""
)
ATTRIBUTE = re.compile(r"""([A-Za-z_:][\w.:-]*+)(?:\s*+=\s*+("[^"]*"|'[^']*'|[^\s"']++))?+""")
HTML_COMMENT = re.compile(r"<!--(?!-?>)(?:[^<>-]|-(?!-))*-->")
# Start of an HTML block: Markdown up to the next empty line is treated as raw HTML.
HTML_BLOCK_START = re.compile(r"^[ \t>*+\-\d.)]*+<(?:[!?]|/?[A-Za-z][A-Za-z0-9-]*+(?:[\s/>]|$))", re.M)
# A quoted value may contain ">", so HTML_TAG can fail to match a tag with quoted attributes.
QUOTED_ATTRIBUTE = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*+[\s/][^<>]*?=\s*[\"']")
IMAGE = re.compile(
    r"""(\\?)!\[(?:((?:[^\[\]]|\[[^\[\]]*+\])*+)\]\(\s*+(<[^<>\n]*+>|(?:[^\s()<>]|\([^\s()<>]*+\))*+)"""
    r"""(?:\s++(?:"[^"]*"|'[^']*'))?\s*+\))?"""
)
# Attachment URLs in angle brackets, in quotes, in a Markdown image (JupyterLab 3 does not encode spaces), and
# elsewhere.
ATTACHMENT_URL = re.compile(
    r"""(?<=<)attachment:[^<>\n]*+(?=>)|(?<=")attachment:[^"<>\n]*+(?=")|(?<=')attachment:[^'<>\n]*+(?=')|"""
    r"""(?<=\]\()attachment:[^"<>\]\n]*?\.(?:png|jpe?g|gif)(?=\))|"""
    r"""attachment:(?:[^\s()<>"]|\([^\s()<>"]*+\))++""",
    re.IGNORECASE,
)
PLAIN_NAME = re.compile(r"[A-Za-z0-9._-]+")
# A reference label without URL, and a line that defines the URL of a label.
UNRESOLVED_LABEL = re.compile(r"[^\[\]\\`<]*+\](?!\()")
LINK_DEFINITION = re.compile(r"^[ \t>*+\-\d.)]*+\[[^\n]+?\]:", re.M)
# Attributes that have an effect even without a value.
ACTIVE_WHEN_EMPTY = re.compile(r"on.|src|href|style|(?:hidden|inert|popover|autofocus)$")
UNSAFE_URL = re.compile(r"(?:javascript|vbscript|data|blob|file):", re.IGNORECASE)
EMBEDDED_IMAGE = re.compile(r"(data:image/[a-z+]+;base64,)[A-Za-z0-9+/=]*+")
TAG_BOUNDARY = re.compile(r"<(/?)([A-Za-z][^\s/>]*+)")
# Elements of SVG, MathML, and obsolete or new HTML that are missing in HTML_TAGS.
NONSTANDARD_ELEMENTS = {
    *("svg", "math", "plaintext", "xmp", "listing", "noembed", "noframes", "frameset", "frame", "applet"),
    *("marquee", "blink", "center", "font", "bgsound", "basefont", "layer", "portal", "fencedframe", "image"),
    *("isindex", "menuitem", "dir", "nobr", "search", "selectedcontent"),
}


class MarkdownBudget:
    """Markdown of a student that one page may still render. left: the number of characters."""

    def __init__(self) -> None:
        self.left = MAX_PAGE_MARKDOWN

    def limit(self, text: str) -> str:
        """Return a text that renders quickly: as it is, or as an indented code block with the same text.

        Embedded images do not count. A code block stays as it is, because brackets in it have no meaning.
        """
        length = len(EMBEDDED_IMAGE.sub("", text))
        if is_code_block(text):
            return text
        if length > min(self.left, MAX_MARKDOWN_LENGTH) or len(BRACKET.findall(text)) > MAX_BRACKETS:
            return indent_as_code(text)
        self.left -= length
        return text


def sanitize_markdown(
    text: str, attachments: Mapping[str, Any] | None = None, budget: MarkdownBudget | None = None
) -> str:
    """Remove unsafe HTML and remote images from Markdown.

    Safe text is returned unchanged. Text that can't be sanitized, or takes too long to render, is returned as
    an indented code block, which shows the original source. budget: shared by all texts of a page.
    """
    attachments = attachments or {}
    limited = (budget or MarkdownBudget()).limit(text)
    if limited != text or len(text) < SHORT_TEXT_LENGTH and "<" not in text and "[" not in text:
        return limited
    text = escape_unsafe_tags(text)
    references = bool(LINK_DEFINITION.search(text))
    text = IMAGE.sub(lambda found: sanitize_image(found, references, attachments), text)
    return text if renders_safely(text, attachments) else indent_as_code(text)


def rename_attachments(text: str, attachments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Replace attachment names that have to be encoded in a URL, in a Markdown text and its attachments.

    Programs decode such names differently: JupyterLab writes `attachment:foto%201.png` for the attachment
    `foto 1.png`, and nbconvert raises an error, because it does not decode the name.
    """
    renamed = {name: data for name, data in attachments.items() if PLAIN_NAME.fullmatch(name)}
    plain_names = {name: name for name in renamed}
    for name in [name for name in attachments if name not in renamed]:
        plain = re.sub(r"[^A-Za-z0-9.-]+", "_", name)
        while plain in renamed:
            plain = f"{len(renamed)}{plain}"
        renamed[plain] = attachments[name]
        plain_names[unicodedata.normalize("NFC", name)] = plain

    def rename(found: re.Match) -> str:
        written = found[0].partition(":")[2]
        plain = plain_names.get(written) or plain_names.get(decode_attachment_name(written))
        return f"attachment:{plain}" if plain else found[0]

    return ATTACHMENT_URL.sub(rename, text), renamed


def decode_attachment_name(written: str) -> str:
    """Return the attachment name that a URL contains after `attachment:`, in Unicode normal form C."""
    return unicodedata.normalize("NFC", unquote(html.unescape(written)))


def is_code_block(text: str) -> bool:
    """Return True if all of a Markdown text is one indented code block, such as from `indent_as_code`."""
    return bool(text.strip()) and all(line.startswith("    ") for line in LINE_END.split(text))


def indent_as_code(text: str) -> str:
    return "\n".join(f"    {line}" for line in LINE_END.split(text))


def renders_safely(text: str, attachments: Mapping[str, Any]) -> bool:
    """Return True if nbconvert renders the Markdown to safe HTML without an error."""
    renderer = IPythonRenderer(escape=False, attachments=dict(attachments))
    try:
        # Embedded images are already validated, so drop their data.
        made = MarkdownWithMath(renderer=renderer).render(EMBEDDED_IMAGE.sub(r"\1", text))
        return SafetyChecker(made).good
    except Exception:
        return False


def escape_unsafe_tags(text: str) -> str:
    """Keep safe tags, and escape all others so that they show as text."""
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
    """Remove the unsafe attributes of a tag; escape the tag if its element is not allowed."""
    whole = found[0]
    if found.re is HTML_COMMENT:
        return whole
    name, written = found[2].lower(), found[3]
    if name not in TAGS:
        # Unknown names such as "<pad>" are ordinary text.
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
    """Return True for an attribute without value and effect, such as the words in "a <b and c> d"."""
    return not value and not ACTIVE_WHEN_EMPTY.match(key)


def unquote_value(written: str | None) -> str:
    """Return an attribute's value without quotes, with HTML entities decoded."""
    return html.unescape(written[1:-1] if written and written[0] in "\"'" else written or "")


def sanitize_image(found: re.Match, references: bool, attachments: Mapping[str, Any]) -> str:
    """Keep a Markdown image if its data is local, else replace the image with a link.

    references: True if the text contains reference definitions, which may define the image's URL.
    """
    whole, escape, words, where = found[0], found[1], found[2], html.unescape((found[3] or "").strip("<>"))
    data = DATA_URL.match(where)
    embedded = data and validate_image(data[2], data[1].lower(), MAX_ATTACHMENT_SIZE)
    if where[:11].lower() == "data:image/" and not embedded:
        return "[a picture is left out here]"
    if data:
        here = True
    elif where.startswith("attachment:"):
        here = where.removeprefix("attachment:") in attachments
    else:
        here = bool(where) and is_allowed_attribute("img", "src", where) and not REMOTE_URL.match(where)
    if here or (words is None and not references and UNRESOLVED_LABEL.match(found.string, found.end())):
        return whole
    if escape:
        return whole.replace("![", f"!{ZERO_WIDTH_SPACE}[", 1)
    return f"[picture{whole[2:]}" if words == "" else whole[1:]


class SafetyChecker(HTMLParser):
    """Parser that checks rendered HTML. good: True if the HTML contains only safe tags and attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.good = measure_nesting(text) <= MAX_NESTING
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Check a start tag. `input` is allowed as the checkbox of a task list."""
        known = tag in TAGS or tag == "input" or (tag not in HTML_TAGS and not attributes)
        self.good = (
            self.good
            and known
            and all(is_safe_rendered_attribute(tag, name, value or "") for name, value in attributes)
        )


def measure_nesting(text: str) -> int:
    """Return the maximum nesting depth of an HTML text; elements that are not closed in order count, too."""
    most, lost, opened = 0, 0, []
    for ends, tag in TAG_BOUNDARY.findall(text):
        if not ends and tag.lower() not in ("br", "hr", "img", "input"):
            opened.append(tag)
            most = max(most, lost + len(opened))
        while ends and tag in opened[-MAX_NESTING:] and opened.pop() != tag:
            lost += 1
    return most


def is_safe_rendered_attribute(tag: str, name: str, value: str) -> bool:
    """Return True if an attribute in HTML rendered by nbconvert is safe; generated classes and ids are."""
    where = normalize_url(unquote(value))
    if name == "href":
        return not UNSAFE_URL.match(where)
    if name == "src":
        return is_allowed_attribute(tag, name, value) and not REMOTE_URL.match(where)
    generated = name in ("class", "id", "type", "checked", "disabled")
    return generated or is_allowed_attribute(tag, name, value) or is_inert(name, value)
