"""HTML sanitizer for pages made from notebooks: no scripts, no frames, no styles that cover the page.

nbgrader shows students' Markdown and HTML unchanged, also to instructors in Formgrader. `clean`,
`legible_ansi`, `markdown_to_html` and `rendered_cell` replace filters of nbconvert (see
`gradebox.configure`). nbconvert's own sanitizer covers only outputs, and removes lists and folded hints.
Outputs are already sanitized by the same rules in the graded copy (see `notebook_cells.py`); Markdown is
sanitized only here, when a page is made from it.

Text that a reader can't see is made visible or removed: illegible colours, very small text, and characters
that change the order of the text.
"""

import html
import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote, unquote

from bleach.css_sanitizer import CSSSanitizer
from bleach.html5lib_shim import Filter
from bleach.sanitizer import ALLOWED_TAGS, Cleaner
from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.filters import ansi2html
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbgrader import utils
from pygments.token import STANDARD_TYPES
from tinycss2.color3 import RGBA, parse_color

from gradebox.notebook_metadata import read_student_texts
from gradebox.printable_text import INVISIBLE
from gradebox.sanitize.formulas_to_mathml import MathMLFilter, Token
from gradebox.sanitize.image_types import IMAGE_FORMATS, MAX_ATTACHMENT_SIZE, validate_image

TAGS = {
    *ALLOWED_TAGS,
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "div", "span", "pre", "img", "details", "summary"),
    *("table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "sub", "sup", "del", "s", "u"),
    *("dl", "dt", "dd", "kbd", "ins", "mark"),
}
# Classes that nbconvert generates for code colours and tables. Other classes of the surrounding page, such as
# Bootstrap's "modal-backdrop", could cover the whole page; "anchor-link" hides text, and "w" is pale.
CLASSES = {*STANDARD_TYPES.values(), "highlight", "hl-ipython3", "hl-python", "dataframe"} - {"w"}
STYLES = CSSSanitizer(allowed_css_properties=["text-align", "color", "font-weight", "font-style"])
# Limits of the relative luminance of a text colour that is legible on white and on a dark page.
MIN_LUMINANCE, MAX_LUMINANCE = 0.07, 0.49
# Elements that reduce the font size, by group, and how deep the elements of a group may be nested.
HEADINGS, SCRIPTS, MONOSPACE = ("h1", "h2", "h3", "h4", "h5", "h6"), ("sub", "sup"), ("code", "kbd", "pre")
MAX_SMALLER = {HEADINGS: 1, SCRIPTS: 2, MONOSPACE: 2}
SMALLER = {name: group for group in MAX_SMALLER for name in group}
# Short declarations without nested brackets, because the CSS parser recurses for every bracket.
STYLE_VALUE = re.compile(
    r"(?:[a-z-]{1,20}\s{0,9}:\s{0,9}[\w#%,. -]{1,40}(?:\([\d%,. ]{0,40}\))?\s{0,9}(?:;\s{0,9}|$))*"
)
COLOR_VALUE = re.compile(r"(?:^|[\s;])(background-color|color)\s*:([^;]*)")
PROTOCOLS = {"http", "https", "mailto", "data", "attachment"}
ALLOWED_LINK = re.compile(r"(?:https?://|mailto:|#)", re.IGNORECASE)
REMOTE_URL = re.compile(r"https?://", re.IGNORECASE)
DATA_URL = re.compile(r"data:(image/(?:png|jpeg|gif));base64,([A-Za-z0-9+/=]*)$", re.IGNORECASE)
# An image file beside the notebook, but no other address on the server that shows the page.
LOCAL_IMAGE = re.compile(
    r"(?:attachment:.*|(?!.*(?:\.\.|%2e))[^\W_][\w ./%-]*\.(?:png|jpe?g|gif|webp|svg))$", re.IGNORECASE
)
# The tags that nbconvert writes for ANSI colours, and their classes that are legible. A class with "-bg" is a
# background, and "inverse" exchanges the colours.
ANSI_TAG = re.compile(r'<span(?: class="([^"]*)")?(?: style="([^"]*)")?>')
ANSI_CLASS = re.compile(r"ansi-(?:bold|underline|(?:red|green|yellow|blue|magenta|cyan)(?:-intense)?-fg)")
SIZE_VALUE = re.compile(r"\d{1,4}%?$")
# Characters that browsers ignore in URLs.
IGNORED_CHARACTERS = re.compile(r"[\x00-\x20\x7f]+")
# Markdown renders mark scheme delimiters as headings. No tag between them may close the <details> box.
SCHEME_HEADING = r"<h(\d)>\s*{} MARK SCHEME[^<]*(?:<a [^>]*>[^<]*</a>)?</h\{}>"
RENDERED_SCHEME = re.compile(
    SCHEME_HEADING.format("BEGIN", 1)
    + r"((?:(?!</?(?:div|details)\b).)*?)"
    + SCHEME_HEADING.format("END", 3),
    re.DOTALL,
)
# Students' HTML can't have this class and this border, which looks the same in Formgrader and on our pages.
SCHEME_BOX = (
    r'<details open class="mark-scheme" style="border: 4px double #c98a00; padding: 0 1em">'
    r"<summary><strong>Mark scheme of the instructor</strong></summary>\2</details>"
)
ATTACHMENT_SOURCE = re.compile(r"""\bsrc=(["'])attachment:([^"'<>]*)\1""")
# An attachment's name in a Markdown image, in which JupyterLab 3 does not encode spaces.
ATTACHMENT_NAME = re.compile(r"(?<=\]\()attachment:[^\"<>\]\n]*?\.(?:png|jpe?g|gif)(?=\))", re.IGNORECASE)
# Alternative text of an image without one, as nbconvert writes it.
NO_DESCRIPTION = "No description has been provided for this image"
# Clip all content, including formulas, to the box.
CONTAINER = '<div style="contain: paint; overflow: auto">{}</div>'


class SanitizedHtml(str):
    """HTML that is safe: filters that templates apply to it leave it as it is."""


def normalize_url(text: str) -> str:
    """Normalize a URL as browsers do: strip blanks at both ends and ignored characters in the scheme."""
    head, colon, rest = text.strip().partition(":")
    return IGNORED_CHARACTERS.sub("", head) + colon + rest.strip()


def is_allowed_attribute(tag: str, name: str, value: str) -> bool:
    """Return True if an attribute is safe.

    Remote image sources count as safe: the callers replace them with links where necessary.
    """
    if name == "class":
        return all(word in CLASSES for word in value.split())
    if name == "style":
        return len(value) < 200 and bool(STYLE_VALUE.fullmatch(value.strip())) and is_legible_style(value)
    if name == "href":
        return tag == "a" and bool(ALLOWED_LINK.match(normalize_url(value)))
    if name == "src":
        url = normalize_url(value)
        data = DATA_URL.match(url)
        if data:
            return tag == "img" and bool(validate_image(data[2], data[1].lower(), MAX_ATTACHMENT_SIZE))
        return tag == "img" and any(rule.match(url) for rule in (REMOTE_URL, LOCAL_IMAGE))
    if name in ("width", "height", "colspan", "rowspan"):
        return tag in ("img", "td", "th") and bool(SIZE_VALUE.match(value))
    return name in ("title", "alt", "scope") or (tag, name) == ("details", "open")


def is_legible_style(style: str) -> bool:
    """Return True if the colours of an inline style leave all text legible on light and on dark pages.

    A background is never legible, because the colour of the text on it can be set by any other element.
    """
    return all(
        name == "color" and MIN_LUMINANCE <= compute_luminance(value) <= MAX_LUMINANCE
        for name, value in COLOR_VALUE.findall(style)
    )


def compute_luminance(color: str) -> float:
    """Return the relative luminance of an opaque CSS colour, as WCAG 2 defines it; NaN for other values."""
    found = parse_color(color.strip())
    if not isinstance(found, RGBA) or found.alpha < 1:
        return math.nan
    levels = [min(max(level, 0), 1) for level in found[:3]]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in levels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class VisibleTextFilter(Filter):
    """Filter that removes invisible characters, and the tags of nested elements that make text too small."""

    def __iter__(self) -> Iterator[Token]:
        depths = dict.fromkeys(MAX_SMALLER, 0)
        for token in super().__iter__():
            kind, group = token["type"], SMALLER.get(token.get("name", ""))
            if kind == "Characters":
                token = {**token, "data": INVISIBLE.sub("", token["data"])}
            elif kind == "Entity" and INVISIBLE.match(html.unescape(f"&{token['name']};")):
                continue
            elif group and kind in ("StartTag", "EndTag"):
                depths[group] += kind == "StartTag"
                kept = depths[group] <= MAX_SMALLER[group]
                depths[group] -= kind == "EndTag"
                if not kept:
                    continue
            yield token


class ImageLinkFilter(Filter):
    """Filter that replaces every remote image with a link."""

    def __iter__(self):  # type: ignore[no-untyped-def]
        for token in super().__iter__():
            given = token.get("data")
            source = given.get((None, "src"), "") if token.get("name") == "img" else ""
            if not REMOTE_URL.match(source):
                yield token
                continue
            words = given.get((None, "alt"), "").strip() or source
            yield {**token, "type": "StartTag", "name": "a", "data": {(None, "href"): source}}
            yield {"type": "Characters", "data": words}
            yield {"type": "EndTag", "namespace": token.get("namespace"), "name": "a"}


class EmbeddedImageFilter(ImageLinkFilter):
    """Filter that replaces every image without embedded data: a remote image by a link, others by text."""

    def __iter__(self):  # type: ignore[no-untyped-def]
        for token in super().__iter__():
            given = token.get("data")
            source = given.get((None, "src"), "") if token.get("name") == "img" else None
            if source is None or DATA_URL.match(normalize_url(source)):
                yield token
                continue
            words = given.get((None, "alt"), "").strip() or unquote(source.removeprefix("attachment:"))
            yield {"type": "Characters", "data": words or "picture"}


class AltTextFilter(Filter):
    """Filter that gives every image without an alternative text a general one."""

    def __iter__(self) -> Iterator[Token]:
        for token in super().__iter__():
            if token.get("name") == "img":
                token["data"].setdefault((None, "alt"), NO_DESCRIPTION)
            yield token


# Cached, because every student's page contains the same course cells.
@lru_cache(maxsize=300)
def sanitize_fragment(text: str | bytes, *filters: type[Filter]) -> str:
    """Sanitize HTML; unsafe tags become visible text. filters: html5lib filters applied afterwards."""
    text = text.decode(errors="replace") if isinstance(text, bytes) else str(text)
    cleaner = Cleaner(
        tags=TAGS,
        attributes=is_allowed_attribute,
        protocols=PROTOCOLS,
        css_sanitizer=STYLES,
        filters=[VisibleTextFilter, *filters],
    )
    try:
        return cleaner.clean(text)
    except Exception:
        # HTML that crashes the parser is shown as plain text.
        return f"<pre>{html.escape(text)}</pre>"


def clean(text: str | bytes) -> str:
    """Sanitize the HTML of an output or non-Markdown cell for a page (replaces nbconvert's `clean_html`).

    Markdown that `markdown_to_html` has converted stays as it is.
    """
    if isinstance(text, SanitizedHtml):
        return text
    return CONTAINER.format(sanitize_fragment(text, AltTextFilter))


def legible_ansi(text: str) -> str:
    """Convert ANSI colours to HTML, without illegible colours (replaces nbconvert's `ansi2html`)."""

    def keep_legible(found: re.Match) -> str:
        classes = " ".join(filter(ANSI_CLASS.fullmatch, (found[1] or "").split()))
        style = found[2] if found[2] and is_legible_style(found[2]) else ""
        attributes = (("class", classes), ("style", style))
        return "<span" + "".join(f' {name}="{value}"' for name, value in attributes if value) + ">"

    return ANSI_TAG.sub(keep_legible, ansi2html(text))


def rendered(text: str, *filters: type[Filter]) -> str:
    """Sanitize rendered Markdown for a page. filters: html5lib filters applied afterwards."""
    return CONTAINER.format(sanitize_rendered(text, *filters))


@pass_context
def markdown_to_html(context: Context, text: str) -> SanitizedHtml:
    """Convert the Markdown of a template's current cell to HTML (replaces nbconvert's `markdown2html`)."""
    attachments = (context.get("cell") or {}).get("attachments")
    return SanitizedHtml(sanitize_cell_html(context, convert_markdown(text, attachments)))


@pass_context
def rendered_cell(context: Context, text: str) -> str:
    """Sanitize the HTML of a template's current cell (replaces `strip_files_prefix`).

    Markdown that `markdown_to_html` has converted stays as it is.
    """
    return text if isinstance(text, SanitizedHtml) else sanitize_cell_html(context, text)


def sanitize_cell_html(context: Context, text: str) -> str:
    """Sanitize HTML rendered from the Markdown of a template's current cell, or of its outputs or comment.

    Remote images are kept in the course's text only. The mark scheme in a locked cell becomes a box: only the
    instructor writes locked cells.
    """
    cell = context.get("cell") or {}
    is_text = cell.get("cell_type") == "markdown"
    ours = is_text and cell.get("id") not in read_student_texts(context.get("nb"))
    made = sanitize_rendered(text, *([] if ours else [ImageLinkFilter]))
    if is_text and utils.is_locked(cell):
        made = RENDERED_SCHEME.sub(SCHEME_BOX, made)
    return CONTAINER.format(made)


class PageRenderer(IPythonRenderer):
    """Markdown renderer that leaves attachments to `embed_attachments`, which accepts any name."""

    def image(self, text: str, url: str, title: str | None = None) -> str:
        # Skip nbconvert's method, which raises an error for an encoded name and for a missing attachment.
        return super(IPythonRenderer, self).image(text, url, title)


def convert_markdown(text: str, attachments: Mapping[str, Any] | None = None) -> str:
    """Convert Markdown to HTML, not yet sanitized. Text that can't be converted is shown as it is.

    attachments: the attachments of the cell, by name.
    """
    try:
        encoded = ATTACHMENT_NAME.sub(lambda name: quote(name[0], safe=":%()&;#"), text)
        made = MarkdownWithMath(PageRenderer(escape=False, exclude_anchor_links=True)).render(encoded)
        return embed_attachments(made, attachments or {})
    except Exception:
        # Any text may come from a student. An error here would hide the answers of all students.
        return f"<pre>{html.escape(text.encode(errors='replace').decode())}</pre>"


def embed_attachments(text: str, attachments: Mapping[str, Any]) -> str:
    """Replace the URLs of attachments in HTML by their data."""
    known = {unicodedata.normalize("NFC", name): data for name, data in attachments.items()}

    def embed(found: re.Match) -> str:
        name = unicodedata.normalize("NFC", unquote(html.unescape(found[2])))
        data = known.get(name) or {}
        kind = next((kind for kind in IMAGE_FORMATS if kind in data), None)
        return f"src={found[1]}data:{kind};base64,{''.join(data[kind])}{found[1]}" if kind else found[0]

    return ATTACHMENT_SOURCE.sub(embed, text)


def sanitize_rendered(text: str, *filters: type[Filter]) -> str:
    # nbconvert's `strip_files_prefix` is not applied: its time is quadratic in the number of brackets.
    return sanitize_fragment(text, MathMLFilter, AltTextFilter, *filters)  # type: ignore[arg-type]
