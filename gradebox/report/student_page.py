"""Makes a student's page of a graded copy: nbgrader's feedback, in our own template (`student/`)."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nbconvert.exporters import HTMLExporter
from pygments.formatters import HtmlFormatter
from traitlets.config import Config

HERE = Path(__file__).parent
# Which colours of code, in light and in dark.
LIGHT, DARK = "xcode", "github-dark"


def plain(number: float) -> str:
    """Points as people write them: 2, 1.5, and no more decimals than two."""
    return f"{round(number, 2):g}"


def counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def styles(*more: Path) -> str:
    """The look of a page, with the colours of code; it needs nothing from elsewhere."""
    texts = [path.read_text(encoding="utf-8") for path in (HERE / "look.css", *more)]
    light, dark = (HtmlFormatter(style=name).get_style_defs(".highlight") for name in (LIGHT, DARK))
    # What a style says of the block itself is the page's to say.
    light, dark = (text.replace("background:", "--unused:", 1) for text in (light, dark))
    return "\n".join([*texts, light, f"@media screen and (prefers-color-scheme: dark) {{ {dark} }}"])


class StudentPage(HTMLExporter):
    """nbconvert's exporter with our template, which a course may replace: c.StudentPage.template_name."""

    def __init__(self, config: Config, **options: Any):
        # nbgrader asks for its own, of every HTMLExporter.
        ours = Config(StudentPage={"template_name": "student", "extra_template_basedirs": [str(HERE)]})
        ours.merge(config)
        super().__init__(config=ours, **options)

    def default_filters(self) -> Iterable[tuple[str, Any]]:
        yield from super().default_filters()
        yield "plain", plain
        yield "counted", counted

    def from_notebook_node(self, nb, resources=None, **options):  # type: ignore[no-untyped-def]
        resources["page_styles"] = styles(HERE / "student" / "page.css")
        return super().from_notebook_node(nb, resources, **options)
