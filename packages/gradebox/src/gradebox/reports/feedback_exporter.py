"""Exporter for nbgrader's feedback step: renders a graded copy with gradebox's template (`student/`)."""

from collections.abc import Iterable
from functools import lru_cache, partial
from pathlib import Path
from types import CodeType
from typing import Any

from bleach.sanitizer import INVISIBLE_CHARACTERS_RE
from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket
from nbconvert.exporters import HTMLExporter
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.widgetsdatatypefilter import WidgetsDataTypeFilter
from traitlets.config import Config

from gradebox.autograde.adjustments import describe_adjustment
from gradebox.printable_text import INVISIBLE, format_count
from gradebox.reports.page_theme import build_page_styles, format_points
from gradebox.sanitize.html import CONTAINER

TEMPLATES_FOLDER = Path(__file__).parent


class CompiledTemplates(BytecodeCache):
    """Compiled templates of this process: nbgrader creates an exporter for each page."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self.found.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.found[bucket.key, bucket.checksum] = bucket.code


COMPILED = CompiledTemplates()


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
        yield "adjustment", describe_adjustment

    def _create_environment(self) -> Environment:
        environment = super()._create_environment()
        environment.bytecode_cache = COMPILED
        return environment

    def from_notebook_node(self, nb, resources=None, **options):  # type: ignore[no-untyped-def]
        resources["page_styles"] = build_page_styles(TEMPLATES_FOLDER / "student" / "page.css")
        known = nb.metadata.get("language_info", {})
        lexer = known.get("pygments_lexer", known.get("name"))
        resources = self._init_resources(resources)
        highlight = self.filters.get("highlight_code", partial(format_code, lexer=lexer))
        self.register_filter("highlight_code", highlight)
        widgets = WidgetsDataTypeFilter(notebook_metadata=self._nb_metadata, parent=self, resources=resources)
        self.register_filter("filter_data_type", widgets)
        # HTMLExporter's own method also parses the finished page, to add attributes that gradebox's
        # preprocessor and sanitizer write.
        return super(HTMLExporter, self).from_notebook_node(nb, resources, **options)


# Cached, because every student's page contains the same course cells.
@lru_cache(maxsize=300)
def format_code(text: str, lexer: str | None) -> str:
    """Return highlighted code as HTML, without invisible characters. Pygments escapes all others."""
    shown = INVISIBLE_CHARACTERS_RE.sub("?", INVISIBLE.sub("", text))
    return CONTAINER.format(Highlight2HTML(pygments_lexer=lexer)(shown))
