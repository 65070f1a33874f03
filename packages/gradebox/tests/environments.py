"""Environments of other Pythons, and courses whose notebooks name their kernels."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement


def needed_by(name: str) -> set[str]:
    """The distributions that one needs, with all that they need, as they are installed here."""
    found, waiting = set(), [name]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        try:
            needs = distribution(one).requires or []
        except PackageNotFoundError:
            continue
        found.add(one)
        requirements = map(Requirement, needs)
        waiting += [r.name for r in requirements if r.marker is None or r.marker.evaluate({"extra": ""})]
    return found


def copy_environment(folder: Path, *names: str) -> Path:
    """Make an environment of this Python with copies of these distributions. Returns its Python."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    here = Path(sysconfig.get_paths()["purelib"])
    there = next(folder.glob("lib/python*/site-packages"))
    for name in set().union(*map(needed_by, names)):
        for file in distribution(name).files or []:
            source = Path(str(file.locate()))
            if here in source.parents and source.is_file():
                path = there / source.relative_to(here)
                path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, path)
    return folder / "bin" / "python"


def install_kernel(folder: Path, name: str, argv: list[str], **more: object) -> None:
    """Write a kernel spec below a folder of JUPYTER_PATH."""
    path = folder / "kernels" / name / "kernel.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"argv": argv, "display_name": name, "language": "python", **more}))


def ipykernel_of(python: Path | str) -> list[str]:
    """The command of a kernel spec, as ipykernel writes it."""
    return [
        str(python),
        *("-Xfrozen_modules=off", "-m", "ipykernel_launcher", "-f", "{connection_file}"),
    ]


def other_pythons() -> Iterator[Path]:
    """The Pythons from 3.9 on of this machine that are not this one, of each version one."""
    folders = [Path(one) for one in os.environ["PATH"].split(os.pathsep)]
    folders += sorted(Path.home().glob(".pyenv/versions/*/bin"))
    for minor in range(9, 15):
        paths = [folder / f"python3.{minor}" for folder in folders]
        found = [path for path in paths if path.exists() and "shims" not in path.parts]
        if found and minor != sys.version_info.minor:
            yield found[0]
