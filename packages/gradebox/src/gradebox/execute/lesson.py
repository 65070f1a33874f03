"""What an instructor's notebook says, looked at once for all submissions to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.checks_cell import helpers_in
from gradebox.execute.cell_roles import (
    GIVEN,
    MEETING,
    TEST,
    answered,
    imports_in,
    own_names,
    returned_names,
    roles,
)
from gradebox.execute.demonstrations import Demonstrations
from gradebox.execute.exported_names import exported
from gradebox.execute.test_modes import TestModes, modes_of
from gradebox.judge.notebook_facts import Facts
from gradebox.judge.required_operations import Needs, digest
from gradebox.notebook import MESSAGES, Table, checks_of, grade_id, name_of, own_tests, reference, table_in
from gradebox.static_analysis.imported_names import imported
from gradebox.static_analysis.test_names import given_names

BUILDS_ON = "builds_on"


class Lesson:
    """An instructor's notebook.

    texts: of its code cells; of the checks cell, only its helpers. roles, returned, imports: see
    `execute/cell_roles.py`; facts: see `judge/notebook_facts.py`; exported: see `execute/exported_names.py`.
    modes: what a release has recorded of the tests, None if there is no record (see
    `execute/test_modes.py`). tests: the test cells of each exercise, and solutions: its reference (see
    `notebook.py`); builds_on: the earlier exercises that it needs, all by grade_id. recording: True while a
    release finds out what tests need. messages: what its tests know of mistakes (see
    `release/generate_checks.py`).
    """

    def __init__(self, source: NotebookNode, recording: bool = False):
        self.source, self.recording = source, recording

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return tuple(
            helpers_in(cell.source) if name_of(cell) == MESSAGES else cell.source
            for cell in self.source.cells
            if cell.cell_type == "code"
        )

    @cached_property
    def roles(self) -> dict[str, str]:
        return roles(self.source)

    @cached_property
    def returned(self) -> dict[str, frozenset[str]]:
        return returned_names(self.source)

    @cached_property
    def modes(self) -> TestModes | None:
        return modes_of(self.source)

    @cached_property
    def facts(self) -> Facts:
        code = [cell for cell in self.source.cells if cell.cell_type == "code"]
        role = {name: self.roles.get(name) for name in filter(None, map(name_of, code))}
        both = [cell.source for cell in code if role.get(name_of(cell) or "") in (GIVEN, MEETING)]
        needs: dict[str, Needs] | None = None
        if self.modes is not None:
            tests = {
                name_of(cell): digest(cell.source) for cell in code if role.get(name_of(cell) or "") == TEST
            }
            needs = {tests[name]: one.needs for name, one in self.modes.items() if name in tests}
        modules = imported([cell.source for cell in code]).values()
        return Facts(
            own_names(self.source),
            frozenset(answered(self.source)),
            given_names(*both),
            frozenset(module.partition(".")[0] for module in modules),
            None if self.recording else needs,
            self.recording,
        )

    @cached_property
    def exported(self) -> dict[str, dict[str, str]]:
        return exported(self.source, self.roles)

    @cached_property
    def imports(self) -> str:
        return imports_in(self.source)

    @cached_property
    def tests(self) -> dict[str, list[str]]:
        return own_tests(self.source)

    @cached_property
    def solutions(self) -> dict[str, str]:
        return reference(self.source)

    @cached_property
    def builds_on(self) -> dict[str, set[str]]:
        return builds_on(self.source)

    @cached_property
    def messages(self) -> Table:
        return table_in(checks_of(self.source))

    @cached_property
    def demonstrations(self) -> Demonstrations:
        return Demonstrations(self.source)


@dataclass(frozen=True)
class Given:
    """What a notebook is played with.

    lesson: what the instructor's notebook says. files: what lies beside the notebook, by relative path.
    supplements: what of that is the instructor's, and all that tests see. secret: what tests know of the
    course's (see `course_secret.py`).
    """

    lesson: Lesson | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    supplements: Mapping[str, bytes] = field(default_factory=dict)
    secret: int | None = None


@lru_cache(maxsize=8)
def lesson_of(text: str) -> Lesson:
    """The lesson of an instructor's notebook, given as JSON."""
    return Lesson(nbformat.reads(text, as_version=4))


def builds_on(source: NotebookNode) -> dict[str, set[str]]:
    """The earlier exercises that each exercise of an instructor's notebook builds on, by grade_id.

    Raises ValueError if one names what is no earlier exercise.
    """
    cells = [cell for cell in source.cells if utils.is_solution(cell) and cell.cell_type == "code"]
    speaks = any(BUILDS_ON in cell.metadata for cell in cells)
    found: dict[str, set[str]] = {}
    for cell in cells:
        name, said = grade_id(cell), cell.metadata.get(BUILDS_ON, [] if speaks else list(found))
        if not isinstance(said, list) or any(not isinstance(one, str) for one in said):
            raise ValueError(f"{name}: {BUILDS_ON} must be a list of grade_ids")
        for one in said:
            if one not in found:
                raise ValueError(f"{name}: {BUILDS_ON} names {one!r}, which is no earlier exercise")
        found[name] = set(said).union(*(found[one] for one in said))
    return found
