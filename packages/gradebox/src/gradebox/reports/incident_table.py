"""Build the table of incidents that instructors read in the terminal: one row per submission and kind.

The most important kinds come first. Rows with the same text become one row that names all their submissions.
A row has a few lines at most, so that no submission can bury the incidents of others. `incidents.json` has
every incident of every cell.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from gradebox.autograde.incidents import (
    EARLIER_RELEASE,
    KINDS,
    MACHINE_KINDS,
    NOT_GRADED,
    UNREADABLE,
    Incident,
)
from gradebox.autograde.release_history import (
    ADDED,
    POINTS_CHANGED,
    REMOVED,
    SETTINGS_CHANGED,
    TEXT_CHANGED,
)
from gradebox.course import Course
from gradebox.notebook_exercises import find_grade_id
from gradebox.printable_text import format_count, format_file_name, printable, shorten_list

# Maximum number of submissions, and of cells, that a row or the last line of a report names.
MAX_LISTED_SUBMISSIONS, MAX_LISTED_CELLS = 5, 12
# Maximum number of different descriptions in a row, and of rows that a submission has for a kind whose cause
# is on the grading machine.
MAX_LISTED_TEXTS, MAX_MACHINE_ROWS = 3, 3
# In characters: a description can contain a text of the student, such as the name of a module.
MAX_DESCRIPTION_LENGTH = 500
CHANGE_CLAUSES = {
    POINTS_CHANGED: "points of {} changed",
    SETTINGS_CHANGED: "settings of {} changed",
    TEXT_CHANGED: "text of {} changed",
    ADDED: "{} added",
    REMOVED: "{} removed",
}


@dataclass(frozen=True)
class IncidentRow:
    """Row of the table: the submissions, and the kind, cells and description that they share."""

    submissions: tuple[str, ...]
    kind: str
    cells: str
    what: str


def build_incident_table(course: Course, incidents: list[Incident]) -> Table:
    """Return the table of incidents."""
    names = {one: find_cell_names(course, one) for one in {incident.assignment for incident in incidents}}
    table = Table(title="incidents", title_justify="left", title_style="bold")
    for head in ("submission", "kind", "cell", "what happened"):
        table.add_column(head, overflow="fold")
    for row in group_incidents(incidents, names):
        style = "red" if row.kind in (UNREADABLE, NOT_GRADED) else "yellow"
        where = shorten_list(row.submissions, MAX_LISTED_SUBMISSIONS)
        count = len(row.submissions)
        what = f"{row.what} ({count} submissions)" if count > 1 else row.what
        cells = (where, row.kind, row.cells, what)
        table.add_row(*(Text(printable(cell), style=style) for cell in cells))
    return table


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


def find_cell_names(course: Course, assignment: str) -> frozenset[str]:
    """Return the grade_ids in an assignment's notebooks; none for an unknown assignment."""
    if assignment not in course.assignments:
        return frozenset()
    cells = (cell for source in course.sources(assignment).values() for cell in source.cells)
    return frozenset(filter(None, map(find_grade_id, cells)))


def group_incidents(incidents: list[Incident], names: Mapping[str, frozenset[str]]) -> list[IncidentRow]:
    """Return the rows for these incidents, ordered by kind. names: the grade_ids of each assignment.

    Incidents of one submission and kind share a row. Rows that differ only in the submission become one; for
    a cause on the grading machine, also rows that differ in the cells.
    """
    texts: dict[tuple[str, str, str], set[str]] = {}
    for one in incidents:
        texts.setdefault((one.student, one.assignment, one.kind), set()).add(one.what)
    found: dict[tuple[str, str, str], dict[str, list[str]]] = {}
    for one in incidents:
        where = f"{format_file_name(one.student)}/{format_file_name(one.assignment)}"
        cell, what = (one.cell, one.what) if one.cell else split_cell_name(one.what, names[one.assignment])
        what = what if len(what) <= MAX_DESCRIPTION_LENGTH else f"{what[:MAX_DESCRIPTION_LENGTH]}…"
        # One missing module has one row, whatever else is missing.
        few = len(texts[one.student, one.assignment, one.kind]) <= MAX_MACHINE_ROWS
        part = one.what if one.kind in MACHINE_KINDS and few else ""
        cells = found.setdefault((where, one.kind, part), {}).setdefault(what, [])
        if cell and cell not in cells:
            cells.append(cell)
    rows: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for (where, kind, _), by_text in found.items():
        shown, what = format_cells(by_text)
        key = (kind, "" if kind in MACHINE_KINDS else shown, what)
        rows.setdefault(key, []).append((where, shown))
    made = [
        IncidentRow(tuple(where for where, _ in own), kind, own[0][1] if len(own) == 1 else shared, what)
        for (kind, shared, what), own in rows.items()
    ]
    return sorted(made, key=lambda row: KINDS.index(row.kind))


def split_cell_name(what: str, names: frozenset[str]) -> tuple[str | None, str]:
    """Return the cell that a description names, or None, and the description without the name.

    The name is the first word, or comes after the word "cell". Elsewhere, it can be part of a file's name.
    """
    words = what.split()
    for place, word in enumerate(words):
        if word in names and (place == 0 or words[place - 1] == "cell"):
            return word, " ".join(words[:place] + words[place + 1 :])
    return None, what


def format_cells(by_text: Mapping[str, list[str]]) -> tuple[str, str]:
    """Return the cells and the description of a row. by_text: the cells, by description."""
    shown = {what: shorten_list(cells, MAX_LISTED_CELLS) for what, cells in by_text.items()}
    if len(shown) == 1:
        ((what, cells),) = shown.items()
        return cells, what
    count = format_count(sum(max(1, len(cells)) for cells in by_text.values()), "event", "events")
    lines = [f"{cells}: {what}" if cells else what for what, cells in shown.items()]
    if len(lines) > MAX_LISTED_TEXTS:
        more = len(lines) - MAX_LISTED_TEXTS
        lines[MAX_LISTED_TEXTS:] = [f"and {more} more: see incidents.json"]
    return count, "\n".join(lines)
