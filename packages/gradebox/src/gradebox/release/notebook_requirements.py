"""Find the libraries that notebooks import, and the versions that the course pins.

Called by `publish_course.py` and `launch_badges.py`.
"""

import ast
import re
import sys
from collections.abc import Iterable
from importlib import metadata

from nbformat.notebooknode import NotebookNode
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from gradebox.course import Course
from gradebox.static_analysis.cell_names import parse_cell


def find_libraries(notebooks: Iterable[NotebookNode]) -> set[str]:
    """Return the libraries that notebooks import, by their names on PyPI.

    A module that no installed library provides keeps its module name.
    """
    known = metadata.packages_distributions()
    return {canonicalize_name(known.get(name, [name])[0]) for name in find_imported_modules(notebooks)}


def find_imported_modules(notebooks: Iterable[NotebookNode]) -> set[str]:
    """Return the top-level modules that notebooks import, without the standard library and IPython."""
    cells = (cell for notebook in notebooks for cell in notebook.cells if cell.cell_type == "code")
    nodes = [node for cell in cells for node in ast.walk(parse_cell(cell.source))]
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
    # Each kernel has IPython.
    return {name.partition(".")[0] for name in names} - {*sys.stdlib_module_names, "IPython"}


def read_pinned_versions(course: Course) -> dict[str, Requirement]:
    """Return the entries of the course's requirements.txt, by library name."""
    path = course.root / "requirements.txt"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return parse_requirements(re.findall(r"^[A-Za-z][^#\n]*", text, re.MULTILINE))


def parse_requirements(lines: Iterable[str]) -> dict[str, Requirement]:
    found = map(Requirement, lines)
    return {canonicalize_name(one.name): one for one in found}
