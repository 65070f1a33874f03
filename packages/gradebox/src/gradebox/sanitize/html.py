"""What pages for people may hold of a notebook: no script, no frame, no style that covers the page.

nbgrader shows students' Markdown and HTML as they are, to instructors in Formgrader, too. `clean` and
`rendered` take the place of filters of nbconvert's (see `nbgrader_config.py`), whose own cleaning is for
outputs only and leaves no list or folded hint. What a graded copy holds is cleaned before (see
`notebook.py`), by the same rules.
"""

import html
import re
from functools import lru_cache

from bleach.css_sanitizer import CSSSanitizer
from bleach.html5lib_shim import Filter
from bleach.sanitizer import ALLOWED_TAGS, Cleaner
from nbconvert.filters import strip_files_prefix
from pygments.token import STANDARD_TYPES

from gradebox.sanitize.mathml import MathMLFilter

TAGS = {
    *ALLOWED_TAGS,
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "div", "span", "pre", "img", "details", "summary"),
    *("table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "sub", "sup", "del", "s", "u"),
    *("dl", "dt", "dd", "kbd", "ins", "mark"),
}
# What nbconvert gives its own text: colours of code, and the look of a table. A class of the page that shows
# it, such as Bootstrap's "modal-backdrop", could cover all of it.
CLASSES = {*STANDARD_TYPES.values(), "highlight", "hl-ipython3", "hl-python", "anchor-link", "dataframe"}
STYLES = CSSSanitizer(
    allowed_css_properties=["text-align", "color", "background-color", "font-weight", "font-style"]
)
# Short and without nesting: a parser of CSS calls itself for every bracket.
STYLE_VALUE = re.compile(
    r"(?:[a-z-]{1,20}\s{0,9}:\s{0,9}[\w#%,. -]{1,40}(?:\([\d%,. ]{0,40}\))?\s{0,9}(?:;\s{0,9}|$))*"
)
PROTOCOLS = {"http", "https", "mailto", "data", "attachment"}
ALLOWED_LINK = re.compile(r"(?:https?://|mailto:|#)", re.IGNORECASE)
REMOTE_URL = re.compile(r"https?://", re.IGNORECASE)
DATA_URL = re.compile(r"data:(image/(?:png|jpeg|gif));base64,([A-Za-z0-9+/=]*)$", re.IGNORECASE)
# A file beside the notebook; nothing else on the server that shows it.
LOCAL_IMAGE = re.compile(
    r"(?:attachment:.*|(?!.*(?:\.\.|%2e))[^\W_][\w ./%-]*\.(?:png|jpe?g|gif|webp|svg))$", re.IGNORECASE
)
SIZE_VALUE = re.compile(r"\d{1,4}%?$")
# Characters that browsers pass over in addresses.
IGNORED_CHARACTERS = re.compile(r"[\x00-\x20\x7f]+")
# The delimiters of a mark scheme are headlines in Markdown. Nothing between that could end the box it is in.
SCHEME_HEADING = r"<h(\d)>\s*{} MARK SCHEME[^<]*(?:<a [^>]*>[^<]*</a>)?</h\{}>"
RENDERED_SCHEME = re.compile(
    SCHEME_HEADING.format("BEGIN", 1)
    + r"((?:(?!</?(?:div|details)\b).)*?)"
    + SCHEME_HEADING.format("END", 3),
    re.DOTALL,
)
SCHEME_BOX = r"<details open><summary><strong>Mark scheme</strong></summary>\2</details>"
# Nothing that is drawn in it, by formulas either, is seen outside.
CONTAINER = '<div style="contain: paint; overflow: auto">{}</div>'


def normalize_url(text: str) -> str:
    """An address as a browser reads it, without what it passes over at its ends and in its scheme."""
    head, colon, rest = text.strip().partition(":")
    return IGNORED_CHARACTERS.sub("", head) + colon + rest.strip()


def is_allowed_attribute(tag: str, name: str, value: str) -> bool:
    """Whether an attribute is harmless. A remote picture's address is: it becomes a link, or stays."""
    if name == "class":
        return all(word in CLASSES for word in value.split())
    if name == "style":
        return len(value) < 200 and bool(STYLE_VALUE.fullmatch(value.strip()))
    if name == "href":
        return tag == "a" and bool(ALLOWED_LINK.match(normalize_url(value)))
    if name == "src":
        return tag == "img" and any(
            rule.match(normalize_url(value)) for rule in (REMOTE_URL, DATA_URL, LOCAL_IMAGE)
        )
    if name in ("width", "height", "colspan", "rowspan"):
        return tag in ("img", "td", "th") and bool(SIZE_VALUE.match(value))
    return name in ("title", "alt", "scope") or (tag, name) == ("details", "open")


class ImageLinkFilter(Filter):
    """Puts a link in the place of every remote picture."""

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


# The course's pages hold the same cells for everybody.
@lru_cache(maxsize=1_000)
def sanitize_fragment(text: str | bytes, *filters: type[Filter]) -> str:
    """HTML with what is harmless; the rest is shown as text. filters: what is then changed."""
    text = text.decode(errors="replace") if isinstance(text, bytes) else str(text)
    cleaner = Cleaner(
        tags=TAGS,
        attributes=is_allowed_attribute,
        protocols=PROTOCOLS,
        css_sanitizer=STYLES,
        filters=list(filters),
    )
    try:
        return cleaner.clean(text)
    except Exception:
        # What a parser fails at is no page that anybody wrote.
        return f"<pre>{html.escape(text)}</pre>"


def clean(text: str | bytes) -> str:
    """HTML of an output, or of another cell than Markdown, as it goes into a page."""
    return CONTAINER.format(sanitize_fragment(text))


def rendered(text: str) -> str:
    """What nbconvert has made of Markdown, as it goes into a page."""
    return CONTAINER.format(
        RENDERED_SCHEME.sub(SCHEME_BOX, strip_files_prefix(sanitize_fragment(text, MathMLFilter)))
    )
