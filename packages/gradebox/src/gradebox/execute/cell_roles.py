"""Classify the code cells of an instructor's notebook, and the names that they define."""

import ast
from collections.abc import Mapping, Set

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.execute.test_modes import in_process
from gradebox.notebook import grade_id, is_instructors
from gradebox.static_analysis.cell_scope import uses
from gradebox.static_analysis.imported_names import DEFINES, imported
from gradebox.static_analysis.test_names import answered_names, changed_in_place, given_names, imports, parsed

# Cells that students own; tests that run in the judge, and those that run in the student's process; other
# locked cells, such as imports and given data: those that don't use anything that students define, and those
# that may.
STUDENTS, TEST, IN_PROCESS, GIVEN, MEETING = "student's", "test", "in-process", "given", "meeting"


def roles(source: NotebookNode) -> dict[str, str]:
    """The roles of the instructor's code cells, by name: everything else in a submission is the student's."""
    found: dict[str, str] = {}
    modules = imports_everywhere(source)
    known: frozenset[str] = given_names(imports_in(source))
    outside = in_process(source)
    for cell in source.cells:
        if not is_instructors(cell):
            if cell.cell_type == "code":
                # From here on they are what the student's process says.
                known -= left_otherwise(cell.source) - modules
            continue
        here = given_names(cell.source)
        if grade_id(cell) in outside:
            found[grade_id(cell)] = IN_PROCESS
            continue
        used, functions = uses(cell.source)
        late = meeting_later(functions, known | here)
        meets = not used <= (known | here) - late
        found[grade_id(cell)] = TEST if utils.is_grade(cell) else MEETING if meets else GIVEN
        if found[grade_id(cell)] == GIVEN:
            known |= here - late
    return found


def meeting_later(functions: Mapping[str, Set[str]], known: Set[str]) -> frozenset[str]:
    """The functions and classes that use other names than the known ones when they are called.

    functions: the names that each uses.
    """
    late = {name for name, used in functions.items() if not used <= known}
    while more := {name for name, used in functions.items() if used & late} - late:
        late |= more
    return frozenset(late)


def is_solution(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and utils.is_solution(cell)


def own_names(source: NotebookNode) -> frozenset[str]:
    """The names that the instructor's locked cells give a value to."""
    outside = in_process(source)
    cells = (cell for cell in source.cells if is_instructors(cell) and grade_id(cell) not in outside)
    return given_names(*(cell.source for cell in cells))


def returned_names(source: NotebookNode) -> dict[str, frozenset[str]]:
    """For each locked cell the names that a cell of the student's gives a value to, or changes, and no locked
    cell since; by name.

    All by the instructor's own text. What is imported stays the instructor's.
    """
    now, found = set[str](), {}
    own = own_names(source) - imports_everywhere(source)
    outside = in_process(source)
    for cell in source.cells:
        if cell.cell_type == "code" and not is_instructors(cell):
            now |= left_otherwise(cell.source) & own
        elif is_instructors(cell):
            found[grade_id(cell)] = frozenset(now)
            if grade_id(cell) not in outside:
                now -= given_names(cell.source)
    return found


def imports_everywhere(source: NotebookNode) -> frozenset[str]:
    """The names that any cell imports."""
    return frozenset(imported([cell.source for cell in source.cells if cell.cell_type == "code"]))


def left_otherwise(source: str) -> frozenset[str]:
    """The names that a cell gives a value to, or whose values it changes, but for those of its functions."""
    statements = [node for node in parsed(source).body if not isinstance(node, DEFINES)]
    text = "\n".join(map(ast.unparse, statements))
    # A method whose result nobody wants was called for what it changes.
    called = [
        one.value.func for one in statements if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)
    ]
    objects = [function.value for function in called if isinstance(function, ast.Attribute)]
    of = {one.id for one in objects if isinstance(one, ast.Name)}
    return frozenset(answered_names(source) | changed_in_place(text) | of)


def answered(source: NotebookNode) -> set[str]:
    """The names that students are asked to give a value to: those that the reference solutions do."""
    return answered_names(*(cell.source for cell in filter(is_solution, source.cells)))


def imports_in(source: NotebookNode) -> str:
    """The imports of the instructor's other code cells, which students may change, as lines of Python."""
    others = [cell for cell in source.cells if cell.cell_type == "code" and not is_instructors(cell)]
    return "".join(f"{imports(cell.source)}\n" for cell in others if imports(cell.source))
