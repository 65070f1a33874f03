"""Which libraries notebooks need, and in which versions."""

import ast
import re
import sys
from collections.abc import Iterable
from importlib import metadata

from nbformat.notebooknode import NotebookNode
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from gradebox.course import Course
from gradebox.static_analysis.test_names import parse_cell


def find_libraries(notebooks: Iterable[NotebookNode]) -> set[str]:
    """The libraries that notebooks import, as pip calls them; what nobody knows, by its module's name."""
    known = metadata.packages_distributions()
    return {canonicalize_name(known.get(name, [name])[0]) for name in find_imported_modules(notebooks)}


def find_imported_modules(notebooks: Iterable[NotebookNode]) -> set[str]:
    """The modules that notebooks import, by their first name, but for Python's own."""
    cells = (cell for notebook in notebooks for cell in notebook.cells if cell.cell_type == "code")
    nodes = [node for cell in cells for node in ast.walk(parse_cell(cell.source))]
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
    return {name.partition(".")[0] for name in names} - set(sys.stdlib_module_names)


def read_pinned_versions(course: Course) -> dict[str, Requirement]:
    """What the course's requirements.txt says of each library, by its name."""
    path = course.root / "requirements.txt"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return parse_requirements(re.findall(r"^[A-Za-z][^#\n]*", text, re.MULTILINE))


def parse_requirements(lines: Iterable[str]) -> dict[str, Requirement]:
    found = map(Requirement, lines)
    return {canonicalize_name(one.name): one for one in found}
