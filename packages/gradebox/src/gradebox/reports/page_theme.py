"""How all pages look that people read: colours, fonts, and how points are written."""

from functools import cache
from pathlib import Path

from pygments.formatters import HtmlFormatter

STYLES_FOLDER = Path(__file__).parent
# Which colours of code, in light and in dark.
LIGHT_STYLE, DARK_STYLE = "xcode", "github-dark"


def format_points(number: float) -> str:
    """Points as people write them: 2, 1.5, and no more decimals than two."""
    return f"{round(number, 2):g}"


@cache
def build_page_styles(*more: Path) -> str:
    """The look of a page, with the colours of code; it needs nothing from elsewhere. more: a page's own."""
    texts = [path.read_text(encoding="utf-8") for path in (STYLES_FOLDER / "look.css", *more)]
    light, dark = (
        HtmlFormatter(style=name).get_style_defs(".highlight") for name in (LIGHT_STYLE, DARK_STYLE)
    )
    # What a style says of the block itself is the page's to say.
    light, dark = (text.replace("background:", "--unused:", 1) for text in (light, dark))
    return "\n".join([*texts, light, f"@media screen and (prefers-color-scheme: dark) {{ {dark} }}"])
