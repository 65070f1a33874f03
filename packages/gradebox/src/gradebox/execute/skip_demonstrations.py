"""Demonstrations: cells that only show something to students, such as figures and timings.

An author tags such a cell `demonstration`. Grading skips a demonstration that is unchanged since the release,
and the graded copy shows the submitted outputs. `gradebox check` and the proof of the reference solution find
tests that need a demonstration. Stock nbgrader runs all cells.
"""

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.notebook_exercises import find_grade_id, is_locked_code_cell
from gradebox.static_analysis.cell_scope import Scope, analyze_scope

DEMONSTRATION_TAG = "demonstration"


def has_demonstration_tag(cell: NotebookNode) -> bool:
    """Return True for a code cell with the tag `demonstration`."""
    return cell.cell_type == "code" and DEMONSTRATION_TAG in cell.metadata.get("tags", [])


def is_demonstration(cell: NotebookNode) -> bool:
    """Return True for a code cell with the tag `demonstration` that is not graded."""
    return has_demonstration_tag(cell) and not (utils.is_grade(cell) or utils.is_solution(cell))


class Demonstrations:
    """The demonstrations of an instructor's notebook.

    released: the grade_id (None for most) and the source of each demonstration.
    """

    def __init__(self, source: NotebookNode):
        self.released = {
            (find_grade_id(cell), cell.source) for cell in filter(is_demonstration, source.cells)
        }

    def find_skippable(self, notebook: NotebookNode) -> set[int]:
        """Return the indices of the demonstrations in a sanitized submission that need not be run.

        A demonstration is run if an editable cell uses a name that the demonstration defines, or if another
        demonstration that is run uses one.
        """
        unneeded: dict[int, Scope] = {}
        users: list[Scope] = []
        for place, cell in enumerate(notebook.cells if self.released else []):
            if cell.cell_type != "code":
                continue
            if (find_grade_id(cell), cell.source) in self.released:
                unneeded[place] = analyze_scope(cell.source)
            elif not is_locked_code_cell(cell):
                users.append(analyze_scope(cell.source))
        while users:
            user = users.pop()
            needed = [place for place, one in unneeded.items() if depends_on(user, one)]
            users += [unneeded.pop(place) for place in needed]
        return set(unneeded)


def depends_on(user: Scope, one: Scope) -> bool:
    """Return True if a cell may use a name that another cell defines.

    The names that `from module import *` defines are unknown, so any cell may use them.
    """
    return not one.leaves.isdisjoint(user.uses) or any(name.endswith(".*") for name in one.leaves)
