"""Build a course's website and check it for hidden text (`gradebox publish --site`)."""

import io
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util.docutils import docutils_namespace, patch_docutils

from gradebox.checks_cell import expand_checks_cell
from gradebox.course import Course, CourseError
from gradebox.release.publish_course import find_secret_lines, read_released_notebooks
from gradebox.site.find_leaks import SecretLines, find_leak
from gradebox.site.site_pages import EXTRA_FOLDER, find_course_title, write_sources
from gradebox.site.site_settings import read_site_settings
from gradebox.site.sphinx_settings import SETTINGS

# Sphinx writes this file to each site.
SITE_FILE = ".buildinfo"
ANSI_COLOR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class BuiltSite:
    """A site that was written: the number of its pages, and Sphinx's warnings about their text."""

    pages: int
    warnings: list[str]


def build_site(course: Course, folder: Path, lite: bool, done: Callable[[], object]) -> BuiltSite:
    """Write a course's website to `folder`, replacing an earlier one; names that begin with a dot are kept.

    lite, done: see `write_sources`. Raises CourseError, and leaves the folder as it was, if it contains other
    files, if a lesson can't be executed, or if a page contains text that students must not see.
    """
    check_folder(folder)
    settings, notebooks = read_site_settings(course), read_released_notebooks(course)
    secrets = collect_secret_lines(course, list(notebooks.values()))
    with TemporaryDirectory(prefix="gradebox-site-") as scratch:
        source, built = Path(scratch, "source"), Path(scratch, "built")
        pages = write_sources(course, settings, notebooks, secrets, source, lite, done)
        warnings = run_sphinx(source, built, pages, find_course_title(course, notebooks))
        leak = find_leak(built, secrets)
        if leak:
            raise CourseError(
                f"{leak[0]} of the site would contain what students must not see ({leak[1]!r}): "
                "change the cell or the text that shows this line"
            )
        replace_folder(folder, built)
    return BuiltSite(len(pages), warnings)


def check_folder(folder: Path) -> None:
    """Raise CourseError if a folder contains files that are not an earlier site."""
    if folder.exists() and not folder.is_dir():
        raise CourseError(f"{folder} is a file: name a folder")
    others = sorted(path.name for path in folder.glob("*") if not path.name.startswith("."))
    if others and not (folder / SITE_FILE).is_file():
        raise CourseError(f"{folder} contains other files ({', '.join(others[:3])}): name an empty folder")


def run_sphinx(source: Path, built: Path, pages: list[str], title: str) -> list[str]:
    """Build the HTML of these pages. Return Sphinx's warnings. Raises CourseError."""
    texts = [f"{page}{suffix}" for page in pages for suffix in (".md", ".ipynb")]
    settings = SETTINGS | {
        "project": title,
        "html_title": title,
        "html_extra_path": [str(source / EXTRA_FOLDER)],
        # Brackets in a name would be a pattern.
        "include_patterns": [re.sub(r"[\[\]*?]", lambda sign: f"[{sign[0]}]", text) for text in texts],
    }
    warnings = io.StringIO()
    try:
        with patch_docutils(), docutils_namespace():
            app = Sphinx(
                *(source, None, built, source.with_name("doctrees"), "html"),
                confoverrides=settings,
                status=None,
                warning=warnings,
            )
            app.build(force_all=True)
    except SphinxError as error:
        raise CourseError(f"the site can't be built: {error}") from None
    text = ANSI_COLOR.sub("", warnings.getvalue()).replace("WARNING: ", "")
    return [line.removeprefix(f"{source.resolve()}/") for line in text.splitlines() if line.strip()]


def collect_secret_lines(course: Course, released: list[nbformat.NotebookNode]) -> SecretLines:
    """Return what students must not see in any lesson of the course."""
    sources = [source for name in course.assignments for source in course.sources(name).values()]
    secret = set[str]().union(*(find_secret_lines(course, source) for source in sources))
    open_texts = (expand_checks_cell(cell.source) for notebook in released for cell in notebook.cells)
    return SecretLines(secret, open_texts)


def replace_folder(folder: Path, built: Path) -> None:
    """Replace an earlier site."""
    for path in folder.glob("*"):
        if path.name.startswith("."):
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    shutil.copytree(built, folder, dirs_exist_ok=True)
