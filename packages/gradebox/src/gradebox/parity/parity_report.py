"""Report of `gradebox check` for the terminal."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gradebox.parity.parity_results import CheckFinding, NotebookCheck
from gradebox.printable_text import format_count, printable
from gradebox.reports.in_process_tests import format_in_process_line

CHECK_COLUMNS = ("test", "here", "stock", "of")
CHECK_LEGEND = "here, stock: the points of the source's own solution in gradebox and in stock nbgrader."


def render_check_report(checked: list[NotebookCheck]) -> RenderableType:
    """Return a table of the tests with findings, notes on in-process tests and errors, and the summary."""
    parts: list[RenderableType] = []
    findings = [finding for one in checked for finding in one.findings]
    if findings:
        grid = Table(caption=CHECK_LEGEND, caption_justify="left", show_lines=True)
        for name in CHECK_COLUMNS:
            grid.add_column(name, justify="left" if name == "test" else "right", overflow="fold")
        grid.add_column("reason and advice", overflow="fold", ratio=1)
        for finding in findings:
            grid.add_row(*format_finding_row(finding))
        parts += [grid, ""]
    lines = [
        said
        for one in checked
        if (said := format_in_process_line(f"{one.assignment}/{one.notebook}", one.in_process, one.tests))
    ]
    for one in checked:
        where = f"{one.assignment}/{one.notebook}"
        if one.near_limits:
            near = printable("; ".join(one.near_limits))
            lines.append(Text(f"{where} is near a limit that ends students' cells: {near}", style="yellow"))
        if one.problem:
            lines.append(Text(f"{where} can't be checked: {printable(one.problem)}", style="red"))
    pythons = sorted({f"ran in {interpreter}" for one in checked for interpreter in one.interpreters})
    return Group(*parts, *lines, *map(Text, pythons), summarize_check(checked))


def format_finding_row(finding: CheckFinding) -> list[Text]:
    """Return a table row; red unless the difference is acknowledged."""
    style = "" if finding.why.acknowledged else "red"
    where = f"{finding.assignment}/{finding.notebook}\n{finding.cell}"
    if finding.number != finding.cell:
        where += f" ({finding.number})"
    points = (finding.graded, finding.stock, finding.maximum)
    told = f"{printable(finding.why.reason)}\n→ {finding.why.advice}"
    shown = ("–" if score is None else f"{score:g}" for score in points)
    return [Text(where, style=style), *map(Text, shown), Text(told)]


def summarize_check(checked: list[NotebookCheck]) -> Text:
    """Return a summary of the check, in one sentence."""
    count = format_count(sum(len(one.tests) for one in checked), "test", "tests")
    bad = [finding for one in checked for finding in one.problems]
    unrun = sum(one.problem is not None for one in checked)
    meant = sum(len(one.findings) for one in checked) - len(bad)
    said = [
        f"{format_count(len(bad), 'needs', 'need')} attention" if bad else "",
        f"{format_count(unrun, 'notebook', 'notebooks')} can't be checked" if unrun else "",
    ]
    if not any(one.tests or one.problem for one in checked):
        return Text("No tests to check.")
    if any(said):
        return Text(f"Of {count}, {', and '.join(filter(None, said))}.", style="bold red")
    other = f"; {format_count(meant, 'has', 'have')} fewer in stock nbgrader, as intended" if meant else ""
    return Text(f"{count} checked: the source's own solutions get all points{other}.", style="green")


def has_failures(checked: list[NotebookCheck]) -> bool:
    """Return True if something is wrong with a test or a solution."""
    return any(one.problems or one.problem for one in checked)
