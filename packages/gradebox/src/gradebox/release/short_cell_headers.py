"""Short cell headers in lesson texts, such as `# %% test softmax points=2`, in place of nbgrader's metadata.

jupytext reads the words before the options of a header as the cell's title, and `points` as an option. In a
lesson with short headers, each title is a word of `HEADER_WORDS` and a name.
"""

import re
from dataclasses import dataclass
from typing import Any

import jupytext
from nbformat.notebooknode import NotebookNode

from gradebox.notebook_exercises import SCHEMA, find_grade_id

# A test cell is named after its solution cell: `test softmax` has the grade_id softmax-test.
TEST_ENDING = "-test"
NAME = re.compile(r"[A-Za-z0-9_-]+")


class ShortHeaderError(ValueError):
    """Invalid short header; the message names the line."""


@dataclass(frozen=True)
class HeaderWord:
    """Meaning of the first word of a short header: nbgrader's settings, and the types of its cells."""

    cell_types: tuple[str, ...]
    grade: bool = False
    locked: bool = False
    solution: bool = False
    task: bool = False

    @property
    def has_points(self) -> bool:
        """True if the header states points."""
        return self.grade or self.task

    def build_settings(self, grade_id: str, points: Any) -> dict[str, Any]:
        """Return the nbgrader metadata of a cell. points: ignored if such cells have none."""
        settings = {"grade": self.grade, "grade_id": grade_id, "locked": self.locked}
        settings |= {"schema_version": SCHEMA, "solution": self.solution, "task": self.task}
        return settings | ({"points": points} if self.has_points else {})


HEADER_WORDS = {
    "solution": HeaderWord(("code",), solution=True),
    "test": HeaderWord(("code",), grade=True, locked=True),
    "written": HeaderWord(("markdown", "code"), grade=True, solution=True),
    "task": HeaderWord(("markdown",), locked=True, task=True),
    "locked": HeaderWord(("code", "markdown"), locked=True),
}


def has_short_headers(notebook: NotebookNode) -> bool:
    """Return True if a notebook that jupytext has read from a lesson's text has short headers."""
    titles = ((read_title(cell), cell) for cell in notebook.cells)
    # With points, the title is meant as a short header even if its word is misspelled.
    return any(words and (words[0] in HEADER_WORDS or "points" in cell.metadata) for words, cell in titles)


def read_title(cell: NotebookNode) -> list[str]:
    """Return the words of a cell's title; empty for a cell with nbgrader metadata."""
    return [] if "nbgrader" in cell.metadata else str(cell.metadata.get("title", "")).split()


def expand_short_headers(notebook: NotebookNode, text: str) -> None:
    """Replace short headers by nbgrader metadata, in place. A notebook without short headers is not changed.

    text: the lesson's text, from which jupytext has read the notebook. Raises ShortHeaderError.
    """
    if not has_short_headers(notebook):
        return
    titled = [(cell, cell.metadata.title) for cell in notebook.cells if read_title(cell)]
    for cell, title in titled:
        problem = expand_header(cell)
        if problem:
            raise ShortHeaderError(f"line {find_title_line(text, title)}: {problem}")
    names = [find_grade_id(cell) for cell in notebook.cells]
    for cell, title in reversed(titled):
        name = find_grade_id(cell)
        if names.count(name) > 1:
            line = find_title_line(text, title)
            raise ShortHeaderError(f"line {line}: another cell has the grade_id {name!r}, too")


def expand_header(cell: NotebookNode) -> str | None:
    """Replace the title of a cell by nbgrader metadata, in place, or return the problem with the header."""
    word, *names = read_title(cell)
    if word not in HEADER_WORDS:
        known = ", ".join(HEADER_WORDS)
        return f"unknown word {word!r} in a cell header (known: {known}); write titles as comments"
    kind, points = HEADER_WORDS[word], cell.metadata.get("points")
    place = "" if "code" in kind.cell_types else " [markdown]"
    example = f'"# %% {word} NAME{place}{" points=2" if kind.has_points else ""}"'
    if len(names) != 1:
        return f"{word!r} needs one name: write {example}"
    if cell.cell_type not in kind.cell_types:
        return f"{word!r} is not a word for {cell.cell_type} cells: write {example}"
    if kind.has_points and (not isinstance(points, int | float) or isinstance(points, bool)):
        return f"{word} {names[0]} needs points: write {example}"
    if not kind.has_points and "points" in cell.metadata:
        return f"{word} {names[0]} can't have points: write them in the header of its test"
    for key in ("title", "points"):
        cell.metadata.pop(key, None)
    cell.metadata["nbgrader"] = kind.build_settings(get_full_name(word, names[0]), points)
    return None


def get_full_name(word: str, name: str) -> str:
    """Return the grade_id for the name in a short header."""
    return f"{name}{TEST_ENDING}" if word == "test" and not name.endswith(TEST_ENDING) else name


def find_title_line(text: str, title: str) -> int:
    """Return the number of the last line with a cell header that has this title."""

    def has_title(line: str) -> bool:
        cells = jupytext.reads(line, "py:percent").cells if "%%" in line else []
        return any(cell.metadata.get("title") == title for cell in cells)

    return max(number for number, line in enumerate(text.split("\n"), 1) if has_title(line))


def shorten_headers(notebook: NotebookNode) -> None:
    """Replace nbgrader metadata by short headers, in place, where a short header means the same."""
    for cell in notebook.cells:
        header = find_short_header(cell)
        if header:
            rest = {key: value for key, value in cell.metadata.items() if key != "nbgrader"}
            cell.metadata = NotebookNode(header | rest)


def find_short_header(cell: NotebookNode) -> dict[str, Any] | None:
    """Return the title, and the points if any, that mean the same as a cell's nbgrader metadata, or None."""
    name = find_grade_id(cell)
    if not name or not NAME.fullmatch(name) or {"title", "points"} & cell.metadata.keys():
        return None
    settings = cell.metadata.nbgrader
    points = {"points": settings["points"]} if "points" in settings else {}
    for word in HEADER_WORDS:
        for short in (name.removesuffix(TEST_ENDING), name):
            header = {"title": f"{word} {short}"} | points
            expanded = NotebookNode(cell_type=cell.cell_type, metadata=NotebookNode(header))
            if not expand_header(expanded) and expanded.metadata.nbgrader == settings:
                return header
    return None
