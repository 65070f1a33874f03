"""Sphinx settings for a course's website and for gradebox's own documentation."""

from pathlib import Path
from typing import Any

STATIC_FOLDER = Path(__file__).resolve().parent / "static"
# No page loads anything from another host, and no page has a copy of its source.
SETTINGS: dict[str, Any] = {
    "extensions": ["myst_nb", "sphinx.ext.githubpages", "gradebox.site.sphinx_extension"],
    "root_doc": "index",
    "language": "en",
    "smartquotes": False,
    "html_theme": "sphinx_book_theme",
    "html_theme_options": {
        "home_page_in_toc": True,
        # The search field is in the sidebar.
        "navbar_persistent": [],
        "footer_content_items": [],
        "use_download_button": False,
        "use_fullscreen_button": False,
    },
    "html_copy_source": False,
    "html_show_sourcelink": False,
    "html_show_copyright": False,
    "html_show_sphinx": False,
    "html_use_index": False,
    "html_domain_indices": False,
    "html_static_path": [str(STATIC_FOLDER)],
    "html_css_files": ["gradebox-site.css"],
    "html_math_renderer": "mathml",
    "nb_execution_mode": "off",
    "nb_merge_streams": True,
    # Outputs have no widgets, whose scripts would come from another host.
    "nb_ipywidgets_js": {},
    "myst_enable_extensions": ["amsmath", "dollarmath"],
    "myst_dmath_double_inline": True,
    "myst_heading_anchors": 6,
    # A lesson may skip a level of headings.
    "suppress_warnings": ["myst.header"],
}
