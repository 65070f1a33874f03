"""Build a submission from a lesson's own solutions, and find the exercises that have no solution."""

import ast
import textwrap
from copy import deepcopy

from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from nbgrader.preprocessors import ClearSolutions

from gradebox.notebook_exercises import find_grade_id, get_grade_id


def build_reference_notebook(released: NotebookNode, source: NotebookNode) -> NotebookNode:
    """Return a copy of a released notebook with the solution cells of the notebook in `source/`."""
    solutions = {find_grade_id(cell): cell.source for cell in source.cells if utils.is_solution(cell)}
    notebook = deepcopy(released)
    for cell in notebook.cells:
        if utils.is_solution(cell):
            cell.source = solutions.get(find_grade_id(cell), cell.source)
    return notebook


def find_unsolved_exercises(source: NotebookNode, marks: ClearSolutions) -> set[str]:
    """Return the grade_ids of the code cells that should have a solution, but have none.

    marks: the preprocessor with the delimiters of solutions.
    """
    cells = (cell for cell in source.cells if utils.is_solution(cell) and cell.cell_type == "code")
    return {get_grade_id(cell) for cell in cells if not has_solution_code(extract_solution(cell, marks))}


def extract_solution(cell: NotebookNode, marks: ClearSolutions) -> str:
    """Return the text between the delimiters of a solution cell; all of its text without delimiters."""
    regions, inside, marked = [], False, False
    for line in cell.source.splitlines():
        if marks.begin_solution_delimeter in line:
            inside = marked = True
        elif marks.end_solution_delimeter in line:
            inside = False
        elif inside:
            regions.append(line)
    return textwrap.dedent("\n".join(regions)) if marked else cell.source


def has_solution_code(code: str) -> bool:
    """Return True if code does more than `pass`, `...`, a docstring or `raise NotImplementedError`."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        # Another language, or a magic command.
        return any(line.strip() and not line.lstrip().startswith(("#", "//")) for line in code.splitlines())
    return not all(map(is_placeholder, tree.body))


def is_placeholder(node: ast.stmt) -> bool:
    """Return True for a statement of a stub."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return all(map(is_placeholder, node.body))
    if isinstance(node, ast.Raise):
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
