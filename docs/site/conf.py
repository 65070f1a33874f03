"""Sphinx configuration of the course's website, for `make site`.

`gradebox publish --site` writes the sources: the lessons and the home page. This file adds a description and
a picture, pages for students, tables for phones, and formulas that need neither scripts nor a network.
"""

import html
import shutil
from pathlib import Path
from xml.etree import ElementTree

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

from gradebox.sanitize.formulas_to_mathml import MATHML, convert_latex

DOCS = Path(__file__).resolve().parents[1]
DESCRIPTION = (
    "A course on attention in graded Jupyter notebooks, from a single dot product to a trained language "
    "model, its induction heads, and your own code that runs GPT-2."
)
INTRODUCTION = f"""
{DESCRIPTION}
You write the code. The test after each exercise shows at once what is wrong and, for common mistakes, how to
fix it:

```{{image}} docs/pictures/failed.png
:alt: A failed test with the first wrong number, the shapes, and that the scores are not scaled
```

You can read the lessons here, with their figures. To solve the exercises, open a lesson's notebook.

```{{image}} docs/pictures/heatmap.png
:alt: Attention weights of two heads as heatmaps, one by content, the other to the previous token
```

## Lessons
"""
LICENCE = "\nMIT license. Copyright (c) 2026 The authors of Attention, Graded.\n"
PAGES = ("students", "conventions")
# A table with more columns does not fit on a phone.
MAX_COLUMNS = 3
logger = logging.getLogger(__name__)

project = html_title = "Attention, Graded"
language = "en"
# The released notebooks in this folder are to download.
exclude_patterns = ["extra"]
extensions = ["myst_nb", "sphinx.ext.githubpages"]
# gradebox has executed the lessons. Outputs have no widgets, whose scripts would come from another host.
nb_execution_mode = "off"
nb_merge_streams = True
nb_ipywidgets_js = {}
myst_enable_extensions = ["amsmath", "dollarmath"]
myst_dmath_double_inline = True
myst_heading_anchors = 6
smartquotes = False
# A lesson may skip a level of headings.
suppress_warnings = ["myst.header"]

html_theme = "sphinx_book_theme"
html_theme_options = {
    "home_page_in_toc": True,
    # The search field is in the sidebar.
    "navbar_persistent": [],
    "footer_content_items": [],
    "use_download_button": False,
    "use_fullscreen_button": False,
}
html_static_path = ["static"]
html_css_files = ["site.css"]
# After Sphinx's own script for the search.
html_js_files = [("search.js", {"defer": "defer"})]
html_favicon = "static/icon.svg"
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
html_use_index = False


def setup(app: Sphinx) -> None:
    """Register the steps of this file. Sphinx calls this function."""
    app.add_html_math_renderer("mathml", (write_inline_formula, None), (write_block_formula, None))
    app.connect("config-inited", add_files)
    app.connect("source-read", extend_home_page)
    app.connect("doctree-resolved", repeat_column_headings)
    app.connect("html-page-context", describe_page)


def add_files(app: Sphinx, config: Config) -> None:
    """Copy the pages for students to the sources, and copy the notebooks to download to the site."""
    config.html_extra_path = [str(app.srcdir / "extra")]
    folder = app.srcdir / "docs"
    shutil.copytree(DOCS / "pictures", folder / "pictures", dirs_exist_ok=True)
    for page in PAGES:
        shutil.copy(DOCS / f"{page}.md", folder)


def extend_home_page(_app: Sphinx, page: str, source: list[str]) -> None:
    """Add the introduction and the pages for students to the home page, in place."""
    if page == "index":
        title, rest = source[0].split("\n", 1)
        pages = "\n".join(f"docs/{name}" for name in PAGES)
        source[0] = f"{title}\n{INTRODUCTION}{rest}{LICENCE}\n```{{toctree}}\n:hidden:\n\n{pages}\n```\n"


def repeat_column_headings(_app: Sphinx, tree: nodes.document, _page: str) -> None:
    """Add the heading of its column to each cell of a wide table, for phones, in place."""
    for table in tree.findall(nodes.table):
        headings = [
            entry.astext() for head in table.findall(nodes.thead) for entry in head.findall(nodes.entry)
        ]
        if len(headings) <= MAX_COLUMNS:
            continue
        table["classes"].append("cards")
        for body in table.findall(nodes.tbody):
            for row in body.findall(nodes.row):
                for heading, entry in zip(headings, row.findall(nodes.entry), strict=True):
                    first = entry[0] if entry.children else entry
                    first.insert(0, nodes.inline("", f"{heading}: ", classes=["column-heading"]))


def describe_page(
    _app: Sphinx, page: str, _template: str, context: dict, tree: nodes.document | None
) -> None:
    """Give a page its description for search engines, and the home page another title than its heading."""
    if page == "index":
        context["title"] = "A course on attention"
    if tree:
        texts = (
            text.astext() for text in tree.findall(nodes.paragraph) if isinstance(text.parent, nodes.section)
        )
        description = DESCRIPTION if page == "index" else next(texts, DESCRIPTION)
        context["metatags"] += (
            f'<meta name="description" content="{html.escape(" ".join(description.split()))}">'
        )


def write_inline_formula(translator: HTML5Translator, node: nodes.Element) -> None:
    translator.body.append(render_formula(node, is_inline=True))
    raise nodes.SkipNode


def write_block_formula(translator: HTML5Translator, node: nodes.Element) -> None:
    translator.body.append(f'<div class="formula">{render_formula(node, is_inline=False)}</div>\n')
    raise nodes.SkipNode


def render_formula(node: nodes.Element, is_inline: bool) -> str:
    """Return a formula as HTML: MathML, or the LaTeX itself if the converter does not know a command."""
    latex = node.astext()
    tree = convert_latex(latex, is_inline)
    if tree is None:
        logger.warning("formula shown as LaTeX, because it can't be converted: %s", latex, location=node)
        tree = ElementTree.Element("code")
        tree.text = latex
    for element in tree.iter():
        # HTML has no namespaces.
        element.tag = element.tag.removeprefix(f"{{{MATHML}}}")
    tree.tail = None
    return ElementTree.tostring(tree, encoding="unicode")
