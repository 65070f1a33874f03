"""Classify the code cells of an instructor's notebook, and the names that they define."""

import ast
from collections.abc import Mapping, Set

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.execute.test_modes import find_in_process_tests
from gradebox.notebook_exercises import get_grade_id, is_locked_code_cell
from gradebox.static_analysis.cell_names import (
    assigned_names,
    extract_imports,
    find_mutated_names,
    names_assigned_before_use,
    parse_cell,
)
from gradebox.static_analysis.cell_scope import find_global_uses
from gradebox.static_analysis.resolve_imports import DEFINITION_NODES, resolve_imports

# Cells that students own; tests that run in the judge; tests that run in the student's process; and other
# locked cells, such as imports and given data: those that use no name that students define, and those that
# may use one.
STUDENT_CELL, JUDGED_TEST, IN_PROCESS_TEST, INDEPENDENT_CELL, DEPENDENT_CELL = (
    "student's",
    "test",
    "in-process",
    "given",
    "meeting",
)


def classify_cells(source: NotebookNode) -> dict[str, str]:
    """Return the roles of the instructor's code cells by grade_id.

    All other cells of a submission are the student's.
    """
    found: dict[str, str] = {}
    modules = find_imported_names(source)
    known: frozenset[str] = names_assigned_before_use(collect_editable_imports(source))
    outside = find_in_process_tests(source)
    for cell in source.cells:
        if not is_locked_code_cell(cell):
            if cell.cell_type == "code":
                # From here on, only the student's process has the values of the names changed here.
                known -= find_changed_names(cell.source) - modules
            continue
        here = names_assigned_before_use(cell.source)
        if get_grade_id(cell) in outside:
            found[get_grade_id(cell)] = IN_PROCESS_TEST
            continue
        used, functions = find_global_uses(cell.source)
        late = find_dependent_functions(functions, known | here)
        meets = not used <= (known | here) - late
        found[get_grade_id(cell)] = (
            JUDGED_TEST if utils.is_grade(cell) else DEPENDENT_CELL if meets else INDEPENDENT_CELL
        )
        if found[get_grade_id(cell)] == INDEPENDENT_CELL:
            known |= here - late
    return found


def find_dependent_functions(functions: Mapping[str, Set[str]], known: Set[str]) -> frozenset[str]:
    """Return the functions and classes that use other names than the known ones when they are called.

    functions: the names that each function or class uses, by its name.
    """
    late = {name for name, used in functions.items() if not used <= known}
    while more := {name for name, used in functions.items() if used & late} - late:
        late |= more
    return frozenset(late)


def is_solution(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and utils.is_solution(cell)


def find_locked_names(source: NotebookNode) -> frozenset[str]:
    """Return the names that the instructor's locked cells assign."""
    outside = find_in_process_tests(source)
    cells = (cell for cell in source.cells if is_locked_code_cell(cell) and get_grade_id(cell) not in outside)
    return names_assigned_before_use(*(cell.source for cell in cells))


def find_overwritten_names(source: NotebookNode) -> dict[str, frozenset[str]]:
    """Return the locked names that the student has overwritten before each locked cell, by its grade_id.

    These are the names that a student's cell assigns or mutates and that no locked cell has assigned since.
    Only the text of the instructor's notebook is read. Imported names stay the instructor's.
    """
    now, found = set[str](), {}
    own = find_locked_names(source) - find_imported_names(source)
    outside = find_in_process_tests(source)
    for cell in source.cells:
        if cell.cell_type == "code" and not is_locked_code_cell(cell):
            now |= find_changed_names(cell.source) & own
        elif is_locked_code_cell(cell):
            found[get_grade_id(cell)] = frozenset(now)
            if get_grade_id(cell) not in outside:
                now -= names_assigned_before_use(cell.source)
    return found


def find_imported_names(source: NotebookNode) -> frozenset[str]:
    """Return the names that any cell imports."""
    return frozenset(resolve_imports([cell.source for cell in source.cells if cell.cell_type == "code"]))


def find_changed_names(source: str) -> frozenset[str]:
    """Return the names that a cell assigns or mutates, except inside of its functions and classes."""
    statements = [node for node in parse_cell(source).body if not isinstance(node, DEFINITION_NODES)]
    # A method whose result is discarded was called for its side effects on the object.
    called = [
        one.value.func for one in statements if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)
    ]
    objects = [function.value for function in called if isinstance(function, ast.Attribute)]
    of = {one.id for one in objects if isinstance(one, ast.Name)}
    return frozenset(assigned_names(source) | find_mutated_names(ast.Module(statements, [])) | of)


def find_solution_names(source: NotebookNode) -> set[str]:
    """Return the names that students must define: those that the reference solutions assign."""
    return assigned_names(*(cell.source for cell in filter(is_solution, source.cells)))


def collect_editable_imports(source: NotebookNode) -> str:
    """Return the imports of the instructor's editable code cells as lines of Python."""
    others = [cell for cell in source.cells if cell.cell_type == "code" and not is_locked_code_cell(cell)]
    return "".join(f"{extract_imports(cell.source)}\n" for cell in others if extract_imports(cell.source))
