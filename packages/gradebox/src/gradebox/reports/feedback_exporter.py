"""Makes a student's page of a graded copy: nbgrader's feedback, in our own template (`student/`)."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nbconvert.exporters import HTMLExporter
from traitlets.config import Config

from gradebox.printable_text import format_count
from gradebox.reports.page_theme import build_page_styles, format_points

TEMPLATES_FOLDER = Path(__file__).parent


class StudentPage(HTMLExporter):
    """nbconvert's exporter with our template, which a course may replace: c.StudentPage.template_name."""

    def __init__(self, config: Config, **options: Any):
        # nbgrader asks for its own, of every HTMLExporter.
        ours = Config(
            StudentPage={"template_name": "student", "extra_template_basedirs": [str(TEMPLATES_FOLDER)]}
        )
        ours.merge(config)
        super().__init__(config=ours, **options)

    def default_filters(self) -> Iterable[tuple[str, Any]]:
        yield from super().default_filters()
        yield "plain", format_points
        yield "counted", format_count

    def from_notebook_node(self, nb, resources=None, **options):  # type: ignore[no-untyped-def]
        resources["page_styles"] = build_page_styles(TEMPLATES_FOLDER / "student" / "page.css")
        return super().from_notebook_node(nb, resources, **options)
