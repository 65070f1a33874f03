"""Why a test does not give all its points in each way of grading, and what its author can do."""

from collections.abc import Mapping
from typing import NamedTuple

from gradebox.check.ways import JUDGED, PLAIN, STOCK, Came
from gradebox.judge.roles import UNJUDGED

TAG = f"give the cell the tag `{UNJUDGED}`: it then runs where the student's code runs, as in stock nbgrader"
MEND = "mend the solution or the test"


class Reason(NamedTuple):
    """A reason and an advice, one clause each. acknowledged: whether gradebox means to differ there."""

    reason: str
    advice: str
    acknowledged: bool = False


def reason(came: Mapping[str, Came], most: float, tagged: bool) -> Reason | None:
    """What is to be said of a test; None if nothing is.

    came: what came of it in each way that was tried. most: its points. tagged: whether it runs where the
    student's code runs anyway.
    """
    judged, plain, stock = came.get(JUDGED), came.get(PLAIN), came.get(STOCK)
    for one in came.values():
        if one.points is None:
            return Reason(one.said or "nbgrader has no points for it", "mend the last line of the test")
    if all(one.points == most for one in came.values()):
        return None
    if judged and plain and judged.points != plain.points:
        return by_the_judge(judged, plain, most, tagged)
    ours = plain or judged
    if ours and stock and ours.points != stock.points:
        return by_stock(ours, stock, most)
    lost = next(one for one in came.values() if one.points != most)
    return Reason(f"the source's own solution loses points{everywhere(came)}: {why(lost, most)}", MEND)


def by_the_judge(judged: Came, plain: Came, most: float, tagged: bool) -> Reason:
    """With the judge it has other points than without it."""
    if (judged.points or 0) > (plain.points or 0):
        said = f"it has more points with the judge than without it, where {why(plain, most)}"
        return Reason(said, "look at what it asks of the process that it runs in")
    if judged.unable:
        return Reason(f"it can't be judged: {judged.unable}", f"write it without that, or {TAG}")
    said = f"it loses points with the judge alone: {why(judged, most)}"
    return Reason(said, MEND if tagged else TAG)


def by_stock(ours: Came, stock: Came, most: float) -> Reason:
    """In stock nbgrader it has other points than in gradebox."""
    if stock.noisy and ours.points == most:
        said = "it has text on stderr, which costs all points in stock nbgrader and none in gradebox"
        return Reason(said, "nothing, unless you grade in stock nbgrader, too", acknowledged=True)
    if (stock.points or 0) < (ours.points or 0):
        said = why(stock, most)
        return Reason(f"the source's own solution loses points in stock nbgrader: {said}", MEND)
    what = "a submission has no network, and no files but those beside its notebook"
    return Reason(f"it loses points in gradebox, with the judge and without it: {why(ours, most)}", what)


def everywhere(came: Mapping[str, Came]) -> str:
    return " in stock nbgrader, too" if STOCK in came else " without the judge, too" if PLAIN in came else ""


def why(lost: Came, most: float) -> str:
    """Why points are lost, in one clause."""
    if lost.said:
        return lost.said
    if lost.noisy:
        return "it has text on stderr"
    return f"its last line gives {lost.points:g} of its {most:g} points"
