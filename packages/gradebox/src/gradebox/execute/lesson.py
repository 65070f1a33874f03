"""Facts derived from an instructor's notebook, computed once for all of its submissions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import nbformat
from nbformat.notebooknode import NotebookNode

from gradebox.checks_cell import extract_helpers, remove_expected_results
from gradebox.execute.cell_roles import (
    DEPENDENT_CELL,
    IN_PROCESS_TEST,
    INDEPENDENT_CELL,
    JUDGED_TEST,
    classify_cells,
    collect_editable_imports,
    find_locked_names,
    find_overwritten_names,
    find_solution_names,
)
from gradebox.execute.names_from_tests import find_exported_names
from gradebox.execute.skip_demonstrations import Demonstrations
from gradebox.execute.test_modes import TestModes, read_modes
from gradebox.judge.handle_permission import hash_test_source
from gradebox.judge.instructor_notebook_facts import NotebookFacts
from gradebox.notebook_exercises import (
    CHECKS_CELL_ID,
    ChecksTable,
    extract_reference_solutions,
    find_checks_source,
    find_grade_id,
    find_prerequisites,
    map_tests_to_solutions,
    parse_checks_table,
)
from gradebox.static_analysis.cell_names import names_assigned_before_use
from gradebox.static_analysis.resolve_imports import resolve_imports


class Lesson:
    """An instructor's notebook, with lazily computed facts.

    texts: the sources of the code cells; of the checks cell, only the helpers. roles, returned, imports: see
    `execute/cell_roles.py`. facts: see `judge/instructor_notebook_facts.py`. exported: see
    `execute/names_from_tests.py`. modes: the recorded test modes; None without a record (see
    `execute/test_modes.py`). tests: the test cells of each exercise; solutions: the reference of each (see
    `notebook_exercises.py`); builds_on: the earlier exercises that each needs; all by grade_id. recording:
    True while a release records which tests use handles. messages: the known mistakes and their advice (see
    `release/generate_checks_cell.py`).
    """

    def __init__(self, source: NotebookNode, recording: bool = False):
        self.source, self.recording = source, recording

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return tuple(
            extract_helpers(cell.source) if find_grade_id(cell) == CHECKS_CELL_ID else cell.source
            for cell in self.source.cells
            if cell.cell_type == "code"
        )

    @cached_property
    def roles(self) -> dict[str, str]:
        return classify_cells(self.source)

    @cached_property
    def student_sources(self) -> dict[str, str]:
        """Sources of locked cells that the student's process runs in another form, by grade_id.

        While tests are judged, the student's process has no expected results, so that an answer can't ask
        `check`. Tests that run in the student's process need them.
        """
        source = find_checks_source(self.source)
        if not source or IN_PROCESS_TEST in self.roles.values():
            return {}
        return {CHECKS_CELL_ID: remove_expected_results(source)}

    @cached_property
    def returned(self) -> dict[str, frozenset[str]]:
        return find_overwritten_names(self.source)

    @cached_property
    def modes(self) -> TestModes | None:
        return read_modes(self.source)

    @cached_property
    def facts(self) -> NotebookFacts:
        code = [cell for cell in self.source.cells if cell.cell_type == "code"]
        role = {name: self.roles.get(name) for name in filter(None, map(find_grade_id, code))}
        both = [
            cell.source
            for cell in code
            if role.get(find_grade_id(cell) or "") in (INDEPENDENT_CELL, DEPENDENT_CELL)
        ]
        handles: frozenset[str] | None = None
        if self.modes is not None and not self.recording:
            using = {name for name, mode in self.modes.items() if mode.handles}
            handles = frozenset(
                hash_test_source(cell.source)
                for cell in code
                if find_grade_id(cell) in using and role.get(find_grade_id(cell) or "") == JUDGED_TEST
            )
        modules = resolve_imports([cell.source for cell in code]).values()
        return NotebookFacts(
            find_locked_names(self.source),
            frozenset(find_solution_names(self.source)),
            names_assigned_before_use(*both),
            frozenset(module.partition(".")[0] for module in modules),
            handles,
            self.recording,
        )

    @cached_property
    def exported(self) -> dict[str, dict[str, str]]:
        return find_exported_names(self.source, self.roles)

    @cached_property
    def imports(self) -> str:
        return collect_editable_imports(self.source)

    @cached_property
    def tests(self) -> dict[str, list[str]]:
        return map_tests_to_solutions(self.source)

    @cached_property
    def solutions(self) -> dict[str, str]:
        return extract_reference_solutions(self.source)

    @cached_property
    def builds_on(self) -> dict[str, set[str]]:
        return find_prerequisites(self.source)

    @cached_property
    def messages(self) -> ChecksTable:
        return parse_checks_table(find_checks_source(self.source))

    @cached_property
    def demonstrations(self) -> Demonstrations:
        return Demonstrations(self.source)

    def compute_facts(self) -> None:
        """Compute the facts that the run of each submission needs."""
        for name in ("roles", "facts", "exported", "returned", "student_sources", "demonstrations"):
            getattr(self, name)


@dataclass(frozen=True)
class ExecutionInputs:
    """Inputs of a notebook's execution.

    lesson: the instructor's notebook. files: contents of the files beside the notebook, by relative path.
    supplements: the instructor's files among them, the only ones that tests see. secret: the tests'
    `course_secret` (see `course_secret.py`).
    """

    lesson: Lesson | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    supplements: Mapping[str, bytes] = field(default_factory=dict)
    secret: int | None = None


@lru_cache(maxsize=64)
def parse_lesson(text: str) -> Lesson:
    """Return the lesson of an instructor's notebook in JSON."""
    return Lesson(nbformat.reads(text, as_version=4))
