"""Limits of students' Markdown, so that a page renders quickly. `html.py` sanitizes the page."""

import re

from gradebox.sanitize.html import TAGS

# Limit in characters, not counting embedded images. Rendering much longer text takes seconds.
MAX_MARKDOWN_LENGTH = 20_000
# Limit of opening brackets in a text. Rendering time grows with their number times the length of the text.
MAX_BRACKETS = 500
BRACKET = re.compile(r"\[|\\\(")
# As in Markdown programs.
LINE_END = re.compile(r"\r\n?|\n")
# Limit in characters, for all Markdown of a student on one page.
MAX_PAGE_MARKDOWN = 100_000
# Limit of nested HTML elements. Parsing time grows with the square of the depth.
MAX_NESTING = 50
EMBEDDED_IMAGE = re.compile(r"data:image/[a-z+]+;base64,[A-Za-z0-9+/=]*+")
TAG_BOUNDARY = re.compile(r"<(/?)([A-Za-z][^\s/>]*+)")
NESTED_TAGS = TAGS - {"br", "hr", "img"}


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
        if (
            length > min(self.left, MAX_MARKDOWN_LENGTH)
            or len(BRACKET.findall(text)) > MAX_BRACKETS
            or measure_nesting(text) > MAX_NESTING
        ):
            return indent_as_code(text)
        self.left -= length
        return text


def is_code_block(text: str) -> bool:
    """Return True if all of a Markdown text is one indented code block, such as from `indent_as_code`."""
    return bool(text.strip()) and all(line.startswith("    ") for line in LINE_END.split(text))


def indent_as_code(text: str) -> str:
    return "\n".join(f"    {line}" for line in LINE_END.split(text))


def measure_nesting(text: str) -> int:
    """Return the maximum nesting depth of an HTML text; elements that are not closed in order count, too.

    The sanitizer turns all tags that are not in TAGS into text before it parses the HTML.
    """
    most, lost, opened = 0, 0, []
    for ends, tag in TAG_BOUNDARY.findall(text.lower()):
        if not ends and tag in NESTED_TAGS:
            opened.append(tag)
            most = max(most, lost + len(opened))
        while ends and tag in opened[-MAX_NESTING:] and opened.pop() != tag:
            lost += 1
    return most
