"""Find the tests that measure time in an instructor's notebook; `detect_test_modes.py` uses them."""

import ast

from nbformat.notebooknode import NotebookNode

from gradebox.execute.test_modes import test_cells
from gradebox.notebook_exercises import find_grade_id, is_locked_code_cell
from gradebox.static_analysis.cell_names import parse_cell
from gradebox.static_analysis.cell_scope import analyze_scope

# Functions that read a clock, besides `time.time`. Between two readings, a judge would also count the time
# that values need to get from one process to the other.
CLOCKS = {
    *("perf_counter", "monotonic", "process_time", "thread_time", "default_timer"),
    *("perf_counter_ns", "monotonic_ns", "process_time_ns", "thread_time_ns", "time_ns"),
}
TIMED_REASON, LATER_REASON = "it measures time", "a later test depends on it"


def find_timed_tests(source: NotebookNode) -> dict[str, str]:
    """Return the tests that measure time, and the earlier tests whose names they use, with the reasons."""
    trees = (parse_cell(cell.source) for cell in source.cells if is_locked_code_cell(cell))
    timers = {
        node.name
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and measures_time(node)
    }
    found: dict[str, str] = {}
    used: frozenset[str] = frozenset()
    for cell in reversed([*test_cells(source)]):
        scope = analyze_scope(cell.source)
        timed = measures_time(parse_cell(cell.source)) or bool(scope.uses & timers)
        if timed or scope.leaves & used:
            found[find_grade_id(cell) or ""] = TIMED_REASON if timed else LATER_REASON
            used |= scope.uses
    return found


def measures_time(tree: ast.AST) -> bool:
    """Return True if code calls a timer, or reads a clock more than once."""
    names = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    clocks = [name for name in names if name == "time.time" or name.rpartition(".")[2] in CLOCKS]
    return len(clocks) > 1 or any("timeit" in name.split(".") for name in names)
