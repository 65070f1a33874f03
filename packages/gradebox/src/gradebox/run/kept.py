"""Going on from a moment of the first run: what a second chance then need not run, if that comes to the same.

At the moment that was kept, a wrong solution has been defined, and the reference is defined over it. That is
the same as to have the reference in its place if the wrong one did nothing else, if nothing that ran in
between has made use of it, and if the tests before that moment have left nothing behind.
"""

import ast
from collections.abc import Iterator, Set

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.code.calls import DEFINES
from gradebox.code.names import changed_in_place, given_names, parsed
from gradebox.code.scope import scope
from gradebox.judge.roles import GIVEN, TEST, UNJUDGED
from gradebox.notebook import name_of
from gradebox.record import FAILED, OK, SKIPPED, ending
from gradebox.run.demonstrations import reaches_all
from gradebox.run.lesson import Lesson
from gradebox.run.second_chance import Chance, untouched
from gradebox.run.traceless import IMPORTS, leaves_no_trace, only_defines


def worth_keeping(notebook: NotebookNode, place: int, lesson: Lesson) -> bool:
    """Whether a second chance may go on from the moment behind the test at this place, which has failed.

    A later exercise may get one for it, and what has run can be taken as it is.
    """
    before, after = notebook.cells[: place + 1], notebook.cells[place + 1 :]
    test = name_of(before[-1])
    exercise = next((name for name, tests in lesson.tests.items() if test in tests), None)
    return (
        any(
            exercise in lesson.builds_on.get(name_of(cell) or "", ()) and not untouched(cell)
            for cell in after
            if utils.is_solution(cell)
        )
        and None not in (known := {cell.get("id") for cell in before})
        and len(known) == len(before)
        and all(cell.cell_type != "code" or is_test(cell, lesson) or came_to_its_end(cell) for cell in before)
        and tests_left_nothing(before, lesson)
    )


def done_before(notebook: NotebookNode, place: int, chance: Chance, lesson: Lesson) -> set[int] | None:
    """The places in a chance's notebook that need not be run after the moment behind this place.

    That was worth keeping. None if the chance has to be run from its beginning.
    """
    before = notebook.cells[: place + 1]
    known = {cell["id"]: number for number, cell in enumerate(before)}
    students = names_of_students(notebook, lesson)
    done: set[int] = set()
    new: list[int] = []
    for number, cell in enumerate(chance.notebook.cells):
        at = known.get(cell.get("id"))
        if at is None:
            new.append(number)
            continue
        if name_of(cell) in chance.tests:
            return None
        if cell.source == before[at].source:
            done.add(number)
        elif not replaceable(before[at].source, cell.source, before[at + 1 :], students, lesson):
            return None
    # A reference that stands for a deleted solution would be executed too late.
    return None if done and any(number < max(done) for number in new) else done


def tests_left_nothing(cells: list[NotebookNode], lesson: Lesson) -> bool:
    """Whether the tests among these cells have changed nothing that a student's process keeps."""
    students: list[str] = []
    given: list[str] = []
    for cell in cells:
        role = lesson.roles.get(name_of(cell) or "")
        if cell.cell_type != "code" or ending(cell) not in (OK, FAILED):
            continue
        if role == UNJUDGED:
            # It has done there whatever it does.
            return False
        if role == TEST:
            if (changed_in_place(cell.source) | given_names(cell.source)) & lesson.answered:
                return False
            continue
        (students if role is None else given).append(cell.source)
        # Tests ask for what exercises give: what is no plain function may keep something.
        if role is None and not only_defines(cell.source) and scope(cell.source).leaves & lesson.answered:
            return False
    return leaves_no_trace(students, given)


def came_to_its_end(cell: NotebookNode) -> bool:
    """Whether a cell was run to its end, or not at all."""
    return ending(cell) in (OK, FAILED, SKIPPED) or not cell.source.strip()


def is_test(cell: NotebookNode, lesson: Lesson) -> bool:
    return lesson.roles.get(name_of(cell) or "") == TEST


def names_of_students(notebook: NotebookNode, lesson: Lesson) -> set[str]:
    """The names that a student's cells, and locked ones that meet them, give a value to."""
    found: set[str] = set()
    for cell in notebook.cells:
        if cell.cell_type == "code" and lesson.roles.get(name_of(cell) or "") not in (GIVEN, TEST):
            found |= scope(cell.source).leaves
    # What may use any name uses this one, too.
    return found | {"*"}


def replaceable(
    wrong: str, reference: str, between: list[NotebookNode], students: Set[str], lesson: Lesson
) -> bool:
    """Whether the reference can be executed now in place of where the wrong solution was."""
    broken = not parsed(wrong).body
    if not broken and not (only_defines(wrong) and scope(wrong).leaves <= scope(reference).leaves):
        return False
    for cell in between:
        if cell.cell_type != "code" or is_test(cell, lesson) or ending(cell) not in (OK, FAILED):
            continue
        if used_at_once(cell.source) & students:
            return False
    return True


def used_at_once(source: str) -> set[str]:
    """The names that a cell uses as it runs, as far as its text tells; not those that its functions will."""
    body = parsed(source).body
    if reaches_all(source):
        return {"*"}
    if not all(isinstance(node, DEFINES | IMPORTS) for node in body):
        return set(scope(source).takes)
    names = (name for node in body for part in at_once(node) for name in ast.walk(part))
    return {name.id for name in names if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load)}


def at_once(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a statement that Python evaluates as it comes to it."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        # Defaults and annotations, but not the body.
        yield node.args
        yield from node.decorator_list
        yield from [node.returns] if node.returns else []
    elif isinstance(node, ast.ClassDef):
        yield from (*node.bases, *node.keywords, *node.decorator_list)
        for inner in node.body:
            yield from at_once(inner)
    else:
        yield node
