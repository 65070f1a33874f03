"""What pages for people may hold of a notebook: no script, no frame, no style that covers the page.

nbgrader shows students' Markdown and HTML as they are, to instructors in Formgrader, too. These two take the
place of filters of nbconvert's (see `nbgrader_config.py`), whose own cleaning is for outputs only and leaves
no list or folded hint.
"""

import bleach
from bleach.css_sanitizer import CSSSanitizer
from nbconvert.filters import strip_files_prefix

TAGS = {
    *bleach.ALLOWED_TAGS,
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "div", "span", "pre", "img", "details", "summary"),
    *(
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "sub",
        "sup",
        "del",
        "s",
        "u",
        "dl",
        "dt",
        "dd",
    ),
}
ATTRIBUTES = {"*": ["class", "id", "title", "style"], "a": ["href"], "img": ["src", "alt", "width", "height"]}
ATTRIBUTES |= {"th": ["scope", "colspan", "rowspan"], "td": ["colspan", "rowspan"], "details": ["open"]}
PROTOCOLS = {"http", "https", "mailto", "data"}
STYLES = CSSSanitizer(allowed_css_properties=["text-align", "color", "font-weight", "font-style"])


def clean(text: str | bytes) -> str:
    """HTML with what is harmless; the rest is shown as text."""
    text = text.decode() if isinstance(text, bytes) else str(text)
    return bleach.clean(text, tags=TAGS, attributes=ATTRIBUTES, protocols=PROTOCOLS, css_sanitizer=STYLES)


def rendered(text: str) -> str:
    """What nbconvert has made of Markdown, as it goes into a page."""
    return strip_files_prefix(clean(text))
