"""gradebox can be built, installed by itself, and imported without changing anybody else."""

import ast
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from importlib import import_module, metadata
from pathlib import Path

import pytest
from helpers import PROJECT, small_lesson, write_notebook
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PACKAGE = PROJECT / "src" / "gradebox"
METADATA = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
DECLARED = {canonicalize_name(r.name): r for r in map(Requirement, METADATA["dependencies"])}
EXTRAS = {
    canonicalize_name(r.name): r
    for listed in METADATA["optional-dependencies"].values()
    for r in map(Requirement, listed)
}
# What a course may have, or not: gradebox imports it where it is there.
OPTIONAL = {"matplotlib", "pandas", "scipy", "sympy", "torch"}


def imported() -> set[str]:
    """The modules that the package imports anywhere, by their first name."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add(node.module.split(".")[0])
    return found - set(sys.stdlib_module_names) - {"gradebox"}


def test_everything_that_is_imported_is_declared():
    distributions = metadata.packages_distributions()
    needed = {canonicalize_name(distributions[module][0]) for module in imported() - OPTIONAL}
    # jupyter_core comes with jupyter_client, and is part of it.
    assert needed - DECLARED.keys() - EXTRAS.keys() - {"jupyter-core"} == set()


def internals() -> dict[str, list[tuple[str, str]]]:
    """The library internals that CONTRIBUTING.md lists: module and attribute, by distribution."""
    _, _, section = (
        (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Library internals")
    )
    rows = re.findall(r"^\| ([\w-]+) [^|]*\| ([^|]+) \|", section.partition("\n## ")[0], re.MULTILINE)
    listed: dict[str, list[tuple[str, str]]] = {}
    for library, parts in rows:
        listed.setdefault(library, []).extend(re.findall(r"`([\w.]+):([\w.]+)`", parts))
    return {library: parts for library, parts in listed.items() if parts}


def test_upper_bounds_are_those_of_libraries_whose_internals_are_used():
    bounded = set()
    for name, requirement in {**DECLARED, **EXTRAS}.items():
        operators = sorted(specifier.operator for specifier in requirement.specifier)
        assert operators in ([">="], ["<", ">="]), f"{requirement} has no lower bound"
        bounded |= {name} if "<" in operators else set()
    assert bounded == internals().keys()


@pytest.mark.parametrize("library", internals())
def test_internals_that_are_used_exist(library):
    for module, name in internals()[library]:
        found = pytest.importorskip(module) if library in EXTRAS else import_module(module)
        for part in name.split("."):
            assert hasattr(found, part), (
                f"{library} {metadata.version(library)} has no {module}:{name}: adapt gradebox, "
                "or change the bound in pyproject.toml"
            )
            found = getattr(found, part)


def closure(requirements: list[Requirement]) -> dict[str, metadata.Distribution]:
    """What pip would install for these, of what is installed here."""
    found: dict[str, metadata.Distribution] = {}
    waiting = [(requirement, "") for requirement in requirements]
    seen = set()
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        found[name] = distribution = metadata.distribution(name)
        for wanted in ("", *requirement.extras):
            if (name, wanted) not in seen:
                seen.add((name, wanted))
                waiting += [(Requirement(text), wanted) for text in distribution.requires or []]
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """A folder with the sdist and the wheel of the package, as they would be published."""
    folder = tmp_path_factory.mktemp("built")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def wheel(built) -> Path:
    (path,) = built.glob("*.whl")
    return path


def test_the_wheel_holds_the_whole_package_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
        (path,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        about = archive.read(path).decode()
    files = (path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    assert packed == {path.relative_to(PACKAGE.parent).as_posix() for path in files}
    # Files that are read at run time, one of each kind, and the sign that there are types.
    kinds = {Path(name).suffix for name in packed}
    assert {".html", ".css", ".js", ".j2", ".json", ".sh"} <= kinds and "gradebox/py.typed" in packed
    assert "License-File: LICENSE" in about and (PROJECT / "README.md").read_text(encoding="utf-8") in about


def test_the_sdist_holds_the_package_its_tests_and_its_pages(built):
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = [Path(*Path(member.name).parts[1:]) for member in archive if member.isfile()]
    assert {name.parts[0] for name in names} == {
        *(".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "PKG-INFO", "README.md", "SECURITY.md"),
        *("docs", "pyproject.toml", "src", "tests"),
    }
    for folder in ("src", "tests", "docs"):
        files = [path for path in (PROJECT / folder).rglob("*") if path.suffix in (".py", ".md")]
        assert {path.relative_to(PROJECT) for path in files} <= set(names)


def test_a_build_of_the_sdist_has_its_version(built, tmp_path):
    """As pip builds it: in a folder without git."""
    (path,) = built.glob("*.tar.gz")
    shutil.unpack_archive(path, tmp_path)
    (unpacked,) = tmp_path.iterdir()
    command = [sys.executable, "-m", "hatchling", "metadata", "version"]
    run = subprocess.run(command, cwd=unpacked, check=True, capture_output=True, text=True)
    assert path.name == f"gradebox-{run.stdout.strip()}.tar.gz"


@pytest.fixture(scope="module")
def alone(wheel, tmp_path_factory) -> Path:
    """An environment with the package's wheel and what it declares, and with nothing else."""
    root = tmp_path_factory.mktemp("alone")
    venv.create(root, symlinks=True)
    (site,) = root.glob("lib/python*/site-packages")
    for distribution in closure(list(DECLARED.values())).values():
        for file in distribution.files:
            here, there = Path(distribution.locate_file(file)), site / str(file)
            if "__pycache__" in here.parts or not here.is_file():
                continue
            there.parent.mkdir(parents=True, exist_ok=True)
            if there.parent.resolve() == (root / "bin").resolve():
                # A script begins with the name of its Python.
                text = here.read_bytes().split(b"\n", 1)[-1]
                there.write_bytes(f"#!{root}/bin/python\n".encode() + text)
                there.chmod(0o755)
            elif not there.exists():
                there.symlink_to(here)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    # As pip writes it.
    script = (
        "import sys\nfrom gradebox.__main__ import main\nif __name__ == '__main__':\n    sys.exit(main())\n"
    )
    (root / "bin" / "gradebox").write_text(f"#!{root}/bin/python\n{script}")
    (root / "bin" / "gradebox").chmod(0o755)
    return root


@pytest.mark.slow
def test_it_grades_where_nothing_else_is_installed(alone, tmp_path):
    write_notebook(tmp_path / "source" / "hw" / "hw.ipynb", small_lesson())
    (tmp_path / "nbgrader_config.py").write_text(
        "import gradebox\n\nc = get_config()\ngradebox.configure(c)\n"
    )
    (tmp_path / "submitted").mkdir()

    def run(*command: str, status: int = 0) -> str:
        plain = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
        done = subprocess.run(
            [alone / "bin" / command[0], *command[1:]],
            cwd=tmp_path,
            env=plain,
            capture_output=True,
            text=True,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stderr if status else done.stdout

    missing = "import importlib.util as u; print([n for n in ('pytest', 'torch', 'ruff') if u.find_spec(n)])"
    assert run("python", "-c", missing).strip() == "[]"
    assert "autograde" in run("gradebox", "--help") and "autograde" in run(
        "python", "-m", "gradebox", "--help"
    )
    run("gradebox", "release")
    shutil.copytree(tmp_path / "source" / "hw", tmp_path / "submitted" / "ann" / "hw")
    assert "All submissions are graded." in run("gradebox", "autograde")
    run("gradebox", "feedback")
    assert "1 graded" not in run("nbgrader", "autograde", "hw", "--force")
    # What takes more says what.
    (tmp_path / "answers" / "hw").mkdir(parents=True)
    (tmp_path / "answers" / "hw" / "double.py").write_text(
        "# %% right: a sum\ndef double(x):\n    return x + x\n"
    )
    for extra, *command in (
        ("cluster", "autograde", "--force", "--scheduler", "tcp://nowhere"),
        ("audit", "audit"),
    ):
        (said,) = run("gradebox", *command, status=2).splitlines()
        assert said.endswith(f"is not installed: `pip install gradebox[{extra}]` installs it"), said


CHANGES = """
import json, sys, warnings
import jsonschema, nbgrader.api, nbformat, sqlalchemy, nbclient, ipykernel.kernelapp, nbgrader.apps
OTHERS = "nbgrader nbclient nbconvert nbformat jsonschema ipykernel jupyter_client sqlalchemy".split()
def functions(names):
    return {key: id(value) for key, value in names.items() if callable(value)}
def state():
    found = {}
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in OTHERS and module is not None:
            found[name] = functions(vars(module))
            for key, value in list(vars(module).items()):
                if isinstance(value, type) and value.__module__ == name:
                    found[name + "." + key] = functions(vars(value))
    return found
before, filters = state(), list(warnings.filters)
import importlib, pkgutil, gradebox
skipped = {"gradebox.stub_heavy_packages", "gradebox.kernel.application"}
for module in pkgutil.walk_packages(gradebox.__path__, "gradebox."):
    if module.name not in skipped and "__main__" not in module.name:
        importlib.import_module(module.name)
after = state()
changed = []
for name, was in before.items():
    for key, value in was.items():
        if after.get(name, {}).get(key) != value:
            changed.append(name + "." + key)
none = [name for name, module in sys.modules.items() if module is None]
new = [str(one) for one in warnings.filters if one not in filters and "nbgrader" in str(one[3])]
print(json.dumps([changed, none, new]))
"""


def test_to_import_it_changes_nobody_else():
    run = subprocess.run([sys.executable, "-c", CHANGES], capture_output=True, text=True, check=True)
    changed, replaced, filters = json.loads(run.stdout)
    assert (replaced, filters) == ([], [])
    assert changed == []
    import_it = "import gradebox, gradebox.preprocessors, gradebox.course\nimport rfc3987_syntax"
    if "rfc3987_syntax" in metadata.packages_distributions():
        subprocess.run([sys.executable, "-c", import_it], check=True)
