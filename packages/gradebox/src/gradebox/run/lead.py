"""Which cells a notebook begins with that may be run ahead, once for all who have the lesson."""

import ast
from functools import lru_cache

from gradebox.code.calls import DEFINES, dotted, imported
from gradebox.code.effects import OWN_GENERATOR, uses_files_or_shared_random_numbers
from gradebox.code.names import executed, parsed
from gradebox.notebook import name_of
from gradebox.run.cell_roles import GIVEN
from gradebox.run.demonstrations import is_demonstration
from gradebox.run.lesson import Lesson

# What these say depends on the moment, the process or its folder.
HERE_AND_NOW = set(
    "os sys time datetime pathlib shutil subprocess threading multiprocessing concurrent asyncio socket "
    "tempfile uuid secrets signal platform getpass gc atexit io urllib ctypes faulthandler".split()
)
FUNCTIONS = set("open input exec eval id globals locals vars get_ipython __import__".split())


@lru_cache(maxsize=16)
def leading(lesson: Lesson) -> tuple[str, ...]:
    """The locked cells that a lesson's notebook begins with, as far as it is the same to run them earlier.

    Those that import, define and compute from nothing; not those that draw unseeded random numbers, read or
    write files, ask for the time, or use a magic.
    """
    cells = [cell for cell in lesson.source.cells if cell.cell_type == "code" and cell.source.strip()]
    modules = imported([cell.source for cell in cells])
    found: list[str] = []
    earlier: list[ast.stmt] = []
    for cell in cells:
        given = lesson.roles.get(name_of(cell) or "") == GIVEN and not is_demonstration(cell)
        magic = any(line.lstrip().startswith(("%", "!")) for line in cell.source.splitlines())
        if not given or magic:
            break
        body = parsed(cell.source).body
        nodes = list(executed(ast.Module([*earlier, *body], [])))
        if any(depends(node, modules) for node in nodes):
            break
        found.append(cell.source)
        earlier += [one for one in body if isinstance(one, DEFINES)]
    return tuple(found)


def root(node: ast.AST, modules: dict[str, str]) -> str:
    """The package of what is imported, or of a part of it; "" for all else."""
    return (dotted(node, modules) or "").split(".")[0]


def depends(node: ast.AST, modules: dict[str, str]) -> bool:
    """Return True if what code does may depend on when and where it runs."""
    if uses_files_or_shared_random_numbers(node, modules):
        return True
    if isinstance(node, ast.Name) and node.id in FUNCTIONS:
        return True
    if isinstance(node, ast.Call) and not (node.args or node.keywords):
        # Random numbers that nobody has seeded.
        if (dotted(node.func, modules) or "").rpartition(".")[2] in OWN_GENERATOR:
            return True
    if isinstance(node, ast.Name | ast.Attribute) and root(node, modules) in HERE_AND_NOW:
        return True
    # What can't be imported here may be found there.
    return isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith | ast.Try | ast.TryStar)
