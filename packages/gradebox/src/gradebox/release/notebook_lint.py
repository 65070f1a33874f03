"""What is wrong in an instructor's notebook, by file and cell, before anything is made of it.

nbgrader's own steps are asked about one cell after the other, so that what they refuse has a place. What
they let pass, and would only show in a student's hands, is looked for here.
"""

import ast
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass

from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme, ClearSolutions, NbGraderPreprocessor

from gradebox.autograde.course_preprocessors import import_step_classes
from gradebox.course import Course, CourseError
from gradebox.notebook import (
    SCHEMA,
    find_format_problems,
    find_grade_id,
    find_settings_problem,
    is_nbgrader_cell,
)
from gradebox.static_analysis import cell_syntax
from gradebox.static_analysis.test_names import parse_cell

# The steps that leave something out: what their marks are named after, and the cells where these belong.
REMOVAL_STEPS = {
    ClearSolutions: ("solution", utils.is_solution, "solution cell"),
    ClearHiddenTests: ("test", utils.is_grade, "test cell"),
    ClearMarkScheme: ("mark_scheme", utils.is_task, "task cell"),
}
DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class LintProblem:
    """What is wrong in a cell, and whether it stops a release. cell, line: from 1; cell 0: the whole file."""

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
    """A notebook that is looked through. steps: those of a release that leave something out."""

    def __init__(self, file: str, notebook: NotebookNode, steps: list[NbGraderPreprocessor]):
        self.file, self.notebook, self.steps = file, notebook, steps
        self.found: list[LintProblem] = []

    def through(self) -> list[LintProblem]:
        """All that is wrong, in the order of the cells."""
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
        """Note what is wrong in the cell of this number, from 0; None: in the notebook itself."""
        name = None if number is None else find_grade_id(self.notebook.cells[number])
        place = 0 if number is None else number + 1
        self.found.append(LintProblem(self.file, place, name, what, line, stops))

    def version(self, number: int) -> str | None:
        """What is to be done with settings of another nbgrader; None if they are of this one."""
        settings = self.notebook.cells[number].metadata.get("nbgrader", {"schema_version": SCHEMA})
        known = settings.get("schema_version", 0) if isinstance(settings, dict) else SCHEMA
        if not isinstance(known, int) or known == SCHEMA:
            return None
        if known > SCHEMA:
            return "its nbgrader settings are of a newer nbgrader than this one"
        what = f'its nbgrader settings are not of this nbgrader, which wants "schema_version": {SCHEMA}'
        return what if self.file.endswith(".py") else f"{what}: `nbgrader update {self.file}` changes that"

    def settings(self, number: int) -> bool:
        """Whether what a cell says to nbgrader can be read, so that the cell can be looked at further."""
        cell = self.notebook.cells[number]
        problem = self.version(number) or find_settings_problem(cell)
        if not cell.source.isascii() and any("\ud800" <= letter <= "\udfff" for letter in cell.source):
            problem = "it holds half of a character, which no file can"
        if problem:
            self.say(number, problem)
        return not problem

    def report_duplicate_ids(self, sound: list[int]) -> None:
        """Find names that two cells have."""
        first: dict[str, int] = {}
        for number in sound:
            cell = self.notebook.cells[number]
            name = find_grade_id(cell)
            if name and is_nbgrader_cell(cell) and first.setdefault(name, number) != number:
                self.say(number, f"cell {first[name] + 1} has the same grade_id")

    def check_markers_and_syntax(self, number: int) -> bool:
        """Look at a cell's marks and its syntax. Returns whether marks say that part of it is a solution."""
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
        """Whether a cell has the marks of a step. Notes those without another, and those in a wrong place.

        left: what the steps before have left of the cell.
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
                    self.say(number, f"{begin} again, before the {end} of line {inside}", line)
                found, inside = True, line
            elif end in text:
                # Elsewhere it may be spoken of.
                if not inside and belongs(cell):
                    self.say(number, f"{end} without {begin} above it", line)
                inside = None
        if inside:
            self.say(number, f"{begin} without {end} below it", inside)
        if found and step.enforce_metadata and not belongs(cell):
            self.say(number, f"{begin} in a cell that is no {kind}")
        return found

    def left(self, number: int, step: NbGraderPreprocessor, cell: NotebookNode) -> NotebookNode | None:
        """What a step leaves of a cell; None if it refuses it, which is noted."""
        language = self.notebook.metadata.get("kernelspec", {}).get("language", "python")
        try:
            return step.preprocess_cell(deepcopy(cell), {"language": language}, number)[0]
        except RuntimeError as error:
            self.say(number, " ".join(str(error).split()))
        except (KeyError, TypeError):
            # nbgrader says of the whole notebook that it has no stub for its language.
            pass
        return None

    def check_syntax(self, number: int, left: NotebookNode | None) -> None:
        """Find what is no Python. left: what students get of the cell, if that is something else."""
        cell = self.notebook.cells[number]
        wanted = "raises-exception" in cell.metadata.get("tags", [])
        if cell.cell_type != "code" or wanted or not cell_syntax.is_python_notebook(self.notebook):
            return
        problem = cell_syntax.find_syntax_problem(cell.source)
        if problem:
            # A cell that nobody's points hang on may show what Python says of it.
            matters = utils.is_grade(cell) or utils.is_solution(cell) or utils.is_locked(cell)
            self.say(number, problem.what, problem.line, matters)
        elif left and (problem := cell_syntax.find_syntax_problem(left.source)):
            # In a text with gaps, that may be as it should be.
            self.say(number, f"as students get it, without its solution: {problem.what}", stops=False)

    def report_unmarked_solutions(self, others: list[int], marked: set[int]) -> None:
        """Find solution cells without marks: students get none of what they say."""
        step = next((step for step in self.steps if isinstance(step, ClearSolutions)), None)
        if not step:
            return
        some = any(self.notebook.cells[number].cell_type == "code" for number in marked)
        meant = []
        for number in others:
            cell = self.notebook.cells[number]
            if cell.cell_type != "code" or not utils.is_solution(cell) or not has_statements(cell.source):
                continue
            # Whole courses do without marks, and cells that a person reads, and those that ask for a line.
            if some and not utils.is_grade(cell) and has_definitions(cell.source):
                begin, end = step.begin_solution_delimeter, step.end_solution_delimeter
                what = f"it has no {begin}: students get it without a line of it"
                self.say(number, f"{what} (if that is meant: put {begin} and {end} around all of it)")
            else:
                meant.append(f"{number + 1} ({find_grade_id(cell)})")
        if meant:
            which = f"{'cell' if len(meant) == 1 else 'cells'} {', '.join(meant)}"
            what = f"students get no line of {which}, without {step.begin_solution_delimeter}"
            self.say(None, what, stops=False)


def get_removal_entry(step: NbGraderPreprocessor) -> tuple[str, Callable[[NotebookNode], bool], str]:
    """The entry of `LEFT_OUT` for a step, which may be of a class of the course's own."""
    return next(entry for known, entry in REMOVAL_STEPS.items() if isinstance(step, known))


def get_delimiters(step: NbGraderPreprocessor) -> tuple[str, str]:
    """The marks between which a step leaves something out."""
    name = get_removal_entry(step)[0]
    return getattr(step, f"begin_{name}_delimeter"), getattr(step, f"end_{name}_delimeter")


def has_definitions(source: str) -> bool:
    """Whether students would have to write a function or a class anew, whose name tests know."""
    return any(isinstance(statement, DEFINITIONS) for statement in parse_cell(source).body)


def has_statements(source: str) -> bool:
    """Whether a cell holds more than comments, and a line that says that there is nothing."""
    return any(not isinstance(statement, ast.Raise | ast.Pass) for statement in parse_cell(source).body)


def lint_assignment(course: Course, assignment: str) -> list[LintProblem]:
    """All that is wrong in the notebooks of an assignment. Raises CourseError if one can't be read."""
    chosen = import_step_classes(GenerateAssignment(parent=course.app).preprocessors)
    steps: list[NbGraderPreprocessor] = [
        step(parent=course.app) for step in chosen if any(issubclass(step, kind) for kind in REMOVAL_STEPS)
    ]
    found = []
    for name in course.notebooks(assignment):
        notebook = course.source(assignment, name, settled=False)
        found += NotebookLinter(find_editable_file(course, assignment, name), notebook, steps).through()
    return found


def find_editable_file(course: Course, assignment: str, name: str) -> str:
    """Where an author changes a notebook: its text, if it has one."""
    text = course.root / "lessons" / f"{assignment}.py"
    path = text if text.is_file() else course.path("source", assignment) / f"{name}.ipynb"
    return str(path.relative_to(course.root) if path.is_relative_to(course.root) else path)


def raise_blocking_problems(found: Iterable[LintProblem], assignment: str) -> None:
    """Raises CourseError with all mistakes that stop the release of an assignment."""
    lines = [str(one) for one in found if one.stops]
    if lines:
        what = f"{assignment} can't be released:"
        raise CourseError(f"{what} {lines[0]}" if len(lines) == 1 else "\n".join([what, *lines]))
