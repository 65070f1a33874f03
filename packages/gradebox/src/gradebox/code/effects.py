"""Finds what code does to its process: random numbers that it draws or seeds, and files."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gradebox.code import calls
from gradebox.code.calls import SEEDING, dotted, opens_to_write
from gradebox.code.names import parsed

DRAWS, STARTS, SEEDS, WRITES, READS = "draws", "starts", "seeds", "writes", "reads"
# What draws no random numbers that the whole process shares.
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
    """One thing that code does. STARTS: it draws the weights that a module starts with."""

    act: str


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
        for node in in_order(tree):
            done = deed(node, modules)
            if done:
                yield done
            if isinstance(node, ast.Name) and node.id in definitions and node.id not in seen:
                seen.add(node.id)
                yield from of_nodes(definitions[node.id], modules, definitions, seen)


def in_order(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a syntax tree in the order of its text."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from in_order(child)


def deed(node: ast.AST, modules: Mapping[str, str]) -> Deed | None:
    """Return what a call does; None if it is none of these things, or no call."""
    if not isinstance(node, ast.Call):
        return None
    called = dotted(node.func, modules) or ""
    last = called.rpartition(".")[2]
    method = node.func.attr if isinstance(node.func, ast.Attribute) and not called else None
    if called in SEEDING:
        return Deed(SEEDS)
    if any(keyword.arg == "generator" for keyword in node.keywords):
        return None
    if called.startswith("torch.nn.") and last[:1].isupper() and last != "Parameter":
        return Deed(STARTS)
    if draws(called, last, method):
        return Deed(DRAWS)
    if called in WRITING or last in WRITING or opens_to_write(node) or method in WRITING - NO_METHODS:
        return Deed(WRITES)
    reads = called in READING or method in READING - NO_METHODS
    if reads or (isinstance(node.func, ast.Name) and node.func.id == "open"):
        return Deed(READS)
    return None


def draws(called: str, last: str, method: str | None) -> bool:
    """Return True if a call draws from random numbers that the whole process shares."""
    by_torch = called.startswith("torch.") and last in DRAWN_BY_TORCH
    if by_torch or called.startswith("torch.nn.init.") or method in DRAWING:
        return True
    return called.startswith(("numpy.random.", "random.")) and last not in OWN_GENERATOR
