"""Search of a built website for lines that students must not see, in all kinds of files."""

from html.parser import HTMLParser
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from gradebox.site.secret_lines import SecretLines

# Folders of the theme, of released notebooks, which gradebox checks, of the grader's documentation, and of
# JupyterLite.
NOT_SEARCHED = {"_static", "notebooks", "gradebox", "lite"}


class TextCollector(HTMLParser):
    """Collects the text, the attribute values and the comments of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.others: list[str] = []

    def handle_data(self, data):
        self.text.append(data)

    def handle_comment(self, data):
        self.others.append(data)

    def handle_starttag(self, tag, attrs):
        self.others += [value for _, value in attrs if value]


def read_text(path: Path) -> str:
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


def find_leaks(folder: Path, secrets: SecretLines) -> list[tuple[str, str]]:
    """Return the files of a site that contain a secret line, each with the line."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    searched = (path for path in paths if path.relative_to(folder).parts[0] not in NOT_SEARCHED)
    leaks = ((path.relative_to(folder).as_posix(), secrets.find(read_text(path))) for path in searched)
    return [(path, line) for path, line in leaks if line]
