"""Search a built site for lines that students must not see: solutions, hidden tests and mark schemes."""

import re
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path

from PIL import Image, UnidentifiedImageError

# Themes bring these files; no text of the course is in them.
THEME_FOLDER = "_static"
# The released notebooks, which are checked before.
NOTEBOOK_SUFFIX = ".ipynb"
# Within a text, fewer letters and digits of a line may occur by accident.
MIN_LENGTH_WITHIN_TEXT = 12


class SecretLines:
    """Lines that students must not see, and that open texts do not contain.

    Lines are compared by their letters and digits, because HTML and Markdown change the other characters. A
    short line is found as a line of a text, a longer one anywhere in the text.
    """

    def __init__(self, secret: Iterable[str], open_texts: Iterable[str]):
        known = squeeze("\n".join(open_texts))
        squeezed = {squeeze(line): line for line in sorted(secret)}
        # Numbers alone are in many tables.
        self.lines = {
            letters: line
            for letters, line in squeezed.items()
            if letters not in known and not letters.isdecimal()
        }

    def find(self, text: str) -> str | None:
        """Return a secret line that the text contains, or None."""
        lines, whole = {squeeze(line) for line in text.splitlines()}, squeeze(text)
        for letters, line in self.lines.items():
            if letters in lines or len(letters) >= MIN_LENGTH_WITHIN_TEXT and letters in whole:
                return line
        return None


def squeeze(text: str) -> str:
    """Return the letters and digits of a text."""
    return re.sub(r"[\W_]+", "", text)


class TextCollector(HTMLParser):
    """Parser that collects the text, the attribute values and the comments of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.others: list[str] = []

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def handle_comment(self, data: str) -> None:
        self.others.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.others += [value for _, value in attrs if value]


def read_visible_text(path: Path) -> str:
    """Return the text of a page, with its attributes and comments, or that of another file or a picture."""
    content = path.read_bytes()
    if path.suffix == ".html":
        parser = TextCollector()
        parser.feed(content.decode(errors="replace"))
        return "\n".join(["".join(parser.text), *parser.others])
    try:
        with Image.open(path) as picture:
            return "\n".join(str(value) for value in picture.info.values())
    except UnidentifiedImageError:
        return content.decode(errors="replace")


def find_leak(folder: Path, secrets: SecretLines) -> tuple[Path, str] | None:
    """Return the first file of a site with a secret line, and the line; None without a leak."""
    for path in sorted(folder.rglob("*")):
        checked = path.is_file() and path.suffix != NOTEBOOK_SUFFIX
        if checked and path.relative_to(folder).parts[0] != THEME_FOLDER:
            line = secrets.find(read_visible_text(path))
            if line:
                return path.relative_to(folder), line
    return None
