"""Find the Python interpreter of a notebook's kernel, or say why the kernel can't be used."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from shutil import which
from string import Template
from typing import Any

from jupyter_client.kernelspec import NATIVE_KERNEL_NAME, KernelSpec, KernelSpecManager, NoSuchKernel
from nbformat.notebooknode import NotebookNode
from nbgrader.converters.base import NbGraderException

from gradebox.execute.execution_settings import Settings
from gradebox.kernel.interpreter import OWN_INTERPRETER, Interpreter
from gradebox.sandbox.sandbox import is_exposed

MIN_PYTHON, MIN_IPYKERNEL = (3, 9), (6, 15)
# Seconds for an interpreter to describe itself: the first start from a network drive is slow.
DESCRIBE_TIMEOUT = 120
# Prints the facts about an interpreter that grading depends on. Runs under any Python 3.
DESCRIBE_CODE = """
import json, sys
found = {"version": list(sys.version_info[:3]), "ipykernel": None, "numpy": None, "packages": ""}
try:
    from hashlib import sha256
    from importlib.metadata import distributions, version
    names = sorted(str(one.metadata["Name"]) + "==" + str(one.version) for one in distributions())
    found["packages"] = sha256("\\n".join(names).encode()).hexdigest()
    found["ipykernel"] = version("ipykernel")
    found["numpy"] = version("numpy")
except ImportError:
    pass
print(json.dumps(found))
"""
DEFAULT_KERNEL = "python3"
ANOTHER_KERNEL = 'or set c.Execute.kernel_name = "python3" to grade in gradebox\'s own Python'


class KernelError(NbGraderException):
    """Error if a notebook's kernel can't be used here; the message says why and what to do."""


def find_interpreter(settings: Settings, notebook: NotebookNode) -> Interpreter | None:
    """Return the interpreter of a notebook's kernel; None for a kernel that ipykernel does not run.

    Raises KernelError if the kernel is not installed here, or can't run gradebox's code.
    """
    return find_interpreter_of(read_kernel_name(settings, notebook))


def read_kernel_name(settings: Settings, notebook: Mapping[str, Any]) -> str:
    """Return the name of the kernel that a notebook runs in: the course's setting comes first."""
    spec = notebook.get("metadata", {}).get("kernelspec") or {}
    return settings.kernel_name or spec.get("name") or DEFAULT_KERNEL


def find_interpreters(
    settings: Settings, notebooks: Iterable[NotebookNode], contained: bool, course: Path | None = None
) -> tuple[Interpreter, ...]:
    """Return the interpreters of these notebooks' kernels, each once.

    contained: True to use a sandbox. course: the folder of the course, if known. Raises KernelError if a
    kernel can't be used as the settings require.
    """
    found: dict[Interpreter, None] = {}
    for notebook in notebooks:
        interpreter = find_interpreter(settings, notebook)
        if interpreter is None:
            if contained:
                raise KernelError(describe_uncontainable(settings, notebook))
            continue
        if contained and course and is_exposed(course, interpreter.library_folders):
            raise KernelError(
                f"a kernel sets PYTHONPATH to {os.pathsep.join(interpreter.library_folders)}, which contains "
                f"{course}: student code could read the solutions, so move the modules to another folder"
            )
        found[interpreter] = None
    return tuple(found)


def describe_uncontainable(settings: Settings, notebook: NotebookNode) -> str:
    """Return the reason why a kernel that ipykernel does not run can't run in a sandbox."""
    name = read_kernel_name(settings, notebook)
    spec = read_kernel_spec(name)
    language = spec.language or "another language"
    what = f"starts {spec.argv[0]}" if language.lower() == "python" else f"runs {language}"
    return (
        f"the kernel {name!r} {what}, and the sandbox can run only Python's ipykernel: "
        'c.Execute.isolation = "judge" runs this kernel with your permissions'
    )


def read_kernel_spec(name: str) -> KernelSpec:
    """Return the kernel spec with this name. Raises KernelError if the kernel is not installed."""
    manager = KernelSpecManager()
    try:
        # As in Jupyter's KernelManager: nbgrader's quickstart course has notebooks with this name.
        return manager.get_kernel_spec(NATIVE_KERNEL_NAME if name == "python" else name)
    except (NoSuchKernel, ValueError, OSError):
        installed = ", ".join(sorted(manager.find_kernel_specs()))
        raise KernelError(
            f"the kernel {name!r} is not installed here (installed: {installed}): install it, "
            f"{ANOTHER_KERNEL}"
        ) from None


@lru_cache(maxsize=16)
def find_interpreter_of(name: str) -> Interpreter | None:
    """Return the interpreter of the kernel with this name; see `find_interpreter`."""
    spec = read_kernel_spec(name)
    executable = find_executable(spec)
    if executable is None:
        return None
    environment = tuple(
        sorted((key, Template(value).safe_substitute(os.environ)) for key, value in spec.env.items())
    )
    if Path(executable).parent == Path(sys.executable).parent and not environment:
        return OWN_INTERPRETER
    return describe_interpreter(name, executable, environment)


def find_executable(spec: KernelSpec) -> str | None:
    """Return the path of the Python that a kernel spec starts; None unless Python runs ipykernel directly."""
    first, *others = spec.argv
    options = [one for one in others if not one.startswith("-X")][:2]
    if options not in (["-m", "ipykernel_launcher"], ["-m", "ipykernel"]):
        return None
    if first in ("python", "python3", "python{}.{}".format(*sys.version_info)):
        # Jupyter starts its own interpreter for these names.
        return sys.executable
    return which(first) or first


def describe_interpreter(name: str, executable: str, environment: tuple[tuple[str, str], ...]) -> Interpreter:
    """Run an interpreter to find its version and packages. Raises KernelError."""
    try:
        ran = subprocess.run(
            [executable, "-c", DESCRIBE_CODE],
            env={**os.environ, **dict(environment)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=DESCRIBE_TIMEOUT,
            check=True,
        )
        found = json.loads(ran.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it does not run"
        raise KernelError(
            f"the kernel {name!r} starts {executable}, which can't be used ({why}): install the kernel "
            f"again, {ANOTHER_KERNEL}"
        ) from None
    version = ".".join(map(str, found["version"]))
    if tuple(found["version"]) < MIN_PYTHON:
        raise KernelError(
            f"the kernel {name!r} runs Python {version} ({executable}), and gradebox runs kernels with "
            f"Python {'.'.join(map(str, MIN_PYTHON))} or newer: use a newer Python for the course, "
            f"{ANOTHER_KERNEL}"
        )
    ipykernel = found["ipykernel"]
    if not ipykernel or tuple(map(int, ipykernel.split(".")[:2])) < MIN_IPYKERNEL:
        has = f"ipykernel {ipykernel}" if ipykernel else "no ipykernel"
        raise KernelError(
            f"the kernel {name!r} starts {executable}, which has {has}: run `{executable} -m pip install "
            f"'ipykernel>={'.'.join(map(str, MIN_IPYKERNEL))}'`, {ANOTHER_KERNEL}"
        )
    if not found["numpy"]:
        raise KernelError(
            f"the kernel {name!r} starts {executable}, which has no NumPy: run `{executable} -m pip install "
            f"numpy`, {ANOTHER_KERNEL}"
        )
    return Interpreter(executable, version, environment, found["packages"])
