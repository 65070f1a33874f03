"""What code calls: the full names of what is imported, and functions that are known for what they do."""

import ast
from collections.abc import Iterable, Mapping

from gradebox.code.names import parsed

DEFINES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
# Functions that change the process that calls them.
SEEDING = {
    *("random.seed", "random.setstate", "numpy.random.seed", "numpy.random.set_state"),
    *("torch.manual_seed", "torch.random.manual_seed", "torch.random.set_rng_state", "torch.set_rng_state"),
}


OF_THE_SYSTEM = {"os.chdir", "os.putenv", "os.umask", "locale.setlocale", "sys.setrecursionlimit"}


WRITING = {"write_text", "write_bytes", "numpy.save", "numpy.savetxt", "numpy.savez", "torch.save"}


# What runs a text, or a module by its name; what runs what it finds in a file or in bytes; and modules that
# run programs.
LOADING = {
    *("exec", "eval", "compile", "__import__", "importlib.import_module", "importlib.reload"),
    *("importlib.util.spec_from_file_location", "importlib.util.module_from_spec"),
}
OPENING = {
    *(f"{module}.{name}" for module in ("pickle", "cloudpickle", "dill") for name in ("load", "loads")),
    *("joblib.load", "pandas.read_pickle", "os.system", "os.popen"),
}
RUNNING = {"runpy", "subprocess"}


def imported(sources: list[str]) -> dict[str, str]:
    """What the imported names of cells stand for: {"np": "numpy", "sleep": "time.sleep"}."""
    found = {}
    for source in sources:
        for node in ast.walk(parsed(source)):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    first = alias.name.split(".")[0]
                    found[alias.asname or first] = alias.name if alias.asname else first
            elif isinstance(node, ast.ImportFrom) and node.module:
                found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found


def definitions(sources: Iterable[str]) -> dict[str, list[ast.AST]]:
    """The functions and classes that cells define, by name."""
    found: dict[str, list[ast.AST]] = {}
    for source in sources:
        for node in parsed(source).body:
            if isinstance(node, DEFINES):
                found.setdefault(node.name, []).append(node)
    return found


def dotted(node: ast.AST, modules: Mapping[str, str]) -> str | None:
    """The full name of what is imported, or of a part of it: `np.random.seed` is "numpy.random.seed"."""
    parts = []
    while isinstance(node, ast.Attribute | ast.Subscript):
        parts += [node.attr] if isinstance(node, ast.Attribute) else []
        node = node.value
    if isinstance(node, ast.Name) and node.id in modules:
        return ".".join([modules[node.id], *reversed(parts)])
    return None


def opens_to_write(node: ast.Call) -> bool:
    """Whether a call is open() for writing."""
    if not isinstance(node.func, ast.Name) or node.func.id != "open":
        return False
    modes = [*node.args[1:2], *(keyword.value for keyword in node.keywords if keyword.arg == "mode")]
    return any(isinstance(m, ast.Constant) and set(str(m.value)) & set("wax+") for m in modes)
