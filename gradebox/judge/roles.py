"""Whose a cell is: the student's, a test, or given to both sides; and which names are whose."""

import ast
from collections.abc import Mapping

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.code.calls import DEFINES, definitions, imported
from gradebox.code.names import answered_names, changed_in_place, given_names, imports, parsed, used_names
from gradebox.notebook import grade_id, is_instructors

# Cells that students own; tests, and those that their author wants to be run where the student's code runs;
# locked cells that are no tests, such as imports and given data: those that can't meet what students wrote,
# and those that may.
STUDENTS, TEST, UNJUDGED, GIVEN, MEETING = "student's", "test", "unjudged", "given", "meeting"


def roles(source: NotebookNode) -> dict[str, str]:
    """The roles of the instructor's code cells, by name: everything else in a submission is the student's."""
    found: dict[str, str] = {}
    modules = imports_everywhere(source)
    known: frozenset[str] = given_names(imports_in(source))
    for cell in source.cells:
        if not is_instructors(cell):
            if cell.cell_type == "code":
                # From here on they are what the student's process says.
                known -= left_otherwise(cell.source) - modules
            continue
        here = given_names(cell.source)
        if is_unjudged(cell):
            found[grade_id(cell)] = UNJUDGED
            continue
        meets = not used_names(cell.source) <= known | here
        found[grade_id(cell)] = TEST if utils.is_grade(cell) else MEETING if meets else GIVEN
        if found[grade_id(cell)] == GIVEN:
            known |= here
    return found


def is_solution(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and utils.is_solution(cell)


def is_unjudged(cell: NotebookNode) -> bool:
    """Whether a test is to be run in the student's process, as its author says by a tag."""
    return is_instructors(cell) and utils.is_grade(cell) and UNJUDGED in cell.metadata.get("tags", [])


def own_names(source: NotebookNode) -> frozenset[str]:
    """The names that the instructor's locked cells give a value to."""
    cells = (cell for cell in source.cells if is_instructors(cell) and not is_unjudged(cell))
    return given_names(*(cell.source for cell in cells))


def returned_names(source: NotebookNode) -> dict[str, frozenset[str]]:
    """For each locked cell the names that a cell of the student's gives a value to, or changes, and no locked
    cell since; by name.

    All by the instructor's own text. What is imported stays the instructor's.
    """
    now, found = set[str](), {}
    functions = definitions(cell.source for cell in source.cells if is_instructors(cell))
    own = own_names(source) - imports_everywhere(source)
    for cell in source.cells:
        if cell.cell_type == "code" and not is_instructors(cell):
            now |= (left_otherwise(cell.source) | changed_by_calls(cell.source, functions)) & own
        elif is_instructors(cell):
            found[grade_id(cell)] = frozenset(now)
            if not is_unjudged(cell):
                now -= given_names(cell.source)
    return found


def imports_everywhere(source: NotebookNode) -> frozenset[str]:
    """The names that any cell imports."""
    return frozenset(imported([cell.source for cell in source.cells if cell.cell_type == "code"]))


def left_otherwise(source: str) -> frozenset[str]:
    """The names that a cell gives a value to, or whose values it changes, but for those of its functions."""
    statements = [node for node in parsed(source).body if not isinstance(node, DEFINES)]
    text = "\n".join(map(ast.unparse, statements))
    called = {
        node.value.func.value.id
        for node in statements
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and isinstance(node.value.func.value, ast.Name)
    }
    # A method whose result nobody wants was called for what it changes.
    return frozenset(answered_names(source) | changed_in_place(text) | called)


def changed_by_calls(source: str, functions: Mapping[str, list[ast.AST]]) -> set[str]:
    """What the functions of locked cells change outside of themselves that a cell calls for nothing else."""
    called = {
        node.value.func.id
        for part in parsed(source).body
        if not isinstance(part, DEFINES)
        for node in ast.walk(part)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
    }
    return {
        name for one in called & functions.keys() for node in functions[one] for name in changed_outside(node)
    }


def changed_outside(function: ast.AST) -> frozenset[str]:
    """The names outside of a function whose values it changes, or that it gives another one."""
    text = ast.unparse(function)
    outer = {name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names}
    return frozenset(outer | changed_in_place(text) & used_names(text))


def answered(source: NotebookNode) -> set[str]:
    """The names that students are asked to give a value to: those that the reference solutions do."""
    return answered_names(*(cell.source for cell in filter(is_solution, source.cells)))


def imports_in(source: NotebookNode) -> str:
    """The imports of the instructor's other code cells, which students may change, as lines of Python."""
    others = [cell for cell in source.cells if cell.cell_type == "code" and not is_instructors(cell)]
    return "".join(f"{imports(cell.source)}\n" for cell in others if imports(cell.source))
