"""What code does to its process besides giving names a value: global random numbers, options, files."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gradebox.code import calls
from gradebox.code.calls import OF_THE_SYSTEM, SEEDING, dotted, opens_to_write
from gradebox.code.names import parsed

DRAWS, STARTS, SEEDS, SETS, WRITES, READS = "draws", "starts", "seeds", "sets", "writes", "reads"
OPTIONS, FILES = "options", "files"
# Modules with random numbers of their own, and what draws none.
RANDOM = {
    "numpy.random": "the random numbers of numpy.random",
    "random": "the random numbers of Python's random",
    "torch": "the random numbers of torch",
}
OWN_GENERATOR = {
    *("default_rng", "Generator", "RandomState", "SeedSequence", "BitGenerator", "PCG64", "PCG64DXSM"),
    *("MT19937", "Philox", "SFC64", "Random", "SystemRandom", "get_state", "getstate", "get_rng_state"),
    *("initial_seed", "fork_rng"),
}
DRAWN_BY_TORCH = set(
    "rand randn randint randperm rand_like randn_like randint_like normal bernoulli multinomial poisson "
    "dropout alpha_dropout feature_dropout rrelu".split()
)
# Methods of tensors that draw.
DRAWING = set("normal_ uniform_ random_ bernoulli_ exponential_ geometric_ log_normal_ cauchy_".split())
# Functions that set what holds for the whole process from then on.
SETTING = {
    *("numpy.set_printoptions", "numpy.seterr", "numpy.seterrcall", "warnings.filterwarnings"),
    *("warnings.simplefilter", "warnings.resetwarnings", "logging.basicConfig", "logging.disable"),
    "os.unsetenv",
    *OF_THE_SYSTEM,
    *("matplotlib.rc", "matplotlib.rcdefaults", "matplotlib.use", "matplotlib.style.use"),
    *("matplotlib.pyplot.rc", "matplotlib.pyplot.rcdefaults", "matplotlib.pyplot.style.use"),
    *("matplotlib.pyplot.ion", "matplotlib.pyplot.ioff", "matplotlib.pyplot.switch_backend"),
}
WRITING = calls.WRITING | {
    *("savefig", "imsave", "tofile", "mkdir", "touch", "unlink", "rmdir"),
    *("rename", "replace", "symlink_to", "to_csv", "to_json", "to_pickle", "to_parquet", "to_excel"),
    "numpy.savez_compressed",
    *("os.remove", "os.rename", "os.makedirs", "shutil.copy", "shutil.copyfile", "shutil.move"),
    *("shutil.rmtree", "shutil.copytree", "pickle.dump", "json.dump"),
}
READING = {
    *("read_text", "read_bytes", "iterdir", "glob", "rglob", "exists", "is_file", "is_dir"),
    *("numpy.load", "numpy.loadtxt", "numpy.genfromtxt", "numpy.fromfile", "torch.load"),
    *("matplotlib.pyplot.imread", "pandas.read_csv", "pandas.read_json", "pandas.read_pickle"),
    *("os.listdir", "os.path.exists", "os.path.isfile", "os.path.isdir", "glob.glob"),
    *("pickle.load", "json.load"),
}
# `text.replace` is far more common than that of a path.
NO_METHODS = {"replace", "rename", "exists", "glob"}


@dataclass(frozen=True)
class Deed:
    """One thing that code does. what: OPTIONS, FILES, or whose random numbers, in words.

    STARTS: it draws the weights that a module starts with.
    """

    act: str
    what: str


def deeds(source: str, modules: Mapping[str, str], definitions: Mapping[str, list[ast.AST]]) -> list[Deed]:
    """What a cell does, in its order, with what the functions and classes do that it mentions.

    modules: what imported names stand for. definitions: the functions and classes of a notebook, by name.
    """
    return list(of_nodes([parsed(source)], modules, definitions, set()))


def of_nodes(
    trees: list[ast.AST],
    modules: Mapping[str, str],
    definitions: Mapping[str, list[ast.AST]],
    seen: set[str],
) -> Iterator[Deed]:
    for tree in trees:
        for node, passes in in_order(tree, False):
            done = deed(node, modules)
            if done and not (passes and done.what == OPTIONS):
                yield done
            if isinstance(node, ast.Name) and node.id in definitions and node.id not in seen:
                seen.add(node.id)
                yield from of_nodes(definitions[node.id], modules, definitions, seen)


def in_order(node: ast.AST, passes: bool) -> Iterator[tuple[ast.AST, bool]]:
    """The parts of code in the order of its text, and whether options that are set there pass with a `with`:
    that of warnings.catch_warnings(), say.
    """
    yield node, passes
    for child in ast.iter_child_nodes(node):
        yield from in_order(child, passes or isinstance(node, ast.With))


def deed(node: ast.AST, modules: Mapping[str, str]) -> Deed | None:
    if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
        # Of a module, or a part of one.
        return Deed(SETS, OPTIONS) if dotted(node, modules) else None
    if not isinstance(node, ast.Call):
        return None
    called = dotted(node.func, modules) or ""
    last = called.rpartition(".")[2]
    method = node.func.attr if isinstance(node.func, ast.Attribute) and not called else None
    if called in SEEDING:
        return Deed(SEEDS, RANDOM[next(module for module in RANDOM if called.startswith(f"{module}."))])
    if any(keyword.arg == "generator" for keyword in node.keywords):
        return None
    if called.startswith("torch.nn.") and last[:1].isupper() and last != "Parameter":
        return Deed(STARTS, RANDOM["torch"])
    random = drawn_from(called, last, method)
    if random:
        return Deed(DRAWS, random)
    set_by_method = called.startswith("matplotlib") and ".rcParams." in called
    if called in SETTING or set_by_method or (called.startswith("torch.") and last.startswith("set_")):
        return Deed(SETS, OPTIONS)
    if called in WRITING or last in WRITING or opens_to_write(node) or method in WRITING - NO_METHODS:
        return Deed(WRITES, FILES)
    reads = called in READING or method in READING - NO_METHODS
    if reads or (isinstance(node.func, ast.Name) and node.func.id == "open"):
        return Deed(READS, FILES)
    return None


def drawn_from(called: str, last: str, method: str | None) -> str | None:
    """Whose global random numbers a call draws from, in words; None if from none."""
    by_torch = called.startswith("torch.") and last in DRAWN_BY_TORCH
    if by_torch or called.startswith("torch.nn.init.") or method in DRAWING:
        return RANDOM["torch"]
    for module in ("numpy.random", "random"):
        if called.startswith(f"{module}.") and last not in OWN_GENERATOR:
            return RANDOM[module]
    return None
