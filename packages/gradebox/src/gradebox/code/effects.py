"""Find calls that use more than their arguments: shared random numbers, and files."""

import ast
from collections.abc import Mapping

from gradebox.code.calls import dotted

# Constructors and functions that draw nothing from the random numbers that the whole process shares.
OWN_GENERATOR = {
    *("default_rng", "Generator", "RandomState", "SeedSequence", "BitGenerator", "PCG64", "PCG64DXSM"),
    *("MT19937", "Philox", "SFC64", "Random", "SystemRandom", "get_state", "getstate", "get_rng_state"),
    *("initial_seed", "fork_rng"),
}
SEEDING = {
    *("random.seed", "random.setstate", "numpy.random.seed", "numpy.random.set_state"),
    *("torch.manual_seed", "torch.random.manual_seed", "torch.random.set_rng_state", "torch.set_rng_state"),
}
DRAWN_BY_TORCH = set(
    "rand randn randint randperm rand_like randn_like randint_like normal bernoulli multinomial poisson "
    "dropout alpha_dropout feature_dropout rrelu".split()
)
# Methods of tensors that draw.
DRAWING = set("normal_ uniform_ random_ bernoulli_ exponential_ geometric_ log_normal_ cauchy_".split())
# Functions and methods that read or write files.
FILES = {
    *(
        "open",
        "write_text",
        "write_bytes",
        "savefig",
        "imsave",
        "tofile",
        "mkdir",
        "touch",
        "unlink",
        "rmdir",
    ),
    *("symlink_to", "to_csv", "to_json", "to_pickle", "to_parquet", "to_excel"),
    *("numpy.save", "numpy.savetxt", "numpy.savez", "numpy.savez_compressed", "torch.save"),
    *("pickle.dump", "json.dump", "read_text", "read_bytes", "iterdir", "rglob", "is_file", "is_dir"),
    *("numpy.load", "numpy.loadtxt", "numpy.genfromtxt", "numpy.fromfile", "torch.load"),
    *("matplotlib.pyplot.imread", "pandas.read_csv", "pandas.read_json", "pandas.read_pickle"),
    *("glob.glob", "pickle.load", "json.load"),
}


def uses_files_or_shared_random_numbers(node: ast.AST, modules: Mapping[str, str]) -> bool:
    """Return True for a call that reads or writes files, or draws random numbers that the process shares.

    A PyTorch module draws the weights that it starts with. modules: what imported names stand for.
    """
    if not isinstance(node, ast.Call):
        return False
    called = dotted(node.func, modules) or (node.func.id if isinstance(node.func, ast.Name) else "")
    last = called.rpartition(".")[2]
    method = node.func.attr if isinstance(node.func, ast.Attribute) and not called else None
    if called in SEEDING or any(keyword.arg == "generator" for keyword in node.keywords):
        return False
    if called.startswith("torch.nn.") and last[:1].isupper() and last != "Parameter":
        return True
    return draws(called, last, method) or not FILES.isdisjoint({called, last, method})


def draws(called: str, last: str, method: str | None) -> bool:
    """Return True if a call draws from random numbers that the whole process shares."""
    by_torch = called.startswith("torch.") and last in DRAWN_BY_TORCH
    if by_torch or called.startswith("torch.nn.init.") or method in DRAWING:
        return True
    return called.startswith(("numpy.random.", "random.")) and last not in OWN_GENERATOR
