"""Reports of an audit for the author: a table for the terminal, an HTML page and JSON."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.text import Text

from gradebox.audit.audit_results import LOCATED, NAMED, RAW, ExerciseAudit, FindingKind, NotebookAudit
from gradebox.reports.wide_terminal_table import WideTable

# Kinds of messages that have a column; UNSEEN is the rest.
MESSAGE_COLUMNS = (NAMED, LOCATED, RAW)
# Counts of an exercise, and the column headings that differ from the field name.
COUNTS = ("wrong", "mutants", "cheats", "unlisted", "listed", "right", "inputs", "alarms")
COLUMN_LABELS = {"unlisted": "survivors", "listed": "equivalent"}
AUDIT_COLUMNS = (*(COLUMN_LABELS.get(name, name) for name in COUNTS), *MESSAGE_COLUMNS, "mutants seen")
# Maximum number of findings of a kind that the terminal lists; the page lists all.
MAX_LISTED_FINDINGS = 20


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
        format_percent(total("caught_visible"), total("caught")),
    ]


AUDIT_LEGEND = (
    "wrong, right: written answers. survivors: mutants with full marks that are not listed as equivalent. "
    "cheats: generic answers that do not solve the exercise. "
    "inputs: right answers with arguments of another dtype or memory layout; alarms: those that lose "
    "points. named, located, raw: wrong answers whose message gives advice, locates the mistake, or has only "
    "numbers or an error. mutants seen: mutants caught by a visible assert, before submission."
)


def render_audit_table(audited: list[NotebookAudit]) -> RenderableType:
    """Return the table for the terminal, followed by the findings."""
    heads = [Text(name.replace(" ", "\n")) for name in ("exercise", *AUDIT_COLUMNS)]
    grid = WideTable(heads, caption=AUDIT_LEGEND, box=SIMPLE_HEAD, close=True)
    for one in audited:
        for exercise in one.exercises.values():
            grid.add_row(*map(Text, (f"{exercise.number} {exercise.name}", *summary_cells([exercise]))))
        total = one.assignment, *summary_cells(one.exercises.values())
        grid.add_row(*(Text(cell, style="bold") for cell in total))
        grid.sections.add(len(grid.rows) - 1)
    parts: list[RenderableType] = [grid]
    found = [(one.assignment, finding) for one in audited for finding in one.findings]
    for kind in FindingKind:
        said = [(where, finding) for where, finding in found if finding.kind == kind]
        if said:
            parts.append(Text(f"\n{kind}: {len(said)}", style="bold red"))
        for where, finding in said[:MAX_LISTED_FINDINGS]:
            parts.append(Text(f"  {where}, {finding.exercise}, {finding.answer}: {finding.what}"))
        if len(said) > MAX_LISTED_FINDINGS:
            parts.append(Text(f"  … and {len(said) - MAX_LISTED_FINDINGS} more, on the page"))
    return Group(*parts)


def render_audit_json(audited: list[NotebookAudit]) -> str:
    """Return all results as JSON. The keys are the field names of the classes in `audit_results.py`."""
    return json.dumps([asdict(one) for one in audited], indent=1, ensure_ascii=False) + "\n"


def render_audit_page(audited: list[NotebookAudit]) -> str:
    """Return the report as a self-contained HTML page."""
    template = files("gradebox.audit").joinpath("page.html").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(template).render(
        audited=audited, columns=AUDIT_COLUMNS, explained=AUDIT_LEGEND, cells=summary_cells
    )


def write_audit_report(folder: Path, audited: list[NotebookAudit]) -> Path:
    """Write the page and the JSON file. Return the page's path."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "audit.json").write_text(render_audit_json(audited), encoding="utf-8")
    path = folder / "index.html"
    path.write_text(render_audit_page(audited), encoding="utf-8")
    return path
