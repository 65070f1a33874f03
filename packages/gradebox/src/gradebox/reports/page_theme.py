"""Shared style of all HTML pages: colours, fonts and the format of points."""

from functools import cache
from pathlib import Path

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from gradebox.printable_text import mark_invisible

STYLES_FOLDER = Path(__file__).parent
# Pygments styles for light and dark mode.
LIGHT_STYLE, DARK_STYLE = "xcode", "github-dark"


def format_points(number: float) -> str:
    """Format points with at most two decimals: 2, 1.5."""
    return f"{round(number, 2):g}"


def highlight_code(code: str) -> str:
    """Return Python code as HTML, with invisible characters marked."""
    return highlight(mark_invisible(code), PythonLexer(), HtmlFormatter())


@cache
def build_page_styles(*more: Path) -> str:
    """Return the CSS of a page, including code colours. more: additional style sheets of the page."""
    texts = [path.read_text(encoding="utf-8") for path in (STYLES_FOLDER / "look.css", *more)]
    light, dark = (
        HtmlFormatter(style=name).get_style_defs(".highlight") for name in (LIGHT_STYLE, DARK_STYLE)
    )
    # The page sets the background of code blocks, so disable that of the Pygments style.
    light, dark = (text.replace("background:", "--unused:", 1) for text in (light, dark))
    return "\n".join([*texts, light, f"@media screen and (prefers-color-scheme: dark) {{ {dark} }}"])
