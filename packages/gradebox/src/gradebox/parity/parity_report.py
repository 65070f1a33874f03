"""What a check has found, for the terminal."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gradebox.parity.parity_results import Checked, Finding
from gradebox.printable_text import counted, printable
from gradebox.reports.in_process_tests import line

COLUMNS = ("test", "here", "stock", "of")
EXPLAINED = "here, stock: the points of the source's own solution in gradebox and in stock nbgrader."


def report(checked: list[Checked]) -> RenderableType:
    """A table of the tests that are to be looked at, what else is to be said, and the verdict."""
    parts: list[RenderableType] = []
    findings = [finding for one in checked for finding in one.findings]
    if findings:
        grid = Table(caption=EXPLAINED, caption_justify="left", show_lines=True)
        for name in COLUMNS:
            grid.add_column(name, justify="left" if name == "test" else "right", overflow="fold")
        grid.add_column("why, and what to do", overflow="fold", ratio=1)
        for finding in findings:
            grid.add_row(*row(finding))
        parts += [grid, ""]
    lines = [
        said
        for one in checked
        if (said := line(f"{one.assignment}/{one.notebook}", one.in_process, one.tests))
    ]
    for one in checked:
        if one.problem:
            where = f"{one.assignment}/{one.notebook}"
            lines.append(Text(f"{where} can't be checked: {printable(one.problem)}", style="red"))
    return Group(*parts, *lines, verdict(checked))


def row(finding: Finding) -> list[Text]:
    style = "" if finding.why.acknowledged else "red"
    where = f"{finding.assignment}/{finding.notebook}\n{finding.cell}"
    if finding.number != finding.cell:
        where += f" ({finding.number})"
    points = (finding.graded, finding.stock, finding.maximum)
    told = f"{printable(finding.why.reason)}\n→ {finding.why.advice}"
    shown = ("–" if score is None else f"{score:g}" for score in points)
    return [Text(where, style=style), *map(Text, shown), Text(told)]


def verdict(checked: list[Checked]) -> Text:
    """Whether all is as it should be, in one sentence."""
    count = counted(sum(len(one.tests) for one in checked), "test", "tests")
    bad = [finding for one in checked for finding in one.problems]
    unrun = sum(one.problem is not None for one in checked)
    meant = sum(len(one.findings) for one in checked) - len(bad)
    said = [
        f"{counted(len(bad), 'needs', 'need')} somebody to look" if bad else "",
        f"{counted(unrun, 'notebook', 'notebooks')} can't be checked" if unrun else "",
    ]
    if not any(one.tests or one.problem for one in checked):
        return Text("There are no tests here to be checked.")
    if any(said):
        return Text(f"Of {count}, {', and '.join(filter(None, said))}.", style="bold red")
    other = f"; {counted(meant, 'has', 'have')} fewer in stock nbgrader, as meant" if meant else ""
    return Text(f"{count} checked: the source's own solutions get all points{other}.", style="green")


def fails(checked: list[Checked]) -> bool:
    """Return True if something is wrong with a test or a solution."""
    return any(one.problems or one.problem for one in checked)
