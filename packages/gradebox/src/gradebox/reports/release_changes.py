"""Describe how a release changes points, for `gradebox release`."""

from collections.abc import Mapping

from nbformat.notebooknode import NotebookNode

from gradebox.notebook_exercises import GradedCell, find_graded_cells
from gradebox.printable_text import format_point_count


def list_point_changes(before: Mapping[str, NotebookNode], after: Mapping[str, NotebookNode]) -> list[str]:
    """Return a line for each graded cell whose points differ between two releases of an assignment.

    before, after: the released notebooks, by name. A first release changes nothing.
    """
    if not before:
        return []
    old, new = index_graded_cells(before), index_graded_cells(after)
    changed = []
    for key, cell in (old | new).items():
        was, now = old.get(key), new.get(key)
        shown = cell.grade_id if cell.number == cell.grade_id else f"{cell.number} {cell.grade_id}"
        if was is None:
            changed.append(f"{shown}: new, {format_point_count(cell.points)}")
        elif now is None:
            changed.append(f"{shown}: removed, {format_point_count(cell.points)}")
        elif was.points != now.points:
            changed.append(f"{shown}: {was.points:g} → {format_point_count(now.points)}")
    return changed


def index_graded_cells(notebooks: Mapping[str, NotebookNode]) -> dict[tuple[str, str], GradedCell]:
    """Return the graded cells of notebooks, by notebook and grade_id."""
    return {
        (name, cell.grade_id): cell
        for name, notebook in notebooks.items()
        for cell in find_graded_cells(notebook, name)
    }
