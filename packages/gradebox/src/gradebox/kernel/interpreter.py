"""Python interpreters that run kernels: gradebox's own, or the one of another environment."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

# Modules of gradebox's environment that the code in kernels needs; all are pure Python.
SHARED_MODULES = ("gradebox", "cloudpickle", "pyseccomp")


@dataclass(frozen=True)
class Interpreter:
    """Python interpreter of a kernel.

    environment: variables that the kernel spec sets, sorted. packages: hash of the installed packages; empty
    for gradebox's own environment, whose packages are recorded separately.
    """

    executable: str
    version: str
    environment: tuple[tuple[str, str], ...] = ()
    packages: str = ""

    @property
    def is_own(self) -> bool:
        """Return True if this is gradebox's own interpreter, without additional variables."""
        return self.executable == sys.executable and not self.environment

    @property
    def key(self) -> str:
        """Return a short name for environment variables; empty for gradebox's own interpreter."""
        parts = "\0".join((self.executable, *(f"{name}={value}" for name, value in self.environment)))
        return "" if self.is_own else sha256(parts.encode()).hexdigest()[:16]

    @property
    def library_folders(self) -> tuple[str, ...]:
        """Return the folders in `PYTHONPATH`, from which kernels import modules."""
        folders = dict(self.environment).get("PYTHONPATH", "").split(os.pathsep)
        return tuple(folder for folder in folders if folder)

    def __str__(self) -> str:
        return f"Python {self.version} ({self.executable})"


OWN_INTERPRETER = Interpreter(sys.executable, platform.python_version())


def link_shared_modules(folder: Path) -> None:
    """Create links to `SHARED_MODULES` in a folder, for an interpreter of another environment."""
    for name in SHARED_MODULES:
        spec = find_spec(name)
        if spec and spec.origin:
            path = Path(spec.origin)
            path = path.parent if spec.submodule_search_locations else path
            (folder / path.name).symlink_to(path)
