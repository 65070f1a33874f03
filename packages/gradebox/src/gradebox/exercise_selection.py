"""Select the exercises of a lesson that a course gives: all, the core edition, or some by name (`c.Lessons`).

A notebook in `source/` has all exercises of its lesson. The release step `Lessons` and `Course.source` leave
out the others, so the gradebook, the released notebook and all commands know the selected ones only.

A *section* begins with a heading of level 1 or 2 and ends before the next one. Its exercises are selected or
left out together, with the section. The key `with` in a cell's metadata lists exercises, by grade_id, without
which the cell is left out; if the cell begins a section, the section is. In Markdown,
`<!-- with: name -->…<!-- end -->` does the same for a passage. `<!-- points -->2 points<!-- end -->` is
replaced by the points of the section's exercises, and in a section without exercises by those of all
selected ones. `<!-- minutes -->…<!-- end -->` is replaced by the minutes of all selected exercises. The cell
with the heading states the minutes of an exercise, as "about 8 minutes".
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from copy import copy
from dataclasses import dataclass
from itertools import chain

from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Dict, TraitError, Unicode, Union, validate

from gradebox.notebook_exercises import (
    CODE_BLOCK,
    find_grade_id,
    find_prerequisites,
    get_grade_id,
    map_tests_to_solutions,
)

# The key in the metadata of a solution cell or task, and its value for an exercise of the core edition.
EDITION_KEY, CORE, FULL = "edition", "core", "full"
CONDITION_KEY = "with"
SECTION_HEADING = re.compile(r"^##?[ \t]", re.MULTILINE)
PASSAGE = re.compile(r"<!--\s*with:\s*([\w\s,-]+?)\s*-->(.*?)<!--\s*end\s*-->", re.DOTALL)
TOTAL = re.compile(r"<!--\s*(points|minutes)\s*-->(.*?)<!--\s*end\s*-->", re.DOTALL)
MINUTES = re.compile(r"\babout (\d+) minutes?\b")


class Lessons(NbGraderPreprocessor):
    """Release step that leaves out the exercises that are not selected."""

    edition = Union(
        [Unicode(), Dict()],
        default_value=FULL,
        help="'core' for the exercises that are marked as core, 'full' for all, or a dict by lesson.",
    ).tag(config=True)
    exercises = Dict(
        help="Lists of grade_ids by lesson: give these exercises and those that they build on."
    ).tag(config=True)

    @validate("edition")
    def _check_edition(self, proposal):
        value = proposal["value"]
        for one in value.values() if isinstance(value, dict) else [value]:
            if one not in (CORE, FULL):
                raise TraitError(f"Lessons.edition must be 'core' or 'full', not {one!r}")
        return value

    @validate("exercises")
    def _check_exercises(self, proposal):
        for lesson, names in proposal["value"].items():
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                raise TraitError(f"Lessons.exercises[{lesson!r}] must be a list of grade_ids, not {names!r}")
        return proposal["value"]

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        return self.select(nb, resources["nbgrader"]["assignment"]), resources

    def select(self, notebook: NotebookNode, assignment: str) -> NotebookNode:
        """Return a notebook with the sections of an assignment's selected exercises.

        Raises ValueError, see `select_exercises`.
        """
        if assignment in self.exercises:
            names: Collection[str] = self.exercises[assignment]
            return select_exercises(notebook, lambda name, cell: name in names)
        if self.get_edition(assignment) == CORE:
            return select_exercises(notebook, lambda name, cell: cell.metadata.get(EDITION_KEY) == CORE)
        return select_exercises(notebook, None)

    def may_change(self, text: str, assignment: str) -> bool:
        """Return False if `select` would return the notebook with this JSON text unchanged."""
        named = assignment in self.exercises or self.get_edition(assignment) == CORE
        return named or "<!--" in text or f'"{CONDITION_KEY}":' in text

    def get_edition(self, assignment: str) -> str:
        """Return the edition of an assignment for which no exercises are named."""
        return self.edition.get(assignment, FULL) if isinstance(self.edition, dict) else self.edition

    def find_problem(self, assignment: str, sources: Mapping[str, NotebookNode]) -> str | None:
        """Return why the selection for an assignment is impossible, or None.

        sources: the instructor's notebooks with all exercises.
        """
        exercises = {name: cell for source in sources.values() for name, cell in find_exercise_cells(source)}
        if assignment in self.exercises:
            unknown = [name for name in self.exercises[assignment] if name not in exercises]
            if unknown:
                known = ", ".join(exercises)
                return f"c.Lessons.exercises names {unknown[0]!r}, which is not an exercise (known: {known})"
            if not self.exercises[assignment]:
                return "c.Lessons.exercises names no exercise"
        elif self.get_edition(assignment) == CORE:
            if not any(cell.metadata.get(EDITION_KEY) == CORE for cell in exercises.values()):
                return (
                    "no exercise is marked as core: mark them, or set c.Lessons.edition = "
                    f"{{{assignment!r}: 'full'}}"
                )
        return None


def find_exercise_cells(notebook: NotebookNode) -> list[tuple[str, NotebookNode]]:
    """Return the solution cells, tasks and written questions of a notebook, with their grade_ids."""
    cells = (cell for cell in notebook.cells if utils.is_solution(cell) or utils.is_task(cell))
    return [(get_grade_id(cell), cell) for cell in cells]


@dataclass(frozen=True)
class Section:
    """Cells from a heading of level 1 or 2 to the next one.

    exercises: those whose solution, question or test is in the section, by grade_id.
    """

    cells: list[NotebookNode]
    exercises: set[str]

    @property
    def minutes(self) -> int:
        """The minutes that the section states for its exercises; 0 without exercises."""
        found = MINUTES.search(self.cells[0].source) if self.exercises else None
        return int(found[1]) if found else 0

    def is_kept(self, chosen: Set[str]) -> bool:
        """Return True if all exercises of the section are chosen, and those that its first cell requires."""
        return self.exercises <= chosen and has_required_exercises(self.cells[0], chosen)


def select_exercises(
    notebook: NotebookNode, is_selected: Callable[[str, NotebookNode], bool] | None
) -> NotebookNode:
    """Return a notebook with the selected exercises, their sections, and all that these build on.

    is_selected: decides about an exercise by its grade_id and cell; None selects all. Raises ValueError if
    `builds_on` is invalid.
    """
    exercises, sections = find_exercise_cells(notebook), [*split_into_sections(notebook)]
    chosen = {name for name, cell in exercises if not is_selected or is_selected(name, cell)}
    needed, before = find_prerequisites(notebook) if is_selected else {}, set[str]()
    while before != chosen:
        before = chosen
        together = (section.exercises for section in sections if section.exercises & chosen)
        chosen = chosen.union(*together, *(needed.get(name, ()) for name in chosen))
    sections = [section for section in sections if section.is_kept(chosen)]
    kept = [[cell for cell in one.cells if has_required_exercises(cell, chosen)] for one in sections]
    points, minutes = format_total_points(chain(*kept)), str(sum(section.minutes for section in sections))
    selected = copy(notebook)
    selected.cells = []
    for section, cells in zip(sections, kept, strict=True):
        totals = {"points": format_total_points(cells) if section.exercises else points, "minutes": minutes}
        filled = ((cell, fill_passages(cell, chosen, totals)) for cell in cells)
        selected.cells += [new for old, new in filled if new.source.strip() or not old.source.strip()]
    return selected


def split_into_sections(notebook: NotebookNode) -> Iterator[Section]:
    """Yield the sections of a notebook."""
    owners = {name: name for name, _ in find_exercise_cells(notebook)}
    for exercise, tests in map_tests_to_solutions(notebook).items():
        owners |= dict.fromkeys(tests, exercise)
    section = Section([], set())
    for cell in notebook.cells:
        text = CODE_BLOCK.sub("", cell.source) if cell.cell_type == "markdown" else ""
        if SECTION_HEADING.search(text) and section.cells:
            yield section
            section = Section([], set())
        section.cells.append(cell)
        name = find_grade_id(cell)
        if name in owners:
            section.exercises.add(owners[name])
    if section.cells:
        yield section


def format_total_points(cells: Iterable[NotebookNode]) -> str:
    """Return the points of graded cells, as text."""
    graded = (cell for cell in cells if utils.is_grade(cell) or utils.is_task(cell))
    return f"{sum(cell.metadata.nbgrader.points for cell in graded):g}"


def has_required_exercises(cell: NotebookNode, chosen: Set[str]) -> bool:
    """Return True if all exercises that a cell's metadata requires are chosen."""
    return chosen >= set(cell.metadata.get(CONDITION_KEY, ()))


def fill_passages(cell: NotebookNode, chosen: Set[str], totals: Mapping[str, str]) -> NotebookNode:
    """Return a Markdown cell with the passages that need chosen exercises only, and with totals."""
    if cell.cell_type != "markdown" or "<!--" not in cell.source:
        return cell
    text = PASSAGE.sub(
        lambda found: found[2] if chosen >= {*re.split(r"[\s,]+", found[1])} else "", cell.source
    )
    filled = copy(cell)
    filled.source = TOTAL.sub(lambda found: format_total(found, totals), text).strip("\n")
    return filled


def format_total(found: re.Match[str], totals: Mapping[str, str]) -> str:
    """Return the number for a match of `TOTAL`, with the word "points" if the passage has this word."""
    number = totals[found[1]]
    if "point" not in found[2]:
        return number
    return f"{number} {'point' if number == '1' else 'points'}"
