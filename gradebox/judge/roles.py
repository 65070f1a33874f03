"""Whose a cell is: the student's, a test, or given to both sides; and which names are whose."""

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.code.names import answered_names, given_names, imports, used_names
from gradebox.notebook import grade_id, is_instructors

# Cells that students own; tests; locked cells that are no tests, such as imports and given data: those that
# can't meet what students wrote, and those that may.
STUDENTS, TEST, GIVEN, MEETING = "student's", "test", "given", "meeting"


def roles(source: NotebookNode) -> dict[str, str]:
    """The roles of the instructor's code cells, by name: everything else in a submission is the student's."""
    found, known = {}, given_names(imports_in(source))
    for cell in filter(is_instructors, source.cells):
        here = given_names(cell.source)
        meets = not used_names(cell.source) <= known | here
        found[grade_id(cell)] = TEST if utils.is_grade(cell) else MEETING if meets else GIVEN
        if found[grade_id(cell)] == GIVEN:
            known |= here
    return found


def own_names(source: NotebookNode) -> frozenset[str]:
    """The names that the instructor's locked cells give a value to."""
    return given_names(*(cell.source for cell in source.cells if is_instructors(cell)))


def answered(source: NotebookNode) -> set[str]:
    """The names that students are asked to give a value to: those that the reference solutions do."""
    solutions = [cell for cell in source.cells if cell.cell_type == "code" and utils.is_solution(cell)]
    return answered_names(*(cell.source for cell in solutions))


def imports_in(source: NotebookNode) -> str:
    """The imports of the instructor's other code cells, which students may change, as lines of Python."""
    others = [cell for cell in source.cells if cell.cell_type == "code" and not is_instructors(cell)]
    return "".join(f"{imports(cell.source)}\n" for cell in others if imports(cell.source))
