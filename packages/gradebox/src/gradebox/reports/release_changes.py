"""Describe what a release has changed for a class, after `gradebox autograde` and `gradebox release`."""

from collections.abc import Iterable, Mapping

from nbformat.notebooknode import NotebookNode

from gradebox.autograde.incidents import EARLIER_RELEASE, Incident
from gradebox.autograde.release_history import (
    ADDED,
    POINTS_CHANGED,
    REMOVED,
    SETTINGS_CHANGED,
    TEXT_CHANGED,
)
from gradebox.notebook_exercises import GradedCell, find_graded_cells
from gradebox.printable_text import format_count
from gradebox.reports.incident_table import MAX_LISTED_CELLS, shorten_list

CHANGE_CLAUSES = {
    POINTS_CHANGED: "points of {} changed",
    SETTINGS_CHANGED: "settings of {} changed",
    TEXT_CHANGED: "text of {} changed",
    ADDED: "{} added",
    REMOVED: "{} removed",
}


def describe_earlier_releases(assignment: str, incidents: Iterable[Incident]) -> str | None:
    """Return how many submissions are of an earlier release, and what has changed since; None without any."""
    own = [one for one in incidents if one.assignment == assignment and one.kind == EARLIER_RELEASE]
    if not own:
        return None
    count = len({one.student for one in own})
    changes = []
    for what in CHANGE_CLAUSES:
        names = dict.fromkeys(one.cell or "" for one in own if one.what == what)
        if names:
            changes.append(CHANGE_CLAUSES[what].format(shorten_list(names, MAX_LISTED_CELLS)))
    are = format_count(count, "submission is", "submissions are")
    return f"{assignment}: {are} of an earlier release (since then: {'; '.join(changes)})."


def list_point_changes(before: Mapping[str, NotebookNode], after: Mapping[str, NotebookNode]) -> list[str]:
    """Return a line for each graded cell whose points differ between two releases of an assignment.

    before, after: the released notebooks, by name.
    """
    old, new = index_graded_cells(before), index_graded_cells(after)
    changed = []
    for key, cell in (old | new).items():
        was, now = old.get(key), new.get(key)
        shown = cell.grade_id if cell.number == cell.grade_id else f"{cell.number} {cell.grade_id}"
        if was is None:
            changed.append(f"{shown}: new, {format_count_of_points(cell)}")
        elif now is None:
            changed.append(f"{shown}: removed, {format_count_of_points(cell)}")
        elif was.points != now.points:
            changed.append(f"{shown}: {was.points:g} → {format_count_of_points(now)}")
    return changed


def format_count_of_points(cell: GradedCell) -> str:
    return f"{cell.points:g} {'point' if cell.points == 1 else 'points'}"


def index_graded_cells(notebooks: Mapping[str, NotebookNode]) -> dict[tuple[str, str], GradedCell]:
    """Return the graded cells of notebooks, by notebook and grade_id."""
    return {
        (name, cell.grade_id): cell
        for name, notebook in notebooks.items()
        for cell in find_graded_cells(notebook, name)
    }
