"""Sphinx configuration of this documentation: `python -m sphinx -W -c docs . OUTPUT` in the folder above.

The pages in that folder are part of the documentation, so links work here as they do on GitHub.
"""

import sys
from pathlib import Path
from posixpath import dirname, join, normpath

from docutils import nodes
from sphinx.application import Sphinx

project = html_title = "gradebox"
language = "en"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.githubpages"]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/*.md", "docs/reference/*.md", "benchmarks/README.md"]
myst_heading_anchors = 6
smartquotes = False

# No page loads anything from another host, and no page has a copy of its source.
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
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
html_use_index = False
html_domain_indices = False
# The first page of the site leads to the first page of the documentation.
templates_path = ["templates"]
html_additional_pages = {"index": "redirect.html"}


def setup(app: Sphinx) -> None:
    """Write the reference pages before Sphinx looks for pages."""
    sys.path.insert(0, str(app.confdir))
    from write_reference import write_reference

    app.connect("config-inited", lambda app, config: write_reference(Path(app.srcdir) / "docs" / "reference"))
    app.connect("doctree-resolved", name_pages)


def name_pages(app: Sphinx, tree: nodes.document, page: str) -> None:
    """Replace the names of files in links by the titles of their pages, in place."""
    for link in tree.findall(nodes.reference):
        if link.astext().endswith(".md"):
            target = normpath(join(dirname(page), link["refuri"].partition("#")[0])).removesuffix(".html")
            link.children = [nodes.inline("", app.env.titles[target].astext())]
