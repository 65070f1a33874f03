"""The solved lesson runs from top to bottom, its pictures are what a reader needs, its numbers are right.

`claims/LESSON.toml` lists the numbers of a lesson's text. Each entry has `text`, a passage with `{}` for each
number, and `values`, a list of expressions that give these numbers. An expression may use what the solved
lesson defines. A format such as `{:.2f}` or `{:.0%}` rounds as the text does. `prints` is a line, or a part
of one, that the lesson prints, in place of or in addition to `values`.
"""

import io
import linecache
import re
import tomllib
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

import matplotlib
import pytest
from matplotlib.figure import Figure
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbgrader import utils
from repository import REPOSITORY, SAMPLED, notebook

from gradebox.notebook_exercises import extract_reference_solutions, insert_answers

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def solved(lesson) -> NotebookNode:
    return insert_answers(
        notebook("release", lesson), extract_reference_solutions(notebook("source", lesson))
    )


@pytest.mark.parametrize("lesson", SAMPLED)
def test_it_runs_alone_without_a_word_on_stderr_and_draws_every_figure(lesson, tmp_path):
    nb = solved(lesson)
    NotebookClient(nb, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert list(tmp_path.iterdir()) == []
    shown = drawn = 0
    for cell in nb.cells:
        if cell.cell_type == "code":
            shown += cell.source.count("plt.show()")
            drawn += sum("image/png" in output.get("data", {}) for output in cell.outputs)
            assert not [o for o in cell.outputs if o.get("name") == "stderr" or o.output_type == "error"]
            if utils.is_grade(cell):
                # nbgrader takes the value of a last expression as points.
                (passed,) = cell.outputs
                assert re.fullmatch("✓ .*\n", passed.get("text", "")), cell.metadata.nbgrader.grade_id
            printed = "".join(o.get("text", "") for o in cell.outputs)
            # Of a method that is followed, each line is shown.
            lines = [
                line for line in printed.splitlines() if not re.match(r"(true |FALSE|none |     ) \|", line)
            ]
            assert len(lines) <= 14, f"a wall of output from {cell.source[:60]!r}"
    # A helper that shows a picture is written once and called more often.
    assert drawn >= shown > 0


@dataclass(frozen=True)
class Executed:
    """A solved lesson that was executed: its figures, the names that it defines, and what it printed."""

    lesson: str
    figures: list[Figure]
    names: dict[str, Any]
    printed: str


@pytest.fixture(scope="module", params=SAMPLED)
def executed(request) -> Executed:
    seen, show, printed = [], plt.show, io.StringIO()
    plt.close("all")

    def keep(*args, **kwargs):
        seen.extend(plt.figure(number) for number in plt.get_fignums())
        for figure in seen:
            figure.canvas.draw()
            plt.close(figure)

    plt.show = keep
    try:
        names: dict[str, Any] = {}
        with redirect_stdout(printed):
            for number, cell in enumerate(solved(request.param).cells):
                if cell.cell_type == "code":
                    run_cell(cell.source, f"cell {number}", names)
    finally:
        plt.show = show
    assert seen
    return Executed(request.param, seen, names, printed.getvalue())


def run_cell(source: str, name: str, names: dict[str, Any]) -> None:
    """Run a cell. As in Jupyter, its lines can be had again."""
    linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
    exec(compile(source, name, "exec"), names)


@pytest.fixture(scope="module")
def figures(executed) -> list[Figure]:
    return executed.figures


def test_heatmaps_of_weights_can_be_read(figures):
    """Query and key on the axes, a labelled tick on every row and column, colours from 0 to 1."""
    heatmaps = [
        ax
        for figure in figures
        for ax in figure.axes
        if ax.images and {ax.get_xlabel(), ax.get_ylabel()} & {"query", "key"}
    ]
    of_weights = 0
    for ax in heatmaps:
        # Scores and masks are no weights, and -inf stands in no weight's place.
        infinite = any("∞" in text.get_text() for text in ax.texts)
        weights = "score" not in ax.get_title() and ax.get_title() != "mask" and not infinite
        of_weights += weights
        # Panels of a grid may share an axis, whose labels stand at the outer panels only.
        assert ax.images[0].get_clim() == (0, 1) or not weights
        rows, columns = ax.images[0].get_array().shape
        assert list(ax.get_xticks()) == list(range(columns))
        assert list(ax.get_yticks()) == list(range(rows))
        data = ax.images[0].get_array()
        assert data.min() >= 0 and data.max() <= 1 or not weights
    assert of_weights


def test_every_axis_has_a_name(figures):
    for figure in figures:
        # A diagram of blocks and arrows has none.
        axes = [ax for ax in figure.axes if ax.axison]
        named = any(ax.get_xlabel() for ax in axes) and any(ax.get_ylabel() for ax in axes)
        assert named or not axes, [ax.get_title() for ax in axes]


def test_numbers_in_the_text_are_what_the_lesson_computes(executed):
    claims = tomllib.loads(
        (REPOSITORY / "tests" / "course" / "claims" / f"{executed.lesson}.toml").read_text(encoding="utf-8")
    )["claim"]
    text = "\n".join(
        cell.source for cell in notebook("release", executed.lesson).cells if cell.cell_type == "markdown"
    )
    assert claims
    for claim in claims:
        values = [eval(value, executed.names) for value in claim.get("values", [])]
        assert values or "prints" in claim, claim
        assert claim["text"].format(*values) in text, (claim, values)
        assert claim.get("prints", "") in executed.printed, claim
