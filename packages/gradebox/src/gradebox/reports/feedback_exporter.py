"""Exporter for nbgrader's feedback step: renders a graded copy with gradebox's template (`student/`)."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nbconvert.exporters import HTMLExporter
from traitlets.config import Config

from gradebox.printable_text import format_count
from gradebox.reports.page_theme import build_page_styles, format_points

TEMPLATES_FOLDER = Path(__file__).parent


class StudentPage(HTMLExporter):
    """HTML exporter with gradebox's template; a course can set another with c.StudentPage.template_name."""

    def __init__(self, config: Config, **options: Any):
        # nbgrader sets its own template for every HTMLExporter, so set ours for this class.
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
