"""Demonstrations: cells for a student's eyes, such as figures and timings, that nobody's points depend on.

An author tags such a cell `demonstration`. One that is as it was released is not run to grade: the graded
copy shows what was handed in. It is run if a cell that is run takes a name that it leaves behind, and if
figures are drawn again (`c.Execute.draw`). Stock nbgrader runs it as ever.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.code.calls import definitions, imported
from gradebox.code.changes import changes
from gradebox.code.effects import DRAWS, READS, SEEDS, SETS, STARTS, WRITES, Deed, deeds
from gradebox.code.scope import NAMED, Scope, scope
from gradebox.notebook import MESSAGES, name_of

TAG = "demonstration"
# Names by which code can reach all others, and other words, and magics that do more with a cell than run it.
ALL_NAMES = {
    *("locals", "vars", "dir", "eval", "exec", "get_ipython", "__builtins__"),
    *("In", "Out", "_", "__", "___", "_i", "_ii", "_iii", "_ih", "_oh", "_dh"),
}
NUMBERED = re.compile(r"_i?\d+")
ALL_WORDS = {"globals", "__main__", "__globals__", "f_globals", "f_locals", "user_ns"}
CELL_MAGIC = re.compile(r"\s*%%(?!time[ \t]*\n)")


def is_demonstration(cell: NotebookNode) -> bool:
    """Whether an instructor's cell is tagged as one."""
    return cell.cell_type == "code" and TAG in cell.metadata.get("tags", [])


def leaves(source: str, modules: Mapping[str, str]) -> frozenset[str]:
    """The names that a demonstration leaves with another value, or with a value that it has changed.

    modules: what imported names stand for; what is done to a module is no matter of names (see `effects.py`).
    """
    return scope(source).leaves | changes(source, modules) - modules.keys()


class Walk:
    """Goes through a notebook's cells and says where each has its names from.

    given: the demonstrations that a name may have its value from. later: the cells whose functions use a name
    when they are called.
    """

    def __init__(self) -> None:
        self.given: dict[str, set[Any]] = {}
        self.later: dict[str, set[Any]] = {}

    def takes(
        self, cell: Any, found: Scope, instructors: bool = False, test: bool = False
    ) -> dict[str, set[Any]]:
        """The demonstrations that a cell needs, by name. Called for each cell, ahead of `leaves`.

        test: whether it runs in the judge's process, where no other cell gives its names another value.
        """
        for name in found.later & found.takes if test else found.later:
            self.later.setdefault(name, set()).add(cell)
        taken = found.firsts if instructors else found.takes
        return {name: self.given[name] for name in sorted(taken & self.given.keys())}

    def leaves(
        self, cell: Any, gives: frozenset[str], left: frozenset[str] = frozenset()
    ) -> dict[str, set[Any]]:
        """Take note of what a cell gives for certain, and of what it leaves if it is a demonstration.

        Returns the cells before it whose functions use that, by name.
        """
        for name in gives:
            self.given.pop(name, None)
        for name in left:
            self.given[name] = self.given.get(name, set()) | {cell}
        return {name: self.later[name] - {cell} for name in sorted(left & self.later.keys())}


class Demonstrations:
    """Those of an instructor's notebook.

    left: the names that each leaves behind, by its grade_id (None for most) and its text; none if anything
    speaks against one of them. known: the texts of the instructor's code cells.
    """

    def __init__(self, source: NotebookNode):
        cells = [cell for cell in source.cells if cell.cell_type == "code"]
        modules = imported([cell.source for cell in cells])
        tagged = [] if check(source).problems else [cell for cell in cells if is_demonstration(cell)]
        self.left = {(name_of(cell), cell.source): leaves(cell.source, modules) for cell in tagged}
        self.known = {cell.source for cell in cells}

    def unneeded(self, notebook: NotebookNode) -> set[int]:
        """The places of those in a sanitised submission that need not be run."""
        walk, idle = Walk(), set()
        # What each cell needs.
        needs: dict[int, set[int]] = {}
        for place, cell in enumerate(notebook.cells if self.left else []):
            if cell.cell_type != "code":
                continue
            found, left = scope(cell.source), self.left.get((name_of(cell), cell.source))
            known = cell.source in self.known
            test = is_test(cell)
            needs[place] = set().union(*walk.takes(place, found, known, test).values())
            certain = found.gives if known and not test else frozenset()
            if left is not None:
                idle.add(place)
            elif reaches_all(cell.source) and name_of(cell) != MESSAGES:
                return set()
            for user in set().union(*walk.leaves(place, certain, left or frozenset()).values()):
                needs[user].add(place)
        waiting = list(needs.keys() - idle)
        while waiting:
            found_idle = needs[waiting.pop()] & idle
            idle -= found_idle
            waiting += found_idle
        return idle


def is_test(cell: NotebookNode) -> bool:
    """Whether a cell runs in the judge's process: what it gives a value to is not the student's."""
    return utils.is_grade(cell) and not utils.is_solution(cell)


def reaches_all(source: str) -> bool:
    """Whether a cell may use any name there is, or give it another value."""
    takes, words = scope(source).takes, set(re.findall(r"\w+", NAMED.sub("", source)))
    by_name = takes & ALL_NAMES or any(map(NUMBERED.fullmatch, takes))
    return bool(by_name or words & ALL_WORDS or CELL_MAGIC.match(source))


@dataclass
class Check:
    """What speaks against the demonstrations of an instructor's notebook, one clause each.

    problems: a demonstration that a test, a solution or another locked cell needs. remarks: one that another
    cell needs, so that it is run to grade.

    seen: the demonstrations until now; needed: the cells that points depend on. drawn: demonstrations that
    have drawn from random numbers, or seeded them, so that those after it are others; seeded: whose random
    numbers somebody has seeded. written: the last demonstration that has written files.
    """

    modules: Mapping[str, str]
    problems: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    walk: Walk = field(default_factory=Walk)
    seen: set[str] = field(default_factory=set)
    needed: set[str] = field(default_factory=set)
    seeded: set[str] = field(default_factory=set)
    drawn: dict[str, str] = field(default_factory=dict)
    written: str | None = None

    def say(self, what: str, user: str) -> None:
        """Say what speaks against a demonstration because a cell needs it."""
        if user in self.needed:
            self.problems.append(what)
        else:
            self.remarks.append(f"{what}, so it is run to grade")

    def demonstration(self, cell: NotebookNode, done: list[Deed]) -> None:
        here = called(cell)
        if utils.is_grade(cell) or utils.is_solution(cell):
            self.problems.append(f"{here} is graded: only an ungraded cell can be a demonstration")
            return
        if reaches_all(cell.source):
            what = "may change any name there is, by a magic, or a function such as exec: do without"
            self.problems.append(f"the demonstration {here} {what}")
        found, left = scope(cell.source), leaves(cell.source, self.modules)
        self.walk.takes(here, found)
        if any(name.endswith(".*") for name in left):
            self.problems.append(
                f"the demonstration {here} imports all names of a module: name those it uses"
            )
        for name, users in self.walk.leaves(here, found.gives, left).items():
            for user in sorted(users - self.seen):
                self.say(f"{user} uses {name}, which the demonstration {here} changes", user)
        self.seen.add(here)
        for deed in done:
            if deed.act == SETS:
                what = "sets options of the whole process: set them in a locked cell, or in a `with`"
                self.problems.append(f"the demonstration {here} {what}")
                break
        for deed in done:
            if deed.act in (DRAWS, STARTS, SEEDS):
                self.drawn[deed.what] = here
            if deed.act == SEEDS:
                self.seeded.add(deed.what)
            if deed.act == WRITES:
                self.written = here

    def other(self, cell: NotebookNode, done: list[Deed]) -> None:
        here, found = called(cell), scope(cell.source)
        needed = bool(name_of(cell))
        if needed:
            self.needed.add(here)
        # What a message looks at, it only tells of.
        if reaches_all(cell.source) and here != MESSAGES:
            self.remarks.append(f"{here} may use any name there is, so all demonstrations are run to grade")
        for name, givers in self.walk.takes(here, found, True, is_test(cell)).items():
            for giver in sorted(givers):
                self.say(f"{here} uses {name}, which is given by the demonstration {giver}", here)
        # What a student is to write may fail.
        sure = not is_test(cell) and not utils.is_solution(cell)
        self.walk.leaves(here, found.gives if sure else frozenset())
        for deed in done:
            if deed.act == DRAWS and deed.what in self.seeded & self.drawn.keys() and needed:
                self.problems.append(
                    f"{here} uses {deed.what}, as does the demonstration {self.drawn[deed.what]} before it"
                )
                break
            if deed.act == SEEDS:
                self.seeded.add(deed.what)
                self.drawn.pop(deed.what, None)
            if deed.act == READS and self.written and needed:
                self.problems.append(f"{here} reads files, and the demonstration {self.written} writes some")
                break


def check(source: NotebookNode) -> Check:
    """Look at an instructor's notebook from its first cell to its last."""
    cells = [cell for cell in source.cells if cell.cell_type == "code"]
    found = Check(imported([cell.source for cell in cells]))
    if any(map(is_demonstration, cells)):
        defined = definitions([cell.source for cell in cells])
        for cell in cells:
            done = deeds(cell.source, found.modules, defined)
            (found.demonstration if is_demonstration(cell) else found.other)(cell, done)
    return found


def called(cell: NotebookNode) -> str:
    """How an instructor finds a cell: its grade_id, or the beginning of its text."""
    lines = [line for line in cell.source.splitlines() if line.strip() and not line.startswith(("#", "%"))]
    return name_of(cell) or repr((lines or [""])[0][:50])
