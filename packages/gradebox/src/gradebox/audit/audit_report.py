"""Reports of an audit for the author: a table for the terminal, and JSON."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gradebox.audit.audit_results import NAMED, RAW, ExerciseAudit, FindingKind, NotebookAudit

# Kinds of messages that have a column.
MESSAGE_COLUMNS = (NAMED, RAW)
# Counts of an exercise, and the column headings that differ from the field name.
COUNTS = ("wrong", "mutants", "cheats", "unlisted", "listed", "alarms")
COLUMN_LABELS = {"unlisted": "sur-\nvivors", "listed": "equi-\nvalent"}
# Maximum number of findings of a kind that the terminal lists; the JSON file lists all.
MAX_LISTED_FINDINGS = 20
JSON_FILE = "audit.json"


def format_percent(part: int, whole: int) -> str:
    """Return a rounded percentage; a dash if `whole` is 0."""
    return f"{round(100 * part / whole)} %" if whole else "–"


def summary_cells(exercises: Iterable[ExerciseAudit]) -> list[str]:
    """Return the cells of a table row, summed over exercises."""
    exercises = list(exercises)

    def total(name: str) -> int:
        return sum(getattr(exercise, name) for exercise in exercises)

    return [
        *(str(total(name)) for name in COUNTS),
        *(
            format_percent(sum(one.told.get(how, 0) for one in exercises), total("wrong"))
            for how in MESSAGE_COLUMNS
        ),
    ]


AUDIT_LEGEND = (
    "wrong: written wrong answers. survivors: mutants with full marks that are not listed as equivalent. "
    "cheats: generic answers that do not solve the exercise. "
    "alarms: right answers that lose points with arguments of another dtype or memory layout. "
    "named, raw: wrong answers whose message gives advice, or has only numbers or an error."
)


def render_audit_table(audited: list[NotebookAudit]) -> RenderableType:
    """Return the table for the terminal, followed by the findings."""
    grid = Table(caption=AUDIT_LEGEND, caption_justify="left", box=SIMPLE_HEAD, padding=0, show_edge=False)
    grid.add_column("exercise", overflow="fold")
    for name in (*COUNTS, *MESSAGE_COLUMNS):
        grid.add_column(COLUMN_LABELS.get(name, name), justify="right", no_wrap=True)
    for one in audited:
        for exercise in one.exercises.values():
            grid.add_row(f"{exercise.number} {exercise.name}", *summary_cells([exercise]))
        total = one.assignment, *summary_cells(one.exercises.values())
        grid.add_row(*total, style="bold", end_section=True)
    parts: list[RenderableType] = [grid]
    found = [(one.assignment, finding) for one in audited for finding in one.findings]
    for kind in FindingKind:
        said = [(where, finding) for where, finding in found if finding.kind == kind]
        if said:
            parts.append(Text(f"\n{kind}: {len(said)}", style="bold red"))
        for where, finding in said[:MAX_LISTED_FINDINGS]:
            parts.append(Text(f"  {where}, {finding.exercise}, {finding.answer}: {finding.what}"))
        if len(said) > MAX_LISTED_FINDINGS:
            parts.append(Text(f"  … and {len(said) - MAX_LISTED_FINDINGS} more, in {JSON_FILE}"))
    return Group(*parts)


def write_audit_json(folder: Path, audited: list[NotebookAudit]) -> Path:
    """Write all results as JSON, and return the path.

    The keys are the field names of the classes in `audit_results.py`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / JSON_FILE
    text = json.dumps([asdict(one) for one in audited], indent=1, ensure_ascii=False)
    path.write_text(f"{text}\n", encoding="utf-8")
    return path
