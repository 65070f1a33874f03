"""Draw the charts of the class page as inline SVG in the page's colours, readable in black and white."""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from gradebox.class_report.exercise_outcomes import ExerciseAttempt, ExerciseOutcomes

# Colours used for drawing; each is replaced by one of the page's CSS variables.
INK, ACCENT, PAPER, QUIET = "#010203", "#040506", "#fdfcfb", "#0a0b0c"
CSS_VARIABLES = {INK: "--ink", ACCENT: "--accent", PAPER: "--paper", QUIET: "--line"}
# Outcomes of the students who submitted, in the order of `classify_attempt`.
OUTCOME_LABELS = (
    "full points",
    "full points on a second chance",
    "part of the points",
    "no points",
    "not tried",
)
HATCHES = (None, "////", "|||", None, "xxxx")
FACE_COLOURS = (ACCENT, PAPER, PAPER, QUIET, PAPER)
WIDTH = 7.5
BINS = 10
# Place of a text in the row of an exercise without a bar.
BESIDE_AXIS: Any = {
    **{"xytext": (6, 0), "textcoords": "offset points", "verticalalignment": "center"},
    **{"color": INK, "fontsize": 9},
}
CHART_STYLE: Any = {
    **{"svg.fonttype": "none", "font.family": "sans-serif"},
    **dict.fromkeys(("axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
    **dict.fromkeys(("axes.labelsize", "xtick.labelsize", "ytick.labelsize", "legend.fontsize"), 9),
    **dict.fromkeys(("axes.spines.top", "axes.spines.right", "legend.frameon"), False),
    "legend.labelcolor": INK,
}


@dataclass(frozen=True)
class Chart:
    """A chart as SVG. words: the text alternative, for screen readers."""

    svg: str
    words: str


def render_chart(figure: Figure, words: str) -> Chart:
    """Return a figure as SVG with the page's fonts and colours. words: the text alternative."""
    text = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": words}):
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = re.sub(r"^.*?(?=<svg)", "", text.getvalue(), flags=re.DOTALL)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    for colour, variable in CSS_VARIABLES.items():
        svg = svg.replace(colour, f"var({variable})")
    # Use the browser's fonts: Matplotlib's fonts are not installed on every machine.
    svg = re.sub(r"font: ([^;\"]*?px) [^;\"]*", r"font: \1 system-ui, sans-serif", svg)
    return Chart(svg.replace("<svg ", '<svg aria-hidden="true" ', 1), words)


def classify_attempt(one: ExerciseAttempt) -> int:
    """Return the index of an attempt's outcome in OUTCOME_LABELS."""
    if one.full:
        return 1 if one.second_chance else 0
    return 2 if one.points else 3 if one.tried else 4


def count_outcomes(item: ExerciseOutcomes, number: int) -> int:
    """Return the number of students with an outcome: the index in OUTCOME_LABELS.

    The outcome of an unread answer is unknown, and an exercise that was dropped has none.
    """
    return sum(classify_attempt(one) == number for one in item.attempts if item.possible and not one.unread)


@matplotlib.rc_context(CHART_STYLE)
def draw_exercise_chart(items: Sequence[ExerciseOutcomes]) -> Chart:
    """Draw a stacked bar for each exercise: the number of students by outcome."""
    height = 0.34 * len(items) + 1.1
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    axes = figure.subplots()
    names, places = [item.number or item.title for item in items], range(len(items))
    left = [0] * len(items)
    for number, kind in enumerate(OUTCOME_LABELS):
        counts = [count_outcomes(item, number) for item in items]
        if not any(counts):
            continue
        axes.barh(
            *(places, counts),
            left=left,
            label=kind,
            color=FACE_COLOURS[number],
            edgecolor=INK,
            hatch=HATCHES[number],
            linewidth=0.6,
        )
        left = [before + more for before, more in zip(left, counts, strict=True)]
    for place, item in zip(places, items, strict=True):
        if not item.possible:
            axes.annotate("does not count", (0, place), **BESIDE_AXIS)
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.set_xlabel("students")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if any(left):
        figure.legend(loc="outside lower center", ncols=3)
    return render_chart(figure, "Students by outcome in each exercise; the table below has the numbers.")


@matplotlib.rc_context(CHART_STYLE)
def draw_totals_chart(totals: Sequence[float], possible: float) -> Chart:
    """Draw a histogram of the students' totals. possible: the maximum points."""
    figure = Figure(figsize=(WIDTH, 2.2), layout="constrained")
    axes = figure.subplots()
    low = min([0.0, *totals])
    counts, edges, _ = axes.hist(
        totals, bins=BINS, range=(low, max([possible, *totals])), color=ACCENT, edgecolor=PAPER
    )
    axes.set_xlabel(f"points, of {possible:g}")
    axes.set_ylabel("students")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    parts = [
        f"{int(count)} from {edges[n]:.3g} to {edges[n + 1]:.3g}" for n, count in enumerate(counts) if count
    ]
    return render_chart(figure, f"Students by total: {', '.join(parts)}.")
