"""Sphinx configuration of this documentation: `python -m sphinx -W -c docs . OUTPUT` in the folder above.

The pages in that folder are part of the documentation, so links work here as they do on GitHub.
"""

import sys
from pathlib import Path

from sphinx.application import Sphinx

from gradebox.site.sphinx_settings import SETTINGS

globals().update(SETTINGS)
project = html_title = "gradebox"
extensions = [*SETTINGS["extensions"], "sphinx.ext.autodoc"]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/*.md", "docs/reference/*.md", "benchmarks/README.md"]
# The first page of the site leads to the first page of the documentation.
templates_path = ["templates"]
html_additional_pages = {"index": "redirect.html"}


def setup(app: Sphinx) -> None:
    """Write the reference pages before Sphinx looks for pages."""
    sys.path.insert(0, str(app.confdir))
    from write_reference import write_reference

    app.connect("config-inited", lambda app, config: write_reference(Path(app.srcdir) / "docs" / "reference"))
