"""What a check has found, for the terminal."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gradebox.check.findings import Checked, Finding
from gradebox.judge.roles import UNJUDGED
from gradebox.words import counted, printable

COLUMNS = ("test", "judge", "without", "stock", "of")
EXPLAINED = (
    "judge, without, stock: the points that the source's own solution gets with the judge, without it, and "
    "in stock nbgrader."
)


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
    lines = unjudged(checked)
    for one in checked:
        where = f"{one.assignment}/{one.notebook}"
        lines += [Text(f"warning: {where}: {printable(what)}", style="yellow") for what in one.warnings]
        if one.problem:
            lines.append(Text(f"{where} can't be checked: {printable(one.problem)}", style="red"))
    return Group(*parts, *lines, verdict(checked))


def row(finding: Finding) -> list[Text]:
    style = "" if finding.acknowledged else "yellow" if lost_by_judge(finding) else "red"
    where = f"{finding.assignment}/{finding.notebook}\n{finding.cell}"
    if finding.number != finding.cell:
        where += f" ({finding.number})"
    points = (finding.judged, finding.plain, finding.stock, finding.maximum)
    told = f"{printable(finding.reason)}\n→ {finding.advice}"
    shown = ("–" if score is None else f"{score:g}" for score in points)
    return [Text(where, style=style), *map(Text, shown), Text(told)]


def lost_by_judge(finding: Finding) -> bool:
    """Whether the solution is right, and only the judge gives it less."""
    return finding.judged != finding.plain == finding.maximum


def unjudged(checked: list[Checked]) -> list[Text]:
    """Which tests run where the student's code runs, in one line."""
    names = [f"{one.assignment}/{test}" for one in checked for test in one.unjudged]
    if not names:
        return []
    points = sum(one.tests[test] for one in checked for test in one.unjudged)
    every = sum(sum(one.tests.values()) for one in checked)
    has = counted(len(names), "test has", "tests have")
    where = "it runs" if len(names) == 1 else "they run"
    said = f"{has} the tag {UNJUDGED}, {points:g} of {every:g} points: {where} in the student's process"
    return [Text(f"{said} ({', '.join(names)})")]


def verdict(checked: list[Checked]) -> Text:
    """Whether all is as it should be, in one sentence."""
    count = counted(sum(len(one.tests) for one in checked), "test", "tests")
    bad = [finding for one in checked for finding in one.problems]
    judged, unrun = sum(map(lost_by_judge, bad)), sum(one.problem is not None for one in checked)
    meant = sum(len(one.findings) for one in checked) - len(bad)
    said = [
        f"{counted(judged, 'loses', 'lose')} points with the judge alone" if judged else "",
        f"{counted(len(bad) - judged, 'needs', 'need')} somebody to look" if len(bad) > judged else "",
        f"{counted(unrun, 'notebook', 'notebooks')} can't be checked" if unrun else "",
    ]
    if not any(one.tests or one.problem for one in checked):
        return Text("There are no tests here to be checked.")
    if any(said):
        return Text(f"Of {count}, {', and '.join(filter(None, said))}.", style="bold red")
    other = f"; {counted(meant, 'has', 'have')} fewer in stock nbgrader, as meant" if meant else ""
    return Text(f"{count} checked: the source's own solutions get all points{other}.", style="green")


def fails(checked: list[Checked]) -> bool:
    """Whether something is wrong with a test, a solution or the judge."""
    return any(one.problems or one.problem for one in checked)
