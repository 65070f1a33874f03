"""What an audit found, for the author: a table for the terminal, a page, and JSON."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.text import Text

from gradebox.audit.audit_results import LOCATED, NAMED, RAW, Audited, Exercise, Kind
from gradebox.reports.wide_table import Wide

# Of what messages tell, what has a column; the rest is what nobody sees.
SHOWN_OF = (NAMED, LOCATED, RAW)
# What is counted in an exercise, and what its column is called if that is another name.
COUNTS = ("wrong", "mutants", "cheats", "unlisted", "listed", "right", "inputs", "alarms")
CALLED = {"unlisted": "survivors", "listed": "equivalent"}
COLUMNS = (*(CALLED.get(name, name) for name in COUNTS), *SHOWN_OF, "mutants seen")
# A long list is for the page.
SHOWN = 20


def share(part: int, whole: int) -> str:
    return f"{round(100 * part / whole)} %" if whole else "–"


def cells(exercises: Iterable[Exercise]) -> list[str]:
    """The numbers of a row of the table, added up over exercises."""
    exercises = list(exercises)

    def total(name: str) -> int:
        return sum(getattr(exercise, name) for exercise in exercises)

    return [
        *(str(total(name)) for name in COUNTS),
        *(share(sum(one.told.get(how, 0) for one in exercises), total("wrong")) for how in SHOWN_OF),
        share(total("caught_visible"), total("caught")),
    ]


EXPLAINED = (
    "wrong, right: written answers. survivors: mutants with full marks that are not listed as equivalent. "
    "cheats: generic answers that solve nothing. "
    "inputs: right answers with arguments of another form; alarms: those that lose points. named, located, "
    "raw: what the message tells of wrong answers: what to do, where, or no more than numbers. mutants seen: "
    "those that a visible assert catches, before the notebook is handed in."
)


def table(audited: list[Audited]) -> RenderableType:
    """The table for the terminal, and what is to be mended."""
    heads = [Text(name.replace(" ", "\n")) for name in ("exercise", *COLUMNS)]
    grid = Wide(heads, caption=EXPLAINED, box=SIMPLE_HEAD, close=True)
    for one in audited:
        for exercise in one.exercises.values():
            grid.add_row(*map(Text, (f"{exercise.number} {exercise.name}", *cells([exercise]))))
        total = one.assignment, *cells(one.exercises.values())
        grid.add_row(*(Text(cell, style="bold") for cell in total))
        grid.sections.add(len(grid.rows) - 1)
    parts: list[RenderableType] = [grid]
    found = [(one.assignment, finding) for one in audited for finding in one.findings]
    for kind in Kind:
        said = [(where, finding) for where, finding in found if finding.kind == kind]
        if said:
            parts.append(Text(f"\n{kind}: {len(said)}", style="bold red"))
        for where, finding in said[:SHOWN]:
            parts.append(Text(f"  {where}, {finding.exercise}, {finding.answer}: {finding.what}"))
        if len(said) > SHOWN:
            parts.append(Text(f"  … and {len(said) - SHOWN} more, on the page"))
    return Group(*parts)


def as_json(audited: list[Audited]) -> str:
    """All of it, for programs. The keys are the names of the classes' fields (see findings.py)."""
    return json.dumps([asdict(one) for one in audited], indent=1, ensure_ascii=False) + "\n"


def page(audited: list[Audited]) -> str:
    """One self-contained HTML page."""
    template = files("gradebox.audit").joinpath("page.html").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(template).render(
        audited=audited, columns=COLUMNS, explained=EXPLAINED, cells=cells
    )


def write(folder: Path, audited: list[Audited]) -> Path:
    """Write the page and the JSON file. Returns the page's path."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "audit.json").write_text(as_json(audited), encoding="utf-8")
    path = folder / "index.html"
    path.write_text(page(audited), encoding="utf-8")
    return path
