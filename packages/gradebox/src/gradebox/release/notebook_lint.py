"""Find problems in instructors' notebooks, by file and cell, before a release.

nbgrader's own steps run on one cell at a time, so that each refusal names a cell. Problems that nbgrader
accepts, and that only students would notice, are checked here.
"""

import ast
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass

from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme, ClearSolutions, NbGraderPreprocessor

from gradebox.autograde.assign_steps_to_processes import import_step_classes
from gradebox.course import Course, CourseError
from gradebox.notebook_exercises import (
    SCHEMA,
    find_format_problems,
    find_grade_id,
    find_settings_problem,
    is_nbgrader_cell,
)
from gradebox.static_analysis import syntax_check
from gradebox.static_analysis.cell_names import parse_cell

# The steps that remove content: the name of their delimiters, the test for cells that may have the
# delimiters, and the name of these cells.
REMOVAL_STEPS = {
    ClearSolutions: ("solution", utils.is_solution, "solution cell"),
    ClearHiddenTests: ("test", utils.is_grade, "test cell"),
    ClearMarkScheme: ("mark_scheme", utils.is_task, "task cell"),
}
DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class LintProblem:
    """A problem in a cell.

    cell, line: from 1; cell 0 is the whole file. stops: True if the problem blocks a release.
    """

    file: str
    cell: int
    name: str | None
    what: str
    line: int | None = None
    stops: bool = True

    def __str__(self) -> str:
        cell = f", cell {self.cell}" if self.cell else ""
        name = f" ({self.name})" if self.name else ""
        line = f", line {self.line}" if self.line else ""
        return f"{self.file}{cell}{name}{line}: {self.what}"


class NotebookLinter:
    """A linter for one notebook.

    steps: the release steps that remove content.
    """

    def __init__(self, file: str, notebook: NotebookNode, steps: list[NbGraderPreprocessor]):
        self.file, self.notebook, self.steps = file, notebook, steps
        self.found: list[LintProblem] = []

    def through(self) -> list[LintProblem]:
        """Run all checks. Return the problems in the order of the cells."""
        for one in find_format_problems(self.notebook):
            self.say(one.cell, one.what)
        if self.found:
            return self.found
        cells = self.notebook.cells
        sound = [number for number in range(len(cells)) if self.settings(number)]
        self.report_duplicate_ids(sound)
        marked = {number for number in sound if self.check_markers_and_syntax(number)}
        self.report_unmarked_solutions([number for number in sound if number not in marked], marked)
        return sorted(self.found, key=lambda one: (one.cell, one.line or 0))

    def say(self, number: int | None, what: str, line: int | None = None, stops: bool = True) -> None:
        """Add a problem of the cell with this index (None: of the notebook)."""
        name = None if number is None else find_grade_id(self.notebook.cells[number])
        place = 0 if number is None else number + 1
        self.found.append(LintProblem(self.file, place, name, what, line, stops))

    def version(self, number: int) -> str | None:
        """Return the problem with metadata of another nbgrader version; None if the version is current."""
        settings = self.notebook.cells[number].metadata.get("nbgrader", {"schema_version": SCHEMA})
        known = settings.get("schema_version", 0) if isinstance(settings, dict) else SCHEMA
        if not isinstance(known, int) or known == SCHEMA:
            return None
        if known > SCHEMA:
            return "the nbgrader metadata is from a newer nbgrader than the installed version"
        what = f'the nbgrader metadata is from another nbgrader version, expected "schema_version": {SCHEMA}'
        return what if self.file.endswith(".py") else f"{what}: run `nbgrader update {self.file}`"

    def settings(self, number: int) -> bool:
        """Return True if the nbgrader metadata of a cell is valid, so that further checks can run."""
        cell = self.notebook.cells[number]
        problem = self.version(number) or find_settings_problem(cell)
        if not cell.source.isascii() and any("\ud800" <= letter <= "\udfff" for letter in cell.source):
            problem = "the source contains half of a surrogate pair, which can't be saved as UTF-8"
        if problem:
            self.say(number, problem)
        return not problem

    def report_duplicate_ids(self, sound: list[int]) -> None:
        """Report each grade_id that an earlier cell already has."""
        first: dict[str, int] = {}
        for number in sound:
            cell = self.notebook.cells[number]
            name = find_grade_id(cell)
            if name and is_nbgrader_cell(cell) and first.setdefault(name, number) != number:
                self.say(number, f"cell {first[name] + 1} has the same grade_id")

    def check_markers_and_syntax(self, number: int) -> bool:
        """Check the delimiters and the syntax of a cell. Return True if the cell has a marked solution."""
        left, solved = self.notebook.cells[number], False
        for step in self.steps:
            before = len(self.found)
            marked = self.marks(number, step, left)
            solved = solved or marked and isinstance(step, ClearSolutions)
            rest = self.left(number, step, left) if len(self.found) == before else None
            if rest is None:
                self.check_syntax(number, None)
                return solved
            left = rest
        self.check_syntax(number, left if solved else None)
        return solved

    def marks(self, number: int, step: NbGraderPreprocessor, left: NotebookNode) -> bool:
        """Return True if a cell has the delimiters of a step. Report unpaired and misplaced delimiters.

        left: the cell after the earlier steps.
        """
        cell = self.notebook.cells[number]
        _, belongs, kind = get_removal_entry(step)
        begin, end = get_delimiters(step)
        if begin not in left.source and end not in left.source:
            return False
        found, inside = False, None
        for line, text in enumerate(cell.source.split("\n"), 1):
            if begin in text:
                if inside:
                    self.say(number, f"{begin} again, without {end} after line {inside}", line)
                found, inside = True, line
            elif end in text:
                # In other cells, the text may only mention the delimiter.
                if not inside and belongs(cell):
                    self.say(number, f"{end} without {begin} above it", line)
                inside = None
        if inside:
            self.say(number, f"{begin} without {end} below it", inside)
        if found and step.enforce_metadata and not belongs(cell):
            self.say(number, f"{begin} in a cell that is not a {kind}")
        return found

    def left(self, number: int, step: NbGraderPreprocessor, cell: NotebookNode) -> NotebookNode | None:
        """Return a cell after a step; report the problem and return None if the step fails."""
        language = self.notebook.metadata.get("kernelspec", {}).get("language", "python")
        try:
            return step.preprocess_cell(deepcopy(cell), {"language": language}, number)[0]
        except RuntimeError as error:
            self.say(number, " ".join(str(error).split()))
        except (KeyError, TypeError):
            # nbgrader has no code stub for the language; nbgrader reports this for the whole notebook.
            pass
        return None

    def check_syntax(self, number: int, left: NotebookNode | None) -> None:
        """Report invalid Python. left: the cell as students get it, if different."""
        cell = self.notebook.cells[number]
        wanted = "raises-exception" in cell.metadata.get("tags", [])
        if cell.cell_type != "code" or wanted or not syntax_check.is_python_notebook(self.notebook):
            return
        problem = syntax_check.find_syntax_problem(cell.source)
        if problem:
            # A cell that does not affect points may contain a syntax error on purpose.
            matters = utils.is_grade(cell) or utils.is_solution(cell) or utils.is_locked(cell)
            self.say(number, problem.what, problem.line, matters)
        elif left and (problem := syntax_check.find_syntax_problem(left.source)):
            # A cell with gaps to fill in may be invalid on purpose, so this is only a warning.
            self.say(number, f"as students get it, without its solution: {problem.what}", stops=False)

    def report_unmarked_solutions(self, others: list[int], marked: set[int]) -> None:
        """Report solution cells without delimiters: students get none of their code."""
        step = next((step for step in self.steps if isinstance(step, ClearSolutions)), None)
        if not step:
            return
        some = any(self.notebook.cells[number].cell_type == "code" for number in marked)
        meant = []
        for number in others:
            cell = self.notebook.cells[number]
            if cell.cell_type != "code" or not utils.is_solution(cell) or not has_statements(cell.source):
                continue
            # Some courses use no delimiters; nor do many cells that a person grades or that ask for one line.
            if some and not utils.is_grade(cell) and has_definitions(cell.source):
                begin, end = step.begin_solution_delimeter, step.end_solution_delimeter
                what = f"no {begin}: students get none of the code in this cell"
                self.say(number, f"{what} (if that is intended, put {begin} and {end} around all code)")
            else:
                meant.append(f"{number + 1} ({find_grade_id(cell)})")
        if meant:
            which = f"{'cell' if len(meant) == 1 else 'cells'} {', '.join(meant)}"
            what = f"students get none of the code in {which}, without {step.begin_solution_delimeter}"
            self.say(None, what, stops=False)


def get_removal_entry(step: NbGraderPreprocessor) -> tuple[str, Callable[[NotebookNode], bool], str]:
    """Return the entry of `REMOVAL_STEPS` for a step, which may be an instance of a course's subclass."""
    return next(entry for known, entry in REMOVAL_STEPS.items() if isinstance(step, known))


def get_delimiters(step: NbGraderPreprocessor) -> tuple[str, str]:
    """Return the begin and end delimiters of a step."""
    name = get_removal_entry(step)[0]
    return getattr(step, f"begin_{name}_delimeter"), getattr(step, f"end_{name}_delimeter")


def has_definitions(source: str) -> bool:
    """Return True if a cell defines a function or a class, which students would have to rewrite."""
    return any(isinstance(statement, DEFINITIONS) for statement in parse_cell(source).body)


def has_statements(source: str) -> bool:
    """Return True if a cell has statements other than `pass` and `raise`."""
    return any(not isinstance(statement, ast.Raise | ast.Pass) for statement in parse_cell(source).body)


def lint_assignment(course: Course, assignment: str) -> list[LintProblem]:
    """Return all problems in the notebooks of an assignment. Raises CourseError if unreadable."""
    chosen = import_step_classes(GenerateAssignment(parent=course.app).preprocessors)
    steps: list[NbGraderPreprocessor] = [
        step(parent=course.app) for step in chosen if any(issubclass(step, kind) for kind in REMOVAL_STEPS)
    ]
    found = []
    for name in course.notebooks(assignment):
        notebook = course.full_source(assignment, name, settled=False)
        file = find_editable_file(course, assignment, name)
        found += NotebookLinter(file, notebook, steps).through()
    return found


def find_editable_file(course: Course, assignment: str, name: str) -> str:
    """Return the file in which an author edits a notebook: the lesson's text if present."""
    text = course.root / "lessons" / f"{assignment}.py"
    path = text if text.is_file() else course.path("source", assignment) / f"{name}.ipynb"
    return str(path.relative_to(course.root) if path.is_relative_to(course.root) else path)


def raise_blocking_problems(found: Iterable[LintProblem], assignment: str) -> None:
    """Raise CourseError with all problems that block the release of an assignment."""
    lines = [str(one) for one in found if one.stops]
    if lines:
        what = f"{assignment} can't be released:"
        raise CourseError(f"{what} {lines[0]}" if len(lines) == 1 else "\n".join([what, *lines]))
