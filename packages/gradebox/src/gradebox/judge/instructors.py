"""Finds what an instructor's notebook says, for its judge (see `known.py`)."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from nbformat.notebooknode import NotebookNode
from nbgrader import utils

from gradebox.code.calls import imported
from gradebox.code.changes import changing
from gradebox.code.effects import READS, WRITES, deeds
from gradebox.code.names import given_names, mentioned_names, parsed
from gradebox.judge.kinds import COMPARES, COMPARING, OPERATORS
from gradebox.judge.known import Known
from gradebox.judge.names import built_in
from gradebox.judge.roles import GIVEN, MEETING, TEST, answered, own_names
from gradebox.notebook import name_of

# What stands in a dataclass like the type of a field, and is none of its fields.
NO_FIELD = re.compile("ClassVar|InitVar|KW_ONLY")
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
# What a text in code looks like that names a file.
FILE = re.compile(r"[\w./ -]*\w\.[A-Za-z]\w{0,5}")


def known(source: NotebookNode, whose: Mapping[str, str]) -> Known:
    """What the instructor's notebook says. whose: the roles of its cells."""
    code = [cell for cell in source.cells if cell.cell_type == "code"]
    tests = [cell.source for cell in code if whose.get(name_of(cell) or "") == TEST]
    others = [cell.source for cell in code if whose.get(name_of(cell) or "") != TEST]
    both = [cell.source for cell in code if whose.get(name_of(cell) or "") in (GIVEN, MEETING)]
    solutions = [cell.source for cell in code if utils.is_solution(cell)]
    every = [*tests, *others]
    made = {one.name: one for text in others for one in classes(text)}
    modules = imported(every)
    return Known(
        own=own_names(source),
        answered=frozenset(answered(source)),
        given=given_names(*both),
        imports=frozenset(one for text in solutions for one in imports_of(text)),
        defined=frozenset(
            name for name, one in made.items() if any(isinstance(node, FUNCTIONS) for node in one.body)
        ),
        operators=frozenset(
            (one.name, name) for text in others for one in classes(text) for name in operators(one)
        ),
        fields=frozenset((name, tuple(fields(one, made))) for name, one in made.items() if is_dataclass(one)),
        libraries=frozenset(module.partition(".")[0] for module in modules.values()),
        built_in=frozenset(name for text in solutions for name in mentioned_names(text) & built_in()),
        changing=changing(solutions, modules),
        mentioned=frozenset(name for text in others for name in files_in(text)),
        files=any(deed.act in (READS, WRITES) for text in every for deed in deeds(text, modules, {}))
        or any("writefile" in text or "%run" in text for text in every),
    )


def imports_of(source: str) -> Iterator[tuple[str, str, str]]:
    """What a cell imports outside of functions, as (name, module, attribute or "")."""
    for node in parsed(source).body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                yield (alias.asname, alias.name, "") if alias.asname else (first, first, "")
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if alias.name != "*":
                    yield alias.asname or alias.name, node.module, alias.name


def classes(source: str) -> Iterator[ast.ClassDef]:
    return (node for node in ast.walk(parsed(source)) if isinstance(node, ast.ClassDef))


def operators(one: ast.ClassDef) -> set[str]:
    """What a class defines that tells its values from each other."""
    functions = {node.name for node in one.body if isinstance(node, ast.FunctionDef)}
    names = {
        target.id
        for node in one.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    found = (functions | names) & (OPERATORS | COMPARING)
    completed = any("total_ordering" in ast.unparse(node) for node in one.decorator_list)
    return found | set(COMPARES) if completed else found


def is_dataclass(one: ast.ClassDef) -> bool:
    """Whether a class has the comparison that `dataclass` makes."""
    said = next((text for text in map(ast.unparse, one.decorator_list) if "dataclass" in text), None)
    return said is not None and "eq=False" not in said and "__eq__" not in operators(one)


def fields(one: ast.ClassDef, made: Mapping[str, ast.ClassDef]) -> dict[str, None]:
    """The fields of a dataclass by which its values are equal, in order; those of classes above first."""
    found: dict[str, None] = {}
    for base in reversed(one.bases):
        if isinstance(base, ast.Name) and base.id in made and made[base.id] is not one:
            found |= fields(made[base.id], {name: kind for name, kind in made.items() if kind is not one})
    for node in one.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            said = ast.unparse(node.value) if node.value else ""
            kind = ast.unparse(node.annotation)
            if not NO_FIELD.search(kind) and "compare=False" not in said:
                found[node.target.id] = None
    return found


@lru_cache(maxsize=2000)
def files_in(source: str) -> frozenset[str]:
    """The texts in a cell that look like names of files, and what it writes by a magic."""
    texts = [node.value for node in ast.walk(parsed(source)) if isinstance(node, ast.Constant)]
    return frozenset(text for text in texts if type(text) is str and FILE.fullmatch(text))
